/*
 * seen.c - see seen.h.
 */
#include "console/seen.h"

#include <string.h>

void seen_init(struct seen *s)
{
	memset(s, 0, sizeof(*s));
	s->lines = cover_new();
}

static void drop_parts(struct seen *s)
{
	for (int i = 0; i < SEEN_PARTIAL; i++)
		if (s->part[i].cover != NULL)
			cover_free(&s->part[i].cover);
}

void seen_free(struct seen *s)
{
	drop_parts(s);
	if (s->lines != NULL)
		cover_free(&s->lines);
	memset(s, 0, sizeof(*s));
}

void seen_reset(struct seen *s)
{
	seen_free(s);
	seen_init(s);
}

void seen_add(struct seen *s, uint32_t from, uint32_t to)
{
	cover_add(s->lines, from, to);
}

static struct seen_part *part_for(struct seen *s, const struct shown_line *l)
{
	struct seen_part *old = &s->part[0];

	for (int i = 0; i < SEEN_PARTIAL; i++) {
		struct seen_part *p = &s->part[i];
		if (p->cover != NULL && p->line == l->line && p->rows == l->rows)
			return p;
		if (old->cover != NULL && (p->cover == NULL || p->stamp < old->stamp))
			old = p;
	}
	if (old->cover != NULL)
		cover_free(&old->cover);
	*old = (struct seen_part){ l->line, l->rows, cover_new(), 0 };
	return old;
}

/* True when with these rows the whole line has been seen. */
static bool line_whole(struct seen *s, const struct shown_line *l)
{
	struct seen_part *p;
	bool whole;

	if (l->row_from == 0 && l->row_to == l->rows)
		return true;
	p = part_for(s, l);
	p->stamp = ++s->stamp;
	cover_add(p->cover, l->row_from, l->row_to);
	whole = cover_has(p->cover, 0, l->rows);
	if (whole)
		cover_free(&p->cover);
	return whole;
}

void seen_note(struct seen *s, const struct shown *shown, int width, struct seen_ranges *out)
{
	out->n = 0;
	if (width != s->width)
		drop_parts(s); /* rows of another width are other rows */
	s->width = width;
	for (size_t i = 0; i < shown->n; i++) {
		const struct shown_line *l = &shown->lines[i];

		if (cover_has(s->lines, l->line, l->line + 1) || !line_whole(s, l))
			continue;
		if (out->n > 0 && out->r[out->n - 1].to == l->line) {
			out->r[out->n - 1].to++;
		} else if (out->n < SEEN_RANGES) {
			out->r[out->n].from = l->line;
			out->r[out->n++].to = l->line + 1;
		} else {
			continue; /* seen again with the next frame */
		}
		cover_add(s->lines, l->line, l->line + 1);
	}
}
