/*
 * allow.h - which code points may stand on a screen: the escaper's allow-list.
 *
 * Hides: Unicode categories, and what is wrong with them for our purpose.
 * Frees: owns nothing.
 * Must not include: anything above base/. Only text.h's own files use it.
 */
#ifndef OBSTAT_BASE_ALLOW_H
#define OBSTAT_BASE_ALLOW_H

#include "base/text.h"

/* What stands before the next code point; { 0 } at the beginning and after
 * notation. */
struct allow_state {
	uint8_t base;   /* enum allow_base */
	uint8_t marks;  /* on that base so far */
	bool to_vowel, to_final; /* a Hangul syllable could go on */
};
enum allow_base { ALLOW_NO_BASE, ALLOW_ASCII_BASE, ALLOW_OTHER_BASE };

/* The most marks a base may carry; more of them are a flood. */
enum { ALLOW_MARKS = 2 };

/* True if cp may stand as it is after *st, which then takes it in. False: it
 * becomes notation for the reason *why, and *st is cleared. */
bool allow_next(struct allow_state *st, uint32_t cp, bool strict,
	enum esc_class *why);
/* A mark that takes a cell of its own (category Mc). */
bool allow_is_spacing(uint32_t cp);
/* The same as allow_next() over a run of printable ASCII whose last is c. */
void allow_ascii(struct allow_state *st, char c);

#endif
