/* obstat-gate against a fake hub: answers, arguments, and who it trusts. */
#include "box.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void test_answers(void **state)
{
	static const struct {
		const char *mode;
		int verdict;
		const char *out, *err;
		int status;
		const char *want_out, *want_err;
	} rows[] = {
		{ "decide", 1, "{\"ok\":1}", "", 0, "{\"ok\":1}", "" },
		{ "decide", 1, "x", "not shown", 0, "x", "" },
		{ "decide", 3, "", "", 0, "", "" },
		{ "decide", 2, "", "denied by a person\n", 2, "", "denied by a person\n" },
		{ "decide", 2, "{\"ok\":1}", "no", 2, "", "no" },
		{ "decide", 2, "", "", 2, "", "OBSTAT-E15 " },
		{ "decide", 2, "", "a\x1b[2Jb\tc\x7f\xc2\x9b\xc3\xa9\n", 2, "",
			"a?[2Jb?c???\xc3\xa9\n" },
		{ "decide", 4, "x", "", 2, "", "OBSTAT-E08 " },
		{ "decide", 0, "x", "", 2, "", "OBSTAT-E08 " },
		{ "decide", 5, "x", "", 2, "", "OBSTAT-E08 " },
		{ "decide", 255, "x", "", 2, "", "OBSTAT-E08 " },
		{ "observe", 4, "", "", 0, "", "" },
		{ "observe", 4, "x", "y", 0, "", "" },
		{ "observe", 1, "x", "", 0, "", "OBSTAT-E08 " },
		{ "observe", 2, "", "no", 0, "", "OBSTAT-E08 " },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct box b;
		int conn = box_asked(&b, rows[i].mode);
		box_answer(conn, rows[i].verdict, rows[i].out, rows[i].err);
		box_ended(&b, rows[i].status, rows[i].want_out, rows[i].want_err);
		if (rows[i].want_err[0] == '\0')
			assert_string_equal(b.reason, "");
	}
}

/* Only the whole answer counts, wherever it breaks off. */
static void test_truncated(void **state)
{
	unsigned char v[64];
	size_t n = box_verdict(v, 1, "{\"a\":1}", 7, "e", 1);

	(void)state;
	for (size_t cut = 1; cut < n; cut++) {
		struct box b;
		int conn = box_asked(&b, cut % 4 == 3 ? "observe" : "decide");
		v[1] = cut % 4 == 3 ? 4 : 1;
		box_send(conn, v, cut);
		close(conn);
		box_ended(&b, cut % 4 == 3 ? 0 : 2, "", "OBSTAT-E08 the hub's answer is broken");
	}
}

static void test_bytewise(void **state)
{
	unsigned char v[64];
	size_t n = box_verdict(v, 1, "{\"a\":1}", 7, "e", 1);
	struct box b;
	int conn = box_asked(&b, "decide");

	(void)state;
	for (size_t i = 0; i < n; i++)
		box_send(conn, v + i, 1);
	close(conn);
	box_ended(&b, 0, "{\"a\":1}", "");
}

/* Every single flipped bit, and bytes after the end. */
static void test_mangled(void **state)
{
	unsigned char v[64];
	size_t n = box_verdict(v, 1, "ok", 2, "", 0);

	(void)state;
	for (size_t bit = 0; bit < n * 8; bit += 5) {
		struct box b;
		int conn = box_asked(&b, "decide");
		v[bit / 8] ^= (unsigned char)(1u << bit % 8);
		box_send(conn, v, n);
		v[bit / 8] ^= (unsigned char)(1u << bit % 8);
		close(conn);
		/* A longer length makes it a truncated one. */
		box_ended(&b, 2, "", "OBSTAT-E08 ");
	}
	struct box b;
	int conn = box_asked(&b, "decide");
	v[n] = 'V';
	box_send(conn, v, n + 1);
	close(conn);
	box_ended(&b, 2, "", "bytes after the verdict");
}

static void test_long_answer_slow_reader(void **state)
{
	size_t big = 1 << 20;
	unsigned char *v = malloc(big + 64);
	char *text = malloc(big), *got = malloc(big + 1);

	(void)state;
	for (int is_socket = 0; is_socket < 2; is_socket++) {
		struct box b;
		struct request r;
		for (size_t i = 0; i < big; i++)
			text[i] = (char)(i * 31 >> 3);
		box_begin(&b);
		b.out_is_socket = is_socket;
		box_listen(&b);
		box_start(&b, BOX_PAYLOAD);
		int conn = box_accept(&b);
		box_request(conn, &r);
		free(r.payload);
		size_t n = box_verdict(v, 1, text, big, "", 0);
		box_send(conn, v, n);
		box_eof(conn); /* it has all, and cannot have written all */
		assert_int_equal(waitpid(b.pid, NULL, WNOHANG), 0);
		size_t at = 0;
		for (ssize_t k; (k = read(b.out, got + at, 1000)) > 0;)
			at += (size_t)k;
		assert_int_equal(at, big);
		assert_memory_equal(got, text, big);
		box_ended(&b, 0, "", "");
	}
	/* One byte more than allowed. */
	struct box b;
	int conn = box_asked(&b, "decide");
	v[0] = 'V', v[1] = 1, v[2] = 1, v[3] = 0, v[4] = 0x10, v[5] = 0;
	box_send(conn, v, 6);
	box_ended(&b, 2, "", "text over 1 MiB");
	close(conn);
	free(v);
	free(text);
	free(got);
}

/* The hub refuses before it has read all: its words still arrive. */
static void test_refusal_while_sending(void **state)
{
	size_t big = 16 << 20;
	char *p = calloc(1, big);
	unsigned char v[64];

	(void)state;
	for (int verdict = 1; verdict <= 2; verdict++) {
		struct box b;
		box_begin(&b);
		box_listen(&b);
		box_start(&b, p, big);
		int conn = box_accept(&b);
		box_send(conn, v, box_verdict(v, verdict, "", 0, "over the limit", 14));
		close(conn);
		box_ended(&b, 2, "", verdict == 2 ? "over the limit" : "OBSTAT-E08 ");
	}
	struct box b;
	box_begin(&b);
	box_listen(&b);
	box_start(&b, p, big);
	int conn = box_accept(&b);
	box_ask(conn, 1, 1, "/");
	box_ended(&b, 2, "", "open before the request was sent");
	close(conn);
	free(p);
}

static void test_sizes(void **state)
{
	size_t sizes[] = { 0, 1, 65535, 65536, 65537, 16 << 20, (16 << 20) + 1 };
	char *p = malloc(sizes[6]);

	(void)state;
	for (size_t i = 0; i < sizes[6]; i++)
		p[i] = (char)(i * 7 >> 4);
	for (size_t i = 0; i < 7; i++) {
		struct box b;
		struct request r;
		box_begin(&b);
		box_listen(&b);
		box_start(&b, p, sizes[i]);
		if (i == 6) {
			box_ended(&b, 2, "", "OBSTAT-E07 the request is over 16 MiB");
			break;
		}
		int conn = box_accept(&b);
		box_request(conn, &r);
		assert_int_equal(r.n, sizes[i]);
		assert_memory_equal(r.payload, p, r.n);
		free(r.payload);
		box_answer(conn, 3, "", "");
		box_ended(&b, 0, "", "");
	}
	free(p);
}

static void test_no_hub(void **state)
{
	struct box b;
	char path[256];

	(void)state;
	for (int listening = 0; listening < 2; listening++) {
		for (int observe = 0; observe < 2; observe++) {
			box_begin(&b);
			b.mode = observe ? "observe" : "decide";
			if (listening) { /* a socket file nobody listens at */
				box_listen(&b);
				close(b.listen_fd);
				b.listen_fd = -1;
			}
			box_start(&b, BOX_PAYLOAD);
			box_ended(&b, observe ? 0 : 2, "", "; start it with: obstat serve\n");
			assert_null(strstr(b.reason, "--link-user"));
		}
	}
	box_begin(&b);
	snprintf(path, sizeof(path), "%s/%%U/sock", b.dir);
	b.socket = path;
	box_start(&b, BOX_PAYLOAD);
	box_ended(&b, 2, "", "as root: obstat setup claude --link-user");
	char want[64];
	snprintf(want, sizeof(want), "/%ju/sock", (uintmax_t)getuid());
	assert_non_null(strstr(b.reason, want));
}

static void test_per_user_link(void **state)
{
	struct box b;
	struct request r;
	char path[256], link[256];

	(void)state;
	box_begin(&b);
	box_listen(&b);
	snprintf(link, sizeof(link), "%s/u%ju", b.dir, (uintmax_t)getuid());
	assert_int_equal(symlink(b.dir, link), 0);
	snprintf(path, sizeof(path), "%s/u%%U/sock", b.dir);
	b.socket = path;
	box_start(&b, BOX_PAYLOAD);
	int conn = box_accept(&b);
	box_request(conn, &r);
	free(r.payload);
	unlink(link);
	box_answer(conn, 1, "y", "");
	box_ended(&b, 0, "y", "");
}

static void test_arguments(void **state)
{
	char long_path[200];
	memset(long_path, 'a', sizeof(long_path));
	long_path[0] = '/';
	long_path[108] = '\0';
	const struct {
		const char *mode, *socket, *uid, *deadline, *dialect;
		int status;
		const char *reason;
	} rows[] = {
		{ "decide", "sock", "self", "0", "c", 2, "OBSTAT-E02 " },
		{ "decide", "", "self", "0", "c", 2, "OBSTAT-E02 " },
		{ "decide", "/x/%", "self", "0", "c", 2, "OBSTAT-E02 " },
		{ "decide", "/x/%u", "self", "0", "c", 2, "OBSTAT-E02 " },
		{ "decide", "/x/%%U", "self", "0", "c", 2, "OBSTAT-E02 " },
		{ "decide", long_path, "self", "0", "c", 2, "107 bytes" },
		{ "observe", long_path, "self", "0", "c", 0, "107 bytes" },
		{ "decide", "/nonexistent/x", "-1", "0", "c", 2, "OBSTAT-E01 " },
		{ "decide", "/nonexistent/x", "", "0", "c", 2, "OBSTAT-E01 " },
		{ "decide", "/nonexistent/x", "4294967295", "0", "c", 2, "OBSTAT-E01 " },
		{ "decide", "/nonexistent/x", "self", "1s", "c", 2, "OBSTAT-E01 " },
		{ "decide", "/nonexistent/x", "self", "18446744073709551617", "c", 2,
			"OBSTAT-E01 " },
		{ "decide", "/nonexistent/x", "self", "0", "", 2, "OBSTAT-E01 " },
		{ "decide", "/nonexistent/x", "self", "0", "Claude", 2, "OBSTAT-E01 " },
		{ "observe", "/nonexistent/x", "self", "0", "a/b", 0, "OBSTAT-E01 " },
		{ "Decide", "/nonexistent/x", "self", "0", "c", 2, "OBSTAT-E01 " },
		{ "", "/nonexistent/x", "self", "0", "c", 2, "OBSTAT-E01 " },
		{ "decide", "/nonexistent/\n\x1b[2J", "self", "0", "c", 2,
			"/nonexistent/??[2J;" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct box b;
		box_begin(&b);
		b.mode = rows[i].mode;
		b.socket = rows[i].socket;
		b.uid = rows[i].uid;
		b.deadline = rows[i].deadline;
		b.dialect = rows[i].dialect;
		box_start(&b, BOX_PAYLOAD);
		box_ended(&b, rows[i].status, "", rows[i].reason);
	}
}

/* An argument missing, twice, or unknown. */
static void test_argument_shapes(void **state)
{
	static const char *const rows[][14] = {
		{ "g", NULL },
		{ "g", "decide", NULL },
		{ "g", "--help", NULL },
		{ "g", "decide", "--socket", "/x", "--hub-uid", "self", "--deadline", "0", NULL },
		{ "g", "decide", "--socket", "/x", "--hub-uid", "self", "--deadline", "0",
			"--dialect", NULL },
		{ "g", "decide", "--socket", "/x", "--hub-uid", "self", "--deadline", "0",
			"--dialect", "c", "--socket", "/x", NULL },
		{ "g", "decide", "--socket=/x", NULL },
		{ "g", "observe", "--verbose", "1", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *args[14];
		int status, err[2];
		char text[512];
		for (size_t k = 0; k < 14; k++)
			args[k] = (char *)(uintptr_t)rows[i][k];
		assert_int_equal(pipe2(err, O_CLOEXEC), 0);
		pid_t pid = fork();
		if (pid == 0) {
			dup2(err[1], 2);
			execv(GATE, args);
			_exit(98);
		}
		close(err[1]);
		ssize_t n = read(err[0], text, sizeof(text) - 1);
		close(err[0]);
		assert_true(n > 0);
		assert_memory_equal(text, "OBSTAT-E01 ", 11);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_int_equal(WEXITSTATUS(status),
			args[1] != NULL && strcmp(args[1], "observe") == 0 ? 0 : 2);
	}
}

/* A fake hub under another user. */
static void test_wrong_uid(void **state)
{
	struct box b;

	(void)state;
	box_begin(&b);
	box_listen(&b);
	b.uid = "4294967294"; /* nobody has it */
	box_start(&b, BOX_PAYLOAD);
	int conn = box_accept(&b);
	box_eof(conn); /* not one byte of the request */
	box_ended(&b, 2, "", "OBSTAT-E04 ");

	if (geteuid() != 0) {
		print_message("not root: no second user to be the fake hub\n");
		return;
	}
	box_begin(&b);
	pid_t hub = box_other_user(&b);
	box_start(&b, BOX_PAYLOAD);
	box_ended(&b, 2, "", "OBSTAT-E04 ");
	waitpid(hub, NULL, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_answers),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_bytewise),
		cmocka_unit_test(test_mangled),
		cmocka_unit_test(test_long_answer_slow_reader),
		cmocka_unit_test(test_refusal_while_sending),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_no_hub),
		cmocka_unit_test(test_per_user_link),
		cmocka_unit_test(test_arguments),
		cmocka_unit_test(test_argument_shapes),
		cmocka_unit_test(test_wrong_uid),
	};
	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests_name("gate", tests, NULL, NULL);
}
