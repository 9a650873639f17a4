/*
 * err.h - the three error voices.
 *
 * 1. A returned cause: int 0 or -1 and a struct err, for what is expected.
 * 2. The log (log_*): for what an operator may look up later.
 * 3. fatal(): our bug, or no memory. Restores the terminal through one
 *    registered callback, then aborts.
 *
 * Frees: struct err is embedded and owns nothing.
 * Must not include: anything above base/.
 */
#ifndef OBSTAT_BASE_ERR_H
#define OBSTAT_BASE_ERR_H

#include <stddef.h>

/* text is short, printable (escaped where it quotes bytes), untranslated
 * unless the function says otherwise; code is a stable word for programs. */
struct err {
	char code[32];
	char text[480];
};
#define ERR_INIT { { 0 }, { 0 } }

/* Sets code and text; returns -1, so that "return err_set(...)" reads well.
 * e may be NULL. The formatted text passes the escaper. */
int err_set(struct err *e, const char *code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* The same with ": strerror(errno)" at the end. */
int err_sys(struct err *e, const char *code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* The log: a file opened O_APPEND 0600, or stderr while none is open. Each
 * line is "UTC-time level text"; the text passes the escaper, and a line is
 * cut at 4 KiB (said in the line). */
int log_open(const char *path, struct err *e);
void log_close(void);
void log_info(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void log_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

_Noreturn void fatal(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Called once by fatal() before it prints; the console restores the tty. */
void fatal_hook(void (*fn)(void));

#endif
