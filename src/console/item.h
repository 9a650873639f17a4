/*
 * item.h - what the console holds of one action beside its row: facts, the
 * pages of its document near the screen, and what of it has been seen.
 *
 * Hides: the hub's JSON for it. Frees: item_free().
 * Must not include: anything of a terminal.
 */
#ifndef OBSTAT_CONSOLE_ITEM_H
#define OBSTAT_CONSOLE_ITEM_H

#include "base/json_out.h"
#include "console/chunks.h"
#include "console/seen.h"

#define ITEM_DOC_LINES 256      /* lines a piece of the document */
#define ITEM_RAW_BYTES 4096     /* bytes a piece of the raw message */

struct item {
	struct ui_action action;
	struct chunks doc, raw;
	unsigned raw_per_row;
	uint64_t raw_total;         /* bytes; UINT64_MAX until known */
	struct seen seen;
	bool asked;                 /* action/get is on its way */
	void *owner;                /* for the fetchers, whose arg is this item */
	uint64_t stamp;
};
typedef void (*item_fetch_fn)(void *arg, uint32_t index);

void item_init(struct item *it, uint64_t id, item_fetch_fn doc, item_fetch_fn raw,
	void *owner);
void item_free(struct item *it);
/* The answer to action/get. True when the document is another one than
 * before: nothing of it has been seen by this console yet. */
bool item_set(struct item *it, const struct jv *answer);
/* [{name}] of who else looks at it. */
void item_presence(struct item *it, const struct jv *people);
/* Answers to doc/lines and raw/bytes for a piece. */
void item_doc_put(struct item *it, uint32_t index, const struct jv *answer);
void item_raw_put(struct item *it, uint32_t index, const struct jv *answer);
/* Re-cuts the hex view for a screen width. */
void item_raw_width(struct item *it, int w);
bool item_covered(const struct item *it);

/* A copy of text from the hub that is safe to draw; NULL for none. */
char *item_text(const struct jv *obj, const char *key);
char *item_text_of(const struct jv *string);

#endif
