/*
 * test_store.c - writing and reading back, bodies, forgetting, and which
 * files are refused.
 */
#include "tests/store/rig.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sqlite3.h>

#include "base/clock.h"

struct seen {
	unsigned n;
	uint64_t seqs[64];
	char target[64][64];
	unsigned stop_after;
};

static bool see(void *arg, const struct rec_view *v)
{
	struct seen *s = arg;
	struct sv t = rec_view_get(v, RF_TARGET);

	s->seqs[s->n] = v->seq;
	snprintf(s->target[s->n], 64, "%.*s", SVFMT(t));
	s->n++;
	return s->n != s->stop_after;
}

static void each(struct rig *r, uint64_t from, struct seen *s)
{
	struct err e = ERR_INIT;
	struct reader *rd = reader_open(r->dir, &e);

	if (rd == NULL)
		fail_msg("reader_open: %s", e.text);
	assert_int_equal(reader_each(rd, from, see, s, &e), 0);
	reader_close(&rd);
}

static void test_append_read(void **state)
{
	struct rig r;
	struct seen s = { 0 };

	(void)state;
	rig_begin(&r);
	rig_open(&r);
	assert_int_equal(rig_put(&r, REC_RECEIVED, "one", SV("body one"), true), 1);
	assert_int_equal(rig_put(&r, REC_OUTCOME, "two", SV_NONE, true), 2);
	assert_int_equal(rig_put(&r, REC_OBSERVED, "three", SV_NONE, false), 3);
	rig_drain(&r);
	assert_int_equal(r.failed, 0);
	/* the hub is still there: a second connection reads the live file */
	each(&r, 0, &s);
	assert_int_equal(s.n, 3);
	assert_string_equal(s.target[0], "one");
	assert_string_equal(s.target[2], "three");
	rig_holds(&r, 3);
	rig_close(&r);
	/* down: again, and go on where it ended */
	rig_holds(&r, 3);
	rig_open(&r);
	assert_int_equal(rig_put(&r, REC_DECIDED, "four", SV_NONE, true), 4);
	rig_drain(&r);
	memset(&s, 0, sizeof(s));
	s.stop_after = 1;
	each(&r, 4, &s);
	assert_int_equal(s.n, 1);
	assert_int_equal(s.seqs[0], 4);
	rig_holds(&r, 4);
	rig_end(&r);
}

static void test_observations_wait(void **state)
{
	struct rig r;

	(void)state;
	rig_begin(&r);
	rig_open(&r);
	/* nothing urgent: still written, by the thread's own clock */
	rig_put(&r, REC_OBSERVED, "o", SV_NONE, false);
	rig_drain(&r);
	rig_holds(&r, 1);
	/* close does not wait for company */
	rig_put(&r, REC_OBSERVED, "p", SV_NONE, false);
	rig_close(&r);
	rig_holds(&r, 2);
	rig_end(&r);
}

static void body_is(struct rig *r, uint64_t seq, const char *name, struct sv want)
{
	struct err e = ERR_INIT;
	struct reader *rd = reader_open(r->dir, &e);
	struct buf out;

	assert_non_null(rd);
	buf_init(&out, 8 << 20);
	if (reader_body(rd, seq, name, &out, &e) != 0)
		fail_msg("body %s: %s", name, e.text);
	assert_int_equal(out.n, want.n);
	assert_memory_equal(out.p, want.p, want.n);
	assert_int_equal(reader_body(rd, seq, "nope", &out, &e), 1);
	assert_int_equal(reader_body(rd, 99, name, &out, &e), 1);
	buf_free(&out);
	reader_close(&rd);
}

static void test_bodies(void **state)
{
	struct rig r;
	size_t n = 1 << 20;
	char *big = xcalloc(1, n), noise[4096];
	struct rec *rec = rec_new(REC_RECEIVED, clock_real_ms(), clock_boot_ms());
	char p[300];
	struct stat st;

	(void)state;
	random_bytes(noise, sizeof(noise));
	rec_add_body(rec, "raw", (struct sv){ big, n });
	rec_add_body(rec, "doc", (struct sv){ noise, sizeof(noise) });
	rec_add_body(rec, "answer", SV("short"));
	rec_add_body(rec, "none", (struct sv){ "", 0 });
	rig_begin(&r);
	rig_open(&r);
	store_submit(r.s, rec, true, NULL, NULL);
	rig_put(&r, REC_RECEIVED, "x", SV("y"), true);
	rig_drain(&r);
	body_is(&r, 1, "raw", (struct sv){ big, n });
	body_is(&r, 1, "doc", (struct sv){ noise, sizeof(noise) });
	body_is(&r, 1, "answer", SV("short"));
	body_is(&r, 1, "none", SV(""));
	body_is(&r, 2, "raw", SV("y"));
	rig_close(&r);
	snprintf(p, sizeof(p), "%s/record.db", r.dir);
	assert_int_equal(stat(p, &st), 0);
	assert_true(st.st_size < (off_t)(n / 4));   /* compressed */
	assert_int_equal(st.st_mode & 07777, 0600);
	rig_holds(&r, 2);
	free(big);
	rig_end(&r);
}

static void test_forget(void **state)
{
	struct rig r;
	struct err e = ERR_INIT;
	struct reader *rd;
	struct buf out;
	uint64_t n, bad;

	(void)state;
	rig_begin(&r);
	rig_open(&r);
	rig_put(&r, REC_RECEIVED, "a", SV("the secret"), true);
	rig_put(&r, REC_RECEIVED, "b", SV("kept"), true);
	store_forget(r.s, 1, 0, "raw", NULL, NULL);
	rig_put(&r, REC_OUTCOME, "c", SV_NONE, true);
	rig_drain(&r);
	rig_holds(&r, 4);
	rd = reader_open(r.dir, &e);
	buf_init(&out, 4096);
	assert_int_equal(reader_body(rd, 1, "raw", &out, &e), 2);
	assert_int_equal(reader_body(rd, 2, "raw", &out, &e), 0);
	buf_free(&out);
	reader_close(&rd);
	rig_close(&r);
	/* deleted behind the record's back: not the same */
	rig_tamper(&r, "DELETE FROM bodies WHERE id=2*16");
	assert_int_equal(rig_verify(&r, &n, &bad, &e), 1);
	assert_int_equal(bad, 2);
	rig_end(&r);
}

static bool see_cut(void *arg, const struct rec_view *v)
{
	(void)arg;
	assert_int_equal(rec_view_get(v, RF_TARGET).n, REC_VALUE_MAX);
	assert_true(sv_eqs(rec_view_get(v, RF_CUT), "target"));
	assert_null(rec_view_get(v, RF_TOOL).p);
	return false;
}

static void test_cut_value(void **state)
{
	struct rec *rec = rec_new(REC_RECEIVED, 5, 6);
	char *big = xcalloc(1, REC_VALUE_MAX + 1);
	struct rig r;
	struct reader *rd;
	struct err e = ERR_INIT;

	(void)state;
	rec_add(rec, RF_TOOL, SV(""));
	rec_add(rec, RF_TARGET, (struct sv){ big, REC_VALUE_MAX + 1 });
	rig_begin(&r);
	rig_open(&r);
	store_submit(r.s, rec, true, NULL, NULL);
	rig_put(&r, REC_OUTCOME, "c", SV_NONE, true);
	rig_drain(&r);
	rd = reader_open(r.dir, &e);
	assert_int_equal(reader_each(rd, 1, see_cut, NULL, &e), 0);
	reader_close(&rd);
	rig_holds(&r, 2);
	free(big);
	rig_end(&r);
}

static void refused(struct rig *r, const char *code)
{
	struct err e = ERR_INIT;
	struct store *s = store_open(r->l, r->dir, NULL, NULL, &e);

	assert_null(s);
	assert_string_equal(e.code, code);
}

static void sql(struct rig *r, const char *name, const char *text)
{
	char p[300];
	sqlite3 *h = NULL;

	snprintf(p, sizeof(p), "%s/%s", r->dir, name);
	assert_int_equal(sqlite3_open(p, &h), SQLITE_OK);
	assert_int_equal(sqlite3_exec(h, text, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(h);
	chmod(p, 0600);
}

static void test_refused_files(void **state)
{
	struct rig r;
	struct err e = ERR_INIT;
	char p[300], q[300];

	(void)state;
	rig_begin(&r);
	assert_null(reader_open(r.dir, &e));
	assert_string_equal(e.code, "no_record");
	snprintf(p, sizeof(p), "%s/record.db", r.dir);
	snprintf(q, sizeof(q), "%s/other", r.dir);
	/* a link */
	sql(&r, "other", "CREATE TABLE t(a)");
	assert_int_equal(symlink("other", p), 0);
	refused(&r, "state");
	assert_null(reader_open(r.dir, &e));
	assert_string_equal(e.code, "unsafe");
	unlink(p);
	/* a fifo must not hang us */
	assert_int_equal(mkfifo(p, 0600), 0);
	refused(&r, "unsafe");
	assert_null(reader_open(r.dir, &e));
	unlink(p);
	/* another database */
	assert_int_equal(rename(q, p), 0);
	refused(&r, "schema");
	assert_null(reader_open(r.dir, &e));
	assert_string_equal(e.code, "schema");
	/* readable by others */
	chmod(p, 0640);
	refused(&r, "unsafe");
	unlink(p);
	/* not a database */
	close(open(p, O_WRONLY | O_CREAT, 0600));
	assert_int_equal(truncate(p, 10000), 0);
	refused(&r, "database");
	rig_end(&r);
}

static void test_schema_frozen(void **state)
{
	struct rig r;

	(void)state;
	rig_begin(&r);
	rig_open(&r);
	rig_put(&r, REC_RECEIVED, "a", SV("b"), true);
	rig_drain(&r);
	rig_close(&r);
	sql(&r, "record.db", "CREATE TRIGGER evil AFTER INSERT ON records BEGIN "
		"DELETE FROM bodies;END");
	refused(&r, "schema");
	sql(&r, "record.db", "DROP TRIGGER evil;PRAGMA user_version=2");
	refused(&r, "newer");
	sql(&r, "record.db", "PRAGMA user_version=1");
	rig_holds(&r, 1);
	/* the triggers stop mistakes */
	{
		char p[300];
		sqlite3 *h = NULL;
		static const char *const no[] = {
			"UPDATE records SET rec=x'00'", "DELETE FROM records",
			"INSERT OR REPLACE INTO records VALUES(1,x'00')",
			"UPDATE bodies SET bytes=x'00'",
			"INSERT INTO records VALUES('a',x'00')",
		};

		snprintf(p, sizeof(p), "%s/record.db", r.dir);
		assert_int_equal(sqlite3_open(p, &h), SQLITE_OK);
		for (size_t i = 0; i < sizeof(no) / sizeof(no[0]); i++)
			assert_int_not_equal(sqlite3_exec(h, no[i], NULL, NULL, NULL),
				SQLITE_OK);
		sqlite3_close(h);
	}
	rig_holds(&r, 1);
	rig_end(&r);
}

static struct store *closing;
static void close_in_done(void *arg, bool failed)
{
	(void)failed;
	store_close(&closing, 1000);
	loop_stop(arg);
}
static unsigned late;
static void count_done(void *arg, bool failed)
{
	(void)arg;
	assert_false(failed);
	late++;
}

static void test_close_in_callback(void **state)
{
	struct rig r;
	struct err e = ERR_INIT;

	(void)state;
	rig_begin(&r);
	closing = store_open(r.l, r.dir, NULL, NULL, &e);
	assert_non_null(closing);
	store_submit(closing, rec_new(REC_HUB_STARTED, 1, 1), true, close_in_done, r.l);
	store_submit(closing, rec_new(REC_HUB_STOPPED, 1, 1), true, count_done, NULL);
	loop_run(r.l);
	assert_int_equal(late, 1);
	rig_holds(&r, 2);
	rig_end(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_append_read),
		cmocka_unit_test(test_observations_wait),
		cmocka_unit_test(test_bodies),
		cmocka_unit_test(test_forget),
		cmocka_unit_test(test_cut_value),
		cmocka_unit_test(test_refused_files),
		cmocka_unit_test(test_schema_frozen),
		cmocka_unit_test(test_close_in_callback),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
