/*
 * test_wrap.c - properties of wrapping over generated lines: all graphemes,
 * in order, each once; no row wider than the width; no row that could have
 * held its successor's first grapheme.
 */
#include "tests/check.h"

#include "base/text.h"
#include "ui/frame.h"
#include "ui/wrap.h"

static uint32_t rng = 12345;
static uint32_t rnd(uint32_t below)
{
	rng = rng * 1664525u + 1013904223u;
	return (rng >> 8) % below;
}

static const char *const bits[] = { "a", "Z", " ", "é", "世", "界", "e\xcc\x81", "🙂",
	"<U+202E>", "⇥   ", "한", "-" };
#define N_BITS (sizeof(bits) / sizeof(bits[0]))

static size_t make(struct buf *b, struct span *spans, size_t max)
{
	size_t n = rnd((uint32_t)max + 1), ends[16];

	buf_clear(b);
	for (size_t i = 0; i < n; i++) {
		for (uint32_t k = rnd(20); k > 0; k--)
			buf_adds(b, bits[rnd(N_BITS)]);
		ends[i] = b->n;
	}
	for (size_t i = 0; i < n; i++) {
		size_t from = i > 0 ? ends[i - 1] : 0;
		spans[i] = (struct span){ { b->p + from, ends[i] - from }, ROLE_TEXT };
	}
	return n;
}

static size_t row_cells(const struct wrap *w, const struct span *s, size_t row)
{
	size_t from, to, cells = 0;

	wrap_row(w, row, &from, &to);
	for (size_t i = from; i < to; i++)
		cells += text_cells((struct sv){ s[w->segs[i].span].text.p + w->segs[i].from,
			w->segs[i].to - w->segs[i].from });
	return cells;
}

static void whole(void **state)
{
	struct wrap w = { 0 };
	struct span spans[16];
	struct buf b, back;

	(void)state;
	buf_init(&b, 1 << 20);
	buf_init(&back, 1 << 20);
	for (int round = 0; round < 4000; round++) {
		size_t n = make(&b, spans, 16);
		int width = 2 + (int)rnd(30);

		bool words = round % 2 == 1;

		if (words)
			wrap_words(&w, spans, n, width);
		else
			wrap_line(&w, spans, n, width);
		buf_clear(&back);
		for (size_t i = 0; i < w.n_segs; i++)
			buf_add(&back, spans[w.segs[i].span].text.p + w.segs[i].from,
				w.segs[i].to - w.segs[i].from);
		assert_int_equal(back.n, b.n);
		assert_true(b.n == 0 || memcmp(back.p, b.p, b.n) == 0);
		for (size_t r = 0; r < w.n_rows; r++) {
			assert_true(row_cells(&w, spans, r) <= (size_t)width);
			/* at most the one cell that a wide grapheme could not use */
			if (r + 1 < w.n_rows && !words)
				assert_true(row_cells(&w, spans, r) + 1 >= (size_t)width);
		}
	}
	wrap_line(&w, spans, 0, 10);
	assert_int_equal(w.n_rows, 1); /* an empty line stands on the screen too */
	wrap_free(&w);
	buf_free(&b);
	buf_free(&back);
}

/* Sentences break after blanks, across spans too. */
static void sentences(void **state)
{
	struct wrap w = { 0 };
	const struct span s[3] = { { SV("one two th"), ROLE_TEXT }, { SV("r"), ROLE_ADD },
		{ SV("ee four"), ROLE_TEXT } };
	const size_t rows[] = { 8, 6, 4 };

	(void)state;
	wrap_words(&w, s, 3, 9);
	assert_int_equal(w.n_rows, 3);
	for (size_t r = 0; r < 3; r++)
		assert_int_equal(row_cells(&w, s, r), rows[r]);
	wrap_free(&w);
}

/* A grapheme wider than the width still makes progress. */
static void narrow(void **state)
{
	struct wrap w = { 0 };
	struct span s = { SV("世界a"), ROLE_TEXT };

	(void)state;
	wrap_line(&w, &s, 1, 1);
	assert_int_equal(w.n_rows, 3);
	wrap_free(&w);
}

/* The last gate: what is not clean never becomes a cell. */
static void frame_gate(void **state)
{
	static const char *const hostile[] = { "\033[2J", "a\rb", "\xe2\x80\xae", ("\x9b" "A"),
		"\xff", "\xe2\x80\x8b", "\x07", "\xf3\xa0\x81\x81" };
	struct frame f;

	(void)state;
	for (size_t i = 0; i < sizeof(hostile) / sizeof(hostile[0]); i++) {
		struct buf b;

		frame_init(&f, 10, 1);
		frame_s(&f, 0, 0, 10, ROLE_TEXT, hostile[i]);
		for (int x = 0; x < f.w; x++) {
			const struct cell *c = frame_at(&f, x, 0);
			assert_true(esc_is_clean((struct sv){ c->g, c->n }));
		}
		buf_init(&b, 1000);
		assert_int_equal(frame_dump(&f, &b), 0);
		assert_non_null(memmem(b.p, b.n, "\xef\xbf\xbd", 3));
		assert_non_null(memchr(b.p, 'e', b.n)); /* and said so by its role */
		buf_free(&b);
		frame_free(&f);
	}
}

static void frame_wide(void **state)
{
	struct frame f;
	struct buf b;

	(void)state;
	frame_init(&f, 6, 1);
	buf_init(&b, 1000);
	frame_s(&f, 0, 0, 6, ROLE_ADD, "世界世界");
	frame_s(&f, 1, 0, 1, ROLE_DEL, "x"); /* over the right half of the first */
	frame_dump(&f, &b);
	buf_addc(&b, '\0');
	assert_string_equal(b.p, "| x界… |\n|+-++++|\n");
	buf_free(&b);
	frame_free(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole),
		cmocka_unit_test(sentences),
		cmocka_unit_test(narrow),
		cmocka_unit_test(frame_gate),
		cmocka_unit_test(frame_wide),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
