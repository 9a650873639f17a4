/*
 * model.h - what the views are given to draw: plain data, filled by console/
 * from the hub's messages. Views read it, emit commands, and do no I/O.
 *
 * All text is clean (escaped by the hub; frame.c checks it again). Times are
 * clock_boot_ms() of this console; 0 means none.
 *
 * Hides: nothing. Frees: whoever filled it.
 * Must not include: views, anything of a terminal.
 */
#ifndef OBSTAT_UI_MODEL_H
#define OBSTAT_UI_MODEL_H

#include "model/life.h"
#include "ui/wrap.h"

struct ui_row {
	uint64_t id;
	char *kind, *channel, *session, *subagent, *tool, *text, *why, *rule;
	char *why_not, *verb, *reason, *confirm, *outcome, *grade, *by_name, *by_console;
	int64_t by_uid;
	enum state state;
	enum care care;
	bool ready, approvable, warn, can_reason;
	bool mine;              /* decided by this console */
	bool looked;            /* stood under the cursor since it was closed */
	uint64_t since, expires_at, linked;
	uint32_t lines;
};

struct ui_session {
	char *channel, *session, *workspace, *why;
	bool red;
	uint32_t calls, passed, asked;
};

struct ui_hub {
	bool connected, ever;   /* ever: it was, before */
	bool hold;
	uint32_t uid;           /* who we are to it */
	uint32_t refused;
	char *name, *console, *setup; /* setup: "same_user", "split_user" */
	char *warning;          /* what is wrong until it is mended, or NULL */
	char *store, *text;     /* what troubles it, or NULL */
};

/* One logical line, with its wrapping kept for the last width. */
struct ui_line {
	enum doc_line_kind kind;
	uint32_t old_no, new_no;
	struct span *spans;
	size_t n_spans;
	struct wrap wrap;
};

/* Lines by number; get() returns NULL for one that is not here (yet). */
struct line_source {
	uint32_t total;
	uint32_t max_no;        /* largest line number seen, for the gutter */
	struct ui_line *(*get)(void *arg, uint32_t line);
	void *arg;
};

struct ui_mark {
	uint32_t line;
	char *label;
};
struct ui_evidence {
	char *path, *real, *state, *git, *digest;
	int64_t size;
};
struct ui_action {
	uint64_t id;
	bool loaded;            /* action/get has been answered */
	bool gone;              /* the hub does not know it (any more) */
	char *kind, *tool, *cwd, *target, *workspace, *reversibility, *why_rev, *exe,
		*setup, *grade, *dialect, *session, *session_title, *turn, *subagent,
		*task, *title, *words;
	int64_t peer_uid, peer_pid;
	char *raw_digest, *action_digest, *doc_digest;
	uint32_t lines;
	struct ui_mark *files, *hunks;
	size_t n_files, n_hunks;
	uint32_t hidden;        /* all hidden characters and bytes */
	char *hidden_text;      /* "2 control, 1 bidi", or NULL */
	struct ui_evidence *evidence;
	size_t n_evidence;
	char *presence;         /* who else looks at it, or NULL */
};

#endif
