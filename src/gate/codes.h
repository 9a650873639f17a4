/*
 * codes.h - the gate's own messages: one table of stable codes, which the
 * manual page repeats and tests/gate/test_codes.c compares.
 *
 * Short English, never translated, made without stdio and without the C
 * library's message functions (they would read the environment).
 * Frees: nothing is allocated.
 * Must not include: anything but libc.
 */
#ifndef OBSTAT_GATE_CODES_H
#define OBSTAT_GATE_CODES_H

#include <stddef.h>
#include <stdint.h>

enum gate_code {
	GATE_OK,
	GATE_USAGE,        /* E01 */
	GATE_PATH,         /* E02 */
	GATE_NO_HUB,       /* E03 */
	GATE_WRONG_UID,    /* E04 */
	GATE_CONNECT,      /* E05 */
	GATE_STDIN,        /* E06 */
	GATE_TOO_LONG,     /* E07 */
	GATE_ANSWER,       /* E08 */
	GATE_OPENS,        /* E09 */
	GATE_LOST,         /* E10 */
	GATE_DEADLINE,     /* E11 */
	GATE_SIGNAL,       /* E12 */
	GATE_GONE,         /* E13 */
	GATE_STDOUT,       /* E14 */
	GATE_NO_REASON,    /* E15 */
	GATE_SYSTEM,       /* E16 */
	GATE_FAULT,        /* E17 */
	GATE_CODES
};
struct gate_code_row {
	const char *code;      /* "OBSTAT-E03" */
	const char *text;      /* "..." stands for the detail */
};
extern const struct gate_code_row gate_codes[GATE_CODES];

/* A message or a part of one; what does not fit is cut. */
struct gate_line {
	char p[1024];
	size_t n;
};
void gate_adds(struct gate_line *l, const char *s);
void gate_addu(struct gate_line *l, uint64_t v);
/* ": ENOENT" for the usual values, ": errno 123" for others. */
void gate_adderrno(struct gate_line *l, int eno);
/* The whole message with a final LF, control characters replaced. */
void gate_message(struct gate_line *to, enum gate_code code, const struct gate_line *detail);

/* Replaces by '?', in place: control characters other than LF, DEL, and the
 * C1 controls as UTF-8 writes them (0xC2 0x80 .. 0xC2 0x9F). */
void gate_clean(unsigned char *p, size_t n);

#endif
