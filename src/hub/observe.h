/*
 * observe.h - what is only seen: noted, never held.
 *
 * Must not include: ui, console, cli.
 */
#ifndef OBSTAT_HUB_OBSERVE_H
#define OBSTAT_HUB_OBSERVE_H

#include "hub/req.h"

/* Records the event, keeps the session's account, answers at once. */
void observe_event(struct scan *s, struct event *ev, struct conn *c);
/* approval/result: what came of an action. */
int observe_result(struct hub *h, struct conn *c, const uint8_t key[KEY_LEN],
	bool ok, struct sv excerpt);

#endif
