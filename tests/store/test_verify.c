/*
 * test_verify.c - every way to change a record, and that verify names it.
 */
#include "tests/store/rig.h"

#include <unistd.h>

#include "base/clock.h"
#include "store/rec.h"

#define N 9
#define K 5     /* the one that is changed: has a body, and neighbours */

static struct rig r;

static void fresh(void)
{
	rig_begin(&r);
	rig_open(&r);
	for (int i = 1; i <= N; i++)
		rig_put(&r, REC_RECEIVED, "target", i % 2 == 1 ? SV("the body") : SV_NONE,
			true);
	rig_drain(&r);
	rig_close(&r);
}

static void is_bad(uint64_t seq, const char *what)
{
	struct err e = ERR_INIT;
	uint64_t n, bad = 0;
	int rc = rig_verify(&r, &n, &bad, &e);

	if (rc != 1 || bad != seq)
		fail_msg("%s: verify says %d, first bad %llu (%s)", what, rc,
			(unsigned long long)bad, e.text);
	assert_string_equal(e.code, "broken");
}

static void test_each_byte(void **state)
{
	char what[64];
	size_t n;

	(void)state;
	fresh();
	n = rig_poke(&r, "records", K, 0);
	rig_poke(&r, "records", K, 0);     /* and back */
	rig_holds(&r, N);
	for (size_t i = 0; i < n; i++) {
		rig_poke(&r, "records", K, (long)i);
		snprintf(what, sizeof(what), "byte %zu", i);
		is_bad(K, what);
		rig_poke(&r, "records", K, (long)i);
	}
	rig_holds(&r, N);
	rig_end(&r);
}

static void test_first_and_last(void **state)
{
	(void)state;
	fresh();
	rig_poke(&r, "records", 1, REC_TAG_LEN + 8 + 3);   /* prev is not zero */
	is_bad(1, "first");
	rig_poke(&r, "records", 1, REC_TAG_LEN + 8 + 3);
	rig_poke(&r, "records", N, REC_TAG_LEN + 8 + 3);
	is_bad(N - 1, "last: it or the one before");
	rig_end(&r);
}

static const char swap[] =
	"UPDATE records SET seq=100 WHERE seq=5;UPDATE records SET seq=5 WHERE seq=6;"
	"UPDATE records SET seq=6 WHERE seq=100";

static void test_rows(void **state)
{
	static const struct {
		const char *sql;
		uint64_t bad;
	} ways[] = {
		{ "DELETE FROM records WHERE seq=5", 5 },
		{ "DELETE FROM records WHERE seq=1", 1 },
		{ "DELETE FROM records WHERE seq IN(4,5,6)", 4 },
		{ swap, 5 },
		{ "UPDATE records SET rec=(SELECT rec FROM records WHERE seq=3) WHERE seq=5",
			5 },
		{ "UPDATE records SET rec=substr(rec,1,length(rec)-1) WHERE seq=5", 5 },
		{ "UPDATE records SET rec=substr(rec,1,length(rec)-1) WHERE seq=9", 9 },
		{ "UPDATE records SET rec=CAST(rec||x'00' AS BLOB) WHERE seq=9", 9 },
		{ "UPDATE records SET rec=x'' WHERE seq=2", 2 },
		{ "UPDATE records SET rec=zeroblob(1000000) WHERE seq=2", 2 },
		/* the end cut off, but a body was forgotten by the knife */
		{ "DELETE FROM records WHERE seq>=9", 9 },
		{ "DELETE FROM bodies WHERE id=5*16", 5 },
		{ "UPDATE bodies SET bytes=x'00' WHERE id=5*16", 5 },
		{ "UPDATE bodies SET key=x'00' WHERE id=5*16", 5 },
		{ "UPDATE bodies SET key=(SELECT key FROM bodies WHERE id=3*16) "
			"WHERE id=5*16", 5 },
		{ "INSERT INTO bodies VALUES(4*16,x'00',x'00')", 4 },
		{ "INSERT INTO bodies VALUES(-7,x'00',x'00')", 0 },
		{ "UPDATE bodies SET id=4*16 WHERE id=5*16", 4 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		fresh();
		rig_tamper(&r, ways[i].sql);
		is_bad(ways[i].bad, ways[i].sql);
		rig_end(&r);
	}
}

/* A swap of two bodies that both verify by themselves. */
static void test_body_bytes(void **state)
{
	size_t n;

	(void)state;
	fresh();
	n = rig_poke(&r, "bodies", BODY_ID(K, 0), 0);
	is_bad(K, "body");
	assert_int_equal(n, 8);
	rig_poke(&r, "bodies", BODY_ID(K, 0), 0);
	rig_holds(&r, N);
	rig_end(&r);
}

/* The store itself does not go on behind a broken tail. */
static void test_open_refuses(void **state)
{
	struct err e = ERR_INIT;

	(void)state;
	fresh();
	rig_poke(&r, "records", K, -1);
	assert_null(store_open(r.l, r.dir, NULL, NULL, &e));
	assert_string_equal(e.code, "broken");
	assert_non_null(strstr(e.text, "obstat verify"));
	rig_end(&r);
}

/* Damage below SQLite: pages of zeros, a file cut short. */
static void test_file_damage(void **state)
{
	char p[300];
	uint64_t n, bad;
	struct err e = ERR_INIT;

	(void)state;
	rig_begin(&r);
	rig_open(&r);
	for (int i = 0; i < 300; i++)
		rig_put(&r, REC_RECEIVED, "some target that takes room", SV_NONE, true);
	rig_drain(&r);
	rig_close(&r);
	snprintf(p, sizeof(p), "%s/record.db", r.dir);
	assert_int_equal(truncate(p, 4096 * 10), 0);
	assert_int_not_equal(rig_verify(&r, &n, &bad, &e), 0);
	rig_end(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_byte),
		cmocka_unit_test(test_first_and_last),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_body_bytes),
		cmocka_unit_test(test_open_refuses),
		cmocka_unit_test(test_file_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
