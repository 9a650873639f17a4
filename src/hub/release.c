/*
 * release.c - the clock of an action: deadlines, the end of a hold, and the
 * second look at the files before an approval goes out.
 */
#include "base/clock.h"
#include "base/testpoint.h"
#include "hub/assess.h"

static void release_now(struct req *r)
{
	if (life_release(&r->life, clock_boot_ms()) == STEP_OK)
		answer_outcome(r, false);
}

static bool release_needs_look(const struct req *r)
{
	return r->life.verb == VERB_APPROVE &&
		r->act->n_changes + r->act->n_read_paths > 0;
}

void decide_tick(struct req *r, uint64_t now)
{
	static const struct by by_clock = { .kind = BY_CLOCK };
	struct life probe = r->life;

	if (r->life.state == ST_CLOSED)
		return;
	if (life_tick(&probe, now) == STEP_OK) {
		answer_close(r, probe.outcome, &by_clock);
		return;
	}
	if (!r->warned && r->warn_at != 0 && now >= r->warn_at) {
		r->warned = true;
		rows_changed(r);
	}
	if (r->life.state != ST_RELEASING || now < r->life.release_at ||
	    !r->decided_committed || r->rereading)
		return;
	test_point("hold.over");
	if (release_needs_look(r)) {
		r->rereading = true;
		r->reread_gen++;
		assess_reread(r);
	} else {
		release_now(r);
	}
}

static uint64_t release_earlier(uint64_t a, uint64_t b)
{
	return a == 0 || (b != 0 && b < a) ? b : a;
}

uint64_t decide_next(const struct req *r)
{
	uint64_t next = 0;

	if (r->life.state == ST_CLOSED)
		return 0;
	if (r->life.state == ST_RELEASING && (r->rereading || !r->decided_committed))
		next = r->life.deadline;     /* waits for something else */
	else
		next = life_next(&r->life);
	return r->warned ? next : release_earlier(next, r->warn_at);
}

void decide_reread(struct req *r, struct evidence *owned, unsigned gen)
{
	static const struct by runtime = { .kind = BY_RUNTIME };
	struct digest d = assess_digest(r->act, owned);
	uint64_t conn = r->conn;

	evidence_free(&owned);
	if (gen != r->reread_gen || r->life.state != ST_RELEASING || !r->rereading)
		return;              /* taken back, denied or gone meanwhile */
	r->rereading = false;
	test_point("reread.done");
	if (digest_eq(&d, &r->ev_digest)) {
		release_now(r);
		return;
	}
	/* Not what was shown: a new action on the same request, which is
	 * answered once, by the last (obstat.md, life of an action). */
	r->conn = 0;
	answer_close(r, OUT_SUPERSEDED, &runtime);
	intake_follow(r, conn);
}
