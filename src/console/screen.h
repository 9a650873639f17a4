/*
 * screen.h - between the app and the terminal: one frame a turn, and only when
 * the last one is wholly out. Shared by console.c and the tests.
 *
 * Must not include: base/loop.h.
 */
#ifndef OBSTAT_CONSOLE_SCREEN_H
#define OBSTAT_CONSOLE_SCREEN_H

#include "console/app.h"
#include "ui/term.h"

struct screen {
	struct app *app;
	struct term *term;
	struct frame frame;
	bool out;               /* a frame is on its way to the terminal */
};
void screen_init(struct screen *s, struct app *a, struct term *t);
void screen_free(struct screen *s);
/* Reads all that waits; -1 when the terminal hung up. */
int screen_read(struct screen *s, uint64_t now);
/* Draws if needed and possible, writes. 1: all is out; 0: wait until the
 * terminal takes more; -1: hung up. */
int screen_turn(struct screen *s, uint64_t now);

#endif
