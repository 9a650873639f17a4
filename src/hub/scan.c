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
	doc_free(&s->before);
	free(s->raw);
	free(s->rpc_id);
	free(s->opt_allow);
	free(s->opt_reject);
	event_clear(&s->ev);
	rec_free(&s->rec);
	if (s->follows != NULL)
		req_unref(s->follows);
	free(s);
}

void scans_free(struct hub *h)
{
	while (h->scans != NULL) {
		struct scan *s = h->scans;

		h->scans = s->next;
		scan_free(s);
	}
}

const struct digest *scan_digest(struct scan *s)
{
	if (!s->have_digest)
		s->digest = sha256((struct sv){ s->raw, s->raw_n });
	s->have_digest = true;
	return &s->digest;
}

static void scan_work(void *arg)
{
	scan_digest(arg);
}

static void scan_worked(void *arg)
{
	struct scan *s = arg;

	s->done(s, s->ended_bad ? &s->end : NULL);
}

/* One slice. True when the scan has ended (and s may be gone). */
static bool scan_slice(struct scan *s)
{
	enum json_status st = json_scan(s->json, SLICE_US, &s->end);

	if (st == JSON_MORE)
		return false;
	s->ended_bad = st != JSON_DONE;
	/* Whatever becomes of it, its digest goes on record. */
	if (hub_big(s->hub, s->raw_n))
		loop_work(s->hub->loop, scan_work, scan_worked, s);
	else
		s->done(s, s->ended_bad ? &s->end : NULL);
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
