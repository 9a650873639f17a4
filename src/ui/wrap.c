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

void wrap_line(struct wrap *w, const struct span *spans, size_t n, int width)
{
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
			if (used > 0 && used + cells > width) {
				seg_add(w, i, from, at);
				row_begin(w);
				from = at;
				used = 0;
			}
			used += cells;
			at += len;
		}
		seg_add(w, i, from, at);
	}
	w->rows[w->n_rows] = (uint32_t)w->n_segs;
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
