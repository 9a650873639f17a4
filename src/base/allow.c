/*
 * allow.c - the allow-list (see allow.h). Known and printable by Unicode
 * category, minus what is invisible, blank, reordering or not drawable.
 */
#include "base/allow.h"

#include <utf8proc.h>

/*
 * Never, although utf8proc knows them as a letter, mark, number, punctuation
 * or symbol, or to tell why. ESC_BIDI: the controls of UAX #9 (CVE-2021-42574).
 * ESC_ZERO_WIDTH: Default_Ignorable_Code_Point of Unicode 15, unassigned ones
 * included; the library knows them too, but this list is not left to it.
 * ESC_OTHER with a remark: drawn blank. ESC_OTHER without: new in Unicode 15,
 * so that glibc 2.36's wcwidth() does not know them and ncurses draws nothing.
 * In ascending order.
 */
static const struct refused {
	uint32_t from, to;
	enum esc_class why;
} refused[] = {
	{ 0x00AD, 0x00AD, ESC_ZERO_WIDTH },
	{ 0x034F, 0x034F, ESC_ZERO_WIDTH },
	{ 0x061C, 0x061C, ESC_BIDI },
	{ 0x0CF3, 0x0CF3, ESC_OTHER },
	{ 0x0ECE, 0x0ECE, ESC_OTHER },
	{ 0x115F, 0x1160, ESC_ZERO_WIDTH },
	{ 0x17B4, 0x17B5, ESC_ZERO_WIDTH },
	{ 0x180B, 0x180F, ESC_ZERO_WIDTH },
	{ 0x200B, 0x200D, ESC_ZERO_WIDTH },
	{ 0x200E, 0x200F, ESC_BIDI },
	{ 0x202A, 0x202E, ESC_BIDI },
	{ 0x2060, 0x2065, ESC_ZERO_WIDTH },
	{ 0x2066, 0x2069, ESC_BIDI },
	{ 0x206A, 0x206F, ESC_ZERO_WIDTH },
	{ 0x2800, 0x2800, ESC_OTHER }, /* Braille blank */
	{ 0x3164, 0x3164, ESC_ZERO_WIDTH },
	{ 0xFE00, 0xFE0F, ESC_ZERO_WIDTH },
	{ 0xFEFF, 0xFEFF, ESC_ZERO_WIDTH },
	{ 0xFFA0, 0xFFA0, ESC_ZERO_WIDTH },
	{ 0xFFF0, 0xFFF8, ESC_ZERO_WIDTH },
	{ 0xFFFC, 0xFFFC, ESC_OTHER }, /* object replacement */
	{ 0x10EFD, 0x10EFF, ESC_OTHER },
	{ 0x1107F, 0x1107F, ESC_OTHER }, /* Brahmi number joiner */
	{ 0x1123F, 0x11241, ESC_OTHER },
	{ 0x11B00, 0x11B09, ESC_OTHER },
	{ 0x11F00, 0x11F59, ESC_OTHER },
	{ 0x1342F, 0x1342F, ESC_OTHER },
	{ 0x13440, 0x13455, ESC_OTHER },
	{ 0x16FE4, 0x16FE4, ESC_OTHER }, /* Khitan filler */
	{ 0x1B132, 0x1B132, ESC_OTHER },
	{ 0x1B155, 0x1B155, ESC_OTHER },
	{ 0x1BC9D, 0x1BC9D, ESC_OTHER }, /* Duployan selector */
	{ 0x1BCA0, 0x1BCA3, ESC_ZERO_WIDTH },
	{ 0x1D159, 0x1D159, ESC_OTHER }, /* null notehead */
	{ 0x1D173, 0x1D17A, ESC_ZERO_WIDTH },
	{ 0x1D2C0, 0x1D2D3, ESC_OTHER },
	{ 0x1DF25, 0x1DF2A, ESC_OTHER },
	{ 0x1E030, 0x1E06D, ESC_OTHER },
	{ 0x1E08F, 0x1E08F, ESC_OTHER },
	{ 0x1E4D0, 0x1E4F9, ESC_OTHER },
	{ 0x1F6DC, 0x1F6DC, ESC_OTHER },
	{ 0x1F774, 0x1F776, ESC_OTHER },
	{ 0x1F77B, 0x1F77F, ESC_OTHER },
	{ 0x1F7D9, 0x1F7D9, ESC_OTHER },
	{ 0x1FA75, 0x1FA77, ESC_OTHER },
	{ 0x1FA87, 0x1FA88, ESC_OTHER },
	{ 0x1FAAD, 0x1FAAF, ESC_OTHER },
	{ 0x1FABB, 0x1FABD, ESC_OTHER },
	{ 0x1FABF, 0x1FABF, ESC_OTHER },
	{ 0x1FACE, 0x1FACF, ESC_OTHER },
	{ 0x1FADA, 0x1FADB, ESC_OTHER },
	{ 0x1FAE8, 0x1FAE8, ESC_OTHER },
	{ 0x1FAF7, 0x1FAF8, ESC_OTHER },
	{ 0x2B739, 0x2B739, ESC_OTHER },
	{ 0x31350, 0x323AF, ESC_OTHER },
	{ 0xE0000, 0xE0FFF, ESC_TAG },
};

/* Marks that belong to no one script. Any other mark on an ASCII letter is no
 * writing anyone uses, and some (Khmer coeng, viramas) draw nothing there. */
static const struct {
	uint32_t from, to;
} shared_marks[] = {
	{ 0x0300, 0x036F }, { 0x1AB0, 0x1AFF }, { 0x1DC0, 0x1DFF },
	{ 0x20D0, 0x20FF }, { 0x3099, 0x309A }, { 0xFE20, 0xFE2F },
};

/* By halves. */
static const struct refused *find_refused(uint32_t cp)
{
	size_t lo = 0, hi = sizeof(refused) / sizeof(refused[0]), mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (cp > refused[mid].to)
			lo = mid + 1;
		else if (cp < refused[mid].from)
			hi = mid;
		else
			return &refused[mid];
	}
	return NULL;
}

static bool is_shared_mark(uint32_t cp)
{
	size_t i;

	for (i = 0; i < sizeof(shared_marks) / sizeof(shared_marks[0]); i++) {
		if (cp >= shared_marks[i].from && cp <= shared_marks[i].to)
			return true;
	}
	return false;
}

/* True if its category is on the list: letters, marks, numbers, punctuation,
 * symbols. Everything else (Z*, C*) is not. */
static bool category_ok(const utf8proc_property_t *prop)
{
	return prop->category >= UTF8PROC_CATEGORY_LU &&
	       prop->category <= UTF8PROC_CATEGORY_SO;
}

static bool is_mark(const utf8proc_property_t *prop)
{
	return prop->category == UTF8PROC_CATEGORY_MN ||
	       prop->category == UTF8PROC_CATEGORY_MC ||
	       prop->category == UTF8PROC_CATEGORY_ME;
}

bool allow_is_spacing(uint32_t cp)
{
	return utf8proc_category((utf8proc_int32_t)cp) ==
	       UTF8PROC_CATEGORY_MC;
}

static bool is_rtl(const utf8proc_property_t *prop)
{
	return prop->bidi_class == UTF8PROC_BIDI_CLASS_R ||
	       prop->bidi_class == UTF8PROC_BIDI_CLASS_AL ||
	       prop->bidi_class == UTF8PROC_BIDI_CLASS_AN;
}

/* Refused whatever stands before it. */
static bool never(uint32_t cp, const utf8proc_property_t *prop,
	enum esc_class *why)
{
	const struct refused *r = find_refused(cp);

	if (r != NULL)
		*why = r->why;
	else if (prop->ignorable)
		*why = ESC_ZERO_WIDTH;
	else if (prop->category == UTF8PROC_CATEGORY_CC ||
	         prop->category == UTF8PROC_CATEGORY_ZL ||
	         prop->category == UTF8PROC_CATEGORY_ZP)
		*why = ESC_CONTROL;
	else if (!category_ok(prop))
		*why = ESC_OTHER;
	else
		return false;
	return true;
}

/* A mark, or a medial or final jamo, may stand only on what it combines with. */
static bool combines(const struct allow_state *st, uint32_t cp,
	const utf8proc_property_t *prop)
{
	if (st->base == ALLOW_NO_BASE || st->marks >= ALLOW_MARKS)
		return false;
	if (prop->boundclass == UTF8PROC_BOUNDCLASS_V)
		return st->to_vowel;
	if (prop->boundclass == UTF8PROC_BOUNDCLASS_T)
		return st->to_final;
	return st->base != ALLOW_ASCII_BASE || is_shared_mark(cp);
}

void allow_ascii(struct allow_state *st, char c)
{
	*st = (struct allow_state){
		.base = c == ' ' ? ALLOW_NO_BASE : ALLOW_ASCII_BASE,
	};
}

bool allow_next(struct allow_state *st, uint32_t cp, bool strict,
	enum esc_class *why)
{
	const utf8proc_property_t *prop;
	bool jamo;

	if (cp >= 0x20 && cp < 0x7F) {
		allow_ascii(st, (char)cp);
		return true;
	}
	prop = utf8proc_get_property((utf8proc_int32_t)cp);
	jamo = prop->boundclass == UTF8PROC_BOUNDCLASS_V ||
	       prop->boundclass == UTF8PROC_BOUNDCLASS_T;
	if (never(cp, prop, why)) {
		*st = (struct allow_state){ 0 };
		return false;
	}
	if (strict && is_rtl(prop)) {
		*why = ESC_BIDI;
		*st = (struct allow_state){ 0 };
		return false;
	}
	if (!jamo && !is_mark(prop)) {
		*st = (struct allow_state){ .base = ALLOW_OTHER_BASE };
	} else if (combines(st, cp, prop)) {
		st->marks++;
	} else {
		*why = ESC_COMBINING;
		*st = (struct allow_state){ 0 };
		return false;
	}
	st->to_vowel = prop->boundclass == UTF8PROC_BOUNDCLASS_L ||
	               prop->boundclass == UTF8PROC_BOUNDCLASS_LV ||
	               prop->boundclass == UTF8PROC_BOUNDCLASS_V;
	st->to_final = prop->boundclass == UTF8PROC_BOUNDCLASS_LV ||
	               prop->boundclass == UTF8PROC_BOUNDCLASS_V ||
	               prop->boundclass == UTF8PROC_BOUNDCLASS_LVT ||
	               prop->boundclass == UTF8PROC_BOUNDCLASS_T;
	return true;
}
