/*
 * life.c - the state machine. Every transition is here; the hub only asks.
 */
#include "model/life.h"

#include "model/facts.h"
#include "model/names.h"

static const char *const outcome_names[OUT_N] = {
	[OUT_NONE] = "none",             [OUT_APPROVED] = "approved",
	[OUT_DENIED] = "denied",         [OUT_EXPIRED] = "expired",
	[OUT_WITHDRAWN] = "withdrawn",   [OUT_SUPERSEDED] = "superseded",
	[OUT_ANSWERED_ELSEWHERE] = "answered_elsewhere",
	[OUT_REFUSED] = "refused",       [OUT_LOST] = "lost",
	[OUT_PASSED] = "passed",
};
static const char *const state_names[] = {
	[ST_RECEIVED] = "received",   [ST_PENDING] = "pending",
	[ST_RELEASING] = "releasing", [ST_ORPHANED] = "orphaned",
	[ST_CLOSED] = "closed",
};
static const char *const care_names[] = {
	[CARE_GLANCE] = "glance",   [CARE_READ] = "read",
	[CARE_CONFIRM] = "confirm", [CARE_TWO] = "two",
	[CARE_LOCKED] = "locked",
};
static const char *const rev_names[] = {
	[REV_READ_ONLY] = "read_only", [REV_REVERSIBLE] = "reversible",
	[REV_IRREVERSIBLE] = "irreversible",
};
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

const char *outcome_name(enum outcome o)
{
	return name_of(outcome_names, OUT_N, (size_t)o);
}

bool outcome_from_name(struct sv name, enum outcome *out)
{
	int i = name_find(outcome_names, OUT_N, name);

	if (i <= 0)
		return false;
	*out = (enum outcome)i;
	return true;
}

const char *state_name(enum state s)
{
	return name_of(state_names, COUNT(state_names), (size_t)s);
}

const char *care_name(enum care c)
{
	return name_of(care_names, COUNT(care_names), (size_t)c);
}

bool care_from_name(struct sv name, enum care *out)
{
	int i = name_find(care_names, COUNT(care_names), name);

	if (i < 0)
		return false;
	*out = (enum care)i;
	return true;
}

const char *reversibility_name(enum reversibility r)
{
	return name_of(rev_names, COUNT(rev_names), (size_t)r);
}

void life_init(struct life *l, uint64_t now, uint64_t deadline)
{
	*l = (struct life){ .state = ST_RECEIVED, .received_at = now,
		.deadline = deadline };
}

enum step life_pend(struct life *l)
{
	if (l->state == ST_CLOSED)
		return STEP_ALREADY;
	if (l->pended || l->state == ST_ORPHANED)
		return STEP_NOTHING;
	l->pended = true;
	if (l->state == ST_RECEIVED)
		l->state = ST_PENDING;
	return STEP_OK;
}

enum step life_orphan(struct life *l, uint64_t now)
{
	if (l->state == ST_CLOSED)
		return STEP_ALREADY;
	l->state = ST_ORPHANED;
	l->pended = false;
	l->release_at = 0;
	l->holder = 0;
	l->orphan_until = now + ORPHAN_MS;
	return STEP_OK;
}

enum step life_reattach(struct life *l)
{
	if (l->state != ST_ORPHANED)
		return STEP_NOTHING;
	l->state = ST_RECEIVED;
	l->orphan_until = 0;
	return STEP_OK;
}

enum step life_rule(struct life *l, enum outcome o)
{
	if (l->state == ST_CLOSED)
		return STEP_ALREADY;
	if (l->state != ST_RECEIVED)
		return STEP_NOT_DECIDABLE;
	return life_close(l, o);
}

bool life_decidable(const struct life *l)
{
	return l->state == ST_PENDING || l->state == ST_RELEASING;
}

/* Deny wins over an approve that is still held; the reverse never. A deny
 * needs no document, so it is taken while the request is still being read. */
enum step life_decide(struct life *l, enum verb v, uint32_t console,
	uint64_t now, bool reason_open)
{
	uint64_t hold = HOLD_APPROVE_MS;

	switch (l->state) {
	case ST_CLOSED:
		return STEP_ALREADY;
	case ST_ORPHANED:
		return STEP_ORPHANED;
	case ST_RELEASING:
		if (l->verb != VERB_APPROVE || v == VERB_APPROVE)
			return STEP_ALREADY;
		break;
	case ST_RECEIVED:
		if (v == VERB_APPROVE)
			return STEP_NOT_DECIDABLE;
		break;
	case ST_PENDING:
		break;
	}
	if (l->deadline != 0 && now >= l->deadline)
		return STEP_EXPIRED;
	if (v != VERB_APPROVE)
		hold = reason_open ? HOLD_REASON_MS : HOLD_DENY_MS;
	l->state = ST_RELEASING;
	l->verb = v;
	l->holder = console;
	l->release_at = now + hold;
	return STEP_OK;
}

enum step life_reason_done(struct life *l, uint64_t now, uint64_t decided_at)
{
	uint64_t least = decided_at + HOLD_DENY_MS;

	if (l->state != ST_RELEASING || l->verb == VERB_APPROVE)
		return l->state == ST_CLOSED ? STEP_ALREADY : STEP_NOTHING;
	l->release_at = now > least ? now : least;
	return STEP_OK;
}

enum step life_take_back(struct life *l)
{
	if (l->state != ST_RELEASING)
		return l->state == ST_CLOSED ? STEP_ALREADY : STEP_NOTHING;
	l->state = l->pended ? ST_PENDING : ST_RECEIVED;
	l->release_at = 0;
	l->holder = 0;
	return STEP_OK;
}

enum step life_release(struct life *l, uint64_t now)
{
	if (l->state == ST_CLOSED)
		return STEP_ALREADY;
	if (l->state != ST_RELEASING || now < l->release_at)
		return STEP_NOTHING;
	if (l->deadline != 0 && now >= l->deadline)
		return STEP_EXPIRED;
	return life_close(l, l->verb == VERB_APPROVE ? OUT_APPROVED : OUT_DENIED);
}

enum step life_close(struct life *l, enum outcome o)
{
	if (l->state == ST_CLOSED)
		return STEP_ALREADY;
	if (o <= OUT_NONE || o >= OUT_N)
		return STEP_NOTHING;
	l->state = ST_CLOSED;
	l->outcome = o;
	l->release_at = 0;
	l->orphan_until = 0;
	return STEP_OK;
}

/* An expiry within a hold wins over the decision: the agent's time is up, and
 * an answer that comes too late may be taken for a fresh one. */
enum step life_tick(struct life *l, uint64_t now)
{
	if (l->state == ST_CLOSED)
		return STEP_ALREADY;
	if (l->deadline != 0 && now >= l->deadline)
		return life_close(l, l->state == ST_ORPHANED ? OUT_LOST : OUT_EXPIRED);
	if (l->state == ST_ORPHANED && now >= l->orphan_until)
		return life_close(l, OUT_LOST);
	return STEP_NOTHING;
}

uint64_t life_next(const struct life *l)
{
	uint64_t next = l->deadline;

	if (l->state == ST_CLOSED)
		return 0;
	if (l->state == ST_RELEASING && (next == 0 || l->release_at < next))
		next = l->release_at;
	if (l->state == ST_ORPHANED && (next == 0 || l->orphan_until < next))
		next = l->orphan_until;
	return next;
}
