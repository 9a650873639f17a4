/*
 * client.c - see bench.h: NDJSON JSON-RPC, blocking, one message at a time.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/sock.h"
#include "tests/bench/bench.h"

#define PATIENCE_MS 60000
#define LINE_MAX_BYTES ((size_t)64 << 20)

void bench_open(struct bench_client *c, const char *path)
{
	struct err e = ERR_INIT;

	memset(c, 0, sizeof(*c));
	c->fd = sock_connect(path, &e);
	if (c->fd < 0)
		bench_die("%s", e.text);
	buf_init(&c->in, LINE_MAX_BYTES);
}

void bench_close(struct bench_client *c)
{
	close(c->fd);
	buf_free(&c->in);
}

static void await(struct bench_client *c, short events)
{
	struct pollfd p = { c->fd, events, 0 };

	if (poll(&p, 1, PATIENCE_MS) <= 0)
		bench_die("the hub said nothing for %d s", PATIENCE_MS / 1000);
}

static void put(struct bench_client *c, const char *p, size_t n)
{
	while (n > 0) {
		ssize_t k = send(c->fd, p, n, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (k < 0 && errno == EAGAIN)
			await(c, POLLOUT);
		else if (k < 0)
			bench_die("the hub hung up: %s", strerror(errno));
		else
			p += k, n -= (size_t)k;
	}
}

void bench_send(struct bench_client *c, struct sv line)
{
	struct buf b;

	buf_init(&b, line.n + 2);
	buf_addsv(&b, line);
	buf_addc(&b, '\n');
	put(c, b.p, b.n);
	buf_free(&b);
}

uint64_t bench_request(struct bench_client *c, const char *method, const char *params)
{
	struct buf b;

	buf_init(&b, LINE_MAX_BYTES);
	buf_addf(&b, "{\"jsonrpc\":\"2.0\",\"id\":%llu,\"method\":\"%s\",\"params\":",
		(unsigned long long)++c->next, method);
	buf_adds(&b, params != NULL ? params : "{}");
	buf_adds(&b, "}\n");
	if (b.over)
		bench_die("a request is too long");
	put(c, b.p, b.n);
	buf_free(&b);
	return c->next;
}

struct jv *bench_next(struct bench_client *c)
{
	struct err e = ERR_INIT;

	for (;;) {
		char *lf = c->in.n > c->looked ?
			memchr(c->in.p + c->looked, '\n', c->in.n - c->looked) : NULL;
		struct jv *v;
		ssize_t k;

		if (lf != NULL) {
			size_t n = (size_t)(lf - c->in.p);

			v = jv_read((struct sv){ c->in.p, n }, &e);
			if (v == NULL)
				bench_die("not JSON from the hub: %s", e.text);
			buf_drop_front(&c->in, n + 1);
			c->looked = 0;
			return v;
		}
		c->looked = c->in.n;
		if (buf_reserve(&c->in, 65536) != 0)
			bench_die("a line of the hub is too long");
		await(c, POLLIN);
		k = recv(c->fd, c->in.p + c->in.n, 65536, MSG_DONTWAIT);
		if (k == 0 || (k < 0 && errno != EAGAIN && errno != EINTR))
			bench_die("the hub hung up");
		if (k > 0)
			c->in.n += (size_t)k;
	}
}

struct jv *bench_response(struct bench_client *c, uint64_t id)
{
	for (;;) {
		struct jv *v = bench_next(c);

		if (jv_get(v, "method") != NULL || jv_get_i(v, "id", -1) != (int64_t)id) {
			jv_free(&v);
			continue;
		}
		if (jv_get(v, "error") != NULL) {
			struct sv m = jv_get_sv(jv_get(v, "error"), "message");

			bench_die("the hub refused: %.*s", SVFMT(m));
		}
		return v;
	}
}

void bench_call(struct bench_client *c, const char *method, const char *params)
{
	struct jv *v = bench_response(c, bench_request(c, method, params));

	jv_free(&v);
}

void bench_console(struct bench_client *c)
{
	bench_open(c, scene.console);
	bench_call(c, "hello", "{\"protocol\":1,\"console\":{\"name\":\"bench\","
		"\"version\":\"1\"}}");
}

void bench_native(struct bench_client *c, const char *session)
{
	char params[512];

	bench_open(c, scene.agent);
	snprintf(params, sizeof(params), "{\"protocol\":1,\"agent\":{\"name\":\"bench\","
		"\"version\":\"1\"},\"session\":{\"id\":\"%s\"}}", session);
	bench_call(c, "hello", params);
}
