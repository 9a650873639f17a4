/*
 * test_diff.c - hunks lead from the old buffer to the new one; word changes
 * are what differs.
 */
#include "check.h"

#include "diff/diff.h"

static uint64_t rng = 88172645463325252u;
static uint32_t rnd(uint32_t below)
{
	rng ^= rng << 13;
	rng ^= rng >> 7;
	rng ^= rng << 17;
	return (uint32_t)(rng >> 33) % below;
}

/* Adds the unchanged lines of old before line no (1-based). */
static void copy_to(struct sv old, size_t *at, uint32_t *line, uint32_t no,
	struct buf *out)
{
	while (*line < no && *at < old.n) {
		const char *nl = memchr(old.p + *at, '\n', old.n - *at);
		size_t len = nl != NULL ? (size_t)(nl - old.p) + 1 - *at : old.n - *at;

		buf_add(out, old.p + *at, len);
		*at += len;
		(*line)++;
	}
}

static void apply(const struct diff *d, struct sv old, struct buf *out)
{
	size_t at = 0;
	uint32_t line = 1, lines = 0;

	for (size_t h = 0; h < d->n_hunks; h++) {
		const struct diff_hunk *k = &d->hunks[h];
		uint32_t old_n = 0, new_n = 0;

		assert_int_equal(k->first_line, lines);
		lines += k->n_lines;
		/* A hunk without old lines stands after old_start. */
		copy_to(old, &at, &line, k->old_start + (k->old_count == 0), out);
		for (uint32_t i = 0; i < k->n_lines; i++) {
			const struct diff_line *l = &d->lines[k->first_line + i];
			struct sv t = diff_text(d, l);

			assert_true(memchr(t.p, '\n', t.n) == NULL);
			assert_int_equal(l->old_no != 0, l->origin != '+');
			assert_int_equal(l->new_no != 0, l->origin != '-');
			if (l->origin != '+') {
				assert_int_equal(l->old_no, line);
				assert_memory_equal(old.p + at, t.p, t.n);
				at += t.n + !l->no_eol;
				line++;
				old_n++;
			}
			if (l->origin != '-') {
				buf_addsv(out, t);
				if (!l->no_eol)
					buf_addc(out, '\n');
				new_n++;
			}
		}
		assert_int_equal(old_n, k->old_count);
		assert_int_equal(new_n, k->new_count);
	}
	assert_int_equal(lines, d->n_lines);
	copy_to(old, &at, &line, UINT32_MAX, out);
}

static void check(struct sv old, struct sv new_, unsigned context)
{
	struct err e = ERR_INIT;
	struct diff *d = diff_new(old, new_, context, SIZE_MAX, &e);
	uint32_t added = 0, deleted = 0;
	struct buf out;

	assert_non_null(d);
	assert_int_equal(d->same, sv_eq(old, new_));
	buf_init(&out, 1u << 24);
	apply(d, old, &out);
	if (!sv_eq(buf_sv(&out), new_))
		fail_msg("<<%.*s>> to <<%.*s>> gives <<%.*s>>", SVFMT(old), SVFMT(new_),
			SVFMT(buf_sv(&out)));
	for (size_t i = 0; i < d->n_lines; i++) {
		added += d->lines[i].origin == '+';
		deleted += d->lines[i].origin == '-';
	}
	assert_int_equal(d->added, added);
	assert_int_equal(d->deleted, deleted);
	buf_free(&out);
	diff_free(&d);
	assert_null(d);
}

static void test_cases(void **state)
{
	static const char *const texts[] = { "", "a", "a\n", "a\nb", "a\nb\n", "\n",
		"\n\n\n", "b\na\n", "a\r\nb\r\n", "1\n2\n3\n4\n5\n6\n7\n8\n9\n",
		"1\n2\n3\n4\nX\n6\n7\n8\n9\n", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10" };
	size_t n = sizeof(texts) / sizeof(texts[0]);

	(void)state;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++) {
			check(sv_of(texts[i]), sv_of(texts[k]), 3);
			check(sv_of(texts[i]), sv_of(texts[k]), 0);
			check(sv_of(texts[i]), sv_of(texts[k]), DIFF_ALL);
		}
	check((struct sv){ "a\0b\nc\n", 6 }, (struct sv){ "a\0x\nc\n", 6 }, 3);
	check(SV_NONE, SV("x"), 3);
	check(SV("x"), SV_NONE, 3);
}

static void random_text(struct buf *b)
{
	static const char *const pieces[] = { "a\n", "b\n", "\n", "c", "\r\n",
		"}\n", "\xFF\n", "x", "\0\n" };

	buf_clear(b);
	for (uint32_t n = rnd(30); n > 0; n--)
		buf_adds(b, pieces[rnd(9)]);
}

static void test_random(void **state)
{
	struct buf old, new_;

	(void)state;
	buf_init(&old, 1u << 16);
	buf_init(&new_, 1u << 16);
	for (int i = 0; i < 20000; i++) {
		random_text(&old);
		random_text(&new_);
		check(buf_sv(&old), buf_sv(&new_), rnd(5));
	}
	buf_free(&old);
	buf_free(&new_);
}

/* Long common ends are left out of the work, not of the answer. */
static void test_long_ends(void **state)
{
	struct buf old, new_;

	(void)state;
	buf_init(&old, 1u << 20);
	buf_init(&new_, 1u << 20);
	for (int round = 0; round < 400; round++) {
		uint32_t n = rnd(600), at = rnd(n + 1), del = rnd(4), add = rnd(4);
		uint32_t same = 1 + rnd(3);

		buf_clear(&old);
		buf_clear(&new_);
		for (uint32_t i = 0; i < n; i++) {
			if (i == at)
				for (uint32_t k = 0; k < add; k++)
					buf_addf(&new_, "%u\n", rnd(same));
			/* Few kinds of lines, so that changes can slide. */
			buf_addf(&old, "%u\n", round % 2 ? i : i % same);
			if (i < at || i >= at + del)
				buf_addf(&new_, "%u\n", round % 2 ? i : i % same);
		}
		if (rnd(4) == 0)
			buf_adds(&old, "end");
		if (rnd(4) == 0)
			buf_adds(&new_, "end");
		check(buf_sv(&old), buf_sv(&new_), rnd(4));
	}
	buf_free(&old);
	buf_free(&new_);
}

static void add_some_line(struct buf *b, uint32_t kinds)
{
	buf_addf(b, "line %u\n", rnd(kinds));
}

/* Large buffers are cut at anchors: moved, repeated and changed blocks. */
static void test_large(void **state)
{
	static const uint32_t kinds[] = { 3, 2000, 100000, UINT32_MAX };
	struct buf old, new_;

	(void)state;
	buf_init(&old, 1u << 24);
	buf_init(&new_, 1u << 24);
	for (int round = 0; round < 12; round++) {
		uint32_t k = kinds[round % 4];

		buf_clear(&old);
		buf_clear(&new_);
		for (int i = 0; i < 30000; i++) {
			size_t at = old.n;

			add_some_line(&old, k);
			if (rnd(50) == 0)
				add_some_line(&new_, k);
			if (rnd(50) != 0)
				buf_add(&new_, old.p + at, old.n - at);
			if (rnd(5000) == 0)      /* a block again */
				buf_add(&new_, old.p + at / 2, old.n - at / 2 < 9000 ?
					old.n - at / 2 : 9000);
		}
		if (round % 3 == 1)
			buf_add(&old, old.p, 100);
		if (round % 3 == 2)
			new_.n--;
		check(buf_sv(&old), buf_sv(&new_), 3);
	}
	buf_free(&old);
	buf_free(&new_);
}

/* Few changes in a large file stay few, wherever it is cut. */
static void test_large_is_short(void **state)
{
	struct buf old, new_;
	struct diff *d;

	(void)state;
	buf_init(&old, 1u << 24);
	buf_init(&new_, 1u << 24);
	for (uint32_t i = 0; i < 60000; i++) {
		buf_addf(&old, "%u\n", i);
		buf_addf(&new_, i % 500 == 250 ? "x%u\n" : "%u\n", i);
	}
	d = diff_new(buf_sv(&old), buf_sv(&new_), 3, SIZE_MAX, NULL);
	assert_int_equal(d->n_hunks, 120);
	assert_int_equal(d->added, 120);
	assert_int_equal(d->n_lines, 120 * 8);
	diff_free(&d);
	buf_free(&old);
	buf_free(&new_);
}

/* What would take minutes is told as replaced whole, at once. */
static void test_costly(void **state)
{
	struct buf old, new_;
	struct diff *d;

	(void)state;
	buf_init(&old, 1u << 24);
	buf_init(&new_, 1u << 24);
	for (uint32_t i = 0; i < 700000; i++) {
		buf_adds(&old, rnd(2) ? "a\n" : "b\n");
		buf_adds(&new_, rnd(2) ? "a\n" : "b\n");
	}
	check(buf_sv(&old), buf_sv(&new_), 3);
	d = diff_new(buf_sv(&old), buf_sv(&new_), 3, SIZE_MAX, NULL);
	assert_int_equal(d->n_hunks, 1);
	assert_true(d->deleted > 690000);
	diff_free(&d);
	buf_free(&old);
	buf_free(&new_);
}

static void test_all_context(void **state)
{
	struct diff *d = diff_new(SV("1\n2\n3\n4\n5\n6\n7\n8\n9\n"),
		SV("1\n2\n3\n4\n5\n6\n7\n8\nnine\n"), DIFF_ALL, SIZE_MAX, NULL);

	(void)state;
	assert_int_equal(d->n_hunks, 1);
	assert_int_equal(d->n_lines, 10);
	diff_free(&d);
}

static void test_limits(void **state)
{
	struct err e = ERR_INIT;
	struct diff *d;

	(void)state;
	d = diff_new(SV("a\n"), SV("b\nc\n"), 3, 3, &e);
	assert_non_null(d);
	diff_free(&d);
	assert_null(diff_new(SV("a\n"), SV("b\nc\n"), 3, 2, &e));
	assert_string_equal(e.code, "diff_lines");
	assert_null(diff_new((struct sv){ "", DIFF_MAX_BYTES + 1u }, SV(""), 3,
		SIZE_MAX, &e));
	assert_string_equal(e.code, "diff_size");
	assert_true(diff_looks_binary((struct sv){ "a\0", 2 }));
	assert_false(diff_looks_binary(SV("a")));
	assert_false(diff_looks_binary(SV_NONE));
}

/* ---- words ---- */

/* Marks ranges: "a [b] c". */
static void mark(struct sv s, const struct word_range *r, size_t n, char *out)
{
	size_t k = 0;

	for (size_t i = 0; i <= s.n; i++) {
		if (k < n && r[k].to == i) {
			*out++ = ']';
			k++;
		}
		if (k < n && r[k].from == i)
			*out++ = '[';
		if (i < s.n)
			*out++ = s.p[i];
	}
	*out = '\0';
}

static void check_words(const char *old, const char *new_, const char *want_old,
	const char *want_new)
{
	struct word_diff w;
	char got[4096];

	if (want_old == NULL) {
		assert_false(diff_words(sv_of(old), sv_of(new_), &w));
		return;
	}
	assert_true(diff_words(sv_of(old), sv_of(new_), &w));
	mark(sv_of(old), w.old, w.n_old, got);
	assert_string_equal(got, want_old);
	mark(sv_of(new_), w.new_, w.n_new, got);
	assert_string_equal(got, want_new);
}

static void test_words(void **state)
{
	(void)state;
	check_words("DEBUG = False", "DEBUG = True", "DEBUG = [False]", "DEBUG = [True]");
	check_words("f(a, b)", "f(a, c, b)", "f(a, b)", "f(a, [c, ]b)");
	check_words("x = 1;", "x = 1", "x = 1[;]", "x = 1");
	check_words("a b c d", "a c d e", "a [b ]c d", "a c d[ e]");
	check_words("same", "same", "same", "same");
	check_words("caf\xC3\xA9 one", "caf\xC3\xA8 one", "[caf\xC3\xA9] one",
		"[caf\xC3\xA8] one");
	check_words("alpha", "omega", NULL, NULL);
	check_words("    one", "    two", NULL, NULL);
	check_words("", "", "", "");
}

static void test_words_bounds(void **state)
{
	struct word_diff w;
	char a[9000], b[9000];

	(void)state;
	memset(a, ';', sizeof(a));
	memset(b, ';', sizeof(b));
	assert_false(diff_words((struct sv){ a, 4097 }, (struct sv){ b, 4097 }, &w));
	assert_false(diff_words((struct sv){ a, 4000 }, (struct sv){ b, 4000 }, &w));
	/* More ranges than there is room for: the last takes in the rest. */
	memset(a, 'x', 300);
	memset(b, 'x', 300);
	for (size_t i = 300; i < 550; i++)
		a[i] = b[i] = i % 2 ? ';' : 'k';
	for (size_t i = 301; i < 550; i += 2)
		b[i] = '.';
	assert_true(diff_words((struct sv){ a, 550 }, (struct sv){ b, 550 }, &w));
	assert_true(w.n_old == 64 && w.n_new == 64);
	for (size_t i = 0; i < 64; i++) {
		assert_true(w.old[i].from < w.old[i].to && w.old[i].to <= 550);
		assert_true(i == 0 || w.old[i].from > w.old[i - 1].to);
	}
	assert_true(w.old[63].to == 550);
}

static void test_words_random(void **state)
{
	static const char alphabet[] = "ab ;.\t\xC3\xA9";
	struct word_diff w;
	char a[64], b[64];

	(void)state;
	for (int i = 0; i < 100000; i++) {
		size_t n = rnd(60), m = rnd(60), k;

		for (k = 0; k < n; k++)
			a[k] = alphabet[rnd(8)];
		for (k = 0; k < m; k++)
			b[k] = rnd(3) && k < n ? a[k] : alphabet[rnd(8)];
		if (!diff_words((struct sv){ a, n }, (struct sv){ b, m }, &w))
			continue;
		/* What is not marked is the same on both sides. */
		size_t x = 0, y = 0, p = 0, q = 0;

		for (;;) {
			while (p < w.n_old && w.old[p].from == x)
				x = w.old[p++].to;
			while (q < w.n_new && w.new_[q].from == y)
				y = w.new_[q++].to;
			if (x >= n || y >= m)
				break;
			assert_int_equal(a[x++], b[y++]);
		}
		assert_true(x == n && y == m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_long_ends),
		cmocka_unit_test(test_large),
		cmocka_unit_test(test_large_is_short),
		cmocka_unit_test(test_costly),
		cmocka_unit_test(test_all_context),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_words_bounds),
		cmocka_unit_test(test_words_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
