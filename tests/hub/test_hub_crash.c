/*
 * test_hub_crash.c - kill -9 of the hub at every named point between the
 * first byte and the noted delivery. Whatever happens: no answer without its
 * record, nothing is answered twice, and after a restart the outcome is right
 * or the action waits again.
 */
#include "tests/check.h"

#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "store/store.h"
#include "tests/hub/rig.h"

static const uint8_t key[16] = { 0x77, 1 };

/* What the record says of the one action. */
struct told {
	unsigned received, outcomes, delivered, undelivered;
	uint64_t id;
	char outcome[32];
};

static bool tell(void *arg, const struct rec_view *v)
{
	struct told *t = arg;

	switch (v->type) {
	case REC_RECEIVED:
		t->received++;
		t->id = v->seq;
		break;
	case REC_OUTCOME:
		t->outcomes++;
		snprintf(t->outcome, sizeof t->outcome, "%.*s",
			SVFMT(rec_view_get(v, RF_OUTCOME)));
		break;
	case REC_DELIVERY:
		if (sv_eqs(rec_view_get(v, RF_DELIVERY), "delivered"))
			t->delivered++;
		else
			t->undelivered++;
		break;
	default:
		break;
	}
	return true;
}

static void read_record(const struct rig *r, struct told *t)
{
	struct err e = ERR_INIT;
	struct reader *rd = reader_open(r->state, &e);
	uint64_t n, bad;

	memset(t, 0, sizeof *t);
	if (rd == NULL)
		fail_msg("%s", e.text);
	assert_int_equal(reader_each(rd, 0, tell, t, &e), 0);
	assert_int_equal(reader_verify(rd, &n, &bad, &e), 0);
	reader_close(&rd);
}

static char *payload(const struct rig *r)
{
	return xasprintf("{\"session_id\":\"c\",\"cwd\":\"%s\",\"hook_event_name\":"
		"\"PreToolUse\",\"tool_name\":\"Write\",\"tool_input\":{\"file_path\":"
		"\"%s/a.txt\",\"content\":\"new\\n\"},\"tool_use_id\":\"c1\"}",
		r->work, r->work);
}

/* The hub may die under any of these: NULL is no failure here. */
static struct jv *try_call(struct cl *c, const char *method, const char *params)
{
	uint64_t id = cl_request(c, method, "%s", params);

	return cl_response(c, id);
}

static bool wait_pending(struct cl *c, uint64_t *id)
{
	for (;;) {
		struct jv *v = cl_note(c, "queue/changed"), *row;
		bool ready;

		if (v == NULL)
			return false;
		row = jv_get(jv_get(v, "params"), "row");
		ready = jv_get_b(row, "ready", false) &&
			sv_eqs(jv_get_sv(row, "state"), "pending");
		*id = (uint64_t)jv_get_i(row, "id", 0);
		jv_free(&v);
		if (ready)
			return true;
	}
}

/* Draws it, approves it, lets the hold end. False when the hub died. */
static bool approve(struct cl *c, uint64_t id)
{
	char p[512];
	struct jv *v, *g;
	bool ok;

	snprintf(p, sizeof p, "{\"id\":%llu}", (unsigned long long)id);
	v = try_call(c, "action/get", p);
	if (v == NULL)
		return false;
	g = jv_get(v, "result");
	snprintf(p, sizeof p, "{\"id\":%llu,\"doc_digest\":\"%.*s\",\"ranges\":[[0,%lld]]}",
		(unsigned long long)id, SVFMT(jv_get_sv(g, "doc_digest")),
		(long long)jv_get_i(g, "lines", 0));
	{
		struct jv *s = try_call(c, "action/seen", p);

		ok = s != NULL;
		jv_free(&s);
	}
	snprintf(p, sizeof p, "{\"id\":%llu,\"action_digest\":\"%.*s\","
		"\"doc_digest\":\"%.*s\",\"outcome\":\"approve\"}", (unsigned long long)id,
		SVFMT(jv_get_sv(g, "action_digest")), SVFMT(jv_get_sv(g, "doc_digest")));
	jv_free(&v);
	if (!ok)
		return false;
	v = try_call(c, "action/decide", p);
	if (v == NULL)
		return false;
	assert_string_equal(error_word(v), "");
	jv_free(&v);
	v = try_call(c, "test/advance", "{\"ms\":700}");
	ok = v != NULL;
	jv_free(&v);
	return ok;
}

/* The gate has gone away in good order after its answer; wait for the note. */
static void wait_delivery(struct cl *c)
{
	struct jv *v = try_call(c, "test/advance", "{\"ms\":2000}");

	jv_free(&v);
}

static void crash_at(const char *point)
{
	struct gate_answer first = { 0 }, second = { 0 };
	struct told t;
	struct rig r;
	struct cl con;
	char spec[96], *hook;
	uint64_t id = 0;
	int fd;

	rig_start(&r);
	rig_write(&r, "a.txt", "old\n");
	hook = payload(&r);
	snprintf(spec, sizeof spec, "kill:%s%s", point,
		strcmp(point, "accepted") == 0 ? ":3" : "");
	rig_hub(&r, spec);
	console_open(&con, &r, "one");
	fd = gate_connect(&r, "claude", 1, key, 0, hook);
	gate_live(fd);
	if (wait_pending(&con, &id) && approve(&con, id)) {
		gate_serve(fd, &first);
		wait_delivery(&con);
		cl_close(&con);
		if (r.hub > 0)       /* what is noted within a second comes now */
			kill(r.hub, SIGTERM);
	} else {
		gate_serve(fd, &first);
		cl_close(&con);
	}
	assert_int_equal(rig_wait(&r), 128 + SIGKILL);
	read_record(&r, &t);
	assert_true(t.received <= 1 && t.outcomes <= 1);
	/* No answer without its record. */
	if (first.verdict != 0) {
		assert_int_equal(t.outcomes, 1);
		assert_string_equal(t.outcome, "approved");
		assert_int_equal(first.verdict, 1);
	}
	/* The next hub: the gate that had no answer comes back with its key. */
	rig_hub(&r, NULL);
	console_open(&con, &r, "one");
	if (first.verdict == 0) {
		fd = gate_connect(&r, "claude", 1, key, 0, hook);
		gate_live(fd);
		if (t.outcomes == 0) {
			assert_true(wait_pending(&con, &id));
			if (t.received == 1)
				assert_int_equal(id, t.id);  /* the same action */
			assert_true(approve(&con, id));
		}
		gate_serve(fd, &second);
		assert_int_equal(second.verdict, 1);
	}
	cl_close(&con);
	rig_term(&r);
	read_record(&r, &t);
	assert_int_equal(t.outcomes, 1);
	assert_string_equal(t.outcome, "approved");
	free(hook);
	rig_end(&r);
}

#define POINT(fn, name) static void fn(void **state) { (void)state; crash_at(name); }
POINT(at_accepted, "accepted")
POINT(at_scanned, "scanned")
POINT(at_received_submit, "received.submit")
POINT(at_received_committed, "received.committed")
POINT(at_judged, "judged")
POINT(at_evidence_asked, "evidence.asked")
POINT(at_evidence_done, "evidence.done")
POINT(at_policy_done, "policy.done")
POINT(at_doc_done, "doc.done")
POINT(at_pending, "pending")
POINT(at_decide_checked, "decide.checked")
POINT(at_decided_committed, "decided.committed")
POINT(at_hold_over, "hold.over")
POINT(at_reread_done, "reread.done")
POINT(at_outcome_submit, "outcome.submit")
POINT(at_outcome_committed, "outcome.committed")
POINT(at_answer_before, "answer.before")
POINT(at_answer_after, "answer.after")
POINT(at_delivery_submit, "delivery.submit")
POINT(at_delivery_committed, "delivery.committed")
POINT(at_commit_before, "commit.before:3")
POINT(at_commit_after, "commit.after:4")

/* Answered, delivered, and the same key once more: told so, not answered. */
static void not_twice(void **state)
{
	struct gate_answer a;
	struct rig r;
	struct cl con;
	uint64_t id;
	char *hook;
	int fd;

	(void)state;
	rig_start(&r);
	rig_write(&r, "a.txt", "old\n");
	hook = payload(&r);
	rig_hub(&r, NULL);
	console_open(&con, &r, "one");
	fd = gate_connect(&r, "claude", 1, key, 0, hook);
	gate_live(fd);
	assert_true(wait_pending(&con, &id) && approve(&con, id));
	gate_serve(fd, &a);
	assert_int_equal(a.verdict, 1);
	cl_close(&con);
	rig_term(&r);
	rig_hub(&r, NULL);
	fd = gate_connect(&r, "claude", 1, key, 0, hook);
	gate_live(fd);
	gate_serve(fd, &a);
	assert_int_equal(a.verdict, 2);
	assert_non_null(strstr(a.err, "already_answered"));
	rig_term(&r);
	free(hook);
	rig_end(&r);
}

/* An outcome that never arrived is not given for another content. */
static void not_for_another_file(void **state)
{
	struct gate_answer a;
	struct rig r;
	struct cl con;
	uint64_t id;
	char *hook;
	int fd;

	(void)state;
	rig_start(&r);
	rig_write(&r, "a.txt", "old\n");
	hook = payload(&r);
	rig_hub(&r, "kill:outcome.committed");
	console_open(&con, &r, "one");
	fd = gate_connect(&r, "claude", 1, key, 0, hook);
	gate_live(fd);
	assert_true(wait_pending(&con, &id));
	approve(&con, id);
	gate_serve(fd, &a);
	assert_int_equal(a.verdict, 0);
	cl_close(&con);
	assert_int_equal(rig_wait(&r), 128 + SIGKILL);
	rig_write(&r, "a.txt", "other\n");
	rig_hub(&r, NULL);
	fd = gate_connect(&r, "claude", 1, key, 0, hook);
	gate_live(fd);
	gate_serve(fd, &a);
	assert_int_equal(a.verdict, 2);
	rig_term(&r);
	free(hook);
	rig_end(&r);
}

static void points(struct cl *c, const char *spec)
{
	struct jv *v = cl_call(c, "test/points", "{\"points\":\"%s\"}", spec);

	assert_string_equal(error_word(v), "");
	jv_free(&v);
}

/* The disk is full: approving is a clear error, the agent still waits, and
 * when there is room again it goes on by itself. */
static void disk_full(void **state)
{
	struct gate_answer a;
	struct shown s;
	struct rig r;
	struct cl con;
	struct jv *v;
	uint64_t id;
	char *hook;
	int fd;

	(void)state;
	rig_start(&r);
	rig_write(&r, "a.txt", "old\n");
	hook = payload(&r);
	rig_hub(&r, NULL);
	console_open(&con, &r, "one");
	fd = gate_connect(&r, "claude", 1, key, 0, hook);
	gate_live(fd);
	assert_true(wait_pending(&con, &id));
	look(&con, id, &s);
	see_all(&con, &s);
	points(&con, "fail:commit.before:28");
	v = decide(&con, &s, "approve", "");
	assert_string_equal(error_word(v), "store");
	jv_free(&v);
	assert_true(wait_pending(&con, &id));         /* back in the queue */
	jv_free(&s.root);
	points(&con, "");
	advance(&con, 2000);
	for (;;) {                           /* it says so when it can again */
		bool ok;

		v = cl_note(&con, "hub/state");
		assert_non_null(v);
		ok = sv_eqs(jv_get_sv(jv_get(v, "params"), "store"), "ok");
		jv_free(&v);
		if (ok)
			break;
	}
	/* The outcome cannot be written: pending again, and later approved. */
	points(&con, "fail:outcome.submit:28:1");
	assert_true(approve(&con, id));
	assert_true(wait_pending(&con, &id));
	assert_true(approve(&con, id));
	gate_serve(fd, &a);
	assert_int_equal(a.verdict, 1);
	cl_close(&con);
	rig_term(&r);
	free(hook);
	rig_end(&r);
}

#define T(fn) cmocka_unit_test(fn)
int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		T(at_accepted), T(at_scanned), T(at_judged), T(at_received_submit),
		T(at_received_committed), T(at_evidence_asked), T(at_evidence_done),
		T(at_policy_done), T(at_doc_done), T(at_pending), T(at_decide_checked),
		T(at_decided_committed), T(at_hold_over), T(at_reread_done),
		T(at_outcome_submit), T(at_outcome_committed), T(at_answer_before),
		T(at_answer_after), T(at_delivery_submit), T(at_delivery_committed),
		T(at_commit_before), T(at_commit_after), T(not_twice),
		T(not_for_another_file), T(disk_full),
	};

	if (argc > 1)
		cmocka_set_test_filter(argv[1]);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
