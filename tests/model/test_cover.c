/*
 * test_cover.c - the set of drawn lines against a plain array of flags.
 */
#include "check.h"

#include "model/doc.h"

#define LINES 300

static uint64_t rng = 88172645463325252u;
static uint32_t rnd(uint32_t below)
{
	rng ^= rng << 13;
	rng ^= rng >> 7;
	rng ^= rng << 17;
	return (uint32_t)(rng >> 33) % below;
}

static bool all_set(const bool *f, uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to; i++)
		if (!f[i])
			return false;
	return true;
}

static void compare(const struct cover *c, const bool *f)
{
	uint32_t sum = 0, from, to, first = 0, end;

	for (uint32_t i = 0; i < LINES; i++)
		sum += f[i];
	assert_int_equal(cover_count(c), sum);
	for (int i = 0; i < 20; i++) {
		from = rnd(LINES);
		to = from + rnd(LINES - from + 1);
		assert_int_equal(cover_has(c, from, to), all_set(f, from, to));
	}
	while (first < LINES && f[first])
		first++;
	for (end = first; end < LINES && !f[end]; end++)
		;
	assert_int_equal(cover_gap(c, LINES, &from, &to), first < LINES);
	if (first < LINES) {
		assert_int_equal(from, first);
		assert_int_equal(to, end);
	}
	for (size_t i = 0; i < cover_ranges(c); i++) {
		uint32_t last = i > 0 ? to : 0;

		cover_range(c, i, &from, &to);
		assert_true(from < to && all_set(f, from, to));
		assert_true(i == 0 || from > last);   /* sorted, apart */
	}
}

static void test_like_flags(void **state)
{
	(void)state;
	for (int round = 0; round < 300; round++) {
		struct cover *c = cover_new();
		bool f[LINES] = { false };

		for (int k = 0; k < 40; k++) {
			uint32_t from = rnd(LINES), to = from + rnd(20);

			if (to > LINES)
				to = LINES;
			cover_add(c, from, to);
			for (uint32_t i = from; i < to; i++)
				f[i] = true;
			compare(c, f);
		}
		cover_free(&c);
		assert_null(c);
	}
}

static void test_edges(void **state)
{
	struct cover *c = cover_new();
	uint32_t from, to;

	(void)state;
	assert_false(cover_gap(c, 0, &from, &to));
	assert_true(cover_has(c, 5, 5));
	assert_true(cover_has(c, 7, 3));
	assert_false(cover_has(c, 0, 1));
	cover_add(c, 9, 3);
	assert_int_equal(cover_ranges(c), 0);
	cover_add(c, 0, UINT32_MAX);
	assert_int_equal(cover_count(c), UINT32_MAX);
	assert_true(cover_has(c, 0, UINT32_MAX));
	assert_false(cover_gap(c, UINT32_MAX, &from, &to));
	cover_free(&c);
}

/* Scattered ranges of a hostile console are bounded; less is covered then,
 * never more. */
static void test_bound(void **state)
{
	struct cover *c = cover_new();
	uint32_t n = 200000;

	(void)state;
	for (uint32_t i = n; i-- > 0;)
		cover_add(c, 2 * i, 2 * i + 1);
	assert_true(cover_ranges(c) <= 65536);
	assert_true(cover_count(c) <= n);
	assert_false(cover_has(c, 0, 2 * n));
	cover_add(c, 0, 2 * n);
	assert_int_equal(cover_ranges(c), 1);
	assert_true(cover_has(c, 0, 2 * n));
	cover_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_like_flags),
		cmocka_unit_test(test_edges),
		cmocka_unit_test(test_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
