/*
 * text.h - UTF-8, cell widths and the escaper: the only road of outside bytes
 * to the screen, the log, the export and stderr (utf8proc's only user).
 *
 * Hides: Unicode data and the allow-list. What is not known to be printable
 * is shown as notation; nothing is dropped.
 * Frees: nothing is owned but the caller's buffers.
 * Must not include: anything above base/.
 *
 * One notation, unambiguous without colour (doc/notation in obstat(1)):
 *   <U+202E>        a hidden, control, reordering or otherwise not allowed character
 *   <0xC0>          a byte that is not valid UTF-8 (one each)
 *   <U+0020 x1842>  a run of 16 or more blanks in a command, name, header or
 *                   address, of 60 or more anywhere
 *   <U+003C>        a '<' where the text itself says "<U+" or "<0x"
 *   U+21E5 then blanks to the next stop   a tab; a literal U+21E5 is <U+21E5>
 * Everything else stays as it is, backslashes and carets too.
 */
#ifndef OBSTAT_BASE_TEXT_H
#define OBSTAT_BASE_TEXT_H

#include "base/mem.h"

/* Strict decoding (RFC 3629: no overlong form, surrogate or > U+10FFFF).
 * Returns bytes used and sets *cp, or 0 when p does not start a character. */
size_t utf8_decode(const char *p, size_t n, uint32_t *cp);
bool utf8_valid(struct sv s);
size_t utf8_encode(uint32_t cp, char out[4]);
/* Cells a printable code point takes: 0 (combining), 1 or 2. Ambiguous
 * width counts as 1. */
int cell_width(uint32_t cp);
/* The next grapheme cluster of already escaped text: its bytes, and its
 * cells in *w. 0 at the end. */
size_t grapheme_next(struct sv s, size_t at, int *w);
size_t text_cells(struct sv s);

/* Where the bytes will stand, which decides how blanks and right-to-left
 * letters are treated. */
enum esc_context {
	ESC_PROSE,    /* sentences: right-to-left letters stay */
	ESC_CODE,     /* file text: indentation stays; long runs (60) are counted */
	ESC_STRICT,   /* command, name, path, header, address, host, one-line
	                 label: runs of 16; right-to-left letters are escaped */
};
enum esc_class { ESC_CONTROL, ESC_BIDI, ESC_ZERO_WIDTH, ESC_TAG, ESC_INVALID,
	ESC_BLANK_RUN, ESC_COMBINING, ESC_OTHER, ESC_N };
struct esc_counts {
	uint32_t n[ESC_N];
};
/* One piece of the result: src bytes [from, to) became out bytes
 * [out_from, out_to); notation says whether they were replaced by notation
 * (drawn in role "escape") or stand as they are. Pieces come in order and
 * cover the source without gaps. */
struct esc_piece {
	size_t from, to, out_from, out_to;
	bool notation;
	enum esc_class why;   /* when notation */
};
/*
 * Escapes ONE logical line (no LF inside; an LF is escaped like any control)
 * into out, which stays printable, valid UTF-8. col is the cell column where
 * it begins (for tabs). Each piece goes to fn (may be NULL). counts may be
 * NULL. Returns -1 only when out is over its maximum.
 */
int esc_line(struct sv src, enum esc_context ctx, size_t col, struct buf *out,
	void (*fn)(void *arg, const struct esc_piece *piece), void *arg,
	struct esc_counts *counts);
/* The same for a short label, cut after max_cells with a visible mark
 * ("…" then the full length in bytes); for rows and messages, never for the
 * payload itself. */
int esc_label(struct sv src, size_t max_cells, struct buf *out);
/* True if every character of s is allowed as it is and no notation-like
 * text, tab or LF needs escaping: what a sink may check. */
bool esc_is_clean(struct sv s);
/* The inverse, used by tests and by verify: escaped text back to the source
 * bytes. -1 when s is not something esc_line() could have written. */
int esc_undo(struct sv s, size_t col, struct buf *out);

#endif
