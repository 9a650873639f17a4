/*
 * reader.h - the reader's inside, shared by reader.c and verify.c.
 *
 * Must not include: anything above base/.
 */
#ifndef OBSTAT_STORE_READER_H
#define OBSTAT_STORE_READER_H

#include "store/db.h"
#include "store/rec.h"

struct reader {
	struct db db;
	struct chain chain;        /* after reader_verify */
};
/* Column col of st as bytes; valid until the next step. */
struct sv col_blob(sqlite3_stmt *st, int col);
/* The chain of the last n records (0: of all) on connection d; *at is their
 * end. 0, or -1 with e; an empty record is an empty chain. */
int chain_tail(struct db *d, uint64_t n, struct chain *at, struct err *e);

#endif
