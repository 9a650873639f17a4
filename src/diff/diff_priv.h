/*
 * diff_priv.h - from two buffers to hunks in four steps (private to diff/):
 * walk.c finds the small areas that differ, anchor.c cuts what it could not
 * place where both surely correspond, diff_git.c has libgit2 compare each
 * piece, diff.c puts context around the changes.
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

/* Both buffers from their beginnings; lines are counted from old_line and
 * new_line. */
struct diff_walk {
	struct sv old, new_;
	size_t old_at, new_at;
	uint32_t old_line, new_line;
};
/* So many equal lines end an area that differs. */
#define DIFF_WALK_RUN 8
/* An area that differs: bytes from, to on each side. Its first lines, c, are
 * not the same; those behind them, at most DIFF_WALK_RUN, are. rest: it could
 * not be placed, is all that is left, and c counts nothing. */
struct diff_area {
	size_t old_from, old_to, new_from, new_to;
	struct diff_change c;
	bool rest;
};
/* The next one, in order; false at the end. Takes time in proportion to what
 * it passes over, at most some WINDOW times that where all differs. */
bool diff_walk_next(struct diff_walk *w, struct diff_area *out);

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
