/*
 * kept.h - what this console has drawn of actions, kept over the end of a hub.
 *
 * A hub that ends loses what its consoles told it. When the same action comes
 * back with the very same document, what was drawn of it was seen.
 *
 * Hides: the table; the action not drawn for longest goes first.
 * Frees: kept_free(). Pure.
 */
#ifndef OBSTAT_CONSOLE_KEPT_H
#define OBSTAT_CONSOLE_KEPT_H

#include "console/seen.h"

#define KEPT_MAX 64
struct kept_one {
	uint64_t id;            /* 0: free */
	char *doc_digest;
	struct cover *lines;
	uint64_t stamp;
};
struct kept {
	struct kept_one one[KEPT_MAX];
	uint64_t stamp;
};
void kept_free(struct kept *k);
/* These lines of it have stood on our screen. */
void kept_add(struct kept *k, uint64_t id, const char *doc_digest,
	const struct seen_ranges *r);
/* What we have drawn of exactly this document and is not in known: at most
 * SEEN_RANGES at a time; false when that is nothing. What was kept of another
 * document of this action goes. */
bool kept_missing(struct kept *k, uint64_t id, const char *doc_digest,
	const struct cover *known, struct seen_ranges *out);
void kept_drop(struct kept *k, uint64_t id);

#endif
