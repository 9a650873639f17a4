/*
 * test_hub_time.c - what ends an action without a person's word here: the
 * owner's limit, which a person can move, and an answer given elsewhere.
 */
#include "tests/check.h"

#include <unistd.h>

#include "tests/hub/rig.h"

static uint64_t ask_ms(struct cl *rt, unsigned key, unsigned ms)
{
	return cl_request(rt, "approval/request", "{\"key\":\"%032x\",\"kind\":\"command\","
		"\"tool\":\"Bash\",\"action\":{\"command\":\"rm x\",\"cwd\":\"/\"},"
		"\"deadline\":{\"ms\":%u,\"then\":\"deny\"}}", key, ms);
}

static int64_t expires(struct cl *con, uint64_t id, bool *warn)
{
	struct jv *v = cl_call(con, "action/get", "{\"id\":%llu}", (unsigned long long)id);
	const struct jv *row = jv_get(jv_get(v, "result"), "row");
	int64_t ms = jv_get_i(row, "expires_ms", -1);

	*warn = jv_get_b(row, "warn", true);
	jv_free(&v);
	return ms;
}

/* The word of the error, or "" and the new time left. */
static const char *extend(struct cl *con, uint64_t id, uint64_t ms, int64_t *left)
{
	struct jv *v = cl_call(con, "action/extend", "{\"id\":%llu,\"ms\":%llu}",
		(unsigned long long)id, (unsigned long long)ms);
	const char *word = error_word(v);

	*left = jv_get_i(jv_get(v, "result"), "expires_ms", -1);
	jv_free(&v);
	return word;
}

static void expect_outcome(struct cl *rt, uint64_t rpc, const char *outcome)
{
	struct jv *v = cl_response(rt, rpc);

	assert_non_null(v);
	assert_true(sv_eqs(jv_get_sv(jv_get(v, "result"), "outcome"), outcome));
	jv_free(&v);
}

#define MIN 60000

static void test_limit(void **state)
{
	struct rig r;
	struct cl con, rt;
	uint64_t rpc, rpc2, id, id2;
	int64_t left;
	bool warn;

	(void)state;
	rig_start(&r);
	rig_rules(&r, "[obstat]\n\tdeadline = 10m\n");
	rig_hub(&r, NULL);
	console_open(&con, &r, "one");
	native_open_rig(&rt, &r, "s1");
	rpc = ask_ms(&rt, 1, 20 * MIN);      /* the owner's limit is the earlier */
	id = wait_ready(&con);
	assert_int_equal(expires(&con, id, &warn), 10 * MIN);
	rpc2 = ask_ms(&rt, 2, 5 * MIN);      /* here the runtime's is */
	id2 = wait_ready(&con);
	assert_int_equal(expires(&con, id2, &warn), 5 * MIN);
	advance(&con, 4 * MIN - 1);
	expires(&con, id2, &warn);
	assert_false(warn);
	advance(&con, 1);                    /* 80 % */
	expires(&con, id2, &warn);
	assert_true(warn);
	assert_string_equal(extend(&con, id2, MIN, &left), "not_allowed");
	advance(&con, MIN);
	expect_outcome(&rt, rpc2, "expired");
	advance(&con, 3 * MIN);
	expires(&con, id, &warn);
	assert_true(warn);
	assert_string_equal(extend(&con, id, 10 * MIN, &left), "");
	assert_int_equal(left, 12 * MIN);
	expires(&con, id, &warn);
	assert_false(warn);
	/* Up to the runtime's own, and no further. */
	assert_string_equal(extend(&con, id, 10 * MIN, &left), "not_allowed");
	advance(&con, 12 * MIN - 1);
	assert_int_equal(expires(&con, id, &warn), 1);
	advance(&con, 1);
	expect_outcome(&rt, rpc, "expired");
	cl_close(&rt);
	cl_close(&con);
	rig_term(&r);
	assert_int_equal(rig_records(&r, REC_OUTCOME, RF_OUTCOME, "expired"), 2);
	rig_end(&r);
}

/* A call that still waits has run: someone answered in Claude's own window, or
 * it went on by itself. */
static void test_elsewhere(void **state)
{
	static const uint8_t key[16] = { 1 }, key2[16] = { 2 };
	struct gate_answer a;
	struct rig r;
	struct cl con;
	struct shown s;
	struct jv *v;
	const struct jv *row;
	char *pre, *post;
	int fd;

	(void)state;
	rig_start(&r);
	rig_hub(&r, NULL);
	console_open(&con, &r, "one");
	pre = hook_payload(&r, "PreToolUse", "Bash", "{\"command\":\"rm -rf y\"}", "c1");
	post = hook_payload(&r, "PostToolUse", "Bash", "{\"command\":\"rm -rf y\"}", "c1");
	fd = gate_connect(&r, "claude", 1, key, 60000, pre);
	gate_live(fd);
	look(&con, wait_ready(&con), &s);
	see_all(&con, &s);
	v = decide(&con, &s, "approve", "");  /* within its hold */
	assert_string_equal(error_word(v), "");
	jv_free(&v);
	gate_serve(gate_connect(&r, "claude", 2, key2, 0, post), &a);
	assert_int_equal(a.verdict, 4);
	v = cl_note(&con, "queue/closed");
	row = jv_get(jv_get(v, "params"), "row");
	assert_true(sv_eqs(jv_get_sv(row, "outcome"), "answered_elsewhere"));
	assert_true(sv_starts(jv_get_sv(row, "reason"), "approved elsewhere"));
	assert_true(sv_eqs(jv_get_sv(jv_get(row, "by"), "kind"), "runtime"));
	jv_free(&v);
	v = decide(&con, &s, "approve", "");
	assert_string_equal(error_word(v), "already");
	assert_true(sv_eqs(jv_get_sv(jv_get(jv_get(v, "error"), "data"), "outcome"),
		"answered_elsewhere"));
	jv_free(&v);
	gate_serve(fd, &a);
	assert_int_equal(a.verdict, 2);      /* nothing was allowed here */
	advance(&con, 5000);
	jv_free(&s.root);
	free(pre);
	free(post);
	cl_close(&con);
	rig_term(&r);
	assert_int_equal(rig_records(&r, REC_OUTCOME, RF_OUTCOME, "approved"), 0);
	assert_int_equal(rig_records(&r, REC_OUTCOME, RF_OUTCOME, "answered_elsewhere"), 1);
	assert_int_equal(rig_records(&r, REC_OUTCOME, RF_STATUS, "approved"), 1);
	rig_end(&r);
}

/* Nobody answered, and it ran all the same: past the gate. */
static void test_expired_ran(void **state)
{
	static const uint8_t key[16] = { 1 }, key2[16] = { 2 };
	struct gate_answer a;
	struct rig r;
	struct cl con;
	struct jv *v;
	char *pre, *post;
	bool red = false;
	int fd;

	(void)state;
	rig_start(&r);
	rig_hub(&r, NULL);
	console_open(&con, &r, "one");
	pre = hook_payload(&r, "PreToolUse", "Bash", "{\"command\":\"rm -rf y\"}", "c1");
	post = hook_payload(&r, "PostToolUse", "Bash", "{\"command\":\"rm -rf y\"}", "c1");
	fd = gate_connect(&r, "claude", 1, key, 60000, pre);
	gate_live(fd);
	wait_ready(&con);
	advance(&con, 60000);
	gate_serve(fd, &a);
	assert_int_equal(a.verdict, 2);
	gate_serve(gate_connect(&r, "claude", 2, key2, 0, post), &a);
	while (!red) {
		v = cl_note(&con, "session/changed");
		assert_non_null(v);
		red = jv_get_b(jv_get(jv_get(v, "params"), "session"), "red", false);
		jv_free(&v);
	}
	free(pre);
	free(post);
	cl_close(&con);
	rig_term(&r);
	rig_end(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_limit),
		cmocka_unit_test(test_elsewhere),
		cmocka_unit_test(test_expired_ran),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
