/*
 * rig.h - what the store's tests share: a scratch directory, a store on a
 * loop, and ways to wait for it.
 *
 * Frees: rig_end() closes and removes everything.
 */
#ifndef OBSTAT_TESTS_STORE_RIG_H
#define OBSTAT_TESTS_STORE_RIG_H

#include "tests/check.h"

#include "base/loop.h"
#include "store/store.h"

struct rig {
	char dir[256];
	struct loop *l;
	struct store *s;
	unsigned owed, done, failed;    /* of rig_put's records */
	enum store_state st;            /* what on_state said last */
	enum store_state want;          /* rig_await stops at this */
	bool awaiting;
	unsigned changes;
	char text[512];
};
void rig_begin(struct rig *r);          /* directory and loop */
void rig_open(struct rig *r);           /* small reserve, quick probe */
void rig_close(struct rig *r);          /* the store only */
void rig_end(struct rig *r);
/* Submits one record with a target and, if given, a body "raw". */
uint64_t rig_put(struct rig *r, enum rec_type t, const char *target,
	struct sv body, bool urgent);
void rig_drain(struct rig *r);          /* runs the loop until nothing is owed */
void rig_await(struct rig *r, enum store_state st);
/* Verifies; asserts "holds" with n records. */
void rig_holds(struct rig *r, uint64_t n);
/* Runs SQL on the record with its triggers taken off and put back. */
void rig_tamper(struct rig *r, const char *sql);
/* Flips bits of one byte of a record ("records", seq) or a body ("bodies",
 * id); offset < 0 counts from the end. Returns the blob's length. */
size_t rig_poke(struct rig *r, const char *table, int64_t row, long offset);
/* reader_verify on a fresh reader. */
int rig_verify(struct rig *r, uint64_t *n, uint64_t *bad, struct err *e);
struct sv rig_text(const char *s);
void rig_remove(const char *dir);

#endif
