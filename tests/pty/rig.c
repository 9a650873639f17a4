/*
 * rig.c - the hub, gates and the folder they live in. See rig.h.
 */
#include "tests/pty/rig.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/pty/rig_tty.h"

uint64_t rig_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static void run_quiet(char *const argv[])
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		execvp(argv[0], argv);
		_exit(127);
	}
	waitpid(pid, &status, 0);
}

void rig_write(struct rig *r, const char *name, const char *text, size_t n)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", r->work, name);
	f = fopen(path, "we");
	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

static bool can_connect(const char *path)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), rc;

	snprintf(a.sun_path, sizeof(a.sun_path), "%s", path);
	rc = connect(fd, (struct sockaddr *)&a, sizeof(a));
	close(fd);
	return rc == 0;
}

static void hub_child(struct rig *r)
{
	char log[128];
	int fd;

	snprintf(log, sizeof(log), "%s/hub.log", r->dir);
	fd = open(log, O_WRONLY | O_CREAT | O_APPEND, 0600);
	dup2(fd, 2);
	setenv("HOME", r->dir, 1);
	execl(OBSTAT, "obstat", "serve", "--state", r->state, "--config", r->config,
		(char *)NULL);
	_exit(127);
}

void rig_hub(struct rig *r)
{
	uint64_t end = rig_now() + GUARD_MS;
	char sock[128];

	snprintf(sock, sizeof(sock), "%s/console/sock", r->state);
	r->hub = fork();
	assert_true(r->hub >= 0);
	if (r->hub == 0)
		hub_child(r);
	while (!can_connect(sock)) {
		assert_true(rig_now() < end);
		poll(NULL, 0, 5);
	}
	snprintf(r->agent, sizeof(r->agent), "%s/agent/claude/sock", r->state);
	while (!can_connect(r->agent)) {
		assert_true(rig_now() < end);
		poll(NULL, 0, 5);
	}
}

void rig_hub_kill(struct rig *r)
{
	assert_int_equal(kill(r->hub, SIGKILL), 0);
	assert_int_equal(waitpid(r->hub, NULL, 0), r->hub);
	r->hub = 0;
}

void rig_start(struct rig *r)
{
	memset(r, 0, sizeof(*r));
	signal(SIGPIPE, SIG_IGN);
	snprintf(r->dir, sizeof(r->dir), "/tmp/obstat-pty-XXXXXX");
	assert_non_null(mkdtemp(r->dir));
	snprintf(r->state, sizeof(r->state), "%s/state", r->dir);
	snprintf(r->config, sizeof(r->config), "%s/config", r->dir);
	snprintf(r->work, sizeof(r->work), "%s/work", r->dir);
	assert_int_equal(mkdir(r->state, 0700), 0);
	assert_int_equal(mkdir(r->config, 0700), 0);
	assert_int_equal(mkdir(r->work, 0700), 0);
	rig_hub(r);
}

void rig_end(struct rig *r)
{
	char *rm[] = { (char *)"rm", (char *)"-rf", r->dir, NULL };

	for (int i = 0; i < r->n_ttys; i++)
		tty_end(&r->tty[i]);
	for (int i = 0; i < r->n_gates; i++) {
		if (!r->gate[i].ended) {
			kill(r->gate[i].pid, SIGKILL);
			waitpid(r->gate[i].pid, NULL, 0);
		}
		close(r->gate[i].err);
	}
	if (r->hub > 0) {
		kill(r->hub, SIGTERM);
		waitpid(r->hub, NULL, 0);
	}
	run_quiet(rm);
	memset(r, 0, sizeof(*r));
}

static int request_file(struct rig *r, const char *tool, const char *input, size_t n)
{
	int fd = memfd_create("request", MFD_CLOEXEC);
	FILE *f = fdopen(dup(fd), "w");

	assert_non_null(f);
	fprintf(f, "{\"session_id\":\"s1\",\"transcript_path\":\"%s/t\",\"cwd\":\"%s\","
		"\"permission_mode\":\"default\",\"hook_event_name\":\"PreToolUse\","
		"\"tool_use_id\":\"toolu_%d\",\"tool_name\":\"%s\",\"tool_input\":",
		r->dir, r->work, r->n_gates, tool);
	for (size_t i = 0; i < n; i++)
		if (input[i] == '%' && i + 1 < n && input[i + 1] == 'W')
			fputs(r->work, f), i++;
		else
			fputc(input[i], f);
	fputc('}', f);
	assert_int_equal(fclose(f), 0);
	lseek(fd, 0, SEEK_SET);
	return fd;
}

int rig_ask(struct rig *r, const char *tool, const char *input, size_t n)
{
	struct gate *g = &r->gate[r->n_gates];
	int in = request_file(r, tool, input, n), p[2];

	assert_true(r->n_gates < RIG_GATES);
	assert_int_equal(pipe2(p, O_CLOEXEC | O_NONBLOCK), 0);
	g->pid = fork();
	if (g->pid == 0) {
		dup2(in, 0);
		dup2(p[1], 2);
		/* The gate watches its stdout: a pipe that somebody reads. */
		dup2(p[1], 1);
		execl(GATE, "obstat-gate", "decide", "--socket", r->agent, "--hub-uid", "self",
			"--deadline", "600", "--dialect", "claude", (char *)NULL);
		_exit(127);
	}
	close(in);
	close(p[1]);
	g->err = p[0];
	return r->n_gates++;
}

int rig_bash(struct rig *r, const char *command)
{
	char input[1000];

	snprintf(input, sizeof(input), "{\"command\":\"%s\"}", command);
	return rig_ask(r, "Bash", input, strlen(input));
}

static void gate_pump(struct gate *g)
{
	ssize_t n;
	int status;

	while (g->n < sizeof(g->reason) - 1
		&& (n = read(g->err, g->reason + g->n, sizeof(g->reason) - 1 - g->n)) > 0)
		g->n += (size_t)n;
	if (!g->ended && waitpid(g->pid, &status, WNOHANG) == g->pid) {
		g->ended = true;
		g->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
		while (g->n < sizeof(g->reason) - 1
			&& (n = read(g->err, g->reason + g->n, sizeof(g->reason) - 1 - g->n)) > 0)
			g->n += (size_t)n;
	}
}

void rig_pump(struct rig *r, int wait_ms)
{
	struct pollfd p[RIG_TTYS * 2];
	nfds_t n = 0;

	for (int i = 0; i < r->n_ttys; i++) {
		if (!r->tty[i].paused && r->tty[i].fd >= 0)
			p[n++] = (struct pollfd){ r->tty[i].fd, POLLIN, 0 };
		p[n++] = (struct pollfd){ r->tty[i].events, POLLIN, 0 };
	}
	(void)poll(p, n, wait_ms < 20 ? wait_ms : 20);
	for (int i = 0; i < r->n_ttys; i++)
		tty_pump(&r->tty[i]);
	for (int i = 0; i < r->n_gates; i++)
		gate_pump(&r->gate[i]);
}

void rig_pass(struct rig *r, int ms)
{
	uint64_t end = rig_now() + (uint64_t)ms;

	while (rig_now() < end)
		rig_pump(r, 10);
}

/* What a subcommand prints. */
static void capture(struct rig *r, const char *sub, char *to, size_t max)
{
	size_t n = 0;
	ssize_t k;
	int p[2];
	pid_t pid;

	assert_int_equal(pipe2(p, O_CLOEXEC), 0);
	pid = fork();
	if (pid == 0) {
		dup2(p[1], 1);
		setenv("HOME", r->dir, 1);
		execl(OBSTAT, "obstat", sub, "--state", r->state, "--json", (char *)NULL);
		_exit(127);
	}
	close(p[1]);
	while (n < max - 1 && (k = read(p[0], to + n, max - 1 - n)) > 0)
		n += (size_t)k;
	to[n] = '\0';
	close(p[0]);
	waitpid(pid, NULL, 0);
}

const char *rig_ls(struct rig *r)
{
	static char text[1 << 18];

	capture(r, "ls", text, sizeof(text));
	return text;
}

void rig_until_ls(struct rig *r, const char *text)
{
	uint64_t end = rig_now() + GUARD_MS;
	const char *have;

	while (strstr(have = rig_ls(r), text) == NULL) {
		if (rig_now() > end)
			fail_msg("the hub never said %s, but\n%s", text, have);
		rig_pump(r, 20);
	}
}

unsigned rig_approvals(struct rig *r)
{
	static char text[1 << 20];
	unsigned n = 0;

	capture(r, "log", text, sizeof(text));
	for (const char *p = text; (p = strstr(p, "\"outcome\":\"approved\",\"by\":{\"kind\":\"human\"")) != NULL; p++)
		n++;
	return n;
}

int rig_gate_wait(struct rig *r, int gate)
{
	uint64_t end = rig_now() + GUARD_MS;

	while (!r->gate[gate].ended) {
		if (rig_now() > end)
			fail_msg("the gate got no answer; the hub has\n%s", rig_ls(r));
		rig_pump(r, 20);
	}
	return r->gate[gate].status;
}

bool rig_gate_waits(struct rig *r, int gate)
{
	rig_pump(r, 0);
	return !r->gate[gate].ended;
}
