/*
 * doc_priv.h - the document's tables (private to model/doc*.c).
 *
 * One text buffer; a span is 16 bytes, a line 16. A million-line diff of
 * three spans a line costs its text and 64 MB.
 */
#ifndef OBSTAT_MODEL_DOC_PRIV_H
#define OBSTAT_MODEL_DOC_PRIV_H

#include "model/doc.h"

struct span_rec {
	uint32_t end;              /* of its text; it begins where the last ended */
	uint32_t src_from, src_to;
	uint32_t role;
};
struct line_rec {
	uint32_t spans_end;        /* one past its last span */
	uint32_t old_no, new_no;
	uint32_t kind;
};
struct mark_rec {
	uint32_t line;
	uint32_t label_from, label_to;  /* in labels */
};
struct doc {
	struct buf text, labels;
	struct span_rec *spans;
	struct line_rec *lines;
	struct mark_rec *marks[MARK_N];
	size_t n_spans, cap_spans, n_lines, cap_lines;
	size_t n_marks[MARK_N], cap_marks[MARK_N];
	struct esc_counts counts;
	size_t max;
	size_t col, col_at;        /* cells of the line being built, up to byte
	                            * col_at of text */
	bool over, sealed;
	_Atomic unsigned more_owners;
	uint32_t preface;
	struct digest digest;
};
#define DOC_MAX_MARKS 100000
#define DOC_VERSION 1

/* Notation of our own for source bytes [from, to). */
void doc_notation_add(struct doc *d, struct sv clean, size_t from, size_t to);
/* Gives back what growing took ahead: a sealed document lives on. */
void doc_fit(struct doc *d);
/* Grow by half; false (and over) when the document's maximum is reached. */
bool doc_room(struct doc *d, void **p, size_t n, size_t *cap, size_t size);

#endif
