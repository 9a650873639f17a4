/*
 * scan.c - the strict scanner over one message, in slices of 1 ms, so that
 * 16 MiB from one peer do not hold up another.
 */
#include <stdlib.h>

#include "hub/req.h"

#define SLICE_US 1000

struct scan *scan_new(struct hub *h, struct conn *c, char *owned_raw, size_t n)
{
	struct scan *s = xcalloc(1, sizeof *s);

	s->hub = h;
	s->conn = c->serial;
	s->raw = owned_raw;
	s->raw_n = n;
	return s;
}

void scan_free(struct scan *s)
{
	json_free(&s->json);
	event_clear(&s->ev);
	doc_free(&s->before);
	free(s->raw);
	free(s->rpc_id);
	free(s->opt_allow);
	free(s->opt_reject);
	free(s);
}

/* One slice. True when the scan has ended (and s is gone). */
static bool scan_slice(struct scan *s)
{
	struct err e = ERR_INIT;
	enum json_status st = json_scan(s->json, SLICE_US, &e);

	if (st == JSON_MORE)
		return false;
	s->done(s, st == JSON_DONE ? NULL : &e);
	return true;
}

void scan_start(struct scan *s)
{
	struct hub *h = s->hub;
	struct scan **at = &h->scans;

	s->json = json_new((struct sv){ s->raw, s->raw_n });
	if (scan_slice(s))
		return;
	while (*at != NULL)
		at = &(*at)->next;
	*at = s;
	loop_wake_send(h->again);
}

/* One slice of one scan a turn: other descriptors come in between. */
void scan_again(struct hub *h)
{
	struct scan *s = h->scans;
	struct scan **at = &h->scans;

	if (s == NULL)
		return;
	h->scans = s->next;
	s->next = NULL;
	if (!scan_slice(s)) {
		while (*at != NULL)
			at = &(*at)->next;
		*at = s;
	}
	if (h->scans != NULL)
		loop_wake_send(h->again);
}
