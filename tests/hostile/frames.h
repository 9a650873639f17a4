/*
 * frames.h - the gate's framing as an attacker writes it, and what comes back.
 *
 * Frees: nothing is owned but the caller's buffers.
 */
#ifndef OBSTAT_TESTS_HOSTILE_FRAMES_H
#define OBSTAT_TESTS_HOSTILE_FRAMES_H

#include "tests/hostile/host.h"

#define PRE(tool, input) "{\"hook_event_name\":\"PreToolUse\",\"session_id\":\"g\"," \
	"\"tool_use_id\":\"t1\",\"cwd\":\"/\",\"tool_name\":\"" tool "\",\"tool_input\":" \
	input "}"

/* Opens nothing: no directory, no file. */
#define BARE(command) "{\"hook_event_name\":\"PreToolUse\",\"session_id\":\"g\"," \
	"\"tool_use_id\":\"t1\",\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"" \
	command "\"}}"

struct frame {
	const char *magic, *dialect;
	uint8_t mode;
	uint64_t ms;
	int64_t n;                 /* announced; -1: as it is */
};
extern const struct frame usual;

void put(struct buf *b, const struct frame *f, uint8_t key, struct sv payload);

struct back {
	int verdict;               /* 0: the end came without one */
	unsigned opens;
	char err[8192];
};
/* One frame; false at the end. *id: of an 'O'. */
bool take_frame(int fd, struct back *b, uint32_t *id);
/* To the end; what is asked to be opened is not answered. Closes fd. */
void take_back(struct host *h, int fd, struct back *b);
/* Sends and half closes; b is what came back. */
void attack(struct host *h, const struct buf *bytes, struct back *b);

#endif
