/*
 * ndjson.h - what native peers and consoles have in common: lines in, one
 * scanned message at a time.
 *
 * Must not include: ui, console, cli.
 */
#ifndef OBSTAT_HUB_NDJSON_H
#define OBSTAT_HUB_NDJSON_H

#include "hub/req.h"
#include "proto/jsonrpc.h"

/* Takes complete lines out of c->in; each goes through the scanner, then to
 * message (which takes s; e NULL: scanned well). broken: the framing cannot
 * go on (line too long, budget); the connection is finished afterwards. */
struct ndjson {
	void (*message)(struct conn *c, struct scan *s, const struct err *e);
	void (*broken)(struct conn *c, const struct err *e);
};
void ndjson_add(struct conn *c, struct sv bytes, const struct ndjson *n);
void ndjson_pump(struct conn *c, const struct ndjson *n);
/* A line of ours. */
void ndjson_error(struct conn *c, struct sv id, int rpc_code, const char *word,
	const char *text, struct jv *owned_data);
void ndjson_result(struct conn *c, struct sv id, struct jv *owned);

#endif
