/*
 * fuzz_text.c - the escaper's promises for any bytes: byte 0 picks the
 * context, byte 1 the column, the rest is the source; and the rest read as
 * output must be refused or be undone to what writes it again.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int ok)
{
	if (!ok)
		abort();
}

struct seen {
	size_t from, out;
};

static void piece(void *arg, const struct esc_piece *p)
{
	struct seen *s = arg;

	check(p->from == s->from && p->to > p->from);
	check(p->out_from == s->out && p->out_to > p->out_from);
	check(p->notation || p->to - p->from == p->out_to - p->out_from);
	s->from = p->to;
	s->out = p->out_to;
}

static void labels(struct sv src)
{
	struct buf b;
	size_t max;

	buf_init(&b, 1 << 12);
	for (max = 0; max < 40; max += 13) {
		buf_clear(&b);
		check(esc_label(src, max, &b) == 0);
		check(esc_is_clean(buf_sv(&b)));
		check(text_cells(buf_sv(&b)) <= (max > 0 ? max : 1));
	}
	buf_free(&b);
}

static void clusters(struct sv s, int clean)
{
	size_t at = 0, n, cells = 0;
	int w;

	while ((n = grapheme_next(s, at, &w)) > 0) {
		check(w >= 0 && w <= 2 && at + n <= s.n);
		check(!clean || (w > 0 &&
			esc_is_clean((struct sv){ s.p + at, n })));
		cells += (size_t)w;
		at += n;
	}
	check(at == s.n && cells == text_cells(s));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct seen seen = { 0, 0 };
	struct buf out, back;
	enum esc_context ctx;
	struct sv src, s;
	size_t col;

	if (size < 2)
		return 0;
	ctx = (enum esc_context)(data[0] % 3);
	col = data[1];
	src = (struct sv){ (const char *)data + 2, size - 2 };
	buf_init(&out, 10 * size);
	buf_init(&back, 64 * size + 4096);
	check(esc_line(src, ctx, col, &out, piece, &seen, NULL) == 0);
	s = buf_sv(&out);
	check(seen.from == src.n && seen.out == s.n);
	check(utf8_valid(s) && esc_is_clean(s));
	check(esc_is_plain(src, ctx) == sv_eq(src, s));
	check(esc_undo(s, col, &back) == 0 && sv_eq(buf_sv(&back), src));
	clusters(s, 1);
	clusters(src, 0);
	labels(src);
	buf_clear(&back);
	if (esc_undo(src, col, &back) == 0)
		check(esc_is_clean(src));
	else
		check(back.n == 0);
	buf_free(&out);
	buf_free(&back);
	return 0;
}
