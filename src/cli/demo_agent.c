/*
 * demo_agent.c - the demo's agent: asks the hub before it acts, over the real
 * agent socket, and acts on nothing: what was approved it reports as done.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/json_out.h"
#include "base/sock.h"
#include "cli/demo.h"
#include "config.h"

#define LINE_MAX_BYTES (1u << 20)
#define HELLO_ID 100           /* ids below are rows of demo_actions */
#define RESULT_ID 200

struct agent {
	int fd, out;
	const char *work;
	struct buf in;
	size_t waiting, answered, owed;  /* owed: replies to results */
	bool sent[32];
};

static int agent_send(const struct agent *g, struct jv *msg)
{
	struct buf b;
	int rc;
	size_t at = 0;

	buf_init(&b, LINE_MAX_BYTES);
	rc = jv_write(msg, &b);
	if (rc == 0)
		rc = buf_addc(&b, '\n');
	jv_free(&msg);
	while (rc == 0 && at < b.n) {
		struct pollfd p = { g->fd, POLLOUT, 0 };
		ssize_t n = send(g->fd, b.p + at, b.n - at, MSG_NOSIGNAL);

		if (n >= 0)
			at += (size_t)n;
		else if (errno != EAGAIN && errno != EINTR)
			rc = -1;
		else if (errno == EAGAIN)
			poll(&p, 1, -1);
	}
	buf_free(&b);
	return rc;
}

static struct jv *agent_call(const char *method, int64_t id, struct jv *params)
{
	struct jv *msg = jv_obj();

	jv_put_s(msg, "jsonrpc", "2.0");
	jv_put_i(msg, "id", id);
	jv_put_s(msg, "method", method);
	jv_put(msg, "params", params);
	return msg;
}

/* The demo's folder is new each time, so a key need not be random to be new. */
static void agent_key(const struct demo_action *a, char out[33])
{
	struct digest d = sha256(sv_of(a->name));

	hex_of(d.b, 16, out);
}

/* The row's params, with the work tree's path for each "@". */
static struct jv *agent_params(const struct agent *g, const struct demo_action *a)
{
	struct err e = ERR_INIT;
	struct buf path, b;
	struct jv *v = jv_strv(sv_of(g->work));

	buf_init(&path, LINE_MAX_BYTES);
	buf_init(&b, LINE_MAX_BYTES);
	jv_write(v, &path);
	jv_free(&v);
	for (const char *p = a->params; *p != '\0'; p++) {
		if (*p == '@' && (p[1] == '/' || p[1] == '"') && p[-1] == '"')
			buf_addsv(&b, (struct sv){ path.p + 1, path.n - 2 });
		else
			buf_addc(&b, *p);
	}
	v = jv_read(buf_sv(&b), &e);
	if (v == NULL)
		fatal("demo action %s: %s", a->name, e.text);
	buf_free(&path);
	buf_free(&b);
	return v;
}

static int agent_ask(struct agent *g, size_t i)
{
	const struct demo_action *a = &demo_actions[i];
	struct jv *params = agent_params(g, a), *origin = jv_obj();
	char key[33];

	agent_key(a, key);
	jv_put_s(params, "key", key);
	jv_put_s(origin, "session", "clean-up");
	jv_put_s(origin, "turn", a->name);
	jv_put(params, "origin", origin);
	g->sent[i] = true;
	g->waiting++;
	return agent_send(g, agent_call("approval/request", (int64_t)i, params));
}

static int agent_hello(struct agent *g)
{
	struct jv *p = jv_obj(), *me = jv_obj(), *session = jv_obj();

	jv_put_s(me, "name", DEMO_AGENT);
	jv_put_s(me, "version", PACKAGE_VERSION);
	jv_put_s(session, "id", "clean-up");
	jv_put_s(session, "cwd", g->work);
	jv_put_i(p, "protocol", 1);
	jv_put(p, "agent", me);
	jv_put(p, "session", session);
	return agent_send(g, agent_call("hello", HELLO_ID, p));
}

static int agent_event(struct agent *g, const char *kind)
{
	struct jv *p = jv_obj(), *origin = jv_obj(), *msg = jv_obj();

	jv_put_s(origin, "session", "clean-up");
	jv_put_s(p, "kind", kind);
	jv_put(p, "origin", origin);
	jv_put_s(msg, "jsonrpc", "2.0");
	jv_put_s(msg, "method", "event");
	jv_put(msg, "params", p);
	return agent_send(g, msg);
}

static int agent_result(struct agent *g, size_t i)
{
	struct jv *p = jv_obj();
	char key[33];

	agent_key(&demo_actions[i], key);
	jv_put_s(p, "key", key);
	jv_put_s(p, "status", "ok");
	g->owed++;
	return agent_send(g, agent_call("approval/result",
		RESULT_ID + (int64_t)i, p));
}

/* Sends what may go now; denied: the row that was just denied, or -1. */
static int agent_go_on(struct agent *g, long denied)
{
	for (size_t i = 0; i < n_demo_actions; i++) {
		const struct demo_action *a = &demo_actions[i];

		if (g->sent[i])
			continue;
		if (a->after_denied != NULL && (denied < 0 ||
		    strcmp(demo_actions[denied].name, a->after_denied) != 0))
			continue;
		if (agent_ask(g, i) != 0)
			return -1;
		if (a->alone)
			return 0;
	}
	return 0;
}

static int agent_tell(const struct agent *g, size_t i, const struct jv *result)
{
	struct buf b;
	ssize_t n;

	buf_init(&b, LINE_MAX_BYTES);
	buf_addf(&b, "%zu ", i);
	jv_write(result, &b);
	buf_addc(&b, '\n');
	n = write(g->out, b.p, b.n);
	n = n == (ssize_t)b.n ? 0 : -1;
	buf_free(&b);
	return (int)n;
}

static int agent_answered(struct agent *g, size_t i, const struct jv *msg)
{
	const struct jv *result = jv_get(msg, "result");
	struct sv outcome = jv_get_sv(result, "outcome");
	bool denied = sv_eqs(outcome, "denied");

	g->waiting--;
	g->answered++;
	if (agent_tell(g, i, result != NULL ? result : jv_get(msg, "error")) != 0)
		return -1;
	if (sv_eqs(outcome, "approved") && agent_result(g, i) != 0)
		return -1;
	return agent_go_on(g, denied ? (long)i : -1);
}

static int agent_line(struct agent *g, struct sv line)
{
	struct err e = ERR_INIT;
	struct jv *msg = jv_read(line, &e);
	int64_t id = msg != NULL ? jv_get_i(msg, "id", -1) : -1;
	int rc = 0;

	if (id == HELLO_ID)
		rc = agent_event(g, "session_start") != 0 ? -1 : agent_go_on(g, -1);
	else if (id >= 0 && (size_t)id < n_demo_actions)
		rc = agent_answered(g, (size_t)id, msg);
	else if (id >= RESULT_ID)
		g->owed--;
	jv_free(&msg);
	return rc;
}

/* Whatever is complete in g->in. */
static int agent_lines(struct agent *g)
{
	char *nl;

	while (g->in.n > 0 && (nl = memchr(g->in.p, '\n', g->in.n)) != NULL) {
		size_t n = (size_t)(nl - g->in.p);

		if (agent_line(g, (struct sv){ g->in.p, n }) != 0)
			return -1;
		buf_drop_front(&g->in, n + 1);
	}
	return 0;
}

/* Waits for more bytes; -1 at the end. */
static int agent_more(struct agent *g)
{
	char block[65536];

	for (;;) {
		struct pollfd p = { g->fd, POLLIN, 0 };
		ssize_t n = recv(g->fd, block, sizeof(block), 0);

		if (n > 0)
			return buf_add(&g->in, block, (size_t)n);
		if (n == 0 || (errno != EAGAIN && errno != EINTR))
			return -1;
		poll(&p, 1, -1);
	}
}

int demo_agent_run(const char *sock, const char *work, int out)
{
	struct err e = ERR_INIT;
	struct agent g = { .out = out, .work = work };
	int rc;

	g.fd = sock_connect(sock, &e);
	if (g.fd < 0)
		return 1;
	buf_init(&g.in, LINE_MAX_BYTES);
	rc = agent_hello(&g);
	while (rc == 0 && (g.answered == 0 || g.waiting > 0 || g.owed > 0)) {
		rc = agent_more(&g);
		if (rc == 0)
			rc = agent_lines(&g);
	}
	if (rc == 0)
		rc = agent_event(&g, "session_end");
	/* A close with bytes unread would look like a crash to the hub. */
	shutdown(g.fd, SHUT_WR);
	while (rc == 0 && agent_more(&g) == 0)
		;
	buf_free(&g.in);
	close(g.fd);
	return rc == 0 ? 0 : 1;
}
