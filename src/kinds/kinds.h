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

/*
 * The payload's lines, the agent's words at the end. Sealed. Never NULL; test
 * doc_over(): such a document is not whole and cannot be approved. ev may be
 * NULL (nothing of the world is known), f too. A payload that is empty or
 * unreadable yields a document that says so (action.why_not is set by then)
 * and shows the bytes received.
 *
 * Line kinds: LINE_PAYLOAD holds what the action says or does, LINE_OURS what
 * we say of it (headings, warnings; paths in them are escaped), LINE_WORDS the
 * agent's prose. Of an edit, each line of a difference begins with a span of
 * ours, "+", "-" or " ", whose role is add, del or context; line numbers are
 * those of the whole file, 0 where a fragment was not found in it. A string's
 * last newline stands as "<U+000A>" without source bytes.
 *
 * The text is in the language of the process that builds it (gettext).
 */
struct doc *kinds_build(const struct action *a, const struct evidence *ev,
	const struct facts *f);
/*
 * The same for an action that replaces action id, which a person may have seen
 * already: the document begins with what differs from before, the document of
 * that one (NULL: it is no longer there, or never was), line by line, at most
 * AFTER_MAX_SHOWN of them. The rest is the document of kinds_build().
 */
#define AFTER_MAX_SHOWN 200
struct doc *kinds_build_after(const struct action *a, const struct evidence *ev,
	const struct facts *f, uint64_t id, const struct doc *before);
/* One line for the queue: the action itself, escaped, at most 200 cells:
 * "src/pay.c +12 -3, 1 more file", "git push --force". Appended to out. d may
 * be NULL (not built yet). */
#define KINDS_ROW_CELLS 200
void kinds_row(const struct action *a, const struct doc *d, struct buf *out);
/* The word a `confirm` asks for, taken from the target: [A-Za-z0-9._-]{1,24},
 * else the kind's name. Of a path its last name, of a command its program, of
 * a URL its host; the same action always gives the same word. */
void kinds_confirm_word(const struct action *a, char out[32]);
/* Lines added and deleted of an edit's document, counted in its lines (a run
 * of empty lines counts as what it stands for); false, and zeros, for a
 * document that has no difference in it. */
bool kinds_edit_counts(const struct doc *d, uint32_t *added, uint32_t *deleted);

#endif
