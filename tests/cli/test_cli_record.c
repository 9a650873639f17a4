/*
 * test_cli_record.c - log, show and verify as programs, on a record made by
 * the store, with hostile bytes in every text field. Runs ./obstat.
 */
#include "tests/store/rig.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "base/json_out.h"
#include "base/text.h"
#include "model/doc.h"

static struct rig rig;
static struct buf out, errs;

/* ---- running it ---- */

static void slurp(int fd, struct buf *b)
{
	char tmp[4096];
	ssize_t n;

	while ((n = read(fd, tmp, sizeof(tmp))) > 0)
		assert_int_equal(buf_add(b, tmp, (size_t)n), 0);
	close(fd);
	buf_addc(b, '\0');
	b->n--;
}

static int wait_status(pid_t pid)
{
	int st;

	assert_int_equal(waitpid(pid, &st, 0), pid);
	assert_true(WIFEXITED(st));
	return WEXITSTATUS(st);
}

/* Runs "obstat WORD... --state DIR"; the words end with NULL. */
static int run(const char *const *words, int tty)
{
	const char *argv[16] = { "./obstat" };
	int o[2], e, n = 1;
	char tmp[300];
	pid_t pid;

	for (; *words != NULL; words++)
		argv[n++] = *words;
	if (strcmp(argv[1], "--help") != 0 && strcmp(argv[1], "--version") != 0 && n > 1) {
		argv[n++] = "--state";
		argv[n++] = rig.dir;
	}
	snprintf(tmp, sizeof(tmp), "%s/stderr", rig.dir);
	e = open(tmp, O_RDWR | O_CREAT | O_TRUNC, 0600);
	assert_true(e >= 0);
	assert_int_equal(pipe(o), 0);
	pid = fork();
	if (pid == 0) {
		dup2(tty >= 0 ? tty : o[1], 1);
		dup2(e, 2);
		close(o[0]);
		close(o[1]);
		setenv("LC_ALL", "C.UTF-8", 1);
		setenv("TZ", "UTC", 1);
		execv(argv[0], (char *const *)(uintptr_t)argv);
		_exit(127);
	}
	close(o[1]);
	buf_clear(&out);
	buf_clear(&errs);
	slurp(o[0], &out);
	lseek(e, 0, SEEK_SET);
	slurp(e, &errs);
	n = wait_status(pid);
	/* stderr was written by the child after we read it at most when it is
	 * still running; it is not. */
	e = open(tmp, O_RDONLY);
	buf_clear(&errs);
	slurp(e, &errs);
	unlink(tmp);
	return n;
}
#define RUN(...) run((const char *const []){ __VA_ARGS__, NULL }, -1)

static void has(const char *what)
{
	if (strstr(out.p, what) == NULL)
		fail_msg("\"%s\" is not in:\n%s\n%s", what, out.p, errs.p);
}

static void has_not(const char *what)
{
	if (strstr(out.p, what) != NULL)
		fail_msg("\"%s\" is in:\n%s", what, out.p);
}

/* Every line that came out is one the escaper lets stand. */
static void clean(const struct buf *b)
{
	const char *p = b->p, *end = b->p + b->n;

	while (p < end) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		size_t n = nl != NULL ? (size_t)(nl - p) : (size_t)(end - p);

		for (size_t i = 0; i < n; i++)
			if ((unsigned char)p[i] < 0x20 || p[i] == 0x7f)
				fail_msg("control byte %02x in: %.*s", (unsigned)p[i], (int)n, p);
		assert_true(utf8_valid((struct sv){ p, n }));
		p += n + (nl != NULL);
	}
	assert_null(strstr(b->p, "\xE2\x80\xAE"));
}

/* ---- the record ---- */

#define HOSTILE "\x1b[2J\x1b]0;x\x07\r\n\xE2\x80\xAE" "ok\xC0\x80\x9b" "31m"
static const struct sv hostile = { HOSTILE, sizeof(HOSTILE) - 1 };

static uint64_t put(struct rec *r)
{
	return store_submit(rig.s, r, true, NULL, NULL);
}

static struct rec *about(enum rec_type t, uint64_t action, int64_t at)
{
	struct rec *r = rec_new(t, at, (uint64_t)at);

	if (action != 0)
		rec_add_u64(r, RF_ACTION, action);
	return r;
}

static uint64_t asked(const char *agent, const char *kind, struct sv target, int64_t at)
{
	struct rec *r = about(REC_RECEIVED, 0, at);

	rec_add(r, RF_CHANNEL, sv_of(agent));
	rec_add(r, RF_KIND, sv_of(kind));
	rec_add(r, RF_TOOL, SV("Bash"));
	rec_add(r, RF_TITLE, SV("\xE2\x80\xAE" "valid, but not clean"));
	rec_add(r, RF_TARGET, target);
	rec_add_body(r, "raw", SV("{\"raw\":\"\x1b[31mred\"}\nsecond line"));
	return put(r);
}

static void document(struct rec *r)
{
	struct doc *d = doc_new(1 << 20);
	struct buf b;

	doc_line(d, LINE_OURS);
	doc_span(d, ROLE_CHROME, SV("1 statement"));
	doc_line(d, LINE_PAYLOAD);
	doc_lineno(d, 0, 1);
	doc_span_raw(d, ROLE_TEXT, SV("DELETE FROM t;\x1b[2J"), ESC_CODE, 0);
	doc_seal(d);
	buf_init(&b, 1 << 20);
	assert_int_equal(doc_encode(d, &b), 0);
	rec_add_body(r, "doc", buf_sv(&b));
	buf_free(&b);
	doc_free(&d);
}

static void outcome(uint64_t id, const char *word, const char *by, int64_t at)
{
	struct rec *r = about(REC_OUTCOME, id, at);

	rec_add(r, RF_OUTCOME, sv_of(word));
	rec_add(r, RF_BY_KIND, sv_of(by));
	if (strcmp(by, "human") == 0) {
		rec_add(r, RF_BY_NAME, SV("ana"));
		rec_add(r, RF_REASON, SV("too wide"));
		document(r);
	} else {
		rec_add(r, RF_RULE, SV("tests"));
	}
	put(r);
}

#define T0 INT64_C(1767323045000)   /* 2026-01-02 03:04:05 UTC */
static int setup(void **state)
{
	struct rec *r;
	uint64_t id;

	(void)state;
	buf_init(&out, 64 << 20);
	buf_init(&errs, 1 << 20);
	rig_begin(&rig);
	rig_open(&rig);
	put(rec_new(REC_HUB_STARTED, T0, 1));
	id = asked("billing-bot", "sql", SV("DELETE FROM t"), T0);
	assert_int_equal(id, 2);
	outcome(id, "denied", "human", T0 + 75000);
	id = asked("claude", "command", SV("make check"), T0 + 1000);
	outcome(id, "approved", "rule", T0 + 1010);
	/* every field, hostile; it has no outcome */
	r = about(REC_RECEIVED, 0, T0 + 2000);
	for (int f = RF_ACTION + 1; f < RF_N; f++)
		rec_add(r, (enum rec_field)f, hostile);
	rec_add(r, (enum rec_field)999, hostile);
	rec_add_body(r, "raw", hostile);
	assert_int_equal(put(r), 6);
	r = about(REC_REFUSED, 0, T0 + 3000);
	rec_add(r, RF_CHANNEL, SV("claude"));
	rec_add(r, RF_WHY, SV("not JSON at byte 7"));
	assert_int_equal(put(r), 7);
	rig_put(&rig, REC_HUB_STOPPED, "", SV_NONE, true);
	rig_drain(&rig);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	rig_end(&rig);
	buf_free(&out);
	buf_free(&errs);
	return 0;
}

/* ---- log ---- */

static void test_log(void **state)
{
	(void)state;
	assert_int_equal(RUN("log"), 0);
	clean(&out);
	has("2026-01-02 03:04:05 +0000 2 billing-bot");
	has("denied");
	has("ana");
	has(" 1m DELETE FROM t\n");
	has("rule tests");
	has("<1s make check\n");
	has("waiting");
	has("not JSON at byte 7\n");
	has("<U+001B>[2J");
	has_not("hub_started");
}

static void test_log_filters(void **state)
{
	(void)state;
	assert_int_equal(RUN("log", "--agent", "claude"), 0);
	has("make check");
	has_not("DELETE");
	assert_int_equal(RUN("log", "--kind=sql"), 0);
	has("DELETE");
	has_not("make check");
	assert_int_equal(RUN("log", "--outcome", "waiting"), 0);
	has("<U+001B>");
	has_not("make check");
	assert_int_equal(RUN("log", "-n1"), 0);
	has("refused");
	has_not("make check");
	assert_int_equal(RUN("log", "-n", "9", "--since", "2026-01-02 03:04:07"), 0);
	has("refused");
	has_not("make check");
	assert_int_equal(RUN("log", "--since", "2026-01-02T03:04:06Z"), 0);
	has("make check");
	has_not("DELETE");
	assert_int_equal(RUN("log", "--since", "1s"), 0);
	assert_int_equal(out.n, 0);
}

static void test_misuse(void **state)
{
	static const char *const bad[][4] = {
		{ "log", "--since", "soon", NULL }, { "log", "--kind", "x", NULL },
		{ "log", "--outcome", "\x1b[2J", NULL }, { "log", "-n", "0", NULL },
		{ "log", "-n", NULL, NULL }, { "log", "--nope", NULL, NULL },
		{ "log", "extra\x1b[2J", NULL, NULL }, { "show", NULL, NULL, NULL },
		{ "show", "x", NULL, NULL }, { "show", "1", "2", NULL },
		{ "frobnicate\x1b[2J", NULL, NULL, NULL }, { "--frob", NULL, NULL, NULL },
		{ "log", "--json=1", NULL, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(run(bad[i], -1), 2);
		assert_int_equal(out.n, 0);
		assert_non_null(strstr(errs.p, "obstat: "));
		assert_non_null(strstr(errs.p, "--help"));
		clean(&errs);
	}
	assert_int_equal(RUN("verif"), 2);
	assert_non_null(strstr(errs.p, "did you mean \"verify\""));
	assert_int_equal(RUN("--help"), 0);
	has("  log ");
	has("  verify ");
	assert_int_equal(RUN("--version"), 0);
	has("obstat ");
	assert_int_equal(RUN("log", "--help"), 0);
	has("--since TIME");
	has("-n, --lines N");
}

static void test_log_json(void **state)
{
	struct err e = ERR_INIT;
	char *line, *rest;
	unsigned n = 0;

	(void)state;
	assert_int_equal(RUN("log", "--json"), 0);
	clean(&out);
	rest = out.p;
	while ((line = strsep(&rest, "\n")) != NULL && line[0] != '\0') {
		struct jv *v = jv_read(sv_of(line), &e);

		assert_non_null(v);
		n++;
		if (jv_get_i(v, "id", 0) == 2) {
			struct jv *recs = jv_get(v, "records");
			struct jv *f = jv_get(jv_at(recs, 1), "fields");

			assert_int_equal(jv_len(recs), 2);
			assert_true(sv_eqs(jv_get_sv(f, "reason"), "too wide"));
			assert_int_equal(jv_get_i(f, "action", 0), 2);
			assert_int_equal(jv_get_i(v, "waited_ms", 0), 75000);
			assert_true(sv_eqs(jv_get_sv(jv_get(v, "by"), "name"), "ana"));
		}
		if (jv_get_i(v, "id", 0) == 6)
			assert_non_null(jv_get(jv_get(jv_at(jv_get(v, "records"), 0),
				"fields"), "field_999"));
		jv_free(&v);
	}
	assert_int_equal(n, 4);
}

/* On a terminal every line fits, whatever its width. */
/* All that a program which has ended left in its terminal: one read may give
 * one line of it. */
static ssize_t read_ready(int fd, char *p, size_t max)
{
	struct pollfd w = { fd, POLLIN, 0 };
	size_t n = 0;

	while (n < max && poll(&w, 1, 100) > 0 && (w.revents & POLLIN) != 0) {
		ssize_t got = read(fd, p + n, max - n);

		if (got <= 0)
			break;
		n += (size_t)got;
	}
	return (ssize_t)n;
}

static void test_log_terminal(void **state)
{
	static const unsigned short widths[] = { 40, 60, 80, 100, 132 };
	char tmp[16384];

	(void)state;
	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
		struct winsize w = { .ws_row = 24, .ws_col = widths[i] };
		int m = posix_openpt(O_RDWR | O_NOCTTY), s;
		char *line, *rest = tmp;
		ssize_t n;
		unsigned lines = 0;

		assert_true(m >= 0);
		assert_int_equal(grantpt(m), 0);
		assert_int_equal(unlockpt(m), 0);
		s = open(ptsname(m), O_RDWR | O_NOCTTY);
		assert_true(s >= 0);
		assert_int_equal(ioctl(s, TIOCSWINSZ, &w), 0);
		assert_int_equal(run((const char *const []){ "log", NULL }, s), 0);
		n = read_ready(m, tmp, sizeof(tmp) - 1);
		assert_true(n > 0);
		tmp[n] = '\0';
		while ((line = strsep(&rest, "\n")) != NULL && line[0] != '\0') {
			size_t len = strlen(line);

			lines++;
			assert_true(line[len - 1] == '\r');
			if (text_cells((struct sv){ line, len - 1 }) > widths[i])
				fail_msg("%u cells: %s", widths[i], line);
		}
		assert_int_equal(lines, 5);   /* and a header */
		close(s);
		close(m);
	}
}

/* ---- show, verify ---- */

static void test_show(void **state)
{
	(void)state;
	assert_int_equal(RUN("show", "2"), 0);
	clean(&out);
	has("action 2\n");
	has("  target           DELETE FROM t\n");
	has("  2026-01-02 03:04:05 +0000  received");
	has("  2026-01-02 03:05:20 +0000  outcome     outcome denied");
	has("reason too wide");
	has("  1 statement\n");
	has("\xE2\x96\x8C   1 DELETE FROM t;<U+001B>[2J\n");
	/* decided by a rule: nothing was drawn */
	assert_int_equal(RUN("show", "4"), 0);
	clean(&out);
	has("\xE2\x96\x8C {\"raw\":\"<U+001B>[31mred\"}\n");
	has("\xE2\x96\x8C second line\n");
	/* one record */
	assert_int_equal(RUN("show", "3"), 0);
	has("record 3\n");
	has("action 2");
	assert_int_equal(RUN("show", "1"), 0);
	has("hub_started");
	/* hostile in every field */
	assert_int_equal(RUN("show", "6"), 0);
	clean(&out);
	assert_int_equal(RUN("show", "6", "--json"), 0);
	clean(&out);
	assert_int_equal(RUN("show", "99"), 1);
	assert_int_equal(out.n, 0);
}

static void test_show_raw(void **state)
{
	(void)state;
	assert_int_equal(RUN("show", "--raw", "6"), 0);
	assert_int_equal(out.n, hostile.n);
	assert_memory_equal(out.p, hostile.p, hostile.n);
	assert_int_equal(RUN("show", "--raw", "3"), 1);
}

static void test_show_raw_tty(void **state)
{
	int m = posix_openpt(O_RDWR | O_NOCTTY), s;
	char tmp[4096];
	ssize_t n;

	(void)state;
	assert_int_equal(grantpt(m), 0);
	assert_int_equal(unlockpt(m), 0);
	s = open(ptsname(m), O_RDWR | O_NOCTTY);
	assert_int_equal(run((const char *const []){ "show", "--raw", "6", NULL }, s), 0);
	n = read(m, tmp, sizeof(tmp) - 1);
	assert_true(n > 0);
	assert_null(memchr(tmp, 0x1b, (size_t)n));
	close(s);
	close(m);
}

static void test_show_json(void **state)
{
	struct err e = ERR_INIT;
	struct jv *v, *doc;

	(void)state;
	assert_int_equal(RUN("show", "2", "--json"), 0);
	v = jv_read(sv_of(out.p), &e);
	assert_non_null(v);
	doc = jv_get(v, "document");
	assert_int_equal(jv_len(doc), 2);
	assert_true(sv_eqs(jv_sv(jv_at(jv_at(doc, 1), 0)), "payload"));
	jv_free(&v);
}

static void test_verify(void **state)
{
	(void)state;
	assert_int_equal(RUN("verify"), 0);
	has("8 records, chain holds\n");
	has("last hash sha256:");
	rig_close(&rig);
	assert_int_equal(RUN("verify"), 0);
	rig_poke(&rig, "records", 3, 120);
	assert_int_equal(RUN("verify"), 1);
	has("first bad record: 3\n");
	snprintf(out.p, 300, "%s/record.db", rig.dir);
	unlink(out.p);
	assert_int_equal(RUN("verify"), 2);
	assert_non_null(strstr(errs.p, "no record in"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_log),
		cmocka_unit_test(test_log_filters),
		cmocka_unit_test(test_misuse),
		cmocka_unit_test(test_log_json),
		cmocka_unit_test(test_log_terminal),
		cmocka_unit_test(test_show),
		cmocka_unit_test(test_show_raw),
		cmocka_unit_test(test_show_raw_tty),
		cmocka_unit_test(test_show_json),
		cmocka_unit_test(test_verify),   /* last: it spoils the record */
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
