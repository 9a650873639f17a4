/*
 * anchor.c - lines that stand once in each buffer, in the same order: there
 * the buffers surely correspond, and can be compared piece by piece.
 *
 * Why: Myers' algorithm takes time that grows faster than its input when much
 * differs, and both buffers may come from a hostile agent. Which lines are
 * looked at depends on their content alone (a sample by hash), so that memory
 * stays small and the same line is looked at on both sides.
 */
#include <stdlib.h>
#include <string.h>

#include "diff/diff_priv.h"

#define SAMPLE 200000u         /* lines looked at, about, on each side */
#define APART 400              /* lines between anchors, at least */

struct seen {
	uint64_t hash;             /* 0: free */
	size_t at[2], len;         /* by side */
	uint32_t line[2], count[2];
};
struct table {
	struct seen *s;
	size_t mask, used;
	uint64_t every;            /* one hash in so many is looked at */
};

uint32_t diff_count_lines(struct sv s)
{
	const char *at = s.p, *end = s.p + s.n;
	uint32_t n = 0;

	while (at < end && (at = memchr(at, '\n', (size_t)(end - at))) != NULL) {
		n++;
		at++;
	}
	return n + (s.n > 0 && s.p[s.n - 1] != '\n');
}

/* Eight bytes a step. Collisions only cost anchors: lines are compared. */
static uint64_t hash_line(const char *p, size_t n)
{
	uint64_t h = 0x9E3779B97F4A7C15u ^ n, w;

	for (; n >= sizeof(w); p += sizeof(w), n -= sizeof(w)) {
		memcpy(&w, p, sizeof(w));
		h = (h ^ w) * 0xFF51AFD7ED558CCDu;
		h ^= h >> 32;
	}
	w = 0;
	memcpy(&w, p, n);
	h = (h ^ w) * 0xC4CEB9FE1A85EC53u;
	h ^= h >> 29;
	return h | 1;
}

static void note(struct table *t, int side, struct sv buf, size_t at, size_t len,
	uint32_t line, uint64_t h)
{
	size_t i = (size_t)(h >> 7) & t->mask;

	while (t->s[i].hash != 0 && t->s[i].hash != h)
		i = (i + 1) & t->mask;
	if (t->s[i].hash == 0) {
		/* A full table looks at nothing new: fewer anchors. */
		if (t->used > t->mask / 2)
			return;
		t->used++;
		t->s[i].hash = h;
		t->s[i].len = len;
	}
	(void)buf;
	t->s[i].at[side] = at;
	t->s[i].line[side] = line;
	if (t->s[i].count[side] < 2)
		t->s[i].count[side]++;
	if (t->s[i].len != len)
		t->s[i].count[side] = 2;
}

static void look(struct table *t, int side, struct sv buf)
{
	size_t at = 0;
	uint32_t line = 0;

	while (at < buf.n) {
		const char *nl = memchr(buf.p + at, '\n', buf.n - at);
		size_t len = nl != NULL ? (size_t)(nl - (buf.p + at)) : buf.n - at;
		uint64_t h = hash_line(buf.p + at, len);

		/* A last line without a newline is not what one with it is. */
		if ((h >> 1) % t->every == 0 && nl != NULL)
			note(t, side, buf, at, len, line, h);
		at += len + 1;
		line++;
	}
}

static int by_old(const void *a, const void *b)
{
	const struct diff_anchor *x = a, *y = b;

	return (x->old_at > y->old_at) - (x->old_at < y->old_at);
}

static size_t unique_ones(const struct table *t, struct sv old, struct sv new_,
	struct diff_anchor *out)
{
	size_t n = 0;

	for (size_t i = 0; i <= t->mask; i++) {
		const struct seen *s = &t->s[i];

		if (s->hash == 0 || s->count[0] != 1 || s->count[1] != 1 ||
		    memcmp(old.p + s->at[0], new_.p + s->at[1], s->len) != 0)
			continue;
		out[n++] = (struct diff_anchor){ s->at[0], s->at[1], s->line[0],
			s->line[1] };
	}
	qsort(out, n, sizeof(*out), by_old);
	return n;
}

/* The longest run of anchors that is in order on the new side too (patience
 * sorting), compacted to the front. */
static size_t in_order(struct diff_anchor *a, size_t n)
{
	uint32_t *tail = xcalloc(n, sizeof(*tail)), *prev = xcalloc(n, sizeof(*prev));
	size_t piles = 0, at;
	uint32_t k;

	for (uint32_t i = 0; i < n; i++) {
		size_t lo = 0, hi = piles;

		while (lo < hi) {
			size_t mid = lo + (hi - lo) / 2;

			if (a[tail[mid]].new_at < a[i].new_at)
				lo = mid + 1;
			else
				hi = mid;
		}
		prev[i] = lo > 0 ? tail[lo - 1] : UINT32_MAX;
		tail[lo] = i;
		if (lo == piles)
			piles++;
	}
	/* The chain backwards; then in order to the front. */
	at = piles;
	for (k = piles > 0 ? tail[piles - 1] : UINT32_MAX; k != UINT32_MAX; k = prev[k])
		tail[--at] = k;
	for (size_t i = 0; i < piles; i++)
		a[i] = a[tail[i]];
	free(tail);
	free(prev);
	return piles;
}

static size_t thin_out(struct diff_anchor *a, size_t n)
{
	size_t out = 0;
	uint32_t old_last = 0, new_last = 0;

	for (size_t i = 0; i < n; i++)
		if (a[i].old_line - old_last >= APART ||
		    a[i].new_line - new_last >= APART) {
			old_last = a[i].old_line;
			new_last = a[i].new_line;
			a[out++] = a[i];
		}
	return out;
}

struct diff_anchor *diff_anchors(struct sv old, struct sv new_, size_t *n)
{
	uint32_t lines = diff_count_lines(old), other = diff_count_lines(new_);
	struct table t = { NULL, 0, 0, 1 };
	struct diff_anchor *out;

	if (other > lines)
		lines = other;
	t.every = lines / SAMPLE + 1;
	for (t.mask = 1024; t.mask < (size_t)lines / t.every * 4 + 1024; t.mask *= 2)
		;
	t.s = xcalloc(t.mask, sizeof(*t.s));
	t.mask--;
	look(&t, 0, old);
	look(&t, 1, new_);
	out = xcalloc(t.used, sizeof(*out));
	*n = unique_ones(&t, old, new_, out);
	free(t.s);
	*n = in_order(out, *n);
	*n = thin_out(out, *n);
	return out;
}
