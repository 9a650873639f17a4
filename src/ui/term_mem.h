/*
 * term_mem.h - what a test does to the terminal in memory.
 *
 * Must not include: anything of curses.
 */
#ifndef OBSTAT_UI_TERM_MEM_H
#define OBSTAT_UI_TERM_MEM_H

#include "ui/term.h"

/* The size that the next term_open() or term_resized() finds. */
void term_mem_size(int w, int h);
/* One read's worth of bytes; several wait in order. */
void term_mem_type(struct term *t, const char *p, size_t n);
/* While stalled, term_flush() returns 0 and no frame reaches the screen. */
void term_mem_stall(struct term *t, bool on);
void term_mem_hangup(struct term *t);
/* What stands on the screen: the last frame that was completely written. */
const struct frame *term_mem_screen(const struct term *t);
unsigned term_mem_frames(const struct term *t); /* completely written so far */
unsigned term_mem_suspends(const struct term *t);

#endif
