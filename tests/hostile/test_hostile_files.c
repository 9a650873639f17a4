/*
 * test_hostile_files.c - paths and files that bite, through the real gate:
 * each asks or is refused, none hangs or passes, and a denial reaches the gate.
 */
#include "tests/hostile/host.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"

/* Connections that are kept open. */
static struct cl held[8];
static unsigned n_held;

struct gate {
	pid_t pid;
	int out;                   /* stdout and stderr */
};

static void gate_begin(struct gate *g, struct host *h, const char *mode,
	const char *payload)
{
	int in[2], out[2];

	assert_int_equal(pipe(in), 0);
	assert_int_equal(pipe(out), 0);
	g->pid = fork();
	if (g->pid == 0) {
		dup2(in[0], 0);
		dup2(out[1], 1);
		dup2(out[1], 2);
		close(in[1]);
		close(out[0]);
		execl(GATE, GATE, mode, "--socket", h->r.agent, "--hub-uid", "self",
			"--deadline", "600", "--dialect", "claude", (char *)NULL);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	for (size_t at = 0, n = strlen(payload); at < n;) {
		ssize_t k = write(in[1], payload + at, n - at);

		if (k <= 0)
			break;
		at += (size_t)k;
	}
	close(in[1]);
	g->out = out[0];
}

/* Its exit status; what it said is clean. */
static int gate_end(struct gate *g, char *said, size_t room)
{
	size_t n = 0;
	ssize_t k;
	int status;

	while (n < room - 1 && (k = read(g->out, said + n, room - 1 - n)) > 0)
		n += (size_t)k;
	said[n] = '\0';
	close(g->out);
	assert_int_equal(waitpid(g->pid, &status, 0), g->pid);
	assert_true(WIFEXITED(status));
	while (n > 0 && said[n - 1] == '\n')
		n--;
	if (!esc_is_clean((struct sv){ said, n }))
		fail_msg("the gate said: %s", said);
	return WEXITSTATUS(status);
}

/* The probe's rule stays. */
static void set_rules(struct host *h, const char *more)
{
	char *all = xasprintf("[rule \"probe\"]\n\ttool = Probe\n\tdecide = deny\n%s", more);
	struct jv *v;

	rig_rules(&h->r, all);
	free(all);
	v = cl_call(&h->con, "rules/reload", "{}");
	if (error_word(v)[0] != '\0')
		fail_msg("%s", jv_text(v));
	jv_free(&v);
}

static char *write_call(const char *cwd_json, const char *path_json)
{
	return xasprintf("{\"hook_event_name\":\"PreToolUse\",\"session_id\":\"f%ld\",\"cwd\":"
		"\"%s\",\"tool_use_id\":\"t\",\"tool_name\":\"Write\",\"tool_input\":{"
		"\"file_path\":\"%s\",\"content\":\"x\"}}", random(), cwd_json, path_json);
}

/* It waits for a person, is shown, and is denied. */
static void asks(struct host *h, const char *name, const char *cwd, const char *path)
{
	char *payload = write_call(cwd, path), said[16384], *text;
	struct shown s;
	struct gate g;
	struct jv *v;

	gate_begin(&g, h, "decide", payload);
	look(&h->con, wait_ready(&h->con), &s);
	text = jv_text(s.root);
	if (!esc_is_clean(sv_of(text)) || strstr(text, "\\u") != NULL)
		fail_msg("%s: %s", name, text);
	free(text);
	v = decide(&h->con, &s, "deny", "");
	assert_string_equal(error_word(v), "");
	jv_free(&v);
	advance(&h->con, 2000);
	if (gate_end(&g, said, sizeof said) != 2 || strstr(said, "Denied by a person") == NULL)
		fail_msg("%s: %s", name, said);
	jv_free(&s.root);
	free(payload);
	host_check(h, 64);
}

static void refused(struct host *h, const char *name, const char *payload)
{
	char said[16384];
	struct gate g;

	gate_begin(&g, h, "decide", payload);
	if (gate_end(&g, said, sizeof said) != 2 || strstr(said, "refused") == NULL)
		fail_msg("%s: %s", name, said);
	h->errors++;
	host_check(h, 64);
}

static const struct {
	const char *name, *path;   /* path as it stands in JSON; ~ is the work folder */
} paths[] = {
	{ "newline", "~/a\\nb" },
	{ "ESC", "~/a\\u001b[2Jb" },
	{ "bidi", "~/a\xE2\x80\xAE" "b" },
	{ "right to left", "~/\xD7\x90\xD7\x91" },
	{ "NUL", "~/a\\u0000b" },
	{ "up and down", "~/x/../../../../../../../etc/passwd" },
	{ "up in a new folder", "~/none/../a" },
	{ "dots", "~/././/a" },
	{ "ends in a slash", "~/a/" },
	{ "relative", "a" },
	{ "relative, up", "../../a" },
	{ "empty", "" },
	{ "root", "/" },
	{ "a directory", "~" },
	{ "FIFO", "~/fifo" },
	{ "socket", "~/sock" },
	{ "loop of links", "~/loop" },
	{ "link to outside", "~/out" },
	{ "link to nothing", "~/nothing" },
	{ "through a file", "/etc/passwd/x" },
	{ "zeros", "/dev/zero" },
	{ "terminal", "/dev/tty" },
	{ "null", "/dev/null" },
	{ "memory", "/proc/self/mem" },
	{ "a descriptor", "/dev/fd/0" },
	{ "kernel messages", "/proc/kmsg" },
	{ "another root", "/proc/self/root/etc/passwd" },
	{ "shared memory", "/dev/shm/none" },
	{ "tilde", "~~/a" },
};
static const char *const cwds[] = {
	"/", "/proc", "/proc/self/fd", "/nonexistent", "relative", "", "/dev", "\\u001b[2J",
	"/tmp/\\u0000", "//", "/..",
};

static char *in_work(const struct host *h, const char *path)
{
	return path[0] == '~' ? xasprintf("%s%s", h->r.work, path + 1) : xstrdup(path);
}

static void make_files(struct host *h)
{
	static const char *const links[][2] = {
		{ "loop", "loop" }, { "out", "/etc/passwd" }, { "nothing", "/none/x" },
	};
	struct sockaddr_un sa = { .sun_family = AF_UNIX };
	char path[256];
	int fd;

	snprintf(path, sizeof path, "%s/fifo", h->r.work);
	assert_int_equal(mkfifo(path, 0600), 0);
	for (size_t i = 0; i < 3; i++) {
		snprintf(path, sizeof path, "%s/%s", h->r.work, links[i][0]);
		assert_int_equal(symlink(links[i][1], path), 0);
	}
	snprintf(sa.sun_path, sizeof sa.sun_path, "%s/sock", h->r.work);
	fd = socket(AF_UNIX, SOCK_STREAM, 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&sa, sizeof sa), 0);
	close(fd);
}

static void test_paths(void **state)
{
	static const size_t lengths[] = { 4095, 4096, 5000, 70000 };
	struct host h;
	char *p;

	(void)state;
	host_begin(&h, NULL);
	set_rules(&h, "[rule \"write\"]\n\ttool = Write\n\tdecide = ask\n");
	make_files(&h);
	for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
		p = in_work(&h, paths[i].path);
		asks(&h, paths[i].name, h.r.work, p);
		free(p);
	}
	for (size_t i = 0; i < sizeof cwds / sizeof cwds[0]; i++)
		asks(&h, cwds[i], cwds[i], i % 2 != 0 ? "a" : "/srv/none");
	for (size_t i = 0; i < 4; i++) {
		p = xmalloc(lengths[i] + 1);
		for (size_t k = 0; k < lengths[i]; k++)
			p[k] = k % 200 == 0 ? '/' : 'a';
		p[lengths[i]] = '\0';
		asks(&h, "a long path", "/", p);
		asks(&h, "a long directory", p, "a");
		free(p);
	}
	p = write_call("/", "/tmp/\xff");
	refused(&h, "invalid UTF-8", p);
	free(p);
	p = write_call("/", "/tmp/\\ud800");
	refused(&h, "half a pair", p);
	free(p);
	refused(&h, "nothing", "");
	host_end(&h);
}

/* A file that is written to all the while, and one that is very long. */
static void test_moving(void **state)
{
	struct host h;
	char path[200];
	pid_t pid;
	int fd, status;

	(void)state;
	host_begin(&h, NULL);
	snprintf(path, sizeof path, "%s/grows", h.r.work);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_int_equal(ftruncate(fd, 8 << 20), 0);
	lseek(fd, 0, SEEK_END);
	pid = fork();
	if (pid == 0) {
		for (;;) {
			if (write(fd, "more\n", 5) != 5 ||
			    lseek(fd, 0, SEEK_CUR) > (64 << 20))
				lseek(fd, 8 << 20, SEEK_SET);
		}
	}
	for (unsigned i = 0; i < 5; i++)
		asks(&h, "a file that grows", h.r.work, path);
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	assert_int_equal(ftruncate(fd, (off_t)1 << 40), 0);
	asks(&h, "a file of 1 TiB", h.r.work, path);
	close(fd);
	host_end(&h);
}

/* ---- very many ---- */

static void many(struct host *h, unsigned n, size_t len, unsigned key)
{
	struct shown s;
	struct buf b;
	struct cl c;
	struct jv *v;
	char *pad = xmalloc(len + 1);

	memset(pad, 'p', len);
	pad[len] = '\0';
	buf_init(&b, (size_t)20 << 20);
	native_open_rig(&c, &h->r, "many");
	buf_addf(&b, "{\"id\":\"m\",\"method\":\"approval/request\",\"params\":{\"key\":"
		"\"%032x\",\"kind\":\"edit\",\"action\":{\"changes\":[", key);
	for (unsigned i = 0; i < n; i++)
		buf_addf(&b, "%s{\"op\":\"write\",\"path\":\"%s/%s%u\",\"new_text\":\"x\"}",
			i > 0 ? "," : "", h->r.work, pad, i);
	buf_adds(&b, "]}}}\n");
	raw_send(c.fd, b.p, b.n, false);
	host_probe(h);
	look(&h->con, wait_ready(&h->con), &s);
	if (n > 4096) {
		see_all(&h->con, &s);
		v = decide(&h->con, &s, "approve", "");
		assert_string_equal(error_word(v), "not_allowed");
		jv_free(&v);
	}
	v = decide(&h->con, &s, "deny", "");
	assert_string_equal(error_word(v), "");
	jv_free(&v);
	advance(&h->con, 2000);
	v = cl_next(&c);
	assert_true(sv_eqs(jv_get_sv(jv_get(v, "result"), "outcome"), "denied"));
	jv_free(&v);
	jv_free(&s.root);
	cl_close(&c);
	buf_free(&b);
	free(pad);
	host_check(h, 192);
}

static void test_many(void **state)
{
	struct host h;

	(void)state;
	host_begin(&h, NULL);
	many(&h, 4096, 0, 1);
	many(&h, 4097, 0, 2);
	many(&h, 50000, 0, 3);
	many(&h, 4000, 3900, 4);
	host_end(&h);
}

/* Answers opens with a descriptor each, but for the last. */
static void open_all_but_one(struct host *h, unsigned key)
{
	static const char hello[] = "{\"id\":\"h\",\"method\":\"hello\",\"params\":"
		"{\"protocol\":1,\"files\":true}}\n";
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	struct buf b;
	struct cl c;
	struct got g;

	cl_open(&c, h->r.agent);
	raw_send(c.fd, hello, sizeof hello - 1, false);
	got_until(&c, "h", &g);
	buf_init(&b, (size_t)1 << 20);
	buf_addf(&b, "{\"id\":\"m\",\"method\":\"approval/request\",\"params\":{\"key\":"
		"\"%032x\",\"kind\":\"edit\",\"action\":{\"changes\":[", key);
	for (unsigned i = 0; i < 4096; i++)
		buf_addf(&b, "%s{\"op\":\"write\",\"path\":\"/srv/%u\",\"new_text\":\"x\"}",
			i > 0 ? "," : "", i);
	buf_adds(&b, "]}}}\n");
	raw_send(c.fd, b.p, b.n, false);
	for (unsigned i = 0; i < 4095; i++) {
		struct jv *v = cl_next(&c);

		buf_clear(&b);
		buf_addf(&b, "\"id\":%ld,\"result\":{}}\n", (long)jv_get_i(v, "id", -1));
		jv_free(&v);
		assert_true(raw_send_fds(c.fd, '{', &null, 1));
		raw_send(c.fd, b.p, b.n, false);
	}
	buf_free(&b);
	close(null);
	held[n_held++] = c;
}

/* Who makes the hub hold thousands of descriptors keeps nobody out. */
static void test_held(void **state)
{
	struct host h;
	struct cl late;

	(void)state;
	host_begin(&h, NULL);
	n_held = 0;
	for (unsigned i = 1; i <= 3; i++) {
		open_all_but_one(&h, i);
		host_probe(&h);
		console_open(&late, &h.r, "late");
		cl_close(&late);
	}
	if (h.fds >= 0 && host_fds(&h) > h.fds + 8192 + 64)
		fail_msg("%ld descriptors", host_fds(&h));
	/* Those who do not answer are not waited for. */
	advance(&h.con, 5000);
	for (unsigned i = 0; i < 3; i++) {
		struct jv *v = cl_note(&h.con, "queue/added");

		jv_free(&v);
	}
	while (n_held > 0)
		cl_close(&held[--n_held]);
	host_check(&h, 192);
	host_end(&h);
}

/* ---- real messages ---- */

static void replay(struct host *h, const char *text, unsigned *n)
{
	for (int mode = 1; mode <= 2; mode++) {
		uint8_t key[16] = { 7 };
		struct gate_answer a;

		memcpy(key + 4, n, sizeof *n);
		key[1] = (uint8_t)mode;
		gate_serve(gate_connect(&h->r, "claude", mode, key, 0, text), &a);
		if (a.verdict == 0 || a.verdict == 1 || (a.verdict == 4) != (mode == 2))
			fail_msg("verdict %d for %s", a.verdict, text);
	}
	(*n)++;
}

static void replay_file(struct host *h, const char *path, bool lines, unsigned *n)
{
	FILE *f = fopen(path, "re");
	char *line = NULL;
	size_t room = 0;
	ssize_t k;

	assert_non_null(f);
	while ((k = getdelim(&line, &room, lines ? '\n' : '\0', f)) > 0)
		if (line[0] == '{')
			replay(h, line, n);
	free(line);
	fclose(f);
}

static void replay_dir(struct host *h, const char *sub, const char *end, bool lines,
	unsigned *n)
{
	const char *shared = getenv("OBSTAT_SHARED");
	char dir[512], path[1024];
	struct dirent *e;
	DIR *d;

	snprintf(dir, sizeof dir, "%s/%s", shared != NULL ? shared : SRCDIR "/../shared",
		sub);
	d = opendir(dir);
	if (d == NULL)
		return;
	while ((e = readdir(d)) != NULL) {
		if (!sv_ends(sv_of(e->d_name), end))
			continue;
		snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
		replay_file(h, path, lines, n);
	}
	closedir(d);
}

/* Each message that a runtime was seen to send gets an answer, also those of
 * other protocols. */
static void test_real(void **state)
{
	struct host h;
	unsigned n = 0;

	(void)state;
	host_begin(&h, NULL);
	set_rules(&h, "[rule \"none\"]\n\tchannel = default\n\tdecide = deny\n");
	replay_dir(&h, "captures", ".ndjson", true, &n);
	replay_dir(&h, "samples/claude-hooks", ".json", false, &n);
	printf("    %u messages\n", n);
	host_check(&h, 64);
	host_end(&h);
	if (n == 0)
		skip();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_paths),
		cmocka_unit_test(test_moving),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_held),
		cmocka_unit_test(test_real),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
