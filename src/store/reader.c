#include <stdlib.h>
#include <string.h>

#include "store/reader.h"

struct reader *reader_open(const char *dir, struct err *e)
{
	struct reader *r = xcalloc(1, sizeof(*r));

	if (db_open_reader(&r->db, dir, e) != 0) {
		free(r);
		return NULL;
	}
	return r;
}

void reader_close(struct reader **r)
{
	if (*r == NULL)
		return;
	db_close(&(*r)->db);
	free(*r);
	*r = NULL;
}

struct sv col_blob(sqlite3_stmt *st, int col)
{
	/* The pointer first: asking for the size may convert the value. */
	const void *p = sqlite3_column_blob(st, col);
	int n = sqlite3_column_bytes(st, col);

	return p == NULL || n < 0 ? SV_NONE : (struct sv){ p, (size_t)n };
}

static int reader_row(sqlite3_stmt *st, struct rec_view *v, struct err *e)
{
	int64_t seq = sqlite3_column_int64(st, 0);
	struct err why = ERR_INIT;

	if (rec_parse(col_blob(st, 1), v, &why) != 0)
		return err_set(e, "record", "record %lld cannot be read: %s",
			(long long)seq, why.text);
	if (v->seq != (uint64_t)seq)
		return err_set(e, "record", "record %lld calls itself %llu",
			(long long)seq, (unsigned long long)v->seq);
	return 0;
}

int reader_each(struct reader *r, uint64_t from_seq,
	bool (*fn)(void *arg, const struct rec_view *v), void *arg, struct err *e)
{
	sqlite3_stmt *st = NULL;
	struct rec_view v;
	int rc, ret = 0;

	if (from_seq > INT64_MAX)
		return 0;
	if (sqlite3_prepare_v2(r->db.h, "SELECT seq,rec FROM records WHERE seq>=?1 "
	    "ORDER BY seq", -1, &st, NULL) != SQLITE_OK)
		return db_err(&r->db, r->db.path, e);
	sqlite3_bind_int64(st, 1, (int64_t)from_seq);
	while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
		if ((ret = reader_row(st, &v, e)) != 0 || !fn(arg, &v))
			break;
	}
	if (rc != SQLITE_ROW && rc != SQLITE_DONE)
		ret = db_err(&r->db, r->db.path, e);
	sqlite3_finalize(st);
	return ret != 0 ? ret : db_still_alone(&r->db, e);
}

static int reader_entry(struct reader *r, uint64_t seq, const char *name,
	struct rec_body *out, size_t *n, struct buf *keep, struct err *e)
{
	sqlite3_stmt *st = NULL;
	struct rec_view v;
	int rc, ret = 1;

	if (sqlite3_prepare_v2(r->db.h, "SELECT seq,rec FROM records WHERE seq=?1",
	    -1, &st, NULL) != SQLITE_OK)
		return db_err(&r->db, r->db.path, e);
	sqlite3_bind_int64(st, 1, (int64_t)seq);
	rc = sqlite3_step(st);
	if (rc == SQLITE_ROW && reader_row(st, &v, e) != 0) {
		ret = -1;
	} else if (rc == SQLITE_ROW) {
		for (size_t i = 0; rec_view_body(&v, i, out) && ret == 1; i++) {
			if (sv_eqs(out->name, name)) {
				*n = i;
				buf_addsv(keep, out->name);
				ret = 0;
				break;
			}
		}
	} else if (rc != SQLITE_DONE) {
		ret = db_err(&r->db, r->db.path, e);
	}
	sqlite3_finalize(st);
	out->name = buf_sv(keep);
	return ret;
}

int reader_body(struct reader *r, uint64_t seq, const char *name,
	struct buf *out, struct err *e)
{
	sqlite3_stmt *st = NULL;
	struct rec_body b;
	struct buf keep;
	size_t n = 0;
	int rc, ret;

	if (seq > INT64_MAX / REC_BODIES_MAX - 1)
		return 1;
	buf_init(&keep, BODY_NAME_MAX);
	ret = reader_entry(r, seq, name, &b, &n, &keep, e);
	if (ret != 0 || b.state != BODY_STORED) {
		buf_free(&keep);
		return ret != 0 ? ret : 1;
	}
	if (sqlite3_prepare_v2(r->db.h, "SELECT key,bytes FROM bodies WHERE id=?1",
	    -1, &st, NULL) != SQLITE_OK) {
		buf_free(&keep);
		return db_err(&r->db, r->db.path, e);
	}
	sqlite3_bind_int64(st, 1, BODY_ID(seq, n));
	rc = sqlite3_step(st);
	if (rc == SQLITE_ROW)
		ret = body_open(&b, col_blob(st, 0), col_blob(st, 1), out, e);
	else
		ret = rc == SQLITE_DONE ? 2 : db_err(&r->db, r->db.path, e);
	sqlite3_finalize(st);
	buf_free(&keep);
	return ret;
}
