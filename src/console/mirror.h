/*
 * mirror.h - rows, sessions and the hub as the hub's messages tell them, and a
 * few items (item.h) for what is open or under the cursor.
 *
 * Hides: the hub's JSON for rows. Frees: mirror_free().
 * Must not include: anything of a terminal.
 */
#ifndef OBSTAT_CONSOLE_MIRROR_H
#define OBSTAT_CONSOLE_MIRROR_H

#include "console/item.h"

#define MIRROR_ITEMS 4
#define MIRROR_ROWS 4096       /* more rows than that: the oldest closed go */
#define MIRROR_SESSIONS 256

struct mirror {
	struct ui_hub hub;
	struct ui_row **rows;
	size_t n_rows, cap_rows;
	struct ui_session *sessions;
	size_t n_sessions;
	struct item *items[MIRROR_ITEMS];
	uint64_t stamp;
};
void mirror_init(struct mirror *s);
void mirror_free(struct mirror *s);
void mirror_rows_clear(struct mirror *s);
/* A ROW: adds or replaces; returns it, or NULL when it has no id. */
struct ui_row *mirror_row_set(struct mirror *s, const struct jv *row, uint64_t now);
struct ui_row *mirror_row(const struct mirror *s, uint64_t id);
void mirror_row_drop(struct mirror *s, uint64_t id);
void mirror_session_set(struct mirror *s, const struct jv *session);
void mirror_sessions_clear(struct mirror *s);
/* {hold, store, text, refused} */
void mirror_hub_set(struct mirror *s, const struct jv *hub);
void mirror_set_text(char **to, char *owned);
/* The item of this id, or NULL; mirror_item_new() throws out the one unused
 * longest, but never keep. */
struct item *mirror_item(struct mirror *s, uint64_t id);
struct item *mirror_item_new(struct mirror *s, uint64_t id, uint64_t keep);
void mirror_items_clear(struct mirror *s);
unsigned mirror_waiting(const struct mirror *s);

#endif
