/*
 * commit.c - one transaction: records, their bodies, and stand-ins for
 * numbers that were given out but could not be written.
 */
#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "base/testpoint.h"
#include "store/store_priv.h"

static int step_done(sqlite3_stmt *st)
{
	int rc = sqlite3_step(st);

	/* Reset reports the same error again; the step's is the one we keep. */
	sqlite3_reset(st);
	return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static int put_rec(struct store *s, struct rec *r, struct chain *c, bool no_bodies)
{
	int rc;

	rec_encode(r, c, s->boot_id, no_bodies, &s->enc);
	sqlite3_bind_int64(s->db.put_rec, 1, (int64_t)r->seq);
	sqlite3_bind_blob64(s->db.put_rec, 2, s->enc.p, s->enc.n, SQLITE_STATIC);
	rc = step_done(s->db.put_rec);
	c->seq = r->seq;
	c->head = sha256(buf_sv(&s->enc));
	return rc;
}

static int put_body(struct store *s, uint64_t seq, size_t n, const struct body *b)
{
	struct sv bytes = body_stored(b);

	sqlite3_bind_int64(s->db.put_body, 1, BODY_ID(seq, n));
	sqlite3_bind_blob64(s->db.put_body, 2, b->key, sizeof(b->key), SQLITE_STATIC);
	sqlite3_bind_blob64(s->db.put_body, 3, bytes.p, bytes.n, SQLITE_STATIC);
	return step_done(s->db.put_body);
}

/* What stands for seqs first..last, in the place of last. */
static int put_stand_in(struct store *s, struct chain *c, uint64_t last)
{
	struct rec *r = rec_new(REC_DISK_FULL, clock_real_ms(), clock_boot_ms());
	int rc;

	rec_add(r, RF_STATUS, SV("skipped"));
	rec_add_u64(r, RF_SEQ_FIRST, c->seq + 1);
	rec_add_u64(r, RF_SEQ_LAST, last);
	rec_add_u64(r, RF_COUNT, last - c->seq);
	r->seq = last;
	rc = put_rec(s, r, c, true);
	rec_free(&r);
	return rc;
}

static int put_one(struct store *s, struct rec *r, struct chain *c, bool no_bodies)
{
	int rc = SQLITE_OK;

	if (c->seq + 1 < r->seq)
		rc = put_stand_in(s, c, r->seq - 1);
	if (rc == SQLITE_OK)
		rc = put_rec(s, r, c, no_bodies);
	for (size_t i = 0; rc == SQLITE_OK && !no_bodies && i < r->n_bodies; i++)
		if (body_here(&r->bodies[i]))
			rc = put_body(s, r->seq, i, &r->bodies[i]);
	if (rc == SQLITE_OK && r->forget != 0) {
		sqlite3_bind_int64(s->db.del_body, 1, r->forget);
		rc = step_done(s->db.del_body);
	}
	return rc;
}

static int injected(void)
{
	switch (test_point("commit.before")) {
	case 0:
		return SQLITE_OK;
	case ENOSPC:
	case EDQUOT:
		return SQLITE_FULL;
	case EBUSY:
		return SQLITE_BUSY;
	default:
		return SQLITE_IOERR;
	}
}

static int commit_run(struct store *s, const struct rec_list *batch, bool no_bodies,
	struct chain *c)
{
	int rc = step_done(s->db.begin);

	if (rc != SQLITE_OK)
		return rc;
	for (struct rec *r = batch->head; r != NULL && rc == SQLITE_OK; r = r->next)
		if (!r->failed)
			rc = put_one(s, r, c, no_bodies);
	if (rc == SQLITE_OK && c->seq < s->taken)
		rc = put_stand_in(s, c, s->taken);
	if (rc == SQLITE_OK)
		rc = injected();
	if (rc == SQLITE_OK)
		rc = step_done(s->db.commit);
	return rc;
}

int commit_try(struct store *s, const struct rec_list *batch, bool no_bodies)
{
	struct chain c = s->chain;
	int rc;

	if (s->reopen)
		return SQLITE_IOERR;
	/* Before the lock is taken: this is the slow part. */
	for (struct rec *r = batch->head; r != NULL && !no_bodies; r = r->next)
		for (size_t i = 0; !r->failed && i < r->n_bodies; i++)
			body_seal(&r->bodies[i]);
	rc = commit_run(s, batch, no_bodies, &c);
	if (rc != SQLITE_OK) {
		enum store_state st = commit_class(s, rc);

		if (!sqlite3_get_autocommit(s->db.h))
			step_done(s->db.rollback);
		return st == STORE_FULL ? SQLITE_FULL : rc;
	}
	s->chain = c;
	for (struct rec *r = batch->head; r != NULL; r = r->next)
		if (r->forget != 0 && !r->failed)
			s->wipe = true;
	test_point("commit.after");
	return SQLITE_OK;
}

enum store_state commit_class(struct store *s, int rc)
{
	int sys = sqlite3_system_errno(s->db.h);

	switch (rc & 0xff) {
	case SQLITE_OK:
		return STORE_OK;
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return STORE_BUSY;
	case SQLITE_FULL:
		return STORE_FULL;
	case SQLITE_IOERR:
		/* Only ENOSPC on a plain write becomes SQLITE_FULL by itself. */
		if (rc == SQLITE_IOERR_SHMSIZE || (rc != SQLITE_IOERR &&
		    (sys == ENOSPC || sys == EDQUOT)))
			return STORE_FULL;
		return STORE_ERROR;
	default:
		return STORE_ERROR;
	}
}
