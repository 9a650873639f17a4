/*
 * store_priv.h - the store's inside: what the loop and the store thread share.
 *
 * Who owns what: fields under "shared" are touched with mu held; under "loop"
 * by the loop's thread only; under "thread" by the store thread only (and by
 * store_open/store_close while it does not run).
 * Must not include: anything above base/.
 */
#ifndef OBSTAT_STORE_PRIV_H
#define OBSTAT_STORE_PRIV_H

#include <pthread.h>

#include "store/db.h"
#include "store/rec.h"

#define STORE_TEXT sizeof(((struct err *)0)->text)

struct rec_list {
	struct rec *head, *tail;
};
void rec_list_add(struct rec_list *l, struct rec *r);
void rec_list_join(struct rec_list *into, struct rec_list *from);

/* The reserve file: space that can be given back to a full disk. */
enum reserve { RESERVE_NONE, RESERVE_HELD, RESERVE_GIVEN };

struct store {
	struct store_options opt;
	char dir[600];
	pthread_t thread;

	/* shared */
	pthread_mutex_t mu;
	pthread_cond_t work;       /* to the thread; CLOCK_MONOTONIC */
	pthread_cond_t over;       /* to store_close: the thread has ended */
	struct rec_list queue, done;
	unsigned n_urgent;         /* in queue */
	uint64_t batch_at;         /* monotonic ms by which the queue is written */
	uint64_t next_seq;
	bool closing, abort, ended;
	enum store_state state;
	char text[STORE_TEXT];

	/* loop */
	struct loop *loop;
	struct loop_wake *wake;
	void (*on_state)(void *arg, enum store_state s, const char *text);
	void *arg;
	enum store_state seen_state;
	char seen_text[STORE_TEXT];
	struct rec_list due;       /* dones that run now */
	bool *gone;                /* set by store_close for whoever runs a callback */

	/* thread */
	struct db db;
	struct chain chain;        /* of what is committed */
	uint64_t taken;            /* the highest seq taken from the queue: when the
	                            * chain ends before it, those were skipped */
	uint8_t boot_id[16];
	enum reserve reserve;
	bool reopen;               /* after an error the connection is not trusted */
	bool wipe;                 /* a body was forgotten: empty the WAL too */
	int wal_frames;
	struct buf enc;
};

uint64_t mono_ms(void);
void *store_main(void *arg);
/* Gives r the next seq and queues it. mu held. True: work is to be signalled. */
bool store_queue(struct store *s, struct rec *r);

/* commit.c: one transaction for the batch (records not marked failed), with a
 * stand-in for every run of seqs that is skipped. SQLite's result code; the
 * chain moves only on SQLITE_OK. */
int commit_try(struct store *s, const struct rec_list *batch, bool no_bodies);
enum store_state commit_class(struct store *s, int rc);

/* reserve.c: 0 held, else errno. */
int reserve_make(struct store *s);
void reserve_give(struct store *s);
bool reserve_room(const struct store *s);

#endif
