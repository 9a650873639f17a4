/*
 * pager.c - see pager.h.
 */
#include "ui/pager.h"

#include <stdio.h>
#include <string.h>

static int digits(uint32_t n)
{
	int d = 1;

	for (; n >= 10; n /= 10)
		d++;
	return d;
}

/* Cells in front of a line's text. */
static int gutter(const struct line_source *src, enum doc_line_kind kind, int w)
{
	int d;

	if (kind != LINE_PAYLOAD)
		return w >= 40 ? 2 : 1;
	if (w < 60 || src->max_no == 0)
		return 2; /* the bar and the continuation mark */
	d = digits(src->max_no);
	return 3 + (d < 3 ? 3 : d);
}

static uint32_t rows_of(const struct line_source *src, uint32_t line, int w)
{
	struct ui_line *l = src->get(src->arg, line);
	int width;

	if (l == NULL)
		return 1;
	width = w - gutter(src, l->kind, w);
	if (width < 1)
		width = 1;
	if (l->wrap.width != width && l->kind == LINE_PAYLOAD)
		wrap_line(&l->wrap, l->spans, l->n_spans, width);
	else if (l->wrap.width != width)
		wrap_words(&l->wrap, l->spans, l->n_spans, width);
	return (uint32_t)l->wrap.n_rows;
}

static bool step_down(struct pager *p, const struct line_source *src, int w)
{
	if (p->line >= src->total)
		return false;
	if (p->row + 1 < rows_of(src, p->line, w)) {
		p->row++;
		return true;
	}
	if (p->line + 1 >= src->total)
		return false;
	p->line++;
	p->row = 0;
	return true;
}

static bool step_up(struct pager *p, const struct line_source *src, int w)
{
	if (p->row > 0) {
		p->row--;
		return true;
	}
	if (p->line == 0)
		return false;
	p->line--;
	p->row = rows_of(src, p->line, w) - 1;
	return true;
}

void pager_move(struct pager *p, const struct line_source *src, int w, long n)
{
	for (; n > 0 && step_down(p, src, w); n--)
		;
	for (; n < 0 && step_up(p, src, w); n++)
		;
}

void pager_to(struct pager *p, uint32_t line)
{
	p->line = line;
	p->row = 0;
}

void pager_end(struct pager *p, const struct line_source *src)
{
	pager_to(p, src->total > 0 ? src->total - 1 : 0);
}

/* The top must stand inside the source, and not so low that rows stay empty. */
static void settle(struct pager *p, const struct line_source *src, int w, int h)
{
	struct pager q;
	int have = 1;

	if (p->line >= src->total)
		pager_end(p, src);
	if (src->total == 0)
		return;
	if (p->row >= rows_of(src, p->line, w))
		p->row = rows_of(src, p->line, w) - 1;
	for (q = *p; have < h && step_down(&q, src, w); have++)
		;
	if (have < h)
		pager_move(p, src, w, -(long)(h - have));
}

static void draw_gutter(const struct line_source *src, const struct ui_line *l,
	uint32_t row, struct frame *f, int y, int g)
{
	char no[16];
	uint32_t n = l->new_no != 0 ? l->new_no : l->old_no;

	if (l->kind == LINE_PAYLOAD)
		frame_s(f, 0, y, 1, ROLE_BAR, "▌");
	else if (l->kind == LINE_WORDS)
		frame_s(f, 0, y, 1, ROLE_CHROME_DIM, "┊");
	if (row > 0) {
		frame_s(f, g > 1 ? g - (g > 2 ? 2 : 1) : 0, y, 1, ROLE_CHROME_DIM, "↪");
	} else if (n != 0 && g > 3 && l->kind == LINE_PAYLOAD) {
		snprintf(no, sizeof(no), "%u", n);
		frame_right(f, g - 1, y, g - 2, ROLE_LINENO, sv_of(no));
	}
	(void)src;
}

static void draw_row(const struct line_source *src, const struct ui_line *l, uint32_t row,
	struct frame *f, int y)
{
	int x = gutter(src, l->kind, f->w);
	size_t from, to;

	draw_gutter(src, l, row, f, y, x);
	wrap_row(&l->wrap, row, &from, &to);
	for (size_t i = from; i < to; i++) {
		const struct wrap_seg *s = &l->wrap.segs[i];
		const struct span *sp = &l->spans[s->span];

		x += frame_text(f, x, y, f->w - x, sp->role,
			(struct sv){ sp->text.p + s->from, s->to - s->from });
	}
}

static void note(struct shown *shown, uint32_t line, uint32_t row, uint32_t rows)
{
	struct shown_line *last = shown->n > 0 ? &shown->lines[shown->n - 1] : NULL;

	if (last != NULL && last->line == line) {
		last->row_to = row + 1;
	} else if (shown->n < sizeof(shown->lines) / sizeof(shown->lines[0])) {
		shown->lines[shown->n++] = (struct shown_line){ line, row, row + 1, rows };
	}
}

void pager_draw(struct pager *p, const struct line_source *src, struct frame *f, int y,
	int h, struct shown *shown)
{
	struct pager at;

	if (shown != NULL) {
		shown->n = 0;
		shown->missing = shown->at_end = false;
	}
	settle(p, src, f->w, h);
	at = *p;
	for (int i = 0; i < h && at.line < src->total; i++) {
		uint32_t rows = rows_of(src, at.line, f->w);
		struct ui_line *l = src->get(src->arg, at.line);

		if (l != NULL)
			draw_row(src, l, at.row, f, y + i);
		else
			frame_s(f, 0, y + i, f->w, ROLE_CHROME_DIM, "  …");
		if (shown != NULL && l != NULL)
			note(shown, at.line, at.row, rows);
		else if (shown != NULL)
			shown->missing = true;
		if (!step_down(&at, src, f->w)) {
			if (shown != NULL)
				shown->at_end = l != NULL;
			break;
		}
	}
}
