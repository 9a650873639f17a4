/*
 * hintbar.h - the last line: keys and what they do, made of the command rows.
 *
 * Must not include: views.
 */
#ifndef OBSTAT_UI_HINTBAR_H
#define OBSTAT_UI_HINTBAR_H

#include "ui/commands.h"
#include "ui/frame.h"

struct hints {
	unsigned view;
	uint64_t off;            /* bit 1 << cmd: not shown now */
	const char *approve;     /* word to be typed: "approve (type: WORD)" */
};
void hintbar_draw(struct frame *f, int y, const struct hints *h);

#endif
