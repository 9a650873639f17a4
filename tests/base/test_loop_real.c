/*
 * test_loop_real.c - the loop on the real clock, and its children. The program
 * runs itself as the child: "child WHAT".
 */
#include "tests/check.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/loop.h"

static char *self = (char[]){ "/proc/self/exe" };

/* ---- the child's side ---- */

extern char **environ;

/* Every descriptor there is, but for the one that lists them. */
static int child_list(void)
{
	DIR *d = opendir("/proc/self/fd");
	struct dirent *de;
	int all = 0;

	while ((de = readdir(d)) != NULL)
		if (de->d_name[0] != '.' && atoi(de->d_name) != dirfd(d))
			all += 1 << atoi(de->d_name);
	closedir(d);
	dprintf(1, "fds=%x", (unsigned)all);
	for (char **e = environ; *e != NULL; e++)
		if (strncmp(*e, "ASAN_OPTIONS=", 13) != 0)
			dprintf(1, " %s", *e);
	dprintf(1, "\n");
	return 3;
}

static int child_main(const char *what)
{
	if (strcmp(what, "list") == 0)
		return child_list();
	if (strcmp(what, "hang") == 0)
		for (;;)
			pause();
	return 9;
}

/* ---- ours ---- */

static struct loop *loop;
static int exits, exit_status, exit_signo;

static void proc_exited(void *arg, int status, int signo)
{
	struct loop_proc **free_it = arg;

	exits++;
	exit_status = status;
	exit_signo = signo;
	if (free_it != NULL)
		loop_proc_free(free_it);
	loop_stop(loop);
}

static int start(void **state)
{
	(void)state;
	loop = loop_new();
	exits = exit_status = exit_signo = 0;
	return 0;
}

static int end(void **state)
{
	(void)state;
	loop_free(&loop);
	return 0;
}

static void stop_loop(void *arg)
{
	(void)arg;
	loop_stop(loop);
}

/* Never early, and a loop that waits does nothing else. */
static void test_timer_real(void **state)
{
	struct loop_timer *t = loop_timer_new(loop, stop_loop, NULL);
	struct loop_timer *later = loop_timer_new(loop, stop_loop, NULL);
	uint64_t from = clock_boot_ms(), turns;

	(void)state;
	loop_timer_arm(later, 3600000);
	loop_timer_arm(t, 150);
	turns = loop_turns(loop);
	loop_run(loop);
	assert_true(clock_boot_ms() - from >= 150);
	assert_true(loop_turns(loop) - turns <= 2);
	loop_timer_arm(t, 0);
	loop_run(loop);
	/* An earlier one armed after a later one was set. */
	from = clock_boot_ms();
	loop_timer_arm(t, 3600000);
	loop_turn(loop, false);
	loop_timer_arm(t, 1);
	loop_run(loop);
	assert_true(clock_boot_ms() - from < 3600000);
	loop_timer_free(&t);
	loop_timer_free(&later);
}

static void hup_came(void *arg, int events)
{
	int *times = arg;

	assert_int_equal(events, LOOP_HUP);
	++*times;
}

/* An owner that has paused a dead peer costs nothing. */
static void test_hup_is_quiet(void **state)
{
	struct loop_timer *t = loop_timer_new(loop, stop_loop, NULL);
	struct loop_fd *f;
	int p[2], times = 0;
	uint64_t turns;

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, p), 0);
	f = loop_fd_new(loop, p[0], hup_came, &times);
	assert_int_equal(shutdown(p[1], SHUT_WR), 0);
	loop_turn(loop, true);
	assert_int_equal(times, 1);
	turns = loop_turns(loop);
	loop_timer_arm(t, 50);
	loop_run(loop);
	assert_int_equal(times, 1);
	assert_true(loop_turns(loop) - turns <= 2);
	loop_fd_free(&f);
	loop_timer_free(&t);
	close(p[0]);
	close(p[1]);
}

static void read_all(int fd, char *out, size_t n)
{
	size_t got = 0;
	ssize_t k;

	while ((k = read(fd, out + got, n - 1 - got)) > 0)
		got += (size_t)k;
	out[got] = '\0';
}

/* Nothing of ours gets into the child that was not asked for. */
static void test_proc_clean(void **state)
{
	char *argv[] = { self, (char[]){ "child" }, (char[]){ "list" }, NULL };
	char *env[] = { (char[]){ "A=b c" }, NULL, NULL };
	char *asan = getenv("ASAN_OPTIONS"), keep[256];
	int out[2], leak, fds[5] = { -1, -1, 2, -1, -1 };
	struct loop_proc *p;
	char text[512];
	struct err e;

	(void)state;
	if (asan != NULL) {
		snprintf(keep, sizeof keep, "ASAN_OPTIONS=%s", asan);
		env[1] = keep;
	}
	setenv("LEAK", "1", 1);
	leak = open("/dev/null", O_RDONLY); /* without O_CLOEXEC */
	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	fds[1] = out[1];
	fds[4] = out[1];
	p = loop_proc_new(loop, argv, env, fds, 5, proc_exited, NULL, &e);
	assert_non_null(p);
	assert_true(loop_proc_pid(p) > 0);
	close(out[1]);
	assert_int_equal(exits, 0);
	loop_run(loop);
	assert_int_equal(exits, 1);
	assert_int_equal(exit_status, 3);
	assert_int_equal(exit_signo, 0);
	read_all(out[0], text, sizeof text);
	assert_string_equal(text, "fds=1f A=b c\n");
	loop_proc_kill(p, SIGKILL); /* gone: nobody is hit */
	loop_proc_free(&p);
	close(out[0]);
	close(leak);
}

static void test_proc_few_fds(void **state)
{
	char *argv[] = { self, (char[]){ "child" }, (char[]){ "none" }, NULL };
	struct loop_proc *p;
	struct err e;

	(void)state;
	p = loop_proc_new(loop, argv, NULL, NULL, 0, proc_exited, &p, &e);
	assert_non_null(p);
	loop_run(loop);
	assert_int_equal(exit_status, 9);
	assert_null(p); /* freed in its own callback */
}

static void test_proc_kill(void **state)
{
	char *argv[] = { self, (char[]){ "child" }, (char[]){ "hang" }, NULL };
	struct loop_proc *p;
	struct err e;

	(void)state;
	p = loop_proc_new(loop, argv, NULL, NULL, 0, proc_exited, NULL, &e);
	assert_non_null(p);
	loop_proc_kill(p, SIGTERM);
	loop_run(loop);
	assert_int_equal(exit_signo, SIGTERM);
	loop_proc_free(&p);
}

/* Freed while alive: killed, no callback, no zombie. */
static void test_proc_free_alive(void **state)
{
	char *argv[] = { self, (char[]){ "child" }, (char[]){ "hang" }, NULL };
	struct loop_proc *p, *q;
	struct err e;
	siginfo_t si;
	pid_t pid;

	(void)state;
	p = loop_proc_new(loop, argv, NULL, NULL, 0, proc_exited, NULL, &e);
	q = loop_proc_new(loop, argv, NULL, NULL, 0, proc_exited, NULL, &e);
	assert_non_null(p);
	assert_non_null(q);
	pid = loop_proc_pid(p);
	loop_proc_free(&p);
	/* Until it is a zombie; then SIGCHLD has come, and the loop reaps it. */
	assert_int_equal(waitid(P_PID, (id_t)pid, &si, WEXITED | WNOWAIT), 0);
	for (int i = 0; i < 3; i++)
		loop_turn(loop, false);
	assert_int_equal(kill(pid, 0), -1);
	assert_int_equal(exits, 0);
	loop_proc_kill(q, SIGKILL);
	loop_run(loop);
	assert_int_equal(exits, 1);
	loop_proc_free(&q);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

static void test_proc_fails(void **state)
{
	char *none[] = { (char[]){ "/no/such/program" }, NULL };
	char *relative[] = { (char[]){ "sh" }, NULL };
	struct err e;

	(void)state;
	assert_null(loop_proc_new(loop, none, NULL, NULL, 0, proc_exited, NULL, &e));
	assert_string_equal(e.code, "spawn");
	assert_non_null(strstr(e.text, "/no/such/program"));
	assert_null(loop_proc_new(loop, relative, NULL, NULL, 0, proc_exited, NULL, &e));
	assert_string_equal(e.code, "spawn");
	loop_turn(loop, false);
	assert_int_equal(exits, 0);
}

/* A file that only a shell would run is not run. */
static void test_proc_no_shell(void **state)
{
	char path[] = "/tmp/obstat-test-loop-XXXXXX";
	char *argv[] = { path, NULL };
	struct err e;
	int fd = mkostemp(path, O_CLOEXEC);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "exit 0\n", 7), 7);
	assert_int_equal(fchmod(fd, 0700), 0);
	close(fd);
	assert_null(loop_proc_new(loop, argv, NULL, NULL, 0, proc_exited, NULL, &e));
	assert_string_equal(e.code, "spawn");
	unlink(path);
}

/* The loop goes while a child hangs. */
static void test_proc_at_end(void **state)
{
	char *argv[] = { self, (char[]){ "child" }, (char[]){ "hang" }, NULL };
	struct err e;
	pid_t pid;

	(void)state;
	pid = loop_proc_pid(loop_proc_new(loop, argv, NULL, NULL, 0, proc_exited, NULL,
		&e));
	loop_free(&loop);
	assert_int_equal(exits, 0);
	waitpid(pid, NULL, 0); /* comes back: it was killed */
}

int main(int argc, char **argv)
{
#define T(fn) cmocka_unit_test_setup_teardown(fn, start, end)
	const struct CMUnitTest tests[] = {
		T(test_timer_real),
		T(test_hup_is_quiet),
		T(test_proc_clean),
		T(test_proc_few_fds),
		T(test_proc_kill),
		T(test_proc_free_alive),
		T(test_proc_fails),
		T(test_proc_no_shell),
		T(test_proc_at_end),
	};

	if (argc == 3 && strcmp(argv[1], "child") == 0)
		return child_main(argv[2]);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
