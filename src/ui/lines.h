/*
 * lines.h - a list of lines made here (help, facts, hex), as a line source.
 *
 * Hides: the memory. Frees: lines_free() (safe on a zeroed struct).
 * Must not include: views.
 */
#ifndef OBSTAT_UI_LINES_H
#define OBSTAT_UI_LINES_H

#include "ui/model.h"

struct lines {
	struct arena *arena;
	struct ui_line *line;
	size_t n, cap;
};
void lines_free(struct lines *l);
/* Begins a line; what follows is added to the last one. Text is copied. */
void lines_begin(struct lines *l, enum doc_line_kind kind);
void lines_span(struct lines *l, enum role r, struct sv text);
void lines_s(struct lines *l, enum role r, const char *text);
/* Some text did not fit: what is there must not be taken for all. */
bool lines_over(const struct lines *l);
struct line_source lines_source(struct lines *l); /* borrows l */
/* The row of a hex view for a screen of this width, and its bytes a row. */
unsigned hex_per_row(int w);
void hex_line(struct lines *l, uint64_t offset, const uint8_t *p, size_t n, unsigned per_row);

#endif
