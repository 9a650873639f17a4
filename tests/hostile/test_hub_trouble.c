/*
 * test_hub_trouble.c - the record cannot be written: what the person is told,
 * what the agent gets, and that it all goes on by itself afterwards.
 */
#include "tests/check.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sqlite3.h>

#include "base/json_out.h"
#include "tests/hub/rig.h"

#define PROBE "[rule \"no\"]\n\ttool = No\n\tdecide = deny\n"

static struct rig r;
static struct cl con, rt;
static unsigned keys;

static void begin(void)
{
	rig_start(&r);
	rig_rules(&r, PROBE);
	rig_hub(&r, NULL);
	console_open(&con, &r, "person");
	native_open_rig(&rt, &r, "s");
}

static void end(void)
{
	cl_close(&rt);
	cl_close(&con);
	rig_term(&r);
	rig_end(&r);
}

static void points(const char *spec)
{
	struct jv *v = cl_call(&con, "test/points", "{\"points\":\"%s\"}", spec);

	assert_string_equal(error_word(v), "");
	jv_free(&v);
}

static uint64_t ask(const char *tool)
{
	return cl_request(&rt, "approval/request", "{\"key\":\"%032x\",\"kind\":\"command\","
		"\"tool\":\"%s\",\"action\":{\"command\":\"make\"}}", ++keys, tool);
}

/* The next word of the hub on its record is this one; its text holds more. */
static void await_store(const char *word, const char *more)
{
	for (;;) {
		struct jv *v = cl_note(&con, "hub/state"), *p = jv_get(v, "params");
		char *text = xasprintf("%.*s", SVFMT(jv_get_sv(p, "text")));
		bool is = sv_eqs(jv_get_sv(p, "store"), word);

		jv_free(&v);
		if (is && strstr(text, more) == NULL)
			fail_msg("no \"%s\" in: %s", more, text);
		free(text);
		if (is)
			return;
	}
}

static char *state_of(uint64_t id)
{
	struct jv *v = cl_call(&con, "action/get", "{\"id\":%llu}", (unsigned long long)id);
	struct sv s = jv_get_sv(jv_get(jv_get(v, "result"), "row"), "state");
	char *text = xasprintf("%.*s", SVFMT(s));

	jv_free(&v);
	return text;
}

static void expect_state(uint64_t id, const char *want)
{
	char *s = state_of(id);

	assert_string_equal(s, want);
	free(s);
}

static void expect_outcome(uint64_t rpc, const char *want)
{
	struct jv *v = cl_response(&rt, rpc);

	assert_non_null(v);
	if (!sv_eqs(jv_get_sv(jv_get(v, "result"), "outcome"), want))
		fail_msg("not %s: %s", want, jv_text(v));
	jv_free(&v);
}

/* Nothing can be written, in this way, and then again. */
static void unwritable(int error, const char *word, const char *says)
{
	struct jv *v;
	struct shown s;
	uint64_t rpc, id;
	char spec[64];

	begin();
	rpc = ask("Bash");
	id = wait_ready(&con);
	look(&con, id, &s);
	see_all(&con, &s);
	/* Answered after its commit, and so after that of all before it. */
	expect_outcome(ask("No"), "denied");
	snprintf(spec, sizeof spec, "fail:commit.before:%d", error);
	points(spec);
	/* Approving is a clear error, and the action waits on. */
	v = decide(&con, &s, "approve", "");
	assert_string_equal(error_word(v), "store");
	{
		struct sv why = jv_get_sv(jv_get(jv_get(v, "error"), "data"), "why");
		char *text = xasprintf("%.*s", SVFMT(why));

		if (strstr(text, says) == NULL)
			fail_msg("why: %s", text);
		free(text);
	}
	jv_free(&v);
	await_store(word, says);
	expect_state(id, "pending");
	advance(&con, 5000);
	expect_state(id, "pending");
	/* So is denying it; what is new is denied, as it cannot be recorded. */
	v = decide(&con, &s, "deny", "");
	assert_string_equal(error_word(v), "store");
	jv_free(&v);
	expect_state(id, "pending");
	expect_outcome(ask("Bash"), "denied");
	expect_outcome(ask("No"), "denied");
	/* It mends itself, and then the person's word counts. */
	points("");
	await_store("ok", "");
	v = decide(&con, &s, "approve", "");
	assert_string_equal(error_word(v), "");
	jv_free(&v);
	advance(&con, 700);
	expect_outcome(rpc, "approved");
	expect_outcome(ask("No"), "denied");
	jv_free(&s.root);
	end();
}

static void test_full(void **state)
{
	(void)state;
	unwritable(ENOSPC, "full", "no space left");
}

static void test_failing(void **state)
{
	(void)state;
	unwritable(EIO, "error", "cannot be written");
}

/* Full between the decision and its outcome: it waits again, and is not lost. */
static void test_full_in_hold(void **state)
{
	struct shown s;
	struct jv *v;
	uint64_t rpc, id;
	char spec[64];

	(void)state;
	begin();
	rpc = ask("Bash");
	id = wait_ready(&con);
	look(&con, id, &s);
	see_all(&con, &s);
	v = decide(&con, &s, "approve", "");
	assert_string_equal(error_word(v), "");
	jv_free(&v);
	snprintf(spec, sizeof spec, "fail:commit.before:%d", ENOSPC);
	points(spec);
	advance(&con, 700);
	await_store("full", "no space left");
	for (;;) {
		char *st = state_of(id);
		bool back = strcmp(st, "pending") == 0;

		free(st);
		if (back)
			break;
	}
	points("");
	await_store("ok", "");
	v = decide(&con, &s, "approve", "");
	assert_string_equal(error_word(v), "");
	jv_free(&v);
	advance(&con, 700);
	expect_outcome(rpc, "approved");
	jv_free(&s.root);
	end();
}

/* ---- somebody else's lock ---- */

static pid_t locker(int *go)
{
	int up[2], down[2];
	char c = 0, p[300];
	pid_t pid;

	assert_int_equal(pipe(up), 0);
	assert_int_equal(pipe(down), 0);
	snprintf(p, sizeof p, "%s/record.db", r.state);
	pid = fork();
	if (pid == 0) {
		sqlite3 *h = NULL;

		close(down[1]);
		/* The hub may be committing just now. */
		if (sqlite3_open(p, &h) != SQLITE_OK ||
		    sqlite3_busy_timeout(h, 30000) != SQLITE_OK ||
		    sqlite3_exec(h, "BEGIN EXCLUSIVE", NULL, NULL, NULL) != SQLITE_OK ||
		    write(up[1], "x", 1) != 1 || read(down[0], &c, 1) < 0)
			_exit(1);
		_exit(0);
	}
	close(down[0]);
	close(up[1]);
	assert_int_equal(read(up[0], &c, 1), 1);
	close(up[0]);
	*go = down[1];
	return pid;
}

static void test_foreign_lock(void **state)
{
	struct shown s;
	struct jv *v;
	uint64_t rpc, id, call;
	char who[32];
	pid_t pid;
	int go, st;

	(void)state;
	begin();
	rpc = ask("Bash");
	id = wait_ready(&con);
	look(&con, id, &s);
	see_all(&con, &s);
	pid = locker(&go);
	snprintf(who, sizeof who, "(pid %ld)", (long)pid);
	call = cl_request(&con, "action/decide", "{\"id\":%llu,\"action_digest\":\"%s\","
		"\"doc_digest\":\"%s\",\"outcome\":\"approve\"}", (unsigned long long)id,
		s.act, s.doc);
	/* It waits, says for whom, and nothing is released meanwhile. */
	await_store("busy", who);
	advance(&con, 60000);
	expect_state(id, "releasing");
	v = cl_call(&con, "hub/status", "{}");
	assert_true(sv_eqs(jv_get_sv(jv_get(v, "result"), "store"), "failing"));
	jv_free(&v);
	close(go);
	assert_int_equal(waitpid(pid, &st, 0), pid);
	v = cl_response(&con, call);
	assert_string_equal(error_word(v), "");
	jv_free(&v);
	await_store("ok", "");
	advance(&con, 700);
	expect_outcome(rpc, "approved");
	jv_free(&s.root);
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_failing),
		cmocka_unit_test(test_full_in_hold),
		cmocka_unit_test(test_foreign_lock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
