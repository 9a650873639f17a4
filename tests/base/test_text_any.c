/*
 * test_text_any.c - what must hold for every code point and any bytes.
 */
#include "check.h"

#include <gnu/libc-version.h>
#include <locale.h>
#include <wchar.h>

#include <utf8proc.h>

#include "base/text.h"

#define TAB8 "\xE2\x87\xA5       "
#define B10 "          "

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

/* ---- every code point ---- */

struct range {
	uint32_t from, to;
};

/* Each class that must never reach a screen, in any context. */
static const struct range never[] = {
	{ 0x00, 0x1F }, { 0x7F, 0x9F }, { 0xA0, 0xA0 }, { 0xAD, 0xAD },
	{ 0x34F, 0x34F }, { 0x61C, 0x61C }, { 0x115F, 0x1160 },
	{ 0x1680, 0x1680 }, { 0x17B4, 0x17B5 }, { 0x180B, 0x180F },
	{ 0x2000, 0x200F }, { 0x2028, 0x202F }, { 0x205F, 0x206F },
	{ 0x2800, 0x2800 }, { 0x3000, 0x3000 }, { 0x3164, 0x3164 },
	{ 0xE000, 0xF8FF }, { 0xFDD0, 0xFDEF }, { 0xFE00, 0xFE0F },
	{ 0xFEFF, 0xFEFF }, { 0xFFA0, 0xFFA0 }, { 0xFFF0, 0xFFFC },
	{ 0xFFFE, 0xFFFF }, { 0x13441, 0x13442 }, { 0x1BCA0, 0x1BCA3 },
	{ 0x1D159, 0x1D159 }, { 0x1D173, 0x1D17A }, { 0xE0000, 0xE0FFF },
	{ 0xF0000, 0x10FFFF },
};

static bool is_never(uint32_t cp)
{
	size_t i;

	for (i = 0; i < sizeof(never) / sizeof(never[0]); i++) {
		if (cp >= never[i].from && cp <= never[i].to)
			return true;
	}
	return (cp & 0xFFFE) == 0xFFFE;
}

/* "." and CP in one context: allowed or notation, clean, undone, and as wide as
 * ncurses will draw it. Returns whether it stood as it is. */
static bool one_code_point(uint32_t cp, enum esc_context ctx, bool widths)
{
	utf8proc_category_t cat = utf8proc_category((utf8proc_int32_t)cp);
	char src[8] = { '.' }, note[16];
	size_t n = 1 + utf8_encode(cp, src + 1);
	struct sv in = { src, n }, got = escaped(in, ctx, 0);
	bool plain = sv_eq(got, in), allowed;

	snprintf(note, sizeof(note), ".<U+%04X>", cp);
	if (!plain && cp != '\t' && !sv_eqs(got, note))
		fail_msg("U+%04X became %.*s", cp, SVFMT(got));
	if (!esc_is_clean(got) || !utf8_valid(got))
		fail_msg("U+%04X is written unclean", cp);
	allowed = (cat >= UTF8PROC_CATEGORY_LU && cat <= UTF8PROC_CATEGORY_SO) ||
	          cp == ' ';
	if (plain && (is_never(cp) || !allowed))
		fail_msg("U+%04X stands as it is", cp);
	if (plain && widths && wcwidth((wchar_t)cp) != cell_width(cp))
		fail_msg("U+%04X: %d cells here, %d in the C library", cp,
			cell_width(cp), wcwidth((wchar_t)cp));
	buf_clear(&back);
	if (esc_undo(got, 0, &back) != 0 || !sv_eq(buf_sv(&back), in))
		fail_msg("U+%04X is not undone", cp);
	return plain;
}

static void test_every_code_point(void **state)
{
	/* Other versions know other code points and so differ at the edges. */
	bool widths = setlocale(LC_CTYPE, "C.UTF-8") != NULL &&
		strcmp(gnu_get_libc_version(), "2.36") == 0 &&
		strcmp(utf8proc_unicode_version(), "15.0.0") == 0;
	unsigned kept[3] = { 0, 0, 0 };
	uint32_t cp;
	int ctx;

	(void)state;
	if (!widths)
		print_message("another C library: widths not compared\n");
	for (cp = 0; cp <= 0x10FFFF; cp++) {
		if (cp >= 0xD800 && cp <= 0xDFFF)
			continue;
		for (ctx = 0; ctx < 3; ctx++) {
			/* Private planes are all alike: every 17th will do. */
			if (cp < 0x20000 || cp % 17 == (uint32_t)ctx)
				kept[ctx] += one_code_point(cp,
					(enum esc_context)ctx, widths);
		}
	}
	/* A list that refuses everything would pass all of the above. */
	assert_true(kept[ESC_STRICT] > 75000);
	assert_true(kept[ESC_CODE] > kept[ESC_STRICT] + 2000);
	assert_true(kept[ESC_PROSE] > kept[ESC_STRICT] + 2000);
	setlocale(LC_CTYPE, "C");
}

/* ---- for any bytes ---- */

struct seen {
	size_t from, out, notations;
	uint32_t why[ESC_N];
	struct sv src;
};

static void see(void *arg, const struct esc_piece *p)
{
	struct seen *s = arg;
	size_t n = p->to - p->from;

	assert_true(p->from == s->from && p->to > p->from);
	assert_true(p->out_from == s->out && p->out_to > p->out_from);
	if (!p->notation) {
		assert_int_equal(n, p->out_to - p->out_from);
		assert_memory_equal(s->src.p + p->from, out.p + p->out_from, n);
	} else {
		s->notations++;
		s->why[p->why]++;
	}
	s->from = p->to;
	s->out = p->out_to;
}

static void holds(struct sv src, enum esc_context ctx, size_t col)
{
	struct seen seen = { .src = src };
	struct esc_counts counts = { { 0 } };
	int i;

	buf_clear(&out);
	buf_clear(&back);
	assert_int_equal(esc_line(src, ctx, col, &out, see, &seen, &counts), 0);
	assert_int_equal(seen.from, src.n);
	assert_int_equal(seen.out, out.n);
	for (i = 0; i < ESC_N; i++)
		assert_int_equal(seen.why[i], counts.n[i]);
	assert_true(utf8_valid(buf_sv(&out)));
	assert_true(esc_is_clean(buf_sv(&out)));
	assert_int_equal(esc_is_plain(src, ctx), sv_eq(buf_sv(&out), src));
	assert_int_equal(esc_undo(buf_sv(&out), col, &back), 0);
	assert_true(sv_eq(buf_sv(&back), src));
}

static void test_random_bytes(void **state)
{
	char b[96];
	size_t n, i;
	int round;

	(void)state;
	for (round = 0; round < 20000; round++) {
		n = rnd(sizeof(b));
		for (i = 0; i < n; i++)
			b[i] = (char)rnd(round % 2 == 0 ? 256 : 128);
		holds((struct sv){ b, n }, (enum esc_context)rnd(3), rnd(20));
	}
}

static void test_random_structure(void **state)
{
	static const char *const bits[] = {
		"<", "U", "+", "0", "x", ">", "<U+", "<0x", "<U+0020 x20>",
		"<U+202E>", "<0xC0>", "\t", " ", "  ", "       ", B10, B10 B10,
		B10 B10 B10 B10, "\xE2\x87\xA5", TAB8, "\xE2\x80\xAE", "a",
		"bc", "\xCC\x81", "\xCC\x81\xCC\x82\xCC\x83", "\xD7\xA9",
		"\xD9\xA1", "\xE6\xBC\xA2", "\xE1\x84\x92", "\xE1\x85\xA1",
		"\xE1\x86\xAB", "\xEA\xB0\x80", "\xF0\x9F\x98\x80",
		"\xEF\xB8\x8F", "\xE2\x80\x8D", "\xF3\xA0\x81\x81", "\xC0",
		"\xE2\x82", "\xF0\x9F", "\n", "\r", "\x1b[", "\xC2\x9B",
		"\xE0\xA4\x95", "\xE0\xA4\xBF", "\xE0\xA5\x8D", "\xC2\xA0",
		"0123456789abcdef0123456789abcdef",
	};
	struct buf b;
	int round, n;

	(void)state;
	buf_init(&b, 1 << 14);
	for (round = 0; round < 40000; round++) {
		buf_clear(&b);
		for (n = (int)rnd(16); n > 0; n--)
			buf_adds(&b, bits[rnd(sizeof(bits) / sizeof(bits[0]))]);
		holds(buf_sv(&b), (enum esc_context)rnd(3), rnd(20));
	}
	buf_free(&b);
}

/* Runs of every length at every offset: the fast path reads in blocks. */
static void test_runs_of_blanks(void **state)
{
	char src[200], want[200];
	size_t before, run, n, limit;
	int ctx, wn;

	(void)state;
	for (ctx = 0; ctx < 3; ctx++) {
		limit = ctx == ESC_STRICT ? 16 : 60;
		for (before = 0; before < 20; before++) {
			for (run = 0; run < 80; run++) {
				n = before + run + 3;
				memset(src, 'x', n);
				memset(src + before, ' ', run);
				wn = snprintf(want, sizeof(want),
					"%.*s<U+0020 x%zu>xxx", (int)before,
					src, run);
				struct sv w = { want, (size_t)wn };
				if (run < limit)
					w = (struct sv){ src, n };
				assert_true(sv_eq(escaped((struct sv){ src, n },
					(enum esc_context)ctx, 0), w));
			}
		}
	}
}

/* ---- UTF-8 ---- */

static void test_utf8(void **state)
{
	utf8proc_int32_t want;
	utf8proc_ssize_t used;
	uint32_t cp, round;
	char b[4];
	size_t n, i, got;

	(void)state;
	for (cp = 0; cp <= 0x10FFFF; cp++) {
		if (cp >= 0xD800 && cp <= 0xDFFF)
			continue;
		n = utf8_encode(cp, b);
		if (utf8_decode(b, n, &round) != n || round != cp)
			fail_msg("U+%04X", cp);
		if (n > 1 && utf8_decode(b, n - 1, &round) != 0)
			fail_msg("U+%04X cut short", cp);
	}
	for (round = 0; round < 2000000; round++) {
		for (i = 0; i < 4; i++)
			b[i] = (char)(rnd(4) > 0 ? 0x80 + rnd(128) : rnd(128));
		used = utf8proc_iterate((const utf8proc_uint8_t *)b, 4, &want);
		got = utf8_decode(b, 4, &cp);
		if (got != (used < 0 ? 0 : (size_t)used) ||
		    (got > 0 && cp != (uint32_t)want))
			fail_msg("%02x %02x %02x %02x", b[0] & 0xFF,
				b[1] & 0xFF, b[2] & 0xFF, b[3] & 0xFF);
		assert_int_equal(utf8_valid((struct sv){ b, got }), true);
	}
	assert_int_equal(utf8_decode("", 0, &cp), 0);
	assert_true(utf8_valid(SV("0123456789\xC3\xA9")));
	assert_false(utf8_valid(SV("0123456789\xC3")));
	assert_int_equal(utf8_encode(0xD800, b), 3); /* U+FFFD, never invalid */
	assert_memory_equal(b, "\xEF\xBF\xBD", 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_code_point),
		cmocka_unit_test(test_random_bytes),
		cmocka_unit_test(test_random_structure),
		cmocka_unit_test(test_runs_of_blanks),
		cmocka_unit_test(test_utf8),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
