/*
 * box.h - a fake hub and one obstat-gate under test, without sleeps: each wait
 * is for an event, and a watchdog of GUARD_MS fails the test, never passes it.
 *
 * Frees: box_end() kills, reaps and closes all that is left.
 * Must not include: any room's headers.
 */
#ifndef OBSTAT_TESTS_GATE_BOX_H
#define OBSTAT_TESTS_GATE_BOX_H

#include "../check.h"

#include <stdbool.h>
#include <sys/types.h>

#define GUARD_MS 60000

extern const char box_payload[];
#define BOX_PAYLOAD box_payload, strlen(box_payload)

struct box {
	char dir[64], path[128];
	int listen_fd;
	pid_t pid;
	int out, err;              /* what the gate writes */
	int in;                    /* -1 when stdin was given whole */
	int status;                /* after box_wait() */
	char *text;                /* stdout */
	size_t text_n;
	char reason[8192];         /* stderr, NUL-terminated, cut */
	/* how to start it; set between box_begin() and box_start() */
	const char *mode, *socket, *uid, *deadline, *dialect;
	char **envp;
	bool out_is_socket, keep_in;
	int given_out;             /* a stdout made by the test, or -1 */
	int closed_fd;             /* 0..2: started with that one closed */
};
/* One request as the hub reads it. */
struct request {
	unsigned char mode, key[16];
	char dialect[256];
	unsigned long long ms;
	size_t n;
	char *payload;             /* malloc */
};

void box_begin(struct box *b);
void box_listen(struct box *b);
/* stdin: payload, n bytes, whole, unless keep_in (then b->in stays open). */
void box_start(struct box *b, const void *payload, size_t n);
/* An accepted connection. */
int box_accept(struct box *b);
void box_request(int conn, struct request *r);
void box_send(int conn, const void *p, size_t n);
/* Bytes of a 'V' frame into to (room for n_out + n_err + 14). */
size_t box_verdict(unsigned char *to, int verdict, const char *out, size_t n_out,
	const char *err, size_t n_err);
void box_answer(int conn, int verdict, const char *out, const char *err);
void box_ask(int conn, uint32_t id, int what, const char *path);
/* The answer to one box_ask(): errno, and the descriptor (-1: none). */
int box_opened(int conn, uint32_t id, int *fd);
/* Waits until the peer closed; fails when bytes come first. */
void box_eof(int conn);
/* Waits for the end of the gate and for all its output; status is the exit
 * status, or -1 when a signal ended it. */
void box_wait(struct box *b);
void box_end(struct box *b);
/* box_begin() to a connection whose request, the usual one, was read. */
int box_asked(struct box *b, const char *mode);
/* The same after box_begin(); r->payload is not kept. */
int box_asked_as(struct box *b, struct request *r);
/* box_wait(), then exit status and stdout are these and stderr holds reason;
 * box_end(). */
void box_ended(struct box *b, int status, const char *out, const char *reason);
/* Forks a hub under another user that allows whatever it is asked; returns
 * once it listens. Only as root. */
pid_t box_other_user(struct box *b);
unsigned long long box_now(void);
uint32_t box_crc(const unsigned char *p, size_t n);

#endif
