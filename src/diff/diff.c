/*
 * diff.c - what is compared, at what cost, and the hunks that come of it.
 *
 * Common ends are left out; what is left is walked, and where that fails cut
 * at anchors; each piece goes to libgit2. A piece whose worst case is more than what is left of the
 * cost is shown as replaced whole: true, if not the shortest account. The cost
 * is counted in steps, not in time, so that equal input gives equal hunks.
 */
#include "diff/diff_priv.h"

#include <stdlib.h>
#include <string.h>

#define BINARY_LOOK 8000
/* Below so many lines a piece is not cut: libgit2 is fast enough. */
#define CUT_LINES 20000u
/* About five seconds of libgit2 at its worst. */
#define COST_MAX ((uint64_t)400 * 1000 * 1000)

void diff_free(struct diff **dp)
{
	if (*dp == NULL)
		return;
	free((*dp)->hunks);
	free((*dp)->lines);
	free(*dp);
	*dp = NULL;
}

bool diff_looks_binary(struct sv s)
{
	return s.n > 0 && memchr(s.p, 0, s.n < BINARY_LOOK ? s.n : BINARY_LOOK) != NULL;
}

struct sv diff_text(const struct diff *d, const struct diff_line *l)
{
	const struct sv *side = l->origin == '-' ? &d->old : &d->new_;

	return (struct sv){ side->p + l->offset, l->len };
}

/* ---- what is compared ---- */

static struct sv part(struct sv s, size_t from, size_t to)
{
	return (struct sv){ s.p + from, to - from };
}

static size_t common_head(struct sv a, struct sv b)
{
	size_t n = a.n < b.n ? a.n : b.n, i = 0;

	while (n - i >= 4096 && memcmp(a.p + i, b.p + i, 4096) == 0)
		i += 4096;
	while (i < n && a.p[i] == b.p[i])
		i++;
	return i;
}

static size_t common_tail(struct sv a, struct sv b)
{
	size_t n = a.n < b.n ? a.n : b.n, i = 0;

	while (n - i >= 4096 &&
	    memcmp(a.p + a.n - i - 4096, b.p + b.n - i - 4096, 4096) == 0)
		i += 4096;
	while (i < n && a.p[a.n - i - 1] == b.p[b.n - i - 1])
		i++;
	return i;
}

/* Lines kept at the ends, so that a change can still be moved to where it
 * reads best. */
#define MARGIN 100

/* Bytes of whole lines at the head of both that need not be looked at. */
static size_t skip_head(struct sv old, struct sv new_)
{
	size_t at = common_head(old, new_);

	for (unsigned i = 0; i < MARGIN + 1; i++) {
		const char *nl = at > 0 ? memrchr(old.p, '\n', at) : NULL;

		if (nl == NULL)
			return 0;
		at = (size_t)(nl - old.p);
	}
	return at + 1;
}

/* The same at the tail. */
static size_t skip_tail(struct sv old, struct sv new_)
{
	size_t left = common_tail(old, new_);

	for (unsigned i = 0; i < MARGIN + 1; i++) {
		const char *from = old.p + (old.n - left);
		const char *nl = left > 0 ? memchr(from, '\n', left) : NULL;

		if (nl == NULL)
			return 0;
		left -= (size_t)(nl - from) + 1;
	}
	return left;
}

struct work {
	struct diff_changes out;
	uint64_t cost;             /* left */
};

/* libgit2's worst case grows as lines times their square root. */
static uint64_t worst_case(uint64_t lines)
{
	uint64_t root = 1;

	while (root * root < lines)
		root++;
	return lines * root;
}

static int compare_piece(struct work *w, struct sv old, struct sv new_,
	uint32_t old_line, uint32_t new_line, struct err *e)
{
	uint32_t n_old, n_new;
	uint64_t cost;

	if (sv_eq(old, new_))
		return 0;
	n_old = diff_count_lines(old);
	n_new = diff_count_lines(new_);
	cost = worst_case(n_old > n_new ? n_old : n_new);
	if (cost > w->cost || n_old == 0 || n_new == 0) {
		diff_change_add(&w->out, (struct diff_change){ old_line, n_old,
			new_line, n_new });
		return 0;
	}
	w->cost -= cost;
	return diff_git(old, new_, old_line, new_line, &w->out, e);
}

static int compare_cut(struct work *w, struct sv old, struct sv new_,
	uint32_t old_line, uint32_t new_line, struct err *e)
{
	struct diff_anchor from = { 0, 0, 0, 0 }, *a = NULL;
	size_t n = 0;
	int r = 0;

	if (diff_count_lines(old) > CUT_LINES || diff_count_lines(new_) > CUT_LINES)
		a = diff_anchors(old, new_, &n);
	for (size_t i = 0; r == 0 && i <= n; i++) {
		struct diff_anchor to = { old.n, new_.n, 0, 0 };

		if (i < n)
			to = a[i];
		r = compare_piece(w, part(old, from.old_at, to.old_at),
			part(new_, from.new_at, to.new_at), old_line + from.old_line,
			new_line + from.new_line, e);
		from = to;
	}
	free(a);
	return r;
}

static int compare_area(struct work *w, const struct diff_walk *at,
	const struct diff_area *a, struct err *e)
{
	struct sv old = part(at->old, a->old_from, a->old_to);
	struct sv new_ = part(at->new_, a->new_from, a->new_to);

	if (a->rest)
		return compare_cut(w, old, new_, a->c.old, a->c.new_, e);
	/* Nothing in it to be found the same. */
	if (a->c.n_old == 0 || a->c.n_new == 0 || (a->c.n_old == 1 && a->c.n_new == 1)) {
		diff_change_add(&w->out, a->c);
		return 0;
	}
	return compare_piece(w, old, new_, a->c.old, a->c.new_, e);
}

static int compare(struct work *w, struct sv old, struct sv new_, uint32_t line,
	struct err *e)
{
	struct diff_walk walk = { old, new_, 0, 0, line, line };
	struct diff_area a;
	int r = 0;

	if (diff_count_lines(old) <= CUT_LINES && diff_count_lines(new_) <= CUT_LINES)
		return compare_piece(w, old, new_, line, line, e);
	while (r == 0 && diff_walk_next(&walk, &a))
		r = compare_area(w, &walk, &a, e);
	return r;
}

/* ---- hunks ---- */

struct cursor {
	struct sv buf;
	size_t at;
	uint32_t line, lines;
};

/* Forward to line no. */
static void cursor_to(struct cursor *c, uint32_t no)
{
	while (c->line < no) {
		const char *nl = memchr(c->buf.p + c->at, '\n', c->buf.n - c->at);

		c->at = nl != NULL ? (size_t)(nl - c->buf.p) + 1 : c->buf.n;
		c->line++;
	}
}

struct build {
	struct diff *d;
	size_t cap_hunks, cap_lines, max_lines;
	struct cursor old, new_;
};

static bool add_line(struct build *b, char origin)
{
	struct diff *d = b->d;
	struct cursor *c = origin == '-' ? &b->old : &b->new_;
	const char *nl = memchr(c->buf.p + c->at, '\n', c->buf.n - c->at);

	if (d->n_lines >= b->max_lines)
		return false;
	if (d->n_lines == b->cap_lines) {
		b->cap_lines = b->cap_lines + b->cap_lines / 2 + 64;
		d->lines = xreallocarray(d->lines, b->cap_lines, sizeof(*d->lines));
	}
	d->lines[d->n_lines++] = (struct diff_line){
		.old_no = origin != '+' ? b->old.line + 1 : 0,
		.new_no = origin != '-' ? b->new_.line + 1 : 0,
		.offset = (uint32_t)c->at,
		.len = (uint32_t)((nl != NULL ? (size_t)(nl - c->buf.p) : c->buf.n) - c->at),
		.origin = origin, .no_eol = nl == NULL };
	if (origin != '+')
		cursor_to(&b->old, b->old.line + 1);
	if (origin != '-')
		cursor_to(&b->new_, b->new_.line + 1);
	d->added += origin == '+';
	d->deleted += origin == '-';
	return true;
}

/* The changes [first, last] with lines from old line `from` to before `to`. */
static bool add_hunk(struct build *b, const struct diff_change *first,
	const struct diff_change *last, uint32_t from, uint32_t to)
{
	struct diff *d = b->d;
	struct diff_hunk *h;
	bool ok = true;

	if (d->n_hunks == b->cap_hunks) {
		b->cap_hunks = b->cap_hunks + b->cap_hunks / 2 + 16;
		d->hunks = xreallocarray(d->hunks, b->cap_hunks, sizeof(*d->hunks));
	}
	h = &d->hunks[d->n_hunks++];
	cursor_to(&b->old, from);
	cursor_to(&b->new_, first->new_ - (first->old - from));
	*h = (struct diff_hunk){ b->old.line, 0, b->new_.line, 0,
		(uint32_t)d->n_lines, 0 };
	for (const struct diff_change *c = first; ok && c <= last; c++) {
		while (ok && b->old.line < c->old)
			ok = add_line(b, ' ');
		for (uint32_t i = 0; ok && i < c->n_old; i++)
			ok = add_line(b, '-');
		for (uint32_t i = 0; ok && i < c->n_new; i++)
			ok = add_line(b, '+');
	}
	while (ok && b->old.line < to)
		ok = add_line(b, ' ');
	h->n_lines = (uint32_t)d->n_lines - h->first_line;
	h->old_count = b->old.line - h->old_start;
	h->new_count = b->new_.line - h->new_start;
	/* A side without lines names the line before it, from 1. */
	h->old_start += h->old_count > 0;
	h->new_start += h->new_count > 0;
	return ok;
}

static bool make_hunks(struct build *b, const struct diff_changes *cs,
	uint32_t context)
{
	bool ok = true;

	for (size_t i = 0, k; ok && i < cs->n; i = k + 1) {
		uint32_t from, end, to;

		for (k = i; k + 1 < cs->n && cs->c[k + 1].old -
		    (cs->c[k].old + cs->c[k].n_old) <= (uint64_t)context * 2; k++)
			;
		from = cs->c[i].old > context ? cs->c[i].old - context : 0;
		end = cs->c[k].old + cs->c[k].n_old;
		to = b->old.lines - end > context ? end + context : b->old.lines;
		ok = add_hunk(b, &cs->c[i], &cs->c[k], from, to);
	}
	return ok;
}

struct diff *diff_new(struct sv old, struct sv new_, unsigned context,
	size_t max_lines, struct err *e)
{
	struct work w = { .cost = COST_MAX };
	struct build b = { .max_lines = max_lines };
	size_t head, tail;
	int r;

	if (old.n > DIFF_MAX_BYTES || new_.n > DIFF_MAX_BYTES) {
		err_set(e, "diff_size", "too large to compare");
		return NULL;
	}
	b.d = xcalloc(1, sizeof(*b.d));
	b.d->old = (struct sv){ old.p != NULL ? old.p : "", old.n };
	b.d->new_ = (struct sv){ new_.p != NULL ? new_.p : "", new_.n };
	if (sv_eq(old, new_)) {
		b.d->same = true;
		return b.d;
	}
	b.old = (struct cursor){ b.d->old, 0, 0, diff_count_lines(b.d->old) };
	b.new_ = (struct cursor){ b.d->new_, 0, 0, diff_count_lines(b.d->new_) };
	head = skip_head(b.d->old, b.d->new_);
	tail = skip_tail(part(b.d->old, head, old.n), part(b.d->new_, head, new_.n));
	r = compare(&w, part(b.d->old, head, old.n - tail),
		part(b.d->new_, head, new_.n - tail),
		diff_count_lines(part(b.d->old, 0, head)), e);
	if (r == 0 && !make_hunks(&b, &w.out, context < DIFF_ALL ? context : DIFF_ALL))
		r = err_set(e, "diff_lines", "too many lines to compare");
	free(w.out.c);
	if (r != 0)
		diff_free(&b.d);
	return b.d;
}
