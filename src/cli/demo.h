/*
 * demo.h - obstat demo: a hub of its own, a scripted agent, and a person.
 *
 * Hides: nothing; private to cmd_demo.c and the demo_*.c files.
 * Frees: see each function.
 * Must not include: hub, console.
 */
#ifndef OBSTAT_CLI_DEMO_H
#define OBSTAT_CLI_DEMO_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/mem.h"
#include "config/paths.h"

#define DEMO_AGENT "shop-bot"

/* What the scripted person does with an action, in this order. */
enum demo_deed {
	DEED_END,
	DEED_APPROVE_UNSEEN,   /* tries to, before anything was drawn */
	DEED_SEE,              /* reports every line as drawn */
	DEED_APPROVE,
	DEED_APPROVE_TYPED,    /* with the word that is asked for */
	DEED_TAKE_BACK,
	DEED_DENY,             /* with the row's reason */
};
#define DEMO_DEEDS 8
/* One row an action. params: what approval/request carries, but for key and
 * origin; "@" within it stands for the demo's work tree. */
struct demo_action {
	const char *name;            /* also the turn it belongs to */
	const char *title;           /* N_() */
	const char *params;
	const char *reason;          /* of a denial; the agent reads it */
	/* Submitted once the action of this name was denied; NULL at once. */
	const char *after_denied;
	bool alone;                  /* nothing else is sent until it is answered */
	enum demo_deed deeds[DEMO_DEEDS];
};
extern const struct demo_action demo_actions[];
extern const size_t n_demo_actions;

/* A file of the work tree as the agent finds it. */
struct demo_file {
	const char *path, *text;
};
extern const struct demo_file demo_files[];
extern const size_t n_demo_files;
extern const char demo_rules[];

struct demo {
	struct paths paths;
	char dir[512];               /* of the whole demo, resolved */
	char work[600];              /* the work tree */
	char agent_sock[640];
	pid_t hub, agent;            /* 0: none */
	int answers;                 /* pipe: what the agent was told */
	struct buf told;             /* read from it: lines "NUMBER JSON" */
};
/* Set by ^C and the like: all that waits gives up. */
extern volatile sig_atomic_t demo_stopped;

/* The scripted agent, in its own process: speaks the native protocol on sock,
 * writes a line "NUMBER JSON" to out for each answer. Returns an exit status. */
int demo_agent_run(const char *sock, const char *work, int out);
/* The scripted person, on the console socket; prints what is shown and what is
 * decided. -1 with e when the hub did not play along. */
int demo_person_run(const struct demo *d, struct err *e);
/* What each call of the agent was told. */
void demo_print_told(const struct demo *d);
/* What is on record of each action, without times and numbers that vary. */
int demo_print_record(const struct demo *d, struct err *e);

/* Prints the document's lines (an array as doc/lines gives it) as the console
 * draws them 80 cells wide. */
struct jv;
void demo_print_lines(const struct demo *d, const struct jv *lines);
/* Outside text as one escaped line, the demo's folder as "DEMO". */
void demo_add(const struct demo *d, struct buf *b, struct sv s);

#endif
