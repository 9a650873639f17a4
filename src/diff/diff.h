/*
 * diff.h - two buffers in, hunks and word changes out (libgit2's room).
 *
 * Hides: libgit2's diff. Pure: no files, no clock.
 * Frees: diff_free(); line texts point into the two buffers.
 * Must not include: anything above base/ and model/.
 */
#ifndef OBSTAT_DIFF_DIFF_H
#define OBSTAT_DIFF_DIFF_H

#include "base/err.h"
#include "base/mem.h"

struct diff_line {
	char origin;               /* ' ', '+', '-' */
	bool no_eol;               /* the last line of its side lacks a newline */
	uint32_t old_no, new_no;   /* 1-based; 0 where there is none */
	struct sv text;            /* without the newline; a CR stays */
	size_t offset;             /* of text in its buffer (old for '-', else new) */
};
struct diff_hunk {
	uint32_t old_start, old_count, new_start, new_count;
	uint32_t first_line, n_lines;  /* into lines */
};
struct diff {
	struct diff_hunk *hunks;
	size_t n_hunks;
	struct diff_line *lines;
	size_t n_lines;
	uint32_t added, deleted;
	bool binary;               /* NUL in the first 8,000 bytes of a side */
	bool same;
};
/* context: lines around a change (3). Linear space; Myers as git does. */
struct diff *diff_new(struct sv old, struct sv new_, unsigned context,
	struct err *e);
void diff_free(struct diff **d);

/* Which bytes of two changed lines differ, by words; at most 64 ranges a
 * side; false when the lines have too little in common to be worth marking. */
struct word_range { uint32_t from, to; };
struct word_diff {
	struct word_range old[64], new_[64];
	size_t n_old, n_new;
};
bool diff_words(struct sv old, struct sv new_, struct word_diff *out);

#endif
