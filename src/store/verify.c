/*
 * verify.c - does the record hold: sequence, chain, bodies.
 *
 * Records and bodies are walked side by side in the order of their keys, in
 * one read transaction, so that memory stays small and a hub at work does
 * not matter.
 */
#include <stdlib.h>
#include <string.h>

#include "store/reader.h"

int chain_tail(struct db *d, uint64_t n, struct chain *at, struct err *e)
{
	sqlite3_stmt *st = NULL;
	struct rec_view v;
	struct err why = ERR_INIT;
	bool first = true;
	int rc, ret = 0;

	memset(at, 0, sizeof(*at));
	if (sqlite3_prepare_v2(d->h, "SELECT seq,rec FROM records WHERE seq IN "
	    "(SELECT seq FROM records ORDER BY seq DESC LIMIT ?1) ORDER BY seq",
	    -1, &st, NULL) != SQLITE_OK)
		return db_err(d, d->path, e);
	sqlite3_bind_int64(st, 1, n == 0 ? -1 : (int64_t)n);
	while (ret == 0 && (rc = sqlite3_step(st)) == SQLITE_ROW) {
		uint64_t seq = (uint64_t)sqlite3_column_int64(st, 0);

		if (rec_parse(col_blob(st, 1), &v, &why) != 0)
			ret = err_set(e, "chain", "record %llu: %s",
				(unsigned long long)seq, why.text);
		else if (v.seq != seq)
			ret = err_set(e, "chain", "record %llu calls itself %llu",
				(unsigned long long)seq, (unsigned long long)v.seq);
		else if (!first || seq == 1)
			ret = chain_follows(at, &v, e);
		first = false;
		at->seq = v.seq;
		at->head = v.hash;
	}
	if (ret == 0 && rc != SQLITE_DONE)
		ret = db_err(d, d->path, e);
	sqlite3_finalize(st);
	return ret;
}

/* A body that is not there, until its tombstone is read. */
struct missing {
	uint64_t seq, n;
};
struct walk {
	struct reader *r;
	sqlite3_stmt *recs, *bodies;
	bool have_body;            /* bodies stands on a row */
	struct chain chain, before;/* before: without the last record */
	uint64_t n, bad;
	bool broken_link;          /* of the last record to the one before */
	struct missing *missing;
	size_t n_missing;
	struct err *e;
};

static int walk_bad(struct walk *w, uint64_t seq, const char *why)
{
	w->bad = seq;
	err_set(w->e, "broken", "record %llu: %s", (unsigned long long)seq, why);
	return 1;
}

/* A damaged page is a broken record, not a failure to look. */
static int walk_db(struct walk *w, uint64_t seq)
{
	int rc = sqlite3_errcode(w->r->db.h);

	if (rc == SQLITE_CORRUPT || rc == SQLITE_NOTADB)
		return walk_bad(w, seq, "the database file is damaged here");
	return db_err(&w->r->db, w->r->db.path, w->e);
}

static int walk_body_step(struct walk *w)
{
	int rc = sqlite3_step(w->bodies);

	w->have_body = rc == SQLITE_ROW;
	return rc == SQLITE_ROW || rc == SQLITE_DONE ? 0 : walk_db(w, w->chain.seq);
}

static int walk_one_body(struct walk *w, const struct rec_view *v, size_t i,
	const struct rec_body *b)
{
	struct buf full;
	struct err why = ERR_INIT;
	int64_t id = BODY_ID(v->seq, i);
	int rc;

	if (w->have_body && sqlite3_column_int64(w->bodies, 0) < id)
		return walk_bad(w, (uint64_t)(sqlite3_column_int64(w->bodies, 0) /
			REC_BODIES_MAX), "a body is there that no record names");
	if (!w->have_body || sqlite3_column_int64(w->bodies, 0) > id) {
		w->missing = xreallocarray(w->missing, w->n_missing + 1,
			sizeof(*w->missing));
		w->missing[w->n_missing++] = (struct missing){ v->seq, i };
		return 0;
	}
	buf_init(&full, BODY_MAX + 16);
	rc = body_open(b, col_blob(w->bodies, 1), col_blob(w->bodies, 2), &full, &why);
	buf_free(&full);
	if (rc != 0)
		return walk_bad(w, v->seq, why.text);
	return walk_body_step(w);
}

static int walk_bodies(struct walk *w, const struct rec_view *v)
{
	struct rec_body b;
	int rc;

	for (size_t i = 0; i < v->n_bodies; i++) {
		if (!rec_view_body(v, i, &b))
			return walk_bad(w, v->seq, "its list of bodies cannot be read");
		if (b.state == BODY_STORED && (rc = walk_one_body(w, v, i, &b)) != 0)
			return rc;
	}
	return 0;
}

static void walk_tombstone(struct walk *w, const struct rec_view *v)
{
	uint64_t seq, n;

	if (v->type != REC_FORGOTTEN || !rec_view_u64(v, RF_SEQ_FIRST, &seq) ||
	    !rec_view_u64(v, RF_COUNT, &n))
		return;
	for (size_t i = 0; i < w->n_missing; i++)
		if (w->missing[i].seq == seq && w->missing[i].n == n)
			w->missing[i--] = w->missing[--w->n_missing];
}

/*
 * Two neighbours that disagree: which one was changed? The record after them
 * knows: if the later one still has the hash that its own follower names, the
 * earlier one was changed. So the verdict waits for one more record.
 */
static int walk_link(struct walk *w, const struct rec_view *v)
{
	bool linked = digest_eq(&w->chain.head, &v->prev);

	if (w->broken_link)
		return linked ?
			walk_bad(w, w->before.seq + (w->before.seq == 0),
				"it was changed after it was written") :
			walk_bad(w, w->chain.seq, "it was changed after it was written");
	w->broken_link = !linked;
	return 0;
}

static int walk_record(struct walk *w)
{
	uint64_t seq = (uint64_t)sqlite3_column_int64(w->recs, 0);
	struct rec_view v;
	struct err why = ERR_INIT;
	int rc;

	if (rec_parse(col_blob(w->recs, 1), &v, &why) != 0)
		return walk_bad(w, seq, why.text);
	if (v.seq != seq)
		return walk_bad(w, seq, "it stands in the place of another");
	if (!chain_seq_ok(&w->chain, &v))
		return walk_bad(w, w->chain.seq + 1, "it is missing");
	if ((rc = walk_link(w, &v)) != 0)
		return rc;
	if (!w->broken_link && (rc = walk_bodies(w, &v)) != 0)
		return rc;
	walk_tombstone(w, &v);
	w->before = w->chain;
	w->chain.seq = v.seq;
	w->chain.head = v.hash;
	w->n++;
	return 0;
}

static int walk_end(struct walk *w)
{
	if (w->broken_link)
		return walk_bad(w, w->before.seq + (w->before.seq == 0), "it or the next, which is the last, was "
			"changed after it was written");
	if (w->have_body)
		return walk_bad(w, (uint64_t)(sqlite3_column_int64(w->bodies, 0) /
			REC_BODIES_MAX), "it is gone, but a body of it is there: the end "
			"was cut off");
	if (w->n_missing > 0)
		return walk_bad(w, w->missing[0].seq, "a body of it is gone, and no "
			"record says that it was forgotten");
	return 0;
}

static int walk_all(struct walk *w)
{
	sqlite3 *h = w->r->db.h;
	int rc, ret = 0;

	if (sqlite3_prepare_v2(h, "SELECT seq,rec FROM records ORDER BY seq", -1,
	    &w->recs, NULL) != SQLITE_OK ||
	    sqlite3_prepare_v2(h, "SELECT id,key,bytes FROM bodies ORDER BY id", -1,
	    &w->bodies, NULL) != SQLITE_OK)
		return db_err(&w->r->db, w->r->db.path, w->e);
	if ((ret = walk_body_step(w)) != 0)
		return ret;
	while (ret == 0 && (rc = sqlite3_step(w->recs)) == SQLITE_ROW)
		ret = walk_record(w);
	if (ret == 0 && rc != SQLITE_DONE)
		ret = walk_db(w, w->chain.seq + 1);
	return ret != 0 ? ret : walk_end(w);
}

int reader_verify(struct reader *r, uint64_t *n_records, uint64_t *bad,
	struct err *e)
{
	struct walk w = { .r = r, .e = e };
	int ret;

	*n_records = *bad = 0;
	if (sqlite3_exec(r->db.h, "BEGIN", NULL, NULL, NULL) != SQLITE_OK)
		return db_err(&r->db, r->db.path, e);
	ret = walk_all(&w);
	sqlite3_finalize(w.recs);
	sqlite3_finalize(w.bodies);
	free(w.missing);
	sqlite3_exec(r->db.h, "ROLLBACK", NULL, NULL, NULL);
	*n_records = w.n;
	*bad = w.bad;
	if (ret == 0)
		r->chain = w.chain;
	return ret < 0 || db_still_alone(&r->db, e) == 0 ? ret : -1;
}

struct digest reader_head(const struct reader *r)
{
	return r->chain.head;
}
