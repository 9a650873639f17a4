/*
 * rec.h - a record in memory and on disk (doc/record-format.md).
 *
 * Hides: nothing; for the store's own files.
 * Frees: struct rec is freed with rec_free().
 * Must not include: anything above base/.
 */
#ifndef OBSTAT_STORE_REC_H
#define OBSTAT_STORE_REC_H

#include "base/hash.h"
#include "base/mem.h"
#include "store/store.h"

#define REC_TAG "obstat record 1"      /* its NUL belongs to it */
#define REC_TAG_LEN sizeof(REC_TAG)
#define REC_MAX (16u << 20)            /* encoded; no record comes near it */
#define BODY_KEY_LEN 32
#define BODY_NAME_MAX 16
#define BODY_ID(seq, n) ((int64_t)((seq) * REC_BODIES_MAX + (n)))

/* A body on its way in: as given, then as it will be stored. */
struct body {
	char name[BODY_NAME_MAX];
	char *full;                /* owned; NULL when over BODY_MAX, or packed */
	uint64_t full_len;
	char *packed;              /* owned; NULL: stored as it is */
	size_t packed_len;
	bool sealed;
	uint8_t key[BODY_KEY_LEN];
	struct digest stored, commitment;
};
struct rec {
	enum rec_type type;
	int64_t real_ms;
	uint64_t boot_ms;
	struct buf fields;
	struct body bodies[REC_BODIES_MAX];
	size_t n_bodies;
	/* The queue's. */
	struct rec *next;
	uint64_t seq;
	bool urgent, failed;
	int64_t forget;            /* id of a body that goes with it; 0 none */
	void (*done)(void *arg, bool failed);
	void *arg;
};
struct chain {
	uint64_t seq;              /* of the last record */
	struct digest head;        /* its hash */
};
/* Encodes r as the next after c, without its bodies when no_bodies (the
 * caller then stores none). out is cleared first. */
void rec_encode(struct rec *r, const struct chain *c, const uint8_t boot_id[16],
	bool no_bodies, struct buf *out);
/* Compresses, digests, draws the key; once, and before rec_encode(). */
void body_seal(struct body *b);
void body_init(struct body *b, const char *name, struct sv bytes);
struct body *rec_body_slot(struct rec *r);     /* the next one, zeroed */
struct sv body_stored(const struct body *b);
bool body_here(const struct body *b);          /* not over BODY_MAX */
/* Back to the full bytes, checked against the record's entry and the key.
 * -1 with e when anything differs. */
int body_open(const struct rec_body *entry, struct sv key, struct sv stored,
	struct buf *out, struct err *e);
void boot_id_read(uint8_t out[16]);

/* Does v follow c? Sequence, declared gaps and prev; 0, or -1 with e. */
int chain_follows(const struct chain *c, const struct rec_view *v, struct err *e);
bool chain_seq_ok(const struct chain *c, const struct rec_view *v);

#endif
