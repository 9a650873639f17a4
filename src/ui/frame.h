/*
 * frame.h - a screenful of cells: what a view draws into, and what a terminal
 * is given.
 *
 * Coordinates are cells, (0, 0) top left. A cell holds one grapheme cluster
 * and one role (no colour: the theme turns roles into looks). A wide grapheme
 * takes two cells; the right one has width 0. Drawing is clipped to the frame.
 *
 * Hides: nothing of a terminal. Frees: frame_free().
 * Must not include: any library of a terminal.
 *
 * This is the last gate before the screen: a grapheme that the escaper would
 * not let stand is drawn as U+FFFD in role "escape", whoever asked for it.
 */
#ifndef OBSTAT_UI_FRAME_H
#define OBSTAT_UI_FRAME_H

#include "base/mem.h"
#include "model/doc.h"

#define CELL_BYTES 30
struct cell {
	char g[CELL_BYTES]; /* n bytes of UTF-8, no NUL */
	uint8_t n;
	uint8_t w;          /* 1, 2; 0: the right half of the cell to the left */
	uint8_t role;
};
struct frame {
	int w, h;
	int cx, cy;         /* where the terminal's cursor stands; cx < 0: hidden */
	struct cell *cells;
};

void frame_init(struct frame *f, int w, int h);
void frame_resize(struct frame *f, int w, int h); /* contents are cleared */
void frame_free(struct frame *f);
void frame_clear(struct frame *f);                /* blanks in role TEXT */
struct cell *frame_at(struct frame *f, int x, int y);
/* Draws s from x, at most max cells (less at the frame's edge). Returns the
 * cells used. Nothing marks what did not fit: see frame_label(). */
int frame_text(struct frame *f, int x, int y, int max, enum role r, struct sv s);
/* The same, and a "…" in the last cell when s did not fit. */
int frame_label(struct frame *f, int x, int y, int max, enum role r, struct sv s);
/* Right-aligned so that it ends before x_end; returns where it begins. */
int frame_right(struct frame *f, int x_end, int y, int max, enum role r, struct sv s);
int frame_s(struct frame *f, int x, int y, int max, enum role r, const char *s);
/* n cells of glyph (one cell wide). */
void frame_fill(struct frame *f, int x, int y, int n, enum role r, const char *glyph);
/* Gives every cell of the row part this role. */
void frame_paint(struct frame *f, int x, int y, int n, enum role r);
/* Puts all of from at (x, y), as far as there is room for it. */
void frame_put(struct frame *to, int x, int y, const struct frame *from);
bool frame_eq(const struct frame *a, const struct frame *b);
void frame_copy(struct frame *to, const struct frame *from);
/*
 * The golden form: each row twice, "|glyphs|" and then "|role letters|" (one
 * letter a cell, the right half of a wide glyph has its letter too), LF after
 * each. A last line "cursor X Y" when it is shown.
 */
int frame_dump(const struct frame *f, struct buf *out);

#endif
