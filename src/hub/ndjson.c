/*
 * ndjson.c - see ndjson.h.
 */
#include "hub/ndjson.h"

#include <stdlib.h>

#define LINE_OUT_MAX ((size_t)64 << 20)
/* One connection's slice: then the others come in between. */
#define SLICE_LINES 32
#define SLICE_BYTES ((size_t)64 << 10)

static void ndjson_scanned(struct scan *s, const struct err *e)
{
	struct conn *c = conn_find(s->hub, s->conn);

	if (c == NULL) {
		scan_free(s);
		return;
	}
	s->lines->message(c, s, e);
	if (!c->working)
		conn_pause(c, false);
}

void ndjson_pump(struct conn *c, const struct ndjson *n)
{
	struct err e = ERR_INIT;
	struct scan *s;
	char *line;
	size_t len, bytes = 0;
	int r, lines = 0;

	/* A scan that ends at once resumes us from within: a loop, not a
	 * recursion, because a chunk can hold thousands of lines. */
	if (c->pumping)
		return;
	c->pumping = true;
	while (!c->dead && !c->finishing && !c->paused) {
		if (conn_hold(c))
			break;
		if (lines++ == SLICE_LINES || bytes >= SLICE_BYTES) {
			conn_later(c);
			break;
		}
		r = conn_take_line(c, &line, &len, &e);
		if (r < 0) {
			n->broken(c, &e);
			conn_finish(c);
		}
		if (r <= 0)
			break;
		bytes += len;
		if (len == 0) {
			free(line);
			continue;
		}
		s = scan_new(c->hub, c, line, len);
		s->lines = n;
		s->done = ndjson_scanned;
		conn_pause(c, true);
		scan_start(s);
	}
	c->pumping = false;
}

void ndjson_add(struct conn *c, struct sv bytes, const struct ndjson *n)
{
	struct err e = ERR_INIT;

	if (conn_add_input(c, bytes, &e) != 0) {
		n->broken(c, &e);
		conn_finish(c);
		return;
	}
	ndjson_pump(c, n);
}

void ndjson_error(struct conn *c, struct sv id, int rpc_code, const char *word,
	const char *text, struct jv *owned_data)
{
	struct buf b;

	buf_init(&b, LINE_OUT_MAX);
	rpc_put_error(&b, id, rpc_code, word, text, owned_data);
	conn_send(c, buf_sv(&b));
	buf_free(&b);
}

void ndjson_result(struct conn *c, struct sv id, struct jv *owned)
{
	struct buf b;

	buf_init(&b, LINE_OUT_MAX);
	if (rpc_put_result(&b, id, owned) == 0)
		conn_send(c, buf_sv(&b));
	else
		ndjson_error(c, id, RPC_APP, "too_big", "the answer is over the limit",
			NULL);
	buf_free(&b);
}
