/* What the evidence room says of every sort of file, and that it lives on. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/hash.h"
#include "tests/check.h"
#include "tests/evidence/rig.h"
#include "tests/support/clock_test.h"

static int set_up(void **state)
{
	(void)state;
	rig_new(CHILD);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	rig_free();
	return 0;
}

/* A file as the gate hands it over. */
static const struct ev_file *given(const char *path, int fd, int err, int dir_fd,
	const char *dir_path)
{
	struct ev_ask_file f = { .path = path, .fd = fd, .dir_fd = dir_fd,
		.dir_path = dir_path, .open_errno = err, .want_content = true,
		.want_git = true };

	return &rig_ask((struct ev_ask){ .files = &f, .n_files = 1 })->files[0];
}

static int open_as_gate(const char *path)
{
	return open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

static void a_file(void **state)
{
	const char *path = rig_path("a.txt");
	struct digest want = sha256(SV("hello\n"));
	const struct ev_file *f;

	(void)state;
	rig_write(path, "hello\n");
	for (int i = 0; i < 2; i++) {
		f = i == 0 ? rig_file(path) : given(path, open_as_gate(path), 0, -1, NULL);
		assert_int_equal(f->state, FILE_REGULAR);
		assert_true(sv_eqs(f->real, path));
		assert_true(f->in_workspace && !f->via_link && f->has_digest);
		assert_int_equal(f->nlink, 1);
		assert_int_equal(f->uid, geteuid());
		assert_int_equal(f->git, GIT_NO_REPO);
		assert_true(f->has_content && sv_eqs(f->content, "hello\n"));
		assert_true(digest_eq(&f->digest, &want));
	}
	rig_write(path, "");
	f = rig_file(path);
	assert_true(f->state == FILE_REGULAR && f->has_content && f->content.n == 0);
	assert_true(f->has_digest);
	/* Without a descriptor and without leave, nothing is opened. */
	f = given(path, -1, 0, -1, NULL);
	assert_int_equal(f->state, FILE_UNKNOWN);
}

static void absent(void **state)
{
	const char *path = rig_path("new/deep/file");
	const struct ev_file *f;
	int dir;

	(void)state;
	f = rig_file(path);
	assert_int_equal(f->state, FILE_ABSENT);
	assert_true(sv_eqs(f->real, path));
	assert_true(f->in_workspace && !f->via_link && !f->has_digest);
	dir = open(rig_top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	f = given(path, -1, ENOENT, dir, rig_top);
	assert_int_equal(f->state, FILE_ABSENT);
	assert_true(sv_eqs(f->real, path));
	/* By way of a link the parent's real place counts. */
	assert_int_equal(mkdir(rig_path("there"), 0700), 0);
	assert_int_equal(symlink("there", rig_path("link")), 0);
	f = rig_file(rig_path("link/x"));
	assert_int_equal(f->state, FILE_ABSENT);
	assert_true(sv_eqs(f->real, rig_path("there/x")) && f->via_link);
	/* No parent seen, another's parent, "..": not known to be absent. */
	assert_int_equal(given(path, -1, ENOENT, -1, NULL)->state, FILE_UNKNOWN);
	dir = open("/usr", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(given(path, -1, ENOENT, dir, "/usr")->state, FILE_UNKNOWN);
	assert_int_equal(rig_file(rig_path("new/../x"))->state, FILE_UNKNOWN);
	/* A parent that was deleted meanwhile. */
	dir = open(rig_path("there"), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(rmdir(rig_path("there")), 0);
	assert_int_equal(given(rig_path("there/x"), -1, ENOENT, dir,
		rig_path("there"))->state, FILE_UNKNOWN);
	/* A name that is there and a file that is not a directory. */
	rig_write(rig_path("plain"), "x");
	assert_int_equal(rig_file(rig_path("plain/x"))->state, FILE_UNKNOWN);
}

static void links(void **state)
{
	const struct ev_file *f;

	(void)state;
	assert_int_equal(symlink("nowhere", rig_path("dangling")), 0);
	assert_int_equal(rig_file(rig_path("dangling"))->state, FILE_UNKNOWN);
	f = given(rig_path("dangling"), -1, ENOENT,
		open(rig_top, O_RDONLY | O_DIRECTORY | O_CLOEXEC), rig_top);
	assert_int_equal(f->state, FILE_UNKNOWN);
	assert_int_equal(symlink("/etc/passwd", rig_path("out")), 0);
	f = rig_file(rig_path("out"));
	assert_int_equal(f->state, FILE_REGULAR);
	assert_true(sv_eqs(f->real, "/etc/passwd"));
	assert_true(f->via_link && !f->in_workspace);
	rig_write(rig_path("in"), "x");
	assert_int_equal(symlink("in", rig_path("to-in")), 0);
	f = rig_file(rig_path("to-in"));
	assert_true(f->via_link && f->in_workspace && sv_eqs(f->real, rig_path("in")));
	/* "." and "//" are no links; ".." counts as one. */
	assert_false(rig_file(rig_path(".//in"))->via_link);
	assert_true(rig_file(rig_path("./../%s/in", strrchr(rig_top, '/') + 1))->via_link);
	assert_int_equal(symlink("loop", rig_path("loop")), 0);
	assert_int_equal(rig_file(rig_path("loop"))->error, ELOOP);
	assert_int_equal(link(rig_path("in"), rig_path("hard")), 0);
	f = rig_file(rig_path("hard"));
	assert_true(f->state == FILE_REGULAR && f->nlink == 2);
	/* A sibling whose name begins like the workspace's is not in it. */
	const char *ws[] = { rig_path("i") };
	struct ev_ask_file q = { .path = rig_path("in"), .fd = -1, .dir_fd = -1 };
	assert_false(rig_ask((struct ev_ask){ .files = &q, .n_files = 1,
		.self_open = true, .workspaces = ws, .n_workspaces = 1 })
		->files[0].in_workspace);
}

static void not_regular(void **state)
{
	struct sockaddr_un sun = { .sun_family = AF_UNIX };
	const char *fifo = rig_path("fifo"), *sock = rig_path("sock");
	int s;

	(void)state;
	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_int_equal(rig_file(fifo)->state, FILE_SPECIAL);
	assert_int_equal(given(fifo, open_as_gate(fifo), 0, -1, NULL)->state, FILE_SPECIAL);
	assert_int_equal(rig_file(rig_top)->state, FILE_DIRECTORY);
	assert_int_equal(rig_file("/dev/zero")->state, FILE_SPECIAL);
	assert_int_equal(given("/dev/zero", open_as_gate("/dev/zero"), 0, -1, NULL)->state,
		FILE_SPECIAL);
	s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	memcpy(sun.sun_path, sock, strlen(sock) + 1);
	assert_int_equal(bind(s, (struct sockaddr *)&sun, sizeof(sun)), 0);
	assert_int_equal(rig_file(sock)->state, FILE_SPECIAL);
	close(s);
	/* What looks regular and is not on a disk is not read. */
	assert_int_equal(rig_file("/proc/self/status")->state, FILE_UNKNOWN);
	assert_false(rig_file("/proc/self/environ")->has_content);
	assert_int_equal(given("/proc/version", open_as_gate("/proc/version"), 0, -1,
		NULL)->state, FILE_UNKNOWN);
}

static void large(void **state)
{
	const char *path = rig_path("large");
	const struct ev_file *f;
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	(void)state;
	assert_int_equal(ftruncate(fd, (off_t)8 << 30), 0);
	f = rig_file(path);
	assert_int_equal(f->state, FILE_REGULAR);
	assert_true(f->too_big && !f->has_digest && !f->has_content);
	assert_int_equal(f->git, GIT_NO_REPO);
	assert_int_equal(ftruncate(fd, EVIDENCE_CONTENT_MAX + 1), 0);
	f = rig_file(path);
	assert_true(f->too_big && f->has_digest && !f->has_content);
	assert_int_equal(ftruncate(fd, EVIDENCE_CONTENT_MAX), 0);
	f = rig_file(path);
	assert_true(!f->too_big && f->has_digest && f->has_content);
	assert_int_equal(f->content.n, EVIDENCE_CONTENT_MAX);
	close(fd);
}

static void only_what_was_wanted(void **state)
{
	struct ev_ask_file q[] = {
		{ .path = rig_path("a"), .fd = -1, .dir_fd = -1 },
		{ .path = rig_path("a"), .fd = -1, .dir_fd = -1, .want_git = true },
	};
	struct evidence *ev;

	(void)state;
	rig_write(rig_path("a"), "x");
	ev = rig_ask((struct ev_ask){ .files = q, .n_files = 2, .self_open = true });
	assert_true(ev->files[0].state == FILE_REGULAR && !ev->files[0].has_digest);
	assert_int_equal(ev->files[0].git, GIT_UNKNOWN);
	assert_true(ev->files[1].has_digest && !ev->files[1].has_content);
	assert_int_equal(ev->files[1].git, GIT_NO_REPO);
}

static void does_not_hold_still(void **state)
{
	const char *path = rig_path("busy");
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	pid_t pid;

	(void)state;
	assert_int_equal(ftruncate(fd, 200 << 20), 0);
	pid = fork();
	if (pid == 0)
		for (;;)
			pwrite(fd, "x", 1, 0);
	/* Every stretch of this reading sees another moment of the file. */
	for (int i = 0; i < 100; i++)
		assert_int_equal(pwrite(fd, "y", 1, 1), 1);
	assert_int_equal(rig_file(path)->state, FILE_UNKNOWN);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(fd);
}

static void gone_or_closed_to_us(void **state)
{
	const char *path = rig_path("gone");
	const struct ev_file *f;
	int fd;

	(void)state;
	rig_write(path, "x");
	fd = open_as_gate(path);
	assert_int_equal(unlink(path), 0);
	f = given(path, fd, 0, -1, NULL);
	assert_int_equal(f->state, FILE_UNKNOWN);
	assert_false(f->has_content || f->has_digest);
	f = given(path, -1, EACCES, -1, NULL);
	assert_true(f->state == FILE_UNKNOWN && f->error == EACCES);
	if (geteuid() != 0) {
		rig_write(path, "x");
		assert_int_equal(chmod(path, 0), 0);
		f = rig_file(path);
		assert_true(f->state == FILE_UNKNOWN && f->error == EACCES);
	}
	assert_int_equal(rig_file("relative")->state, FILE_UNKNOWN);
	assert_int_equal(rig_file("")->state, FILE_UNKNOWN);
}

/* ---- life ---- */

static struct ev_ask ask_for(struct ev_ask_file *f, const char *path)
{
	*f = (struct ev_ask_file){ .path = path, .fd = open_as_gate(path), .dir_fd = -1,
		.want_content = true };
	return (struct ev_ask){ .files = f, .n_files = 1, .cwd_fd = -1 };
}

static void killed_in_the_middle(void **state)
{
	const char *path = rig_path("a");
	struct evidence *ev[3];
	struct ev_ask_file f;
	struct ev_ask ask;

	(void)state;
	rig_write(path, "x");
	for (int round = 0; round < 3; round++) {
		pid_t pid = rig_child();

		assert_true(pid > 0);
		kill(pid, SIGSTOP);
		for (int i = 0; i < 3; i++) {
			ask = ask_for(&f, path);
			rig_start(&ask, &ev[i]);
		}
		loop_turn(rig_loop, false);
		assert_null(ev[0]);
		if (round == 0) {
			kill(pid, SIGKILL);
		} else {
			/* Nobody kills it: its time is over. */
			clock_test_advance(5000);
			loop_clock_moved(rig_loop);
		}
		for (int i = 0; i < 3; i++) {
			rig_wait(&ev[i]);
			assert_int_equal(ev[i]->complete, i > 0);
			assert_int_equal(ev[i]->files[0].state,
				i == 0 ? FILE_UNKNOWN : FILE_REGULAR);
			evidence_free(&ev[i]);
		}
		assert_int_not_equal(rig_child(), pid);
	}
}

/* Two requests that hang one after the other: each has its own clock. */
static void each_has_its_time(void **state)
{
	struct evidence *ev[2];
	struct ev_ask_file f;
	struct ev_ask ask;

	(void)state;
	rig_write(rig_path("a"), "x");
	kill(rig_child(), SIGSTOP);
	for (int i = 0; i < 2; i++) {
		ask = ask_for(&f, rig_path("a"));
		rig_start(&ask, &ev[i]);
	}
	for (int i = 0; i < 2; i++) {
		assert_null(ev[i]);
		clock_test_advance(4999);
		loop_clock_moved(rig_loop);
		assert_null(ev[i]);
		clock_test_advance(1);
		loop_clock_moved(rig_loop);
		assert_non_null(ev[i]);
		/* The new child, before it can answer. */
		if (i == 0)
			kill(rig_child(), SIGSTOP);
		evidence_free(&ev[i]);
	}
}

static struct evidence *nested;

static void nested_done(void *arg, struct evidence *ev)
{
	(void)arg;
	nested = ev;
}

static void asks_again(void *arg, struct evidence *ev)
{
	struct ev_ask_file f;
	struct ev_ask ask = ask_for(&f, arg);

	evidence_free(&ev);
	evidence_ask(rig_room, &ask, nested_done, NULL);
}

/* A caller may ask from its own call-back, also when the child has died. */
static void asked_from_a_call_back(void **state)
{
	const char *path = rig_path("a");
	struct evidence *second;
	struct ev_ask_file f;
	struct ev_ask ask;

	(void)state;
	rig_write(path, "x");
	for (int round = 0; round < 2; round++) {
		nested = NULL;
		if (round == 0)
			kill(rig_child(), SIGSTOP);
		ask = ask_for(&f, path);
		evidence_ask(rig_room, &ask, asks_again, (void *)(uintptr_t)path);
		ask = ask_for(&f, path);
		rig_start(&ask, &second);
		if (round == 0)
			kill(rig_child(), SIGKILL);
		rig_wait(&second);
		rig_wait(&nested);
		assert_int_equal(second->files[0].state, FILE_REGULAR);
		assert_int_equal(nested->files[0].state, FILE_REGULAR);
		evidence_free(&second);
		evidence_free(&nested);
	}
}

static void no_child_to_be_had(void **state)
{
	char *copy = xstrdup(rig_path("child"));
	struct evidence_room *room;
	struct evidence *ev = NULL;
	struct ev_ask_file f;
	struct err e = ERR_INIT;
	struct ev_ask ask;

	(void)state;
	assert_null(evidence_room_new(rig_loop, rig_path("none"), &e));
	rig_write(rig_path("a"), "x");
	rig_sh("cp '%s' child", CHILD);
	room = rig_room;
	rig_room = evidence_room_new(rig_loop, copy, &e);
	assert_non_null(rig_room);
	unlink(copy);
	for (int i = 0; i < 2; i++) {
		ask = ask_for(&f, rig_path("a"));
		if (i == 0)
			kill(rig_child(), SIGSTOP);
		rig_start(&ask, &ev);
		if (i == 0) {
			clock_test_advance(5000);
			loop_clock_moved(rig_loop);
		}
		while (ev == NULL) {
			loop_clock_moved(rig_loop);
			loop_turn(rig_loop, false);
		}
		assert_int_equal(ev->files[0].state, FILE_UNKNOWN);
		assert_false(ev->complete);
		evidence_free(&ev);
	}
	evidence_room_free(&rig_room);
	rig_room = room;
	free(copy);
}

static void many_files_no_leak(void **state)
{
	struct ev_ask_file *f = xcalloc(EVIDENCE_FILES_MAX + 10, sizeof(*f));
	char *long_path = xmemdup0(NULL, 0);
	struct evidence *ev;
	int before = rig_fds();

	(void)state;
	rig_write(rig_path("a"), "x");
	long_path = realloc(long_path, 5001);
	memset(long_path, 'a', 5000);
	long_path[5000] = '\0';
	long_path[0] = '/';
	for (int round = 0; round < 2; round++) {
		size_t n = round == 0 ? 100 : EVIDENCE_FILES_MAX + 10;

		for (size_t i = 0; i < n; i++)
			f[i] = (struct ev_ask_file){ .path = i == 7 ? long_path :
				rig_path("a"), .fd = i < 100 || i >= EVIDENCE_FILES_MAX ?
				open_as_gate(rig_path("a")) : -1,
				.dir_fd = i < 10 ? open_as_gate(rig_top) : -1,
				.dir_path = rig_top, .want_content = true };
		ev = rig_ask((struct ev_ask){ .files = f, .n_files = n, .cwd = rig_top,
			.cwd_fd = open_as_gate(rig_top) });
		assert_true(ev->n_files <= EVIDENCE_FILES_MAX);
		for (size_t i = 0; i < ev->n_files; i++)
			assert_int_equal(ev->files[i].state, i < 100 && i != 7 ?
				FILE_REGULAR : FILE_UNKNOWN);
		assert_true(sv_eqs(ev->workspace, rig_top));
	}
	assert_int_equal(rig_fds(), before);
	free(long_path);
	free(f);
}

static void freed_while_asked(void **state)
{
	struct evidence *ev;
	struct ev_ask_file f;
	struct ev_ask ask;
	struct err e = ERR_INIT;
	int before = rig_fds();
	struct evidence_room *room = rig_room;

	(void)state;
	rig_write(rig_path("a"), "x");
	rig_room = evidence_room_new(rig_loop, CHILD, &e);
	assert_non_null(rig_room);
	ask = ask_for(&f, rig_path("a"));
	rig_start(&ask, &ev);
	evidence_room_free(&rig_room);
	assert_null(ev);
	assert_int_equal(rig_fds(), before);
	rig_room = room;
}

int main(void)
{
#define T(fn) cmocka_unit_test_setup_teardown(fn, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		T(a_file), T(absent), T(links), T(not_regular), T(large),
		T(only_what_was_wanted), T(does_not_hold_still), T(gone_or_closed_to_us),
		T(killed_in_the_middle), T(each_has_its_time), T(asked_from_a_call_back),
		T(no_child_to_be_had), T(many_files_no_leak), T(freed_while_asked),
	};

	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
