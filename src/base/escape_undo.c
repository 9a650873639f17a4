/*
 * escape_undo.c - escaped text back to its source (see text.h). Decoding is a
 * plain left-to-right read; that the text is one esc_line() writes is checked
 * by escaping the result again, so the two can never drift apart.
 */
#include "base/text.h"

#include <string.h>

#define TAB_ARROW "\xE2\x87\xA5"
enum { TAB_STOP = 8 };

/* The hexadecimal number at s[*i], upper case, of min to max digits. */
static bool read_hex(struct sv s, size_t *i, unsigned min, unsigned max,
	uint32_t *v)
{
	unsigned n = 0;
	char c;

	*v = 0;
	for (; n < max && *i < s.n; n++, (*i)++) {
		c = s.p[*i];
		if (c >= '0' && c <= '9')
			*v = *v << 4 | (uint32_t)(c - '0');
		else if (c >= 'A' && c <= 'F')
			*v = *v << 4 | (uint32_t)(c - 'A' + 10);
		else
			break;
	}
	return n >= min;
}

/* ">" or " xN>" after a code point; *count is N, or 1. */
static bool read_count(struct sv s, size_t *i, size_t *count)
{
	*count = 1;
	if (s.n - *i >= 2 && memcmp(s.p + *i, " x", 2) == 0) {
		*i += 2;
		*count = 0;
		while (*i < s.n && s.p[*i] >= '0' && s.p[*i] <= '9') {
			if (*count > SIZE_MAX / 16)
				return false;
			*count = *count * 10 + (size_t)(s.p[*i] - '0');
			(*i)++;
		}
	}
	if (*i >= s.n || s.p[*i] != '>')
		return false;
	(*i)++;
	return true;
}

static int add_repeated(struct buf *out, char c, size_t n)
{
	/* buf_reserve() refuses what is over the maximum, so that a number in
	 * the text cannot make us take memory. */
	if (buf_reserve(out, n) != 0)
		return -1;
	memset(out->p + out->n, c, n);
	out->n += n;
	return 0;
}

/* The notation at s[*i], which is a '<' before "U+" or "0x". */
static int undo_notation(struct sv s, size_t *i, struct buf *out)
{
	bool byte = s.p[*i + 1] == '0';
	char utf8[4];
	size_t count;
	uint32_t v;

	*i += 3;
	if (!read_hex(s, i, byte ? 2 : 4, byte ? 2 : 6, &v) ||
	    !read_count(s, i, &count) || v > 0x10FFFF)
		return -1;
	if (byte)
		return count == 1 ? buf_addc(out, (char)v) : -1;
	if (v == ' ')
		return add_repeated(out, ' ', count);
	return count == 1 ? buf_add(out, utf8, utf8_encode(v, utf8)) : -1;
}

static bool at_notation(struct sv s, size_t i)
{
	return s.n - i >= 3 && (memcmp(s.p + i, "<U+", 3) == 0 ||
	                        memcmp(s.p + i, "<0x", 3) == 0);
}

static bool at_tab(struct sv s, size_t i)
{
	return s.n - i >= 3 && memcmp(s.p + i, TAB_ARROW, 3) == 0;
}

static int undo(struct sv s, size_t col, struct buf *out)
{
	size_t i = 0, from, pad;
	uint32_t cp;

	while (i < s.n) {
		from = i;
		if (at_notation(s, i)) {
			if (undo_notation(s, &i, out) != 0)
				return -1;
			col += i - from;
			continue;
		}
		if (at_tab(s, i)) {
			pad = TAB_STOP - 1 - col % TAB_STOP;
			i += 3 + pad; /* that these are blanks is checked below */
			col += 1 + pad;
			if (i > s.n || buf_addc(out, '\t') != 0)
				return -1;
			continue;
		}
		i += utf8_decode(s.p + i, s.n - i, &cp);
		if (i == from || buf_add(out, s.p + from, i - from) != 0)
			return -1;
		col += (size_t)cell_width(cp);
	}
	return 0;
}

/* True if esc_line() writes exactly s for src. */
static bool writes(struct sv src, enum esc_context ctx, size_t col,
	struct sv s)
{
	struct buf again;
	bool same;

	buf_init(&again, s.n); /* more than that is not the same either */
	same = esc_line(src, ctx, col, &again, NULL, NULL, NULL) == 0 &&
	       sv_eq(buf_sv(&again), s);
	buf_free(&again);
	return same;
}

int esc_undo(struct sv s, size_t col, struct buf *out)
{
	static const enum esc_context all[] = {
		ESC_STRICT, ESC_CODE, ESC_PROSE,
	};
	size_t before = out->n, i;
	struct sv src;

	if (undo(s, col, out) == 0) {
		src = (struct sv){ out->p == NULL ? "" : out->p + before,
			out->n - before };
		for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
			if (writes(src, all[i], col, s))
				return 0;
		}
	}
	out->n = before;
	return -1;
}
