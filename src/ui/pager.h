/*
 * pager.h - a window on a line source: wraps, draws and scrolls.
 *
 * A position is (line, row within that line's wrapping). Payload lines stand
 * behind the bar "▌", which payload cannot draw because column 0 is never
 * given to it; the agent's words behind "┊"; our own lines have neither. A
 * continued row has "↪" in the gutter.
 *
 * Hides: widths of gutters. Frees: nothing; struct pager is embedded.
 * Must not include: views.
 */
#ifndef OBSTAT_UI_PAGER_H
#define OBSTAT_UI_PAGER_H

#include "ui/frame.h"
#include "ui/model.h"

struct pager {
	uint32_t line, row;     /* top of the window */
};
/* Rows [row_from, row_to) of line, which has rows rows at this width. */
struct shown_line {
	uint32_t line, row_from, row_to, rows;
};
struct shown {
	struct shown_line lines[1000];
	size_t n;
	bool missing;           /* some of the window is not here yet */
	bool at_end;            /* the last row of the last line is in it */
};

/* Draws rows y .. y + h - 1 of the frame's whole width; moves the top up
 * when there is less below it than fits. shown may be NULL. */
void pager_draw(struct pager *p, const struct line_source *src, struct frame *f, int y,
	int h, struct shown *shown);
/* n rows down (up when negative) at a frame width of w. */
void pager_move(struct pager *p, const struct line_source *src, int w, long n);
void pager_to(struct pager *p, uint32_t line);
void pager_end(struct pager *p, const struct line_source *src);

#endif
