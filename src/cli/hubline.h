/*
 * hubline.h - a subcommand's own short talk with the hub: connect, hello, ask,
 * read the answer. Blocking, with a time limit.
 *
 * Hides: NDJSON JSON-RPC over the console socket.
 * Frees: hubline_close(); a result is the caller's (jv_free).
 * Must not include: ui, console, hub.
 */
#ifndef OBSTAT_CLI_HUBLINE_H
#define OBSTAT_CLI_HUBLINE_H

#include "base/json_out.h"
#include "config/paths.h"

struct hubline;
/* NULL with e: code "no_hub" when none answers at p->console_sock. The hub's
 * uid must be ours (SO_PEERCRED) or root's. */
struct hubline *hubline_open(const struct paths *p, struct err *e);
void hubline_close(struct hubline **h);
/* The hello's answer, borrowed. */
const struct jv *hubline_hello(const struct hubline *h);
/* params is taken (NULL: {}). NULL with e: code is the hub's error word. */
struct jv *hubline_call(struct hubline *h, const char *method, struct jv *params,
	struct err *e);
/* Waits for what the hub says unasked (after queue/subscribe), at most ms
 * milliseconds. What it says while hubline_call() waits is not kept: the call's
 * own answer is newer. NULL with e. */
struct jv *hubline_note(struct hubline *h, unsigned ms, struct err *e);

/* Starts "obstat serve --detach" when no hub answers, and waits until its
 * sockets do; self is this program's absolute path. */
int hub_start(const struct paths *p, const char *self, struct err *e);

#endif
