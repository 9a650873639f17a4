/*
 * setup_claude.h - obstat setup claude: shows the change, makes it, undoes it.
 *
 * Hides: where Claude Code's settings lie for each sort of set-up.
 * Must not include: hub, console, ui.
 */
#ifndef OBSTAT_CLI_SETUP_CLAUDE_H
#define OBSTAT_CLI_SETUP_CLAUDE_H

#include <sys/types.h>

#include "config/claude_settings.h"
#include "config/paths.h"

struct setup_plan {
	char file[600];            /* the settings file that changes */
	char backup[640];          /* what it was before us; removed by undo */
	char gate[600], socket[600], hub_uid[16];
	bool managed;
};
/* Fills the plan; managed needs root. gate_dir: where obstat-gate lies. */
int setup_plan(struct setup_plan *pl, const struct paths *p, const char *gate_dir,
	bool managed, struct err *e);
/* The file's bytes as they are (none: empty) and as they would be. */
int setup_texts(const struct setup_plan *pl, bool undo, struct buf *before,
	struct buf *after, struct err *e);
/* Prints a unified diff, escaped. */
void setup_show(const struct setup_plan *pl, struct sv before, struct sv after);
/* Writes after (or removes the file when it is empty), keeps the backup. */
int setup_write(const struct setup_plan *pl, bool undo, struct sv before,
	struct sv after, struct err *e);
/* The hooks that allowManagedHooksOnly will switch off: prints them, returns
 * how many. home: whose; project: a directory. */
size_t setup_others(const char *home, const char *project);

/* The per-user link below CLAUDE_LINK_DIR (root's): uid -> that user's socket. */
int setup_link(uid_t uid, const char *socket, struct err *e);
/* Takes all of them away, and the directories if they are empty then. */
void setup_unlink(void);
int setup_link_of(const char *user, uid_t *uid, char *socket, size_t n,
	struct err *e);

#endif
