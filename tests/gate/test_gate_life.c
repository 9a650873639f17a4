/* obstat-gate while it waits: hubs that die, runtimes that go, signals, clocks. */
#include "box.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* Killed while it waits, started again: the same request, less time. */
static void test_hub_restarts(void **state)
{
	(void)state;
	for (int how = 0; how < 3; how++) {
		struct box b;
		struct request first, again;
		box_begin(&b);
		b.deadline = "1000";
		int conn = box_asked_as(&b, &first);
		assert_true(first.ms > 900000 && first.ms <= 1000000);
		close(b.listen_fd);
		b.listen_fd = -1;
		if (how > 0)
			unlink(b.path); /* else a stale socket refuses */
		if (how == 2) /* died in the middle of an O frame */
			box_send(conn, "O\1\0\0", 4);
		close(conn);
		box_listen(&b);
		conn = box_accept(&b);
		box_request(conn, &again);
		assert_memory_equal(first.key, again.key, 16);
		assert_int_equal(again.n, strlen(box_payload));
		assert_memory_equal(again.payload, box_payload, again.n);
		assert_true(again.ms < first.ms);
		assert_true(again.ms > 0);
		free(again.payload);
		box_answer(conn, 1, "late", "");
		box_ended(&b, 0, "late", "");
	}
}

/* Dies with our bytes unread (ECONNRESET), twice over. */
static void test_hub_dies_unread(void **state)
{
	struct box b;
	struct request r;

	(void)state;
	box_begin(&b);
	box_listen(&b);
	box_start(&b, BOX_PAYLOAD);
	for (int i = 0; i < 2; i++)
		close(box_accept(&b));
	int conn = box_accept(&b);
	box_request(conn, &r);
	free(r.payload);
	box_answer(conn, 2, "", "no\n");
	box_ended(&b, 2, "", "no\n");
}

/* Opens are counted and numbered anew on a new connection. */
static void test_opens_after_restart(void **state)
{
	struct box b;
	struct request r;
	int fd, conn = box_asked(&b, "decide");

	(void)state;
	for (uint32_t id = 0; id < 4096; id++) {
		box_ask(conn, id, 1, "/nonexistent");
		assert_int_equal(box_opened(conn, id, &fd), ENOENT);
	}
	close(conn);
	conn = box_accept(&b);
	box_request(conn, &r);
	free(r.payload);
	box_ask(conn, 0, 2, "/");
	assert_int_equal(box_opened(conn, 0, &fd), 0);
	close(fd);
	box_answer(conn, 3, "", "");
	box_ended(&b, 0, "", "");
}

/* Another user's hub after a restart is as little trusted as before. */
static void test_restart_under_other_uid(void **state)
{
	struct box b;

	(void)state;
	if (geteuid() != 0) {
		print_message("not root: no second user to be the fake hub\n");
		return;
	}
	int conn = box_asked(&b, "decide");
	close(b.listen_fd);
	b.listen_fd = -1;
	unlink(b.path);
	pid_t hub = box_other_user(&b);
	shutdown(conn, SHUT_RDWR); /* the fork has a copy of it */
	close(conn);
	box_ended(&b, 2, "", "OBSTAT-E04 ");
	waitpid(hub, NULL, 0);
}

static void test_stdout_closed(void **state)
{
	(void)state;
	for (int is_socket = 0; is_socket < 2; is_socket++) {
		struct box b;
		struct request r;
		box_begin(&b);
		b.out_is_socket = is_socket;
		int conn = box_asked_as(&b, &r);
		close(b.out);
		b.out = -1;
		box_eof(conn); /* the withdrawal */
		box_ended(&b, 2, "", "OBSTAT-E13 ");
	}
	/* Already while the request is read. */
	struct box b;
	box_begin(&b);
	b.keep_in = true;
	box_start(&b, BOX_PAYLOAD);
	close(b.out);
	b.out = -1;
	box_ended(&b, 2, "", "OBSTAT-E13 ");
	/* Nobody reads what an observation does not write. */
	int conn = box_asked(&b, "observe");
	close(b.out);
	b.out = -1;
	box_answer(conn, 4, "", "");
	box_ended(&b, 0, "", "");
	assert_string_equal(b.reason, "");
}

/* The reader goes in the middle of the answer. */
static void test_stdout_closed_in_answer(void **state)
{
	size_t big = 1 << 20;
	unsigned char *v = malloc(big + 64);
	char *text = calloc(1, big);

	(void)state;
	for (int is_socket = 0; is_socket < 2; is_socket++) {
		struct box b;
		struct request r;
		box_begin(&b);
		b.out_is_socket = is_socket;
		int conn = box_asked_as(&b, &r);
		size_t n = box_verdict(v, 1, text, big, "", 0);
		box_send(conn, v, n);
		assert_int_equal(read(b.out, text, 1), 1);
		close(b.out);
		b.out = -1;
		box_ended(&b, 2, "", "OBSTAT-E1");
		close(conn);
	}
	free(v);
	free(text);
}

static void test_deadline(void **state)
{
	struct box b;
	struct request r;

	(void)state;
	/* while the hub waits for a person */
	box_begin(&b);
	b.deadline = "1";
	int conn = box_asked_as(&b, &r);
	assert_true(r.ms > 0 && r.ms <= 1000);
	box_eof(conn);
	box_ended(&b, 2, "", "OBSTAT-E11 ");
	/* while stdin does not end */
	box_begin(&b);
	b.deadline = "1";
	b.keep_in = true;
	box_start(&b, BOX_PAYLOAD);
	box_ended(&b, 2, "", "OBSTAT-E11 ");
	/* while the hub is away */
	box_begin(&b);
	b.deadline = "1";
	conn = box_asked_as(&b, &r);
	close(b.listen_fd);
	b.listen_fd = -1;
	close(conn);
	box_ended(&b, 2, "", "OBSTAT-E11 ");
	/* while nobody reads the answer */
	size_t big = 1 << 20;
	unsigned char *v = malloc(big + 64);
	char *text = calloc(1, big);
	box_begin(&b);
	b.deadline = "1";
	conn = box_asked_as(&b, &r);
	box_send(conn, v, box_verdict(v, 1, text, big, "", 0));
	assert_int_equal(waitpid(b.pid, &b.status, 0), b.pid);
	assert_true(WIFEXITED(b.status));
	assert_int_equal(WEXITSTATUS(b.status), 2);
	b.pid = 0;
	close(conn);
	box_end(&b);
	free(v);
	free(text);
	/* none */
	box_begin(&b);
	conn = box_asked_as(&b, &r);
	assert_int_equal(r.ms, 0);
	box_answer(conn, 3, "", "");
	box_ended(&b, 0, "", "");
}

static void test_signals(void **state)
{
	static const int stop[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGALRM, SIGUSR2, SIGXCPU,
		SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
	static const int pass[] = { SIGPIPE, SIGUSR1, SIGCHLD, SIGWINCH, SIGCONT, SIGXFSZ };

	(void)state;
	for (size_t i = 0; i < sizeof(stop) / sizeof(stop[0]); i++) {
		struct box b;
		char want[64];
		int conn = box_asked(&b, "decide");
		kill(b.pid, stop[i]);
		box_eof(conn);
		snprintf(want, sizeof(want), "OBSTAT-E12 stopped by signal %d\n", stop[i]);
		box_ended(&b, 2, "", i < 7 ? want : "OBSTAT-E17 ");
	}
	for (size_t i = 0; i < sizeof(pass) / sizeof(pass[0]); i++) {
		struct box b;
		int fd, conn = box_asked(&b, "decide");
		kill(b.pid, pass[i]);
		box_ask(conn, 1, 1, "/nonexistent"); /* it lives after the signal */
		assert_int_equal(box_opened(conn, 1, &fd), ENOENT);
		box_answer(conn, 1, "ok", "");
		box_ended(&b, 0, "ok", "");
	}
	/* While stdin is read. The signal may come before it is blocked: then it
	 * is the default action that ends the gate, with nothing allowed. */
	struct box b;
	box_begin(&b);
	b.keep_in = true;
	box_listen(&b);
	box_start(&b, BOX_PAYLOAD);
	kill(b.pid, SIGTERM);
	box_wait(&b);
	assert_int_not_equal(b.status, 0);
	box_end(&b);
}

static void test_signals_observe(void **state)
{
	static const int all[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2,
		SIGPIPE };
	struct box b;
	int conn = box_asked(&b, "observe");

	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		kill(b.pid, all[i]);
	box_answer(conn, 4, "", "");
	box_ended(&b, 0, "", "");
	conn = box_asked(&b, "observe");
	kill(b.pid, SIGSEGV);
	box_eof(conn);
	box_ended(&b, 0, "", "OBSTAT-E17 ");
}

/* Whatever does not answer: 2 s, exit 0. The bound here is loose, for a busy
 * machine; without the limit each of these would wait for ever. */
static void test_observe_never_holds(void **state)
{
	struct box b;
	struct request r;
	unsigned long long from;

	(void)state;
	/* a hub that says nothing */
	from = box_now();
	int conn = box_asked(&b, "observe");
	box_eof(conn);
	box_ended(&b, 0, "", "OBSTAT-E11 ");
	assert_true(box_now() - from >= 1900);
	/* a hub that does not accept; a runtime that does not end stdin */
	for (int i = 0; i < 2; i++) {
		box_begin(&b);
		b.mode = "observe";
		b.keep_in = i == 1;
		b.deadline = "86400";
		box_listen(&b);
		box_start(&b, BOX_PAYLOAD);
		box_ended(&b, 0, "", "OBSTAT-E11 ");
	}
	/* a hub that went away, and stderr that nobody reads, already full */
	box_begin(&b);
	b.mode = "observe";
	conn = box_asked_as(&b, &r);
	assert_true(r.ms > 0 && r.ms <= 2000);
	close(b.listen_fd);
	b.listen_fd = -1;
	close(conn);
	box_ended(&b, 0, "", "OBSTAT-E11 ");
}

/* The parent dies while stdout stays open elsewhere. */
static void test_parent_dies(void **state)
{
	struct box b;
	int note[2], status;
	pid_t gate;

	(void)state;
	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);
	box_begin(&b);
	box_listen(&b);
	assert_int_equal(pipe2(note, O_CLOEXEC), 0);
	int out[2];
	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	pid_t parent = fork();
	if (parent == 0) {
		b.given_out = out[1]; /* its reader lives on in the grandparent */
		box_start(&b, BOX_PAYLOAD);
		if (write(note[1], &b.pid, sizeof(b.pid)) != (ssize_t)sizeof(b.pid))
			_exit(1);
		for (;;)
			pause();
	}
	assert_int_equal(read(note[0], &gate, sizeof(gate)), sizeof(gate));
	int conn = box_accept(&b);
	struct request r;
	box_request(conn, &r);
	free(r.payload);
	kill(parent, SIGKILL);
	assert_int_equal(waitpid(parent, NULL, 0), parent);
	box_eof(conn);
	assert_int_equal(waitpid(gate, &status, 0), gate);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 2);
	close(note[0]);
	close(note[1]);
	close(out[0]);
	close(out[1]);
	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0), 0);
	box_end(&b);
}

#ifndef GATE_ASAN
/* Nothing of the environment reaches it. */
static void test_hostile_environment(void **state)
{
	char *env[] = { "LD_PRELOAD=/nonexistent/evil.so", "LD_LIBRARY_PATH=/nonexistent",
		"LD_AUDIT=/nonexistent/evil.so", "GCONV_PATH=/nonexistent", "LOCPATH=/nonexistent",
		"LANG=de_DE.UTF-8", "LC_ALL=de_DE.UTF-8", "LANGUAGE=de", "TMPDIR=/nonexistent",
		"NLSPATH=/nonexistent/%N", "MALLOC_CHECK_=3", "PATH=", "HOME=/nonexistent",
		"GLIBC_TUNABLES=glibc.malloc.check=3", "OBSTAT_SOCKET=/nonexistent",
		"XDG_STATE_HOME=/nonexistent", NULL };
	struct box b;
	struct request r;

	(void)state;
	box_begin(&b);
	b.envp = env;
	int conn = box_asked_as(&b, &r);
	box_answer(conn, 1, "same", "");
	box_ended(&b, 0, "same", "");
	assert_string_equal(b.reason, "");
	box_begin(&b);
	b.envp = env;
	box_start(&b, BOX_PAYLOAD);
	box_ended(&b, 2, "", "OBSTAT-E03 no hub at ");
}
#endif

static void test_closed_streams(void **state)
{
	(void)state;
	for (int fd = 0; fd < 3; fd++) {
		for (int observe = 0; observe < 2; observe++) {
			struct box b;
			box_begin(&b);
			b.mode = observe ? "observe" : "decide";
			b.closed_fd = fd;
			box_listen(&b);
			box_start(&b, BOX_PAYLOAD);
			box_ended(&b, observe ? 0 : 2, "", fd == 2 ? "" : "OBSTAT-E06 ");
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hub_restarts),
		cmocka_unit_test(test_hub_dies_unread),
		cmocka_unit_test(test_opens_after_restart),
		cmocka_unit_test(test_restart_under_other_uid),
		cmocka_unit_test(test_stdout_closed),
		cmocka_unit_test(test_stdout_closed_in_answer),
		cmocka_unit_test(test_deadline),
		cmocka_unit_test(test_signals),
		cmocka_unit_test(test_signals_observe),
		cmocka_unit_test(test_observe_never_holds),
		cmocka_unit_test(test_parent_dies),
#ifndef GATE_ASAN /* which is dynamic: ld.so would obey LD_PRELOAD */
		cmocka_unit_test(test_hostile_environment),
#endif
		cmocka_unit_test(test_closed_streams),
	};
	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests_name("gate_life", tests, NULL, NULL);
}
