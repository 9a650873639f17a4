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

struct flood {
	pid_t pid;
	int said;                  /* 's' when it is under way, 'e' at its end */
};

static void flood_begin(struct flood *f, const char *path, const char *line,
	unsigned n, bool reads)
{
	int p[2];
	size_t len = strlen(line), per = len < 65536 ? 65536 / len : 1;
	char *block = xmalloc(per * len);

	for (size_t i = 0; i < per; i++)
		memcpy(block + i * len, line, len);
	assert_int_equal(pipe(p), 0);
	f->pid = fork();
	if (f->pid == 0) {
		int fd = raw_connect(path);

		raw_send(fd, HELLO, strlen(HELLO), false);
		for (unsigned i = 0; i < n; i++) {
			while (!raw_send(fd, block, per * len, reads)) {
				close(fd);
				fd = raw_connect(path);
				raw_send(fd, HELLO, strlen(HELLO), false);
			}
			if (i == n / 10)
				(void)!write(p[1], "s", 1);
		}
		(void)!write(p[1], "e", 1);
		_exit(0);
	}
	close(p[1]);
	free(block);
	f->said = p[0];
}

static bool flood_over(const struct flood *f)
{
	struct pollfd p = { .fd = f->said, .events = POLLIN };

	return poll(&p, 1, 0) == 1;
}

static void flood_end(struct flood *f)
{
	int status;

	close(f->said);
	assert_int_equal(waitpid(f->pid, &status, 0), f->pid);
	assert_int_equal(status, 0);
}

/* While the flood comes, others are served: five times before its end. */
static void flood(struct host *h, const char *path, const char *line, unsigned n,
	bool reads)
{
	struct flood f;
	struct jv *v;
	char c;

	flood_begin(&f, path, line, n, reads);
	assert_int_equal(read(f.said, &c, 1), 1);
	for (int i = 0; i < 5; i++) {
		assert_false(flood_over(&f));
		host_probe(h);
		v = cl_call(&h->con, "hub/status", "{}");
		jv_free(&v);
	}
	flood_end(&f);
	host_check(h, 128);
}

static void test_lines(void **state)
{
	struct host h;

	(void)state;
	host_begin(&h, NULL);
	flood(&h, h.r.agent, "{}\n", few(200), true);
	flood(&h, h.r.agent, "\n", few(600), true);
	flood(&h, h.r.agent, "{}\n", few(100), false);
	flood(&h, h.r.agent, "{\"id\":1,\"method\":\"hello\",\"params\":{\"protocol\":1}}\n",
		few(200), true);
	flood(&h, h.r.console, "{}\n", few(200), true);
	flood(&h, h.r.console, "{\"id\":1,\"method\":\"queue/subscribe\"}\n", few(100), false);
	host_end(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_connections),
		cmocka_unit_test(test_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
