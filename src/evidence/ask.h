/*
 * ask.h - one question to the evidence process, as frames with descriptors
 * (private to evidence/).
 *
 * Frees: ask_free() closes the descriptors that it owns.
 */
#ifndef OBSTAT_EVIDENCE_ASK_H
#define OBSTAT_EVIDENCE_ASK_H

#include "evidence/evidence.h"

struct frame {
	size_t from, to;           /* bytes in ask.bytes */
	int fds[2];
	int n_fds;
};
struct ask {
	uint32_t id, got, asked;   /* asked: files in the question */
	struct buf bytes;
	struct frame *frames;
	size_t n_frames, sent;
	struct evidence *ev;
	void (*done)(void *arg, struct evidence *owned);
	void *arg;
	struct ask *next;
};
struct ask *ask_new(const struct ev_ask *from, uint32_t id);
void ask_free(struct ask *a);
/* 0 all sent, 1 the socket is full, 2 too many descriptors are on their way:
 * try after the next answer, -1 broken. */
int ask_send(struct ask *a, int sock);
/* Forget what was sent and answered: ask again from the start. */
void ask_rewind(struct ask *a);

#endif
