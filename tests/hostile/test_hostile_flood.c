/*
 * test_hostile_flood.c - too much of everything: connections, lines, bytes,
 * requests, sessions, events, answers that nobody reads. Another peer and the
 * person are served meanwhile, and the hub stays small.
 */
#include "tests/hostile/host.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define HELLO "{\"id\":\"h\",\"method\":\"hello\",\"params\":{\"protocol\":1," \
	"\"session\":{\"id\":\"flood\"}}}\n"

static unsigned few(unsigned many)
{
	return host_quick() || host_asan() ? many / 10 : many;
}

/* ---- connections ---- */

static void crowd(struct host *h, const char *path, unsigned n)
{
	int *fds = xcalloc(n, sizeof *fds);
	unsigned cut = 0;
	struct cl late;
	struct jv *v;

	for (unsigned i = 0; i < n; i++) {
		fds[i] = raw_connect(path);
		if (i % 100 == 0)
			host_probe(h);
	}
	/* A person who comes now gets in: looked at in the order of arrival, so
	 * when this is answered all of the crowd were looked at. */
	host_probe(h);
	if (strcmp(path, h->r.console) != 0) {
		console_open(&late, &h->r, "late");
		cl_close(&late);
	}
	cl_open(&late, h->r.agent);
	raw_send(late.fd, HELLO, strlen(HELLO), false);
	v = cl_next(&late);
	if (strcmp(path, h->r.agent) == 0)
		assert_string_equal(error_word(v), "over_limit");
	else
		assert_string_equal(error_word(v), "");
	jv_free(&v);
	cl_close(&late);
	for (unsigned i = 0; i < n; i++) {
		struct pollfd p = { .fd = fds[i], .events = POLLIN };

		cut += poll(&p, 1, 0) == 1;
	}
	assert_true(cut > 0 && cut < n);
	for (unsigned i = 0; i < n; i++)
		close(fds[i]);
	free(fds);
	host_check(h, 64);
}

static void test_connections(void **state)
{
	struct host h;

	(void)state;
	host_begin(&h, NULL);
	crowd(&h, h.r.agent, 1100);
	crowd(&h, h.r.console, 1100);
	/* Those who are turned away and stay take nothing from others. */
	for (unsigned i = 0; i < few(3000); i++)
		close(raw_connect(h.r.agent));
	host_check(&h, 64);
	host_end(&h);
}

/* ---- a process that floods ---- */

/* Without an end, until it is killed. */
static pid_t flood_begin(const char *path, const char *line, bool reads)
{
	int p[2];
	size_t len = strlen(line), per = len < 65536 ? 65536 / len : 1;
	char *block = xmalloc(per * len), c;
	pid_t pid;

	for (size_t i = 0; i < per; i++)
		memcpy(block + i * len, line, len);
	assert_int_equal(pipe(p), 0);
	pid = fork();
	if (pid == 0) {
		int fd = raw_connect(path);

		raw_send(fd, HELLO, strlen(HELLO), false);
		for (unsigned i = 0;; i++) {
			if (i == 3)
				(void)!write(p[1], "s", 1);
			if (raw_send(fd, block, per * len, reads))
				continue;
			close(fd);
			fd = raw_connect(path);
			raw_send(fd, HELLO, strlen(HELLO), false);
		}
	}
	close(p[1]);
	free(block);
	assert_int_equal(read(p[0], &c, 1), 1);   /* it is under way */
	close(p[0]);
	return pid;
}

/* Others are served although the flood has no end. */
static void flood(struct host *h, const char *path, const char *line, bool reads)
{
	pid_t pid = flood_begin(path, line, reads);
	struct jv *v;
	int status;

	for (int i = 0; i < 30; i++) {
		host_probe(h);
		v = cl_call(&h->con, "hub/status", "{}");
		jv_free(&v);
	}
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	host_check(h, 128);
}

static void test_lines(void **state)
{
	struct host h;

	(void)state;
	host_begin(&h, NULL);
	flood(&h, h.r.agent, "{}\n", true);
	flood(&h, h.r.agent, "\n", true);
	flood(&h, h.r.agent, "{}\n", false);
	flood(&h, h.r.agent, "{\"id\":1,\"method\":\"hello\",\"params\":{\"protocol\":1}}\n",
		true);
	flood(&h, h.r.console, "{}\n", true);
	host_end(&h);
}

/* A console that asks and never reads is asked to read first. */
static void test_deaf(void **state)
{
	static const char ask[] = "{\"id\":1,\"method\":\"hub/status\"}\n";
	struct host h;
	int fds[20];

	(void)state;
	host_begin(&h, NULL);
	for (unsigned i = 0; i < 20; i++) {
		unsigned stuck = 0, sent = 0;

		fds[i] = raw_connect(h.r.console);
		raw_send(fds[i], HELLO, strlen(HELLO), false);
		while (stuck < 5 && sent < 50000) {
			if (send(fds[i], ask, sizeof ask - 1, MSG_DONTWAIT |
			    MSG_NOSIGNAL) > 0) {
				stuck = 0;
				sent++;
			} else {
				stuck++;
				host_probe(&h);    /* the hub had its turn */
			}
		}
		if (stuck < 5)
			fail_msg("%u calls were taken without an answer read", sent);
	}
	if (!host_asan() && host_rss_kb(&h, "VmHWM") - h.rss_kb > 64 * 1024)
		fail_msg("%ld KiB at most", host_rss_kb(&h, "VmHWM"));
	for (unsigned i = 0; i < 20; i++)
		close(fds[i]);
	host_check(&h, 64);
	host_end(&h);
}

/* ---- requests that wait ---- */

#define REQUEST "{\"id\":%u,\"method\":\"approval/request\",\"params\":{\"key\":" \
	"\"%032x\",\"kind\":\"command\",\"action\":{\"command\":\"make %u\"}}}\n"

static void test_requests(void **state)
{
	unsigned n = host_quick() ? 2000 : 10000, errors = 0, rows;
	struct host h;
	struct buf b;
	struct cl c;
	struct jv *v;

	(void)state;
	host_begin(&h, NULL);
	cl_open(&c, h.r.agent);
	raw_send(c.fd, HELLO, strlen(HELLO), false);
	v = cl_next(&c);
	jv_free(&v);
	buf_init(&b, (size_t)16 << 20);
	for (unsigned i = 1; i <= n; i++) {
		buf_clear(&b);
		buf_addf(&b, REQUEST, i % 1000, i, i);
		raw_send(c.fd, b.p, b.n, false);
		if (i % 1000 == 0)
			host_probe(&h);
		/* What waits is answered later: the rest is refused, in order. */
		for (; i > 256 && errors < i - 256; errors++) {
			v = cl_next(&c);
			assert_string_equal(error_word(v), "over_limit");
			jv_free(&v);
		}
	}
	h.errors += errors;
	assert_int_equal(errors, n - 256);
	v = cl_call(&h.con, "queue/subscribe", "{}");
	rows = (unsigned)jv_len(jv_get(jv_get(v, "result"), "rows"));
	jv_free(&v);
	assert_int_equal(rows, 256);
	v = cl_call(&h.con, "hub/stop_all", "{}");
	assert_int_equal(jv_get_i(jv_get(v, "result"), "denied", 0), 256);
	jv_free(&v);
	advance(&h.con, 2000);
	for (unsigned i = 0; i < 256; i++) {
		v = cl_next(&c);
		assert_true(sv_eqs(jv_get_sv(jv_get(v, "result"), "outcome"), "denied"));
		jv_free(&v);
	}
	v = cl_call(&h.con, "hub/hold", "{\"on\":false}");
	jv_free(&v);
	buf_free(&b);
	cl_close(&c);
	host_check(&h, 128);
	host_end(&h);
}

/* Asked and withdrawn at once: what is closed is charged to nobody. */
static void test_withdrawn(void **state)
{
	unsigned n = host_quick() || host_asan() ? 12 : 20;
	size_t big = 12u << 20;
	char *text = xmalloc(big + 1);
	struct host h;
	struct buf b;

	(void)state;
	host_begin(&h, NULL);
	memset(text, 'x', big);
	text[big] = '\0';
	buf_init(&b, (size_t)16 << 20);
	for (unsigned i = 1; i <= n; i++) {
		struct jv *v;
		struct cl c;

		cl_open(&c, h.r.agent);
		buf_clear(&b);
		buf_addf(&b, HELLO "{\"id\":1,\"method\":\"approval/request\",\"params\":"
			"{\"key\":\"%032x\",\"kind\":\"command\",\"action\":{\"command\":\"%s\"}}}\n",
			i, text);
		raw_send(c.fd, b.p, b.n, false);
		v = cl_note(&h.con, "queue/added");
		jv_free(&v);
		cl_close(&c);
		v = cl_note(&h.con, "queue/closed");
		jv_free(&v);
		host_probe(&h);
	}
	buf_free(&b);
	free(text);
	host_check(&h, 256);
	host_end(&h);
}

/* ---- sessions and events ---- */

static void events(struct host *h, unsigned n, const char *fmt, size_t fill)
{
	char *text = xmalloc(fill + 1);
	struct buf b;
	int fd = raw_connect(h->r.agent);

	memset(text, 'x', fill);
	text[fill] = '\0';
	buf_init(&b, (size_t)1 << 20);
	raw_send(fd, HELLO, strlen(HELLO), false);
	for (unsigned i = 0; i < n; i++) {
		buf_clear(&b);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		buf_addf(&b, fmt, i, i, text);
#pragma GCC diagnostic pop
		raw_send(fd, b.p, b.n, false);
		if (i % 5000 == 0)
			host_probe(h);
	}
	free(text);
	buf_free(&b);
	close(fd);
	host_check(h, 128);
}

/* Results of tools by the gate's framing, with long commands. */
static void test_results(void **state)
{
	unsigned n = few(3000);
	size_t fill = 200000;
	char *text = xmalloc(fill + 1);
	struct host h;
	struct buf b;

	(void)state;
	host_begin(&h, NULL);
	memset(text, 'x', fill);
	text[fill] = '\0';
	buf_init(&b, (size_t)1 << 20);
	buf_addf(&b, "{\"hook_event_name\":\"PostToolUse\",\"session_id\":\"r\",\"tool_use_id\":"
		"\"t\",\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"%s\"}}", text);
	buf_addc(&b, '\0');
	for (unsigned i = 0; i < n; i++) {
		static const uint8_t key[16] = { 5 };
		int fd = gate_connect(&h.r, "claude", 2, key, 0, b.p);
		struct gate_answer a;

		gate_serve(fd, &a);
		assert_int_equal(a.verdict, 4);
		if (i % 100 == 0)
			host_probe(&h);
	}
	buf_free(&b);
	free(text);
	host_check(&h, 128);
	if (!host_asan() && host_rss_kb(&h, "VmHWM") - h.rss_kb > 256 * 1024)
		fail_msg("%ld KiB at most", host_rss_kb(&h, "VmHWM"));
	host_end(&h);
}

static void test_events(void **state)
{
	struct host h;

	(void)state;
	host_begin(&h, NULL);
	events(&h, few(100000), "{\"method\":\"event\",\"params\":{\"kind\":\"tool_ok\","
		"\"origin\":{\"session\":\"s%u\",\"call\":\"c%u\"},\"text\":\"%s\"}}\n", 1);
	events(&h, few(100000), "{\"method\":\"event\",\"params\":{\"kind\":\"tool_ok\","
		"\"origin\":{\"session\":\"s\",\"turn\":\"t%u\",\"call\":\"c%u\"},"
		"\"text\":\"%s\"}}\n", 1);
	events(&h, few(20000), "{\"method\":\"event\",\"params\":{\"kind\":\"message\","
		"\"origin\":{\"session\":\"s%u\",\"turn\":\"t%u\",\"task\":\"%s\"}}}\n", 4000);
	host_end(&h);
}

/* ---- bytes ---- */

static void test_bytes(void **state)
{
	unsigned n = host_quick() || host_asan() ? 16 : 64;
	size_t big = (16u << 20) - 64;
	struct host h;
	char *line = xmalloc(big + 1);
	int fds[64];

	(void)state;
	host_begin(&h, NULL);
	for (int console = 0; console < 2; console++) {
		unsigned cut = 0;

		/* Half a line from each, as long as a line may be. */
		memset(line, 'x', big);
		line[0] = '{';
		for (unsigned i = 0; i < n; i++) {
			fds[i] = raw_connect(console ? h.r.console : h.r.agent);
			raw_send(fds[i], line, big, false);
			host_probe(&h);
		}
		for (unsigned i = 0; i < n; i++) {
			struct pollfd p = { .fd = fds[i], .events = POLLIN };

			cut += poll(&p, 1, 0) == 1;
		}
		assert_true(cut > 0);
		for (unsigned i = 0; i < n; i++)
			close(fds[i]);
		host_check(&h, 96);
	}
	if (!host_asan() && host_rss_kb(&h, "VmHWM") - h.rss_kb > 256 * 1024)
		fail_msg("%ld KiB at most", host_rss_kb(&h, "VmHWM"));
	free(line);
	host_end(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_requests),
		cmocka_unit_test(test_withdrawn),
		cmocka_unit_test(test_results),
		cmocka_unit_test(test_events),
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_connections),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_deaf),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
