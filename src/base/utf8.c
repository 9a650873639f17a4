/*
 * utf8.c - strict UTF-8, cell widths and clusters (see text.h).
 */
#include "base/text.h"

#include <string.h>

#include <utf8proc.h>

/* Bits that are set when any of eight bytes is not ASCII. */
#define HIGH_BITS 0x8080808080808080u

/* Continuation bytes wanted after a lead byte, by RFC 3629 section 4. The
 * first continuation has a range of its own, which rules out overlong forms,
 * surrogates and values over U+10FFFF. */
static size_t lead_bytes(unsigned char c, unsigned char *lo, unsigned char *hi)
{
	*lo = 0x80;
	*hi = 0xBF;
	if (c >= 0xC2 && c <= 0xDF)
		return 2;
	if (c >= 0xE0 && c <= 0xEF) {
		if (c == 0xE0)
			*lo = 0xA0;
		if (c == 0xED)
			*hi = 0x9F;
		return 3;
	}
	if (c >= 0xF0 && c <= 0xF4) {
		if (c == 0xF0)
			*lo = 0x90;
		if (c == 0xF4)
			*hi = 0x8F;
		return 4;
	}
	return 0;
}

size_t utf8_decode(const char *p, size_t n, uint32_t *cp)
{
	const unsigned char *u = (const unsigned char *)p;
	unsigned char lo, hi;
	size_t want, i;
	uint32_t v;

	if (n == 0)
		return 0;
	if (u[0] < 0x80) {
		*cp = u[0];
		return 1;
	}
	want = lead_bytes(u[0], &lo, &hi);
	if (want == 0 || n < want || u[1] < lo || u[1] > hi)
		return 0;
	v = u[0] & (0x7Fu >> want);
	for (i = 1; i < want; i++) {
		if ((u[i] & 0xC0) != 0x80)
			return 0;
		v = v << 6 | (u[i] & 0x3Fu);
	}
	*cp = v;
	return want;
}

/* The first byte at or after i that is not ASCII. */
static size_t skip_ascii(struct sv s, size_t i)
{
	uint64_t w;

	for (; s.n - i >= sizeof(w); i += sizeof(w)) {
		memcpy(&w, s.p + i, sizeof(w));
		if ((w & HIGH_BITS) != 0)
			break;
	}
	while (i < s.n && (unsigned char)s.p[i] < 0x80)
		i++;
	return i;
}

bool utf8_valid(struct sv s)
{
	size_t i = 0, used;
	uint32_t cp;

	while ((i = skip_ascii(s, i)) < s.n) {
		used = utf8_decode(s.p + i, s.n - i, &cp);
		if (used == 0)
			return false;
		i += used;
	}
	return true;
}

size_t utf8_encode(uint32_t cp, char out[4])
{
	if (cp < 0x80) {
		out[0] = (char)cp;
		return 1;
	}
	if (cp < 0x800) {
		out[0] = (char)(0xC0 | cp >> 6);
		out[1] = (char)(0x80 | (cp & 0x3F));
		return 2;
	}
	if (cp > 0x10FFFF || (cp >= 0xD800 && cp <= 0xDFFF))
		cp = 0xFFFD;
	if (cp < 0x10000) {
		out[0] = (char)(0xE0 | cp >> 12);
		out[1] = (char)(0x80 | (cp >> 6 & 0x3F));
		out[2] = (char)(0x80 | (cp & 0x3F));
		return 3;
	}
	out[0] = (char)(0xF0 | cp >> 18);
	out[1] = (char)(0x80 | (cp >> 12 & 0x3F));
	out[2] = (char)(0x80 | (cp >> 6 & 0x3F));
	out[3] = (char)(0x80 | (cp & 0x3F));
	return 4;
}

/*
 * utf8proc's widths, but the C library's where the two differ, because
 * ncurses places cells by wcwidth(): spacing marks take a cell of their own,
 * medial and final jamo none, and the circled numbers on black squares and
 * the hexagrams are drawn wide.
 */
int cell_width(uint32_t cp)
{
	const utf8proc_property_t *prop;

	if (cp >= 0x20 && cp < 0x7F)
		return 1;
	if (cp < 0xA0 || cp > 0x10FFFF)
		return 0;
	if ((cp >= 0x3248 && cp <= 0x324F) || (cp >= 0x4DC0 && cp <= 0x4DFF))
		return 2;
	prop = utf8proc_get_property((utf8proc_int32_t)cp);
	switch ((utf8proc_category_t)prop->category) {
	case UTF8PROC_CATEGORY_MN:
	case UTF8PROC_CATEGORY_ME:
		return 0;
	case UTF8PROC_CATEGORY_MC:
		return 1;
	default:
		break;
	}
	if (prop->boundclass == UTF8PROC_BOUNDCLASS_V ||
	    prop->boundclass == UTF8PROC_BOUNDCLASS_T)
		return 0;
	return (int)prop->charwidth;
}

size_t grapheme_next(struct sv s, size_t at, int *w)
{
	utf8proc_int32_t state = 0;
	uint32_t cp, next;
	size_t i, used;
	int width;

	if (w != NULL)
		*w = 0;
	if (at >= s.n)
		return 0;
	if (s.p[at] >= 0x20 && s.p[at] < 0x7F &&
	    (s.n - at == 1 || (unsigned char)s.p[at + 1] < 0x80)) {
		if (w != NULL)
			*w = 1;
		return 1;
	}
	used = utf8_decode(s.p + at, s.n - at, &cp);
	width = used == 0 ? 1 : cell_width(cp);
	if (w != NULL)
		*w = width;
	if (used == 0)
		return 1;
	for (i = at + used; i < s.n; i += used) {
		if ((unsigned char)s.p[i] < 0x80) /* ASCII combines with nothing */
			break;
		used = utf8_decode(s.p + i, s.n - i, &next);
		if (used == 0 || cell_width(next) > 0 ||
		    utf8proc_grapheme_break_stateful((utf8proc_int32_t)cp,
			(utf8proc_int32_t)next, &state))
			break;
		cp = next;
	}
	return i - at;
}

size_t text_cells(struct sv s)
{
	size_t i = 0, end, used, cells = 0;
	uint32_t cp;

	while (i < s.n) {
		end = skip_ascii(s, i);
		for (; i < end; i++)
			cells += (unsigned char)s.p[i] >= 0x20 && s.p[i] != 0x7F;
		if (i >= s.n)
			break;
		used = utf8_decode(s.p + i, s.n - i, &cp);
		cells += used == 0 ? 1 : (size_t)cell_width(cp);
		i += used == 0 ? 1 : used;
	}
	return cells;
}

bool text_has_rtl(struct sv s)
{
	size_t i = 0, used;
	uint32_t cp;

	while ((i = skip_ascii(s, i)) < s.n) {
		used = utf8_decode(s.p + i, s.n - i, &cp);
		if (used == 0) {
			i++;
			continue;
		}
		switch (utf8proc_get_property((utf8proc_int32_t)cp)->bidi_class) {
		case UTF8PROC_BIDI_CLASS_R:
		case UTF8PROC_BIDI_CLASS_AL:
		case UTF8PROC_BIDI_CLASS_AN:
			return true;
		default:
			break;
		}
		i += used;
	}
	return false;
}
