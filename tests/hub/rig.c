/*
 * rig.c - see rig.h.
 */
#include "tests/hub/rig_priv.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sock.h"
#include "store/store.h"
#include "tests/check.h"

#define WAIT_MS 30000

/* Hubs of tests that failed half-way must not outlive us. */
static pid_t rig_hubs[256];
static size_t rig_n_hubs;

static void rig_kill_all(void)
{
	for (size_t i = 0; i < rig_n_hubs; i++)
		if (rig_hubs[i] > 0)
			kill(rig_hubs[i], SIGKILL);
}

static void rig_track(pid_t old, pid_t hub)
{
	size_t i;

	if (rig_n_hubs == 0)
		atexit(rig_kill_all);
	for (i = 0; i < rig_n_hubs && rig_hubs[i] != old; i++)
		;
	if (i == sizeof rig_hubs / sizeof rig_hubs[0])
		return;
	if (i == rig_n_hubs)
		rig_n_hubs++;
	rig_hubs[i] = hub;
}

static void rig_path(char *out, size_t n, const struct rig *r, const char *name)
{
	snprintf(out, n, "%s/%s", r->dir, name);
}

void rig_start(struct rig *r)
{
	gate_live(-1);
	*r = (struct rig){ .hub = -1 };
	snprintf(r->dir, sizeof r->dir, "/tmp/obhub.XXXXXX");
	assert_non_null(mkdtemp(r->dir));
	rig_path(r->state, sizeof r->state, r, "state");
	rig_path(r->config, sizeof r->config, r, "config");
	/* Not below the temporary folder's name: that is never a workspace, but
	 * a folder in it may be. */
	rig_path(r->work, sizeof r->work, r, "work");
	snprintf(r->console, sizeof r->console, "%s/console/sock", r->state);
	snprintf(r->agent, sizeof r->agent, "%s/agent/default/sock", r->state);
	assert_int_equal(mkdir(r->config, 0700), 0);
	assert_int_equal(mkdir(r->work, 0700), 0);
	/* The detached hub becomes our child, so that its end can be awaited. */
	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
}

static void rig_remove(const char *path)
{
	pid_t pid = fork();

	if (pid == 0) {
		execl("/bin/rm", "rm", "-rf", "--", path, (char *)NULL);
		_exit(127);
	}
	waitpid(pid, NULL, 0);
}

void rig_end(struct rig *r)
{
	if (r->hub > 0) {
		kill(r->hub, SIGKILL);
		rig_wait(r);
	}
	rig_remove(r->dir);
}

void rig_hub(struct rig *r, const char *points)
{
	const char *argv[10] = { TESTHUB, "--state", r->state, "--config", r->config,
		"--detach", points != NULL ? "--points" : NULL, points, NULL };
	struct cl c;
	struct jv *res;
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		char log[160];

		snprintf(log, sizeof log, "log_path=%s/asan:detect_leaks=1", r->dir);
		setenv("ASAN_OPTIONS", log, 1);
		setenv("HOME", r->dir, 1);
		execv(TESTHUB, (char *const *)(uintptr_t)argv);
		_exit(127);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	cl_open(&c, r->console);
	res = cl_call(&c, "hello", "{\"protocol\":1,\"console\":{\"name\":\"rig\"}}");
	r->hub = (pid_t)jv_get_i(jv_get(jv_get(res, "result"), "hub"), "pid", -1);
	assert_true(r->hub > 0);
	rig_track(0, r->hub);
	jv_free(&res);
	cl_close(&c);
}

/* What a sanitizer said of a hub would go with the folder. */
static void rig_show(struct rig *r)
{
	char cmd[128];

	snprintf(cmd, sizeof cmd, "cat %s/asan.* >&2 2>/dev/null", r->dir);
	(void)!system(cmd);
}

int rig_wait(struct rig *r)
{
	int status = 0;
	pid_t got;

	do
		got = waitpid(r->hub, &status, 0);
	while (got < 0 && errno == EINTR);
	assert_int_equal(got, r->hub);
	rig_track(r->hub, 0);
	r->hub = -1;
	rig_show(r);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void rig_term(struct rig *r)
{
	assert_int_equal(kill(r->hub, SIGTERM), 0);
	assert_int_equal(rig_wait(r), 0);
}

static void rig_put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

void rig_write(struct rig *r, const char *name, const char *text)
{
	char path[256];

	snprintf(path, sizeof path, "%s/%s", r->work, name);
	rig_put(path, text);
}

void rig_rules(struct rig *r, const char *text)
{
	char path[256];

	snprintf(path, sizeof path, "%s/rules", r->config);
	rig_put(path, text);
}

struct rig_counted {
	enum rec_type type;
	enum rec_field field;
	const char *value;
	unsigned n;
};

static bool rig_count_one(void *arg, const struct rec_view *v)
{
	struct rig_counted *c = arg;

	c->n += v->type == c->type && sv_eqs(rec_view_get(v, c->field), c->value);
	return true;
}

unsigned rig_records(const struct rig *r, enum rec_type type, enum rec_field field,
	const char *value)
{
	struct rig_counted c = { .type = type, .field = field, .value = value };
	struct err e = ERR_INIT;
	struct reader *rd = reader_open(r->state, &e);

	if (rd == NULL)
		fail_msg("%s", e.text);
	assert_int_equal(reader_each(rd, 0, rig_count_one, &c, &e), 0);
	reader_close(&rd);
	return c.n;
}

/* ---- lines ---- */

void cl_open(struct cl *c, const char *path)
{
	struct err e = ERR_INIT;

	*c = (struct cl){ .fd = sock_connect(path, &e), .next = 1 };
	if (c->fd < 0)
		fail_msg("%s", e.text);
	buf_init(&c->in, (size_t)64 << 20);
}

void cl_close(struct cl *c)
{
	for (size_t i = 0; i < c->n; i++)
		jv_free(&c->held[i]);
	c->n = 0;
	if (c->fd >= 0)
		close(c->fd);
	c->fd = -1;
	buf_free(&c->in);
}


void rig_wait_fd(int fd, short events)
{
	for (;;) {
		struct pollfd p[2] = { { .fd = fd, .events = events },
			{ .fd = fd == gate_lives() ? -1 : gate_lives(), .events = POLLIN } };
		int n = poll(p, 2, WAIT_MS);

		if (n < 0 && errno == EINTR)
			continue;
		if (n == 0)
			fail_msg("nothing came for %d ms", WAIT_MS);
		if (p[1].revents != 0)
			gate_live_serve();
		if (p[0].revents != 0)
			return;
	}
}

void rig_send_all(int fd, const void *p, size_t n)
{
	const char *at = p;

	while (n > 0) {
		ssize_t k = sock_send_fd(fd, at, n, -1);

		if (k < 0 && errno == EAGAIN) {
			rig_wait_fd(fd, POLLOUT);
			continue;
		}
		if (k < 0)
			return;      /* the hub has gone: the reader will see */
		at += k;
		n -= (size_t)k;
	}
}

void cl_send(struct cl *c, const char *line)
{
	rig_send_all(c->fd, line, strlen(line));
	rig_send_all(c->fd, "\n", 1);
}

/* The next message, or NULL at EOF. */
static struct jv *cl_read(struct cl *c)
{
	struct err e = ERR_INIT;
	char chunk[65536];

	for (;;) {
		char *lf = c->in.n > 0 ? memchr(c->in.p, '\n', c->in.n) : NULL;
		struct jv *v;
		ssize_t k;

		if (lf != NULL) {
			size_t n = (size_t)(lf - c->in.p);

			v = jv_read((struct sv){ c->in.p, n }, &e);
			if (v == NULL)
				fail_msg("not JSON: %s: %.*s", e.text, (int)n, c->in.p);
			buf_drop_front(&c->in, n + 1);
			return v;
		}
		rig_wait_fd(c->fd, POLLIN);
		k = read(c->fd, chunk, sizeof chunk);
		if (k < 0 && (errno == EAGAIN || errno == EINTR))
			continue;
		if (k <= 0)
			return NULL;
		buf_add(&c->in, chunk, (size_t)k);
	}
}

struct jv *cl_next(struct cl *c)
{
	return cl_read(c);
}

static bool is_note(const struct jv *v, const char *method, uint64_t id)
{
	if (method != NULL)
		return sv_eqs(jv_get_sv(v, "method"), method);
	return jv_get(v, "method") == NULL && jv_get_i(v, "id", -1) == (int64_t)id;
}

static struct jv *cl_wait(struct cl *c, const char *method, uint64_t id)
{
	struct jv *v;

	for (size_t i = 0; i < c->n; i++) {
		v = c->held[i];
		if (!is_note(v, method, id))
			continue;
		memmove(&c->held[i], &c->held[i + 1], (--c->n - i) * sizeof c->held[0]);
		return v;
	}
	for (;;) {
		v = cl_read(c);
		if (v == NULL || is_note(v, method, id))
			return v;
		if (c->n == sizeof c->held / sizeof c->held[0]) {
			jv_free(&c->held[0]);
			memmove(&c->held[0], &c->held[1],
				--c->n * sizeof c->held[0]);
		}
		c->held[c->n++] = v;
	}
}

struct jv *cl_note(struct cl *c, const char *method)
{
	return cl_wait(c, method, 0);
}

struct jv *cl_response(struct cl *c, uint64_t id)
{
	return cl_wait(c, NULL, id);
}

bool cl_eof(struct cl *c)
{
	struct jv *v = cl_wait(c, "no such method", 0);

	return v == NULL;
}

__attribute__((format(printf, 3, 0)))
static uint64_t cl_vrequest(struct cl *c, const char *method, const char *fmt, va_list ap)
{
	char params[65536];
	char *line;
	uint64_t id = c->next++;

	vsnprintf(params, sizeof params, fmt, ap);
	line = xasprintf("{\"jsonrpc\":\"2.0\",\"id\":%llu,\"method\":\"%s\",\"params\":%s}",
		(unsigned long long)id, method, params);
	cl_send(c, line);
	free(line);
	return id;
}

uint64_t cl_request(struct cl *c, const char *method, const char *fmt, ...)
{
	uint64_t id;
	va_list ap;

	va_start(ap, fmt);
	id = cl_vrequest(c, method, fmt, ap);
	va_end(ap);
	return id;
}

struct jv *cl_call(struct cl *c, const char *method, const char *fmt, ...)
{
	struct jv *v;
	uint64_t id;
	va_list ap;

	va_start(ap, fmt);
	id = cl_vrequest(c, method, fmt, ap);
	va_end(ap);
	v = cl_response(c, id);
	if (v == NULL)
		fail_msg("%s: the hub has gone", method);
	return v;
}

char *jv_text(const struct jv *v)
{
	struct buf b;

	buf_init(&b, (size_t)1 << 20);
	jv_write(v, &b);
	return buf_steal(&b, NULL);
}

const char *error_word(const struct jv *response)
{
	static char word[64];
	const struct jv *e = jv_get(response, "error");

	if (e == NULL)
		return "";
	snprintf(word, sizeof word, "%.*s",
		SVFMT(jv_get_sv(jv_get(e, "data"), "error")));
	return word;
}

/* ---- people and runtimes ---- */

void console_open(struct cl *c, struct rig *r, const char *name)
{
	struct jv *v;

	cl_open(c, r->console);
	v = cl_call(c, "hello", "{\"protocol\":1,\"console\":{\"name\":\"%s\","
		"\"tty\":\"/dev/pts/9\"}}", name);
	assert_string_equal(error_word(v), "");
	jv_free(&v);
	v = cl_call(c, "queue/subscribe", "{}");
	assert_true(jv_is_arr(jv_get(jv_get(v, "result"), "rows")));
	jv_free(&v);
}

void native_open_rig(struct cl *c, struct rig *r, const char *session)
{
	struct jv *v;

	cl_open(c, r->agent);
	v = cl_call(c, "hello", "{\"protocol\":1,\"agent\":{\"name\":\"test\","
		"\"version\":\"1\"},\"session\":{\"id\":\"%s\"}}", session);
	assert_string_equal(error_word(v), "");
	jv_free(&v);
}

void advance(struct cl *console, uint64_t ms)
{
	struct jv *v = cl_call(console, "test/advance", "{\"ms\":%llu}",
		(unsigned long long)ms);

	assert_string_equal(error_word(v), "");
	jv_free(&v);
}

uint64_t wait_ready(struct cl *console)
{
	struct jv *v = cl_note(console, "queue/added");
	uint64_t id;
	bool ready = false;

	assert_non_null(v);
	id = (uint64_t)jv_get_i(jv_get(jv_get(v, "params"), "row"), "id", 0);
	jv_free(&v);
	assert_true(id > 0);
	while (!ready) {
		struct jv *row;

		v = cl_note(console, "queue/changed");
		assert_non_null(v);
		row = jv_get(jv_get(v, "params"), "row");
		ready = jv_get_i(row, "id", 0) == (int64_t)id &&
			jv_get_b(row, "ready", false);
		jv_free(&v);
	}
	return id;
}

void look(struct cl *console, uint64_t id, struct shown *s)
{
	*s = (struct shown){ .id = id };
	s->root = cl_call(console, "action/get", "{\"id\":%llu}", (unsigned long long)id);
	assert_string_equal(error_word(s->root), "");
	s->get = jv_get(s->root, "result");
	snprintf(s->act, sizeof s->act, "%.*s", SVFMT(jv_get_sv(s->get, "action_digest")));
	snprintf(s->doc, sizeof s->doc, "%.*s", SVFMT(jv_get_sv(s->get, "doc_digest")));
	s->lines = (uint32_t)jv_get_i(s->get, "lines", 0);
}

void see_all(struct cl *console, const struct shown *s)
{
	struct jv *v = cl_call(console, "action/seen", "{\"id\":%llu,\"doc_digest\":\"%s\","
		"\"ranges\":[[0,%u]],\"cols\":80,\"rows\":24,\"ms\":1500}",
		(unsigned long long)s->id, s->doc, s->lines);

	assert_string_equal(error_word(v), "");
	assert_int_equal(jv_get_i(jv_get(v, "result"), "unseen", -1), 0);
	jv_free(&v);
}

struct jv *decide(struct cl *console, const struct shown *s, const char *outcome,
	const char *more)
{
	return cl_call(console, "action/decide", "{\"id\":%llu,\"action_digest\":\"%s\","
		"\"doc_digest\":\"%s\",\"outcome\":\"%s\"%s}", (unsigned long long)s->id,
		s->act, s->doc, outcome, more);
}

/* ---- the loop's time ---- */

static int64_t ping(struct cl *c)
{
	struct jv *v = cl_call(c, "test/cpu", "{\"cpu\":true}");
	int64_t us = jv_get_i(jv_get(v, "result"), "cpu_us", -1);

	jv_free(&v);
	return us;
}

static void pinger_run(struct rig *r, int stop, int out)
{
	int64_t before, now, res[2] = { 0, 0 };
	struct pollfd p = { .fd = stop, .events = POLLIN };
	struct cl c;

	cl_open(&c, r->console);
	before = ping(&c);
	(void)!write(out, "", 1);            /* running */
	while (poll(&p, 1, 0) == 0) {
		now = ping(&c);
		if (now - before > res[0])
			res[0] = now - before;
		before = now;
		res[1]++;
	}
	(void)!write(out, res, sizeof res);
	_exit(0);
}

void pinger_start(struct pinger *p, struct rig *r)
{
	int to[2], from[2];
	char go;

	assert_int_equal(pipe(to), 0);
	assert_int_equal(pipe(from), 0);
	p->pid = fork();
	if (p->pid == 0) {
		close(to[1]);
		pinger_run(r, to[0], from[1]);
	}
	close(to[0]);
	close(from[1]);
	p->to = to[1];
	p->from = from[0];
	assert_int_equal(read(p->from, &go, 1), 1);
}

int64_t pinger_end(struct pinger *p, unsigned *n_pings)
{
	int64_t res[2] = { -1, 0 };

	close(p->to);
	assert_int_equal(read(p->from, res, sizeof res), sizeof res);
	close(p->from);
	waitpid(p->pid, NULL, 0);
	*n_pings = (unsigned)res[1];
	return res[0];
}
