/*
 * commands.h - every command of the console: one row each in
 * commands_table.c, from which the help view, the hint bar and the key map
 * are made.
 *
 * To add a command: an id here, a row there, a case where it is carried out.
 * Hides: nothing. Must not include: views, anything of a terminal.
 */
#ifndef OBSTAT_UI_COMMANDS_H
#define OBSTAT_UI_COMMANDS_H

#include "ui/keydec.h"

/* In the order of the hint bar and the help. */
enum cmd { CMD_NONE, CMD_OPEN, CMD_APPROVE, CMD_DENY, CMD_DENY_STOP, CMD_STOP_ALL,
	CMD_TAKE_BACK, CMD_PAGE_DOWN, CMD_PAGE_UP, CMD_DOWN, CMD_UP, CMD_FIRST, CMD_LAST,
	CMD_NEXT_HUNK, CMD_PREV_HUNK, CMD_NEXT_FILE, CMD_PREV_FILE,
	CMD_RAW, CMD_FACTS, CMD_EXTEND, CMD_UNFOLD, CMD_HOLD, CMD_CLEAR, CMD_HELP,
	CMD_BACK, CMD_DETACH, CMD_SUSPEND, CMD_REDRAW, CMD_N };

#define IN_QUEUE 1u
#define IN_ACTION 2u
#define IN_HELP 4u
#define IN_ALL (IN_QUEUE | IN_ACTION | IN_HELP)

/* APPROVES: only a lone, unpasted, well-timed key on what stands whole on the
 * screen carries it out. DENIES: works at once from anywhere, but from no paste and no split
 * sequence. CHANGES: as DENIES, for what changes the hub otherwise. */
#define CMD_APPROVES 1u
#define CMD_DENIES 2u
#define CMD_CHANGES 4u

struct command {
	const char *name;      /* in configuration; stable */
	unsigned views;
	const char *keys;      /* blank-separated: a character, a name, ^x */
	const char *hint;      /* for the hint bar, or NULL; N_() */
	const char *help;      /* for the help view; N_() */
	unsigned flags;
	int weight;            /* hint bar: higher stays longer on narrow screens */
};
extern const struct command commands[CMD_N];

/* The command of this key in a view; a pasted or meta key finds only commands
 * without flags, and no letters. */
enum cmd command_for(unsigned view, const struct key_event *ev);
/* The key's spelling for people, the i-th of a command: 0-terminated in out.
 * False when there is no i-th. */
bool command_key(enum cmd c, unsigned i, char out[16]);

#endif
