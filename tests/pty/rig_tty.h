/*
 * rig_tty.h - what rig.c needs of rig_tty.c.
 */
#ifndef OBSTAT_TESTS_PTY_RIG_TTY_H
#define OBSTAT_TESTS_PTY_RIG_TTY_H

#include "tests/pty/rig.h"

void tty_pump(struct tty *t);
void tty_end(struct tty *t);

#endif
