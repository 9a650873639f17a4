/*
 * observe.c - tool results, session starts and ends, prompts: recorded within
 * a second, answered at once. A result without its request turns the session
 * red.
 */
#include "hub/observe.h"

#include <stdio.h>

#include "base/clock.h"
#include "hub/sessions.h"
#include "proto/jsonrpc.h"

static struct req *observe_find(struct hub *h, struct channel *ch, struct sv session,
	struct sv call)
{
	struct req *lists[2] = { h->reqs, h->closed };

	if (call.n == 0)
		return NULL;
	for (int i = 0; i < 2; i++)
		for (struct req *r = lists[i]; r != NULL; r = r->next)
			if (r->channel == ch && sv_eq(r->origin->call, call) &&
			    sv_eq(r->origin->session, session))
				return r;
	return NULL;
}

static void observe_red(struct session *s, const struct origin *o)
{
	struct rec *rec = hub_rec(REC_PAST_GATE);

	rec_add(rec, RF_CHANNEL, o->channel);
	rec_add(rec, RF_SESSION, o->session);
	rec_add(rec, RF_CALL, o->call);
	rec_add(rec, RF_WHY, sv_of(s->why));
	hub_submit(s->hub, rec, true, NULL, NULL);
	log_warn("agent %s: %s", s->channel->name, s->why);
	rows_session(s);
}

/* A tool ran. What waits for that very call was answered in the runtime's own
 * window; a call that nobody saw before went past us. */
static void observe_ran(struct hub *h, struct event *ev, struct conn *c,
	struct session *s, struct req *r)
{
	static const struct by runtime = { .kind = BY_RUNTIME };

	if (s != NULL && session_ran(s, ev->origin.call))
		observe_red(s, &ev->origin);
	if (s != NULL && ev->what == OBS_RAN_OK &&
	    session_denied_ran(s, ev->origin.call))
		observe_red(s, &ev->origin);
	if (r == NULL || r->life.state == ST_CLOSED)
		return;
	r->life.verb = VERB_APPROVE;
	snprintf(r->reason, sizeof r->reason, "approved elsewhere: it has run, by an "
		"answer in the agent's own window or without one");
	answer_close(r, OUT_ANSWERED_ELSEWHERE, &runtime);
	(void)h;
	(void)c;
}

static void observe_record(struct hub *h, const struct event *ev,
	const struct digest *raw, const struct req *r)
{
	bool ran = ev->what == OBS_RAN_OK || ev->what == OBS_RAN_FAILED;
	struct rec *rec = hub_rec(ran ? REC_RAN : REC_OBSERVED);

	if (r != NULL)
		rec_add_u64(rec, RF_ACTION, r->id);
	rec_add(rec, RF_CHANNEL, ev->origin.channel);
	rec_add_u64(rec, RF_PEER_UID, ev->origin.peer.uid);
	rec_add(rec, RF_DIALECT, ev->origin.dialect);
	rec_add(rec, RF_SESSION, ev->origin.session);
	rec_add(rec, RF_TURN, ev->origin.turn);
	rec_add(rec, RF_CALL, ev->origin.call);
	rec_add(rec, RF_SUBAGENT, ev->origin.subagent);
	rec_add(rec, RF_EVENT, ev->name);
	if (ev->action != NULL) {
		rec_add(rec, RF_KIND, sv_of(kind_name(ev->action->kind)));
		rec_add(rec, RF_TOOL, ev->action->tool);
		rec_add(rec, RF_TARGET, ev->action->target);
	}
	if (ran)
		rec_add(rec, RF_STATUS, ev->what == OBS_RAN_OK ? SV("ok") : SV("failed"));
	rec_add_digest(rec, RF_RAW_DIGEST, raw);
	hub_submit(h, rec, false, NULL, NULL);
}

void observe_event(struct scan *s, struct event *ev, struct conn *c)
{
	struct hub *h = s->hub;
	struct session *sess = NULL;
	struct req *r = NULL;

	if (ev->origin.session.n > 0)
		sess = session_get(h, c->channel, ev->origin.session);
	if (ev->what == OBS_SESSION_START && sess != NULL)
		session_started(sess);
	if (ev->what == OBS_RAN_OK || ev->what == OBS_RAN_FAILED) {
		r = observe_find(h, c->channel, ev->origin.session, ev->origin.call);
		observe_ran(h, ev, c, sess, r);
	}
	observe_record(h, ev, scan_digest(s), r);
	if (c->ops == &gate_ops)
		gate_note(c, s->decide);
	else if (s->rpc_id != NULL)
		native_noted(c, sv_of(s->rpc_id));
}

int observe_result(struct hub *h, struct conn *c, const uint8_t key[KEY_LEN],
	bool ok, struct sv excerpt)
{
	struct done_entry *d = done_find(h, c->channel->name, c->peer.uid, key);
	struct rec *rec;

	if (d == NULL)
		return -1;
	rec = hub_rec(REC_RAN);
	rec_add_u64(rec, RF_ACTION, d->id);
	rec_add(rec, RF_CHANNEL, sv_of(c->channel->name));
	rec_add_u64(rec, RF_PEER_UID, c->peer.uid);
	rec_add(rec, RF_STATUS, ok ? SV("ok") : SV("failed"));
	rec_add(rec, RF_TEXT, excerpt);
	hub_submit(h, rec, false, NULL, NULL);
	return 0;
}
