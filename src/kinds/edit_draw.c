/*
 * edit_draw.c - differences as lines: a gutter of ours, then the line's text,
 * escaped whole, with the words that changed.
 */
#include "kinds/edit_priv.h"

#include <stdio.h>
#include <string.h>

#include "base/i18n.h"

/* Steps spent on word changes in one difference; past it lines are marked as
 * lines only. */
#define WORDS_COST_MAX (40u << 20)

static const struct {
	enum role line, word;
	const char *gutter;
	const char *file_end, *part_end;   /* without a newline there */
} sides[] = {
	[0] = { ROLE_CONTEXT, ROLE_CONTEXT, " ",
		N_("the file ends without a newline"), NULL },
	[1] = { ROLE_ADD, ROLE_ADD_WORD, "+",
		N_("the new file ends without a newline"),
		N_("the new text ends without a newline") },
	[2] = { ROLE_DEL, ROLE_DEL_WORD, "-",
		N_("the old file ends without a newline"),
		N_("the old text ends without a newline") },
};

static size_t side_of(char origin)
{
	return origin == '+' ? 1 : origin == '-' ? 2 : 0;
}

static void begin(struct view *v, char origin, uint32_t old_no, uint32_t new_no)
{
	size_t s = side_of(origin);

	doc_line(v->d, LINE_PAYLOAD);
	doc_lineno(v->d, old_no, new_no);
	doc_span(v->d, sides[s].line, (struct sv){ sides[s].gutter, 1 });
}

static void say_no_eol(struct view *v, char origin, bool file)
{
	size_t s = side_of(origin);

	const char *text = file ? sides[s].file_end : sides[s].part_end;

	if (text != NULL)
		view_ours(v, ROLE_HUNK, _(text));
}

struct drawing {
	struct view *v;
	const struct diff *d;
	bool numbers, say_end;
	uint32_t cost;
};

static void draw_line(struct drawing *g, const struct diff_line *l,
	const struct word_range *r, size_t n)
{
	size_t s = side_of(l->origin);
	struct role_run runs[2 * 64 + 1];
	size_t k = 0;

	begin(g->v, l->origin, g->numbers ? l->old_no : 0, g->numbers ? l->new_no : 0);
	for (size_t i = 0; i < n; i++) {
		runs[k++] = (struct role_run){ r[i].from, sides[s].line };
		runs[k++] = (struct role_run){ r[i].to, sides[s].word };
	}
	runs[k++] = (struct role_run){ l->len, sides[s].line };
	doc_span_runs(g->v->d, runs, k, diff_text(g->d, l), ESC_CODE, l->offset);
	if (l->no_eol && g->say_end)
		say_no_eol(g->v, l->origin, g->numbers);
}

/* Draws lines [i, end), all of one side; pair: the first line of the other
 * side of the same change, n_pair of them. */
static void draw_run(struct drawing *g, size_t i, size_t end, size_t pair,
	size_t n_pair)
{
	const struct diff_line *l = g->d->lines;
	struct word_diff w;
	size_t first = i, run;
	bool add = i < end && l[i].origin == '+';

	while (i < end && !doc_over(g->v->d)) {
		for (run = 0; i + run < end && l[i + run].len == 0; run++)
			;
		if (run >= 3 && l[i].origin != ' ') {
			begin(g->v, l[i].origin, g->numbers ? l[i].old_no : 0,
				g->numbers ? l[i].new_no : 0);
			doc_text_fold(g->v->d, (uint32_t)run, l[i].offset);
			i += run;
			continue;
		}
		w.n_old = w.n_new = 0;
		if (i - first < n_pair && g->cost < WORDS_COST_MAX) {
			const struct diff_line *o = &l[pair + (i - first)];

			if (!diff_words(diff_text(g->d, add ? o : &l[i]),
			    diff_text(g->d, add ? &l[i] : o), &w))
				w.n_old = w.n_new = 0;
			g->cost += w.cost;
		}
		draw_line(g, &l[i], add ? w.new_ : w.old, add ? w.n_new : w.n_old);
		i++;
	}
}

static size_t run_end(const struct diff *d, size_t i, size_t end)
{
	char origin = d->lines[i].origin;

	while (i < end && d->lines[i].origin == origin)
		i++;
	return i;
}

static void draw_hunk(struct drawing *g, const struct diff_hunk *h)
{
	size_t i = h->first_line, end = i + h->n_lines;

	while (i < end && !doc_over(g->v->d)) {
		size_t mid = run_end(g->d, i, end), last = mid;

		if (g->d->lines[i].origin == '-' && mid < end &&
		    g->d->lines[mid].origin == '+')
			last = run_end(g->d, mid, end);
		draw_run(g, i, mid, mid, last - mid);
		if (last > mid)
			draw_run(g, mid, last, i, mid - i);
		i = last;
	}
}

static bool ends(struct sv s)
{
	return s.n == 0 || s.p[s.n - 1] == '\n';
}

bool edit_ends_differ(struct sv old, struct sv new_)
{
	return ends(old) != ends(new_);
}

void edit_draw_diff(struct view *v, const struct diff *d, bool numbers)
{
	struct drawing g = { v, d, numbers, numbers || edit_ends_differ(d->old, d->new_), 0 };
	char text[80];
	int n;

	for (size_t i = 0; i < d->n_hunks && !doc_over(v->d); i++) {
		const struct diff_hunk *h = &d->hunks[i];

		if (numbers) {
			n = snprintf(text, sizeof(text), "@@ -%u,%u +%u,%u @@",
				(unsigned)h->old_start, (unsigned)h->old_count,
				(unsigned)h->new_start, (unsigned)h->new_count);
			view_ours(v, ROLE_HUNK, text);
			doc_mark(v->d, MARK_HUNK, (struct sv){ text, (size_t)n });
		}
		draw_hunk(&g, h);
	}
}

void edit_draw_side(struct view *v, char origin, struct sv text, bool numbers,
	bool say_end)
{
	enum role r = sides[side_of(origin)].line;
	size_t at = 0, run;
	uint32_t no = 1;

	while (at < text.n && !doc_over(v->d)) {
		const char *nl = memchr(text.p + at, '\n', text.n - at);
		size_t len = nl != NULL ? (size_t)(nl - (text.p + at)) : text.n - at;

		begin(v, origin, numbers && origin != '+' ? no : 0,
			numbers && origin != '-' ? no : 0);
		for (run = 0; at + run < text.n && text.p[at + run] == '\n'; run++)
			;
		if (run >= 3) {
			doc_text_fold(v->d, (uint32_t)run, at);
			at += run;
			no += (uint32_t)run;
			continue;
		}
		doc_span_raw(v->d, r, (struct sv){ text.p + at, len }, ESC_CODE, at);
		at += len + (nl != NULL);
		no++;
		if (nl == NULL && say_end)
			say_no_eol(v, origin, numbers);
	}
}
