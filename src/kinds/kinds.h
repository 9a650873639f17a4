/*
 * kinds.h - what each kind means and how it looks: action + evidence ->
 * document. Pure: no clock, locale-free layout, no terminal, no I/O.
 *
 * Hides: one builder a kind (kind_*.c), one row each in kinds.c. A kind
 * without a row of its own falls to raw: shown whole, never nothing.
 * Frees: the returned doc is the caller's.
 * Must not include: ui, hub, console, cli, store, policy, proto.
 *
 * Runs on a worker thread, from immutable input.
 */
#ifndef OBSTAT_KINDS_KINDS_H
#define OBSTAT_KINDS_KINDS_H

#include "model/action.h"
#include "model/doc.h"
#include "model/evidence.h"
#include "model/facts.h"

#define DOC_MAX_BYTES (256u << 20)

/* The payload's lines, the agent's words at the end. Sealed. Never NULL; test
 * doc_over(). A payload that is empty or unreadable yields a document that
 * says so (action.why_not is set by then). */
struct doc *kinds_build(const struct action *a, const struct evidence *ev,
	const struct facts *f);
/* One line for the queue: the action itself, escaped, at most 200 cells:
 * "src/pay.c +12 -3, 1 more file", "git push --force". Appended to out. d may
 * be NULL (not built yet). */
void kinds_row(const struct action *a, const struct doc *d, struct buf *out);
/* The word a `confirm` asks for, taken from the target: [A-Za-z0-9._-]{1,24},
 * else the kind's name. */
void kinds_confirm_word(const struct action *a, char out[32]);
/* Lines added and deleted of an edit's document; false for other kinds. */
bool kinds_edit_counts(const struct doc *d, uint32_t *added, uint32_t *deleted);

#endif
