/*
 * client.h - the hub's socket as lines: NDJSON in, NDJSON out, nothing blocks.
 *
 * Hides: the descriptor and half lines. Frees: client_close() (then it may
 * connect again); client_free().
 * Must not include: anything of a terminal.
 */
#ifndef OBSTAT_CONSOLE_CLIENT_H
#define OBSTAT_CONSOLE_CLIENT_H

#include "base/loop.h"

#define CLIENT_LINE_MAX (64u << 20)  /* a page of very long lines */
#define CLIENT_OUT_MAX (16u << 20)

struct client {
	struct loop *loop;
	int fd;                     /* -1: not connected */
	struct loop_fd *watch;
	struct buf in, out;
	size_t scanned;             /* of in, without an LF */
	void (*line)(void *arg, struct sv line);
	void (*gone)(void *arg);
	void *arg;
};
void client_init(struct client *c, struct loop *l, void (*line)(void *, struct sv),
	void (*gone)(void *), void *arg);
int client_connect(struct client *c, const char *path, struct err *e);
void client_send(struct client *c, struct sv line); /* dropped when not connected */
void client_close(struct client *c);
void client_free(struct client *c);

#endif
