/*
 * hub.h - `obstat serve`: one process that holds what is pending, applies the
 * rules, builds what is shown and keeps the record.
 *
 * Hides: everything; only cli/ (and test programs) call it.
 * Frees: hub_main() leaves nothing behind but the record and the log.
 * Must not include: ui, console, cli.
 */
#ifndef OBSTAT_HUB_HUB_H
#define OBSTAT_HUB_HUB_H

#include <stdbool.h>

#include "config/paths.h"

struct hub_options {
	struct paths paths;
	bool detach;             /* double fork, own session, log to STATE/log */
	bool log_stderr;         /* foreground: the log goes to stderr */
	const char *self;        /* absolute path of this program (evidence child);
	                          * NULL: /proc/self/exe */
};
/* Returns an exit status: 0 after an orderly end, 1 could not start (said on
 * stderr), 3 another hub serves this state directory. With detach the parent
 * returns 0 once the sockets can be connected to. */
int hub_main(const struct hub_options *o);

/* A test program's own console methods. NULL in the product: nothing there
 * sets it. Returns true when it has handled the method. */
struct call;
extern bool (*hub_test_method)(struct call *c);

#endif
