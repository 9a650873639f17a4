/*
 * detach.h - into the background: double fork, own session, and the parent
 * waits until the sockets can be connected to.
 *
 * Must not include: ui, console, cli.
 */
#ifndef OBSTAT_HUB_DETACH_H
#define OBSTAT_HUB_DETACH_H

#include <stdbool.h>

struct detach {
	int fd;                    /* to the waiting parent, -1 none */
};
#define DETACH_INIT { -1 }
/* True in the parent (and *status is what to exit with); false in the hub. */
bool detach_fork(struct detach *d, int *status);
/* Tells the parent how the start went; text is shown on its stderr. */
void detach_ready(struct detach *d, int status, const char *text);

#endif
