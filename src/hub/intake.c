/*
 * intake.c - a scanned message becomes a request, an observation or a
 * refusal; a key that was seen before attaches, supersedes or is answered
 * again.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/testpoint.h"
#include "hub/facts_json.h"
#include "hub/observe.h"
#include "hub/req.h"
#include "hub/sessions.h"
#include "proto/jsonrpc.h"

/* No runtime waits longer; keeps sums of times from overflowing. */
#define DEADLINE_MAX_MS (UINT64_C(366) * 24 * 3600 * 1000)

void intake_refuse(struct scan *s, const char *code, const char *text)
{
	struct conn *c = conn_find(s->hub, s->conn);

	if (c == NULL)
		return;
	refuse_record(s->hub, c->channel, c, code, text, scan_digest(s));
	if (c->ops == &gate_ops)
		gate_refuse(c, code, text);
	else
		native_refuse(c, sv_of(s->rpc_id), RPC_APP, code, text);
}

void intake_scanned(struct scan *s, const struct err *e)
{
	if (e != NULL) {
		intake_refuse(s, e->code, e->text);
		scan_free(s);
		return;
	}
	intake_event(s);
}

/* ---- a new request ---- */

static void intake_received(void *arg, bool failed)
{
	struct req *r = arg;
	static const struct by hub = { .kind = BY_HUB };

	if (!failed) {
		r->received_ok = true;
		test_point("received.committed");
	} else if (!r->received_failed) {
		r->received_failed = true;
		if (r->life.state != ST_CLOSED) {
			snprintf(r->reason, sizeof r->reason,
				"the request could not be recorded");
			answer_close(r, OUT_DENIED, &hub);
		}
	}
	req_unref(r);
}

static void intake_put_origin(struct rec *rec, const struct req *r)
{
	const struct origin *o = r->origin;

	rec_add(rec, RF_CHANNEL, sv_of(r->channel->name));
	rec_add_u64(rec, RF_PEER_UID, o->peer.uid);
	rec_add_u64(rec, RF_PEER_PID, (uint64_t)o->peer.pid);
	rec_add_u64(rec, RF_PEER_START, o->peer.start);
	rec_add(rec, RF_EXE, sv_of(r->exe));
	rec_add(rec, RF_DIALECT, sv_of(r->dialect->name));
	rec_add(rec, RF_KEY, (struct sv){ (const char *)o->key, KEY_LEN });
	rec_add(rec, RF_SESSION, o->session);
	rec_add(rec, RF_TURN, o->turn);
	rec_add(rec, RF_CALL, o->call);
	rec_add(rec, RF_SUBAGENT, o->subagent);
	rec_add(rec, RF_TASK, o->task);
}

/* REC_RECEIVED. Not urgent: what must be on disk before an answer is followed
 * by an urgent record of its own, and all before it go with that. */
static void intake_submit(struct req *r, struct scan *s)
{
	struct hub *h = r->hub;
	struct rec *rec = s->rec;

	s->rec = NULL;
	if (rec == NULL) {
		rec = hub_rec(REC_RECEIVED);
		rec_add_body(rec, "raw", r->act->raw);
	}

	intake_put_origin(rec, r);
	rec_add(rec, RF_KIND, sv_of(kind_name(r->act->kind)));
	rec_add(rec, RF_TOOL, r->act->tool);
	rec_add(rec, RF_CWD, r->act->cwd);
	rec_add(rec, RF_TARGET, r->act->target);
	rec_add(rec, RF_TITLE, r->act->title);
	rec_add(rec, RF_EVENT, r->ev.name);
	rec_add_digest(rec, RF_RAW_DIGEST, &r->raw_digest);
	rec_add(rec, RF_SETUP, sv_of(hub_same_user(h) ? "same_user" : "split_user"));
	if (r->life.deadline != 0)
		rec_add_u64(rec, RF_DEADLINE, r->life.deadline);
	rec_add(rec, RF_GRADE, sv_of(grade_name(r)));
	if (r->linked != 0)
		rec_add_u64(rec, RF_LINKED, r->linked);
	test_point("received.submit");
	r->id = hub_submit(h, rec, false, intake_received, req_ref(r));
}

static void intake_deadline(struct req *r, uint64_t ms_left)
{
	uint64_t now = clock_boot_ms(), at = 0;

	if (ms_left > 0)
		r->peer_deadline = now + (ms_left < DEADLINE_MAX_MS ? ms_left :
			DEADLINE_MAX_MS);
	at = r->peer_deadline;
	if (r->hub->limits.owner_ms > 0 &&
	    (at == 0 || now + r->hub->limits.owner_ms < at))
		at = now + r->hub->limits.owner_ms;
	life_init(&r->life, now, at);
	r->warn_at = at != 0 ? now + (at - now) / 100 * WARN_PERCENT : 0;
}

/* Takes the event's action and the scan's strings. */
static struct req *intake_make(struct scan *s, struct event *ev, struct conn *c)
{
	struct req *r = req_new(s->hub);

	r->ev = *ev;
	*ev = (struct event){ 0 };
	r->act = r->ev.action;
	r->channel = c->channel;
	r->dialect = s->dialect;
	r->conn = c->serial;
	r->linked = s->linked;
	r->rpc_id = s->rpc_id;
	r->opt_allow = s->opt_allow;
	r->opt_reject = s->opt_reject;
	s->rpc_id = s->opt_allow = s->opt_reject = NULL;
	r->raw_digest = *scan_digest(s);
	snprintf(r->exe, sizeof r->exe, "%s", c->exe);
	if (r->origin->session.n > 0) {
		r->session = session_get(s->hub, c->channel, r->origin->session);
		r->session->reqs++;
		if (sv_eqs(sv_of(r->dialect->name), "claude"))
			session_grade(r->session);
	}
	return r;
}

static int intake_charge(struct req *r, struct err *e)
{
	struct hub *h = r->hub;
	uid_t uid = r->origin->peer.uid;

	if (budget_wait(h, r->channel, uid, e) != 0)
		return -1;
	r->waiting_charged = true;
	if (budget_bytes(h, r->channel, uid, r->act->raw.n, e) != 0)
		return -1;
	r->charged = r->act->raw.n;
	return 0;
}

/* The same key and bytes: another connection waits for the same answer. */
static void intake_attach(struct req *r, struct scan *s, struct conn *c)
{
	struct conn *old = req_conn(r);
	struct rec *rec = hub_rec(REC_REATTACHED);
	bool restart = r->life.state == ST_ORPHANED ||
		(!r->assessed && r->life.state == ST_RECEIVED && r->busy == 0);

	if (old != NULL && old->ops == &native_ops)
		native_refuse(old, sv_of(r->rpc_id), RPC_APP, "replaced",
			"the same key was submitted again; that one is answered");
	r->conn = c->serial;
	if (old != NULL && old != c && old->ops == &gate_ops)
		conn_close(old, false);
	free(r->rpc_id);
	r->rpc_id = s->rpc_id;
	s->rpc_id = NULL;
	r->origin->peer = c->peer;
	rec_add_u64(rec, RF_ACTION, r->id);
	rec_add_u64(rec, RF_PEER_UID, c->peer.uid);
	rec_add_u64(rec, RF_PEER_PID, (uint64_t)c->peer.pid);
	hub_submit(r->hub, rec, true, NULL, NULL);
	if (r->life.state == ST_ORPHANED) {
		intake_deadline(r, s->ms_left);
		life_orphan(&r->life, clock_boot_ms());
		life_reattach(&r->life);
	}
	if (restart)
		assess_start(r);
	rows_changed(r);
}

/* A key that has its outcome: the same again, once, if it never arrived. */
static void intake_again(struct scan *s, struct event *ev, struct conn *c,
	const struct done_entry *d)
{
	struct req *r;

	if (d->delivered || !digest_eq(scan_digest(s), &d->raw) ||
	    clock_real_ms() - d->at_real > REDELIVER_MS) {
		intake_refuse(s, "already_answered",
			"this request was answered already; make a new one");
		return;
	}
	r = intake_make(s, ev, c);
	r->id = d->id;
	r->reanswer = true;
	r->ev_digest = d->ev;
	r->by = d->by;
	snprintf(r->verdict.rule, sizeof r->verdict.rule, "%s", d->rule);
	snprintf(r->reason, sizeof r->reason, "%s", d->reason);
	life_init(&r->life, clock_boot_ms(), 0);
	r->life.verb = d->verb;
	life_close(&r->life, d->outcome);
	r->outcome_ok = true;
	req_list(r);
	assess_start(r);
	req_unref(r);
}

static void intake_ask(struct scan *s, struct event *ev, struct conn *c)
{
	static const struct by runtime = { .kind = BY_RUNTIME };
	struct hub *h = s->hub;
	struct req *r, *old = req_by_key(h, c->channel, c->peer.uid, ev->origin.key);
	struct done_entry *d;
	struct err e = ERR_INIT;

	if (old != NULL && s->linked == 0) {
		if (digest_eq(scan_digest(s), &old->raw_digest)) {
			intake_attach(old, s, c);
			return;
		}
		s->linked = old->id;
		s->before = docwork_before(old);
		answer_close(old, OUT_SUPERSEDED, &runtime);
	} else if (s->linked == 0) {
		d = done_find(h, c->channel->name, c->peer.uid, ev->origin.key);
		if (d != NULL) {
			intake_again(s, ev, c, d);
			return;
		}
	}
	r = intake_make(s, ev, c);
	if (intake_charge(r, &e) != 0) {
		s->rpc_id = r->rpc_id;
		r->rpc_id = NULL;
		intake_refuse(s, e.code, e.text);
		req_unref(r);
		return;
	}
	r->before = s->before;
	s->before = NULL;
	intake_deadline(r, s->ms_left);
	req_list(r);
	intake_submit(r, s);
	old = s->linked != 0 ? req_find(h, s->linked) : NULL;
	if (old != NULL)
		old->followed = r->id;
	if (r->session != NULL)
		session_call(r->session, r->origin->call);
	if (r->life.state != ST_CLOSED)
		assess_start(r);
	req_unref(r);
}

static struct sv intake_label(struct event *ev, struct sv own, struct sv hello)
{
	return own.n > 0 || hello.n == 0 ? own : arena_sv(ev->arena, hello);
}

static void intake_labels(struct scan *s, struct conn *c)
{
	struct event *ev = &s->ev;
	struct origin *o = &ev->origin;

	if (s->have_key)
		memcpy(o->key, s->key, KEY_LEN);
	o->channel = sv_of(c->channel->name);
	o->peer = c->peer;
	o->session = intake_label(ev, o->session, s->hello.session);
	o->task = intake_label(ev, o->task, s->hello.task);
	o->agent_name = intake_label(ev, o->agent_name, s->hello.agent_name);
	o->agent_version = intake_label(ev, o->agent_version, s->hello.agent_version);
	o->session_title = intake_label(ev, o->session_title, s->hello.session_title);
	if (ev->action != NULL && ev->action->cwd.n == 0)
		ev->action->cwd = arena_sv(ev->action->arena, s->hello_cwd);
}

/* Takes s. */
void intake_decoded(struct scan *s)
{
	struct conn *c = conn_find(s->hub, s->conn);

	if (c == NULL || c->finishing || s->hub->draining) {
		scan_free(s);
		return;
	}
	if (s->failed) {
		intake_refuse(s, s->why.code, s->why.text);
		scan_free(s);
		return;
	}
	intake_labels(s, c);
	if (s->ev.type == EVENT_ASK && s->decide)
		intake_ask(s, &s->ev, c);
	else
		observe_event(s, &s->ev, c);
	scan_free(s);
}

/* The file changed between showing and release: the same message once more,
 * from the start, as a new action that follows r. */
void intake_follow(struct req *r, uint64_t conn)
{
	struct conn *c = conn_find(r->hub, conn);
	uint64_t now = clock_boot_ms();
	struct scan *s;

	if (c == NULL)
		return;
	s = scan_new(r->hub, c, xmemdup0(r->act->raw.p, r->act->raw.n), r->act->raw.n);
	s->done = intake_scanned;
	s->dialect = r->dialect;
	s->decide = true;
	s->have_key = true;
	memcpy(s->key, r->origin->key, KEY_LEN);
	s->linked = r->id;
	s->before = docwork_before(r);
	if (r->peer_deadline > now)
		s->ms_left = r->peer_deadline - now;
	s->rpc_id = r->rpc_id;
	s->opt_allow = r->opt_allow;
	s->opt_reject = r->opt_reject;
	r->rpc_id = r->opt_allow = r->opt_reject = NULL;
	s->follows = req_ref(r);
	s->hello = *r->origin;
	s->hello_cwd = r->act->cwd;
	scan_start(s);
}
