/*
 * diff.h - two buffers in, hunks and word changes out (libgit2's room).
 *
 * Hides: libgit2's diff. Pure: no files, no clock.
 * Frees: diff_free(); lines name byte ranges of the two buffers, which must
 * stay where they are as long as diff_text() is used.
 * Must not include: anything above base/ and model/.
 */
#ifndef OBSTAT_DIFF_DIFF_H
#define OBSTAT_DIFF_DIFF_H

#include "base/err.h"
#include "base/mem.h"

/* 20 bytes: two whole files of short lines are many lines. */
struct diff_line {
	uint32_t old_no, new_no;   /* 1-based; 0 where there is none */
	uint32_t offset, len;      /* of its text in its buffer (old for '-', else
	                            * new), without the newline; a CR stays */
	char origin;               /* ' ', '+', '-' */
	bool no_eol;               /* the last line of its side lacks a newline */
};
struct diff_hunk {
	uint32_t old_start, old_count, new_start, new_count;
	uint32_t first_line, n_lines;  /* into lines */
};
struct diff {
	struct sv old, new_;       /* the buffers, borrowed */
	struct diff_hunk *hunks;
	size_t n_hunks;
	struct diff_line *lines;
	size_t n_lines;
	uint32_t added, deleted;
	bool same;
};
#define DIFF_MAX_BYTES (512u << 20)
#define DIFF_ALL (1u << 28)    /* context: all lines */
/* context: lines around a change (3). Linear space; Myers as git does. At most
 * max_lines lines come out. NULL and a stable code: diff_size (a buffer over
 * DIFF_MAX_BYTES), diff_lines (more lines), diff (libgit2 gave up). */
struct diff *diff_new(struct sv old, struct sv new_, unsigned context,
	size_t max_lines, struct err *e);
void diff_free(struct diff **d);
struct sv diff_text(const struct diff *d, const struct diff_line *l);
/* A NUL in the first 8,000 bytes, as git sees it. */
bool diff_looks_binary(struct sv s);

/* Which bytes of two changed lines differ, by words; at most 64 ranges a side;
 * false when the lines have too little in common to be worth marking. Never
 * cuts a UTF-8 character. Takes about cost steps. */
struct word_range { uint32_t from, to; };
struct word_diff {
	struct word_range old[64], new_[64];
	size_t n_old, n_new;
	uint32_t cost;
};
bool diff_words(struct sv old, struct sv new_, struct word_diff *out);

#endif
