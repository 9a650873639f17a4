/*
 * test_hub.c - a request from its first byte to its answer: native and gate,
 * by a person, by a rule, by default.
 */
#include "tests/check.h"

#include <unistd.h>

#include "tests/hub/rig.h"

#define KEY(n) "000000000000000000000000000000" n

static uint64_t ask_command(struct cl *rt, const char *key, const char *command)
{
	return cl_request(rt, "approval/request", "{\"key\":\"%s\",\"kind\":\"command\","
		"\"tool\":\"Bash\",\"action\":{\"command\":\"%s\",\"cwd\":\"/\"},"
		"\"words\":\"to tidy up\",\"options\":[{\"id\":\"yes1\",\"label\":\"Yes\","
		"\"verdict\":\"allow\",\"scope\":\"once\"},{\"id\":\"no1\",\"label\":\"No\","
		"\"verdict\":\"reject\"}]}", key, command);
}

static void expect_sv(const struct jv *v, const char *key, const char *want)
{
	char *got = xasprintf("%.*s", SVFMT(jv_get_sv(v, key)));

	assert_string_equal(got, want);
	free(got);
}

static struct jv *result_of(struct cl *rt, uint64_t id, struct jv **root)
{
	*root = cl_response(rt, id);
	assert_non_null(*root);
	assert_string_equal(error_word(*root), "");
	return jv_get(*root, "result");
}

static void test_native_approve(void **state)
{
	struct rig r;
	struct cl con, rt;
	struct shown s;
	struct jv *v, *res;
	uint64_t id, rpc;

	(void)state;
	rig_start(&r);
	rig_hub(&r, NULL);
	console_open(&con, &r, "one");
	native_open_rig(&rt, &r, "s1");
	rpc = ask_command(&rt, KEY("01"), "rm -rf build");
	id = wait_ready(&con);
	look(&con, id, &s);
	expect_sv(s.get, "words", "to tidy up");
	/* Not drawn: not approved. */
	v = decide(&con, &s, "approve", "");
	assert_string_equal(error_word(v), "not_seen");
	jv_free(&v);
	see_all(&con, &s);
	/* Not what was drawn: not approved. */
	v = cl_call(&con, "action/decide", "{\"id\":%llu,\"action_digest\":\"%s\","
		"\"doc_digest\":\"%s\",\"outcome\":\"approve\"}", (unsigned long long)id,
		s.doc, s.act);
	assert_string_equal(error_word(v), "changed");
	jv_free(&v);
	v = decide(&con, &s, "approve", "");
	assert_string_equal(error_word(v), "");
	assert_int_equal(jv_get_i(jv_get(v, "result"), "release_ms", -1), 700);
	jv_free(&v);
	advance(&con, 699);
	v = cl_call(&con, "action/get", "{\"id\":%llu}", (unsigned long long)id);
	expect_sv(jv_get(jv_get(v, "result"), "row"), "state", "releasing");
	jv_free(&v);
	advance(&con, 1);
	v = cl_note(&con, "queue/closed");
	expect_sv(jv_get(jv_get(v, "params"), "row"), "outcome", "approved");
	jv_free(&v);
	res = result_of(&rt, rpc, &v);
	expect_sv(res, "outcome", "approved");
	expect_sv(res, "option", "yes1");
	expect_sv(res, "action_digest", s.act);
	expect_sv(jv_get(res, "by"), "kind", "human");
	assert_int_equal(jv_get_i(res, "record", 0), id);
	jv_free(&v);
	jv_free(&s.root);
	cl_close(&rt);
	cl_close(&con);
	rig_term(&r);
	rig_end(&r);
}

static void test_native_deny_and_stop(void **state)
{
	struct rig r;
	struct cl con, rt;
	struct shown s;
	struct jv *v, *res;
	uint64_t id, rpc;
	char want[128];

	(void)state;
	rig_start(&r);
	rig_hub(&r, NULL);
	console_open(&con, &r, "one");
	native_open_rig(&rt, &r, "s1");
	rpc = ask_command(&rt, KEY("02"), "git push --force");
	id = wait_ready(&con);
	look(&con, id, &s);
	v = decide(&con, &s, "deny", ",\"reason\":\"use a branch\"");
	assert_int_equal(jv_get_i(jv_get(v, "result"), "release_ms", -1), 2000);
	jv_free(&v);
	advance(&con, 2000);
	res = result_of(&rt, rpc, &v);
	expect_sv(res, "outcome", "denied");
	expect_sv(res, "option", "no1");
	expect_sv(res, "reason", "use a branch");
	snprintf(want, sizeof want, "Denied by a person (obstat #%llu): use a branch",
		(unsigned long long)id);
	expect_sv(res, "tell", want);
	assert_false(jv_get_b(res, "interrupt", false));
	jv_free(&v);
	jv_free(&s.root);
	/* Stop, with a reason line that stays open for a while. */
	rpc = ask_command(&rt, KEY("03"), "git push --force");
	id = wait_ready(&con);
	look(&con, id, &s);
	v = decide(&con, &s, "stop", ",\"reason_open\":true");
	assert_int_equal(jv_get_i(jv_get(v, "result"), "release_ms", -1), 60000);
	jv_free(&v);
	advance(&con, 30000);
	v = cl_call(&con, "action/reason", "{\"id\":%llu,\"reason\":\"enough\"}",
		(unsigned long long)id);
	assert_string_equal(error_word(v), "");
	jv_free(&v);
	res = result_of(&rt, rpc, &v);
	expect_sv(res, "reason", "enough");
	assert_true(jv_get_b(res, "interrupt", false));
	jv_free(&v);
	/* Whoever comes second is told who was first. */
	v = decide(&con, &s, "approve", "");
	assert_string_equal(error_word(v), "already");
	jv_free(&v);
	jv_free(&s.root);
	cl_close(&rt);
	cl_close(&con);
	rig_term(&r);
	rig_end(&r);
}

static char *hook(const struct rig *r, const char *tool, const char *input, int call)
{
	return xasprintf("{\"session_id\":\"sess\",\"cwd\":\"%s\",\"hook_event_name\":"
		"\"PreToolUse\",\"tool_name\":\"%s\",\"tool_input\":%s,"
		"\"tool_use_id\":\"call%d\"}", r->work, tool, input, call);
}

static void test_gate_edit(void **state)
{
	static const uint8_t key[16] = { 1 };
	struct gate_answer a;
	struct rig r;
	struct cl con;
	struct shown s;
	struct jv *v;
	char *input, *payload;
	unsigned opened;
	uint64_t id;
	int fd;

	(void)state;
	rig_start(&r);
	rig_write(&r, "a.txt", "one\ntwo\n");
	rig_hub(&r, NULL);
	console_open(&con, &r, "one");
	input = xasprintf("{\"file_path\":\"%s/a.txt\",\"old_string\":\"one\","
		"\"new_string\":\"eins\"}", r.work);
	payload = hook(&r, "Edit", input, 1);
	fd = gate_connect(&r, "claude", 1, key, 60000, payload);
	gate_live(fd);
	id = wait_ready(&con);
	look(&con, id, &s);
	assert_true(jv_len(jv_get(s.get, "evidence")) == 1);
	expect_sv(jv_at(jv_get(s.get, "evidence"), 0), "state", "regular");
	see_all(&con, &s);
	v = decide(&con, &s, "approve", "");
	assert_string_equal(error_word(v), "");
	jv_free(&v);
	opened = gate_opened();
	assert_true(opened >= 3);            /* the file, the cwd, the rules */
	advance(&con, 700);
	gate_serve(fd, &a);
	assert_int_equal(gate_opened() + a.opens, opened + 1);  /* looked at again */
	assert_int_equal(a.verdict, 1);
	assert_non_null(strstr(a.out, "\"permissionDecision\":\"allow\""));
	jv_free(&s.root);
	free(input);
	free(payload);
	cl_close(&con);
	rig_term(&r);
	rig_end(&r);
}

/* The file changed between showing and release: a new action on the same
 * request, and one answer. */
static void test_gate_superseded(void **state)
{
	static const uint8_t key[16] = { 2 };
	struct gate_answer a;
	struct rig r;
	struct cl con;
	struct shown s;
	struct jv *v, *row;
	char *input, *payload;
	uint64_t id, second;
	int fd;

	(void)state;
	rig_start(&r);
	rig_write(&r, "a.txt", "one\n");
	rig_hub(&r, NULL);
	console_open(&con, &r, "one");
	input = xasprintf("{\"file_path\":\"%s/a.txt\",\"content\":\"two\\n\"}", r.work);
	payload = hook(&r, "Write", input, 1);
	fd = gate_connect(&r, "claude", 1, key, 0, payload);
	gate_live(fd);
	id = wait_ready(&con);
	look(&con, id, &s);
	see_all(&con, &s);
	v = decide(&con, &s, "approve", "");
	jv_free(&v);
	jv_free(&s.root);
	rig_write(&r, "a.txt", "another\n");
	advance(&con, 700);
	v = cl_note(&con, "queue/closed");
	row = jv_get(jv_get(v, "params"), "row");
	expect_sv(row, "outcome", "superseded");
	assert_int_equal(jv_get_i(row, "id", 0), id);
	jv_free(&v);
	second = wait_ready(&con);
	assert_true(second > id);
	look(&con, second, &s);
	assert_int_equal(jv_get_i(jv_get(s.get, "row"), "linked", 0), id);
	v = decide(&con, &s, "deny", "");
	jv_free(&v);
	advance(&con, 2000);
	gate_serve(fd, &a);
	assert_int_equal(a.verdict, 2);
	assert_non_null(strstr(a.err, "Denied by a person"));
	jv_free(&s.root);
	free(input);
	free(payload);
	cl_close(&con);
	rig_term(&r);
	rig_end(&r);
}

/* Until the hub's state, which may have been told before, tells n of them. */
static void wait_warnings(struct cl *con, size_t n)
{
	struct jv *v;
	size_t have;

	do {
		v = cl_note(con, "hub/state");
		assert_non_null(v);
		have = jv_len(jv_get(jv_get(v, "params"), "warnings"));
		jv_free(&v);
	} while (have != n);
}

static void test_rules_and_pass(void **state)
{
	uint8_t key[16] = { 3 };
	struct gate_answer a;
	struct rig r;
	char *input, *payload;
	struct cl con;
	struct jv *v;

	(void)state;
	rig_start(&r);
	rig_write(&r, "a.txt", "one\n");
	rig_rules(&r, "[rule \"tests\"]\n\ttool = Bash\n\targ = npm\n\targ = test\n"
		"\tdecide = allow\n[rule \"no-push\"]\n\ttool = Bash\n\targ = git\n"
		"\targ = push\n\tdecide = deny\n\treason = not from here\n\tmore = any\n");
	rig_hub(&r, NULL);
	payload = hook(&r, "Bash", "{\"command\":\"npm test\"}", 1);
	gate_serve(gate_connect(&r, "claude", 1, key, 0, payload), &a);
	assert_int_equal(a.verdict, 1);
	free(payload);
	key[1]++;
	payload = hook(&r, "Bash", "{\"command\":\"git push origin\"}", 2);
	gate_serve(gate_connect(&r, "claude", 1, key, 0, payload), &a);
	assert_int_equal(a.verdict, 2);
	assert_string_equal(a.err, "Denied by rule no-push: not from here");
	free(payload);
	key[1]++;
	input = xasprintf("{\"file_path\":\"%s/a.txt\"}", r.work);
	payload = hook(&r, "Read", input, 3);
	gate_serve(gate_connect(&r, "claude", 1, key, 0, payload), &a);
	assert_int_equal(a.verdict, 3);
	assert_string_equal(a.out, "");
	free(payload);
	free(input);
	/* A file with a fault is said to be one as long as it is. */
	console_open(&con, &r, "rules");
	rig_rules(&r, "[rule \"tests\"]\n\tbroken = yes\n");
	v = cl_call(&con, "rules/reload", "{}");
	assert_non_null(jv_get(v, "error"));
	jv_free(&v);
	wait_warnings(&con, 1);
	rig_rules(&r, "[rule \"tests\"]\n\ttool = Bash\n\targ = npm\n\targ = test\n"
		"\tdecide = allow\n");
	v = cl_call(&con, "rules/reload", "{}");
	assert_int_equal(jv_get_i(jv_get(v, "result"), "rules", -1), 1);
	jv_free(&v);
	wait_warnings(&con, 0);
	cl_close(&con);
	/* The stop button: even that waits, and goes on when it is let go. */
	console_open(&con, &r, "one");
	v = cl_call(&con, "hub/stop_all", "{}");
	assert_int_equal(jv_get_i(jv_get(v, "result"), "denied", -1), 0);
	jv_free(&v);
	key[1]++;
	payload = hook(&r, "Bash", "{\"command\":\"npm test\"}", 4);
	{
		int fd = gate_connect(&r, "claude", 1, key, 0, payload);

		gate_live(fd);
		wait_ready(&con);
		v = cl_call(&con, "hub/hold", "{\"on\":false}");
		jv_free(&v);
		gate_serve(fd, &a);
	}
	assert_int_equal(a.verdict, 1);
	free(payload);
	cl_close(&con);
	rig_term(&r);
	rig_end(&r);
}

/* A result without its request: the session turns red. */
static void test_past_the_gate(void **state)
{
	static const char post[] = "{\"session_id\":\"sess\",\"cwd\":\"/\","
		"\"hook_event_name\":\"PostToolUse\",\"tool_name\":\"Bash\","
		"\"tool_input\":{\"command\":\"ls\"},\"tool_response\":{},"
		"\"tool_use_id\":\"never-asked\"}";
	static const uint8_t key[16] = { 4 };
	struct gate_answer a;
	struct rig r;
	struct cl con;
	struct jv *v;

	(void)state;
	rig_start(&r);
	rig_hub(&r, NULL);
	console_open(&con, &r, "one");
	gate_serve(gate_connect(&r, "claude", 2, key, 0, post), &a);
	assert_int_equal(a.verdict, 4);
	v = cl_note(&con, "session/changed");
	assert_true(jv_get_b(jv_get(jv_get(v, "params"), "session"), "red", false));
	jv_free(&v);
	cl_close(&con);
	rig_term(&r);
	rig_end(&r);
}

static void test_refusals(void **state)
{
	static const uint8_t key[16] = { 5 };
	struct gate_answer a;
	struct rig r;
	struct cl con, rt;
	struct jv *v;

	(void)state;
	rig_start(&r);
	rig_hub(&r, NULL);
	gate_serve(gate_connect(&r, "claude", 1, key, 0, "{\"a\":1,\"a\":2}"), &a);
	assert_int_equal(a.verdict, 2);
	assert_non_null(strstr(a.err, "json_dup"));
	gate_serve(gate_connect(&r, "nobody", 1, key, 0, "{}"), &a);
	assert_int_equal(a.verdict, 2);
	assert_non_null(strstr(a.err, "unknown_dialect"));
	gate_serve(gate_connect(&r, "claude", 2, key, 0, "["), &a);
	assert_int_equal(a.verdict, 4);
	native_open_rig(&rt, &r, "s");
	cl_send(&rt, "{\"id\":1,}");
	v = cl_response(&rt, UINT64_MAX);    /* id null */
	assert_string_equal(error_word(v), "json_syntax");
	jv_free(&v);
	cl_close(&rt);
	console_open(&con, &r, "one");
	v = cl_call(&con, "hub/status", "{}");
	assert_int_equal(jv_get_i(jv_get(v, "result"), "refused", -1), 4);
	jv_free(&v);
	cl_close(&con);
	rig_term(&r);
	rig_end(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_native_approve),
		cmocka_unit_test(test_native_deny_and_stop),
		cmocka_unit_test(test_gate_edit),
		cmocka_unit_test(test_gate_superseded),
		cmocka_unit_test(test_rules_and_pass),
		cmocka_unit_test(test_past_the_gate),
		cmocka_unit_test(test_refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
