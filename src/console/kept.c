/*
 * kept.c - see kept.h.
 */
#include "console/kept.h"

#include <stdlib.h>
#include <string.h>

static void clear(struct kept_one *o)
{
	if (o->lines != NULL)
		cover_free(&o->lines);
	free(o->doc_digest);
	memset(o, 0, sizeof(*o));
}

void kept_free(struct kept *k)
{
	for (int i = 0; i < KEPT_MAX; i++)
		clear(&k->one[i]);
	memset(k, 0, sizeof(*k));
}

static struct kept_one *find(struct kept *k, uint64_t id)
{
	for (int i = 0; i < KEPT_MAX; i++)
		if (k->one[i].id == id && id != 0)
			return &k->one[i];
	return NULL;
}

static struct kept_one *take(struct kept *k)
{
	struct kept_one *old = &k->one[0];

	for (int i = 0; i < KEPT_MAX; i++)
		if (k->one[i].stamp < old->stamp)
			old = &k->one[i];
	clear(old);
	return old;
}

void kept_drop(struct kept *k, uint64_t id)
{
	struct kept_one *o = find(k, id);

	if (o != NULL)
		clear(o);
}

void kept_add(struct kept *k, uint64_t id, const char *doc_digest,
	const struct seen_ranges *r)
{
	struct kept_one *o = find(k, id);

	if (id == 0 || doc_digest == NULL)
		return;
	if (o != NULL && strcmp(o->doc_digest, doc_digest) != 0) {
		clear(o);
		o = NULL;
	}
	if (o == NULL) {
		o = take(k);
		o->id = id;
		o->doc_digest = xstrdup(doc_digest);
		o->lines = cover_new();
	}
	o->stamp = ++k->stamp;
	for (size_t i = 0; i < r->n; i++)
		cover_add(o->lines, r->r[i].from, r->r[i].to);
}

/* The parts of [from, to) that known has not, as far as out has room. */
static void add_gaps(const struct cover *known, uint32_t from, uint32_t to,
	struct seen_ranges *out)
{
	for (size_t i = 0; i < cover_ranges(known) && from < to; i++) {
		uint32_t a, b;

		cover_range(known, i, &a, &b);
		if (b <= from)
			continue;
		if (a >= to)
			break;
		if (a > from && out->n < SEEN_RANGES) {
			out->r[out->n].from = from;
			out->r[out->n++].to = a;
		}
		from = b;
	}
	if (from < to && out->n < SEEN_RANGES) {
		out->r[out->n].from = from;
		out->r[out->n++].to = to;
	}
}

bool kept_missing(struct kept *k, uint64_t id, const char *doc_digest,
	const struct cover *known, struct seen_ranges *out)
{
	struct kept_one *o = find(k, id);

	out->n = 0;
	if (o == NULL || doc_digest == NULL)
		return false;
	if (strcmp(o->doc_digest, doc_digest) != 0) {
		clear(o);
		return false;
	}
	for (size_t i = 0; i < cover_ranges(o->lines) && out->n < SEEN_RANGES; i++) {
		uint32_t from, to;

		cover_range(o->lines, i, &from, &to);
		add_gaps(known, from, to, out);
	}
	return out->n > 0;
}
