/*
 * test_hub_peers.c - peers over time: a thousand requests leave nothing
 * behind, and a peer that does not hang up is hung up on.
 */
#include "tests/check.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/sock.h"
#include "tests/hub/rig.h"

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define GROWTH_KB 300000       /* what was freed is kept for a while */
#else
#define GROWTH_KB 8192
#endif

static void number_key(uint8_t key[16], unsigned n)
{
	memset(key, 0x5a, 16);
	key[0] = (uint8_t)n;
	key[1] = (uint8_t)(n >> 8);
}

static void usage(struct cl *con, int64_t *maps, int64_t *rss_kb)
{
	struct jv *v = cl_call(con, "test/usage", "{\"usage\":true}"), *res;

	res = jv_get(v, "result");
	*maps = jv_get_i(res, "maps", -1);
	*rss_kb = jv_get_i(res, "rss_kb", -1);
	jv_free(&v);
}

static void one_denied(struct rig *r, unsigned i, const char *payload, int verdict)
{
	struct gate_answer a;
	uint8_t key[16];

	number_key(key, i);
	gate_serve(gate_connect(r, "claude", 1, key, 0, payload), &a);
	assert_int_equal(a.verdict, verdict);
}

/* Edits of a file in a workspace with rules of its own, and a call that only
 * reads: each maps what it looked at, for a while. */
static void test_flat(void **state)
{
	struct rig r;
	struct cl con;
	char *input, *edit, *read_call, path[256];
	int64_t maps, rss, maps_after, rss_after;

	(void)state;
	rig_start(&r);
	rig_write(&r, "a.txt", "one\ntwo\n");
	snprintf(path, sizeof path, "%s/.obstat", r.work);
	assert_int_equal(mkdir(path, 0700), 0);
	rig_write(&r, ".obstat/rules", "[rule \"no-edits\"]\n\ttool = Edit\n"
		"\tdecide = deny\n\treason = not here\n");
	rig_hub(&r, NULL);
	console_open(&con, &r, "one");
	input = xasprintf("{\"file_path\":\"%s/a.txt\",\"old_string\":\"one\","
		"\"new_string\":\"eins\"}", r.work);
	edit = hook_payload(&r, "PreToolUse", "Edit", input, "c1");
	free(input);
	input = xasprintf("{\"file_path\":\"%s/a.txt\"}", r.work);
	read_call = hook_payload(&r, "PreToolUse", "Read", input, "c2");
	for (unsigned i = 0; i < 1100; i++) {
		if (i == 100)
			usage(&con, &maps, &rss);
		one_denied(&r, i, i % 2 == 0 ? edit : read_call, i % 2 == 0 ? 2 : 3);
	}
	usage(&con, &maps_after, &rss_after);
	if (maps_after > maps + 16 || rss_after > rss + GROWTH_KB)
		fail_msg("mappings %lld -> %lld, resident %lld -> %lld KiB",
			(long long)maps, (long long)maps_after, (long long)rss,
			(long long)rss_after);
	free(input);
	free(edit);
	free(read_call);
	cl_close(&con);
	rig_term(&r);
	rig_end(&r);
}

static unsigned peers(struct cl *con)
{
	struct jv *v = cl_call(con, "hub/status", "{}");
	unsigned n = (unsigned)jv_get_i(jv_get(v, "result"), "peers", -1);

	jv_free(&v);
	return n;
}

/* A gate that has its answer and stays: undelivered, closed after 2 s. */
static void test_stays(void **state)
{
	struct rig r;
	struct cl con;
	char *payload;
	uint8_t key[16];
	char verdict[4096];
	int fd;

	(void)state;
	rig_start(&r);
	rig_rules(&r, "[rule \"no\"]\n\ttool = Bash\n\tdecide = deny\n");
	rig_hub(&r, NULL);
	console_open(&con, &r, "one");
	payload = hook_payload(&r, "PreToolUse", "Bash", "{\"command\":\"ls\"}", "c1");
	number_key(key, 1);
	fd = gate_connect(&r, "claude", 1, key, 0, payload);
	gate_live(fd);
	gate_await(fd);                      /* opens are done, the answer is there */
	assert_true(read(fd, verdict, sizeof verdict) > 0);
	assert_int_equal(peers(&con), 1);
	advance(&con, 1999);
	assert_int_equal(peers(&con), 1);
	advance(&con, 1);
	assert_int_equal(peers(&con), 0);
	/* The same key again: its answer never arrived, so it comes once more. */
	one_denied(&r, 1, payload, 2);
	close(fd);
	free(payload);
	cl_close(&con);
	rig_term(&r);
	assert_int_equal(rig_records(&r, REC_DELIVERY, RF_DELIVERY, "undelivered"), 1);
	assert_int_equal(rig_records(&r, REC_DELIVERY, RF_DELIVERY, "delivered"), 1);
	rig_end(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_flat),
		cmocka_unit_test(test_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
