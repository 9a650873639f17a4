/*
 * done.c - keys that had their answer, so that a resubmission gets the same
 * one or is told so, and never a second decision.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "hub/req.h"

#define DONE_MAX 4096u

struct done_entry *done_find(struct hub *h, const char *channel, uid_t uid,
	const uint8_t key[KEY_LEN])
{
	/* The latest first: a follower replaces what it followed. */
	for (size_t i = 0; i < h->done_n; i++) {
		struct done_entry *d =
			&h->done[(h->done_at + DONE_MAX - 1 - i) % DONE_MAX];

		if (d->uid == uid && memcmp(d->key, key, KEY_LEN) == 0 &&
		    strcmp(d->channel, channel) == 0)
			return d;
	}
	return NULL;
}

struct done_entry *done_by_id(struct hub *h, uint64_t id)
{
	for (size_t i = 0; i < h->done_n; i++) {
		struct done_entry *d =
			&h->done[(h->done_at + DONE_MAX - 1 - i) % DONE_MAX];

		if (d->id == id)
			return d;
	}
	return NULL;
}

struct done_entry *done_add(struct hub *h)
{
	struct done_entry *d;

	if (h->done == NULL)
		h->done = xcalloc(DONE_MAX, sizeof *h->done);
	d = &h->done[h->done_at];
	h->done_at = (h->done_at + 1) % DONE_MAX;
	if (h->done_n < DONE_MAX)
		h->done_n++;
	memset(d, 0, sizeof *d);
	return d;
}

void done_from(struct req *r)
{
	struct done_entry *d;

	if (r->life.outcome == OUT_SUPERSEDED)
		return;   /* its key belongs to the one that follows */
	d = done_add(r->hub);
	d->id = r->id;
	snprintf(d->channel, sizeof d->channel, "%s", r->channel->name);
	d->uid = r->origin->peer.uid;
	memcpy(d->key, r->origin->key, KEY_LEN);
	d->raw = r->raw_digest;
	d->ev = r->ev_digest;
	d->outcome = r->life.outcome;
	d->verb = r->life.verb;
	d->by = r->by;
	snprintf(d->rule, sizeof d->rule, "%s", r->verdict.rule);
	snprintf(d->reason, sizeof d->reason, "%s", r->reason);
	d->at_real = clock_real_ms();
}
