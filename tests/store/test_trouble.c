/*
 * test_trouble.c - a full disk, a failing one, a lock held by somebody else,
 * and kill -9 in the middle.
 */
#include "tests/store/rig.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sqlite3.h>

#include "base/clock.h"
#include "tests/support/testpoint_on.h"

static struct rig r;

static bool there(const char *name)
{
	char p[300];
	struct stat st;

	snprintf(p, sizeof(p), "%s/%s", r.dir, name);
	return stat(p, &st) == 0;
}

struct count {
	unsigned types[64];
	uint64_t last;
	unsigned no_space;
};

static bool count_rec(void *arg, const struct rec_view *v)
{
	struct count *c = arg;
	struct rec_body b;

	c->types[v->type]++;
	c->last = v->seq;
	for (size_t i = 0; rec_view_body(v, i, &b); i++)
		c->no_space += b.state == BODY_NO_SPACE;
	return true;
}

static struct count counted(void)
{
	struct err e = ERR_INIT;
	struct reader *rd = reader_open(r.dir, &e);
	struct count c;

	memset(&c, 0, sizeof(c));
	assert_non_null(rd);
	assert_int_equal(reader_each(rd, 1, count_rec, &c, &e), 0);
	reader_close(&rd);
	return c;
}

static void verified(void)
{
	struct err e = ERR_INIT;
	uint64_t n, bad;

	if (rig_verify(&r, &n, &bad, &e) != 0)
		fail_msg("does not hold: %s", e.text);
}

/* ---- full ---- */

/* Once: the reserve is given up, what matters is written without its body,
 * what does not fails, and the fact is on record. */
static void test_full_once(void **state)
{
	struct count c;

	(void)state;
	rig_begin(&r);
	rig_open(&r);
	assert_true(there("reserve"));
	testpoint_set("fail:commit.before:28:1");
	assert_int_equal(ENOSPC, 28);
	rig_put(&r, REC_OBSERVED, "obs", SV_NONE, false);
	rig_put(&r, REC_RECEIVED, "ask", SV("its body"), true);
	rig_drain(&r);
	assert_int_equal(r.failed, 1);
	assert_int_equal(r.done, 1);
	/* recovery by itself: the stand-in for the observation, "full", "again" are
	 * on record, the reserve is there, and bodies are written again */
	while (counted().types[REC_DISK_FULL] < 3)
		sched_yield();
	assert_true(there("reserve"));
	rig_put(&r, REC_RECEIVED, "ask", SV("its body"), true);
	rig_drain(&r);
	c = counted();
	assert_int_equal(c.types[REC_RECEIVED], 2);
	assert_int_equal(c.types[REC_OBSERVED], 0);
	assert_int_equal(c.no_space, 1);
	assert_int_equal(c.types[REC_DISK_FULL], 3);
	verified();
	testpoint_set(NULL);
	rig_end(&r);
}

/* Full for good: nothing can be written, every record fails, seqs are burned;
 * then it heals and the gap is declared. */
static void test_full_through(void **state)
{
	struct count c;
	uint64_t last;

	(void)state;
	rig_begin(&r);
	rig_open(&r);
	rig_put(&r, REC_RECEIVED, "before", SV_NONE, true);
	rig_drain(&r);
	testpoint_set("fail:commit.before:28");
	for (int i = 0; i < 5; i++) {
		rig_put(&r, REC_RECEIVED, "lost", SV("body"), true);
		rig_drain(&r);
	}
	assert_int_equal(r.failed, 5);
	rig_await(&r, STORE_FULL);
	/* one that can wait is refused at once, without a number */
	assert_int_equal(rig_put(&r, REC_OBSERVED, "obs", SV_NONE, false), 0);
	rig_drain(&r);
	assert_int_equal(r.failed, 6);
	verified();
	testpoint_set(NULL);
	rig_await(&r, STORE_OK);
	last = rig_put(&r, REC_RECEIVED, "after", SV_NONE, true);
	rig_drain(&r);
	c = counted();
	assert_int_equal(c.types[REC_RECEIVED], 2);
	assert_int_equal(c.last, last);
	assert_true(last > 7);
	verified();
	/* and the chain goes on after a restart */
	rig_close(&r);
	rig_open(&r);
	rig_put(&r, REC_RECEIVED, "later", SV_NONE, true);
	rig_drain(&r);
	verified();
	/* a declared gap is not a licence: without its record it is a deletion */
	rig_close(&r);
	rig_tamper(&r, "DELETE FROM records WHERE seq=(SELECT min(seq) FROM records "
		"WHERE seq>1)");
	{
		struct err e = ERR_INIT;
		uint64_t n, bad;

		assert_int_equal(rig_verify(&r, &n, &bad, &e), 1);
		assert_int_equal(bad, 2);
	}
	rig_end(&r);
}

static void test_full_at_close(void **state)
{
	(void)state;
	rig_begin(&r);
	rig_open(&r);
	testpoint_set("fail:commit.before:28");
	rig_put(&r, REC_RECEIVED, "lost", SV_NONE, true);
	rig_close(&r);
	assert_int_equal(r.failed, 1);
	testpoint_set(NULL);
	verified();
	rig_open(&r);
	assert_int_equal(rig_put(&r, REC_RECEIVED, "x", SV_NONE, true), 1);
	rig_drain(&r);
	rig_holds(&r, 1);
	rig_end(&r);
}

/* ---- failing ---- */

static void test_io_error(void **state)
{
	struct count c;

	(void)state;
	rig_begin(&r);
	rig_open(&r);
	rig_put(&r, REC_RECEIVED, "before", SV("b"), true);
	rig_drain(&r);
	testpoint_set("fail:commit.before:5");
	assert_int_equal(EIO, 5);
	rig_put(&r, REC_RECEIVED, "lost", SV("b"), true);
	rig_drain(&r);
	assert_int_equal(r.failed, 1);
	rig_await(&r, STORE_ERROR);
	testpoint_set(NULL);
	/* a new connection, and on */
	rig_await(&r, STORE_OK);
	rig_put(&r, REC_RECEIVED, "after", SV("b"), true);
	rig_drain(&r);
	assert_int_equal(r.failed, 1);
	c = counted();
	assert_int_equal(c.types[REC_RECEIVED], 2);
	verified();
	testpoint_set(NULL);
	rig_end(&r);
}

/* Somebody put another file in its place: never written to again. */
static void test_file_replaced(void **state)
{
	char p[300];

	(void)state;
	rig_begin(&r);
	rig_open(&r);
	rig_put(&r, REC_RECEIVED, "before", SV_NONE, true);
	rig_drain(&r);
	rig_await(&r, STORE_OK);
	for (int i = 0; i < 3; i++) {
		static const char *const names[] = { "record.db", "record.db-wal",
			"record.db-shm" };

		snprintf(p, sizeof(p), "%s/%s", r.dir, names[i]);
		unlink(p);
	}
	testpoint_set("fail:commit.before:5:1");
	rig_put(&r, REC_RECEIVED, "lost", SV_NONE, true);
	rig_drain(&r);
	assert_int_equal(r.failed, 1);
	while (strstr(r.text, "record.db: No such file") == NULL) {
		r.st = STORE_OK;
		rig_await(&r, STORE_ERROR);
	}
	rig_put(&r, REC_RECEIVED, "lost", SV_NONE, true);
	rig_drain(&r);
	assert_int_equal(r.failed, 2);
	/* and no new, empty one was begun */
	assert_false(there("record.db"));
	testpoint_set(NULL);
	rig_end(&r);
}

/* Another record in its place, an older copy say: it does not hold what we
 * have told people is on record. */
static void other_copy(int ours)
{
	struct rig other;
	char from[300], to[300];

	rig_begin(&other);
	rig_open(&other);
	rig_put(&other, REC_RECEIVED, "other", SV_NONE, true);
	rig_drain(&other);
	rig_close(&other);
	rig_begin(&r);
	rig_open(&r);
	for (int i = 0; i < ours; i++)
		rig_put(&r, REC_RECEIVED, "ours", SV_NONE, true);
	rig_drain(&r);
	snprintf(from, sizeof(from), "%s/record.db", other.dir);
	snprintf(to, sizeof(to), "%s/record.db-wal", r.dir);
	unlink(to);
	snprintf(to, sizeof(to), "%s/record.db-shm", r.dir);
	unlink(to);
	snprintf(to, sizeof(to), "%s/record.db", r.dir);
	assert_int_equal(rename(from, to), 0);
	testpoint_set("fail:commit.before:5:1");
	rig_put(&r, REC_RECEIVED, "lost", SV_NONE, true);
	rig_drain(&r);
	while (strstr(r.text, "not the one") == NULL) {
		r.st = STORE_OK;
		rig_await(&r, STORE_ERROR);
	}
	testpoint_set(NULL);
	rig_close(&r);
	rig_holds(&r, 1);          /* not written to */
	rig_end(&other);
	rig_end(&r);
}

static void test_other_copy(void **state)
{
	(void)state;
	other_copy(1);             /* as long as ours, but not ours */
	other_copy(2);             /* ends earlier */
}

/* ---- busy ---- */

static pid_t locker(int *go, const char *how)
{
	int up[2], down[2];
	char c = 0, p[300];
	pid_t pid;

	assert_int_equal(pipe(up), 0);
	assert_int_equal(pipe(down), 0);
	snprintf(p, sizeof(p), "%s/record.db", r.dir);
	pid = fork();
	if (pid == 0) {
		sqlite3 *h = NULL;

		close(down[1]);
		if (sqlite3_open(p, &h) != SQLITE_OK ||
		    sqlite3_exec(h, how, NULL, NULL, NULL) != SQLITE_OK ||
		    write(up[1], "x", 1) != 1 || read(down[0], &c, 1) < 0)
			_exit(1);
		_exit(0);
	}
	close(down[0]);
	close(up[1]);
	assert_int_equal(read(up[0], &c, 1), 1);
	close(up[0]);
	*go = down[1];
	return pid;
}

static void test_foreign_lock(void **state)
{
	char pid_text[32];
	int go, st;
	pid_t pid;

	(void)state;
	rig_begin(&r);
	rig_open(&r);
	rig_put(&r, REC_RECEIVED, "before", SV_NONE, true);
	rig_drain(&r);
	pid = locker(&go, "BEGIN EXCLUSIVE");
	rig_put(&r, REC_RECEIVED, "waits", SV("b"), true);
	rig_await(&r, STORE_BUSY);
	assert_int_equal(r.done, 1);
	assert_int_equal(r.failed, 0);
	snprintf(pid_text, sizeof(pid_text), "(pid %ld)", (long)pid);
	if (strstr(r.text, pid_text) == NULL)
		fail_msg("no %s in: %s", pid_text, r.text);
	assert_non_null(strstr(r.text, "test_trouble"));
	close(go);
	assert_int_equal(waitpid(pid, &st, 0), pid);
	rig_drain(&r);
	rig_await(&r, STORE_OK);
	assert_int_equal(r.done, 2);
	rig_holds(&r, 2);
	rig_end(&r);
}

/* Closing while somebody else holds the lock gives up in time; what waited is
 * told so. */
static void test_close_while_locked(void **state)
{
	int go, st;
	pid_t pid;

	(void)state;
	rig_begin(&r);
	rig_open(&r);
	rig_put(&r, REC_RECEIVED, "before", SV_NONE, true);
	rig_drain(&r);
	pid = locker(&go, "BEGIN IMMEDIATE");
	rig_put(&r, REC_RECEIVED, "waits", SV("b"), true);
	rig_await(&r, STORE_BUSY);
	store_close(&r.s, 50);
	assert_int_equal(r.failed, 1);
	close(go);
	assert_int_equal(waitpid(pid, &st, 0), pid);
	rig_holds(&r, 1);
	rig_end(&r);
}

/* ---- a reader beside the writer ---- */

static void test_concurrent_reader(void **state)
{
	int st;
	pid_t pid;

	(void)state;
	rig_begin(&r);
	rig_open(&r);
	rig_put(&r, REC_RECEIVED, "first", SV("b"), true);
	rig_drain(&r);
	pid = fork();
	if (pid == 0) {
		struct err e = ERR_INIT;
		uint64_t n = 0, bad;

		/* until it has seen them all; each look must hold */
		while (n < 300)
			if (rig_verify(&r, &n, &bad, &e) != 0)
				_exit(1);
		_exit(0);
	}
	for (int i = 0; i < 299; i++) {
		rig_put(&r, REC_RECEIVED, "more", SV("b"), true);
		rig_drain(&r);
	}
	assert_int_equal(waitpid(pid, &st, 0), pid);
	assert_true(WIFEXITED(st) && WEXITSTATUS(st) == 0);
	assert_int_equal(r.changes, 0);   /* never busy because of a reader */
	rig_end(&r);
}

/* ---- kill -9 ---- */

/* The child writes, telling each commit through a pipe, and is killed at its
 * n-th commit, before or after it. All that it was told of must be there. */
static void killed(const char *spec, unsigned commits)
{
	int pipes[2], st;
	pid_t pid;
	uint64_t told = 0, seq, n = 0, bad = 0;
	struct err e = ERR_INIT;

	rig_begin(&r);
	assert_int_equal(pipe(pipes), 0);
	pid = fork();
	if (pid == 0) {
		char p[128];

		close(pipes[0]);
		snprintf(p, sizeof(p), "%s:%u", spec, commits);
		testpoint_set(p);
		rig_open(&r);
		for (;;) {
			seq = rig_put(&r, REC_RECEIVED, "t", SV("a body"), true);
			rig_put(&r, REC_OBSERVED, "t", SV_NONE, false);
			rig_drain(&r);
			if (write(pipes[1], &seq, sizeof(seq)) != sizeof(seq))
				_exit(1);
		}
	}
	close(pipes[1]);
	while (read(pipes[0], &seq, sizeof(seq)) == (ssize_t)sizeof(seq))
		told = seq;
	close(pipes[0]);
	assert_int_equal(waitpid(pid, &st, 0), pid);
	assert_true(WIFSIGNALED(st) && WTERMSIG(st) == SIGKILL);
	/* a reader first, then the next hub */
	if (rig_verify(&r, &n, &bad, &e) != 0 && strcmp(e.code, "no_record") != 0)
		fail_msg("after %s:%u: %s", spec, commits, e.text);
	assert_true(n >= told);
	rig_open(&r);
	assert_int_equal(rig_put(&r, REC_HUB_STARTED, "", SV_NONE, true), n + 1);
	rig_drain(&r);
	rig_holds(&r, n + 1);
	rig_end(&r);
}

static void test_kill(void **state)
{
	(void)state;
	for (unsigned i = 1; i < 5; i++) {
		killed("kill:commit.before", i);
		killed("kill:commit.after", i);
	}
}

/* At any moment, not only at ours. */
static void test_kill_anywhere(void **state)
{
	int pipes[2], st;
	uint64_t seq = 0, told;
	unsigned upto = 1;

	(void)state;
	for (int round = 0; round < 8; round++) {
		struct err e = ERR_INIT;
		uint64_t n = 0, bad;
		pid_t pid;

		rig_begin(&r);
		assert_int_equal(pipe(pipes), 0);
		pid = fork();
		if (pid == 0) {
			close(pipes[0]);
			rig_open(&r);
			for (;;) {
				for (int i = 0; i < 10; i++)
					seq = rig_put(&r, REC_RECEIVED, "t", SV("b"), true);
				rig_drain(&r);
				if (write(pipes[1], &seq, sizeof(seq)) < 0)
					_exit(1);
			}
		}
		close(pipes[1]);
		told = 0;
		for (unsigned i = 0; i < upto; i++)
			assert_int_equal(read(pipes[0], &told, sizeof(told)), sizeof(told));
		kill(pid, SIGKILL);
		while (read(pipes[0], &seq, sizeof(seq)) == (ssize_t)sizeof(seq))
			told = seq;
		close(pipes[0]);
		assert_int_equal(waitpid(pid, &st, 0), pid);
		if (rig_verify(&r, &n, &bad, &e) != 0)
			fail_msg("round %d: %s", round, e.text);
		assert_true(n >= told);
		upto += 7;
		rig_end(&r);
	}
}

/* ---- a real small disk ---- */

/* In a mount namespace of its own; skips where that is not allowed. */
static int on_tmpfs(void)
{
	char big[30000];
	unsigned lost, i;

	if (unshare(CLONE_NEWNS) != 0 ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
		return 77;
	if (mount("tmpfs", r.dir, "tmpfs", 0, "size=2m,mode=0700") != 0)
		return 77;
	random_bytes(big, sizeof(big));
	rig_open(&r);
	for (i = 0; i < 500 && r.st == STORE_OK; i++) {
		rig_put(&r, REC_RECEIVED, "ask", (struct sv){ big, sizeof(big) }, true);
		rig_drain(&r);
	}
	assert_true(i > 20 && i < 500);
	assert_int_equal(r.st, STORE_FULL);
	/* from the reserve: small ones still go in */
	lost = r.failed;
	for (i = 0; i < 20; i++) {
		rig_put(&r, REC_OUTCOME, "denied", (struct sv){ big, sizeof(big) }, true);
		rig_drain(&r);
	}
	assert_int_equal(r.failed, lost);
	/* then until nothing goes in any more */
	for (i = 0; i < 20000 && r.failed == lost; i++) {
		for (int k = 0; k < 50; k++)
			rig_put(&r, REC_OUTCOME, "denied", SV_NONE, true);
		rig_drain(&r);
	}
	assert_true(r.failed > lost);
	verified();
	/* somebody makes room */
	assert_int_equal(mount("tmpfs", r.dir, "tmpfs", MS_REMOUNT, "size=16m"), 0);
	rig_await(&r, STORE_OK);
	lost = r.failed;
	rig_put(&r, REC_RECEIVED, "ask", (struct sv){ big, sizeof(big) }, true);
	rig_drain(&r);
	assert_int_equal(r.failed, lost);
	assert_true(there("reserve"));
	verified();
	rig_close(&r);
	verified();
	return 0;
}

/* A record on a file system that cannot be written: read as it is when the
 * hub had closed it; refused when a -wal was left that cannot be used. */
static int read_only(void)
{
	struct err e = ERR_INIT;
	uint64_t n, bad;
	char shm[300];
	pid_t pid;

	if (unshare(CLONE_NEWNS) != 0 ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
		return 77;
	if (mount("tmpfs", r.dir, "tmpfs", 0, "size=8m,mode=0700") != 0)
		return 77;
	rig_open(&r);
	rig_put(&r, REC_RECEIVED, "ask", SV("b"), true);
	rig_drain(&r);
	rig_close(&r);
	assert_int_equal(mount("", r.dir, "", MS_REMOUNT | MS_RDONLY, ""), 0);
	rig_holds(&r, 1);
	assert_int_equal(mount("", r.dir, "", MS_REMOUNT, ""), 0);
	/* killed: the second record is in the -wal alone */
	pid = fork();
	if (pid == 0) {
		testpoint_set("kill:commit.after");
		rig_open(&r);
		rig_put(&r, REC_RECEIVED, "ask", SV("b"), true);
		rig_drain(&r);
	}
	waitpid(pid, NULL, 0);
	assert_int_equal(mount("", r.dir, "", MS_REMOUNT | MS_RDONLY, ""), 0);
	/* the whole truth or none of it */
	assert_int_equal(rig_verify(&r, &n, &bad, &e), 0);
	assert_int_equal(n, 2);
	assert_int_equal(mount("", r.dir, "", MS_REMOUNT, ""), 0);
	snprintf(shm, sizeof(shm), "%s/record.db-shm", r.dir);
	assert_int_equal(unlink(shm), 0);
	assert_int_equal(mount("", r.dir, "", MS_REMOUNT | MS_RDONLY, ""), 0);
	assert_int_equal(rig_verify(&r, &n, &bad, &e), -1);
	assert_non_null(strstr(e.text, "copy record.db"));
	assert_int_equal(mount("", r.dir, "", MS_REMOUNT, ""), 0);
	rig_holds(&r, 2);
	return 0;
}

static void in_child(int (*fn)(void))
{
	int st;
	pid_t pid;

	rig_begin(&r);
	pid = fork();
	if (pid == 0)
		_exit(fn());
	assert_int_equal(waitpid(pid, &st, 0), pid);
	rig_end(&r);
	assert_true(WIFEXITED(st));
	if (WEXITSTATUS(st) == 77)
		skip();
	assert_int_equal(WEXITSTATUS(st), 0);
}

static void test_tmpfs(void **state)
{
	(void)state;
	in_child(on_tmpfs);
}

static void test_read_only(void **state)
{
	(void)state;
	in_child(read_only);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_full_once),
		cmocka_unit_test(test_full_through),
		cmocka_unit_test(test_full_at_close),
		cmocka_unit_test(test_io_error),
		cmocka_unit_test(test_file_replaced),
		cmocka_unit_test(test_other_copy),
		cmocka_unit_test(test_foreign_lock),
		cmocka_unit_test(test_close_while_locked),
		cmocka_unit_test(test_concurrent_reader),
		cmocka_unit_test(test_kill),
		cmocka_unit_test(test_kill_anywhere),
		cmocka_unit_test(test_tmpfs),
		cmocka_unit_test(test_read_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
