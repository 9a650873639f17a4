/*
 * term.h - a terminal, as the console needs it: size, bytes in, frames out.
 *
 * Two implementations, chosen at link time: term_curses.c (libtermcurses.a,
 * ncursesw's only user) and term_mem.c (libtermmem.a, cells in memory).
 *
 * Hides: curses, terminfo, termios, modes, what a crash leaves behind.
 * Frees: term_close(). Only one terminal is open at a time.
 * Must not include: anything of curses.
 *
 * Output never blocks: term_draw() turns a frame into bytes, term_flush()
 * writes what the terminal takes. A frame stands on the screen when
 * term_flush() has returned 1 after its term_draw(); while it returns 0 the
 * caller waits for term_fd() to be writable and draws nothing new.
 */
#ifndef OBSTAT_UI_TERM_H
#define OBSTAT_UI_TERM_H

#include <sys/types.h>

#include "base/err.h"
#include "config/theme.h"
#include "ui/frame.h"

struct term;
struct term_options {
	const struct theme *theme; /* borrowed while the terminal is open */
	bool no_colour;            /* attributes only */
};
/* Takes the controlling terminal (/dev/tty). Codes: term_tty, term_type. */
struct term *term_open(const struct term_options *o, struct err *e);
void term_close(struct term **t);  /* leaves it sane; at most 1 s */
int term_fd(const struct term *t); /* one descriptor for both directions */
void term_size(const struct term *t, int *w, int *h);
/* After SIGWINCH or SIGCONT: asks for the size again, and the next draw
 * repaints all. */
void term_resized(struct term *t);
/* Bytes read; 0: nothing now; -1: hung up. */
ssize_t term_read(struct term *t, char *buf, size_t n);
void term_draw(struct term *t, const struct frame *f);
int term_flush(struct term *t);    /* 1 all out, 0 some waits, -1 hung up */
void term_bell(struct term *t);    /* with the next draw */
/* Leaves the modes, stops the process (SIGSTOP), and takes them again when it
 * goes on; the next draw repaints all. */
void term_suspend(struct term *t);
/* Takes the modes again (a SIGCONT that we did not wait for). */
void term_resume(struct term *t);

#endif
