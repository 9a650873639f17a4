#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/db.h"

/* The schema as sqlite_schema shows it, ordered by name. What is in the file
 * must equal it byte for byte: a view or a trigger slipped in by someone else
 * would run with our rights. */
static const struct {
	const char *name, *sql;
} schema[] = {
	{ "bodies", "CREATE TABLE bodies(id INTEGER PRIMARY KEY,key BLOB NOT NULL,"
		"bytes BLOB NOT NULL)STRICT" },
	{ "bodies_update", "CREATE TRIGGER bodies_update BEFORE UPDATE ON bodies "
		"BEGIN SELECT RAISE(ABORT,'a body is not changed');END" },
	{ "records", "CREATE TABLE records(seq INTEGER PRIMARY KEY,"
		"rec BLOB NOT NULL)STRICT" },
	{ "records_delete", "CREATE TRIGGER records_delete BEFORE DELETE ON records "
		"BEGIN SELECT RAISE(ABORT,'a record is not deleted');END" },
	{ "records_insert", "CREATE TRIGGER records_insert BEFORE INSERT ON records "
		"WHEN NEW.seq<=(SELECT max(seq) FROM records) "
		"BEGIN SELECT RAISE(ABORT,'a record goes to the end');END" },
	{ "records_update", "CREATE TRIGGER records_update BEFORE UPDATE ON records "
		"BEGIN SELECT RAISE(ABORT,'a record is not changed');END" },
};
#define N_SCHEMA (sizeof(schema) / sizeof(schema[0]))

int db_err(struct db *d, const char *what, struct err *e)
{
	int rc = sqlite3_extended_errcode(d->h);

	return err_set(e, "database", "%s: %s (SQLite %d)", what,
		d->h != NULL ? sqlite3_errmsg(d->h) : "no memory", rc);
}

static int db_exec(struct db *d, const char *sql, struct err *e)
{
	if (sqlite3_exec(d->h, sql, NULL, NULL, NULL) != SQLITE_OK)
		return db_err(d, d->path, e);
	return 0;
}

static int db_int(struct db *d, const char *sql, int64_t *out, struct err *e)
{
	sqlite3_stmt *st = NULL;
	int rc = sqlite3_prepare_v2(d->h, sql, -1, &st, NULL);

	if (rc == SQLITE_OK && sqlite3_step(st) == SQLITE_ROW) {
		*out = sqlite3_column_int64(st, 0);
		sqlite3_finalize(st);
		return 0;
	}
	rc = db_err(d, d->path, e);
	sqlite3_finalize(st);
	return rc;
}

/* The directory is resolved first, so that only the last name is ours to
 * judge: it must be a plain file of ours that nobody else may read or write. */
static int db_path(struct db *d, const char *dir, struct err *e)
{
	char real[PATH_MAX];
	int n;

	if (realpath(dir, real) == NULL)
		return err_sys(e, errno == ENOENT ? "no_record" : "state", "%s", dir);
	n = snprintf(d->path, sizeof(d->path), "%s/record.db", real);
	if (n < 0 || (size_t)n + 5 > sizeof(d->path))
		return err_set(e, "state", "the state directory's path is too long");
	return 0;
}

static int db_stat_ok(const struct db *d, const struct stat *st, bool writer,
	struct err *e)
{
	if (!S_ISREG(st->st_mode))
		return err_set(e, "unsafe", "%s is not a regular file", d->path);
	if (!writer)
		return 0;
	if (st->st_uid != geteuid() || st->st_nlink != 1)
		return err_set(e, "unsafe", "%s belongs to another user or has a second "
			"name", d->path);
	if ((st->st_mode & 077) != 0)
		return err_set(e, "unsafe", "%s can be read by others: chmod 600 it",
			d->path);
	return 0;
}

static int db_harden(struct db *d, struct err *e)
{
	sqlite3_db_config(d->h, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(d->h, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(d->h, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
	sqlite3_extended_result_codes(d->h, 1);
	sqlite3_limit(d->h, SQLITE_LIMIT_ATTACHED, 0);
	return db_exec(d, "PRAGMA cell_size_check=ON;PRAGMA mmap_size=0;"
		"PRAGMA temp_store=MEMORY", e);
}

static int db_schema_check(struct db *d, struct err *e)
{
	sqlite3_stmt *st = NULL;
	size_t i = 0;
	int rc = sqlite3_prepare_v2(d->h,
		"SELECT name,sql FROM sqlite_schema ORDER BY name", -1, &st, NULL);
	int64_t app = 0, ver = 0;
	bool same = true;

	if (rc != SQLITE_OK)
		return db_err(d, d->path, e);
	while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
		const char *name = (const char *)sqlite3_column_text(st, 0);
		const char *sql = (const char *)sqlite3_column_text(st, 1);

		if (i >= N_SCHEMA || name == NULL || sql == NULL ||
		    strcmp(name, schema[i].name) != 0 || strcmp(sql, schema[i].sql) != 0)
			same = false;
		i++;
	}
	if (rc != SQLITE_DONE)
		rc = db_err(d, d->path, e);
	sqlite3_finalize(st);
	if (rc != SQLITE_DONE)
		return -1;
	if (db_int(d, "PRAGMA application_id", &app, e) != 0 ||
	    db_int(d, "PRAGMA user_version", &ver, e) != 0)
		return -1;
	if (app == DB_APP_ID && ver > DB_VERSION)
		return err_set(e, "newer", "%s was written by a newer obstat", d->path);
	if (!same || i != N_SCHEMA || app != DB_APP_ID || ver != DB_VERSION)
		return err_set(e, "schema", "%s is not a record, or its schema was changed; "
			"move it aside", d->path);
	return 0;
}

static int db_schema_make(struct db *d, struct err *e)
{
	int64_t n = 0;
	struct buf sql;
	int rc;

	if (db_int(d, "SELECT count(*) FROM sqlite_schema", &n, e) != 0)
		return -1;
	if (n != 0)
		return 0;
	buf_init(&sql, 8192);
	buf_addf(&sql, "BEGIN IMMEDIATE;PRAGMA application_id=%d;PRAGMA user_version=%d;",
		DB_APP_ID, DB_VERSION);
	/* Tables before the triggers that name them. */
	for (int trig = 0; trig < 2; trig++)
		for (size_t i = 0; i < N_SCHEMA; i++)
			if ((strncmp(schema[i].sql, "CREATE TRIGGER", 14) == 0) == trig)
				buf_addf(&sql, "%s;", schema[i].sql);
	buf_adds(&sql, "COMMIT");
	buf_addc(&sql, '\0');
	rc = db_exec(d, sql.p, e);
	buf_free(&sql);
	return rc;
}

static int db_prepare(struct db *d, struct err *e)
{
	const struct {
		sqlite3_stmt **st;
		const char *sql;
	} row[] = {
		{ &d->begin, "BEGIN IMMEDIATE" },
		{ &d->commit, "COMMIT" },
		{ &d->rollback, "ROLLBACK" },
		{ &d->put_rec, "INSERT INTO records(seq,rec)VALUES(?1,?2)" },
		{ &d->put_body, "INSERT INTO bodies(id,key,bytes)VALUES(?1,?2,?3)" },
		{ &d->del_body, "DELETE FROM bodies WHERE id=?1" },
	};

	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++)
		if (sqlite3_prepare_v3(d->h, row[i].sql, -1, SQLITE_PREPARE_PERSISTENT,
		    row[i].st, NULL) != SQLITE_OK)
			return db_err(d, d->path, e);
	return 0;
}

static int db_setup_writer(struct db *d, struct err *e)
{
	/* A short wait at open (another program may just be looking); while
	 * running, the store thread does its own waiting. */
	sqlite3_busy_timeout(d->h, 2000);
	if (db_harden(d, e) != 0 ||
	    db_exec(d, "PRAGMA journal_mode=WAL;PRAGMA synchronous=FULL;"
		"PRAGMA wal_autocheckpoint=0;PRAGMA journal_size_limit=16777216;"
		"PRAGMA secure_delete=ON;PRAGMA foreign_keys=OFF", e) != 0 ||
	    db_schema_make(d, e) != 0 || db_schema_check(d, e) != 0 ||
	    db_prepare(d, e) != 0)
		return -1;
	sqlite3_busy_timeout(d->h, 20);
	db_wal_room(d);
	return 0;
}

int db_open_writer(struct db *d, const char *dir, bool create, struct err *e)
{
	struct stat st;

	memset(d, 0, sizeof(*d));
	d->fd = d->shm_fd = -1;
	if (db_path(d, dir, e) != 0)
		return -1;
	d->fd = open(d->path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC |
		(create ? O_CREAT : 0), 0600);
	if (d->fd < 0)
		return err_sys(e, "state", "%s", d->path);
	if (fstat(d->fd, &st) != 0 || db_stat_ok(d, &st, true, e) != 0 ||
	    sqlite3_open_v2(d->path, &d->h, SQLITE_OPEN_READWRITE |
		SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK) {
		if (d->h != NULL)
			db_err(d, d->path, e);
		db_close(d);
		return -1;
	}
	if (db_setup_writer(d, e) != 0) {
		db_close(d);
		return -1;
	}
	return 0;
}

/* ---- reading ---- */

static int db_authorize(void *arg, int what, const char *a, const char *b,
	const char *c, const char *trigger)
{
	(void)arg, (void)a, (void)b, (void)c, (void)trigger;
	switch (what) {
	case SQLITE_SELECT:
	case SQLITE_READ:
	case SQLITE_FUNCTION:
	case SQLITE_TRANSACTION:
		return SQLITE_OK;
	default:
		return SQLITE_DENY;
	}
}

static bool db_has(const struct db *d, const char *suffix)
{
	char p[660];
	struct stat st;

	snprintf(p, sizeof(p), "%s%s", d->path, suffix);
	return lstat(p, &st) == 0;
}

int db_still_alone(const struct db *d, struct err *e)
{
	if (d->immutable && (db_has(d, "-wal") || db_has(d, "-shm")))
		return err_set(e, "in_use", "%s came into use while it was read: again, "
			"please", d->path);
	return 0;
}

/* Percent-encodes what would end a URI's path. */
static void db_uri(const struct db *d, char *out, size_t n)
{
	struct buf b;

	buf_init(&b, n - 1);
	buf_adds(&b, "file:");
	for (const char *p = d->path; *p != '\0'; p++) {
		if (*p == '%' || *p == '?' || *p == '#')
			buf_addf(&b, "%%%02X", (unsigned)(unsigned char)*p);
		else
			buf_addc(&b, *p);
	}
	buf_adds(&b, d->immutable ? "?mode=ro&immutable=1" : "?mode=ro");
	buf_addc(&b, '\0');
	snprintf(out, n, "%s", b.over ? "" : b.p);
	buf_free(&b);
}

int db_open_reader(struct db *d, const char *dir, struct err *e)
{
	struct stat st;
	char uri[2048], parent[640];
	int rc = -1;

	memset(d, 0, sizeof(*d));
	d->fd = d->shm_fd = -1;
	if (db_path(d, dir, e) != 0)
		return -1;
	if (lstat(d->path, &st) != 0)
		return err_sys(e, errno == ENOENT ? "no_record" : "state", "%s", d->path);
	if (db_stat_ok(d, &st, false, e) != 0)
		return -1;
	snprintf(parent, sizeof(parent), "%.*s",
		(int)(strrchr(d->path, '/') - d->path), d->path);
	d->immutable = access(parent, W_OK) != 0 && !db_has(d, "-wal") &&
		!db_has(d, "-shm");
	db_uri(d, uri, sizeof(uri));
	if (sqlite3_open_v2(uri, &d->h, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI |
	    SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK) {
		db_err(d, d->path, e);
	} else {
		sqlite3_busy_timeout(d->h, 5000);
		if (db_harden(d, e) == 0 && db_exec(d, "PRAGMA query_only=ON", e) == 0 &&
		    db_schema_check(d, e) == 0)
			rc = sqlite3_set_authorizer(d->h, db_authorize, NULL);
	}
	if (rc != 0 && d->h != NULL && sqlite3_errcode(d->h) == SQLITE_CANTOPEN &&
	    access(parent, W_OK) != 0)
		err_set(e, "database", "%s was not closed in good order, and %s cannot be "
			"written: copy record.db, record.db-wal and record.db-shm to a "
			"directory of yours and read them there", d->path, parent);
	if (rc != 0)
		db_close(d);
	return rc;
}

void db_close(struct db *d)
{
	sqlite3_stmt *st[] = { d->begin, d->commit, d->rollback, d->put_rec,
		d->put_body, d->del_body };

	for (size_t i = 0; i < sizeof(st) / sizeof(st[0]); i++)
		sqlite3_finalize(st[i]);
	sqlite3_close(d->h);
	if (d->shm_fd >= 0)
		close(d->shm_fd);
	if (d->fd >= 0)
		close(d->fd);
	memset(d, 0, sizeof(*d));
	d->fd = d->shm_fd = -1;
}
