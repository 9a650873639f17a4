/*
 * test_hub_life.c - the life of an action: hold and take back, two people at
 * once, expiry, withdrawal, change, drain, and coming back after a restart.
 */
#include "tests/check.h"

#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/hub/rig.h"

#define KEY(n) "111111111111111111111111111111" n

struct scene {
	struct rig r;
	struct cl con, rt;
};

static void scene_open(struct scene *s)
{
	rig_start(&s->r);
	rig_hub(&s->r, NULL);
	console_open(&s->con, &s->r, "one");
	native_open_rig(&s->rt, &s->r, "s1");
}

static void scene_close(struct scene *s)
{
	cl_close(&s->rt);
	cl_close(&s->con);
	rig_term(&s->r);
	rig_end(&s->r);
}

static uint64_t ask(struct cl *rt, const char *key, const char *command, unsigned ms)
{
	return cl_request(rt, "approval/request", "{\"key\":\"%s\",\"kind\":\"command\","
		"\"tool\":\"Bash\",\"action\":{\"command\":\"%s\",\"cwd\":\"/\"},"
		"\"deadline\":{\"ms\":%u,\"then\":\"deny\"}}", key, command, ms);
}

static void expect_outcome(struct cl *rt, uint64_t rpc, const char *outcome,
	const char *by)
{
	struct jv *v = cl_response(rt, rpc), *res;
	char *got;

	assert_non_null(v);
	assert_string_equal(error_word(v), "");
	res = jv_get(v, "result");
	got = xasprintf("%.*s by %.*s", SVFMT(jv_get_sv(res, "outcome")),
		SVFMT(jv_get_sv(jv_get(res, "by"), "kind")));
	jv_free(&v);
	v = jv_strv(sv_of(got));
	free(got);
	got = xasprintf("%s by %s", outcome, by);
	assert_true(sv_eqs(jv_sv(v), got));
	free(got);
	jv_free(&v);
}

static void expect_closed(struct cl *con, uint64_t id, const char *outcome)
{
	struct jv *v = cl_note(con, "queue/closed"), *row;

	assert_non_null(v);
	row = jv_get(jv_get(v, "params"), "row");
	assert_int_equal(jv_get_i(row, "id", 0), id);
	assert_true(sv_eqs(jv_get_sv(row, "outcome"), outcome));
	jv_free(&v);
}

static void expect_word(struct jv *v, const char *word)
{
	assert_string_equal(error_word(v), word);
	jv_free(&v);
}

static void test_take_back(void **state)
{
	struct scene s;
	struct shown x;
	uint64_t id, rpc;

	(void)state;
	scene_open(&s);
	rpc = ask(&s.rt, KEY("01"), "rm a", 0);
	id = wait_ready(&s.con);
	look(&s.con, id, &x);
	see_all(&s.con, &x);
	expect_word(decide(&s.con, &x, "approve", ""), "");
	advance(&s.con, 500);
	expect_word(cl_call(&s.con, "action/take_back", "{\"id\":%llu}",
		(unsigned long long)id), "");
	advance(&s.con, 5000);
	/* Still pending: a second decision is possible, and is the one. */
	expect_word(decide(&s.con, &x, "approve", ""), "");
	/* A denial by anyone during the hold of an approval wins at once. */
	expect_word(decide(&s.con, &x, "deny", ""), "");
	advance(&s.con, 700);
	expect_word(decide(&s.con, &x, "approve", ""), "already");
	advance(&s.con, 1300);
	expect_outcome(&s.rt, rpc, "denied", "human");
	expect_word(cl_call(&s.con, "action/take_back", "{\"id\":%llu}",
		(unsigned long long)id), "already");
	jv_free(&x.root);
	scene_close(&s);
}

static void test_expiry_and_withdrawal(void **state)
{
	struct scene s;
	struct shown x;
	struct jv *v;
	uint64_t id, rpc;

	(void)state;
	scene_open(&s);
	rpc = ask(&s.rt, KEY("02"), "rm b", 10000);
	id = wait_ready(&s.con);
	look(&s.con, id, &x);
	see_all(&s.con, &x);
	advance(&s.con, 9500);
	expect_word(decide(&s.con, &x, "approve", ""), "");
	/* The time ends within the hold: expired, never approved. */
	advance(&s.con, 500);
	expect_closed(&s.con, id, "expired");
	expect_outcome(&s.rt, rpc, "expired", "clock");
	expect_word(decide(&s.con, &x, "approve", ""), "expired");
	jv_free(&x.root);
	/* Withdrawn by the runtime, within a hold too. */
	rpc = ask(&s.rt, KEY("03"), "rm c", 0);
	id = wait_ready(&s.con);
	look(&s.con, id, &x);
	see_all(&s.con, &x);
	expect_word(decide(&s.con, &x, "approve", ""), "");
	v = cl_call(&s.rt, "approval/withdraw", "{\"key\":\"" KEY("03") "\"}");
	expect_word(v, "");
	expect_closed(&s.con, id, "withdrawn");
	expect_outcome(&s.rt, rpc, "withdrawn", "runtime");
	advance(&s.con, 700);
	expect_word(decide(&s.con, &x, "deny", ""), "already");
	jv_free(&x.root);
	/* Withdrawn by going away. */
	ask(&s.rt, KEY("04"), "rm d", 0);
	id = wait_ready(&s.con);
	cl_close(&s.rt);
	expect_closed(&s.con, id, "withdrawn");
	scene_close(&s);
}

static void test_same_key(void **state)
{
	struct scene s;
	uint64_t id, second, rpc, rpc2;
	struct shown x;
	struct cl other;

	(void)state;
	scene_open(&s);
	rpc = ask(&s.rt, KEY("05"), "rm e", 0);
	id = wait_ready(&s.con);
	/* Other bytes under the same key: a new action, the first is closed. */
	rpc2 = ask(&s.rt, KEY("05"), "rm f", 0);
	expect_closed(&s.con, id, "superseded");
	expect_outcome(&s.rt, rpc, "superseded", "runtime");
	second = wait_ready(&s.con);
	assert_true(second > id);
	/* The same bytes from another connection: the same action. */
	native_open_rig(&other, &s.r, "s1");
	other.next = rpc2;
	assert_int_equal(ask(&other, KEY("05"), "rm f", 0), rpc2);
	expect_word(cl_response(&s.rt, rpc2), "replaced");
	look(&s.con, second, &x);
	expect_word(decide(&s.con, &x, "deny", ""), "");
	advance(&s.con, 2000);
	expect_outcome(&other, rpc2, "denied", "human");
	jv_free(&x.root);
	/* After the answer has arrived: not once more. */
	other.next = rpc2;
	assert_int_equal(ask(&other, KEY("05"), "rm f", 0), rpc2);
	expect_word(cl_response(&other, rpc2), "already_answered");
	cl_close(&other);
	scene_close(&s);
}

/* Told whose decision stands. */
static void expect_already(struct jv *v, const char *winner)
{
	const struct jv *data = jv_get(jv_get(v, "error"), "data");

	assert_string_equal(error_word(v), "already");
	assert_true(sv_eqs(jv_get_sv(data, "outcome"), "approved"));
	assert_true(sv_eqs(jv_get_sv(jv_get(data, "by"), "console"), winner));
}

/* Two people press at the same moment, a thousand times: one outcome, and the
 * other one is told whose. */
static void test_two_consoles(void **state)
{
	struct scene s;
	struct cl two;
	char key[40];
	unsigned won_one = 0, won_two = 0;

	(void)state;
	scene_open(&s);
	console_open(&two, &s.r, "two");
	for (unsigned i = 0; i < 1000; i++) {
		struct shown x;
		uint64_t id, rpc, a, b;
		struct jv *va, *vb;
		bool first;

		snprintf(key, sizeof key, "%032x", i + 1000);
		rpc = ask(&s.rt, key, "rm x", 0);
		id = wait_ready(&s.con);
		look(&s.con, id, &x);
		see_all(&s.con, &x);
		first = i % 2 == 0;
		for (int k = 0; k < 2; k++) {
			struct cl *c = (k == 0) == first ? &s.con : &two;
			uint64_t q = cl_request(c, "action/decide", "{\"id\":%llu,"
				"\"action_digest\":\"%s\",\"doc_digest\":\"%s\","
				"\"outcome\":\"approve\"}", (unsigned long long)id,
				x.act, x.doc);

			*(c == &two ? &b : &a) = q;
		}
		va = cl_response(&s.con, a);
		vb = cl_response(&two, b);
		assert_true((jv_get(va, "result") != NULL) !=
			(jv_get(vb, "result") != NULL));
		won_one += jv_get(va, "result") != NULL;
		won_two += jv_get(vb, "result") != NULL;
		expect_already(jv_get(va, "result") != NULL ? vb : va,
			jv_get(va, "result") != NULL ? "one" : "two");
		jv_free(&va);
		jv_free(&vb);
		advance(&s.con, 700);
		expect_outcome(&s.rt, rpc, "approved", "human");
		expect_closed(&s.con, id, "approved");
		jv_free(&x.root);
	}
	assert_int_equal(won_one + won_two, 1000);
	assert_true(won_one > 0 && won_two > 0);
	cl_close(&two);
	cl_close(&s.rt);
	cl_close(&s.con);
	rig_term(&s.r);
	/* On record: as many decisions as outcomes, none of them twice. */
	assert_int_equal(rig_records(&s.r, REC_DECIDED, RF_VERB, "approve"), 1000);
	assert_int_equal(rig_records(&s.r, REC_OUTCOME, RF_OUTCOME, "approved"), 1000);
	assert_int_equal(rig_records(&s.r, REC_OUTCOME, RF_BY_KIND, "human"), 1000);
	rig_end(&s.r);
}

static void see(struct scene *s, const struct shown *x, unsigned from, unsigned to,
	int unseen)
{
	struct jv *v = cl_call(&s->con, "action/seen", "{\"id\":%llu,\"doc_digest\":\"%s\","
		"\"ranges\":[[%u,%u]],\"cols\":80,\"rows\":24,\"ms\":700}",
		(unsigned long long)x->id, x->doc, from, to);

	assert_string_equal(error_word(v), "");
	assert_int_equal(jv_get_i(jv_get(v, "result"), "unseen", -1), unseen);
	jv_free(&v);
}

/* Half of it read, then the hub is killed. The console says to the next one
 * what it had drawn, reads the rest, and may approve: the document is the same
 * byte for byte. */
static void test_read_on(void **state)
{
	static const uint8_t key[16] = { 12 };
	static const char hook[] = "{\"session_id\":\"z\",\"cwd\":\"/\","
		"\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\","
		"\"tool_input\":{\"command\":\"rm a\\nrm b\\nrm c\\nrm d\"},"
		"\"tool_use_id\":\"c1\"}";
	struct gate_answer a;
	struct scene s;
	struct shown x, y;
	struct jv *v;
	unsigned half;
	int fd;

	(void)state;
	scene_open(&s);
	fd = gate_connect(&s.r, "claude", 1, key, 0, hook);
	gate_live(fd);
	look(&s.con, wait_ready(&s.con), &x);
	assert_true(x.lines >= 4);
	half = x.lines / 2;
	see(&s, &x, 0, half, (int)(x.lines - half));
	kill(s.r.hub, SIGKILL);
	assert_int_equal(rig_wait(&s.r), 128 + SIGKILL);
	gate_serve(fd, &a);
	assert_int_equal(a.verdict, 0);
	cl_close(&s.rt);
	cl_close(&s.con);
	rig_hub(&s.r, NULL);
	console_open(&s.con, &s.r, "one");
	fd = gate_connect(&s.r, "claude", 1, key, 0, hook);
	gate_live(fd);
	for (bool ready = false; !ready;) {
		v = cl_note(&s.con, "queue/changed");
		assert_non_null(v);
		ready = jv_get_b(jv_get(jv_get(v, "params"), "row"), "ready", false);
		jv_free(&v);
	}
	look(&s.con, x.id, &y);
	assert_string_equal(y.doc, x.doc);
	assert_int_equal(jv_len(jv_get(y.get, "seen")), 0);
	see(&s, &x, 0, half, (int)(x.lines - half));
	expect_word(decide(&s.con, &x, "approve", ""), "not_seen");
	see(&s, &x, half, x.lines, 0);
	expect_word(decide(&s.con, &x, "approve", ""), "");
	advance(&s.con, 700);
	gate_serve(fd, &a);
	assert_int_equal(a.verdict, 1);
	jv_free(&x.root);
	jv_free(&y.root);
	s.rt.fd = -1;
	cl_close(&s.con);
	rig_term(&s.r);
	rig_end(&s.r);
}

/* A hub that is told to stop closes what waits without a verdict; the next
 * one takes it up again where it was. */
static void test_restart(void **state)
{
	static const uint8_t key[16] = { 9 };
	static const char hook[] = "{\"session_id\":\"z\",\"cwd\":\"/\","
		"\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\","
		"\"tool_input\":{\"command\":\"rm -rf y\"},\"tool_use_id\":\"c1\"}";
	struct gate_answer a;
	struct scene s;
	struct shown x;
	struct jv *v, *rows;
	uint64_t id;
	int fd;

	(void)state;
	scene_open(&s);
	fd = gate_connect(&s.r, "claude", 1, key, 0, hook);
	gate_live(fd);
	id = wait_ready(&s.con);
	look(&s.con, id, &x);
	see_all(&s.con, &x);
	expect_word(decide(&s.con, &x, "approve", ""), "");
	rig_term(&s.r);              /* within the hold */
	gate_serve(fd, &a);
	assert_int_equal(a.verdict, 0);
	cl_close(&s.rt);
	cl_close(&s.con);
	jv_free(&x.root);
	rig_hub(&s.r, NULL);
	cl_open(&s.con, s.r.console);
	v = cl_call(&s.con, "hello", "{\"protocol\":1}");
	jv_free(&v);
	v = cl_call(&s.con, "queue/subscribe", "{}");
	rows = jv_get(jv_get(v, "result"), "rows");
	assert_int_equal(jv_len(rows), 1);
	assert_int_equal(jv_get_i(jv_at(rows, 0), "id", 0), id);
	assert_true(sv_eqs(jv_get_sv(jv_at(rows, 0), "state"), "orphaned"));
	jv_free(&v);
	expect_word(cl_call(&s.con, "action/decide", "{\"id\":%llu,"
		"\"outcome\":\"deny\"}", (unsigned long long)id), "not_pending");
	fd = gate_connect(&s.r, "claude", 1, key, 0, hook);
	gate_live(fd);
	for (bool ready = false; !ready;) {
		v = cl_note(&s.con, "queue/changed");
		assert_non_null(v);
		ready = jv_get_b(jv_get(jv_get(v, "params"), "row"), "ready", false);
		jv_free(&v);
	}
	look(&s.con, id, &x);        /* the same number */
	see_all(&s.con, &x);
	expect_word(decide(&s.con, &x, "approve", ""), "");
	advance(&s.con, 700);
	gate_serve(fd, &a);
	assert_int_equal(a.verdict, 1);
	jv_free(&x.root);
	/* And one that nobody comes back for is lost. */
	fd = gate_connect(&s.r, "claude", 1, (const uint8_t[16]){ 10 }, 0, hook);
	gate_live(fd);
	wait_ready(&s.con);
	cl_close(&s.con);
	rig_term(&s.r);
	close(fd);
	gate_live(-1);
	rig_hub(&s.r, NULL);
	console_open(&s.con, &s.r, "one");
	advance(&s.con, 60000);
	v = cl_note(&s.con, "queue/closed");
	assert_true(sv_eqs(jv_get_sv(jv_get(jv_get(v, "params"), "row"), "outcome"),
		"lost"));
	jv_free(&v);
	s.rt.fd = -1;
	cl_close(&s.con);
	rig_term(&s.r);
	rig_end(&s.r);
}

/* hub/drain with deny answers everything first. */
static void test_drain_deny(void **state)
{
	struct scene s;
	uint64_t rpc;

	(void)state;
	scene_open(&s);
	rpc = ask(&s.rt, KEY("07"), "rm g", 0);
	wait_ready(&s.con);
	cl_request(&s.con, "hub/drain", "{\"deny\":true}");
	expect_outcome(&s.rt, rpc, "denied", "hub");
	cl_close(&s.rt);
	assert_int_equal(rig_wait(&s.r), 0);
	cl_close(&s.con);
	rig_end(&s.r);
}

/* One console that never reads does not hold up another. */
static void test_deaf_console(void **state)
{
	struct scene s;
	struct cl deaf;
	char key[40];
	int small = 4096;

	(void)state;
	scene_open(&s);
	console_open(&deaf, &s.r, "deaf");
	setsockopt(deaf.fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
	for (unsigned i = 0; i < 300; i++) {
		struct shown x;
		uint64_t id, rpc;

		snprintf(key, sizeof key, "%032x", i + 5000);
		rpc = ask(&s.rt, key, "rm x", 0);
		id = wait_ready(&s.con);
		look(&s.con, id, &x);
		expect_word(decide(&s.con, &x, "deny", ""), "");
		advance(&s.con, 2000);
		expect_outcome(&s.rt, rpc, "denied", "human");
		jv_free(&x.root);
	}
	cl_close(&deaf);
	scene_close(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_take_back),
		cmocka_unit_test(test_expiry_and_withdrawal),
		cmocka_unit_test(test_same_key),
		cmocka_unit_test(test_two_consoles),
		cmocka_unit_test(test_read_on),
		cmocka_unit_test(test_restart),
		cmocka_unit_test(test_drain_deny),
		cmocka_unit_test(test_deaf_console),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
