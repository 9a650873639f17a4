/*
 * store_thread.c - the store thread: takes all that is queued when it wakes,
 * commits it as one, and deals with a busy, full or failing disk.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "store/reader.h"
#include "store/store_priv.h"

#define PAUSE_MIN_MS 10
#define PAUSE_MAX_MS 250
#define IDLE_MS 1000
/* Frames in the WAL: from SOFT on it is emptied into the database when nobody
 * waits, from HARD on in any case. */
#define WAL_SOFT 1000
#define WAL_HARD 8000

__attribute__((format(printf, 3, 4)))
static void state_set(struct store *s, enum store_state st, const char *fmt, ...)
{
	char text[1024];
	struct err e;
	bool news;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	/* Shown to people: the directory's name passes the escaper here. */
	err_set(&e, "store", "%s", text);
	pthread_mutex_lock(&s->mu);
	news = st != s->state || strcmp(e.text, s->text) != 0;
	s->state = st;
	memcpy(s->text, e.text, sizeof(s->text));
	pthread_mutex_unlock(&s->mu);
	if (!news)
		return;
	if (st == STORE_OK)
		log_info("store: writing again");
	else
		log_warn("store: %s", e.text);
	loop_wake_send(s->wake);
}

static void cond_until(struct store *s, uint64_t ms)
{
	struct timespec t = { (time_t)(ms / 1000), (long)(ms % 1000) * 1000000 };

	pthread_cond_timedwait(&s->work, &s->mu, &t);
}

/* False when the store is to give up. */
static bool pause_ms(struct store *s, unsigned ms)
{
	uint64_t until = mono_ms() + ms;
	bool go_on;

	pthread_mutex_lock(&s->mu);
	while (!s->abort && mono_ms() < until)
		cond_until(s, until);
	go_on = !s->abort;
	pthread_mutex_unlock(&s->mu);
	return go_on;
}

static bool take(struct store *s, struct rec_list *batch)
{
	bool closing;

	pthread_mutex_lock(&s->mu);
	rec_list_join(batch, &s->queue);
	s->n_urgent = 0;
	s->taken = s->next_seq - 1;
	closing = s->closing;
	pthread_mutex_unlock(&s->mu);
	return closing;
}

/* The store's own word in the record. */
static void own_record(struct store *s, const char *status, const char *text)
{
	struct rec *r = rec_new(REC_DISK_FULL, clock_real_ms(), clock_boot_ms());

	rec_add(r, RF_STATUS, sv_of(status));
	rec_add(r, RF_TEXT, sv_of(text));
	r->urgent = true;
	pthread_mutex_lock(&s->mu);
	(void)store_queue(s, r); /* this is the thread */
	pthread_mutex_unlock(&s->mu);
}

static void fail(struct rec_list *batch, bool urgent_too)
{
	for (struct rec *r = batch->head; r != NULL; r = r->next)
		if (urgent_too || !r->urgent)
			r->failed = true;
}

static void busy_say(struct store *s)
{
	char who[160];

	db_lock_holder(&s->db, who, sizeof(who));
	if (who[0] != '\0')
		state_set(s, STORE_BUSY, "record.db is locked by %s; waiting", who);
	else
		state_set(s, STORE_BUSY, "record.db is locked by another program; waiting");
}

/* The disk is full. True: try again, from the reserve and without what can be
 * done without. */
static bool full_retry(struct store *s, struct rec_list *batch)
{
	if (s->reserve == RESERVE_GIVEN) {
		state_set(s, STORE_FULL, "no space left in %s, the reserve is used up too",
			s->dir);
		return false;
	}
	reserve_give(s);
	state_set(s, STORE_FULL, "no space left in %s; denials are still recorded",
		s->dir);
	own_record(s, "full", "no space left; the reserve was given up");
	take(s, batch);
	fail(batch, false);
	return true;
}

static void written(struct store *s)
{
	if (s->reserve == RESERVE_GIVEN)
		state_set(s, STORE_FULL, "no space left in %s; denials are still recorded",
			s->dir);
	else
		state_set(s, STORE_OK, "%s", "");
}

static void batch_commit(struct store *s, struct rec_list *batch)
{
	unsigned wait = PAUSE_MIN_MS;

	for (;;) {
		int rc = commit_try(s, batch, s->reserve == RESERVE_GIVEN);
		enum store_state st = commit_class(s, rc);

		if (st == STORE_OK) {
			written(s);
			break;
		}
		if (st == STORE_BUSY) {
			busy_say(s);
			if (pause_ms(s, wait)) {
				wait = wait * 2 < PAUSE_MAX_MS ? wait * 2 : PAUSE_MAX_MS;
				continue;
			}
		} else if (st == STORE_FULL) {
			if (full_retry(s, batch))
				continue;
		} else if (!s->reopen) {
			s->reopen = true;
			state_set(s, STORE_ERROR, "record.db cannot be written: %s",
				sqlite3_errstr(rc));
		}
		fail(batch, true);
		break;
	}
	if (batch->head == NULL)
		return;
	pthread_mutex_lock(&s->mu);
	rec_list_join(&s->done, batch);
	pthread_mutex_unlock(&s->mu);
	loop_wake_send(s->wake);
}

/* ---- getting well again ---- */

static int wal_grew(void *arg, sqlite3 *h, const char *db, int frames)
{
	struct store *s = arg;

	(void)h, (void)db;
	s->wal_frames = frames;
	return SQLITE_OK;
}

/*
 * A new connection after an error. What the file holds now is the truth: a
 * commit that failed at the last step may have reached the disk after all
 * (then its records were reported as failed, nothing was released, and the
 * chain goes on behind them). Less than we know of, or other: not our file.
 */
static bool db_again(struct store *s)
{
	struct err e = ERR_INIT;
	struct chain now;

	db_close(&s->db);
	if (db_open_writer(&s->db, s->dir, false, &e) != 0 ||
	    chain_tail(&s->db, 100, &now, &e) != 0) {
		state_set(s, STORE_ERROR, "%s", e.text);
		return false;
	}
	if (now.seq < s->chain.seq || now.seq > s->taken ||
	    (now.seq == s->chain.seq && !digest_eq(&now.head, &s->chain.head))) {
		state_set(s, STORE_ERROR, "record.db is not the one that was written to: "
			"stop obstat and look with \"obstat verify\"");
		return false;
	}
	s->chain = now;
	s->reopen = false;
	sqlite3_wal_hook(s->db.h, wal_grew, s);
	return true;
}

static bool reserve_again(struct store *s)
{
	int rc;

	if (s->reserve != RESERVE_GIVEN)
		return true;
	if (!reserve_room(s))
		return false;
	rc = reserve_make(s);
	if (rc == ENOSPC || rc == EDQUOT)
		return false;
	s->reserve = rc == 0 ? RESERVE_HELD : RESERVE_NONE;
	return true;
}

static void probe(struct store *s)
{
	struct rec_list none = { NULL, NULL };

	if (s->reopen && !db_again(s))
		return;
	if (reserve_again(s))
		own_record(s, "again", "writing again");
	else if (s->chain.seq < s->taken)
		commit_try(s, &none, true);
}

/* ---- the WAL ---- */

static void checkpoint(struct store *s)
{
	int mode = s->wipe ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE;

	if (s->reopen)
		return;
	if (sqlite3_wal_checkpoint_v2(s->db.h, NULL, mode, NULL, NULL) == SQLITE_OK) {
		if (s->wipe)
			db_wal_room(&s->db);
		s->wipe = false;
	}
	s->wal_frames = 0;
}

static bool urgent_waits(struct store *s)
{
	bool yes;

	pthread_mutex_lock(&s->mu);
	yes = s->n_urgent > 0;
	pthread_mutex_unlock(&s->mu);
	return yes;
}

/* ---- the thread ---- */

enum wake { WAKE_WORK, WAKE_PROBE, WAKE_IDLE };

static enum wake wait_for_work(struct store *s, uint64_t probe_at, uint64_t idle_at)
{
	enum wake w;

	pthread_mutex_lock(&s->mu);
	for (;;) {
		uint64_t now = mono_ms(), until = UINT64_MAX;
		bool ill = s->state == STORE_FULL || s->state == STORE_ERROR;

		w = WAKE_WORK;
		if (s->closing || s->n_urgent > 0 ||
		    (s->queue.head != NULL && now >= s->batch_at))
			break;
		w = WAKE_PROBE;
		if (ill && now >= probe_at)
			break;
		w = WAKE_IDLE;
		if (idle_at != 0 && now >= idle_at)
			break;
		if (s->queue.head != NULL)
			until = s->batch_at;
		if (ill && probe_at < until)
			until = probe_at;
		if (idle_at != 0 && idle_at < until)
			until = idle_at;
		if (until == UINT64_MAX)
			pthread_cond_wait(&s->work, &s->mu);
		else
			cond_until(s, until);
	}
	pthread_mutex_unlock(&s->mu);
	return w;
}

void *store_main(void *arg)
{
	struct store *s = arg;
	uint64_t probe_at = mono_ms() + s->opt.probe_ms, idle_at = 0;
	bool closing = false;

	sqlite3_wal_hook(s->db.h, wal_grew, s);
	while (!closing) {
		struct rec_list batch = { NULL, NULL };
		enum wake w = wait_for_work(s, probe_at, idle_at);

		if (w == WAKE_PROBE) {
			probe(s);
			probe_at = mono_ms() + s->opt.probe_ms;
			continue;
		}
		if (w == WAKE_IDLE) {
			checkpoint(s);
			idle_at = 0;
			continue;
		}
		closing = take(s, &batch);
		if (batch.head != NULL || s->chain.seq < s->taken)
			batch_commit(s, &batch);
		if (s->wal_frames >= WAL_HARD ||
		    (s->wal_frames >= WAL_SOFT && !urgent_waits(s)))
			checkpoint(s);
		idle_at = s->wal_frames > 0 || s->wipe ? mono_ms() + IDLE_MS : 0;
		probe_at = mono_ms() + s->opt.probe_ms;
	}
	pthread_mutex_lock(&s->mu);
	s->ended = true;
	pthread_cond_signal(&s->over);
	pthread_mutex_unlock(&s->mu);
	return NULL;
}
