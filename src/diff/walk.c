/*
 * walk.c - two large buffers side by side: over what is equal at the speed of
 * memcmp(), and around what is not to where the same lines go on.
 *
 * Why: of a million lines a few thousand differ, each change a few lines long.
 * Nothing has to be known of the lines between (anchor.c would hash them all).
 * What this cannot place within WINDOW lines is left to the others.
 */
#include <string.h>

#include "diff/diff_priv.h"

#define WINDOW 64             /* lines a change may have on either side */
#define RUN DIFF_WALK_RUN
#define RUN_BYTES 40          /* fewer say too little: braces, blank lines */

struct window {
	struct sv buf;
	size_t start[WINDOW + RUN + 1];   /* of each line, and where the last ends */
	unsigned n;                       /* lines */
	bool whole;                       /* the buffer ends with them */
};

static size_t equal_bytes(const char *a, const char *b, size_t n)
{
	size_t i = 0;
	uint64_t x, y;

	while (n - i >= 4096 && memcmp(a + i, b + i, 4096) == 0)
		i += 4096;
	for (; n - i >= sizeof(x); i += sizeof(x)) {
		memcpy(&x, a + i, sizeof(x));
		memcpy(&y, b + i, sizeof(y));
		if (x != y)
			break;
	}
	while (i < n && a[i] == b[i])
		i++;
	return i;
}

/* To the beginning of the first line that differs; false when none does. */
static bool forward(struct diff_walk *w)
{
	const char *a = w->old.p + w->old_at, *b = w->new_.p + w->new_at, *nl;
	size_t left_a = w->old.n - w->old_at, left_b = w->new_.n - w->new_at;
	size_t n = equal_bytes(a, b, left_a < left_b ? left_a : left_b);
	uint32_t lines;

	if (n == left_a && n == left_b)
		return false;
	nl = n > 0 ? memrchr(a, '\n', n) : NULL;
	n = nl != NULL ? (size_t)(nl - a) + 1 : 0;
	lines = diff_count_lines((struct sv){ a, n });
	w->old_at += n;
	w->new_at += n;
	w->old_line += lines;
	w->new_line += lines;
	return true;
}

static void window_fill(struct window *v, struct sv buf, size_t at)
{
	v->buf = buf;
	v->start[0] = at;
	for (v->n = 0; v->n < WINDOW + RUN && at < buf.n; v->n++) {
		const char *nl = memchr(buf.p + at, '\n', buf.n - at);

		at = nl != NULL ? (size_t)(nl - buf.p) + 1 : buf.n;
		v->start[v->n + 1] = at;
	}
	v->whole = at == buf.n;
}

/* RUN lines are the same from line i on the one side and j on the other; or
 * all that are left, on both. */
static bool same_run(const struct window *a, unsigned i, const struct window *b,
	unsigned j, unsigned *run)
{
	size_t from = a->start[i];

	for (*run = 0; *run < RUN; (*run)++, i++, j++) {
		size_t n;

		if (i == a->n || j == b->n)
			return i == a->n && j == b->n && a->whole && b->whole;
		n = a->start[i + 1] - a->start[i];
		if (n != b->start[j + 1] - b->start[j] ||
		    memcmp(a->buf.p + a->start[i], b->buf.p + b->start[j], n) != 0)
			return false;
	}
	return a->start[i] - from >= RUN_BYTES;
}

/* The shortest way, in lines of both sides, to where they go on together. */
static bool together(const struct window *a, const struct window *b, unsigned *i,
	unsigned *j, unsigned *run)
{
	for (unsigned s = 1; s <= a->n + b->n; s++)
		for (*i = s > b->n ? s - b->n : 0; *i <= s && *i <= a->n; (*i)++) {
			*j = s - *i;
			if (*i <= WINDOW && *j <= WINDOW && same_run(a, *i, b, *j, run))
				return true;
		}
	return false;
}

bool diff_walk_next(struct diff_walk *w, struct diff_area *out)
{
	struct window a, b;
	unsigned i = 0, j = 0, run = 0;

	if (!forward(w))
		return false;
	*out = (struct diff_area){ .old_from = w->old_at, .new_from = w->new_at,
		.old_to = w->old.n, .new_to = w->new_.n,
		.c = { w->old_line, 0, w->new_line, 0 }, .rest = true };
	window_fill(&a, w->old, w->old_at);
	window_fill(&b, w->new_, w->new_at);
	if (!together(&a, &b, &i, &j, &run)) {
		w->old_at = w->old.n;
		w->new_at = w->new_.n;
		return true;
	}
	out->rest = false;
	out->c.n_old = i;
	out->c.n_new = j;
	/* The lines that follow come along: a change may read better there. */
	out->old_to = w->old_at = a.start[i + run];
	out->new_to = w->new_at = b.start[j + run];
	w->old_line += i + run;
	w->new_line += j + run;
	return true;
}
