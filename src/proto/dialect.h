/*
 * dialect.h - one dialect a runtime: bytes <=> events. No sockets, no clock.
 *
 * Hides: each runtime's message shapes (dialect_*.c, one row in dialects.c).
 * Frees: event_clear(); ev->action is the caller's to take (set to NULL) or is
 * freed with it.
 * Must not include: anything above floor 2; sideways only proto/.
 */
#ifndef OBSTAT_PROTO_DIALECT_H
#define OBSTAT_PROTO_DIALECT_H

#include "base/err.h"
#include "base/json.h"
#include "model/action.h"
#include "model/life.h"

enum event_type {
	EVENT_ASK,          /* an action that wants an answer */
	EVENT_OBSERVE,      /* a tool call seen, its result, a session's start... */
	EVENT_IGNORE,       /* known, of no interest: noted, no opinion */
};
enum observed { OBS_NONE, OBS_RAN_OK, OBS_RAN_FAILED, OBS_SESSION_START,
	OBS_SESSION_END, OBS_STOP, OBS_SUBAGENT_STOP, OBS_NOTIFICATION,
	OBS_PROMPT, OBS_OTHER };

struct event {
	enum event_type type;
	enum observed what;        /* of EVENT_OBSERVE */
	struct sv name;            /* hook event name as received */
	struct sv text;            /* a message's or prompt's text (observed) */
	struct action *action;     /* EVENT_ASK, and OBS_RAN_* (what ran) */
	struct origin origin;      /* session, call, ... ; channel and peer unset */
	struct arena *arena;       /* of origin and text */
};
void event_clear(struct event *ev);

/* What the hub decided, to be said in the runtime's own words. */
struct answer {
	enum { ANSWER_ALLOW, ANSWER_DENY, ANSWER_NO_OPINION, ANSWER_NOTED } verdict;
	bool interrupt;            /* deny and stop */
	struct sv tell;            /* what to tell the model (already escaped) */
};
struct dialect {
	const char *name;
	/* One received message, already scanned. raw is the whole message and is
	 * copied into the action. decide: false for the gate's observe mode.
	 * 0, or -1 with a stable code: the message cannot be understood, which in
	 * decide mode is refused (denied). */
	int (*decode)(struct sv raw, const struct json *j, bool decide,
		struct event *out, struct err *e);
	/* The gate's stdout and stderr for an answer to event name. */
	void (*encode)(const struct answer *a, struct sv event_name,
		struct buf *out_stdout, struct buf *out_stderr);
};
/* NULL when there is none of that name. */
const struct dialect *dialect_find(struct sv name);
/* Flatten a JSON value into leaves (path prefix given), into a->arena. Used by
 * every dialect; iterative. -1 when the arena is over. */
int dialect_leaves(struct action *a, const struct json *j, json_ref v,
	const char *prefix);
/* Fills command, argv, changes, target, why_not, host of a native action of
 * kind a->kind from its action object (also used by dialects that rebuild
 * native actions). */
int dialect_fill_native(struct action *a, const struct json *j, json_ref action_obj);

#endif
