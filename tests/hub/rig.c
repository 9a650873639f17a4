/*
 * rig.c - see rig.h.
 */
#include "tests/hub/rig.h"

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
#include "tests/check.h"

#define WAIT_MS 30000

/* The gate that opens files while a test waits for something else. */
static int live_gate = -1;
static unsigned live_opens;
static void gate_opens_one(int fd);

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
	live_gate = -1;
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


/* One 'O' answered; a verdict stays for gate_serve(). */
static void live_gate_serve(void)
{
	char c = 0;

	if (recv(live_gate, &c, 1, MSG_PEEK | MSG_DONTWAIT) != 1 || c != 'O') {
		live_gate = -1;
		return;
	}
	(void)!read(live_gate, &c, 1);
	live_opens++;
	gate_opens_one(live_gate);
}

static void wait_fd(int fd, short events)
{
	for (;;) {
		struct pollfd p[2] = { { .fd = fd, .events = events },
			{ .fd = fd == live_gate ? -1 : live_gate, .events = POLLIN } };
		int n = poll(p, 2, WAIT_MS);

		if (n < 0 && errno == EINTR)
			continue;
		if (n == 0)
			fail_msg("nothing came for %d ms", WAIT_MS);
		if (p[1].revents != 0)
			live_gate_serve();
		if (p[0].revents != 0)
			return;
	}
}

static void send_all(int fd, const void *p, size_t n)
{
	const char *at = p;

	while (n > 0) {
		ssize_t k = sock_send_fd(fd, at, n, -1);

		if (k < 0 && errno == EAGAIN) {
			wait_fd(fd, POLLOUT);
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
	send_all(c->fd, line, strlen(line));
	send_all(c->fd, "\n", 1);
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
		wait_fd(c->fd, POLLIN);
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

/* ---- the gate ---- */

char *hook_payload(const struct rig *r, const char *event, const char *tool,
	const char *input, const char *call)
{
	return xasprintf("{\"session_id\":\"sess\",\"cwd\":\"%s\","
		"\"hook_event_name\":\"%s\",\"tool_name\":\"%s\",\"tool_input\":%s,"
		"\"tool_use_id\":\"%s\"}", r->work, event, tool, input, call);
}

static void put_le(struct buf *b, uint64_t v, int n)
{
	for (int i = 0; i < n; i++)
		buf_addc(b, (char)(v >> (8 * i)));
}

int gate_connect(struct rig *r, const char *dialect, int mode, const uint8_t key[16],
	uint64_t ms, const char *payload)
{
	struct err e = ERR_INIT;
	int fd = sock_connect(r->agent, &e);
	struct buf b;

	if (fd < 0)
		fail_msg("%s", e.text);
	buf_init(&b, (size_t)32 << 20);
	buf_adds(&b, "OBG1");
	put_le(&b, (uint64_t)mode, 1);
	put_le(&b, strlen(dialect), 1);
	buf_adds(&b, dialect);
	buf_add(&b, key, 16);
	put_le(&b, ms, 8);
	put_le(&b, strlen(payload), 4);
	buf_adds(&b, payload);
	send_all(fd, b.p, b.n);
	buf_free(&b);
	return fd;
}

/* n bytes or false at EOF. */
static bool read_n(int fd, void *p, size_t n)
{
	char *at = p;

	while (n > 0) {
		ssize_t k = read(fd, at, n);

		if (k < 0 && (errno == EAGAIN || errno == EINTR)) {
			wait_fd(fd, POLLIN);
			continue;
		}
		if (k <= 0)
			return false;
		at += k;
		n -= (size_t)k;
	}
	return true;
}

static uint32_t le32(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void gate_opens_one(int fd)
{
	uint8_t h[7], f[9] = { 'F' };
	char path[5000];
	size_t n;
	int file, error;

	if (!read_n(fd, h, sizeof h))
		return;
	n = h[5] | (size_t)h[6] << 8;
	assert_true(n < sizeof path);
	if (!read_n(fd, path, n))
		return;
	path[n] = '\0';
	file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY |
		(h[4] == 2 ? O_DIRECTORY : 0));
	error = file < 0 ? errno : 0;
	memcpy(f + 1, h, 4);
	f[5] = (uint8_t)error;
	(void)!sock_send_fd(fd, f, sizeof f, file);  /* a dead hub: seen later */
	if (file >= 0)
		close(file);
}

static void gate_text(int fd, char *out, size_t n)
{
	uint8_t h[4];
	size_t k;

	assert_true(read_n(fd, h, 4));
	k = le32(h);
	assert_true(k < n);
	assert_true(read_n(fd, out, k));
	out[k] = '\0';
}

void gate_live(int fd)
{
	live_gate = fd;
	live_opens = 0;
}

unsigned gate_opened(void)
{
	return live_opens;
}

/* stdout and stderr come one after the other: 'V' verdict n out n err crc. */
void gate_serve(int fd, struct gate_answer *a)
{
	char c;
	uint8_t v, crc[4];

	live_gate = -1;
	memset(a, 0, sizeof *a);
	while (read_n(fd, &c, 1)) {
		if (c == 'O') {
			a->opens++;
			gate_opens_one(fd);
			continue;
		}
		assert_int_equal(c, 'V');
		assert_true(read_n(fd, &v, 1));
		gate_text(fd, a->out, sizeof a->out);
		gate_text(fd, a->err, sizeof a->err);
		assert_true(read_n(fd, crc, 4));
		a->verdict = v;
		assert_false(read_n(fd, &c, 1));
		break;
	}
	close(fd);
}
