/*
 * chunks.h - a window on lines that live in the hub: pieces of a fixed number
 * of lines, fetched when they are near the screen, the least recently used
 * thrown away. A document of 1,000,000 lines costs a few pieces.
 *
 * Hides: which pieces are here. Frees: chunks_free().
 * Must not include: anything of a terminal. Asks for pieces by a callback.
 */
#ifndef OBSTAT_CONSOLE_CHUNKS_H
#define OBSTAT_CONSOLE_CHUNKS_H

#include "ui/lines.h"

#define CHUNKS_MAX 24
struct chunk {
	bool used, here;        /* here: the answer came */
	uint32_t index;
	uint64_t stamp;
	uint32_t n;             /* lines, in parts */
	struct lines *part;     /* as the answers came */
	size_t n_part;
};
struct chunks {
	uint32_t per;           /* lines a chunk */
	uint32_t total;         /* lines in all */
	uint32_t max_no;
	uint64_t stamp;
	struct chunk chunk[CHUNKS_MAX];
	/* Fetch chunk index; the answer ends in chunks_put() or chunks_fail(). */
	void (*fetch)(void *arg, uint32_t index);
	void *arg;
};
void chunks_init(struct chunks *c, uint32_t per, uint32_t total,
	void (*fetch)(void *, uint32_t), void *arg);
void chunks_free(struct chunks *c);
void chunks_drop(struct chunks *c);          /* forget all; total stays */
/* Fetches what of [from, to) is neither here nor asked for. */
void chunks_want(struct chunks *c, uint32_t from, uint32_t to);
/* Adds *owned to what of this chunk has come (nothing, when it is no longer
 * wanted); whole: that was the last of it, else the rest is fetched. */
void chunks_put(struct chunks *c, uint32_t index, struct lines *owned, bool whole);
uint32_t chunks_have(const struct chunks *c, uint32_t index); /* lines so far */
void chunks_fail(struct chunks *c, uint32_t index);
struct ui_line *chunks_line(void *chunks, uint32_t line);
struct line_source chunks_source(struct chunks *c);

#endif
