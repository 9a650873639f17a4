/*
 * life.h - the life of an action: a state machine with the clock passed in.
 *
 * Hides: nothing; struct life is embedded, owns nothing.
 * Must not include: anything above base/. Pure: no I/O, no clock.
 *
 * received -> (rule decided | pending) -> releasing -> one outcome, set once.
 * The machine says what is allowed; the hub records and answers. Times are
 * clock_boot_ms().
 */
#ifndef OBSTAT_MODEL_LIFE_H
#define OBSTAT_MODEL_LIFE_H

#include "base/mem.h"

enum state {
	ST_RECEIVED,     /* recorded; evidence and rules under way */
	ST_PENDING,      /* waits for a person */
	ST_RELEASING,    /* decided, held: can be taken back */
	ST_ORPHANED,     /* found at start, its runtime gone: 60 s to come back */
	ST_CLOSED,       /* has its outcome */
};
enum outcome { OUT_NONE, OUT_APPROVED, OUT_DENIED, OUT_EXPIRED, OUT_WITHDRAWN,
	OUT_SUPERSEDED, OUT_ANSWERED_ELSEWHERE, OUT_REFUSED, OUT_LOST,
	OUT_PASSED,      /* no opinion by default: the runtime goes on by itself */
	OUT_N };
const char *outcome_name(enum outcome o);       /* "approved", ... */
bool outcome_from_name(struct sv name, enum outcome *out);
const char *state_name(enum state s);

enum care { CARE_GLANCE, CARE_READ, CARE_CONFIRM, CARE_TWO, CARE_LOCKED };
const char *care_name(enum care c);
bool care_from_name(struct sv name, enum care *out);

enum verb { VERB_APPROVE, VERB_DENY, VERB_STOP /* deny and stop the turn */ };

#define HOLD_APPROVE_MS 700
#define HOLD_DENY_MS 2000
#define HOLD_REASON_MS 60000     /* while the reason line is open */
#define ORPHAN_MS 60000
#define REDELIVER_MS 60000
#define WARN_PERCENT 80          /* of the time left: the row warns */

struct life {
	enum state state;
	enum outcome outcome;
	enum verb verb;              /* while releasing */
	bool pended;                 /* has been pending: a take-back leads there,
	                              * else to received */
	uint64_t received_at, deadline;  /* deadline 0: none */
	uint64_t release_at;         /* while releasing */
	uint64_t orphan_until;
	uint32_t holder;             /* id of the console whose decision is held */
};
/* What a step did, or why it did not happen. */
enum step { STEP_OK, STEP_NOT_DECIDABLE, STEP_ALREADY, STEP_EXPIRED,
	STEP_ORPHANED, STEP_NOTHING };

void life_init(struct life *l, uint64_t now, uint64_t deadline);
/* The document is complete. While a deny given before that is held, this is
 * kept for the take-back (STEP_OK, the state stays releasing). */
enum step life_pend(struct life *l);
enum step life_orphan(struct life *l, uint64_t now);
enum step life_reattach(struct life *l);
/* A rule or default: no hold. */
enum step life_rule(struct life *l, enum outcome o);
/* A person. Deny or stop during an approve-hold wins at once and starts its
 * own hold; an approve during any hold is STEP_ALREADY. reason_open: the
 * person is typing a reason. */
enum step life_decide(struct life *l, enum verb v, uint32_t console,
	uint64_t now, bool reason_open);
/* The reason line was sent or closed: the hold ends at once (deny already
 * had its 2 s or more) or when its 2 s are over. */
enum step life_reason_done(struct life *l, uint64_t now, uint64_t decided_at);
enum step life_take_back(struct life *l);
/* The hold is over: sets the outcome. STEP_NOTHING before release_at;
 * STEP_EXPIRED once the deadline has passed, which life_tick() then closes. */
enum step life_release(struct life *l, uint64_t now);
/* Withdrawn, superseded, answered elsewhere, refused, lost, expired: close at
 * once from any state but CLOSED; within a hold too. OUT_NONE: STEP_NOTHING. */
enum step life_close(struct life *l, enum outcome o);
/* STEP_OK when the deadline or the orphan time has passed and it was closed
 * (expired, lost). */
enum step life_tick(struct life *l, uint64_t now);
/* The next moment at which life_tick or life_release has work; 0 none. */
uint64_t life_next(const struct life *l);
bool life_decidable(const struct life *l);

#endif
