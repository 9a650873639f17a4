/*
 * test_text.c - the escaper, its inverse, labels and clusters, case by case.
 */
#include "check.h"

#include "base/text.h"

static struct buf out, back;

static int setup(void **state)
{
	(void)state;
	buf_init(&out, 1 << 22);
	buf_init(&back, 1 << 22);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	buf_free(&out);
	buf_free(&back);
	return 0;
}

static uint64_t rng = 0x243F6A8885A308D3u;

static uint32_t rnd(uint32_t below)
{
	rng ^= rng << 13;
	rng ^= rng >> 7;
	rng ^= rng << 17;
	return (uint32_t)(rng >> 33) % below;
}

static struct sv escaped(struct sv src, enum esc_context ctx, size_t col)
{
	buf_clear(&out);
	assert_int_equal(esc_line(src, ctx, col, &out, NULL, NULL, NULL), 0);
	return buf_sv(&out);
}

/* ---- what is written ---- */

#define S ESC_STRICT
#define C ESC_CODE
#define P ESC_PROSE
#define TAB8 "\xE2\x87\xA5       "
#define B10 "          "

struct row {
	enum esc_context ctx;
	size_t col;
	struct sv src;
	const char *want;
};
#define R(ctx, col, src, want) { ctx, col, { src, sizeof(src) - 1 }, want }

static const struct row rows[] = {
	R(S, 0, "", ""),
	R(S, 0, "rm -rf /", "rm -rf /"),
	R(S, 0, "a\\b ^[ ~ ^X \\x1b", "a\\b ^[ ~ ^X \\x1b"),
	R(S, 0, "\0\x01\x1b\x7f", "<U+0000><U+0001><U+001B><U+007F>"),
	R(P, 0, "a\nb\r\n", "a<U+000A>b<U+000D><U+000A>"),
	R(P, 0, "\x1b]8;;http://x\x07y", "<U+001B>]8;;http://x<U+0007>y"),
	R(P, 0, "\xC2\x9B" "31m\xC2\x85", "<U+009B>31m<U+0085>"),
	R(C, 0, "\x9B" "31m", "<0x9B>31m"),
	R(C, 0, "\xC0\xAF", "<0xC0><0xAF>"),
	R(C, 0, "\xED\xA0\x80", "<0xED><0xA0><0x80>"),
	R(C, 0, "\xF4\x90\x80\x80", "<0xF4><0x90><0x80><0x80>"),
	R(C, 0, "\xE2\x82", "<0xE2><0x82>"),
	R(C, 0, "\xE2\x82" "a", "<0xE2><0x82>a"),
	R(C, 0, "\xFF\xFE", "<0xFF><0xFE>"),
	R(P, 0, "a\xE2\x80\xAE" "b", "a<U+202E>b"),
	R(C, 0, "\xE2\x81\xA6\xE2\x81\xA9", "<U+2066><U+2069>"),
	R(P, 0, "\xE2\x80\xA8\xE2\x80\xA9", "<U+2028><U+2029>"),
	R(P, 0, "\xF3\xA0\x81\x81\xF3\xA0\x84\x80", "<U+E0041><U+E0100>"),
	R(P, 0, "\xF4\x8F\xBF\xBF", "<U+10FFFF>"),
	R(P, 0, "\xF0\x9F\x91\xA8\xE2\x80\x8D\xE2\x9D\xA4\xEF\xB8\x8F",
		"\xF0\x9F\x91\xA8<U+200D>\xE2\x9D\xA4<U+FE0F>"),
	/* notation in the text itself */
	R(S, 0, "<U+202E>", "<U+003C>U+202E>"),
	R(S, 0, "<U+003C>", "<U+003C>U+003C>"),
	R(C, 0, "<0xC0>", "<U+003C>0xC0>"),
	R(C, 0, "<<U+", "<<U+003C>U+"),
	R(C, 0, "<U+", "<U+003C>U+"),
	R(C, 0, "<0x", "<U+003C>0x"),
	R(C, 0, "<U <u+ <0X <0 < U+ <p>", "<U <u+ <0X <0 < U+ <p>"),
	R(C, 0, "<U", "<U"),
	R(C, 0, "<", "<"),
	R(C, 0, "<\xE2\x80\x8BU+", "<<U+200B>U+"),
	R(C, 0, "a \xE2\x87\xA5 b", "a <U+21E5> b"),
	/* blanks */
	R(S, 0, "a               b", "a               b"),
	R(S, 0, "a                b", "a<U+0020 x16>b"),
	R(S, 0, "                ", "<U+0020 x16>"),
	R(S, 0, "ls" B10 B10 B10 ";rm", "ls<U+0020 x30>;rm"),
	R(C, 0, B10 B10 B10 "x", B10 B10 B10 "x"),
	R(C, 0, B10 B10 B10 B10 B10 B10 "x", "<U+0020 x60>x"),
	R(P, 0, "x" B10 B10 B10 B10 B10 "         y",
		"x" B10 B10 B10 B10 B10 "         y"),
	R(P, 0, "x" B10 B10 B10 B10 B10 B10 " y", "x<U+0020 x61>y"),
	R(P, 0, "\xC2\xA0\xE2\x80\x83\xE2\x80\xAF\xE3\x80\x80\xE1\x9A\x80",
		"<U+00A0><U+2003><U+202F><U+3000><U+1680>"),
	R(P, 0, "\xE2\xA0\x80\xEF\xBF\xBC\xEF\xBF\xB9",
		"<U+2800><U+FFFC><U+FFF9>"),
	/* tabs, by the column of what is drawn */
	R(C, 0, "\tx", TAB8 "x"),
	R(C, 3, "\tx", "\xE2\x87\xA5    x"),
	R(C, 7, "\tx", "\xE2\x87\xA5x"),
	R(C, 8, "\tx", TAB8 "x"),
	R(C, 0, "ab\t\t", "ab\xE2\x87\xA5     " TAB8),
	R(C, 0, "\t  x", TAB8 "  x"),
	R(C, 0, "\x01\t|", "<U+0001>" TAB8 "|"),
	R(C, 0, "\xE6\xBC\xA2\t|", "\xE6\xBC\xA2\xE2\x87\xA5     |"),
	R(C, 0, "e\xCC\x81\t|", "e\xCC\x81\xE2\x87\xA5      |"),
	/* marks */
	R(S, 0, "e\xCC\x81\xCC\x82", "e\xCC\x81\xCC\x82"),
	R(S, 0, "e\xCC\x81\xCC\x82\xCC\x83\xCC\x84",
		"e\xCC\x81\xCC\x82<U+0303><U+0304>"),
	R(S, 0, "\xCC\x81x", "<U+0301>x"),
	R(S, 0, " \xCC\x81", " <U+0301>"),
	R(S, 0, "\x01\xCC\x81", "<U+0001><U+0301>"),
	R(S, 0, "\xE2\x80\x8B\xCC\x81", "<U+200B><U+0301>"),
	R(C, 7, "\t\xCC\x81", "\xE2\x87\xA5<U+0301>"),
	R(S, 0, "m\xE1\x9F\x92", "m<U+17D2>"),
	R(S, 0, "\xE0\xA4\x95\xE0\xA4\xBF", "\xE0\xA4\x95\xE0\xA4\xBF"),
	/* Hangul: whole, decomposed, and jamo that combine with nothing */
	R(S, 0, "\xED\x95\x9C", "\xED\x95\x9C"),
	R(S, 0, "\xE1\x84\x92\xE1\x85\xA1\xE1\x86\xAB",
		"\xE1\x84\x92\xE1\x85\xA1\xE1\x86\xAB"),
	R(S, 0, "m\xE1\x85\xA1", "m<U+1161>"),
	R(S, 0, "\xE1\x84\x92\xE1\x86\xAB", "\xE1\x84\x92<U+11AB>"),
	R(S, 0, "\xE3\x85\xA4\xEF\xBE\xA0\xE1\x85\x9F\xE1\x85\xA0",
		"<U+3164><U+FFA0><U+115F><U+1160>"),
	/* right to left */
	R(S, 0, "a\xD7\xA9", "a<U+05E9>"),
	R(S, 0, "\xD8\xB9\xD9\xA1", "<U+0639><U+0661>"),
	R(C, 0, "a\xD7\xA9", "a\xD7\xA9"),
	R(P, 0, "\xD7\xA9\xD6\xB8\xD7\x9C", "\xD7\xA9\xD6\xB8\xD7\x9C"),
	R(S, 0, "\xD7\xA9\xD6\xB8", "<U+05E9><U+05B8>"),
	R(P, 0, "\xE2\x80\x8F\xD8\x9C", "<U+200F><U+061C>"),
};

static void test_rows(void **state)
{
	struct sv got;
	size_t i;
	int bad = 0;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		got = escaped(rows[i].src, rows[i].ctx, rows[i].col);
		if (!sv_eqs(got, rows[i].want)) {
			print_error("row %zu: %.*s, not %s\n", i, SVFMT(got),
				rows[i].want);
			bad++;
		}
		assert_int_equal(esc_is_plain(rows[i].src, rows[i].ctx),
			sv_eq(rows[i].src, sv_of(rows[i].want)));
	}
	assert_int_equal(bad, 0);
}

/* ---- the inverse refuses ---- */

static void test_undo_refuses(void **state)
{
	static const char *const bad[] = {
		"<U+", "<U+2", "<U+202E", "<U+202e>", "<U+0041>", "<U+00041>",
		"<U+0020>", "<U+0020 x1>", "<U+0020 x15>", "<U+0020 x016>",
		"<U+0020 x>", "<U+0020 x99999999999999999999999>",
		"<U+0020 x4000000000>", "<U+0021 x20>", "<U+202E x2>",
		"<U+D800>", "<U+110000>", "<U+FFFFFF>", "<U+0009>", "<U+003C>",
		"<U+003C>U", "<0x", "<0xC", "<0xc0>", "<0x41>", "<0xC3><0xA9>",
		"<0xC0 x20>", "a\tb", "a\nb", "\x1b", "\xE2\x80\xAE", "\xC0",
		"\xE2\x87\xA5", "\xE2\x87\xA5 x", "\xE2\x87\xA5      x",
		"a\xCC\x81\xCC\x82\xCC\x83", "\xCC\x81",
		"x<U+05E9>\xD7\xA9", "<U+0020 x20>" B10 B10,
		B10 B10 B10 B10 B10 B10 "x",
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		buf_clear(&back);
		buf_adds(&back, "kept");
		if (esc_undo(sv_of(bad[i]), 0, &back) != -1)
			fail_msg("undone: %s", bad[i]);
		assert_true(sv_eqs(buf_sv(&back), "kept"));
	}
	/* The column decides how many blanks belong to a tab. */
	buf_clear(&back);
	assert_int_equal(esc_undo(SV("\xE2\x87\xA5  x"), 5, &back), 0);
	assert_true(sv_eqs(buf_sv(&back), "\tx"));
	buf_clear(&back);
	assert_int_equal(esc_undo(SV("\xE2\x87\xA5  x"), 7, &back), 0);
	assert_true(sv_eqs(buf_sv(&back), "\t  x"));
	assert_int_equal(esc_undo(SV("\xE2\x87\xA5  x"), 4, &back), -1);
}

/* ---- clean, counts, over ---- */

static void test_clean_and_counts(void **state)
{
	struct esc_counts c = { { 0 } };
	struct buf tiny;

	(void)state;
	assert_true(esc_is_clean(SV_NONE));
	assert_true(esc_is_clean(SV("a <U+202E> <0x \xE2\x87\xA5   \xD7\xA9")));
	assert_true(esc_is_clean(SV(B10 B10 B10 B10 B10 B10 B10)));
	assert_false(esc_is_clean(SV("a\tb")));
	assert_false(esc_is_clean(SV("a\n")));
	assert_false(esc_is_clean(SV("\xE2\x80\xAE")));
	assert_false(esc_is_clean(SV("\xC2\xA0")));
	assert_false(esc_is_clean(SV("\xFF")));
	assert_false(esc_is_clean(SV("a\xCC\x81\xCC\x82\xCC\x83")));
	assert_false(esc_is_clean(SV(" \xCC\x81")));
	assert_false(esc_is_clean(SV("\xCC\x81")));
	assert_false(esc_is_clean(SV("\xE1\x85\xA1")));
	assert_true(esc_is_clean(SV("\xE0\xA4\xBF\xE0\xA4\x82")));
	assert_false(esc_is_clean(SV(" \xE0\xA4\xBF")));
	assert_false(esc_is_plain(SV("a <U+202E>"), ESC_PROSE));
	assert_false(esc_is_plain(SV("\xD7\xA9"), ESC_STRICT));
	assert_true(esc_is_plain(SV("\xD7\xA9"), ESC_CODE));

	buf_clear(&out);
	assert_int_equal(esc_line(SV("\t\x1b\xE2\x80\xAE\xE2\x80\x8B\xC0<U+"
		"\xF3\xA0\x81\x81\xCC\x81" B10 B10 "\xC2\xA0\xE2\x87\xA5"),
		ESC_STRICT, 0, &out, NULL, NULL, &c), 0);
	assert_int_equal(c.n[ESC_TAB], 1);
	assert_int_equal(c.n[ESC_CONTROL], 1);
	assert_int_equal(c.n[ESC_BIDI], 1);
	assert_int_equal(c.n[ESC_ZERO_WIDTH], 1);
	assert_int_equal(c.n[ESC_INVALID], 1);
	assert_int_equal(c.n[ESC_LITERAL], 2);
	assert_int_equal(c.n[ESC_TAG], 1);
	assert_int_equal(c.n[ESC_COMBINING], 1);
	assert_int_equal(c.n[ESC_BLANK_RUN], 1);
	assert_int_equal(c.n[ESC_OTHER], 1);
	assert_int_equal(esc_hidden(&c), 7);

	buf_init(&tiny, 7);
	assert_int_equal(esc_line(SV("abc\x1b"), ESC_CODE, 0, &tiny, NULL, NULL,
		NULL), -1);
	buf_free(&tiny);
	buf_init(&tiny, 3);
	assert_int_equal(esc_undo(SV("abcd"), 0, &tiny), -1);
	assert_int_equal(tiny.n, 0);
	buf_free(&tiny);
}

/* ---- labels ---- */

static void label_is(struct sv src, size_t max, const char *want)
{
	buf_clear(&out);
	assert_int_equal(esc_label(src, max, &out), 0);
	if (!sv_eqs(buf_sv(&out), want))
		fail_msg("%zu: %.*s, not %s", max, SVFMT(buf_sv(&out)), want);
}

static void test_labels(void **state)
{
	struct buf big;
	size_t max;
	int i;

	(void)state;
	label_is(SV(""), 0, "");
	label_is(SV("abc"), 3, "abc");
	label_is(SV("abcd"), 3, "\xE2\x80\xA6" "4B");
	label_is(SV("abcd"), 2, "a\xE2\x80\xA6");
	label_is(SV("abcd"), 0, "\xE2\x80\xA6");
	label_is(SV("abcdefghij"), 9, "abcde\xE2\x80\xA6" "10B");
	label_is(SV("ab\x1b" "efghij"), 9, "ab\xE2\x80\xA6" "9B");
	label_is(SV("\xE6\xBC\xA2\xE5\xAD\x97\xE6\xBC\xA2"), 5,
		"\xE6\xBC\xA2\xE2\x80\xA6" "9B");
	label_is(SV("e\xCC\x81" "e\xCC\x81" "e\xCC\x81" "xyz"), 5,
		"e\xCC\x81\xE2\x80\xA6" "12B");
	label_is(SV("ls" B10 B10 ";rm"), 20, "ls<U+0020 x20>;rm");
	label_is(SV("ls" B10 B10 ";rm"), 16, "ls\xE2\x80\xA6" "25B");

	/* Blanks across the stretch that a label reads at once. */
	buf_init(&big, 1 << 20);
	for (i = 0; i < 4090; i++)
		buf_addc(&big, 'x');
	for (i = 0; i < 20; i++)
		buf_addc(&big, ' ');
	buf_adds(&big, "end");
	buf_clear(&out);
	assert_int_equal(esc_label(buf_sv(&big), 5000, &out), 0);
	assert_true(sv_ends(buf_sv(&out), "x<U+0020 x20>end"));
	for (max = 0; max < 60; max++) {
		for (i = 0; i < 60; i++) {
			buf_clear(&big);
			while ((int)big.n < i)
				buf_addc(&big, (char)rnd(256));
			buf_clear(&out);
			assert_int_equal(esc_label(buf_sv(&big), max, &out), 0);
			assert_true(esc_is_clean(buf_sv(&out)));
			assert_true(text_cells(buf_sv(&out)) <=
				(max > 0 ? max : 1));
		}
	}
	buf_free(&big);
}

/* ---- clusters ---- */

static void test_clusters(void **state)
{
	static const struct {
		const char *s;
		size_t n;
		int w;
	} first[] = {
		{ "ab", 1, 1 }, { "e\xCC\x81x", 3, 1 },
		{ "e\xCC\x81\xCC\x82x", 5, 1 }, { "\xE6\xBC\xA2x", 3, 2 },
		{ "\xE1\x84\x92\xE1\x85\xA1\xE1\x86\xABx", 9, 2 },
		{ "\xF0\x9F\x98\x80x", 4, 2 },
		{ "\xF0\x9F\x87\xA9\xF0\x9F\x87\xAA", 4, 1 },
		{ "\xE0\xA4\x95\xE0\xA4\xBF", 3, 1 }, { "\xFF\xFF", 1, 1 },
		{ "a\xFF", 1, 1 }, { "\xCC\x81", 2, 0 }, { " \xCC\x81", 3, 1 },
		{ "\xE3\x89\x88", 3, 2 }, { "\xE4\xB7\x80", 3, 2 },
	};
	size_t i;
	int w;

	(void)state;
	for (i = 0; i < sizeof(first) / sizeof(first[0]); i++) {
		if (grapheme_next(sv_of(first[i].s), 0, &w) != first[i].n ||
		    w != first[i].w)
			fail_msg("row %zu", i);
	}
	assert_int_equal(grapheme_next(SV("a"), 1, &w), 0);
	assert_int_equal(w, 0);
	assert_int_equal(text_cells(SV("a\xE6\xBC\xA2" "e\xCC\x81\xFF")), 5);
	assert_false(text_has_rtl(SV("plain \xE6\xBC\xA2 \xFF")));
	assert_true(text_has_rtl(SV("a plain line with \xD7\xA9")));
	assert_true(text_has_rtl(SV("\xD9\xA1")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_undo_refuses),
		cmocka_unit_test(test_clean_and_counts),
		cmocka_unit_test(test_labels),
		cmocka_unit_test(test_clusters),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
