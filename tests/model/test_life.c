/*
 * test_life.c - every state against every event, then the clocks of holds,
 * deadlines and orphans.
 */
#include "check.h"

#include "model/facts.h"
#include "model/life.h"

#define T0 1000000u
#define DEADLINE (T0 + 100000u)

/* The situations an action can be in. */
enum at { RECEIVED, PENDING, APPROVING, DENYING, STOPPING, DENIED_UNREAD,
	ORPHANED, CLOSED, AT_N };

static void bring(struct life *l, enum at at)
{
	life_init(l, T0, DEADLINE);
	if (at == PENDING || at == APPROVING || at == DENYING || at == STOPPING)
		assert_int_equal(life_pend(l), STEP_OK);
	if (at == APPROVING)
		assert_int_equal(life_decide(l, VERB_APPROVE, 7, T0, false), STEP_OK);
	if (at == DENYING || at == DENIED_UNREAD)
		assert_int_equal(life_decide(l, VERB_DENY, 7, T0, false), STEP_OK);
	if (at == STOPPING)
		assert_int_equal(life_decide(l, VERB_STOP, 7, T0, false), STEP_OK);
	if (at == ORPHANED)
		assert_int_equal(life_orphan(l, T0), STEP_OK);
	if (at == CLOSED)
		assert_int_equal(life_close(l, OUT_WITHDRAWN), STEP_OK);
}

static enum step e_pend(struct life *l) { return life_pend(l); }
static enum step e_orphan(struct life *l) { return life_orphan(l, T0 + 10); }
static enum step e_reattach(struct life *l) { return life_reattach(l); }
static enum step e_rule(struct life *l) { return life_rule(l, OUT_APPROVED); }
static enum step e_approve(struct life *l)
{
	return life_decide(l, VERB_APPROVE, 8, T0 + 10, false);
}
static enum step e_deny(struct life *l)
{
	return life_decide(l, VERB_DENY, 8, T0 + 10, false);
}
static enum step e_stop(struct life *l)
{
	return life_decide(l, VERB_STOP, 8, T0 + 10, true);
}
static enum step e_late(struct life *l)
{
	return life_decide(l, VERB_DENY, 8, DEADLINE, false);
}
static enum step e_reason(struct life *l)
{
	return life_reason_done(l, T0 + 10, T0);
}
static enum step e_back(struct life *l) { return life_take_back(l); }
static enum step e_early(struct life *l) { return life_release(l, T0 + 1); }
static enum step e_release(struct life *l) { return life_release(l, T0 + 5000); }
static enum step e_release_late(struct life *l) { return life_release(l, DEADLINE); }
static enum step e_close(struct life *l) { return life_close(l, OUT_SUPERSEDED); }
static enum step e_none(struct life *l) { return life_close(l, OUT_NONE); }
static enum step e_tick(struct life *l) { return life_tick(l, T0 + 5000); }
static enum step e_expire(struct life *l) { return life_tick(l, DEADLINE); }

#define OK STEP_OK
#define NO STEP_NOTHING
#define AL STEP_ALREADY
#define ND STEP_NOT_DECIDABLE
#define EX STEP_EXPIRED
#define OR STEP_ORPHANED
#define R ST_RECEIVED
#define P ST_PENDING
#define L ST_RELEASING
#define O ST_ORPHANED
#define C ST_CLOSED

/* By situation: what the step says, and the state after it. */
static const struct {
	const char *name;
	enum step (*fn)(struct life *);
	struct { enum step step; enum state state; } want[AT_N];
} events[] = {
	/*            received  pending   approving denying   stopping  unread    orphaned  closed */
	{ "pend", e_pend, { {OK, P}, {NO, P}, {NO, L}, {NO, L}, {NO, L}, {OK, L}, {NO, O}, {AL, C} } },
	{ "orphan", e_orphan, { {OK, O}, {OK, O}, {OK, O}, {OK, O}, {OK, O}, {OK, O}, {OK, O}, {AL, C} } },
	{ "reattach", e_reattach, { {NO, R}, {NO, P}, {NO, L}, {NO, L}, {NO, L}, {NO, L}, {OK, R}, {NO, C} } },
	{ "rule", e_rule, { {OK, C}, {ND, P}, {ND, L}, {ND, L}, {ND, L}, {ND, L}, {ND, O}, {AL, C} } },
	{ "approve", e_approve, { {ND, R}, {OK, L}, {AL, L}, {AL, L}, {AL, L}, {AL, L}, {OR, O}, {AL, C} } },
	{ "deny", e_deny, { {OK, L}, {OK, L}, {OK, L}, {AL, L}, {AL, L}, {AL, L}, {OR, O}, {AL, C} } },
	{ "stop", e_stop, { {OK, L}, {OK, L}, {OK, L}, {AL, L}, {AL, L}, {AL, L}, {OR, O}, {AL, C} } },
	{ "late", e_late, { {EX, R}, {EX, P}, {EX, L}, {AL, L}, {AL, L}, {AL, L}, {OR, O}, {AL, C} } },
	{ "reason", e_reason, { {NO, R}, {NO, P}, {NO, L}, {OK, L}, {OK, L}, {OK, L}, {NO, O}, {AL, C} } },
	{ "back", e_back, { {NO, R}, {NO, P}, {OK, P}, {OK, P}, {OK, P}, {OK, R}, {NO, O}, {AL, C} } },
	{ "early", e_early, { {NO, R}, {NO, P}, {NO, L}, {NO, L}, {NO, L}, {NO, L}, {NO, O}, {AL, C} } },
	{ "release", e_release, { {NO, R}, {NO, P}, {OK, C}, {OK, C}, {OK, C}, {OK, C}, {NO, O}, {AL, C} } },
	{ "release late", e_release_late, { {NO, R}, {NO, P}, {EX, L}, {EX, L}, {EX, L}, {EX, L}, {NO, O}, {AL, C} } },
	{ "close", e_close, { {OK, C}, {OK, C}, {OK, C}, {OK, C}, {OK, C}, {OK, C}, {OK, C}, {AL, C} } },
	{ "close none", e_none, { {NO, R}, {NO, P}, {NO, L}, {NO, L}, {NO, L}, {NO, L}, {NO, O}, {AL, C} } },
	{ "tick", e_tick, { {NO, R}, {NO, P}, {NO, L}, {NO, L}, {NO, L}, {NO, L}, {NO, O}, {AL, C} } },
	{ "expire", e_expire, { {OK, C}, {OK, C}, {OK, C}, {OK, C}, {OK, C}, {OK, C}, {OK, C}, {AL, C} } },
};

static void test_table(void **state)
{
	(void)state;
	for (size_t e = 0; e < sizeof(events) / sizeof(events[0]); e++)
		for (int at = 0; at < AT_N; at++) {
			struct life l;
			enum step got;

			bring(&l, (enum at)at);
			got = events[e].fn(&l);
			if (got != events[e].want[at].step ||
			    l.state != events[e].want[at].state)
				fail_msg("%s at %d: step %d, state %s", events[e].name,
					at, (int)got, state_name(l.state));
			/* Closed and having an outcome are one thing. */
			assert_int_equal(l.state == ST_CLOSED, l.outcome != OUT_NONE);
		}
}

static void test_outcome_is_set_once(void **state)
{
	(void)state;
	for (size_t e = 0; e < sizeof(events) / sizeof(events[0]); e++) {
		struct life l, before;

		bring(&l, CLOSED);
		before = l;
		events[e].fn(&l);
		assert_memory_equal(&l, &before, sizeof(l));
	}
}

static void test_what_a_release_sets(void **state)
{
	struct life l;

	(void)state;
	bring(&l, APPROVING);
	assert_int_equal(l.release_at, T0 + HOLD_APPROVE_MS);
	assert_int_equal(life_release(&l, T0 + HOLD_APPROVE_MS - 1), STEP_NOTHING);
	assert_int_equal(life_release(&l, T0 + HOLD_APPROVE_MS), STEP_OK);
	assert_int_equal(l.outcome, OUT_APPROVED);
	bring(&l, DENYING);
	assert_int_equal(l.release_at, T0 + HOLD_DENY_MS);
	assert_int_equal(life_release(&l, T0 + HOLD_DENY_MS), STEP_OK);
	assert_int_equal(l.outcome, OUT_DENIED);
	bring(&l, STOPPING);
	assert_int_equal(life_release(&l, T0 + HOLD_DENY_MS), STEP_OK);
	assert_int_equal(l.outcome, OUT_DENIED);
}

static void test_deny_wins_over_approve(void **state)
{
	struct life l;

	(void)state;
	bring(&l, APPROVING);
	assert_int_equal(life_decide(&l, VERB_DENY, 9, T0 + 699, false), STEP_OK);
	assert_int_equal(l.holder, 9);
	assert_int_equal(l.release_at, T0 + 699 + HOLD_DENY_MS);
	assert_int_equal(life_release(&l, T0 + HOLD_APPROVE_MS), STEP_NOTHING);
	assert_int_equal(life_release(&l, T0 + 699 + HOLD_DENY_MS), STEP_OK);
	assert_int_equal(l.outcome, OUT_DENIED);
}

static void test_reason_line(void **state)
{
	struct life l;

	(void)state;
	bring(&l, PENDING);
	assert_int_equal(life_decide(&l, VERB_DENY, 1, T0, true), STEP_OK);
	assert_int_equal(l.release_at, T0 + HOLD_REASON_MS);
	/* Sent at once: the two seconds still run. */
	assert_int_equal(life_reason_done(&l, T0 + 5, T0), STEP_OK);
	assert_int_equal(l.release_at, T0 + HOLD_DENY_MS);
	bring(&l, PENDING);
	life_decide(&l, VERB_DENY, 1, T0, true);
	assert_int_equal(life_reason_done(&l, T0 + 9000, T0), STEP_OK);
	assert_int_equal(l.release_at, T0 + 9000);
}

static void test_take_back_and_document(void **state)
{
	struct life l;

	(void)state;
	/* Denied before the document was there, which then came. */
	bring(&l, DENIED_UNREAD);
	assert_int_equal(life_pend(&l), STEP_OK);
	assert_int_equal(l.state, ST_RELEASING);
	assert_int_equal(life_take_back(&l), STEP_OK);
	assert_int_equal(l.state, ST_PENDING);
	assert_int_equal(l.release_at, 0);
	/* It did not come: nothing approves what has not been read. */
	bring(&l, DENIED_UNREAD);
	assert_int_equal(life_take_back(&l), STEP_OK);
	assert_false(life_decidable(&l));
	assert_int_equal(e_approve(&l), STEP_NOT_DECIDABLE);
	assert_int_equal(life_pend(&l), STEP_OK);
	assert_int_equal(e_approve(&l), STEP_OK);
}

static void test_orphans(void **state)
{
	struct life l;

	(void)state;
	bring(&l, APPROVING);
	assert_int_equal(life_orphan(&l, T0 + 100), STEP_OK);
	assert_int_equal(l.release_at, 0);
	assert_int_equal(life_next(&l), T0 + 100 + ORPHAN_MS);
	assert_int_equal(life_release(&l, T0 + 5000), STEP_NOTHING);
	assert_int_equal(life_tick(&l, T0 + 99 + ORPHAN_MS), STEP_NOTHING);
	assert_int_equal(life_tick(&l, T0 + 100 + ORPHAN_MS), STEP_OK);
	assert_int_equal(l.outcome, OUT_LOST);
	bring(&l, ORPHANED);
	assert_int_equal(life_tick(&l, DEADLINE), STEP_OK);
	assert_int_equal(l.outcome, OUT_LOST);
	bring(&l, ORPHANED);
	assert_int_equal(life_reattach(&l), STEP_OK);
	assert_int_equal(life_next(&l), DEADLINE);
	assert_int_equal(life_pend(&l), STEP_OK);
}

static void test_deadline(void **state)
{
	struct life l;

	(void)state;
	/* Within a hold: the agent's time is up, so nothing is released. */
	bring(&l, PENDING);
	assert_int_equal(life_decide(&l, VERB_APPROVE, 1, DEADLINE - 1, false), STEP_OK);
	assert_int_equal(life_next(&l), DEADLINE);
	assert_int_equal(life_release(&l, DEADLINE + 1000), STEP_EXPIRED);
	assert_int_equal(life_tick(&l, DEADLINE + 1000), STEP_OK);
	assert_int_equal(l.outcome, OUT_EXPIRED);
	assert_int_equal(life_next(&l), 0);
	/* Without one nothing expires. */
	life_init(&l, T0, 0);
	assert_int_equal(life_tick(&l, UINT64_MAX), STEP_NOTHING);
	assert_int_equal(life_next(&l), 0);
	assert_int_equal(life_pend(&l), STEP_OK);
	assert_int_equal(e_late(&l), STEP_OK);
	assert_int_equal(life_release(&l, UINT64_MAX), STEP_OK);
}

static void test_names(void **state)
{
	enum outcome o;
	enum care c;

	(void)state;
	for (int i = OUT_NONE + 1; i < OUT_N; i++) {
		assert_true(outcome_from_name(sv_of(outcome_name((enum outcome)i)), &o));
		assert_int_equal(o, i);
	}
	assert_false(outcome_from_name(SV("none"), &o));
	assert_false(outcome_from_name(SV("APPROVED"), &o));
	for (int i = CARE_GLANCE; i <= CARE_LOCKED; i++) {
		assert_true(care_from_name(sv_of(care_name((enum care)i)), &c));
		assert_int_equal(c, i);
	}
	assert_string_equal(state_name((enum state)99), "?");
	assert_string_equal(reversibility_name(REV_READ_ONLY), "read_only");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_outcome_is_set_once),
		cmocka_unit_test(test_what_a_release_sets),
		cmocka_unit_test(test_deny_wins_over_approve),
		cmocka_unit_test(test_reason_line),
		cmocka_unit_test(test_take_back_and_document),
		cmocka_unit_test(test_orphans),
		cmocka_unit_test(test_deadline),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
