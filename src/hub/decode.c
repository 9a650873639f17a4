/*
 * decode.c - a scanned message becomes an event: at once when it is small, on
 * a worker when it is big, so that 16 MiB from one peer do not hold up
 * another. Its connection is not read meanwhile: what it says next may be
 * about this message.
 */
#include "base/clock.h"
#include "base/testpoint.h"
#include "hub/req.h"

bool hub_big(const struct hub *h, size_t n)
{
	return n >= h->limits.inline_bytes;
}

static void decode(struct scan *s)
{
	struct sv raw = { s->raw, s->raw_n };

	s->failed = s->dialect->decode(raw, s->json, s->decide, &s->ev, &s->why) != 0;
}

static void decode_work(void *arg)
{
	struct scan *s = arg;

	decode(s);
	json_free(&s->json);
	if (s->failed || s->ev.type != EVENT_ASK || !s->decide)
		return;
	/* The record of it too: copied and compressed here. */
	s->rec = rec_new(REC_RECEIVED, s->real_ms, s->boot_ms);
	rec_add_body(s->rec, "raw", s->ev.action->raw);
	rec_seal(s->rec);
}

static void decode_done(void *arg)
{
	struct scan *s = arg;
	struct hub *h = s->hub;
	uint64_t conn = s->conn;
	bool held = s->lines != NULL;
	struct conn *c;

	test_point("decoded");
	intake_decoded(s);
	c = conn_find(h, conn);
	if (held && c != NULL) {
		c->working = false;
		conn_pause(c, false);
	}
}

void intake_event(struct scan *s)
{
	struct hub *h = s->hub;
	struct conn *c = conn_find(h, s->conn);

	test_point("scanned");
	if (c == NULL || h->draining) {
		scan_free(s);
		return;
	}
	if (!hub_big(h, s->raw_n)) {
		decode(s);
		json_free(&s->json);
		intake_decoded(s);
		return;
	}
	s->real_ms = clock_real_ms();
	s->boot_ms = clock_boot_ms();
	c->working = s->lines != NULL;
	loop_work(h->loop, decode_work, decode_done, s);
}
