/*
 * verdict.c - evidence has come: digests, facts, rules, and on to the answer
 * or the queue.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "base/testpoint.h"
#include "hub/assess.h"
#include "hub/sessions.h"

/* ---- the ways on ---- */

static void verdict_ask_record(struct req *r)
{
	struct rec *rec = hub_rec(REC_EVIDENCE);
	const struct verdict *v = &r->verdict;

	rec_add_u64(rec, RF_ACTION, r->id);
	rec_add_digest(rec, RF_EVIDENCE_DIGEST, &r->ev_digest);
	rec_add_digest(rec, RF_ACTION_DIGEST, &r->act_digest);
	rec_add(rec, RF_REVERSIBILITY, sv_of(reversibility_name(r->facts.rev)));
	rec_add(rec, RF_WHY, sv_of(v->why));
	rec_add(rec, RF_RULE, sv_of(v->rule));
	rec_add(rec, RF_CARE, sv_of(care_name(v->care)));
	rec_add_digest(rec, RF_RULES_DIGEST, &v->rules);
	/* Urgent: what a person is asked about is on disk, and with it the
	 * REC_RECEIVED before it. */
	hub_submit(r->hub, rec, true, NULL, NULL);
}

static void verdict_ask(struct req *r)
{
	if (r->ready || r->doc_busy) {   /* asked again, after the stop button */
		if (r->ready && r->life.state == ST_RECEIVED)
			life_pend(&r->life);
		rows_changed(r);
		return;
	}
	if (r->session != NULL)
		r->session->n_asked++;
	judge_row(r);
	verdict_ask_record(r);
	if (r->queued) {             /* an orphan that came back */
		rows_changed(r);
	} else {
		r->queued = true;
		rows_added(r);
	}
	if (r->session != NULL)
		rows_session(r->session);
	docwork_start(r);
}

static void verdict_by_rule(struct req *r, enum outcome o, bool batched)
{
	bool by_rule = r->verdict.rule[0] != '\0';

	if (life_rule(&r->life, o) != STEP_OK)
		return;
	r->by = (struct by){ .kind = by_rule ? BY_RULE : BY_HUB };
	if (by_rule)
		policy_used(r->hub->policy, r->verdict.rule);
	snprintf(r->reason, sizeof r->reason, "%s", r->verdict.reason);
	if (r->session != NULL)
		r->session->n_passed += o != OUT_DENIED;
	answer_outcome(r, batched);
}

/* What makes an allow or a pass into a question, whatever the rules say. */
static const char *verdict_must_ask(const struct req *r)
{
	if (r->hub->hold)
		return N_("new requests are held");
	if (r->act->why_not != NULL)
		return N_("the payload cannot be shown whole");
	if (r->session != NULL && r->session->rules_broken)
		return N_("the workspace's rules file cannot be read");
	if (r->hub->rules_broken && policy_rules(r->hub->policy)->n == 0)
		return N_("the rules file is broken, so everything asks");
	return NULL;
}

void assess_rules(struct req *r)
{
	struct verdict *v = &r->verdict;
	const struct ruleset *ws = r->session != NULL ? r->session->rules : NULL;
	const char *ask;

	policy_decide(r->hub->policy, ws, &r->facts, clock_real_ms(), v);
	test_point("policy.done");
	r->assessed = true;
	r->by_hold = false;
	if (r->act->secret || (r->act->kind == KIND_QUESTION &&
	    r->act->deflt != TOOL_NO_OPINION))
		v->care = CARE_LOCKED;
	if (v->decide == DECIDE_DENY) {
		verdict_by_rule(r, OUT_DENIED, false);
		return;
	}
	ask = verdict_must_ask(r);
	if (ask != NULL && (v->decide == DECIDE_ALLOW || v->pass)) {
		r->by_hold = r->hub->hold;
		v->pass = false;
		v->decide = DECIDE_ASK;
		v->rule[0] = '\0';
		snprintf(v->why, sizeof v->why, "%s", ask);
	}
	if (v->decide == DECIDE_ALLOW)
		verdict_by_rule(r, OUT_APPROVED, false);
	else if (v->decide == DECIDE_NONE && v->pass)
		verdict_by_rule(r, OUT_PASSED, r->facts.rev == REV_READ_ONLY);
	else
		verdict_ask(r);
}

static void verdict_reanswer(struct req *r, const struct digest *now)
{
	if (!digest_eq(now, &r->ev_digest)) {
		/* The answer was to another content. */
		r->life.outcome = OUT_REFUSED;
		snprintf(r->reason, sizeof r->reason, "already_answered");
	}
	answer_send(r);
}

static void verdict_go_on(struct req *r)
{
	if (r->act->kind == KIND_EDIT && r->act->n_changes > EVIDENCE_FILES_MAX / 2)
		r->act->why_not = "over_limit";
	judge_start(r);
}

static void verdict_first(struct req *r, struct evidence *ev, bool rules_last,
	bool no_rules)
{
	struct session *s = r->session;
	bool need_rules;

	if (rules_last && ev->n_files > 0) {
		const struct ev_file *f = &ev->files[ev->n_files - 1];

		session_rules(s, f->has_content, f->content, f->state == FILE_ABSENT);
		evidence_drop_last(ev);
	}
	need_rules = s != NULL && !rules_last && !no_rules;
	/* Taken once, also when there is none: a later "cd" makes no workspace. */
	if (s != NULL && ev->complete && assess_cwd(r).n > 0)
		session_workspace(s, ev->workspace);
	evidence_free(&r->evidence);
	r->evidence = ev;
	if (need_rules && s->workspace != NULL)
		assess_rules_file(r);
	else
		verdict_go_on(r);
}

void assess_evidence(void *arg, struct evidence *ev)
{
	struct assess *as = arg;
	struct req *r = as->req;
	struct digest d;

	opens_held(r->hub, as->held);
	if (assess_stale(r, as->gen)) {
		evidence_free(&ev);
	} else if (as->step == AS_REREAD) {
		decide_reread(r, ev, as->reread_gen);
	} else if (as->step == AS_RULES_FILE) {
		if (ev->n_files == 1)
			session_rules(r->session, ev->files[0].has_content,
				ev->files[0].content, ev->files[0].state == FILE_ABSENT);
		evidence_free(&ev);
		verdict_go_on(r);
	} else {
		test_point("evidence.done");
		if (r->reanswer) {
			if (as->rules_last)
				evidence_drop_last(ev);
			d = assess_digest(r->act, ev);
			evidence_free(&ev);
			verdict_reanswer(r, &d);
		} else {
			verdict_first(r, ev, as->rules_last, as->no_rules);
		}
	}
	assess_end(as);
}
