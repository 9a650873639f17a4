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
 *
 * Columns, for tabs, are cells of the ESCAPED text: a stop is every 8 cells of
 * what is drawn, so that what is drawn lines up and can be undone.
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
 * width counts as 1. Agrees with the C library's wcwidth(), which is what
 * ncurses places cells by. A control takes 0. */
int cell_width(uint32_t cp);
/* The next cluster of already escaped text: its bytes, and its cells in *w
 * (may be NULL). 0 at the end. A cluster is what one terminal cell (or wide
 * pair) holds: one code point that takes cells and what combines with it
 * without taking any. So *w is 0 only for a mark without a base. A byte that
 * is not UTF-8 is one cluster of one cell. */
size_t grapheme_next(struct sv s, size_t at, int *w);
size_t text_cells(struct sv s);
/* Has a letter or digit that runs right to left (bidi class R, AL, AN). On a
 * terminal that reorders, a line with one may not stand in source order. */
bool text_has_rtl(struct sv s);

/* Where the bytes will stand, which decides how blanks and right-to-left
 * letters are treated. */
enum esc_context {
	ESC_PROSE,    /* sentences: right-to-left letters stay. A terminal that
	                 reorders may then show a line's words in another order;
	                 the controls that force an order are always escaped */
	ESC_CODE,     /* file text: indentation and right-to-left letters stay (a
	                 file in Arabic or Hebrew must be readable, and the view
	                 can mark lines with text_has_rtl()); runs of 60 are
	                 counted, as indentation too */
	ESC_STRICT,   /* command, name, path, header, address, host, one-line
	                 label: runs of 16; right-to-left letters are escaped */
};
/* Why something became notation. The last two hide nothing. */
enum esc_class {
	ESC_CONTROL,     /* C0, DEL, C1, line and paragraph separator */
	ESC_BIDI,        /* reordering controls; right-to-left letters (strict) */
	ESC_ZERO_WIDTH,  /* default ignorable: invisible */
	ESC_TAG,         /* U+E0000..E0FFF: tags, variation selectors */
	ESC_INVALID,     /* a byte that is not UTF-8 */
	ESC_BLANK_RUN,   /* counted blanks */
	ESC_COMBINING,   /* a mark without a base, or the third on one */
	ESC_OTHER,       /* other blanks, private use, unassigned, not drawable */
	ESC_TAB,         /* a tab: drawn as U+21E5 and blanks */
	ESC_LITERAL,     /* a printable character that notation itself uses */
	ESC_N
};
struct esc_counts {
	uint32_t n[ESC_N];
};
/* How many hidden, reordering or unreadable characters: all classes but
 * blank runs, tabs and literals. What a header counts. */
uint32_t esc_hidden(const struct esc_counts *counts);
/* One piece of the result: src bytes [from, to) became out bytes
 * [out_from, out_to); notation says whether they were replaced by notation
 * (drawn in role "escape") or stand as they are. Pieces come in order and
 * cover the source without gaps. */
struct esc_piece {
	size_t from, to, out_from, out_to; /* out_*: offsets into out->p */
	bool notation;
	enum esc_class why;   /* when notation */
};
/*
 * Escapes ONE logical line (no LF inside; an LF is escaped like any control)
 * onto the end of out, which stays printable, valid UTF-8. col is the cell
 * column where it begins (for tabs). Each piece goes to fn (may be NULL).
 * counts may be NULL; they are added to. Returns -1 only when out is over its
 * maximum (out then holds a part).
 *
 * Escape a line whole: parts escaped one by one and joined can spell notation
 * at the joint ("<" and "U+202E>"), and hide a run of blanks. Emoji joined by
 * U+200D or U+FE0F show those as notation too: no sequence is trusted.
 */
int esc_line(struct sv src, enum esc_context ctx, size_t col, struct buf *out,
	void (*fn)(void *arg, const struct esc_piece *piece), void *arg,
	struct esc_counts *counts);
/* The same, strict, for a short label: at most max_cells, where a cut is made
 * between clusters and notations and shown by "…", the full length in bytes
 * and "B" ("rm -rf /srv/da…1842B"; only "…" where that does not fit). For rows
 * and messages, never for the payload itself. */
int esc_label(struct sv src, size_t max_cells, struct buf *out);
/* True if s is valid UTF-8 and every character may stand on a screen: no
 * control (so no tab or LF), nothing invisible or reordering, no mark without
 * a base (but a spacing mark, which takes a cell of its own, may be first, so
 * that each cluster of clean text is clean). What a sink may check of OUTPUT:
 * all that esc_line() writes is clean. It does not say that s stands for
 * itself (notation is clean too). */
bool esc_is_clean(struct sv s);
/* True if s stands for itself: esc_line(s, ctx) would write exactly s. What a
 * reader may ask of SOURCE bytes. */
bool esc_is_plain(struct sv s, enum esc_context ctx);
/* The inverse, used by tests and by verify: escaped text back to the source
 * bytes, onto the end of out; col as given to esc_line(). -1, and out as it
 * was, when s is not something esc_line() could have written (in any
 * context), or out is over its maximum. */
int esc_undo(struct sv s, size_t col, struct buf *out);

#endif
