/*
 * view_queue.h - the list of what waits.
 *
 * The cursor is an id, never a row number: rows may come, go and change
 * places, and it stays on its action. When its action leaves, the cursor is on
 * nothing, so that a key meant for that action meets no other.
 *
 * Order: care (locked, two, confirm, read, glance), then what is about to expire,
 * then age, oldest first; those whose agent is
 * gone, then closed ones, at the end. At most QUEUE_PER_SESSION rows of a session are
 * shown until it is unfolded.
 *
 * Hides: layout. Frees: view_queue_free(). Does no I/O.
 */
#ifndef OBSTAT_UI_VIEW_QUEUE_H
#define OBSTAT_UI_VIEW_QUEUE_H

#include "ui/commands.h"
#include "ui/frame.h"
#include "ui/model.h"
#include "ui/pager.h"

#define QUEUE_PER_SESSION 5

struct ui_queue {
	const struct ui_row *const *rows;   /* in any order */
	size_t n;
	const struct ui_session *sessions;
	size_t n_sessions;
	const struct ui_hub *hub;
	uint64_t now;
	const char *clock;                  /* "14:02" */
	const struct line_source *preview;  /* of the row under the cursor; or NULL */
	const char *words;                  /* its agent's words, or NULL */
};

struct queue_entry {
	const struct ui_row *row;   /* NULL: a fold line */
	uint32_t folded;
	bool past;                  /* the fold line of those that are closed */
};
struct view_queue {
	uint64_t cursor;            /* id, 0: on nothing */
	size_t pos, top;            /* where it was; first entry on the screen */
	struct queue_entry *entries;
	size_t n, cap;
	char **unfolded;            /* "channel\nsession" */
	size_t n_unfolded;
	int page;                   /* rows of the list at the last draw */
	struct shown preview;       /* lines of the preview in it */
	bool whole;                 /* all of the document stood in the preview */
};

void view_queue_free(struct view_queue *v);
/* Orders and folds; called by draw and cmd too. */
void view_queue_layout(struct view_queue *v, const struct ui_queue *m);
/* bottom rows are left free for a prompt or the hint bar. */
void view_queue_draw(struct view_queue *v, const struct ui_queue *m, struct frame *f,
	int bottom);
/* Carries out what only moves the cursor or folds; false: not such a command. */
bool view_queue_cmd(struct view_queue *v, const struct ui_queue *m, enum cmd c);
const struct ui_row *view_queue_row(const struct view_queue *v); /* or NULL */

#endif
