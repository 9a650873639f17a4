/*
 * host.h - a test hub under attack: an honest peer and an honest person are
 * served all the while, and after each batch of hostile input the hub must be
 * alive, small, and hold no more descriptors than before.
 *
 * The tests assert the order of events; times are measured and printed.
 *
 * Frees: host_end() ends the hub and removes the folder.
 */
#ifndef OBSTAT_TESTS_HOSTILE_HOST_H
#define OBSTAT_TESTS_HOSTILE_HOST_H

#include <sys/types.h>

#include "tests/check.h"
#include "tests/hub/rig.h"

struct host {
	struct rig r;
	struct cl con;             /* the person's console */
	struct cl rt;              /* the honest runtime, on another channel */
	unsigned probes;           /* its requests so far */
	long fds, rss_kb;          /* of the hub, at rest, before the attack */
	uint64_t worst_us;         /* the honest runtime's longest round trip */
	uint64_t refused_before;
	uint64_t errors;           /* error answers that hostile agents got */
};
void host_begin(struct host *h, const char *points);
/* Verifies the record and that each refusal is on it, then ends. */
void host_end(struct host *h);
/* All hostile connections are closed: waits until the hub has noticed, then
 * alive, honest peers served, descriptors as before, at most mib more memory. */
void host_check(struct host *h, long mib);
/* One request of the honest runtime through rules and record to its answer. */
void host_probe(struct host *h);
long host_rss_kb(const struct host *h, const char *field);  /* VmRSS, VmHWM */
long host_fds(const struct host *h);       /* -1: may not look */
bool host_asan(void);
bool host_quick(void);                     /* OBSTAT_QUICK=1 */
uint64_t host_now_us(void);

/* Bytes to a socket, whatever they are; false when the hub closed. While it
 * waits for room it reads and drops what comes when drop is set. */
bool raw_send(int fd, const void *p, size_t n, bool drop);
int raw_connect(const char *path);
/* Reads and drops to EOF. */
void raw_eof(int fd);
/* n descriptors with one byte. */
bool raw_send_fds(int fd, char byte, const int *fds, size_t n);

/* What a line-speaking hostile client got back. */
struct got {
	unsigned errors, results, others;
	bool eof;
	char word[64];             /* of the last error */
};
/* Reads until the response with this id, or EOF; each error on the way must
 * be a clear one. id NULL: until EOF. */
void got_until(struct cl *c, const char *id, struct got *g);

/* A deterministic generator (SplitMix64). */
struct dice {
	uint64_t s;
};
uint64_t dice_next(struct dice *d);
uint32_t dice_to(struct dice *d, uint32_t n);      /* 0 .. n-1 */

#endif
