/*
 * prompt.h - one line that a person types: a reason, or the word that
 * approves with care "confirm".
 *
 * Hides: editing by graphemes. Frees: prompt_close().
 * Must not include: views.
 *
 * What was pasted, or came in a burst that no fingers type, taints a confirm
 * prompt: its word must be typed.
 */
#ifndef OBSTAT_UI_PROMPT_H
#define OBSTAT_UI_PROMPT_H

#include "ui/frame.h"
#include "ui/keydec.h"

#define PROMPT_MAX 500       /* bytes */
#define PROMPT_BURST 4       /* bytes of one read that count as not typed */

enum prompt_kind { PROMPT_NONE, PROMPT_REASON, PROMPT_CONFIRM };
enum prompt_did { PROMPT_GOES_ON, PROMPT_SENT, PROMPT_LEFT, PROMPT_TAKE_BACK };
struct prompt {
	enum prompt_kind kind;
	uint64_t id;             /* the action it is about */
	struct buf text;
	size_t at;               /* byte offset of the caret */
	bool tainted;
	bool carries;            /* reason: the runtime can hand it to the agent */
	char word[128];          /* confirm: what to type */
};
void prompt_open(struct prompt *p, enum prompt_kind kind, uint64_t id);
void prompt_close(struct prompt *p);
enum prompt_did prompt_key(struct prompt *p, const struct key_event *ev);
/* Rows it takes at the bottom of a frame of this height. */
int prompt_rows(const struct prompt *p, int h);
void prompt_draw(const struct prompt *p, struct frame *f);

#endif
