#include "tests/store/rig.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sqlite3.h>

#include "base/clock.h"

void rig_begin(struct rig *r)
{
	memset(r, 0, sizeof(*r));
	snprintf(r->dir, sizeof(r->dir), "%s/obstat-store-XXXXXX",
		getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp");
	assert_non_null(mkdtemp(r->dir));
	r->l = loop_new();
}

static void rig_state(void *arg, enum store_state s, const char *text)
{
	struct rig *r = arg;

	r->st = s;
	r->changes++;
	snprintf(r->text, sizeof(r->text), "%s", text);
	if (r->awaiting && s == r->want)
		loop_stop(r->l);
}

void rig_open(struct rig *r)
{
	struct store_options o = { .reserve_bytes = 256 << 10, .probe_ms = 20,
		.batch_ms = 30 };
	struct err e = ERR_INIT;

	r->s = store_open_with(r->l, r->dir, &o, rig_state, r, &e);
	if (r->s == NULL)
		fail_msg("store_open: %s", e.text);
}

void rig_close(struct rig *r)
{
	store_close(&r->s, 5000);
	assert_int_equal(r->owed, r->done + r->failed);
}

void rig_remove(const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *de;
	char p[600];

	if (d == NULL)
		return;
	while ((de = readdir(d)) != NULL) {
		snprintf(p, sizeof(p), "%s/%s", dir, de->d_name);
		if (strcmp(de->d_name, ".") != 0 && strcmp(de->d_name, "..") != 0)
			unlink(p);
	}
	closedir(d);
	rmdir(dir);
}

void rig_end(struct rig *r)
{
	store_close(&r->s, 5000);
	loop_free(&r->l);
	rig_remove(r->dir);
}

static void rig_done(void *arg, bool failed)
{
	struct rig *r = arg;

	if (failed)
		r->failed++;
	else
		r->done++;
	if (!r->awaiting && r->owed == r->done + r->failed)
		loop_stop(r->l);
}

uint64_t rig_put(struct rig *r, enum rec_type t, const char *target,
	struct sv body, bool urgent)
{
	struct rec *rec = rec_new(t, clock_real_ms(), clock_boot_ms());

	rec_add(rec, RF_TARGET, sv_of(target));
	if (body.p != NULL)
		rec_add_body(rec, "raw", body);
	r->owed++;
	return store_submit(r->s, rec, urgent, rig_done, r);
}

void rig_drain(struct rig *r)
{
	while (r->owed != r->done + r->failed)
		loop_run(r->l);
}

void rig_await(struct rig *r, enum store_state st)
{
	r->awaiting = true;
	r->want = st;
	while (r->st != st)
		loop_run(r->l);
	r->awaiting = false;
}

int rig_verify(struct rig *r, uint64_t *n, uint64_t *bad, struct err *e)
{
	struct reader *rd = reader_open(r->dir, e);
	int rc;

	if (rd == NULL)
		return -1;
	rc = reader_verify(rd, n, bad, e);
	reader_close(&rd);
	return rc;
}

void rig_holds(struct rig *r, uint64_t n)
{
	struct err e = ERR_INIT;
	uint64_t got = 0, bad = 0;

	if (rig_verify(r, &got, &bad, &e) != 0)
		fail_msg("does not hold: %llu: %s", (unsigned long long)bad, e.text);
	assert_int_equal(got, n);
}

#define TRIGGERS 4
static sqlite3 *untrigger(struct rig *r, char **back)
{
	char name[128], sql[200], p[300];
	sqlite3 *h = NULL;
	sqlite3_stmt *st = NULL;
	int n = 0;

	snprintf(p, sizeof(p), "%s/record.db", r->dir);
	assert_int_equal(sqlite3_open(p, &h), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(h, "SELECT sql FROM sqlite_schema "
		"WHERE type='trigger'", -1, &st, NULL), SQLITE_OK);
	while (n < TRIGGERS && sqlite3_step(st) == SQLITE_ROW)
		back[n++] = strdup((const char *)sqlite3_column_text(st, 0));
	sqlite3_finalize(st);
	assert_int_equal(n, TRIGGERS);
	for (int i = 0; i < n; i++) {
		assert_int_equal(sscanf(back[i], "CREATE TRIGGER %99s", name), 1);
		snprintf(sql, sizeof(sql), "DROP TRIGGER %s", name);
		assert_int_equal(sqlite3_exec(h, sql, NULL, NULL, NULL), SQLITE_OK);
	}
	return h;
}

static void retrigger(sqlite3 *h, char **back)
{
	for (int i = 0; i < TRIGGERS; i++) {
		assert_int_equal(sqlite3_exec(h, back[i], NULL, NULL, NULL), SQLITE_OK);
		free(back[i]);
	}
	assert_int_equal(sqlite3_close(h), SQLITE_OK);
}

void rig_tamper(struct rig *r, const char *sql)
{
	char *back[TRIGGERS] = { NULL }, *msg = NULL;
	sqlite3 *h = untrigger(r, back);

	if (sqlite3_exec(h, sql, NULL, NULL, &msg) != SQLITE_OK)
		fail_msg("%s: %s", sql, msg);
	retrigger(h, back);
}

size_t rig_poke(struct rig *r, const char *table, int64_t row, long offset)
{
	char *back[TRIGGERS] = { NULL };
	sqlite3 *h = untrigger(r, back);
	sqlite3_blob *b = NULL;
	unsigned char byte;
	int n;

	assert_int_equal(sqlite3_blob_open(h, "main", table,
		strcmp(table, "records") == 0 ? "rec" : "bytes", row, 1, &b), SQLITE_OK);
	n = sqlite3_blob_bytes(b);
	if (offset < 0)
		offset += n;
	assert_int_equal(sqlite3_blob_read(b, &byte, 1, (int)offset), SQLITE_OK);
	byte ^= 0x55;
	assert_int_equal(sqlite3_blob_write(b, &byte, 1, (int)offset), SQLITE_OK);
	sqlite3_blob_close(b);
	retrigger(h, back);
	return (size_t)n;
}
