/*
 * gate.h - the state of one run of obstat-gate, and its parts.
 *
 * main.c sets the process up, args.c reads the arguments, wait.c waits for
 * whatever comes first, stream.c reads stdin and writes stdout and stderr,
 * talk.c speaks with the hub, frame.c knows the bytes, codes.c the messages.
 * Frees: nothing; the process is short and ends in _exit().
 * Must not include: anything but libc and this room.
 *
 * Rule of the room: decide ends with exit 0 only at the end of gate_deliver();
 * each other way out is exit 2. observe ends with exit 0 always.
 */
#ifndef OBSTAT_GATE_GATE_H
#define OBSTAT_GATE_GATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/un.h>

#include "gate/codes.h"
#include "gate/frame.h"

#define GATE_RETRY_MS 200            /* between two attempts to reconnect */
#define GATE_RETRY_FOR_MS 60000      /* how long a lost hub is waited for */
#define GATE_OBSERVE_MS 2000         /* all an observation may take */
#define GATE_STDERR_MS 5000          /* all a reason on stderr may take */
#define GATE_OPENS_MAX 4096          /* opens a connection */
#define GATE_OPENS_WAITING 16        /* opens not answered yet */

struct gate {
	/* from the arguments */
	enum frame_mode mode;
	struct sockaddr_un addr;
	uid_t hub_uid;
	const char *dialect;
	bool per_user;               /* the path held %U */
	/* the process */
	pid_t parent;
	int sig_fd, timer_fd;        /* -1: none */
	uint64_t deadline;           /* boot-time ms; 0 none */
	uint64_t tick;               /* when gate_wait() says GATE_TICK; 0 never */
	uint64_t armed;              /* what the timer is set to */
	/* the request */
	const unsigned char *payload;
	size_t payload_n;
	unsigned char key[16];
	/* why a function returned a code that is not GATE_OK */
	struct gate_line detail;
};

/* Each of these returns GATE_OK or the code of the failure, with its detail
 * in g->detail. */

/* Reads the arguments. g->mode is set as soon as it is known. */
enum gate_code gate_args(struct gate *g, int argc, char **argv);

/* Milliseconds of CLOCK_BOOTTIME, which goes on while the machine sleeps. */
uint64_t gate_now(void);
/*
 * Waits until fd (-1: none) has one of events, or is broken; *got then holds
 * what poll() said, and 0 when g->tick came first. In decide mode also ends
 * with GATE_SIGNAL, GATE_GONE (stdout or the parent is gone), and in both with
 * GATE_DEADLINE.
 */
enum gate_code gate_wait(struct gate *g, int fd, short events, short *got);

/* All of stdin into g->payload. */
enum gate_code gate_read(struct gate *g);
/* All of p to stdout. Only called for allow and no opinion. */
enum gate_code gate_deliver(struct gate *g, const unsigned char *p, size_t n);
/* As much of p to stderr as can be written within the limit. */
void gate_stderr(const struct gate *g, const unsigned char *p, size_t n);

/* The request to the hub and its verdict back, which f then holds. */
enum gate_code gate_talk(struct gate *g, struct frame_in *f);

/* Zeroed memory of n bytes for a long text, or NULL. */
void *gate_memory(size_t n);
/* Sets g->detail to what and, when eno is not 0, its name; returns code. */
enum gate_code gate_fail(struct gate *g, enum gate_code code, const char *what, int eno);

#endif
