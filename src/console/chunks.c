/*
 * chunks.c - see chunks.h.
 */
#include "console/chunks.h"

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
	lines_free(&k->lines);
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

bool chunks_put(struct chunks *c, uint32_t index, struct lines *owned)
{
	struct chunk *k = find(c, index);

	if (k == NULL || lines_over(owned)) {
		lines_free(owned);
		return false;
	}
	lines_free(&k->lines);
	k->lines = *owned;
	k->here = true;
	memset(owned, 0, sizeof(*owned));
	for (size_t i = 0; i < k->lines.n; i++) {
		const struct ui_line *l = &k->lines.line[i];
		if (l->new_no > c->max_no)
			c->max_no = l->new_no;
		if (l->old_no > c->max_no)
			c->max_no = l->old_no;
	}
	return true;
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

	if (k == NULL || !k->here || line % c->per >= k->lines.n)
		return NULL;
	return &k->lines.line[line % c->per];
}

struct line_source chunks_source(struct chunks *c)
{
	return (struct line_source){ c->total, c->max_no, chunks_line, c };
}
