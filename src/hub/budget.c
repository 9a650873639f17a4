/*
 * budget.c - how much one agent, one uid and all of them together may make us
 * hold: bytes of received messages and actions that wait.
 */
#include "hub/core.h"

#include <stdlib.h>

const struct hub_limits hub_limits_default = {
	.channel_bytes = (size_t)64 << 20,
	.channel_waiting = 256,
	.total_bytes = (size_t)1 << 30,
	.conns_per_uid = 1024,
	.consoles_per_uid = 64,
	.held_fds = 8192,
	.refusals_a_minute = 20,
	.console_out = (size_t)64 << 20,
	.peer_out = (size_t)4 << 20,
	.open_ms = 5000,
	.owner_ms = 0,
	.close_ms = 2000,
	.inline_bytes = (size_t)64 << 10,
};

/* Per channel and uid: an agent that floods starves nobody but itself. */
static struct usage *budget_of(struct channel *ch, uid_t uid)
{
	struct uid_usage *u;

	for (u = ch->uids; u != NULL; u = u->next)
		if (u->uid == uid)
			return &u->use;
	u = xcalloc(1, sizeof *u);
	u->uid = uid;
	u->next = ch->uids;
	ch->uids = u;
	return &u->use;
}

int budget_wait(struct hub *h, struct channel *ch, uid_t uid, struct err *e)
{
	struct usage *u = budget_of(ch, uid);

	if (u->waiting >= h->limits.channel_waiting)
		return err_set(e, "over_limit",
			"%u actions of this agent wait already; decide some first",
			h->limits.channel_waiting);
	u->waiting++;
	return 0;
}

void budget_unwait(struct hub *h, struct channel *ch, uid_t uid)
{
	struct usage *u = budget_of(ch, uid);

	(void)h;
	if (u->waiting > 0)
		u->waiting--;
}

int budget_bytes(struct hub *h, struct channel *ch, uid_t uid, size_t n,
	struct err *e)
{
	struct usage *u = budget_of(ch, uid);
	size_t max = h->limits.channel_bytes;

	if (n > max || u->bytes > max - n)
		return err_set(e, "over_limit",
			"this agent's waiting actions hold %zu MiB already; decide some first",
			max >> 20);
	if (n > h->limits.total_bytes || h->total_bytes > h->limits.total_bytes - n)
		return err_set(e, "over_limit",
			"all waiting actions hold %zu MiB already; decide some first",
			h->limits.total_bytes >> 20);
	u->bytes += n;
	h->total_bytes += n;
	return 0;
}

void budget_free(struct hub *h, struct channel *ch, uid_t uid, size_t n)
{
	struct usage *u = budget_of(ch, uid);

	u->bytes = u->bytes > n ? u->bytes - n : 0;
	h->total_bytes = h->total_bytes > n ? h->total_bytes - n : 0;
}
