/*
 * chunks.c - see chunks.h.
 */
#include "console/chunks.h"

#include <stdlib.h>
#include <string.h>

void chunks_init(struct chunks *c, uint32_t per, uint32_t total,
	void (*fetch)(void *, uint32_t), void *arg)
{
	memset(c, 0, sizeof(*c));
	c->per = per;
	c->total = total;
	c->fetch = fetch;
	c->arg = arg;
}

static void drop(struct chunk *k)
{
	for (size_t i = 0; i < k->n_part; i++)
		lines_free(&k->part[i]);
	free(k->part);
	memset(k, 0, sizeof(*k));
}

void chunks_drop(struct chunks *c)
{
	for (int i = 0; i < CHUNKS_MAX; i++)
		drop(&c->chunk[i]);
}

void chunks_free(struct chunks *c)
{
	chunks_drop(c);
	memset(c, 0, sizeof(*c));
}

static struct chunk *find(struct chunks *c, uint32_t index)
{
	for (int i = 0; i < CHUNKS_MAX; i++)
		if (c->chunk[i].used && c->chunk[i].index == index)
			return &c->chunk[i];
	return NULL;
}

static struct chunk *take(struct chunks *c)
{
	struct chunk *old = &c->chunk[0];

	for (int i = 0; i < CHUNKS_MAX; i++) {
		if (!c->chunk[i].used)
			return &c->chunk[i];
		if (c->chunk[i].stamp < old->stamp)
			old = &c->chunk[i];
	}
	drop(old);
	return old;
}

void chunks_want(struct chunks *c, uint32_t from, uint32_t to)
{
	if (c->per == 0)
		return;
	if (to > c->total)
		to = c->total;
	for (uint32_t line = from - from % c->per; line < to; line += c->per) {
		struct chunk *k = find(c, line / c->per);

		if (k == NULL) {
			k = take(c);
			k->used = true;
			k->index = line / c->per;
			k->stamp = ++c->stamp;
			c->fetch(c->arg, k->index);
		} else {
			k->stamp = ++c->stamp;
		}
		if (line > UINT32_MAX - c->per)
			break;
	}
}

uint32_t chunks_have(const struct chunks *c, uint32_t index)
{
	for (int i = 0; i < CHUNKS_MAX; i++)
		if (c->chunk[i].used && c->chunk[i].index == index)
			return c->chunk[i].n;
	return 0;
}

static void numbers(struct chunks *c, const struct lines *l)
{
	for (size_t i = 0; i < l->n; i++) {
		if (l->line[i].new_no > c->max_no)
			c->max_no = l->line[i].new_no;
		if (l->line[i].old_no > c->max_no)
			c->max_no = l->line[i].old_no;
	}
}

void chunks_put(struct chunks *c, uint32_t index, struct lines *owned, bool whole)
{
	struct chunk *k = find(c, index);

	if (k == NULL || k->here || lines_over(owned)) {
		lines_free(owned);
		return;
	}
	k->part = xreallocarray(k->part, k->n_part + 1, sizeof(*k->part));
	k->part[k->n_part++] = *owned;
	k->n += (uint32_t)owned->n;
	memset(owned, 0, sizeof(*owned));
	numbers(c, &k->part[k->n_part - 1]);
	k->here = whole;
	if (!whole)
		c->fetch(c->arg, index);
}

void chunks_fail(struct chunks *c, uint32_t index)
{
	struct chunk *k = find(c, index);

	if (k != NULL && !k->here)
		drop(k); /* asked for again with the next draw */
}

struct ui_line *chunks_line(void *chunks, uint32_t line)
{
	struct chunks *c = chunks;
	struct chunk *k = c->per > 0 && line < c->total ? find(c, line / c->per) : NULL;

	if (k == NULL)
		return NULL;
	line %= c->per;
	for (size_t i = 0; i < k->n_part; i++) {
		if (line < k->part[i].n)
			return &k->part[i].line[line];
		line -= (uint32_t)k->part[i].n;
	}
	return NULL;
}

struct line_source chunks_source(struct chunks *c)
{
	return (struct line_source){ c->total, c->max_no, chunks_line, c };
}
