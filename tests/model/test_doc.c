/*
 * test_doc.c - building, reading back, storing and limits of documents.
 */
#include "check.h"

#include "model/doc.h"

static struct sv line_text(const struct doc *d, uint32_t line, struct buf *b)
{
	buf_clear(b);
	for (uint32_t i = 0; i < doc_line_spans(d, line); i++)
		buf_addsv(b, doc_line_span(d, line, i).text);
	return buf_sv(b);
}

static void assert_line(const struct doc *d, uint32_t line, const char *want)
{
	struct buf b;

	buf_init(&b, 1u << 20);
	if (!sv_eqs(line_text(d, line, &b), want))
		fail_msg("line %u is <<%.*s>>, not <<%s>>", line, SVFMT(buf_sv(&b)), want);
	buf_free(&b);
}

static void assert_span(const struct doc *d, uint32_t line, uint32_t i,
	const char *text, enum role r, uint32_t from, uint32_t to)
{
	struct doc_span s = doc_line_span(d, line, i);

	if (!sv_eqs(s.text, text) || s.role != r || s.src_from != from || s.src_to != to)
		fail_msg("span %u of line %u: <<%.*s>> %s %u-%u", i, line,
			SVFMT(s.text), role_name(s.role), s.src_from, s.src_to);
}

static void test_spans(void **state)
{
	struct doc *d = doc_new(1u << 20);
	uint32_t old_no, new_no;

	(void)state;
	doc_span(d, ROLE_TEXT, SV("before any line"));
	assert_int_equal(doc_lines(d), 0);
	doc_line(d, LINE_PAYLOAD);
	doc_lineno(d, 3, 0);
	doc_span(d, ROLE_DEL, SV("-"));
	doc_span_raw(d, ROLE_DEL, SV("a\tb\x01" "c"), ESC_CODE, 100);
	doc_line(d, LINE_OURS);
	doc_spanf(d, ROLE_WARN, "%s %d", "note\n", 5);
	doc_line(d, LINE_WORDS);
	doc_seal(d);
	assert_int_equal(doc_lines(d), 3);
	/* The stop is counted from the line's beginning, gutter included. */
	assert_line(d, 0, "-a\xE2\x87\xA5     b<U+0001>c");
	assert_span(d, 0, 0, "-", ROLE_DEL, 0, 0);
	assert_span(d, 0, 1, "a", ROLE_DEL, 100, 101);
	assert_span(d, 0, 3, "b", ROLE_DEL, 102, 103);
	assert_span(d, 0, 4, "<U+0001>", ROLE_ESCAPE, 103, 104);
	/* Our own text has no source, whatever it holds. */
	assert_span(d, 1, 0, "note", ROLE_WARN, 0, 0);
	assert_span(d, 1, 1, "<U+000A>", ROLE_ESCAPE, 0, 0);
	assert_span(d, 1, 2, " 5", ROLE_WARN, 0, 0);
	assert_int_equal(doc_line_spans(d, 2), 0);
	assert_int_equal(doc_line_spans(d, 3), 0);
	assert_int_equal(doc_line_span(d, 9, 9).text.n, 0);
	doc_line_nos(d, 0, &old_no, &new_no);
	assert_int_equal(old_no, 3);
	assert_int_equal(doc_line_kind(d, 2), LINE_WORDS);
	/* What we wrote ourselves is not counted as hidden. */
	assert_int_equal(esc_hidden(doc_counts(d)), 1);
	doc_free(&d);
	assert_null(d);
}

static void test_runs(void **state)
{
	struct role_run runs[] = { { 1, ROLE_ADD }, { 4, ROLE_ADD_WORD },
		{ 5, ROLE_ADD } };
	struct doc *d = doc_new(1u << 20);

	(void)state;
	doc_line(d, LINE_PAYLOAD);
	doc_span_runs(d, runs, 3, SV("abcdef"), ESC_CODE, 10);
	assert_span(d, 0, 0, "a", ROLE_ADD, 10, 11);
	assert_span(d, 0, 1, "bcd", ROLE_ADD_WORD, 11, 14);
	assert_span(d, 0, 2, "ef", ROLE_ADD, 14, 16);
	/* A border inside a character or before its marks moves behind them. */
	doc_line(d, LINE_PAYLOAD);
	doc_span_runs(d, runs, 2, SV("e\xCC\x81x\xC3\xA9y"), ESC_CODE, 0);
	assert_span(d, 1, 0, "e\xCC\x81", ROLE_ADD, 0, 3);
	assert_span(d, 1, 1, "x\xC3\xA9y", ROLE_ADD_WORD, 3, 7);
	/* Parts of one line cannot spell notation at their joint. */
	doc_line(d, LINE_PAYLOAD);
	doc_span_runs(d, runs, 3, SV("<U+202E>"), ESC_CODE, 0);
	assert_line(d, 2, "<U+003C>U+202E>");
	doc_line(d, LINE_PAYLOAD);
	doc_span_runs(d, runs, 0, SV("x"), ESC_CODE, 0);
	doc_span_runs(d, runs, 3, SV(""), ESC_CODE, 0);
	assert_int_equal(doc_line_spans(d, 3), 0);
	/* Runs of no length, and beyond the text. */
	runs[0].to = runs[1].to = 0;
	runs[2].to = 99;
	doc_line(d, LINE_PAYLOAD);
	doc_span_runs(d, runs, 3, SV("abc"), ESC_CODE, 0);
	assert_span(d, 4, 0, "abc", ROLE_ADD, 0, 3);
	doc_free(&d);
}

static void test_text(void **state)
{
	struct doc *d = doc_new(1u << 20);
	struct doc_span s;
	uint32_t old_no, new_no;

	(void)state;
	doc_text(d, LINE_PAYLOAD, ROLE_TEXT, SV("a\n\n\nb\n\n\n\n  \nc"), ESC_CODE, true);
	assert_int_equal(doc_lines(d), 7);
	assert_line(d, 0, "a");
	assert_line(d, 1, "");
	assert_line(d, 3, "b");
	assert_line(d, 4, "<U+000A x3>");
	assert_line(d, 5, "  ");           /* blanks are not nothing */
	assert_line(d, 6, "c");
	doc_line_nos(d, 6, &old_no, &new_no);
	assert_int_equal(new_no, 9);
	s = doc_line_span(d, 4, 0);
	assert_int_equal(doc_folded(&s), 3);
	assert_int_equal(s.src_from, 6);
	assert_int_equal(s.src_to, 9);
	doc_text(d, LINE_PAYLOAD, ROLE_TEXT, SV("last\n"), ESC_CODE, false);
	assert_int_equal(doc_lines(d), 8);
	doc_text(d, LINE_PAYLOAD, ROLE_TEXT, SV(""), ESC_CODE, false);
	assert_int_equal(doc_lines(d), 8);
	/* No source bytes draw what a fold draws. */
	doc_line(d, LINE_PAYLOAD);
	doc_span_raw(d, ROLE_TEXT, SV("<U+000A x3>"), ESC_CODE, 0);
	for (uint32_t i = 0; i < doc_line_spans(d, 8); i++) {
		s = doc_line_span(d, 8, i);
		assert_int_equal(doc_folded(&s), 0);
	}
	doc_free(&d);
}

static struct doc *sample(void)
{
	struct doc *d = doc_new(1u << 20);

	doc_line(d, LINE_OURS);
	doc_span(d, ROLE_FILE, SV("file"));
	doc_mark(d, MARK_FILE, SV("a.c"));
	doc_text(d, LINE_PAYLOAD, ROLE_TEXT, SV("one\n\n\n\n\ntwo\x7f\n\tthree\n"),
		ESC_CODE, true);
	doc_mark(d, MARK_HUNK, SV(""));
	doc_line(d, LINE_WORDS);
	return d;
}

static void test_round_trip(void **state)
{
	struct doc *d = sample(), *back;
	struct digest a, b;
	struct buf bytes, again;

	(void)state;
	doc_seal(d);
	buf_init(&bytes, 1u << 20);
	buf_init(&again, 1u << 20);
	assert_int_equal(doc_encode(d, &bytes), 0);
	a = sha256(buf_sv(&bytes));
	b = doc_digest(d);
	assert_true(digest_eq(&a, &b));
	back = doc_decode(buf_sv(&bytes), NULL);
	assert_non_null(back);
	assert_int_equal(doc_encode(back, &again), 0);
	assert_true(sv_eq(buf_sv(&bytes), buf_sv(&again)));
	b = doc_digest(back);
	assert_true(digest_eq(&a, &b));
	assert_int_equal(doc_lines(back), doc_lines(d));
	assert_int_equal(doc_marks(back, MARK_FILE), 1);
	assert_true(sv_eqs(doc_mark_label(back, MARK_FILE, 0), "a.c"));
	assert_int_equal(doc_mark_line(back, MARK_HUNK, 0), 4);
	assert_int_equal(doc_marks(back, MARK_FLAG), 0);
	assert_int_equal(doc_mark_label(back, MARK_FLAG, 0).n, 0);
	assert_int_equal(esc_hidden(doc_counts(back)), 1);
	doc_free(&back);
	doc_free(&d);
	buf_free(&bytes);
	buf_free(&again);
}

/* Everything a reader may do with a document. */
static void read_all(const struct doc *d)
{
	for (uint32_t i = 0; i < doc_lines(d); i++)
		for (uint32_t k = 0; k < doc_line_spans(d, i); k++) {
			struct doc_span s = doc_line_span(d, i, k);

			assert_true(esc_is_clean(s.text));
			assert_true((unsigned)s.role < ROLE_N);
			assert_true(s.src_from <= s.src_to);
		}
	for (int m = 0; m < MARK_N; m++)
		for (uint32_t i = 0; i < doc_marks(d, (enum doc_mark)m); i++) {
			assert_true(doc_mark_line(d, (enum doc_mark)m, i) < doc_lines(d));
			assert_true(esc_is_clean(doc_mark_label(d, (enum doc_mark)m, i)));
		}
}

static void test_damage(void **state)
{
	struct doc *d = sample(), *back;
	struct buf bytes;

	(void)state;
	doc_seal(d);
	buf_init(&bytes, 1u << 20);
	doc_encode(d, &bytes);
	for (size_t cut = 0; cut < bytes.n; cut++)
		assert_null(doc_decode((struct sv){ bytes.p, cut }, NULL));
	for (size_t at = 0; at < bytes.n; at++)
		for (int bit = 0; bit < 8; bit++) {
			bytes.p[at] = (char)(bytes.p[at] ^ (1 << bit));
			back = doc_decode(buf_sv(&bytes), NULL);
			if (back != NULL)
				read_all(back);
			doc_free(&back);
			bytes.p[at] = (char)(bytes.p[at] ^ (1 << bit));
		}
	buf_addc(&bytes, 'x');
	assert_null(doc_decode(buf_sv(&bytes), NULL));
	doc_free(&d);
	buf_free(&bytes);
}

/* Text that no line shows may not hide in a stored document. */
static void test_hidden_text(void **state)
{
	struct doc *d = doc_new(1u << 20), *back;
	const size_t text_len = 13 + 8;    /* after the tag: lines, spans, text */
	struct buf bytes;

	(void)state;
	doc_line(d, LINE_PAYLOAD);
	doc_span(d, ROLE_TEXT, SV("abc"));
	doc_seal(d);
	buf_init(&bytes, 1u << 20);
	doc_encode(d, &bytes);
	back = doc_decode(buf_sv(&bytes), NULL);
	assert_non_null(back);
	doc_free(&back);
	assert_int_equal(bytes.p[text_len], 3);
	bytes.p[text_len]++;
	buf_addc(&bytes, 'd');
	assert_null(doc_decode(buf_sv(&bytes), NULL));
	doc_free(&d);
	buf_free(&bytes);
}

/* Past its limit a document stays a document, and says that it is not whole. */
static void test_limit(void **state)
{
	static const char word[] = "some text \x01 and more";

	(void)state;
	for (size_t max = 1000; max < 60000; max += 777) {
		struct doc *d = doc_new(max), *back;
		struct buf bytes;

		for (int i = 0; i < 3000; i++) {
			doc_line(d, LINE_PAYLOAD);
			doc_span(d, ROLE_ADD, SV("+"));
			doc_span_raw(d, ROLE_ADD, SV(word), ESC_CODE, 0);
			if (i % 10 == 0)
				doc_mark(d, MARK_HUNK, SV("h"));
		}
		assert_true(doc_over(d));
		assert_true(doc_lines(d) < 3000);
		doc_seal(d);
		assert_true(doc_memory(d) <= 2 * max + 4096);
		buf_init(&bytes, 1u << 22);
		assert_int_equal(doc_encode(d, &bytes), 0);
		back = doc_decode(buf_sv(&bytes), NULL);
		assert_non_null(back);
		read_all(back);
		doc_free(&back);
		doc_free(&d);
		buf_free(&bytes);
	}
}

static void test_roles(void **state)
{
	enum role r;

	(void)state;
	for (int i = 0; i < ROLE_N; i++) {
		assert_true(role_from_name(sv_of(role_name((enum role)i)), &r));
		assert_int_equal(r, i);
		for (int k = 0; k < i; k++)
			assert_int_not_equal(role_letter((enum role)i),
				role_letter((enum role)k));
	}
	assert_false(role_from_name(SV("TEXT"), &r));
	assert_int_equal(role_letter(ROLE_N), '?');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_spans),
		cmocka_unit_test(test_runs),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_damage),
		cmocka_unit_test(test_hidden_text),
		cmocka_unit_test(test_limit),
		cmocka_unit_test(test_roles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
