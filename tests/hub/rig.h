/*
 * rig.h - a test hub in a folder of its own, and clients that play the
 * runtime, the gate and the console. Everything waits for an event, never for
 * time; a wait of 30 s without one ends the test.
 *
 * Frees: rig_end() ends the hub and removes the folder.
 */
#ifndef OBSTAT_TESTS_HUB_RIG_H
#define OBSTAT_TESTS_HUB_RIG_H

#include <sys/types.h>

#include "base/json_out.h"
#include "store/store.h"

struct rig {
	char dir[64];          /* state, config, work */
	char state[96], config[96], work[96], console[128], agent[128];
	pid_t hub;
	bool git;
};
void rig_start(struct rig *r);
void rig_end(struct rig *r);
void rig_hub(struct rig *r, const char *points);  /* starts one; NULL none */
/* Waits for the hub's end: exit status, or 128 + signal. */
int rig_wait(struct rig *r);
void rig_term(struct rig *r);                     /* SIGTERM, then wait: 0 */
void rig_write(struct rig *r, const char *name, const char *text); /* in work */
void rig_rules(struct rig *r, const char *text);

/* Records of this type with this value; when the hub has ended. */
unsigned rig_records(const struct rig *r, enum rec_type type, enum rec_field field,
	const char *value);

/* A line-speaking client. */
struct cl {
	int fd;
	uint64_t next;
	struct buf in;
	struct jv *held[256];  /* messages read while waiting for another */
	size_t n;
};
void cl_open(struct cl *c, const char *path);
void cl_close(struct cl *c);
void cl_send(struct cl *c, const char *line);     /* adds the LF */
struct jv *cl_next(struct cl *c);   /* whatever comes next; NULL at EOF */
/* The next message that has this member with this value; others are held. */
struct jv *cl_note(struct cl *c, const char *method);
struct jv *cl_response(struct cl *c, uint64_t id);
bool cl_eof(struct cl *c);                        /* waits for EOF */
/* A request and its whole response; params is JSON text or NULL. */
struct jv *cl_call(struct cl *c, const char *method, const char *params_fmt, ...)
	__attribute__((format(printf, 3, 4)));
uint64_t cl_request(struct cl *c, const char *method, const char *params_fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* A console: hello, subscribed. A runtime: hello. */
void console_open(struct cl *c, struct rig *r, const char *name);
void native_open_rig(struct cl *c, struct rig *r, const char *session);
void advance(struct cl *console, uint64_t ms);
/* Waits until the row of id is ready and pending; returns its text digests. */
struct shown {
	uint64_t id;
	char act[80], doc[80];
	uint32_t lines;
	struct jv *get;        /* action/get's result: free the root */
	struct jv *root;
};
uint64_t wait_ready(struct cl *console);          /* of the next new row */
void look(struct cl *console, uint64_t id, struct shown *s);
void see_all(struct cl *console, const struct shown *s);
struct jv *decide(struct cl *console, const struct shown *s, const char *outcome,
	const char *more);
/* A process that asks the hub for its loop's time again and again, until
 * pinger_end(): the longest the loop worked between two answers, in µs of its
 * own thread's time, so that a busy machine does not count. */
struct pinger {
	pid_t pid;
	int to, from;
};
void pinger_start(struct pinger *p, struct rig *r);
int64_t pinger_end(struct pinger *p, unsigned *n_pings);
const char *error_word(const struct jv *response); /* "" when it is a result */
char *jv_text(const struct jv *v);                 /* for messages; caller frees */

/* The gate, played by the test. */
struct gate_answer {
	int verdict;           /* 0: EOF without one */
	char out[4096], err[4096];
	unsigned opens;
};
int gate_connect(struct rig *r, const char *dialect, int mode, const uint8_t key[16],
	uint64_t ms, const char *payload);
/* Opens what is asked for until the verdict or EOF. */
void gate_serve(int fd, struct gate_answer *a);
/* A hook's message of session "sess"; the caller frees. */
char *hook_payload(const struct rig *r, const char *event, const char *tool,
	const char *input, const char *call);
/* From now on this one's opens are answered whenever a test waits. */
void gate_live(int fd);
/* Serves its opens until the answer is there to be read, which is not read. */
void gate_await(int fd);
unsigned gate_opened(void);    /* how many, since gate_live() */

#endif
