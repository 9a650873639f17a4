/*
 * seen.h - which lines of a document have stood on the screen.
 *
 * A line is seen when each row of its wrapping has stood, at one width, in a
 * frame that the terminal took completely. seen_note() is called then, never
 * when a frame is merely drawn.
 *
 * Hides: half-seen lines. Frees: seen_free(). Pure.
 */
#ifndef OBSTAT_CONSOLE_SEEN_H
#define OBSTAT_CONSOLE_SEEN_H

#include "ui/pager.h"

#define SEEN_PARTIAL 32
#define SEEN_RANGES 64
struct seen_part {
	uint32_t line, rows;
	struct cover *cover;    /* of its rows; NULL: free slot */
	uint64_t stamp;
};
struct seen {
	struct cover *lines;
	int width;              /* of the half-seen lines */
	uint64_t stamp;
	struct seen_part part[SEEN_PARTIAL];
};
struct seen_ranges {
	struct { uint32_t from, to; } r[SEEN_RANGES];
	size_t n;
};
void seen_init(struct seen *s);
void seen_free(struct seen *s);
void seen_reset(struct seen *s);
/* Adds what a completely written frame of this width showed; newly seen lines
 * come back as ranges to report. */
void seen_note(struct seen *s, const struct shown *shown, int width, struct seen_ranges *out);
/* What the hub knows already (other frames, other consoles of this person). */
void seen_add(struct seen *s, uint32_t from, uint32_t to);

#endif
