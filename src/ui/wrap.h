/*
 * wrap.h - a logical line (spans) to rows of a width. Nothing is ever cut:
 * the rows hold exactly the line's graphemes, in order, each once.
 *
 * Rows break between graphemes, wherever the width is full; a wide grapheme
 * that does not fit begins the next row. A row narrower than one grapheme
 * still takes one, so every width makes progress.
 *
 * Hides: nothing. Frees: wrap_free(). Spans are borrowed and not copied.
 * Must not include: any library of a terminal. Pure.
 */
#ifndef OBSTAT_UI_WRAP_H
#define OBSTAT_UI_WRAP_H

#include "base/mem.h"
#include "model/doc.h"

struct span {
	struct sv text;      /* clean (escaped) */
	enum role role;
};
struct wrap_seg {        /* bytes [from, to) of spans[span] */
	uint32_t span, from, to;
};
struct wrap {
	int width;           /* it was made for; 0: not made */
	struct wrap_seg *segs;
	size_t n_segs, cap_segs;
	uint32_t *rows;      /* row r is segs[rows[r]] .. segs[rows[r + 1]] */
	size_t n_rows, cap_rows;
};

/* Fills w (freeing nothing, reusing its memory). An empty line is one row. */
void wrap_line(struct wrap *w, const struct span *spans, size_t n, int width);
/* The same for sentences: breaks after a blank where there is one in the last
 * half of the row. Nothing is dropped here either. */
void wrap_words(struct wrap *w, const struct span *spans, size_t n, int width);
void wrap_row(const struct wrap *w, size_t row, size_t *seg_from, size_t *seg_to);
void wrap_free(struct wrap *w);

#endif
