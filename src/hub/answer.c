/*
 * answer.c - the end of an action: outcome on record, then the bytes, then
 * what became of them on record.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/testpoint.h"
#include "base/text.h"
#include "hub/req.h"
#include "hub/sessions.h"

static const char *const by_kinds[] = {
	[BY_NOBODY] = "nobody", [BY_HUMAN] = "human", [BY_RULE] = "rule",
	[BY_CLOCK] = "clock", [BY_HUB] = "hub", [BY_RUNTIME] = "runtime",
};

const char *by_kind_name(enum by_kind k)
{
	return by_kinds[k];
}

/* ---- what is said ---- */

int answer_verdict(const struct req *r)
{
	switch (r->life.outcome) {
	case OUT_APPROVED:
		return ANSWER_ALLOW;
	case OUT_PASSED:
		return ANSWER_NO_OPINION;
	default:
		return ANSWER_DENY;
	}
}

static void answer_tell_denied(const struct req *r, struct buf *out)
{
	if (r->by.kind == BY_HUMAN)
		buf_addf(out, "Denied by a person (obstat #%llu)",
			(unsigned long long)r->id);
	else if (r->by.kind == BY_RULE)
		buf_addf(out, "Denied by rule %s", r->verdict.rule);
	else
		buf_addf(out, "Denied by obstat (#%llu)", (unsigned long long)r->id);
	if (r->reason[0] != '\0') {
		buf_adds(out, ": ");
		esc_line(sv_of(r->reason), ESC_PROSE, 0, out, NULL, NULL, NULL);
	} else {
		buf_addc(out, '.');
	}
}

void answer_tell(const struct req *r, struct buf *out)
{
	unsigned long long id = r->id;

	switch (r->life.outcome) {
	case OUT_APPROVED:
		if (r->by.kind == BY_RULE)
			buf_addf(out, "Allowed by rule %s.", r->verdict.rule);
		else
			buf_addf(out, "Approved by a person (obstat #%llu).", id);
		break;
	case OUT_DENIED:
		answer_tell_denied(r, out);
		break;
	case OUT_EXPIRED:
		buf_addf(out, "Nobody answered in time (obstat #%llu), so this was not "
			"approved. Do not try to reach the same another way; tell the "
			"person that it waits for them.", id);
		break;
	case OUT_SUPERSEDED:
		buf_addf(out, "Replaced by a newer request (obstat #%llu).", id);
		break;
	case OUT_PASSED:
		break;
	case OUT_ANSWERED_ELSEWHERE:
		buf_addf(out, "This call has run already, without an answer of obstat "
			"(#%llu).", id);
		break;
	case OUT_REFUSED:
		buf_addf(out, "Refused by obstat (#%llu): this request was answered "
			"already; make a new one.", id);
		break;
	default:
		buf_addf(out, "Not approved (obstat #%llu): %s.", id,
			outcome_name(r->life.outcome));
	}
}

/* ---- delivery ---- */

static void answer_delivered(void *arg, bool failed)
{
	struct req *r = arg;

	if (!failed)
		test_point("delivery.committed");
	req_unref(r);
}

void answer_delivery(struct req *r, bool delivered)
{
	struct rec *rec;
	struct done_entry *d;

	if (r->delivery_noted)
		return;
	r->delivery_noted = true;
	d = done_by_id(r->hub, r->id);
	if (d != NULL && r->life.outcome != OUT_REFUSED)
		d->delivered = delivered;
	rec = hub_rec(REC_DELIVERY);
	rec_add_u64(rec, RF_ACTION, r->id);
	rec_add(rec, RF_DELIVERY, delivered ? SV("delivered") : SV("undelivered"));
	test_point("delivery.submit");
	hub_submit(r->hub, rec, false, answer_delivered, req_ref(r));
	req_retire(r);
}

void answer_send(struct req *r)
{
	struct conn *c = req_conn(r);

	if (r->answered)
		return;
	if (c == NULL) {
		r->answered = true;
		if (r->life.outcome == OUT_WITHDRAWN || r->life.outcome == OUT_LOST ||
		    r->life.outcome == OUT_SUPERSEDED)
			req_retire(r);   /* nobody to tell */
		else
			answer_delivery(r, false);
		return;
	}
	test_point("answer.before");
	r->answered = true;
	if (c->ops == &gate_ops)
		gate_answer(c, r);
	else
		native_answer(c, r);
	test_point("answer.after");
}

/* ---- the outcome ---- */

/* It could not be written. What a person decided waits again; what must be
 * said now is "no", and why. */
static void answer_failed(struct req *r)
{
	hub_note_state(r->hub);
	if (r->by.kind == BY_HUMAN && (r->life.outcome == OUT_APPROVED ||
	    r->life.outcome == OUT_DENIED)) {
		r->life.state = r->ready ? ST_PENDING : ST_RECEIVED;
		r->life.outcome = OUT_NONE;
		r->by = (struct by){ .kind = BY_NOBODY };
		rows_changed(r);
		return;
	}
	if (r->life.outcome == OUT_APPROVED || r->life.outcome == OUT_PASSED) {
		r->life.outcome = OUT_DENIED;
		r->by = (struct by){ .kind = BY_HUB };
		snprintf(r->reason, sizeof r->reason,
			"the decision could not be recorded");
	}
	rows_closed(r);
	answer_send(r);
}

/* Should its call run all the same, it ran past us. */
static bool answer_is_no(enum outcome o)
{
	return o == OUT_DENIED || o == OUT_EXPIRED || o == OUT_WITHDRAWN ||
		o == OUT_REFUSED || o == OUT_LOST;
}

static void answer_closed(struct req *r)
{
	if (r->session != NULL && answer_is_no(r->life.outcome))
		session_denied(r->session, r->origin->call);
	done_from(r);
	rows_closed(r);
	if (!r->answered)
		answer_send(r);
}

static void answer_committed(void *arg, bool failed)
{
	struct req *r = arg;

	if (failed) {
		if (!r->answered)
			answer_failed(r);
	} else {
		r->outcome_ok = true;
		test_point("outcome.committed");
		if (!r->answered)
			answer_closed(r);
	}
	req_unref(r);
}

static struct rec *answer_record(struct req *r)
{
	struct rec *rec = hub_rec(REC_OUTCOME);
	struct buf tell;

	rec_add_u64(rec, RF_ACTION, r->id);
	rec_add(rec, RF_OUTCOME, sv_of(outcome_name(r->life.outcome)));
	if (r->by.kind == BY_HUMAN)
		rec_add(rec, RF_VERB, r->life.verb == VERB_APPROVE ? SV("approve") :
			r->life.verb == VERB_DENY ? SV("deny") : SV("stop"));
	if (r->life.outcome == OUT_ANSWERED_ELSEWHERE)   /* how: it has run */
		rec_add(rec, RF_STATUS, SV("approved"));
	decide_put_by(rec, &r->by);
	rec_add(rec, RF_RULE, sv_of(r->verdict.rule));
	rec_add(rec, RF_REASON, sv_of(r->reason));
	rec_add(rec, RF_WHY, sv_of(r->verdict.why));
	rec_add_digest(rec, RF_RAW_DIGEST, &r->raw_digest);
	if (r->assessed) {
		rec_add_digest(rec, RF_ACTION_DIGEST, &r->act_digest);
		rec_add_digest(rec, RF_EVIDENCE_DIGEST, &r->ev_digest);
		rec_add_digest(rec, RF_RULES_DIGEST, &r->verdict.rules);
		rec_add(rec, RF_REVERSIBILITY, sv_of(reversibility_name(r->facts.rev)));
	}
	if (r->ready)
		rec_add_digest(rec, RF_DOC_DIGEST, &r->doc_digest);
	buf_init(&tell, 8192);
	answer_tell(r, &tell);
	rec_add(rec, RF_TEXT, buf_sv(&tell));
	buf_free(&tell);
	return rec;
}

void answer_outcome(struct req *r, bool batched)
{
	struct rec *rec = answer_record(r);

	if (test_point("outcome.submit") != 0) {
		rec_free(&rec);
		answer_failed(r);
		return;
	}
	/* A read-only pass is not worth a sync of its own: it is answered now
	 * and written with its neighbours (obstat.md, What asks). */
	hub_submit(r->hub, rec, !batched, answer_committed, req_ref(r));
	if (batched)
		answer_closed(r);
}

void answer_close(struct req *r, enum outcome o, const struct by *by)
{
	struct rec *rec;

	if (r->life.state == ST_CLOSED)
		return;
	if (r->life.state == ST_RELEASING) {
		rec = hub_rec(REC_TAKEN_BACK);
		rec_add_u64(rec, RF_ACTION, r->id);
		rec_add(rec, RF_WHY, sv_of(outcome_name(o)));
		decide_put_by(rec, by);
		hub_submit(r->hub, rec, true, NULL, NULL);
	}
	r->gen++;
	r->reread_gen++;
	r->rereading = false;
	life_close(&r->life, o);
	r->by = *by;
	if (o != OUT_DENIED && o != OUT_ANSWERED_ELSEWHERE)
		r->reason[0] = '\0';
	answer_outcome(r, false);
}

/* ---- the peer's end ---- */

static void answer_peer_gone(struct req *r, bool clean)
{
	static const struct by runtime = { .kind = BY_RUNTIME };

	if (r->answered) {
		answer_delivery(r, clean && r->flushed);
		return;
	}
	r->conn = 0;
	if (r->hub->draining)
		return;              /* it comes back to the next hub */
	if (r->life.state != ST_CLOSED)
		answer_close(r, OUT_WITHDRAWN, &runtime);
}

void answer_conn_gone(struct conn *c, bool clean)
{
	for (struct req *r = c->hub->reqs, *next; r != NULL; r = next) {
		next = r->next;
		if (r->conn == c->serial)
			answer_peer_gone(r, clean);
	}
}

void answer_conn_flushed(struct conn *c)
{
	for (struct req *r = c->hub->reqs; r != NULL; r = r->next)
		if (r->conn == c->serial && r->answered)
			r->flushed = true;
}

void answer_conn_heard(struct conn *c)
{
	for (struct req *r = c->hub->reqs, *next; r != NULL; r = next) {
		next = r->next;
		if (r->conn == c->serial && r->answered && r->flushed)
			answer_delivery(r, true);
	}
}
