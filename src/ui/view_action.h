/*
 * view_action.h - one action, opened: header, payload, decision bar, hints.
 *
 * Header and bar are drawn first and never leave the screen; the payload has
 * the rest. Down to VIEW_MIN_W x VIEW_MIN_H every line can be reached; below
 * that there is one line of text and nothing can be approved.
 *
 * Hides: layout. Frees: view_action_close(). Does no I/O.
 */
#ifndef OBSTAT_UI_VIEW_ACTION_H
#define OBSTAT_UI_VIEW_ACTION_H

#include "ui/commands.h"
#include "ui/lines.h"
#include "ui/pager.h"

#define VIEW_MIN_W 20
#define VIEW_MIN_H 6

enum action_mode { MODE_DOC, MODE_RAW, MODE_FACTS };
struct ui_opened {
	const struct ui_row *row;        /* as the queue knows it; NULL: gone */
	const struct ui_action *action;
	const struct ui_hub *hub;
	const struct line_source *doc, *raw;
	uint32_t seen;                   /* lines covered */
	bool covered;                    /* all of them */
	uint64_t now;
};
struct view_action {
	enum action_mode mode;
	struct pager doc, raw, facts;
	struct lines facts_lines;
	bool facts_made;
	int body_h;                      /* at the last draw */
	struct shown shown;              /* of the document, at the last draw */
};

void view_action_open(struct view_action *v);
void view_action_close(struct view_action *v);
/* NULL when it could be approved from here and now but for timing; else a
 * short translated reason. */
const char *view_action_blocked(const struct view_action *v, const struct ui_opened *m,
	int w, int h);
void view_action_draw(struct view_action *v, const struct ui_opened *m, struct frame *f,
	int bottom);
/* Carries out what only moves or changes what is shown; false: not such. */
bool view_action_cmd(struct view_action *v, const struct ui_opened *m, int w, enum cmd c);
/* Commands with no use here and now, as bits for the hint bar. */
uint64_t view_action_off(const struct view_action *v, const struct ui_opened *m, int w, int h);
/* The facts as lines (view_facts.c). */
void view_facts_make(struct lines *l, const struct ui_row *r, const struct ui_action *a);

#endif
