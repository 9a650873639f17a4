/*
 * allow.c - the allow-list (see allow.h). Known and printable by Unicode
 * category, minus what is invisible, blank, reordering or not drawable.
 */
#include "base/allow.h"

#include <utf8proc.h>

struct range {
	uint32_t from, to;
};

/* Bidi controls (UAX #9): CVE-2021-42574. */
static const struct range bidi_controls[] = {
	{ 0x061C, 0x061C }, { 0x200E, 0x200F }, { 0x202A, 0x202E },
	{ 0x2066, 0x2069 },
};

/* Default_Ignorable_Code_Point, Unicode 15 (unassigned ones included). The
 * library knows them too; this list is the one thing not left to it. */
static const struct range ignorable[] = {
	{ 0x00AD, 0x00AD }, { 0x034F, 0x034F }, { 0x061C, 0x061C },
	{ 0x115F, 0x1160 }, { 0x17B4, 0x17B5 }, { 0x180B, 0x180F },
	{ 0x200B, 0x200F }, { 0x202A, 0x202E }, { 0x2060, 0x206F },
	{ 0x3164, 0x3164 }, { 0xFE00, 0xFE0F }, { 0xFEFF, 0xFEFF },
	{ 0xFFA0, 0xFFA0 }, { 0xFFF0, 0xFFF8 }, { 0x1BCA0, 0x1BCA3 },
	{ 0x1D173, 0x1D17A }, { 0xE0000, 0xE0FFF },
};

/* A letter, mark or symbol by category, but blank or invisible when drawn.
 * (Zs, Cf, Co and Cn need no row: their category is not on the list.) */
static const struct range blank[] = {
	{ 0x2800, 0x2800 },    /* Braille pattern blank */
	{ 0xFFFC, 0xFFFC },    /* object replacement character */
	{ 0x1107F, 0x1107F },  /* Brahmi number joiner */
	{ 0x13441, 0x13442 },  /* Egyptian full and half blank */
	{ 0x16FE4, 0x16FE4 },  /* Khitan small script filler */
	{ 0x1BC9D, 0x1BC9D },  /* Duployan thick letter selector */
	{ 0x1D159, 0x1D159 },  /* musical symbol null notehead */
};

/* Assigned in Unicode 15 and therefore known to utf8proc 2.8, but not to
 * glibc 2.36's wcwidth(): ncurses draws nothing for them. */
static const struct range undrawable[] = {
	{ 0x0CF3, 0x0CF3 }, { 0x0ECE, 0x0ECE }, { 0x10EFD, 0x10EFF },
	{ 0x1123F, 0x11241 }, { 0x11B00, 0x11B09 }, { 0x11F00, 0x11F59 },
	{ 0x1342F, 0x1342F }, { 0x13440, 0x13455 }, { 0x1B132, 0x1B132 },
	{ 0x1B155, 0x1B155 }, { 0x1D2C0, 0x1D2D3 }, { 0x1DF25, 0x1DF2A },
	{ 0x1E030, 0x1E06D }, { 0x1E08F, 0x1E08F }, { 0x1E4D0, 0x1E4F9 },
	{ 0x1F6DC, 0x1F6DC }, { 0x1F774, 0x1F776 }, { 0x1F77B, 0x1F77F },
	{ 0x1F7D9, 0x1F7D9 }, { 0x1FA75, 0x1FA77 }, { 0x1FA87, 0x1FA88 },
	{ 0x1FAAD, 0x1FAAF }, { 0x1FABB, 0x1FABD }, { 0x1FABF, 0x1FABF },
	{ 0x1FACE, 0x1FACF }, { 0x1FADA, 0x1FADB }, { 0x1FAE8, 0x1FAE8 },
	{ 0x1FAF7, 0x1FAF8 }, { 0x2B739, 0x2B739 }, { 0x31350, 0x323AF },
};

/* Marks that belong to no one script. Any other mark on an ASCII letter is no
 * writing anyone uses, and some (Khmer coeng, viramas) draw nothing there. */
static const struct range shared_marks[] = {
	{ 0x0300, 0x036F }, { 0x1AB0, 0x1AFF }, { 0x1DC0, 0x1DFF },
	{ 0x20D0, 0x20FF }, { 0x3099, 0x309A }, { 0xFE20, 0xFE2F },
};

#define IN(table, cp) in_ranges(table, sizeof(table) / sizeof((table)[0]), cp)

/* By halves: every table here is in ascending order. */
static bool in_ranges(const struct range *r, size_t n, uint32_t cp)
{
	size_t lo = 0, mid;

	while (lo < n) {
		mid = lo + (n - lo) / 2;
		if (cp > r[mid].to)
			lo = mid + 1;
		else if (cp < r[mid].from)
			n = mid;
		else
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

static bool is_rtl(const utf8proc_property_t *prop)
{
	return prop->bidi_class == UTF8PROC_BIDI_CLASS_R ||
	       prop->bidi_class == UTF8PROC_BIDI_CLASS_AL ||
	       prop->bidi_class == UTF8PROC_BIDI_CLASS_AN;
}

/* Refused whatever stands before it. */
static bool refused(uint32_t cp, const utf8proc_property_t *prop,
	enum esc_class *why)
{
	if (IN(bidi_controls, cp))
		*why = ESC_BIDI;
	else if (cp >= 0xE0000 && cp <= 0xE0FFF)
		*why = ESC_TAG;
	else if (IN(ignorable, cp) || prop->ignorable)
		*why = ESC_ZERO_WIDTH;
	else if (prop->category == UTF8PROC_CATEGORY_CC ||
	         prop->category == UTF8PROC_CATEGORY_ZL ||
	         prop->category == UTF8PROC_CATEGORY_ZP)
		*why = ESC_CONTROL;
	else if (!category_ok(prop) || IN(blank, cp) || IN(undrawable, cp))
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
	return st->base != ALLOW_ASCII_BASE || IN(shared_marks, cp);
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
	if (refused(cp, prop, why)) {
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
