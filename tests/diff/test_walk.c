/*
 * test_walk.c - large files through the walk: the hunks turn the one into the
 * other, and are hardly longer than what libgit2 finds in the whole.
 */
#include "tests/check.h"

#include "diff/diff_priv.h"

static uint64_t seed = 88172645463325252u;

static uint32_t rnd(uint32_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(seed >> 11) % n;
}

static void line(struct buf *b, uint32_t kinds)
{
	static const char *const plain[] = { "{", "}", "", "\treturn 0;", "#endif" };

	if (rnd(4) == 0)
		buf_addf(b, "%s\n", plain[rnd(5)]);
	else
		buf_addf(b, "\tline %u of it\n", rnd(kinds));
}

/* Changes of every sort, some over more lines than the walk looks at. */
static void edit(struct sv old, struct buf *out, uint32_t every, uint32_t kinds)
{
	size_t at = 0;

	while (at < old.n) {
		const char *nl = memchr(old.p + at, '\n', old.n - at);
		size_t end = nl != NULL ? (size_t)(nl - old.p) + 1 : old.n;
		uint32_t what = rnd(every), k = rnd(20) == 0 ? rnd(200) : rnd(5);

		if (what != 1)           /* 1: the line goes */
			buf_add(out, old.p + at, end - at);
		for (uint32_t i = 0; what < 2 && i < k; i++)
			line(out, kinds);
		if (what == 3)
			buf_add(out, old.p + at, end - at);
		at = end;
	}
}

static void rebuilt(const struct diff *d, char not_this, struct sv want)
{
	struct buf b;

	buf_init(&b, (size_t)64 << 20);
	for (size_t i = 0; i < d->n_lines; i++) {
		const struct diff_line *l = &d->lines[i];

		if (l->origin == not_this)
			continue;
		buf_addsv(&b, diff_text(d, l));
		if (!l->no_eol)
			buf_addc(&b, '\n');
	}
	assert_true(sv_eq(buf_sv(&b), want));
	buf_free(&b);
}

static void check(struct sv old, struct sv new_, double longer)
{
	struct diff_changes best = { NULL, 0, 0 };
	struct err e = ERR_INIT;
	struct diff *d = diff_new(old, new_, DIFF_ALL, SIZE_MAX, &e);
	uint64_t n = 0;

	assert_non_null(d);
	rebuilt(d, '+', old);
	rebuilt(d, '-', new_);
	assert_int_equal(diff_git(old, new_, 0, 0, &best, &e), 0);
	for (size_t i = 0; i < best.n; i++)
		n += best.c[i].n_old + best.c[i].n_new;
	assert_in_range(d->added + d->deleted, 1, (uint64_t)((double)n * longer) + 10);
	free(best.c);
	diff_free(&d);
}

static void round_of(uint32_t every, uint32_t kinds, bool eol, double longer)
{
	struct buf old, new_;

	buf_init(&old, (size_t)32 << 20);
	buf_init(&new_, (size_t)64 << 20);
	for (uint32_t i = 0; i < 30000; i++)
		line(&old, kinds);
	edit(buf_sv(&old), &new_, every, kinds);
	if (!eol)
		new_.n--;
	check(buf_sv(&old), buf_sv(&new_), longer);
	check(buf_sv(&new_), buf_sv(&old), longer);
	buf_free(&old);
	buf_free(&new_);
}

static void test_few(void **state)
{
	(void)state;
	for (int i = 0; i < 5; i++)
		round_of(1000, 1000000, i % 2 == 0, 1.05);
}

static void test_many(void **state)
{
	(void)state;
	for (int i = 0; i < 3; i++)
		round_of(30, 1000000, i % 2 == 0, 1.1);
}

/* Lines that come again and again: correct, and not much longer. */
static void test_alike(void **state)
{
	(void)state;
	for (int i = 0; i < 3; i++)
		round_of(300, 20, i % 2 == 0, 1.5);
}

/* One more, one less, nothing else; a whole file behind or before. */
static void test_ends(void **state)
{
	struct buf a, b;

	(void)state;
	buf_init(&a, (size_t)32 << 20);
	buf_init(&b, (size_t)32 << 20);
	for (uint32_t i = 0; i < 25000; i++)
		buf_addf(&a, "line %u\n", i);
	buf_adds(&b, "first\n");
	buf_add(&b, a.p, a.n);
	check(buf_sv(&a), buf_sv(&b), 1.0);
	check(buf_sv(&b), buf_sv(&a), 1.0);
	buf_adds(&b, "last");
	check(buf_sv(&a), buf_sv(&b), 1.0);
	check(buf_sv(&b), buf_sv(&a), 1.0);
	check(SV(""), buf_sv(&a), 1.0);
	check(buf_sv(&a), SV(""), 1.0);
	buf_free(&a);
	buf_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_few),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_alike),
		cmocka_unit_test(test_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
