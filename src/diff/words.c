/*
 * words.c - which words of a changed line differ: common words at both ends
 * are taken off, then the longest common subsequence of what is left.
 */
#include <ctype.h>
#include <string.h>

#include "diff/diff.h"

#define WORDS_MAX 256
#define LINE_MAX_BYTES 4096

struct tokens {
	struct word_range at[WORDS_MAX];
	size_t n;
};

static int sort_of(unsigned char c)
{
	if (isalnum(c) || c == '_' || c >= 0x80)
		return 0;
	return c == ' ' || c == '\t' ? 1 : 2;
}

/* Runs of letters and of blanks; any other byte stands alone. */
static bool split(struct sv s, struct tokens *t)
{
	size_t i = 0;

	t->n = 0;
	while (i < s.n) {
		size_t from = i;
		int sort = sort_of((unsigned char)s.p[i]);

		i++;
		while (sort != 2 && i < s.n && sort_of((unsigned char)s.p[i]) == sort)
			i++;
		if (t->n == WORDS_MAX)
			return false;
		t->at[t->n++] = (struct word_range){ (uint32_t)from, (uint32_t)i };
	}
	return true;
}

static bool same(struct sv a, struct word_range ra, struct sv b, struct word_range rb)
{
	return ra.to - ra.from == rb.to - rb.from &&
		memcmp(a.p + ra.from, b.p + rb.from, ra.to - ra.from) == 0;
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

bool diff_words(struct sv old, struct sv new_, struct word_diff *out)
{
	static _Thread_local uint16_t lcs[WORDS_MAX + 1][WORDS_MAX + 1];
	struct tokens a, b;
	size_t i, j, common = 0;

	out->n_old = out->n_new = 0;
	if (old.n > LINE_MAX_BYTES || new_.n > LINE_MAX_BYTES ||
	    !split(old, &a) || !split(new_, &b))
		return false;
	for (i = 0; i <= a.n; i++)
		lcs[i][b.n] = 0;
	for (j = 0; j <= b.n; j++)
		lcs[a.n][j] = 0;
	for (i = a.n; i-- > 0;)
		for (j = b.n; j-- > 0;)
			lcs[i][j] = same(old, a.at[i], new_, b.at[j]) ?
				(uint16_t)(lcs[i + 1][j + 1] + 1) :
				lcs[i + 1][j] > lcs[i][j + 1] ? lcs[i + 1][j] :
				lcs[i][j + 1];
	i = j = 0;
	while (i < a.n || j < b.n) {
		if (i < a.n && j < b.n && same(old, a.at[i], new_, b.at[j])) {
			common += sort_of((unsigned char)old.p[a.at[i].from]) != 1 ?
				a.at[i].to - a.at[i].from : 0;
			i++;
			j++;
		} else if (j == b.n || (i < a.n && lcs[i + 1][j] >= lcs[i][j + 1])) {
			add(out->old, &out->n_old, a.at[i++]);
		} else {
			add(out->new_, &out->n_new, b.at[j++]);
		}
	}
	/* Marking most of a line marks nothing. */
	return common * 3 >= (old.n < new_.n ? old.n : new_.n);
}
