/*
 * act.h - the records of the same action, folded into what a line shows.
 *
 * Frees: acts_free(); strings live in the acts' arena.
 * Must not include: anything that is not public.
 */
#ifndef OBSTAT_CLI_ACT_H
#define OBSTAT_CLI_ACT_H

#include "base/json_out.h"
#include "base/mem.h"
#include "store/store.h"

struct act {
	uint64_t id;               /* seq of its first record */
	int64_t at;                /* real ms */
	uint64_t boot_ms;
	uint8_t boot_id[16];
	struct sv agent, kind, tool, target, outcome, by_kind, by_name, rule;
	uint64_t by_uid;
	bool has_uid, by_final;    /* by_final: from the record of the outcome */
	int64_t waited;            /* ms until the outcome; -1 no outcome yet */
	bool picked;
};
struct acts {
	struct arena *arena;
	struct act *a;             /* in the order of their ids */
	size_t n, cap;
};
void acts_init(struct acts *l);
void acts_free(struct acts *l);
/* Takes a record in. False when memory allowed for it is used up. */
bool acts_fold(struct acts *l, const struct rec_view *v);
struct act *acts_find(struct acts *l, uint64_t id);
/* The action a record belongs to; 0 none. */
uint64_t act_of(const struct rec_view *v);
/* "rule no-force-push", "ana", "clock"; appended as it stands (not escaped). */
void act_by(const struct act *a, struct buf *out);
/* The outcome's word, or "waiting". */
struct sv act_outcome(const struct act *a);

/* Opens the record of --state (NULL: the usual directory) for reading; says on
 * stderr why not and returns NULL. */
struct reader *record_open(const char *state_dir);

/* rec_json.c: a record with every field by name. */
struct jv *rec_json(const struct rec_view *v);
/* The field's value as people read it: text, number, "sha256:...", hex. */
void rec_value_text(enum rec_field f, struct sv val, struct buf *out);

#endif
