/*
 * words.c - which words of a changed line differ: common words at both ends
 * are taken off, then the longest common subsequence of what is left.
 */
#include <string.h>

#include "diff/diff.h"

#define WORDS_MAX 256          /* of a line, without its common ends */
#define LINE_MAX_BYTES 4096
#define TOKENS_MAX 1024

struct tokens {
	struct word_range at[TOKENS_MAX];
	size_t n;
};

enum sort { SORT_WORD, SORT_BLANK, SORT_SIGN };

/* ASCII by hand: what is drawn may not depend on the locale. */
static enum sort sort_of(unsigned char c)
{
	if (c >= 0x80 || c == '_' || (c >= '0' && c <= '9') ||
	    ((c | 0x20) >= 'a' && (c | 0x20) <= 'z'))
		return SORT_WORD;
	return c == ' ' || c == '\t' ? SORT_BLANK : SORT_SIGN;
}

/* Runs of letters and of blanks; any other byte stands alone. */
static bool split(struct sv s, struct tokens *t)
{
	size_t i = 0;

	t->n = 0;
	while (i < s.n) {
		size_t from = i;
		enum sort sort = sort_of((unsigned char)s.p[i]);

		i++;
		while (sort != SORT_SIGN && i < s.n &&
		    sort_of((unsigned char)s.p[i]) == sort)
			i++;
		if (t->n == TOKENS_MAX)
			return false;
		t->at[t->n++] = (struct word_range){ (uint32_t)from, (uint32_t)i };
	}
	return true;
}

struct pair {
	struct sv old, new_;
	struct tokens a, b;
	size_t from, a_to, b_to;   /* the middle, in tokens */
	uint16_t lcs[WORDS_MAX + 1][WORDS_MAX + 1];
};

static bool same(const struct pair *p, size_t i, size_t j)
{
	struct word_range ra = p->a.at[i], rb = p->b.at[j];

	return ra.to - ra.from == rb.to - rb.from &&
		memcmp(p->old.p + ra.from, p->new_.p + rb.from, ra.to - ra.from) == 0;
}

static void trim_ends(struct pair *p)
{
	p->from = 0;
	p->a_to = p->a.n;
	p->b_to = p->b.n;
	while (p->from < p->a_to && p->from < p->b_to && same(p, p->from, p->from))
		p->from++;
	while (p->a_to > p->from && p->b_to > p->from &&
	    same(p, p->a_to - 1, p->b_to - 1)) {
		p->a_to--;
		p->b_to--;
	}
}

static void lcs_fill(struct pair *p, size_t n, size_t m)
{
	for (size_t i = 0; i <= n; i++)
		p->lcs[i][m] = 0;
	for (size_t j = 0; j <= m; j++)
		p->lcs[n][j] = 0;
	for (size_t i = n; i-- > 0;)
		for (size_t j = m; j-- > 0;)
			p->lcs[i][j] = same(p, p->from + i, p->from + j) ?
				(uint16_t)(p->lcs[i + 1][j + 1] + 1) :
				p->lcs[i + 1][j] > p->lcs[i][j + 1] ?
				p->lcs[i + 1][j] : p->lcs[i][j + 1];
}

static void add(struct word_range *list, size_t *n, struct word_range r)
{
	if (*n > 0 && list[*n - 1].to == r.from)
		list[*n - 1].to = r.to;
	else if (*n < 64)
		list[(*n)++] = r;
	else
		list[63].to = r.to;
}

/* Bytes that are not in a range and not blank. */
static size_t common_bytes(struct sv s, const struct word_range *r, size_t n)
{
	size_t sum = 0, k = 0;

	for (size_t i = 0; i < s.n; i++) {
		while (k < n && r[k].to <= i)
			k++;
		if ((k == n || i < r[k].from) &&
		    sort_of((unsigned char)s.p[i]) != SORT_BLANK)
			sum++;
	}
	return sum;
}

bool diff_words(struct sv old, struct sv new_, struct word_diff *out)
{
	static _Thread_local struct pair p;
	size_t i = 0, j = 0, n, m;

	out->n_old = out->n_new = 0;
	out->cost = (uint32_t)(old.n < LINE_MAX_BYTES ? old.n : LINE_MAX_BYTES);
	p.old = old;
	p.new_ = new_;
	if (old.n > LINE_MAX_BYTES || new_.n > LINE_MAX_BYTES ||
	    !split(old, &p.a) || !split(new_, &p.b))
		return false;
	trim_ends(&p);
	n = p.a_to - p.from;
	m = p.b_to - p.from;
	if (n > WORDS_MAX || m > WORDS_MAX)
		return false;
	out->cost += (uint32_t)(n * m);
	lcs_fill(&p, n, m);
	while (i < n || j < m) {
		if (i < n && j < m && same(&p, p.from + i, p.from + j)) {
			i++;
			j++;
		} else if (j == m || (i < n && p.lcs[i + 1][j] >= p.lcs[i][j + 1])) {
			add(out->old, &out->n_old, p.a.at[p.from + i++]);
		} else {
			add(out->new_, &out->n_new, p.b.at[p.from + j++]);
		}
	}
	/* Marking most of a line marks nothing. */
	return common_bytes(old, out->old, out->n_old) * 3 >=
		(old.n < new_.n ? old.n : new_.n);
}
