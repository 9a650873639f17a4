/*
 * rig_tty.c - a console on a pseudo-terminal. See rig.h.
 *
 * The console runs as a foreground job of a session leader that does for it
 * what a shell does and no more: were the console itself the leader, the
 * kernel would reset the terminal's modes at its end and hide what it left.
 */
#include "tests/pty/rig_tty.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the shell: child of the test, parent of the console ---- */

struct event {
	char what;                 /* p: the job's pid, s: stopped, e: ended */
	int value;
};

static void tell(int fd, char what, int value)
{
	struct event e = { what, value };

	(void)!write(fd, &e, sizeof(e));
}

static void job(struct rig *r, const char *const *env)
{
	struct rlimit none = { 0, 0 };
	char home[100];
	char *argv[] = { (char *)"obstat", (char *)"--state", r->state, (char *)"--config",
		r->config, NULL };
	char *envp[20] = { home, (char *)"TERM=xterm-256color", (char *)"LANG=C.UTF-8",
		(char *)"PATH=/usr/bin:/bin", (char *)"TZ=UTC" };
	int n = 5;

	snprintf(home, sizeof(home), "HOME=%s", r->dir);
	for (; env != NULL && *env != NULL && n < 19; env++)
		envp[strncmp(*env, "TERM=", 5) == 0 ? 1 : n++] = (char *)(uintptr_t)*env;
	if (getenv("ASAN_OPTIONS") != NULL && n < 19) {
		static char asan[300];
		snprintf(asan, sizeof(asan), "ASAN_OPTIONS=%s", getenv("ASAN_OPTIONS"));
		envp[n++] = asan;
	}
	setrlimit(RLIMIT_CORE, &none);
	for (int s = 1; s < 32; s++)
		signal(s, SIG_DFL);
	execve(OBSTAT, argv, envp);
	_exit(127);
}

static void watch_job(pid_t pid, int events)
{
	int status;

	for (;;) {
		if (waitpid(pid, &status, WUNTRACED) < 0 && errno == EINTR)
			continue;
		if (!WIFSTOPPED(status))
			break;
		/* The shell takes the terminal, as shells do. */
		tcsetpgrp(0, getpgrp());
		tell(events, 's', 0);
	}
	tcsetpgrp(0, getpgrp());
	tell(events, 'e', status);
}

static void shell(struct rig *r, int slave, int events, int orders,
	const char *const *env)
{
	pid_t pid, watcher;
	char c;

	setsid();
	ioctl(slave, TIOCSCTTY, 0);
	for (int i = 0; i < 3; i++)
		dup2(slave, i);
	signal(SIGTTOU, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	pid = fork();
	if (pid == 0) {
		setpgid(0, 0);
		tcsetpgrp(0, getpid());
		job(r, env);
	}
	setpgid(pid, pid);
	tell(events, 'p', pid);
	/* Orders come while the job is waited for: by a process of their own. */
	watcher = fork();
	if (watcher == 0) {
		while (read(orders, &c, 1) == 1) {
			tcsetpgrp(0, pid);
			kill(-pid, SIGCONT);
		}
		_exit(0);
	}
	close(orders);
	watch_job(pid, events);
	kill(watcher, SIGKILL);
	/* Stays: the session, and with it the terminal, must outlive the job. */
	for (;;)
		pause();
}

/* ---- the terminal ---- */

static int on_prop(VTermProp prop, VTermValue *v, void *arg)
{
	struct tty *t = arg;

	if (prop == VTERM_PROP_ALTSCREEN)
		t->alt = v->boolean != 0;
	else if (prop == VTERM_PROP_CURSORVISIBLE)
		t->cursor = v->boolean != 0;
	return 1;
}

static void on_reply(const char *s, size_t n, void *arg)
{
	struct tty *t = arg;

	for (size_t i = 0; i < n && t->n_replies < sizeof(t->replies) - 1; i++)
		t->replies[t->n_replies++] = s[i];
	t->replies[t->n_replies] = '\0';
}

static void emulator(struct tty *t, int w, int h)
{
	static const VTermScreenCallbacks cb = { .settermprop = on_prop };

	t->vt = vterm_new(h, w);
	vterm_set_utf8(t->vt, 1);
	vterm_output_set_callback(t->vt, on_reply, t);
	t->screen = vterm_obtain_screen(t->vt);
	vterm_screen_enable_altscreen(t->screen, 1);
	vterm_screen_set_callbacks(t->screen, &cb, t);
	t->cursor = true;
	vterm_screen_reset(t->screen, 1);
}

struct tty *tty_open(struct rig *r, int w, int h, const char *const *env)
{
	struct tty *t = &r->tty[r->n_ttys];
	struct winsize ws = { .ws_row = (unsigned short)h, .ws_col = (unsigned short)w };
	int ev[2], ord[2];

	assert_true(r->n_ttys < RIG_TTYS);
	memset(t, 0, sizeof(*t));
	t->w = w;
	t->h = h;
	assert_int_equal(openpty(&t->fd, &t->slave, NULL, NULL, &ws), 0);
	fcntl(t->fd, F_SETFL, O_NONBLOCK);
	fcntl(t->fd, F_SETFD, FD_CLOEXEC);
	fcntl(t->slave, F_SETFD, FD_CLOEXEC);
	assert_int_equal(tcgetattr(t->slave, &t->before), 0);
	assert_int_equal(pipe2(ev, O_CLOEXEC), 0);
	assert_int_equal(pipe2(ord, O_CLOEXEC), 0);
	emulator(t, w, h);
	t->shell = fork();
	if (t->shell == 0) {
		for (int i = 0; i <= r->n_ttys; i++)
			close(r->tty[i].fd); /* or a hangup would be none */
		close(ord[1]);
		shell(r, t->slave, ev[1], ord[0], env);
	}
	close(ev[1]);
	close(ord[0]);
	t->events = ev[0];
	t->orders = ord[1];
	fcntl(t->events, F_SETFL, O_NONBLOCK);
	r->n_ttys++;
	return t;
}

static void keep(struct tty *t, const char *b, size_t n)
{
	if (t->n_raw + n > t->cap_raw) {
		t->cap_raw = (t->n_raw + n) * 2;
		t->raw = realloc(t->raw, t->cap_raw);
		assert_non_null(t->raw);
	}
	memcpy(t->raw + t->n_raw, b, n);
	t->n_raw += n;
}

void tty_pump(struct tty *t)
{
	struct event e;
	char b[65536];
	ssize_t n;

	while (!t->paused && t->fd >= 0 && (n = read(t->fd, b, sizeof(b))) > 0) {
		keep(t, b, (size_t)n);
		vterm_input_write(t->vt, b, (size_t)n);
	}
	while (read(t->events, &e, sizeof(e)) == (ssize_t)sizeof(e)) {
		if (e.what == 'p')
			t->job = e.value;
		else if (e.what == 's')
			t->stopped = true;
		else
			t->ended = true, t->status = e.value;
	}
}

void tty_end(struct tty *t)
{
	if (t->job > 0 && !t->ended)
		kill(t->job, SIGKILL);
	kill(t->shell, SIGKILL);
	waitpid(t->shell, NULL, 0);
	if (t->fd >= 0)
		close(t->fd);
	close(t->slave);
	close(t->events);
	close(t->orders);
	vterm_free(t->vt);
	free(t->raw);
}

void tty_type(struct tty *t, const char *bytes, size_t n)
{
	assert_int_equal(write(t->fd, bytes, n), (ssize_t)n);
}

void tty_size(struct tty *t, int w, int h)
{
	struct winsize ws = { .ws_row = (unsigned short)h, .ws_col = (unsigned short)w };

	t->w = w;
	t->h = h;
	vterm_set_size(t->vt, h, w);
	assert_int_equal(ioctl(t->fd, TIOCSWINSZ, &ws), 0);
}

static size_t put_utf8(char *to, uint32_t cp)
{
	if (cp < 0x80) {
		to[0] = (char)cp;
		return 1;
	}
	if (cp < 0x800) {
		to[0] = (char)(0xc0 | cp >> 6);
		to[1] = (char)(0x80 | (cp & 63));
		return 2;
	}
	if (cp < 0x10000) {
		to[0] = (char)(0xe0 | cp >> 12);
		to[1] = (char)(0x80 | (cp >> 6 & 63));
		to[2] = (char)(0x80 | (cp & 63));
		return 3;
	}
	to[0] = (char)(0xf0 | cp >> 18);
	to[1] = (char)(0x80 | (cp >> 12 & 63));
	to[2] = (char)(0x80 | (cp >> 6 & 63));
	to[3] = (char)(0x80 | (cp & 63));
	return 4;
}

char *tty_text(struct tty *t)
{
	static char text[1 << 20];
	VTermScreenCell c;
	size_t n = 0;

	for (int y = 0; y < t->h; y++) {
		for (int x = 0; x < t->w; x += c.width > 0 ? c.width : 1) {
			VTermPos at = { y, x };

			vterm_screen_get_cell(t->screen, at, &c);
			if (c.chars[0] == 0 || c.chars[0] == (uint32_t)-1)
				text[n++] = ' ';
			for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && c.chars[i] != 0
				&& c.chars[i] != (uint32_t)-1; i++)
				n += put_utf8(text + n, c.chars[i]);
		}
		text[n++] = '\n';
	}
	text[n] = '\0';
	return text;
}

bool tty_has(struct tty *t, const char *text)
{
	return strstr(tty_text(t), text) != NULL;
}

static void until(struct rig *r, struct tty *t, const char *text, bool want)
{
	uint64_t end = rig_now() + GUARD_MS;

	while (tty_has(t, text) != want) {
		if (rig_now() > end || (t->ended && want)) {
			fputs(tty_text(t), stderr);
			fail_msg("%s on the screen: %s", want ? "never" : "still", text);
		}
		rig_pump(r, 20);
	}
}

void tty_until(struct rig *r, struct tty *t, const char *text)
{
	until(r, t, text, true);
}

void tty_until_gone(struct rig *r, struct tty *t, const char *text)
{
	until(r, t, text, false);
}

void tty_signal(struct tty *t, int signo)
{
	assert_true(t->job > 0);
	assert_int_equal(kill(t->job, signo), 0);
}

bool tty_stopped_within(struct rig *r, struct tty *t, unsigned ms)
{
	uint64_t end = rig_now() + ms;

	while (!t->stopped && rig_now() < end)
		rig_pump(r, 20);
	return t->stopped;
}

void tty_until_stopped(struct rig *r, struct tty *t)
{
	uint64_t end = rig_now() + GUARD_MS;

	while (!t->stopped) {
		assert_true(rig_now() < end);
		rig_pump(r, 20);
	}
}

void tty_continue(struct tty *t)
{
	t->stopped = false;
	assert_int_equal(write(t->orders, "f", 1), 1);
}

void tty_until_ended(struct rig *r, struct tty *t)
{
	uint64_t end = rig_now() + GUARD_MS;

	while (!t->ended) {
		if (rig_now() > end) {
			fputs(tty_text(t), stderr);
			fail_msg("the console does not end");
		}
		rig_pump(r, 20);
	}
	rig_pump(r, 0);
}

/* A terminal with bracketed paste on would announce one. */
static bool paste_on(struct tty *t)
{
	t->n_replies = 0;
	vterm_keyboard_start_paste(t->vt);
	vterm_keyboard_end_paste(t->vt);
	return t->n_replies > 0;
}

static bool same_modes(const struct termios *a, const struct termios *b)
{
	return a->c_iflag == b->c_iflag && a->c_oflag == b->c_oflag
		&& a->c_cflag == b->c_cflag && a->c_lflag == b->c_lflag
		&& memcmp(a->c_cc, b->c_cc, sizeof(a->c_cc)) == 0;
}

void tty_assert_sane(struct rig *r, struct tty *t)
{
	struct termios now;

	rig_pump(r, 0);
	assert_int_equal(tcgetattr(t->slave, &now), 0);
	assert_true(same_modes(&now, &t->before));
	assert_false(t->alt);
	assert_true(t->cursor);
	assert_false(paste_on(t));
}

void tty_assert_taken(struct rig *r, struct tty *t)
{
	struct termios now;

	rig_pump(r, 0);
	assert_int_equal(tcgetattr(t->slave, &now), 0);
	assert_int_equal(now.c_lflag & (tcflag_t)(ICANON | ECHO | ISIG), 0);
	assert_true(t->alt);
	assert_false(t->cursor);
	assert_true(paste_on(t));
}

void tty_assert_drawn(struct rig *r, struct tty *t)
{
	char *before;
	size_t from;

	rig_pass(r, 60);
	before = strdup(tty_text(t));
	from = t->n_raw;
	TYPE(t, "\f");
	for (uint64_t end = rig_now() + GUARD_MS; t->n_raw == from && rig_now() < end;)
		rig_pump(r, 20);
	rig_pass(r, 60);
	/* But for the clock in the first line. */
	if (strcmp(strchr(before, '\n'), strchr(tty_text(t), '\n')) != 0) {
		fprintf(stderr, "stood there:\n%sdrawn anew:\n%s", before, tty_text(t));
		fail_msg("what stood on the screen was not what was drawn");
	}
	free(before);
}

void tty_open_first(struct rig *r, struct tty *t)
{
	TYPE(t, "g");
	tty_until(r, t, "▸");
	TYPE(t, "\r");
	tty_until(r, t, "Esc");
	tty_until(r, t, "── all "); /* of its lines have been seen */
	rig_pass(r, 450); /* 400 ms after it stood on the screen */
}
