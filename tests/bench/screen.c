/*
 * screen.c - see bench.h: a pseudo-terminal whose output libvterm turns into
 * what a person would see.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <vterm.h>

#include "tests/bench/bench.h"

#define ROW_BYTES 4096

struct bench_screen {
	int fd, rows, cols;
	pid_t pid;
	VTerm *vt;
	VTermScreen *screen;
};

/* What the terminal answers to the program's questions. */
static void reply(const char *p, size_t n, void *arg)
{
	const struct bench_screen *s = arg;

	if (write(s->fd, p, n) < 0 && errno != EAGAIN)
		bench_die("the terminal is gone");
}

struct bench_screen *bench_screen(const char *const argv[], int rows, int cols)
{
	struct bench_screen *s = xcalloc(1, sizeof(*s));
	struct winsize ws = { .ws_row = (unsigned short)rows,
		.ws_col = (unsigned short)cols };

	s->rows = rows;
	s->cols = cols;
	s->vt = vterm_new(rows, cols);
	vterm_set_utf8(s->vt, 1);
	s->screen = vterm_obtain_screen(s->vt);
	vterm_screen_enable_altscreen(s->screen, 1);
	vterm_screen_reset(s->screen, 1);
	vterm_output_set_callback(s->vt, reply, s);
	s->pid = forkpty(&s->fd, NULL, NULL, &ws);
	if (s->pid < 0)
		bench_die("forkpty: %s", strerror(errno));
	if (s->pid == 0) {
		setenv("TERM", "xterm-256color", 1);
		signal(SIGPIPE, SIG_DFL);
		execv(argv[0], (char *const *)(uintptr_t)argv);
		_exit(127);
	}
	fcntl(s->fd, F_SETFD, FD_CLOEXEC);
	fcntl(s->fd, F_SETFL, O_NONBLOCK);
	return s;
}

pid_t bench_screen_pid(const struct bench_screen *s)
{
	return s->pid;
}

void bench_type(struct bench_screen *s, const char *text)
{
	if (write(s->fd, text, strlen(text)) != (ssize_t)strlen(text))
		bench_die("cannot type at the console");
}

/* One read; 0: nothing within ms. */
static uint64_t take(struct bench_screen *s, int ms)
{
	struct pollfd p = { s->fd, POLLIN, 0 };
	char b[65536];
	uint64_t at;
	ssize_t n;

	if (poll(&p, 1, ms) <= 0)
		return 0;
	n = read(s->fd, b, sizeof(b));
	at = bench_ns();
	if (n <= 0 && errno != EAGAIN)
		bench_die("the console ended");
	if (n > 0)
		vterm_input_write(s->vt, b, (size_t)n);
	return at;
}

static size_t row_text(const struct bench_screen *s, int row, char out[ROW_BYTES])
{
	VTermRect r = { .start_row = row, .end_row = row + 1, .start_col = 0,
		.end_col = s->cols };
	size_t n = vterm_screen_get_text(s->screen, out, ROW_BYTES - 1, r);

	n = n < ROW_BYTES ? n : ROW_BYTES - 1;
	out[n] = '\0';
	return n;
}

static bool shows(const struct bench_screen *s, const char *text)
{
	char row[ROW_BYTES];

	for (int i = 0; i < s->rows; i++) {
		size_t n = row_text(s, i, row);

		if (memmem(row, n, text, strlen(text)) != NULL)
			return true;
	}
	return false;
}

uint64_t bench_see(struct bench_screen *s, const char *text, unsigned ms)
{
	uint64_t until = bench_ns() + (uint64_t)ms * 1000000, at, now;

	while ((now = bench_ns()) < until) {
		at = take(s, (int)((until - now) / 1000000) + 1);
		if (at != 0 && shows(s, text))
			return at;
	}
	return 0;
}

void bench_quiet(struct bench_screen *s, unsigned ms)
{
	while (take(s, (int)ms) != 0)
		;
}

void bench_dump(const struct bench_screen *s)
{
	char row[ROW_BYTES];

	for (int i = 0; i < s->rows; i++) {
		row_text(s, i, row);
		fprintf(stderr, "|%s\n", row);
	}
}

void bench_screen_end(struct bench_screen **sp)
{
	struct bench_screen *s = *sp;

	kill(s->pid, SIGTERM);
	for (int i = 0; i < 20; i++) { /* what it writes on leaving must go somewhere */
		char b[4096];
		struct pollfd p = { s->fd, POLLIN, 0 };

		if (poll(&p, 1, 100) > 0 && read(s->fd, b, sizeof(b)) <= 0)
			break;
	}
	close(s->fd);
	bench_wait(s->pid);
	vterm_free(s->vt);
	free(s);
	*sp = NULL;
}
