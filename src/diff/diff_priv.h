/*
 * diff_priv.h - from two buffers to hunks in three steps (private to diff/):
 * anchor.c cuts them where they surely correspond, diff_git.c has libgit2
 * compare each piece, diff.c puts context around the changes.
 */
#ifndef OBSTAT_DIFF_DIFF_PRIV_H
#define OBSTAT_DIFF_DIFF_PRIV_H

#include "diff/diff.h"

/* Lines [old, old + n_old) became lines [new_, new_ + n_new); from 0. */
struct diff_change {
	uint32_t old, n_old, new_, n_new;
};
struct diff_changes {
	struct diff_change *c;
	size_t n, cap;
};
void diff_change_add(struct diff_changes *cs, struct diff_change c);

/* Where a line of one buffer is the same as one of the other: both begin at
 * these bytes, and are these lines. */
struct diff_anchor {
	size_t old_at, new_at;
	uint32_t old_line, new_line;
};
/* Anchors in order, in both buffers, at least some hundred lines apart. The
 * caller frees them. */
struct diff_anchor *diff_anchors(struct sv old, struct sv new_, size_t *n);

/* Adds the changes between two pieces that begin at lines old_line and
 * new_line. -1 when libgit2 fails. */
int diff_git(struct sv old, struct sv new_, uint32_t old_line, uint32_t new_line,
	struct diff_changes *out, struct err *e);

/* A last line without a newline is one too. */
uint32_t diff_count_lines(struct sv s);

#endif
