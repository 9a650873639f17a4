/*
 * view_help.h - the keys of the view one came from, made of the command rows.
 *
 * Frees: view_help_close(). Does no I/O.
 */
#ifndef OBSTAT_UI_VIEW_HELP_H
#define OBSTAT_UI_VIEW_HELP_H

#include "ui/commands.h"
#include "ui/lines.h"
#include "ui/pager.h"

struct view_help {
	struct lines lines;
	struct pager at;
	int body_h;
};
void view_help_open(struct view_help *v, unsigned view);
void view_help_close(struct view_help *v);
void view_help_draw(struct view_help *v, struct frame *f, int bottom);
bool view_help_cmd(struct view_help *v, int w, enum cmd c);

#endif
