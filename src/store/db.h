/*
 * db.h - record.db as a file: opened safely, its schema frozen.
 *
 * Hides: SQLite's flags and pragmas, and the rule that a descriptor on a
 * database file may not be closed while SQLite has it open in this process
 * (closing any descriptor drops all POSIX locks of the process on the file).
 * Frees: db_close().
 * Must not include: anything above base/.
 */
#ifndef OBSTAT_STORE_DB_H
#define OBSTAT_STORE_DB_H

#include <sqlite3.h>

#include "base/err.h"
#include "base/mem.h"

#define DB_APP_ID 0x4F425354
#define DB_VERSION 1

struct db {
	sqlite3 *h;
	char path[640];
	int fd;                    /* writer: opened before SQLite; else -1 */
	int shm_fd;                /* for db_lock_holder(); -1 until asked */
	bool immutable;            /* reader without -wal and -shm */
	/* writer's prepared statements */
	sqlite3_stmt *begin, *commit, *rollback, *put_rec, *put_body, *del_body;
};
/* Opens DIR/record.db for the one writer; creates it only if create. */
int db_open_writer(struct db *d, const char *dir, bool create, struct err *e);
/* Read-only, on a live file too; never creates record.db. Error codes:
 * no_record when there is none. */
int db_open_reader(struct db *d, const char *dir, struct err *e);
void db_close(struct db *d);
/* A reader with immutable set: 0 when no writer came meanwhile. */
int db_still_alone(const struct db *d, struct err *e);
/* e from the connection's last error; returns -1. */
int db_err(struct db *d, const char *what, struct err *e);
/* Fills the write-ahead log up with room for commits to come (walroom.c). */
void db_wal_room(const struct db *d);
/* Who holds the lock that stands in our way: "sqlite3 (pid 4711)", or "".
 * Never opens and closes the database file (see above). */
void db_lock_holder(struct db *d, char *out, size_t n);

#endif
