/*
 * console.h - the screen people sit at. The only header of this room that
 * others include.
 *
 * Frees: nothing is kept after console_main().
 * Must not include: anything.
 *
 * The caller has set the locale (a UTF-8 one, C.UTF-8 at worst), bound the
 * text domain, and seen to it that a hub is running.
 */
#ifndef OBSTAT_CONSOLE_CONSOLE_H
#define OBSTAT_CONSOLE_CONSOLE_H

#include <stdbool.h>

struct console_options {
	const char *socket;      /* the hub's console socket */
	const char *theme;       /* NULL: "dark" */
	const char *theme_dir;   /* the user's own themes, or NULL */
	bool no_colour;          /* NO_COLOR is set and not empty */
	bool no_bell;
};
/* 0 when the person detached or the terminal hung up; 1 with a message on
 * stderr when there is no terminal to use. */
int console_main(const struct console_options *o);

#endif
