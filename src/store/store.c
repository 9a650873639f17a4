/*
 * store.c - the store as the loop sees it: open, submit, callbacks, close.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "store/reader.h"
#include "store/store_priv.h"

#define TAIL_RECORDS 100

uint64_t mono_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

void rec_list_add(struct rec_list *l, struct rec *r)
{
	r->next = NULL;
	if (l->tail != NULL)
		l->tail->next = r;
	else
		l->head = r;
	l->tail = r;
}

void rec_list_join(struct rec_list *into, struct rec_list *from)
{
	if (from->head == NULL)
		return;
	if (into->tail != NULL)
		into->tail->next = from->head;
	else
		into->head = from->head;
	into->tail = from->tail;
	from->head = from->tail = NULL;
}

static struct rec *rec_list_pop(struct rec_list *l)
{
	struct rec *r = l->head;

	if (r != NULL) {
		l->head = r->next;
		if (l->head == NULL)
			l->tail = NULL;
	}
	return r;
}

/* ---- on the loop ---- */

/* False when a callback closed the store. */
static bool store_run_done(struct store *s)
{
	bool gone = false, *outer = s->gone;
	struct rec *r;

	s->gone = &gone;
	while ((r = rec_list_pop(&s->due)) != NULL) {
		if (r->done != NULL)
			r->done(r->arg, r->failed);
		rec_free(&r);
		if (gone) {
			if (outer != NULL)
				*outer = true;
			return false;
		}
	}
	s->gone = outer;
	return true;
}

static void store_take_done(struct store *s)
{
	pthread_mutex_lock(&s->mu);
	rec_list_join(&s->due, &s->done);
	pthread_mutex_unlock(&s->mu);
}

static void store_woken(void *arg)
{
	struct store *s = arg;
	enum store_state st;
	bool news, gone = false;

	store_take_done(s);
	pthread_mutex_lock(&s->mu);
	st = s->state;
	news = st != s->seen_state || strcmp(s->text, s->seen_text) != 0;
	s->seen_state = st;
	memcpy(s->seen_text, s->text, sizeof(s->seen_text));
	pthread_mutex_unlock(&s->mu);
	if (news && s->on_state != NULL) {
		/* The state first: a failed done is then not a riddle. */
		s->gone = &gone;
		s->on_state(s->arg, st, s->seen_text);
		if (gone)
			return;
		s->gone = NULL;
	}
	store_run_done(s);
}

enum store_state store_state(const struct store *s, const char **text)
{
	if (text != NULL)
		*text = s->seen_text;
	return s->seen_state;
}

bool store_queue(struct store *s, struct rec *r)
{
	if (s->queue.head == NULL)
		s->batch_at = mono_ms() + s->opt.batch_ms;
	r->seq = s->next_seq++;
	s->n_urgent += r->urgent;
	rec_list_add(&s->queue, r);
	/* The first of a batch sets the thread's clock, an urgent one calls it. */
	return r->urgent || s->queue.head == r;
}

uint64_t store_submit(struct store *s, struct rec *r, bool urgent,
	void (*done)(void *arg, bool failed), void *arg)
{
	uint64_t seq = 0;
	bool refuse, call = false;

	r->urgent = urgent;
	r->done = done;
	r->arg = arg;
	pthread_mutex_lock(&s->mu);
	refuse = s->closing ||
		(!urgent && (s->state == STORE_FULL || s->state == STORE_ERROR));
	if (refuse) {
		r->failed = true;
		rec_list_add(&s->done, r);
	} else {
		call = store_queue(s, r);
		seq = r->seq;
	}
	pthread_mutex_unlock(&s->mu);
	/* Not under the lock, which the thread wants first of all. */
	if (call)
		pthread_cond_signal(&s->work);
	if (refuse)
		loop_wake_send(s->wake);
	return seq;
}

uint64_t store_forget(struct store *s, uint64_t seq, unsigned n, const char *name,
	void (*done)(void *arg, bool failed), void *arg)
{
	struct rec *r = rec_new(REC_FORGOTTEN, clock_real_ms(), clock_boot_ms());

	rec_add_u64(r, RF_SEQ_FIRST, seq);
	rec_add_u64(r, RF_COUNT, n);
	rec_add(r, RF_TEXT, sv_of(name));
	if (seq == 0 || seq > INT64_MAX / REC_BODIES_MAX - 1 || n >= REC_BODIES_MAX)
		fatal("store: no such body");
	r->forget = BODY_ID(seq, n);
	return store_submit(s, r, true, done, arg);
}

/* ---- open and close ---- */

static void store_drop(struct store *s)
{
	struct rec *r;

	while ((r = rec_list_pop(&s->queue)) != NULL)
		rec_free(&r);
	db_close(&s->db);
	buf_free(&s->enc);
	pthread_cond_destroy(&s->work);
	pthread_cond_destroy(&s->over);
	pthread_mutex_destroy(&s->mu);
	free(s);
}

static int store_open_files(struct store *s, struct err *e)
{
	struct err why = ERR_INIT;
	int rc;

	if (db_open_writer(&s->db, s->dir, true, e) != 0)
		return -1;
	if (chain_tail(&s->db, TAIL_RECORDS, &s->chain, &why) != 0)
		return err_set(e, "broken", "%s does not hold: %s. Nothing is written after "
			"a broken record: look with \"obstat verify\", then move record.db, "
			"record.db-wal and record.db-shm aside together to begin a new one",
			s->db.path, why.text);
	s->taken = s->chain.seq;
	s->next_seq = s->chain.seq + 1;
	boot_id_read(s->boot_id);
	rc = reserve_make(s);
	s->reserve = rc == 0 ? RESERVE_HELD : RESERVE_NONE;
	if (rc == ENOSPC || rc == EDQUOT) {
		s->reserve = RESERVE_GIVEN;
		s->state = STORE_FULL;
		err_set(&why, "full", "no space for the reserve in %s", s->dir);
		memcpy(s->text, why.text, sizeof(s->text));
	} else if (rc != 0) {
		log_warn("store: no reserve in %s: %s", s->dir, strerror(rc));
	}
	return 0;
}

static void store_conds(struct store *s)
{
	pthread_condattr_t a;

	pthread_condattr_init(&a);
	pthread_condattr_setclock(&a, CLOCK_MONOTONIC);
	pthread_cond_init(&s->work, &a);
	pthread_cond_init(&s->over, &a);
	pthread_condattr_destroy(&a);
	pthread_mutex_init(&s->mu, NULL);
}

static int store_start(struct store *s, struct err *e)
{
	sigset_t all, old;
	int rc;

	/* Signals are the loop's. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	rc = pthread_create(&s->thread, NULL, store_main, s);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (rc != 0)
		return err_set(e, "thread", "no store thread: %s", strerror(rc));
	if (s->state != STORE_OK)
		loop_wake_send(s->wake);
	return 0;
}

struct store *store_open_with(struct loop *l, const char *dir,
	const struct store_options *o,
	void (*on_state)(void *arg, enum store_state s, const char *text),
	void *arg, struct err *e)
{
	struct store *s = xcalloc(1, sizeof(*s));
	int n = snprintf(s->dir, sizeof(s->dir), "%s", dir);

	s->opt = *o;
	if (s->opt.reserve_bytes == 0)
		s->opt.reserve_bytes = UINT64_C(64) << 20;
	if (s->opt.probe_ms == 0)
		s->opt.probe_ms = 1000;
	if (s->opt.batch_ms == 0)
		s->opt.batch_ms = 1000;
	s->loop = l;
	s->on_state = on_state;
	s->arg = arg;
	s->db.fd = s->db.shm_fd = -1;
	buf_init(&s->enc, REC_MAX);
	store_conds(s);
	if (n < 0 || (size_t)n >= sizeof(s->dir)) {
		err_set(e, "state", "the state directory's path is too long");
	} else if (store_open_files(s, e) == 0) {
		s->wake = loop_wake_new(l, store_woken, s);
		if (store_start(s, e) == 0)
			return s;
		loop_wake_free(&s->wake);
	}
	store_drop(s);
	return NULL;
}

struct store *store_open(struct loop *l, const char *dir,
	void (*on_state)(void *arg, enum store_state s, const char *text),
	void *arg, struct err *e)
{
	static const struct store_options usual;

	return store_open_with(l, dir, &usual, on_state, arg, e);
}

void store_close(struct store **sp, unsigned ms)
{
	struct store *s = *sp;
	uint64_t until = mono_ms() + ms;
	struct timespec t = { (time_t)(until / 1000), (long)(until % 1000) * 1000000 };

	if (s == NULL)
		return;
	*sp = NULL;
	pthread_mutex_lock(&s->mu);
	s->closing = true;
	pthread_cond_signal(&s->work);
	while (!s->ended && pthread_cond_timedwait(&s->over, &s->mu, &t) == 0)
		;
	s->abort = true;
	pthread_cond_signal(&s->work);
	pthread_mutex_unlock(&s->mu);
	pthread_join(s->thread, NULL);
	for (struct rec *r = s->queue.head; r != NULL; r = r->next)
		r->failed = true;
	rec_list_join(&s->done, &s->queue);
	do {
		store_take_done(s);
		/* Nothing can close it again: *sp is NULL for everyone who asks. */
		store_run_done(s);
	} while (s->done.head != NULL);
	if (s->gone != NULL)
		*s->gone = true;
	loop_wake_free(&s->wake);
	store_drop(s);
}
