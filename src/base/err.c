/*
 * err.c - causes, log and the end. All three voices quote bytes that came
 * from outside, so all three go through esc_line() and are cut without ever
 * leaving half a character or half a notation behind.
 */
#include "base/err.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/text.h"

#define ERR_RAW_MAX 8192   /* formatted text that is looked at */
#define LOG_LINE_MAX 4096  /* with time, level and LF */

/* ---- formatting, escaping, cutting ---- */

/* How much of the escaped text fits: whole characters, whole notations. */
struct err_cut {
	const struct buf *out;
	size_t limit;
	size_t at;
};

static void err_cut_piece(void *arg, const struct esc_piece *piece)
{
	struct err_cut *c = arg;
	size_t to = piece->out_to;

	if (piece->out_from > c->at)
		return; /* an earlier piece did not fit */
	if (to > c->limit) {
		if (piece->notation)
			return;
		to = c->limit;
		while (to > piece->out_from && (c->out->p[to] & 0xC0) == 0x80)
			to--;
	}
	if (to > c->at)
		c->at = to;
}

/*
 * Escapes raw into out (size cap, NUL included). What does not fit, or was
 * already cut before (all counts the bytes there were), ends in a mark.
 */
static void err_escape(const char *raw, size_t n, size_t all, char *out, size_t cap)
{
	struct buf b;
	struct err_cut cut = { .out = &b };
	char mark[40];
	size_t mark_n;

	mark_n = (size_t)snprintf(mark, sizeof mark, "\xE2\x80\xA6 (cut, %zu bytes)", all);
	/* One byte becomes at most ten ("<U+10FFFF>", a tab and its blanks). */
	buf_init(&b, n * 16 + 64);
	cut.limit = cap - 1 - mark_n;
	esc_line((struct sv){ raw, n }, ESC_STRICT, 0, &b, err_cut_piece, &cut, NULL);
	if (all == n && b.n < cap) {
		cut.at = b.n;
		mark_n = 0;
	}
	if (cut.at > 0)
		memcpy(out, b.p, cut.at);
	memcpy(out + cut.at, mark, mark_n);
	out[cut.at + mark_n] = '\0';
	buf_free(&b);
}

/* Formats into raw[ERR_RAW_MAX]; returns the bytes there, *all those there
 * were. A cut never leaves an incomplete character. */
__attribute__((format(printf, 3, 0)))
static size_t err_format(char *raw, size_t *all, const char *fmt, va_list ap)
{
	int want = vsnprintf(raw, ERR_RAW_MAX, fmt, ap);
	size_t n;

	if (want < 0) {
		n = (size_t)snprintf(raw, ERR_RAW_MAX, "(message not formatted)");
		*all = n;
		return n;
	}
	*all = (size_t)want;
	if (*all < ERR_RAW_MAX)
		return *all;
	n = ERR_RAW_MAX - 1;
	for (int i = 0; i < 3 && n > 0 && (raw[n - 1] & 0xC0) == 0x80; i++)
		n--;
	if (n > 0 && (raw[n - 1] & 0x80) != 0)
		n--;
	return n;
}

/* ---- a returned cause ---- */

__attribute__((format(printf, 4, 0)))
static void err_put(struct err *e, const char *code, const char *tail,
	const char *fmt, va_list ap)
{
	char raw[ERR_RAW_MAX];
	size_t n, all;

	n = err_format(raw, &all, fmt, ap);
	if (tail != NULL && all == n) {
		size_t room = sizeof raw - n;
		int k = snprintf(raw + n, room, ": %s", tail);

		if (k > 0 && (size_t)k < room) {
			n += (size_t)k;
			all = n;
		}
	}
	snprintf(e->code, sizeof e->code, "%s", code);
	err_escape(raw, n, all, e->text, sizeof e->text);
}

int err_set(struct err *e, const char *code, const char *fmt, ...)
{
	va_list ap;

	if (e == NULL)
		return -1;
	va_start(ap, fmt);
	err_put(e, code, NULL, fmt, ap);
	va_end(ap);
	return -1;
}

int err_sys(struct err *e, const char *code, const char *fmt, ...)
{
	const char *why = strerrordesc_np(errno); /* never translated, no static buffer */
	va_list ap;

	if (e == NULL)
		return -1;
	va_start(ap, fmt);
	err_put(e, code, why != NULL ? why : "unknown error", fmt, ap);
	va_end(ap);
	return -1;
}

/* ---- the log ---- */

static _Atomic int log_fd = -1;

int log_open(const char *path, struct err *e)
{
	struct stat st;
	int fd;

	/* O_NONBLOCK: a FIFO put in its place must not hang us. */
	fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW |
		O_NONBLOCK | O_NOCTTY, 0600);
	if (fd < 0)
		return err_sys(e, "log_open", "cannot open the log %s", path);
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_uid != geteuid()) {
		close(fd);
		return err_set(e, "log_open",
			"the log %s is not a regular file of ours; move it away", path);
	}
	if ((st.st_mode & 077) != 0 && fchmod(fd, 0600) != 0) {
		err_sys(e, "log_open", "cannot make the log %s private", path);
		close(fd);
		return -1;
	}
	log_close();
	log_fd = fd;
	return 0;
}

void log_close(void)
{
	int fd = atomic_exchange(&log_fd, -1);

	if (fd >= 0)
		close(fd);
}

/* There is nobody to tell when this fails. */
static void log_write(int fd, const char *p, size_t n)
{
	while (n > 0) {
		ssize_t k = write(fd, p, n);

		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			return;
		p += k;
		n -= (size_t)k;
	}
}

__attribute__((format(printf, 2, 0)))
static void log_line(const char *level, const char *fmt, va_list ap)
{
	int saved = errno;
	int fd = log_fd;
	char raw[ERR_RAW_MAX], line[LOG_LINE_MAX], when[32];
	size_t n, all, head;

	n = err_format(raw, &all, fmt, ap);
	clock_utc(clock_real_ms(), when, sizeof when);
	head = (size_t)snprintf(line, sizeof line, "%s %s ", when, level);
	err_escape(raw, n, all, line + head, sizeof line - head - 1);
	n = strlen(line);
	line[n++] = '\n';
	/* One write a line: O_APPEND keeps lines of several threads whole. */
	log_write(fd >= 0 ? fd : STDERR_FILENO, line, n);
	errno = saved;
}

void log_info(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	log_line("info", fmt, ap);
	va_end(ap);
}

void log_warn(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	log_line("warn", fmt, ap);
	va_end(ap);
}

/* ---- the end ---- */

static void (*_Atomic fatal_fn)(void);
static _Atomic pid_t fatal_thread;

void fatal_hook(void (*fn)(void))
{
	fatal_fn = fn;
}

/* Only the first call speaks. Another thread waits for the abort; the same
 * thread again means that the way of speaking is what is broken. */
static void fatal_enter(void)
{
	static const char again[] = "obstat: fatal: and no memory left to say why\n";
	pid_t none = 0;

	if (atomic_compare_exchange_strong(&fatal_thread, &none, gettid()))
		return;
	if (none != gettid())
		for (;;)
			pause();
	log_write(STDERR_FILENO, again, sizeof again - 1);
	abort();
}

void fatal(const char *fmt, ...)
{
	char raw[ERR_RAW_MAX], text[LOG_LINE_MAX - 64], line[LOG_LINE_MAX];
	void (*fn)(void);
	va_list ap;
	size_t n, all;
	int k;

	fatal_enter();
	fn = atomic_exchange(&fatal_fn, NULL);
	if (fn != NULL)
		fn();
	va_start(ap, fmt);
	n = err_format(raw, &all, fmt, ap);
	va_end(ap);
	err_escape(raw, n, all, text, sizeof text);
	k = snprintf(line, sizeof line, "obstat: fatal: %s\n", text);
	log_write(STDERR_FILENO, line, (size_t)k);
	if (log_fd >= 0) {
		char when[32];

		clock_utc(clock_real_ms(), when, sizeof when);
		k = snprintf(line, sizeof line, "%s fatal %s\n", when, text);
		log_write(log_fd, line, (size_t)k);
	}
	abort();
}
