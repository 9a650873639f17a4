/*
 * wrap.c - see wrap.h.
 */
#include "ui/wrap.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static void row_begin(struct wrap *w)
{
	if (w->n_rows + 2 > w->cap_rows) { /* one more: the end mark */
		w->cap_rows = w->cap_rows == 0 ? 4 : w->cap_rows * 2;
		w->rows = xreallocarray(w->rows, w->cap_rows, sizeof(*w->rows));
	}
	w->rows[w->n_rows++] = (uint32_t)w->n_segs;
}

static void seg_add(struct wrap *w, size_t span, size_t from, size_t to)
{
	if (from == to)
		return;
	if (w->n_segs == w->cap_segs) {
		w->cap_segs = w->cap_segs == 0 ? 4 : w->cap_segs * 2;
		w->segs = xreallocarray(w->segs, w->cap_segs, sizeof(*w->segs));
	}
	w->segs[w->n_segs++] = (struct wrap_seg){ (uint32_t)span, (uint32_t)from,
		(uint32_t)to };
}

/* Where a row may also end: after a blank. */
struct blank {
	size_t span, at, n_segs; /* n_segs: segments before this span's */
	int cells;               /* of the row up to there; 0: none */
};

/* Breaks at the last blank: what follows it moves to the next row. Returns
 * the cells that moved. */
static int break_at(struct wrap *w, const struct blank *b, size_t span, size_t from, int used)
{
	size_t keep = 0;

	if (b->span == span) { /* still in the segment being made */
		seg_add(w, span, from, b->at);
		row_begin(w);
		return used - b->cells;
	}
	/* Segments of later spans are on this row already: they move whole. */
	struct wrap_seg *s = &w->segs[b->n_segs];
	if (s->to > b->at) { /* cut in two */
		uint32_t end = s->to;
		s->to = (uint32_t)b->at;
		seg_add(w, 0, 0, 1); /* makes room */
		s = &w->segs[b->n_segs];
		memmove(s + 2, s + 1, (w->n_segs - b->n_segs - 2) * sizeof(*s));
		s[1] = (struct wrap_seg){ s->span, (uint32_t)b->at, end };
	}
	keep = b->n_segs + 1;
	row_begin(w);
	w->rows[w->n_rows - 1] = (uint32_t)keep;
	return used - b->cells;
}

static void wrap(struct wrap *w, const struct span *spans, size_t n, int width, bool words)
{
	struct blank blank = { 0, 0, 0, 0 };
	int used = 0;

	w->n_segs = w->n_rows = 0;
	w->width = width;
	row_begin(w);
	for (size_t i = 0; i < n; i++) {
		struct sv s = spans[i].text;
		size_t at = 0, from = 0, len;
		int cells;

		while (at < s.n && (len = grapheme_next(s, at, &cells)) > 0) {
			if (cells < 1) /* drawn as U+FFFD: see frame.c */
				cells = 1;
			if (used > 0 && used + cells > width && words
				&& blank.cells > width / 2) {
				used = break_at(w, &blank, i, from, used);
				if (blank.span == i)
					from = blank.at;
				blank.cells = 0;
			} else if (used > 0 && used + cells > width) {
				seg_add(w, i, from, at);
				row_begin(w);
				from = at;
				used = blank.cells = 0;
			}
			used += cells;
			at += len;
			if (len == 1 && s.p[at - 1] == ' ')
				blank = (struct blank){ i, at, w->n_segs, used };
		}
		seg_add(w, i, from, at);
	}
	w->rows[w->n_rows] = (uint32_t)w->n_segs;
}

void wrap_line(struct wrap *w, const struct span *spans, size_t n, int width)
{
	wrap(w, spans, n, width, false);
}

void wrap_words(struct wrap *w, const struct span *spans, size_t n, int width)
{
	wrap(w, spans, n, width, true);
}

void wrap_row(const struct wrap *w, size_t row, size_t *seg_from, size_t *seg_to)
{
	*seg_from = w->rows[row];
	*seg_to = w->rows[row + 1];
}

void wrap_free(struct wrap *w)
{
	free(w->segs);
	free(w->rows);
	memset(w, 0, sizeof(*w));
}
