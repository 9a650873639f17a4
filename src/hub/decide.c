/*
 * decide.c - a person's decision: checked against what was shown and seen,
 * recorded, held, taken back or released.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/testpoint.h"
#include "hub/req.h"

/* ---- who ---- */

void decide_put_by(struct rec *rec, const struct by *by)
{
	rec_add(rec, RF_BY_KIND, sv_of(by_kind_name(by->kind)));
	if (by->kind != BY_HUMAN)
		return;
	rec_add(rec, RF_BY_NAME, sv_of(by->name));
	rec_add_u64(rec, RF_BY_UID, by->uid);
	rec_add(rec, RF_BY_TTY, sv_of(by->tty));
	rec_add_u64(rec, RF_ATTESTED, 0);
}

struct jv *by_json(const struct by *by)
{
	struct jv *o;

	if (by->kind == BY_NOBODY)
		return jv_null();
	o = jv_obj();
	jv_put_s(o, "kind", by_kind_name(by->kind));
	if (by->kind == BY_HUMAN) {
		jv_put_s(o, "name", by->name);
		jv_put_i(o, "uid", by->uid);
		jv_put_s(o, "console", by->console);
	}
	return o;
}

/* ---- checks ---- */

static int decide_already(const struct req *r, struct jv **data, struct err *e)
{
	bool closed = r->life.state == ST_CLOSED;

	if (r->life.outcome == OUT_EXPIRED)
		return err_set(e, "expired", "nobody answered in time");
	*data = jv_obj();
	jv_put(*data, "by", by_json(&r->by));
	jv_put_s(*data, "outcome", closed ? outcome_name(r->life.outcome) :
		r->life.verb == VERB_APPROVE ? "approved" : "denied");
	return err_set(e, "already", "decided already");
}

static struct jv *decide_gaps(const struct req *r, uid_t uid)
{
	struct seen *s = req_seen((struct req *)(uintptr_t)r, uid, true);
	uint32_t all = doc_lines(r->doc), from, to;
	struct cover *c = cover_new();
	struct jv *a = jv_arr();

	for (size_t i = 0; i < cover_ranges(s->cover); i++) {
		cover_range(s->cover, i, &from, &to);
		cover_add(c, from, to);
	}
	for (int i = 0; i < 100 && cover_gap(c, all, &from, &to); i++) {
		struct jv *range = jv_arr();

		jv_add(range, jv_int(from));
		jv_add(range, jv_int(to));
		jv_add(a, range);
		cover_add(c, from, to);
	}
	cover_free(&c);
	return a;
}

static int decide_check_care(struct req *r, const struct decision *d,
	const struct by *by, struct jv **data, struct err *e)
{
	uint32_t unseen = req_unseen(r, by->uid);

	if (r->verdict.care == CARE_LOCKED)
		return err_set(e, "locked", "this can be declined, not answered here");
	if (r->verdict.care == CARE_TWO)
		return err_set(e, "needs_second",
			"a second person must agree; this set-up cannot tell two apart");
	if (unseen > 0 && !(d->have_unread && d->unread == unseen)) {
		*data = jv_obj();
		jv_put(*data, "ranges", decide_gaps(r, by->uid));
		jv_put_i(*data, "unseen", unseen);
		return err_set(e, "not_seen", "%u lines have not been drawn", unseen);
	}
	if (r->verdict.care == CARE_CONFIRM &&
	    !(d->typed_given && sv_eqs(d->typed, r->confirm)))
		return err_set(e, "typed_wrong", "type %s to approve", r->confirm);
	return 0;
}

static int decide_check_approve(struct req *r, const struct decision *d,
	const struct by *by, struct jv **data, struct err *e)
{
	if (r->life.state == ST_RELEASING)
		return decide_already(r, data, e);
	if (!r->ready || r->doc == NULL)
		return err_set(e, "not_ready", "what it does is still being read");
	if (!d->have_act || !d->have_doc ||
	    !digest_eq(&d->act_digest, &r->act_digest) ||
	    !digest_eq(&d->doc_digest, &r->doc_digest)) {
		*data = jv_obj();
		jv_put_digest(*data, "action_digest", &r->act_digest);
		jv_put_digest(*data, "doc_digest", &r->doc_digest);
		return err_set(e, "changed", "this is not what was shown");
	}
	if (r->act->why_not != NULL) {
		*data = jv_obj();
		jv_put_s(*data, "why", r->act->why_not);
		return err_set(e, "not_allowed", "it cannot be approved: %s",
			r->act->why_not);
	}
	return decide_check_care(r, d, by, data, e);
}

int decide_check(struct req *r, const struct decision *d, const struct by *by,
	struct jv **data, struct err *e)
{
	uint64_t now = clock_boot_ms();

	*data = NULL;
	if (r->life.state == ST_CLOSED)
		return decide_already(r, data, e);
	if (r->life.state == ST_ORPHANED) {
		*data = jv_obj();
		jv_put_s(*data, "state", "orphaned");
		return err_set(e, "not_pending", "its runtime has not come back yet");
	}
	if (r->life.deadline != 0 && now >= r->life.deadline)
		return err_set(e, "expired", "nobody answered in time");
	if (d->verb == VERB_APPROVE)
		return decide_check_approve(r, d, by, data, e);
	if (r->life.state == ST_RELEASING && r->life.verb != VERB_APPROVE)
		return decide_already(r, data, e);
	return 0;
}

/* ---- the decision ---- */

struct decide_ctx {
	struct req *req;           /* a reference */
	uint64_t seq;
	void (*committed)(void *arg, struct req *r, bool failed);
	void *arg;
};

static void decide_to_pending(struct req *r)
{
	r->rereading = false;
	r->reread_gen++;
	r->by = (struct by){ .kind = BY_NOBODY };
	r->reason[0] = '\0';
	r->reason_open = false;
	/* A denial is taken before the document is there; back to that. */
	if (r->life.state == ST_PENDING && !r->ready)
		r->life.state = ST_RECEIVED;
	rows_changed(r);
}

static void decide_committed(void *arg, bool failed)
{
	struct decide_ctx *x = arg;
	struct req *r = x->req;

	if (r->decided_seq == x->seq && r->life.state == ST_RELEASING) {
		if (!failed) {
			r->decided_committed = true;
			test_point("decided.committed");
		} else if (life_take_back(&r->life) == STEP_OK) {
			decide_to_pending(r);
		}
	}
	if (x->committed != NULL)
		x->committed(x->arg, r, failed);
	req_unref(r);
	free(x);
}

static void decide_put_seen(struct rec *rec, struct req *r, uid_t uid)
{
	struct seen *s = req_seen(r, uid, false);

	if (r->doc == NULL)
		return;
	rec_add_digest(rec, RF_DOC_DIGEST, &r->doc_digest);
	rec_add_u64(rec, RF_TOTAL_LINES, doc_lines(r->doc));
	rec_add_u64(rec, RF_SEEN_LINES, s != NULL ? cover_count(s->cover) : 0);
	if (s == NULL)
		return;
	rec_add_u64(rec, RF_VIEW_MS, s->ms);
	rec_add_u64(rec, RF_COLS, s->cols);
	rec_add_u64(rec, RF_ROWS, s->rows);
}

static struct rec *decide_record(struct req *r, const struct decision *d,
	const struct by *by)
{
	static const char *const verbs[] = {
		[VERB_APPROVE] = "approve", [VERB_DENY] = "deny", [VERB_STOP] = "stop",
	};
	struct rec *rec = hub_rec(REC_DECIDED);
	struct buf doc;

	rec_add_u64(rec, RF_ACTION, r->id);
	rec_add(rec, RF_VERB, sv_of(verbs[d->verb]));
	decide_put_by(rec, by);
	rec_add(rec, RF_REASON, d->reason);
	rec_add_digest(rec, RF_RAW_DIGEST, &r->raw_digest);
	if (r->assessed)
		rec_add_digest(rec, RF_ACTION_DIGEST, &r->act_digest);
	rec_add(rec, RF_CARE, sv_of(care_name(r->verdict.care)));
	decide_put_seen(rec, r, by->uid);
	if (r->typed_unread > 0)
		rec_add_u64(rec, RF_UNREAD, r->typed_unread);
	if (d->typed_given)
		rec_add(rec, RF_TYPED, d->typed);
	if (r->blob != NULL) {
		rec_add_blob(rec, r->blob);
	} else if (r->doc != NULL && !hub_big(r->hub, r->doc_charged)) {
		buf_init(&doc, DOC_MAX_BYTES + (1u << 20));
		if (doc_encode(r->doc, &doc) == 0)
			rec_add_body(rec, "doc", buf_sv(&doc));
		buf_free(&doc);
	}
	return rec;
}

static void decide_override(struct req *r, const struct by *by)
{
	struct rec *rec = hub_rec(REC_TAKEN_BACK);

	rec_add_u64(rec, RF_ACTION, r->id);
	rec_add(rec, RF_WHY, SV("denied by someone"));
	decide_put_by(rec, by);
	hub_submit(r->hub, rec, true, NULL, NULL);
	r->rereading = false;
	r->reread_gen++;
}

int decide_start(struct req *r, const struct decision *d, const struct by *by,
	void (*committed)(void *arg, struct req *r, bool failed), void *arg,
	struct jv **data, struct err *e)
{
	uint64_t now = clock_boot_ms();
	bool override = r->life.state == ST_RELEASING;
	struct decide_ctx *x;

	if (decide_check(r, d, by, data, e) != 0)
		return -1;
	test_point("decide.checked");
	if (life_decide(&r->life, d->verb, (uint32_t)by->conn, now,
	    d->reason_open) != STEP_OK)
		return decide_already(r, data, e);
	if (override)
		decide_override(r, by);
	r->by = *by;
	r->decided_at = now;
	r->decided_committed = false;
	r->reason_open = d->reason_open && d->verb != VERB_APPROVE;
	r->typed_unread = d->have_unread && d->verb == VERB_APPROVE ?
		(uint32_t)d->unread : 0;
	snprintf(r->reason, sizeof r->reason, "%.*s", SVFMT(d->reason));
	x = xcalloc(1, sizeof *x);
	x->req = req_ref(r);
	x->committed = committed;
	x->arg = arg;
	r->decided_seq = x->seq = store_submit(r->hub->store,
		decide_record(r, d, by), true, decide_committed, x);
	rows_changed(r);
	return 0;
}

int decide_reason(struct req *r, struct sv reason, const struct by *by)
{
	struct rec *rec;

	if (r->life.state != ST_RELEASING || !r->reason_open || r->by.uid != by->uid)
		return -1;
	r->reason_open = false;
	snprintf(r->reason, sizeof r->reason, "%.*s", SVFMT(reason));
	if (reason.n > 0) {
		rec = hub_rec(REC_REASON);
		rec_add_u64(rec, RF_ACTION, r->id);
		decide_put_by(rec, by);
		rec_add(rec, RF_REASON, reason);
		hub_submit(r->hub, rec, true, NULL, NULL);
	}
	life_reason_done(&r->life, clock_boot_ms(), r->decided_at);
	rows_changed(r);
	return 0;
}

int decide_take_back(struct req *r, const struct by *by, struct jv **data,
	struct err *e)
{
	struct rec *rec;

	*data = NULL;
	if (r->life.state == ST_CLOSED)
		return decide_already(r, data, e);
	if (life_take_back(&r->life) != STEP_OK) {
		*data = jv_obj();
		jv_put_s(*data, "state", state_name(r->life.state));
		return err_set(e, "not_pending", "there is nothing to take back");
	}
	rec = hub_rec(REC_TAKEN_BACK);
	rec_add_u64(rec, RF_ACTION, r->id);
	decide_put_by(rec, by);
	hub_submit(r->hub, rec, true, NULL, NULL);
	decide_to_pending(r);
	return 0;
}

/* A console that goes away cannot finish its reason line. */
void decide_console_gone(struct hub *h, uint64_t conn)
{
	for (struct req *r = h->reqs; r != NULL; r = r->next)
		if (r->reason_open && r->by.conn == conn)
			decide_reason(r, SV_NONE, &(struct by){ .uid = r->by.uid });
}
