/*
 * sessions.h - what is known of an agent's session: its workspace, taken
 * once, and whether calls ran that never came through here.
 *
 * Hides: the table; the oldest idle session goes when there are too many.
 * Must not include: ui, console, cli.
 */
#ifndef OBSTAT_HUB_SESSIONS_H
#define OBSTAT_HUB_SESSIONS_H

#include "hub/core.h"

#define SESSIONS_MAX 256
#define SESSION_CALLS 4096   /* call ids remembered */

struct session {
	struct session *next;
	struct hub *hub;
	struct channel *channel;
	char *id;
	char *title, *task, *parent; /* as its hello claims; NULL none */
	char *start;                 /* where it begins, absolute; NULL: where its
	                              * first request says */
	char *workspace;             /* resolved; NULL not known yet */
	bool have_workspace;         /* looked for (also when there is none) */
	bool red;
	bool held;                   /* Claude's managed hooks stood at its start */
	bool graded;                 /* held was looked for */
	char why[128];
	uint64_t n_calls, n_passed, n_asked;
	uint64_t *calls;             /* ring of hashes of call ids */
	size_t calls_n, calls_at;
	uint64_t last_used;
	unsigned reqs;               /* requests that point here */
	/* WORKSPACE/.obstat/rules as last read */
	struct ruleset *rules;
	struct digest rules_digest;
	bool have_rules, rules_broken;
};
struct session *session_get(struct hub *h, struct channel *ch, struct sv id);
/* What a hello says of it; on record when it is new. */
struct session_said {
	struct sv title, task, parent, cwd;
};
void session_hello(struct session *s, const struct session_said *said,
	const struct peer *peer);
void session_call(struct session *s, struct sv call);        /* came through */
bool session_has_call(const struct session *s, struct sv call);
void session_started(struct session *s);
/* Looks once a start whether Claude Code's managed hooks stand as they must:
 * the session is held then, and asked otherwise. */
void session_grade(struct session *s);
/* A call ran: red when it did not come through here. True if it just turned. */
bool session_ran(struct session *s, struct sv call);
/* It was denied; and: it ran all the same (true if it just turned red). */
void session_denied(struct session *s, struct sv call);
bool session_denied_ran(struct session *s, struct sv call);
void session_workspace(struct session *s, struct sv resolved);
/* What the last hub knew: REC_SESSION and REC_PAST_GATE. */
void session_restore(struct hub *h, const struct rec_view *v);
/* The file as read; bytes n 0 and have false: there is none. */
void session_rules(struct session *s, bool have, struct sv bytes, bool readable);
void sessions_free(struct hub *h);

#endif
