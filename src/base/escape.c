/*
 * escape.c - the escaper (see text.h). One walk over the source gives tokens:
 * the longest stretch that stands as it is, or one thing that becomes
 * notation. esc_line(), esc_label() and esc_is_plain() differ only in what
 * they do with tokens.
 */
#include "base/text.h"

#include <string.h>

#include "base/allow.h"

/* A tab is drawn as this, then blanks to the next stop. */
#define TAB_ARROW "\xE2\x87\xA5"
enum { TAB_ARROW_CP = 0x21E5, TAB_STOP = 8 };
/* A label never needs a stretch longer than this at once. */
enum { LABEL_STRETCH = 4096 };

struct walk {
	struct sv src;
	enum esc_context ctx;
	size_t at;       /* next source byte */
	size_t col;      /* cell column of what was written so far */
	size_t stretch;  /* soft limit of one plain token */
	struct allow_state st;
};

struct token {
	size_t from, to;     /* source bytes */
	bool notation;
	enum esc_class why;
	char text[40];       /* the notation */
	size_t n, cells;
};

static size_t run_limit(enum esc_context ctx)
{
	return ctx == ESC_STRICT ? 16 : 60;
}

/* True if the '<' at i begins what would read as notation. */
static bool says_notation(struct sv s, size_t i)
{
	return s.n - i >= 3 && ((s.p[i + 1] == 'U' && s.p[i + 2] == '+') ||
	                        (s.p[i + 1] == '0' && s.p[i + 2] == 'x'));
}

#define EACH(byte) ((byte) * 0x0101010101010101u)

/* Nonzero if one of eight bytes is zero. */
static uint64_t has_zero(uint64_t w)
{
	return (w - EACH(0x01)) & ~w & EACH(0x80);
}

/* The index of the lowest byte of w that has its high bit set. */
static size_t first_byte(uint64_t w)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return (size_t)__builtin_ctzll(w) / 8;
#else
	return w == 0; /* no hint: look at each byte */
#endif
}

/* Skips blocks of eight bytes with no surprise in them: all of 0x20 .. 0x7E,
 * no '<', and not all blank. A run of 15 blanks always fills one block. (The
 * borrow of has_zero() and the like only ever marks bytes above a true one.) */
static size_t skip_blocks(const char *p, size_t i, size_t end)
{
	uint64_t w, odd;

	for (; end - i >= sizeof(w); i += sizeof(w)) {
		memcpy(&w, p + i, sizeof(w));
		odd = (w & EACH(0x80)) |
		      ((w - EACH(0x20)) & ~w & EACH(0x80)) |
		      has_zero(w ^ EACH(0x7F)) | has_zero(w ^ EACH('<'));
		if (odd != 0)
			return i + first_byte(odd);
		if (w == EACH(' '))
			break;
	}
	return i;
}

/* The first byte at or after i, before end, that is not plain ASCII where it
 * stands: a control, a byte of a longer character, a '<' that would read as
 * notation, or the first blank of a long run (not before from). */
static size_t skip_plain(struct sv s, size_t from, size_t end, size_t limit)
{
	size_t i = from, b, e;
	unsigned char c;

	for (;;) {
		i = skip_blocks(s.p, i, end);
		if (i >= end)
			return end;
		c = (unsigned char)s.p[i];
		if (c == ' ') {
			for (b = i; b > from && s.p[b - 1] == ' '; b--)
				;
			for (e = i; e < s.n && s.p[e] == ' '; e++)
				;
			if (e - b >= limit)
				return b;
			i = e < end ? e : end;
			continue;
		}
		if (c < 0x20 || c > 0x7E || (c == '<' && says_notation(s, i)))
			return i;
		i++;
	}
}

/* Where a plain token that begins here should end at the latest: never inside
 * a run of blanks, which must be counted whole. */
static size_t stretch_end(const struct walk *w)
{
	size_t end;

	if (w->src.n - w->at <= w->stretch)
		return w->src.n;
	end = w->at + w->stretch;
	while (end < w->src.n && w->src.p[end] == ' ')
		end++;
	return end;
}

/* Takes in all that stands as it is. When it returns, w->at is the end of the
 * source or stretch, or at something that becomes notation for the reason
 * *why (used bytes, *cp); *used is 0 when that is not a character. */
static void walk_plain(struct walk *w, uint32_t *cp, size_t *used,
	enum esc_class *why)
{
	size_t end = stretch_end(w), to;

	while (w->at < end) {
		to = skip_plain(w->src, w->at, end, run_limit(w->ctx));
		if (to > w->at) {
			allow_ascii(&w->st, w->src.p[to - 1]);
			w->col += to - w->at;
			w->at = to;
			if (to >= end)
				return;
		}
		*used = utf8_decode(w->src.p + w->at, w->src.n - w->at, cp);
		if (*used == 0) {
			*why = ESC_INVALID;
			return;
		}
		if (*cp == ' ' || *cp == '<' || *cp == TAB_ARROW_CP) {
			*why = *cp == ' ' ? ESC_BLANK_RUN : ESC_LITERAL;
			return;
		}
		if (!allow_next(&w->st, *cp, w->ctx == ESC_STRICT, why))
			return;
		w->col += (size_t)cell_width(*cp);
		w->at += *used;
	}
}

static void token_add(struct token *t, const char *s, size_t n)
{
	memcpy(t->text + t->n, s, n);
	t->n += n;
	t->cells += n;
}

static void token_hex(struct token *t, uint32_t v, unsigned digits)
{
	char c;

	while (digits < 6 && v >> (4 * digits) != 0)
		digits++;
	while (digits-- > 0) {
		c = "0123456789ABCDEF"[v >> (4 * digits) & 15];
		token_add(t, &c, 1);
	}
}

static void token_decimal(struct token *t, size_t v)
{
	char d[24];
	size_t n = sizeof(d);

	do {
		d[--n] = (char)('0' + v % 10);
		v /= 10;
	} while (v > 0);
	token_add(t, d + n, sizeof(d) - n);
}

static void token_tab(struct token *t, size_t col)
{
	size_t pad = TAB_STOP - 1 - col % TAB_STOP;

	token_add(t, TAB_ARROW, 3);
	t->cells = 1;
	token_add(t, "        ", pad);
	t->why = ESC_TAB;
}

/* Writes the notation of what begins at w->at. */
static void walk_notation(struct walk *w, struct token *t, uint32_t cp,
	size_t used)
{
	size_t e = w->at;

	t->notation = true;
	if (used == 0) {
		token_add(t, "<0x", 3);
		token_hex(t, (unsigned char)w->src.p[w->at], 2);
		token_add(t, ">", 1);
		used = 1;
	} else if (cp == '\t') {
		token_tab(t, w->col);
	} else if (cp == ' ') {
		while (e < w->src.n && w->src.p[e] == ' ')
			e++;
		used = e - w->at;
		token_add(t, "<U+0020 x", 9);
		token_decimal(t, used);
		token_add(t, ">", 1);
	} else {
		token_add(t, "<U+", 3);
		token_hex(t, cp, 4);
		token_add(t, ">", 1);
	}
	w->st = (struct allow_state){ 0 };
	w->at += used;
	w->col += t->cells;
}

/* The next token; false at the end. */
static bool walk_next(struct walk *w, struct token *t)
{
	uint32_t cp = 0;
	size_t used = 0;

	t->from = w->at;
	t->notation = false;
	t->why = ESC_OTHER;
	t->n = t->cells = 0;
	if (w->at >= w->src.n)
		return false;
	walk_plain(w, &cp, &used, &t->why);
	if (w->at == t->from)
		walk_notation(w, t, cp, used);
	t->to = w->at;
	return true;
}

uint32_t esc_hidden(const struct esc_counts *counts)
{
	uint64_t sum = 0;
	int i;

	for (i = 0; i < ESC_N; i++) {
		if (i != ESC_BLANK_RUN && i != ESC_TAB && i != ESC_LITERAL)
			sum += counts->n[i];
	}
	return sum > UINT32_MAX ? UINT32_MAX : (uint32_t)sum;
}

int esc_line(struct sv src, enum esc_context ctx, size_t col, struct buf *out,
	void (*fn)(void *arg, const struct esc_piece *piece), void *arg,
	struct esc_counts *counts)
{
	struct walk w = { .src = src, .ctx = ctx, .col = col,
		.stretch = SIZE_MAX };
	struct token t;
	struct esc_piece piece;
	int rc;

	while (walk_next(&w, &t)) {
		piece = (struct esc_piece){ .from = t.from, .to = t.to,
			.out_from = out->n, .notation = t.notation,
			.why = t.why };
		rc = t.notation ? buf_add(out, t.text, t.n) :
			buf_add(out, src.p + t.from, t.to - t.from);
		if (rc != 0)
			return -1;
		piece.out_to = out->n;
		if (t.notation && counts != NULL &&
		    counts->n[t.why] < UINT32_MAX)
			counts->n[t.why]++;
		if (fn != NULL)
			fn(arg, &piece);
	}
	return 0;
}

/* Adds as much of the plain bytes s as fits in max cells. *cells counts up;
 * *cut is how much of out to keep should room for the mark be needed. */
static int label_plain(struct sv s, size_t max, size_t room, struct buf *out,
	size_t *cells, size_t *cut)
{
	size_t at = 0, n;
	int w;

	while ((n = grapheme_next(s, at, &w)) > 0) {
		if (*cells + (size_t)w > max)
			return 1;
		if (buf_add(out, s.p + at, n) != 0)
			return -1;
		*cells += (size_t)w;
		if (*cells <= room)
			*cut = out->n;
		at += n;
	}
	return 0;
}

int esc_label(struct sv src, size_t max_cells, struct buf *out)
{
	struct walk w = { .src = src, .ctx = ESC_STRICT,
		.stretch = LABEL_STRETCH };
	struct token t, mark = { .n = 0 };
	size_t cells = 0, room, cut = out->n;
	int rc = 0;

	token_add(&mark, "\xE2\x80\xA6", 3);
	mark.cells = 1;
	if (max_cells > 1) {
		token_decimal(&mark, src.n);
		token_add(&mark, "B", 1);
	}
	if (mark.cells > max_cells) {
		mark.n = 3;
		mark.cells = 1;
	}
	room = max_cells > mark.cells ? max_cells - mark.cells : 0;
	while (rc == 0 && walk_next(&w, &t)) {
		if (!t.notation) {
			rc = label_plain((struct sv){ src.p + t.from,
				t.to - t.from }, max_cells, room, out,
				&cells, &cut);
			continue;
		}
		cells += t.cells;
		rc = cells > max_cells ? 1 : buf_add(out, t.text, t.n);
		if (cells <= room)
			cut = out->n;
	}
	if (rc <= 0)
		return rc;
	out->n = cut;
	return buf_add(out, mark.text, mark.n);
}

bool esc_is_clean(struct sv s)
{
	struct allow_state st = { 0 };
	enum esc_class why;
	size_t i = 0, to, used;
	uint32_t cp;

	while (i < s.n) {
		/* No run is too long for output, and '<' may stand. */
		for (to = i; to < s.n && s.p[to] >= 0x20 && s.p[to] < 0x7F; to++)
			;
		if (to > i)
			allow_ascii(&st, s.p[to - 1]);
		if (to >= s.n)
			break;
		used = utf8_decode(s.p + to, s.n - to, &cp);
		if (used == 0)
			return false;
		if (to == 0 && allow_is_spacing(cp))
			st.base = ALLOW_OTHER_BASE;
		if (!allow_next(&st, cp, false, &why))
			return false;
		i = to + used;
	}
	return true;
}

bool esc_is_plain(struct sv s, enum esc_context ctx)
{
	struct walk w = { .src = s, .ctx = ctx, .stretch = SIZE_MAX };
	struct token t;

	return !walk_next(&w, &t) || (!t.notation && t.to == s.n);
}
