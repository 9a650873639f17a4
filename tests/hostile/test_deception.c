/*
 * test_deception.c - agents that imitate, hide and reorder: whatever stands
 * in an action and in each of its labels, every string that leaves the hub
 * for a console, every line of the command line tools, the log and the gate's
 * stderr is clean (base/text.h), and nothing of the payload is left out.
 */
#include "tests/hostile/host.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/json_out.h"
#include "base/text.h"
#include "store/store.h"

/* One row adds one trick. */
static const struct trick {
	const char *name, *text;
} tricks[] = {
	{ "plain", "ls -l" },
	{ "chrome", "\xE2\x96\x8C ls\n\xE2\x94\x80\xE2\x94\x80 2 of 2 lines \xC2\xB7 all seen "
		"\xE2\x94\x80\xE2\x94\x80\n a approve   d deny   Esc back" },
	{ "colours", "\x1b[31mrm -rf /\x1b[0m\x1b[8mhidden\x1b[28m" },
	{ "screen", "\x1b[2J\x1b[H\x1b[1;1Hobstat   0 waiting\x1b[?1049l\x1b""c" },
	{ "OSC", "\x1b]0;title\a\x1b]52;c;cm0gLXJmIC8=\x1b\\\x1b]8;;http://x\x1b\\y" },
	{ "DCS", "\x1bP$q\"p\x1b\\\x1b_tmux;x\x1b\\\x1bX\x1b^\x1b\\" },
	{ "C1", "\xC2\x9B" "31m\xC2\x9D" "0;t\xC2\x9C\xC2\x85\xC2\x8D" },
	{ "over-typed", "rm -rf /\rls -l    \b\b\b\b" },
	{ "bidi", "access \xE2\x80\xAE" "cod.exe\xE2\x80\xAC \xE2\x81\xA6" "ab\xE2\x81\xA9 "
		"\xE2\x80\x8F\xE2\x80\x8E\xD8\x9C" },
	{ "right to left", "rm \xD7\x90\xD7\x91\xD7\x92 \xD8\xA7\xD8\xA8 -rf" },
	{ "tags", "ls\xF3\xA0\x81\xB2\xF3\xA0\x81\xAD\xF3\xA0\x80\xA0\xF3\xA0\x81\xBF" },
	{ "zero width", "r\xE2\x80\x8Bm\xE2\x80\x8D \xEF\xBB\xBF-\xE2\x81\xA0rf\xC2\xAD/" },
	{ "selectors", "x\xEF\xB8\x8F\xF3\xA0\x84\x80\xE1\xA0\x8B\xE1\x85\x9F\xE3\x85\xA4" },
	{ "combining", "a\xCC\x81\xCC\x81\xCC\x81\xCC\x81\xCC\x81\xCC\x81\xCC\x81\xCC\x81" },
	{ "blanks", "ls                                                                  "
		"                                          ; rm -rf /" },
	{ "odd blanks", "ls\xC2\xA0\xE2\x80\x83\xE3\x80\x80\xE2\x80\xA8rm\xE2\x80\xA9x\xE2\x80\xAF" },
	{ "notation", "<U+202E> <0xC0> <U+0020 x99> <U+003C>U+202E>" },
	{ "tabs", "ls\t\t\xE2\x87\xA5\tx" },
	{ "NUL and DEL", "a\x01\x02\x7f\x0e\x0f\x18\x1a" "b" },
	{ "private and unassigned", "\xEE\x80\x80\xF4\x8F\xBF\xBD\xEF\xBF\xBE\xF3\xB0\x80\x80" },
	{ "wide", "\xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA7"
		"\xE5\xAD\x97" },
};
#define TRICKS (sizeof tricks / sizeof tricks[0])

/* ---- every string is clean ---- */

static void clean(const char *where, const char *what, struct sv s)
{
	if (!esc_is_clean(s))
		fail_msg("%s: not clean in %s: %.*s", what, where, SVFMT(s));
}

/* The message is cut into its strings by what a string looks like in JSON, so
 * that no member is forgotten: none but clean ones may be written as they are,
 * and escapes stand for nothing else than quotes and backslashes. */
static void clean_json(const char *where, const char *what, const struct jv *v)
{
	struct buf b;
	char *text;

	buf_init(&b, (size_t)256 << 20);
	assert_int_equal(jv_write(v, &b), 0);
	text = buf_steal(&b, NULL);
	clean(where, what, sv_of(text));
	for (const char *p = strchr(text, '\\'); p != NULL; p = strchr(p + 2, '\\'))
		if (p[1] != '"' && p[1] != '\\' && p[1] != '/')
			fail_msg("%s: an escape in %s: %.12s", what, where, p);
	free(text);
}

static void clean_text(const char *where, const char *what, char *text)
{
	char *save = NULL;

	for (char *l = strtok_r(text, "\n", &save); l != NULL; l = strtok_r(NULL, "\n", &save))
		clean(where, what, sv_of(l));
}

/* ---- what a console is sent ---- */

/* All lines; the payload's text, undone, onto out. */
static void read_lines(struct host *h, const char *what, const struct shown *s,
	struct buf *out)
{
	uint32_t at = 0;

	while (at < s->lines) {
		struct jv *v = cl_call(&h->con, "doc/lines", "{\"id\":%llu,\"from\":%u,"
			"\"to\":%u}", (unsigned long long)s->id, at, at + 2000);
		struct jv *lines = jv_get(jv_get(v, "result"), "lines");

		assert_true(jv_len(lines) > 0);
		clean_json("doc/lines", what, v);
		for (size_t i = 0; i < jv_len(lines); i++) {
			struct jv *line = jv_at(lines, i), *spans = jv_at(line, 3);

			if (!sv_eqs(jv_sv(jv_at(line, 0)), "p"))
				continue;
			for (size_t k = 0; k < jv_len(spans); k++)
				buf_addsv(out, jv_sv(jv_at(jv_at(spans, k), 1)));
			buf_addc(out, '\n');
		}
		at += (uint32_t)jv_len(lines);
		jv_free(&v);
	}
}

static void put_label(struct jv *o, const char *key, const char *text)
{
	char *s = xasprintf("%s", text);

	jv_put_sv(o, key, (struct sv){ s, strlen(s) });
	free(s);
}

static char *request(const struct trick *t, unsigned n, const char *payload)
{
	struct jv *m = jv_obj(), *p = jv_obj(), *a = jv_obj(), *g = jv_obj();
	struct buf b;
	char key[33];

	snprintf(key, sizeof key, "%032x", n);
	jv_put_i(m, "id", n);
	jv_put_s(m, "method", "approval/request");
	jv_put_s(p, "key", key);
	jv_put_s(p, "kind", n % 3 == 0 ? "command" : n % 3 == 1 ? "tool" : "message");
	put_label(p, "tool", t->text);
	put_label(p, "title", t->text);
	put_label(p, "words", t->text);
	put_label(g, "session", t->text);
	put_label(g, "turn", t->text);
	put_label(g, "call", t->text);
	put_label(g, "task", t->text);
	put_label(g, "subagent", t->text);
	jv_put(p, "origin", g);
	put_label(a, "command", payload);
	put_label(a, "cwd", t->text);
	if (payload == t->text) {
		put_label(a, "name", payload);
		put_label(a, "body", payload);
		put_label(a, "to", t->text);
		put_label(a, t->text, payload);
	}
	jv_put(p, "action", a);
	jv_put(m, "params", p);
	buf_init(&b, (size_t)64 << 20);
	jv_write(m, &b);
	jv_free(&m);
	return buf_steal(&b, NULL);
}

static void put_hello(struct cl *c, const char *text)
{
	struct jv *m = jv_obj(), *p = jv_obj(), *a = jv_obj(), *s = jv_obj(), *v;
	char *line;

	jv_put_s(m, "id", "h");
	jv_put_s(m, "method", "hello");
	jv_put_i(p, "protocol", 1);
	put_label(a, "name", text);
	put_label(a, "version", text);
	put_label(s, "id", text);
	put_label(s, "title", text);
	put_label(s, "task", text);
	jv_put(p, "agent", a);
	jv_put(p, "session", s);
	jv_put(m, "params", p);
	line = jv_text(m);
	cl_send(c, line);
	free(line);
	jv_free(&m);
	v = cl_next(c);
	assert_string_equal(error_word(v), "");
	jv_free(&v);
}

/* ---- the tools ---- */

static char *run(char *const argv[])
{
	struct buf b;
	char chunk[4096];
	ssize_t k;
	int p[2], status;
	pid_t pid;

	assert_int_equal(pipe(p), 0);
	pid = fork();
	if (pid == 0) {
		dup2(p[1], 1);
		dup2(p[1], 2);
		close(p[0]);
		setenv("LC_ALL", "C.UTF-8", 1);
		execv(argv[0], argv);
		_exit(127);
	}
	close(p[1]);
	buf_init(&b, (size_t)64 << 20);
	while ((k = read(p[0], chunk, sizeof chunk)) > 0)
		buf_add(&b, chunk, (size_t)k);
	close(p[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) < 126);
	return buf_steal(&b, NULL);
}

static void tool(struct host *h, const char *what, const char *a1, const char *a2,
	const char *a3)
{
	const char *argv[] = { OBSTAT, a1, "--state", h->r.state, a2, a3, NULL };
	char *text = run((char *const *)(uintptr_t)argv);

	assert_true(text[0] != '\0');
	clean_text(a1, what, text);
	free(text);
}

/* ---- tests ---- */

static void deny(struct host *h, struct shown *s, const char *reason)
{
	struct jv *o = jv_obj(), *v;
	char *params;

	jv_put_i(o, "id", (int64_t)s->id);
	jv_put_s(o, "outcome", "deny");
	put_label(o, "reason", reason);
	params = jv_text(o);
	jv_free(&o);
	v = cl_call(&h->con, "action/decide", "%s", params);
	assert_string_equal(error_word(v), "");
	jv_free(&v);
	free(params);
	advance(&h->con, 2000);
	v = cl_note(&h->con, "queue/closed");
	clean_json("queue/closed", reason, v);
	jv_free(&v);
}

static void test_labels(void **state)
{
	struct host h;
	struct cl c;
	char id[24], log[160], *text;
	struct buf seen;

	(void)state;
	host_begin(&h, NULL);
	buf_init(&seen, (size_t)16 << 20);
	for (size_t i = 0; i < TRICKS; i++) {
		const struct trick *t = &tricks[i];
		struct shown s;
		struct jv *v;
		char *line = request(t, (unsigned)i + 1, t->text);

		cl_open(&c, h.r.agent);
		put_hello(&c, t->text);
		cl_send(&c, line);
		free(line);
		look(&h.con, wait_ready(&h.con), &s);
		clean_json("action/get", t->name, s.root);
		buf_clear(&seen);
		read_lines(&h, t->name, &s, &seen);
		v = cl_call(&h.con, "queue/subscribe", "{}");
		clean_json("queue/subscribe", t->name, v);
		jv_free(&v);
		snprintf(id, sizeof id, "%llu", (unsigned long long)s.id);
		tool(&h, t->name, "ls", NULL, NULL);
		tool(&h, t->name, "ls", "--json", NULL);
		tool(&h, t->name, "status", NULL, NULL);
		deny(&h, &s, t->text);
		v = cl_next(&c);
		clean("tell", t->name, jv_get_sv(jv_get(v, "result"), "tell"));
		jv_free(&v);
		tool(&h, t->name, "show", id, NULL);
		tool(&h, t->name, "show", id, "--json");
		jv_free(&s.root);
		cl_close(&c);
	}
	tool(&h, "all", "log", NULL, NULL);
	tool(&h, "all", "log", "--json", NULL);
	/* A few refusals, so that the log has something to say. */
	for (size_t i = 0; i < TRICKS; i++) {
		struct got g;

		cl_open(&c, h.r.agent);
		raw_send(c.fd, tricks[i].text, strlen(tricks[i].text), false);
		got_until(&c, NULL, &g);
		h.errors += g.errors;
		cl_close(&c);
	}
	snprintf(log, sizeof log, "%s/log", h.r.state);
	{
		const char *argv[] = { "/bin/cat", log, NULL };

		text = run((char *const *)(uintptr_t)argv);
	}
	assert_true(text[0] != '\0');
	clean_text("the log file", "all", text);
	free(text);
	buf_free(&seen);
	host_check(&h, 64);
	host_end(&h);
}

/* Payloads of a shape that hides: each is shown whole, or not approvable. */
static void shape(struct host *h, const char *name, const char *payload, bool whole)
{
	static unsigned n = 1000;
	struct trick t = { name, "x" };
	struct buf seen;
	struct shown s;
	struct cl c;
	char *line;

	n += 3;
	line = request(&t, n / 3 * 3, payload);
	buf_init(&seen, (size_t)256 << 20);
	cl_open(&c, h->r.agent);
	put_hello(&c, "shape");
	cl_send(&c, line);
	free(line);
	look(&h->con, wait_ready(&h->con), &s);
	clean_json("action/get", name, s.root);
	read_lines(h, name, &s, &seen);
	host_probe(h);
	if (whole) {
		buf_addc(&seen, '\0');
		if (strstr(seen.p, payload) == NULL)
			fail_msg("%s: not shown whole", name);
	}
	deny(h, &s, "no");
	jv_free(&s.root);
	cl_close(&c);
	buf_free(&seen);
	host_check(h, 256);
}

static void test_shapes(void **state)
{
	size_t n = host_quick() || host_asan() ? 100000 : 1000000;
	char *p = xmalloc(3 * n + 1);
	struct host h;

	(void)state;
	host_begin(&h, NULL);
	memset(p, 'x', n);
	p[n] = '\0';
	shape(&h, "one long line", p, true);
	memset(p, '\n', n / 10);
	memcpy(p + n / 10, "rm", 3);
	shape(&h, "blank lines before the command", p, false);
	memset(p, ' ', n);
	memcpy(p + n, "rm", 3);
	shape(&h, "blanks before the command", p, false);
	for (size_t i = 0; i < n; i++)
		memcpy(p + 3 * i, "\xE2\x80\xAE", 3);
	p[3 * n] = '\0';
	shape(&h, "one long line of reordering", p, false);
	for (size_t i = 0; i < n; i++)
		p[i] = '\x1b';
	p[n] = '\0';
	shape(&h, "one long line of ESC", p, false);
	for (size_t i = 0; i < n; i++)
		p[i] = i % 2 == 0 || i == n - 1 ? 'a' : '\n';
	shape(&h, "a line for each letter", p, true);
	for (size_t i = 0; i < n; i++)
		p[i] = i % 2 == 0 ? 'x' : '\x01';
	shape(&h, "a million spans on one line", p, false);
	free(p);
	if (!host_asan() && host_rss_kb(&h, "VmHWM") - h.rss_kb > 384 * 1024)
		fail_msg("%ld KiB at most", host_rss_kb(&h, "VmHWM"));
	host_end(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_labels),
		cmocka_unit_test(test_shapes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
