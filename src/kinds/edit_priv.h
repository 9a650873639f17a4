/*
 * edit_priv.h - an edit on its way to being drawn: which changes belong to one
 * file, what the file was and would be, and how that is shown (private to
 * kinds/).
 *
 * edit_plan.c groups and computes, edit_draw.c draws differences, edit_patch.c
 * patches, kind_edit.c all around them.
 */
#ifndef OBSTAT_KINDS_EDIT_PRIV_H
#define OBSTAT_KINDS_EDIT_PRIV_H

#include "diff/diff.h"
#include "kinds/kinds_priv.h"

enum edit_show {
	EDIT_SHOW_NOTHING,     /* the heading says it all */
	EDIT_SHOW_DIFF,
	EDIT_SHOW_NEW,         /* all of the new content as added */
	EDIT_SHOW_OLD,         /* all of the old content as deleted */
	EDIT_SHOW_PARTS,       /* each change by itself, not placed in the file */
	EDIT_SHOW_PATCH,       /* the agent's own patch */
};
/* What a person has to know of one file's changes; texts in kind_edit.c. */
enum edit_note {
	NOTE_UNREADABLE, NOTE_TOO_BIG, NOTE_NOT_REGULAR, NOTE_TANGLED,
	NOTE_NO_FILE, NOTE_MAKES_IT, NOTE_GONE_ALREADY, NOTE_EXISTS,
	NOTE_TARGET_EXISTS, NOTE_OLD_DIFFERS, NOTE_OLD_CLAIMED, NOTE_NOT_PLACED,
	NOTE_TOO_MUCH, NOTE_OLD_BINARY, NOTE_NEW_MISSING, NOTE_SAME, NOTE_EMPTY,
	NOTE_MOVED_WHOLE, NOTE_PATCH, NOTE_NO_DIFF, NOTE_DELETES_UNSEEN, NOTE_N
};
/* One change: how often its old text occurs, and its own difference when it
 * is shown by itself. */
struct edit_part {
	uint32_t hits;
	bool looked;           /* hits is known */
	bool overwritten;      /* a later change replaces all of the file */
	struct diff *diff;
};
struct edit_sect {
	size_t first, n;       /* its changes: plan.order[first .. first + n) */
	const struct change *c;          /* the first of them */
	const struct ev_file *file, *from;  /* of path and old_path, or NULL */
	bool old_known, new_known;
	struct sv old, new_;
	char *made;            /* new_, when it had to be built */
	struct diff *diff;
	enum edit_show show;
	uint32_t notes;        /* 1 << enum edit_note */
	uint32_t added, deleted;
};
struct edit_plan {
	struct view *v;
	uint32_t *order;
	struct edit_part *parts;         /* by change */
	struct edit_sect *sects;
	size_t n_sects;
	/* Bounds of what one request may cost, whatever it says. */
	size_t lines_left, bytes_left;
	const struct ev_file **files;    /* evidence, sorted by path */
	size_t n_files;
};

void edit_plan_make(struct edit_plan *p, struct view *v);
void edit_plan_free(struct edit_plan *p);
void edit_note(struct edit_sect *s, enum edit_note n);
bool edit_noted(const struct edit_sect *s, enum edit_note n);
const struct change *edit_change(const struct edit_plan *p,
	const struct edit_sect *s, size_t i);
/* A change of a notebook's cell: what it replaces is not in the request. */
bool edit_is_cell(const struct change *c);
/* Lines of a text; a missing last newline makes no difference. */
uint32_t edit_count_lines(struct sv text);

/* Marks the leaves that the sections have shown. */
void edit_leaves_done(struct edit_plan *p);

/* numbers: those of the file are known, and so is its end. Of a part that
 * stands for itself a missing last newline is told only when its other side
 * has one: parts end anywhere in a file. */
void edit_draw_diff(struct view *v, const struct diff *d, bool numbers);
bool edit_ends_differ(struct sv old, struct sv new_);
/* A whole text as added ('+'), deleted ('-') or context (' ') lines; say_end:
 * tell of a missing last newline. */
void edit_draw_side(struct view *v, char origin, struct sv text, bool numbers,
	bool say_end);

/* Walks a patch's lines; v NULL: only counts. */
void edit_patch(struct view *v, struct sv patch, uint32_t *added,
	uint32_t *deleted);

#endif
