/*
 * term_curses.c - the real terminal. ncursesw turns cells into the fewest
 * bytes; this file owns the descriptor, the modes and the way out.
 *
 * ncurses writes to a descriptor of its own with blocking writes, and spins on
 * a non-blocking one. So it writes to a memory file, and what it wrote is
 * copied from there into out, which is written to the terminal as far as the
 * terminal takes it. That also tells when a frame is wholly on the screen.
 *
 * Input and output share one own open of /dev/tty: its O_NONBLOCK is not seen
 * by whoever shares descriptors 0 to 2 with us.
 */
#include "ui/term.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#include "base/i18n.h"
#include "base/text.h"

#define OUT_MAX (16u << 20)
#define MODES_ON "\033[?2004h"   /* bracketed paste: xterm's ctlseqs */
#define MARGINS_OFF "\033[r"     /* whoever was here before may have left some */
#define MODES_OFF "\033[?2004l"

struct term {
	int fd, mem_fd;
	FILE *mem, *null;
	SCREEN *screen;
	struct termios saved, raw;
	struct buf out;
	int w, h;
	bool utf8, repaint, bell;
	bool left;                 /* the terminal is its owner's, as while stopped */
	int colours;               /* 0: none */
	attr_t attrs[ROLE_N];
	int pair[ROLE_N];
	char enter[128], leave[160];
};

/* What a crash needs, where a signal handler finds it. */
static struct {
	int fd;
	size_t n;
	char leave[160];
	struct termios saved;
} crash = { .fd = -1 };
static const int crash_signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
#define N_CRASH (sizeof(crash_signals) / sizeof(crash_signals[0]))
static struct sigaction crash_old[N_CRASH];
static char crash_stack[16384];

/* Async-signal-safe: write, poll and tcsetattr only (POSIX 2.4.3). */
static void crash_restore(void)
{
	int fd = crash.fd;
	size_t at = 0;

	if (fd < 0)
		return;
	crash.fd = -1;
	for (int tries = 0; at < crash.n && tries < 10; tries++) {
		ssize_t n = write(fd, crash.leave + at, crash.n - at);
		if (n > 0) {
			at += (size_t)n;
		} else {
			struct pollfd p = { fd, POLLOUT, 0 };
			(void)poll(&p, 1, 100);
		}
	}
	(void)tcsetattr(fd, TCSANOW, &crash.saved);
}

/* Restores, then lets the signal do what it would have done without us. */
static void crash_signal(int signo)
{
	int e = errno;

	crash_restore();
	for (size_t i = 0; i < N_CRASH; i++)
		if (crash_signals[i] == signo)
			(void)sigaction(signo, &crash_old[i], NULL);
	(void)raise(signo);
	errno = e;
}

static void crash_arm(const struct term *t)
{
	struct sigaction sa = { .sa_handler = crash_signal, .sa_flags = SA_ONSTACK };
	stack_t st = { .ss_sp = crash_stack, .ss_size = sizeof(crash_stack) };

	crash.n = strlen(t->leave);
	memcpy(crash.leave, t->leave, crash.n);
	crash.saved = t->saved;
	crash.fd = t->fd;
	sigemptyset(&sa.sa_mask);
	(void)sigaltstack(&st, NULL);
	for (size_t i = 0; i < N_CRASH; i++)
		(void)sigaction(crash_signals[i], &sa, &crash_old[i]);
	fatal_hook(crash_restore);
}

static void crash_disarm(void)
{
	crash.fd = -1;
	for (size_t i = 0; i < N_CRASH; i++)
		(void)sigaction(crash_signals[i], &crash_old[i], NULL);
	fatal_hook(NULL);
}

/* Writes s whatever the terminal's pace, for at most a second. */
static void write_slowly(int fd, const char *s, size_t n)
{
	struct timespec from, now;

	clock_gettime(CLOCK_MONOTONIC, &from);
	while (n > 0) {
		ssize_t w = write(fd, s, n);
		if (w > 0) {
			s += w;
			n -= (size_t)w;
			continue;
		}
		clock_gettime(CLOCK_MONOTONIC, &now);
		if ((w < 0 && errno != EAGAIN && errno != EINTR) || now.tv_sec - from.tv_sec > 1)
			return;
		struct pollfd p = { fd, POLLOUT, 0 };
		(void)poll(&p, 1, 100);
	}
}

static void set_modes(const struct term *t, const struct termios *m, int when)
{
	while (tcsetattr(t->fd, when, m) != 0 && errno == EINTR)
		;
}

/* A capability, or nothing; padding marks ("$<5>") are not for our writes. */
static void cap(char *to, size_t n, const char *name)
{
	const char *s = tigetstr(name);

	if (s != NULL && s != (char *)-1 && strstr(s, "$<") == NULL
		&& strlen(to) + strlen(s) < n)
		memcpy(to + strlen(to), s, strlen(s) + 1);
}

static void add(char *to, size_t n, const char *s)
{
	if (strlen(to) + strlen(s) < n)
		memcpy(to + strlen(to), s, strlen(s) + 1);
}

static int colour_for(const struct term *t, int32_t c)
{
	if (c < 0)
		return -1;
	if (t->colours > 256)          /* *-direct: numbers are RGB from 8 up */
		return colour_to_rgb(c);
	if (t->colours == 256)
		return colour_to_256(c);
	c = colour_to_16(c);
	return t->colours >= 16 ? c : c & 7;
}

static void set_looks(struct term *t, const struct term_options *o)
{
	static const struct {
		uint8_t style;
		attr_t curses;
	} map[] = { { STYLE_BOLD, A_BOLD }, { STYLE_DIM, A_DIM }, { STYLE_ITALIC, A_ITALIC },
		{ STYLE_UNDERLINE, A_UNDERLINE }, { STYLE_REVERSE, A_REVERSE } };
	struct theme mono;
	const struct theme *theme = o->theme;

	t->colours = 0;
	if (!o->no_colour && has_colors() && start_color() == OK
		&& use_default_colors() == OK)
		t->colours = COLORS;
	if (t->colours < 8 || theme == NULL) {
		theme_mono(&mono);
		theme = &mono;
		t->colours = 0;
	}
	for (int r = 0; r < ROLE_N; r++) {
		const struct style *s = &theme->style[r];

		for (size_t i = 0; i < sizeof(map) / sizeof(map[0]); i++)
			if ((s->attrs & map[i].style) != 0)
				t->attrs[r] |= map[i].curses;
		if (t->colours == 0 || (s->fg < 0 && s->bg < 0))
			continue;
		if (init_extended_pair(r + 1, colour_for(t, s->fg), colour_for(t, s->bg)) == OK)
			t->pair[r] = r + 1;
	}
}

/* ncurses installs handlers for these; the loop has its own. */
static const int curses_signals[] = { SIGINT, SIGTERM, SIGTSTP, SIGWINCH };

static int open_curses(struct term *t, const struct term_options *o, struct err *e)
{
	struct sigaction old[4];
	const char *cup;

	for (int i = 0; i < 4; i++)
		(void)sigaction(curses_signals[i], NULL, &old[i]);
	use_env(FALSE);
	t->screen = newterm(NULL, t->mem, t->null);
	for (int i = 0; i < 4; i++)
		(void)sigaction(curses_signals[i], &old[i], NULL);
	/* newterm() refuses what is unknown and what cannot move its cursor. */
	cup = t->screen != NULL ? tigetstr("cup") : NULL;
	if (cup == NULL || cup == (char *)-1)
		return err_set(e, "term_type", "%s", _("TERM names a terminal that is unknown "
			"here or cannot move its cursor. Set TERM to what your terminal is, "
			"xterm-256color for most; to list what waits: obstat ls"));
	typeahead(-1);
	nonl();
	set_looks(t, o);
	cap(t->enter, sizeof(t->enter), "smcup");
	if (tigetstr("csr") != NULL && tigetstr("csr") != (char *)-1)
		add(t->enter, sizeof(t->enter), MARGINS_OFF);
	cap(t->enter, sizeof(t->enter), "civis");
	add(t->enter, sizeof(t->enter), MODES_ON);
	add(t->leave, sizeof(t->leave), MODES_OFF);
	cap(t->leave, sizeof(t->leave), "sgr0");
	cap(t->leave, sizeof(t->leave), "op");
	cap(t->leave, sizeof(t->leave), "cnorm");
	cap(t->leave, sizeof(t->leave), "rmcup");
	return 0;
}

static int open_files(struct term *t, struct err *e)
{
	t->fd = open("/dev/tty", O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	if (t->fd < 0 || tcgetattr(t->fd, &t->saved) != 0)
		return err_sys(e, "term_tty", "/dev/tty");
	t->mem_fd = memfd_create("obstat-screen", MFD_CLOEXEC);
	if (t->mem_fd < 0 || (t->mem = fdopen(t->mem_fd, "w")) == NULL
		|| (t->null = fopen("/dev/null", "re")) == NULL)
		return err_sys(e, "term_tty", "memory file");
	return 0;
}

/* Not curses' raw(): it would ask the memory file for its modes. */
static void make_raw(struct term *t)
{
	t->raw = t->saved;
	t->raw.c_iflag &= ~(tcflag_t)(BRKINT | ICRNL | INLCR | IGNCR | ISTRIP | IXON | PARMRK);
	t->raw.c_oflag &= ~(tcflag_t)OPOST;
	t->raw.c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON | ISIG | IEXTEN);
	t->raw.c_cc[VMIN] = 1;
	t->raw.c_cc[VTIME] = 0;
}

/* What curses wrote, if wanted; the memory file is empty again. */
static void collect(struct term *t, bool want)
{
	off_t size = lseek(t->mem_fd, 0, SEEK_CUR);

	if (want && size > 0 && buf_reserve(&t->out, (size_t)size) == 0) {
		ssize_t n = pread(t->mem_fd, t->out.p + t->out.n, (size_t)size, 0);
		if (n > 0)
			t->out.n += (size_t)n;
	}
	(void)!ftruncate(t->mem_fd, 0);
	(void)lseek(t->mem_fd, 0, SEEK_SET);
}

struct term *term_open(const struct term_options *o, struct err *e)
{
	struct term *t = xcalloc(1, sizeof(*t));

	t->fd = t->mem_fd = -1;
	buf_init(&t->out, OUT_MAX);
	if (open_files(t, e) != 0 || open_curses(t, o, e) != 0) {
		term_close(&t);
		return NULL;
	}
	t->utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	make_raw(t);
	/* Its own way in goes nowhere. A terminal that is sent into the alternate
	 * screen twice may save the hidden cursor as the one to restore; and the
	 * margins would be those of the size that terminfo has, so that a terminal
	 * with more lines would not shift text in the lowest ones. */
	(void)wnoutrefresh(stdscr);
	(void)doupdate();
	collect(t, false);
	crash_arm(t);
	set_modes(t, &t->raw, TCSADRAIN);
	buf_adds(&t->out, t->enter);
	term_resized(t);
	return t;
}

void term_close(struct term **tp)
{
	struct term *t = *tp;

	if (t == NULL)
		return;
	if (crash.fd >= 0) {
		crash_disarm();
		write_slowly(t->fd, t->out.p, t->out.n); /* not half a sequence */
		write_slowly(t->fd, t->leave, strlen(t->leave));
		/* Flushed: what was typed at us must not reach the shell. */
		set_modes(t, &t->saved, TCSAFLUSH);
	}
	if (t->screen != NULL) {
		endwin();
		delscreen(t->screen);
	}
	if (t->mem != NULL)
		fclose(t->mem);
	else if (t->mem_fd >= 0)
		close(t->mem_fd);
	if (t->null != NULL)
		fclose(t->null);
	if (t->fd >= 0)
		close(t->fd);
	buf_free(&t->out);
	free(t);
	*tp = NULL;
}

int term_fd(const struct term *t)
{
	return t->fd;
}

void term_size(const struct term *t, int *w, int *h)
{
	*w = t->w;
	*h = t->h;
}

void term_resized(struct term *t)
{
	struct winsize ws = { 0 };

	while (ioctl(t->fd, TIOCGWINSZ, &ws) != 0 && errno == EINTR)
		;
	t->w = ws.ws_col > 0 ? ws.ws_col : 80;
	t->h = ws.ws_row > 0 ? ws.ws_row : 24;
	(void)resize_term(t->h, t->w);
	t->repaint = true;
}

ssize_t term_read(struct term *t, char *buf, size_t n)
{
	ssize_t got = read(t->fd, buf, n);

	if (got > 0)
		return got;
	/* 0 and EIO are a hangup; left unseen they would be a busy loop. */
	return got < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
}

/* Without UTF-8 the frame's own glyphs have stand-ins; the rest is marked. */
static wchar_t ascii_for(uint32_t cp)
{
	switch (cp) {
	case 0x258c: case 0x2502: return L'|';
	case 0x2500: return L'-';
	case 0x2026: return L'~';
	case 0x00b7: return L'.';
	case 0x25b8: return L'>';
	case 0x21aa: return L'+';
	case 0x201c: case 0x201d: return L'"';
	case 0x2212: return L'-';
	default: return L'?';
	}
}

static void cell_to_curses(const struct term *t, const struct cell *c, cchar_t *out)
{
	wchar_t ws[CCHARW_MAX + 1] = { 0 };
	size_t at = 0, n = 0, used;
	uint32_t cp;

	while (at < c->n && (used = utf8_decode(c->g + at, c->n - at, &cp)) > 0) {
		if (n == CCHARW_MAX) { /* more marks than curses can hold: say so */
			n = 0;
			ws[n++] = t->utf8 ? 0xfffd : L'?';
			break;
		}
		ws[n++] = cp < 0x80 || t->utf8 ? (wchar_t)cp : ascii_for(cp);
		at += used;
	}
	if (t->utf8 && n > 0 && wcwidth(ws[0]) != c->w)
		ws[n = 0] = 0xfffd, n = 1;
	ws[n] = 0;
	(void)setcchar(out, ws, t->attrs[c->role], 0, &t->pair[c->role]);
}

void term_draw(struct term *t, const struct frame *f)
{
	cchar_t row[1000];

	if (t->repaint) {
		clearok(curscr, TRUE);
		t->repaint = false;
	}
	for (int y = 0; y < f->h && y < t->h; y++) {
		int n = 0;

		for (int x = 0; x < f->w && x < t->w; x++) {
			const struct cell *c = &f->cells[y * f->w + x];
			if (c->w > 0)
				cell_to_curses(t, c, &row[n++]);
		}
		(void)mvadd_wchnstr(y, 0, row, n);
	}
	if (f->cx >= 0)
		(void)move(f->cy, f->cx);
	(void)curs_set(f->cx >= 0);
	(void)wnoutrefresh(stdscr);
	(void)doupdate();
	collect(t, true);
	if (t->bell)
		buf_addc(&t->out, '\a');
	t->bell = false;
}

int term_flush(struct term *t)
{
	while (t->out.n > 0) {
		ssize_t n = write(t->fd, t->out.p, t->out.n);
		if (n > 0)
			buf_drop_front(&t->out, (size_t)n);
		else if (n < 0 && errno == EINTR)
			continue;
		else
			return n < 0 && errno == EAGAIN ? 0 : -1;
	}
	return 1;
}

void term_bell(struct term *t)
{
	t->bell = true;
}

void term_suspend(struct term *t)
{
	write_slowly(t->fd, t->out.p, t->out.n);
	buf_clear(&t->out);
	write_slowly(t->fd, t->leave, strlen(t->leave));
	set_modes(t, &t->saved, TCSAFLUSH);
	t->left = true;
	(void)raise(SIGSTOP);
	term_resume(t);
}

void term_resume(struct term *t)
{
	/* A shell may have changed what it keeps for its children: saved stays
	 * what it was at the start, as tcsetattr at exit must undo only ours. */
	set_modes(t, &t->raw, TCSADRAIN);
	/* Not twice: SIGCONT comes after term_suspend() has been here already, and
	 * a second way in may save the hidden cursor as the one to restore. */
	buf_adds(&t->out, t->left ? t->enter : MODES_ON);
	t->left = false;
	term_resized(t);
}
