/*
 * conn.h - one connection: buffers, budget, backpressure. What is said on it
 * is the business of its ops (gate_peer, native_peer, console_peer).
 *
 * Hides: reading, writing, closing. A connection that does not read never
 * blocks another one.
 * Frees: conn_close() at any time, also in its own callbacks; the memory goes
 * at the end of the turn. Others keep its serial, never the pointer.
 * Must not include: ui, console, cli.
 */
#ifndef OBSTAT_HUB_CONN_H
#define OBSTAT_HUB_CONN_H

#include "base/sock.h"
#include "hub/core.h"

struct conn_ops {
	const char *name;
	/* One recvmsg's bytes; the descriptors are the callee's to close. */
	void (*chunk)(struct conn *c, struct sv bytes, const int *fds, int n_fds);
	/* The other end is gone (clean: orderly EOF, all our bytes read), or we
	 * close: called once, before the memory goes. */
	void (*gone)(struct conn *c, bool clean);
	/* Reading may go on (after a scan). May be NULL. */
	void (*resume)(struct conn *c);
	/* All bytes were taken by the kernel. May be NULL. */
	void (*flushed)(struct conn *c);
};
struct opens;
struct conn {
	struct conn *next, *prev, *next_dead;
	struct hub *hub;
	uint64_t serial;
	int fd;
	struct loop_fd *watch;
	struct channel *channel;       /* NULL: a console */
	struct peer peer;
	char exe[256];                 /* a hint: who it is, or who called it */
	const struct conn_ops *ops;
	void *state;                   /* of ops */
	struct buf in, out;
	size_t in_at;                  /* taken from in already */
	size_t in_looked, out_at;
	struct conn *more;             /* the next one that waits for its slice */
	bool out_full;                 /* does not read: no call is taken meanwhile */
	bool has_more;                 /* lines are left: waits for its slice */
	size_t charged;                /* of in, at the channel's budget */
	struct opens *opens;           /* files it is opening for us */
	uint32_t next_open;
	bool paused;                   /* a message is being scanned */
	bool working;                  /* its message is with a worker */
	uint64_t close_by;             /* finishing: then it is closed, boot ms */
	bool corked;                   /* see conn_cork() */
	bool pumping;                  /* in ndjson_pump() */
	bool finishing;                /* write what there is, then no more */
	bool shut;                     /* our direction is shut down */
	bool dead;
};
struct conn *conn_new(struct hub *h, int fd, struct channel *ch,
	const struct conn_ops *ops);
struct conn *conn_find(struct hub *h, uint64_t serial);  /* NULL: gone */
/* Adds to the output and writes what the kernel takes. Over its maximum the
 * connection is closed. */
void conn_send(struct conn *c, struct sv bytes);
/* On: what is sent waits for off, and then goes out as one. Within one call
 * only. */
void conn_cork(struct conn *c, bool on);
/* Say what is still to be said, then shut our direction; the peer's EOF ends
 * it. Nothing is read into ops any more. */
void conn_finish(struct conn *c);
void conn_close(struct conn *c, bool clean);
void conn_reap(struct hub *h);
/* Closes those that were told to hang up and do not. The next moment, 0 none. */
uint64_t conn_tick(struct hub *h, uint64_t now);
void conn_pause(struct conn *c, bool on);
/* NDJSON: adds bytes to c->in within the budget, and takes the next line out
 * of it (malloc'ed, *n bytes). 1 a line, 0 none yet, -1 too long or over
 * budget (e says which). */
int conn_add_input(struct conn *c, struct sv bytes, struct err *e);
int conn_take_line(struct conn *c, char **line, size_t *n, struct err *e);
struct sv conn_input(const struct conn *c);   /* not taken yet */
/* Whether this console must read first what it asked for: then it is paused
 * until it has. (An agent that does not read is closed.) */
bool conn_hold(struct conn *c);
/* There are more lines than one slice may hold: pauses; the others come
 * first, then resume goes on. */
void conn_later(struct conn *c);
void conn_go_on(struct hub *h);               /* some of those, in turn */

extern const struct conn_ops sniff_ops, gate_ops, native_ops, console_ops;
void gate_start(struct conn *c);
void native_start(struct conn *c);
void console_start(struct conn *c);

/* Files that a peer opens for us (opener.c). */
void opens_answer(struct conn *c, uint32_t id, int fd, int open_errno);
void opens_abort(struct conn *c);
/* Asks the peer for one open. 0 sent, 1 busy (try after the next answer), -1
 * not possible (errno_out says what stands for it). */
int gate_open(struct conn *c, uint32_t id, bool dir, struct sv path, int *errno_out);
int native_open(struct conn *c, uint32_t id, bool dir, struct sv path, int *errno_out);
bool native_opens(const struct conn *c);  /* the runtime offers file/open */

/* Sends the answer of r on c (answer.c calls; the peer's own words). */
void gate_answer(struct conn *c, struct req *r);
void native_answer(struct conn *c, struct req *r);
/* A request that never became an action. */
void gate_refuse(struct conn *c, const char *code, const char *text);
void native_refuse(struct conn *c, struct sv id, int rpc_code, const char *code,
	const char *text);
/* Only seen: "noted", or in decide mode "no opinion". */
void gate_note(struct conn *c, bool decide);
void native_noted(struct conn *c, struct sv id);
void peer_hint(pid_t pid, bool parent, char *out, size_t n);

bool peer_same_mounts(pid_t pid);

#endif
