/*
 * decider.c - a scripted person for tests: claude_decider SOCKET WORD...
 *
 * Does its words in order and waits for what the hub says, never for time:
 *   wait TEXT       until an action whose line holds TEXT waits for a person;
 *                   it is the one the next words are about
 *   approve         reads every line, reports it as seen, approves
 *   deny REASON     denies at once
 *   stop REASON     denies and tells the agent to stop
 *   closed OUTCOME  until it is closed, with this outcome
 *   orphan TEXT     as wait, for an action whose hub died
 *   red             until some session is red
 *   past TEXT       approves each action whose line holds TEXT until some
 *                   session is red
 *   calm            fails if some session is red now
 *   print           action/get as one JSON line
 *   sessions        what is known of the sessions, one JSON line each
 * Each other answer than the wanted one, and a minute without any, is a
 * failure that is said.
 */
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/json_out.h"
#include "base/sock.h"

#define PATIENCE_MS 60000
#define ROWS_MAX 4096

struct row {
	int64_t id;
	struct jv *json;           /* the row as last told */
	bool taken;                /* wait gives each only once */
};
static int hub;
static int64_t last_id;
static struct buf in;
static struct row rows[ROWS_MAX];
static size_t n_rows;
static struct jv *sessions[ROWS_MAX];
static size_t n_sessions;
static struct row *now;        /* what the words are about */
static const char *doing = "start";

__attribute__((noreturn, format(printf, 1, 2)))
static void give_up(const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "decider: %s: ", doing);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	for (size_t i = 0; i < n_rows; i++) {
		struct buf b;

		buf_init(&b, 1u << 20);
		jv_write(rows[i].json, &b);
		fprintf(stderr, "decider: knows %.*s\n", SVFMT(buf_sv(&b)));
		buf_free(&b);
	}
	exit(1);
}

/* ---- messages ---- */

static void ready_for(short events)
{
	struct pollfd p = { hub, events, 0 };
	int n = poll(&p, 1, PATIENCE_MS);

	if (n == 0)
		give_up("nothing for a minute");
	if (n < 0 && errno != EINTR)
		give_up("poll: %s", strerror(errno));
}

static struct jv *next_line(void)
{
	for (;;) {
		char block[65536], *nl = in.n > 0 ? memchr(in.p, '\n', in.n) : NULL;
		struct err e = ERR_INIT;
		struct jv *v;
		ssize_t n;

		if (nl != NULL) {
			size_t len = (size_t)(nl - in.p);

			v = jv_read((struct sv){ in.p, len }, &e);
			if (v == NULL)
				give_up("not JSON: %s", e.text);
			memmove(in.p, nl + 1, in.n - len - 1);
			in.n -= len + 1;
			return v;
		}
		ready_for(POLLIN);
		n = recv(hub, block, sizeof block, MSG_DONTWAIT);
		if (n == 0)
			give_up("the hub closed the connection");
		if (n > 0)
			buf_add(&in, block, (size_t)n);
		else if (errno != EAGAIN && errno != EINTR)
			give_up("recv: %s", strerror(errno));
	}
}

static void take_row(const struct jv *row)
{
	int64_t id = jv_get_i(row, "id", 0);
	size_t i;

	for (i = 0; i < n_rows && rows[i].id != id; i++)
		;
	if (i == ROWS_MAX)
		give_up("too many rows");
	if (i == n_rows)
		rows[n_rows++] = (struct row){ .id = id };
	if (rows[i].json != NULL)
		jv_free(&rows[i].json);
	rows[i].json = jv_copy(row);
}

static void take_session(const struct jv *s)
{
	size_t i;

	for (i = 0; i < n_sessions; i++)
		if (sv_eq(jv_get_sv(sessions[i], "session"), jv_get_sv(s, "session")))
			break;
	if (i == ROWS_MAX)
		give_up("too many sessions");
	if (i == n_sessions)
		n_sessions++;
	else
		jv_free(&sessions[i]);
	sessions[i] = jv_copy(s);
}

static void take_note(const struct jv *m)
{
	const struct jv *params = jv_get(m, "params");

	if (jv_get(params, "row") != NULL)
		take_row(jv_get(params, "row"));
	if (jv_get(params, "session") != NULL)
		take_session(jv_get(params, "session"));
}

/* One message; true, with the message, when it is an answer. */
static bool pump(struct jv **answer)
{
	struct jv *m = next_line();

	if (jv_get(m, "method") == NULL) {
		*answer = m;
		return true;
	}
	take_note(m);
	jv_free(&m);
	return false;
}

static void wait_news(void)
{
	struct jv *m;

	if (pump(&m))
		give_up("an answer to nothing");
}

static struct jv *call(const char *method, struct jv *params)
{
	struct jv *m = jv_obj(), *res;
	struct buf b;

	jv_put_s(m, "jsonrpc", "2.0");
	jv_put_i(m, "id", ++last_id);
	jv_put_s(m, "method", method);
	jv_put(m, "params", params != NULL ? params : jv_obj());
	buf_init(&b, 16u << 20);
	jv_write(m, &b);
	buf_addc(&b, '\n');
	jv_free(&m);
	for (size_t at = 0; at < b.n;) {
		ssize_t n = send(hub, b.p + at, b.n - at, MSG_NOSIGNAL);

		if (n > 0)
			at += (size_t)n;
		else
			ready_for(POLLOUT);
	}
	buf_free(&b);
	while (!pump(&m))
		;
	if (jv_get_i(m, "id", 0) != last_id || jv_get(m, "result") == NULL) {
		buf_init(&b, 1u << 20);
		jv_write(m, &b);
		give_up("%s: %.*s", method, SVFMT(buf_sv(&b)));
	}
	res = jv_copy(jv_get(m, "result"));
	jv_free(&m);
	return res;
}

static struct jv *about(void)
{
	struct jv *o = jv_obj();

	if (now == NULL)
		give_up("wait for an action first");
	jv_put_i(o, "id", now->id);
	return o;
}

static void start(const char *path)
{
	struct jv *o = jv_obj(), *me = jv_obj(), *all;
	struct err e = ERR_INIT;

	hub = sock_connect(path, &e);
	if (hub < 0)
		give_up("%s", e.text);
	buf_init(&in, 64u << 20);
	jv_put_s(me, "name", "decider");
	jv_put_i(o, "protocol", 1);
	jv_put(o, "console", me);
	all = call("hello", o);
	jv_free(&all);
	all = call("queue/subscribe", NULL);
	for (size_t i = 0; i < jv_len(jv_get(all, "rows")); i++)
		take_row(jv_at(jv_get(all, "rows"), i));
	for (size_t i = 0; i < jv_len(jv_get(all, "sessions")); i++)
		take_session(jv_at(jv_get(all, "sessions"), i));
	jv_free(&all);
}

/* ---- words ---- */

static bool row_is(const struct row *r, const char *text, const char *state)
{
	struct sv s = jv_get_sv(r->json, "text");

	return !r->taken && sv_eqs(jv_get_sv(r->json, "state"), state) &&
		(strcmp(state, "pending") != 0 || jv_get_b(r->json, "ready", false)) &&
		memmem(s.p != NULL ? s.p : "", s.n, text, strlen(text)) != NULL;
}

static void wait_row(const char *text, const char *state)
{
	for (;;) {
		for (size_t i = 0; i < n_rows; i++) {
			if (!row_is(&rows[i], text, state))
				continue;
			now = &rows[i];
			now->taken = strcmp(state, "pending") == 0;
			return;
		}
		wait_news();
	}
}

/* As a console does it: each line fetched before it is called seen. */
static void see_all(const struct jv *a)
{
	int64_t from = 0, total = 1;

	while (from < total) {
		struct jv *o = about(), *res, *ranges = jv_arr(), *pair = jv_arr();
		int64_t got;

		jv_put_i(o, "from", from);
		jv_put_i(o, "to", from + 2000);
		res = call("doc/lines", o);
		total = jv_get_i(res, "total", 0);
		got = (int64_t)jv_len(jv_get(res, "lines"));
		jv_free(&res);
		if (got == 0)
			give_up("no lines from %lld on", (long long)from);
		jv_add(pair, jv_int(from));
		jv_add(pair, jv_int(from + got));
		jv_add(ranges, pair);
		o = about();
		jv_put_sv(o, "doc_digest", jv_get_sv(a, "doc_digest"));
		jv_put(o, "ranges", ranges);
		jv_put_i(o, "cols", 80);
		jv_put_i(o, "rows", 24);
		jv_put_i(o, "ms", 1000);
		res = call("action/seen", o);
		jv_free(&res);
		from += got;
	}
}

static void decide(const char *verb, const char *reason)
{
	struct jv *a = call("action/get", about()), *o, *res;

	if (strcmp(verb, "approve") == 0)
		see_all(a);
	o = about();
	jv_put_sv(o, "action_digest", jv_get_sv(a, "action_digest"));
	jv_put_sv(o, "doc_digest", jv_get_sv(a, "doc_digest"));
	jv_put_s(o, "outcome", verb);
	if (reason != NULL)
		jv_put_s(o, "reason", reason);
	res = call("action/decide", o);
	jv_free(&res);
	jv_free(&a);
}

static void wait_closed(const char *outcome)
{
	if (now == NULL)
		give_up("wait for an action first");
	while (!sv_eqs(jv_get_sv(now->json, "state"), "closed"))
		wait_news();
	if (!sv_eqs(jv_get_sv(now->json, "outcome"), outcome))
		give_up("closed as %.*s", SVFMT(jv_get_sv(now->json, "outcome")));
}

static bool any_red(void)
{
	for (size_t i = 0; i < n_sessions; i++)
		if (jv_get_b(sessions[i], "red", false))
			return true;
	return false;
}

static void past(const char *text)
{
	while (!any_red()) {
		struct row *before = now;

		now = NULL;
		for (size_t i = 0; i < n_rows && now == NULL; i++)
			if (row_is(&rows[i], text, "pending"))
				now = &rows[i];
		if (now == NULL) {
			now = before;
			wait_news();
			continue;
		}
		now->taken = true;
		decide("approve", NULL);
	}
}

static void print(const struct jv *v)
{
	struct buf b;

	buf_init(&b, 64u << 20);
	jv_write(v, &b);
	printf("%.*s\n", SVFMT(buf_sv(&b)));
	fflush(stdout);
	buf_free(&b);
}

static void print_now(void)
{
	struct jv *a = call("action/get", about());

	print(a);
	jv_free(&a);
}

int main(int argc, char **argv)
{
	if (argc < 3) {
		fputs("usage: claude_decider SOCKET WORD...\n", stderr);
		return 2;
	}
	start(argv[1]);
	for (int i = 2; i < argc; i++) {
		const char *arg = argv[i + 1];

		doing = argv[i];
		if (strcmp(doing, "approve") == 0)
			decide("approve", NULL);
		else if (strcmp(doing, "print") == 0)
			print_now();
		else if (strcmp(doing, "red") == 0)
			while (!any_red())
				wait_news();
		else if (strcmp(doing, "calm") == 0 && any_red())
			give_up("a session is red");
		else if (strcmp(doing, "sessions") == 0)
			for (size_t k = 0; k < n_sessions; k++)
				print(sessions[k]);
		else if (strcmp(doing, "calm") == 0)
			continue;
		else if (++i == argc)
			give_up("needs a word after it, or is none");
		else if (strcmp(doing, "wait") == 0)
			wait_row(arg, "pending");
		else if (strcmp(doing, "past") == 0)
			past(arg);
		else if (strcmp(doing, "orphan") == 0)
			wait_row(arg, "orphaned");
		else if (strcmp(doing, "deny") == 0 || strcmp(doing, "stop") == 0)
			decide(doing, arg);
		else if (strcmp(doing, "closed") == 0)
			wait_closed(arg);
		else
			give_up("is no word of the script");
	}
	return 0;
}
