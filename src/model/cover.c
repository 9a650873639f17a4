/*
 * cover.c - a sorted set of disjoint line ranges.
 *
 * Scrolling adds ranges that touch the last one, so the set stays small; a
 * hostile console's scattered ranges are bounded by COVER_MAX, past which a
 * range that does not merge is not remembered (less is covered, never more).
 */
#include <stdlib.h>
#include <string.h>

#include "model/doc.h"

#define COVER_MAX 65536

struct range {
	uint32_t from, to;
};
struct cover {
	struct range *r;
	size_t n, cap;
};

struct cover *cover_new(void)
{
	return xcalloc(1, sizeof(struct cover));
}

void cover_free(struct cover **cp)
{
	if (*cp == NULL)
		return;
	free((*cp)->r);
	free(*cp);
	*cp = NULL;
}

/* The first range that ends at or after line. */
static size_t lower(const struct cover *c, uint32_t line)
{
	size_t lo = 0, hi = c->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (c->r[mid].to < line)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static void insert_at(struct cover *c, size_t i, uint32_t from, uint32_t to)
{
	if (c->n >= COVER_MAX)
		return;
	if (c->n == c->cap) {
		c->cap = c->cap != 0 ? c->cap * 2 : 16;
		c->r = xreallocarray(c->r, c->cap, sizeof(*c->r));
	}
	memmove(&c->r[i + 1], &c->r[i], (c->n - i) * sizeof(*c->r));
	c->r[i] = (struct range){ from, to };
	c->n++;
}

void cover_add(struct cover *c, uint32_t from, uint32_t to)
{
	size_t i, j;

	if (from >= to)
		return;
	i = lower(c, from);
	j = i;
	while (j < c->n && c->r[j].from <= to) {
		if (c->r[j].from < from)
			from = c->r[j].from;
		if (c->r[j].to > to)
			to = c->r[j].to;
		j++;
	}
	if (j == i) {
		insert_at(c, i, from, to);
		return;
	}
	c->r[i] = (struct range){ from, to };
	memmove(&c->r[i + 1], &c->r[j], (c->n - j) * sizeof(*c->r));
	c->n -= j - i - 1;
}

bool cover_has(const struct cover *c, uint32_t from, uint32_t to)
{
	size_t i;

	if (from >= to)
		return true;
	i = lower(c, to);
	return i < c->n && c->r[i].from <= from && c->r[i].to >= to;
}

uint32_t cover_count(const struct cover *c)
{
	uint32_t sum = 0;

	for (size_t i = 0; i < c->n; i++)
		sum += c->r[i].to - c->r[i].from;
	return sum;
}

size_t cover_ranges(const struct cover *c)
{
	return c->n;
}

void cover_range(const struct cover *c, size_t i, uint32_t *from, uint32_t *to)
{
	*from = c->r[i].from;
	*to = c->r[i].to;
}

bool cover_gap(const struct cover *c, uint32_t n, uint32_t *from, uint32_t *to)
{
	uint32_t at = 0;

	for (size_t i = 0; i < c->n && at < n; i++) {
		if (c->r[i].from > at) {
			*from = at;
			*to = c->r[i].from < n ? c->r[i].from : n;
			return true;
		}
		at = c->r[i].to;
	}
	if (at >= n)
		return false;
	*from = at;
	*to = n;
	return true;
}
