/*
 * loop_int.h - what the loop*.c files share. For them alone.
 */
#ifndef OBSTAT_BASE_LOOP_INT_H
#define OBSTAT_BASE_LOOP_INT_H

#include <uv.h>

#include "base/loop.h"

struct loop {
	uv_loop_t uv;
	uv_prepare_t before;     /* just before the loop may sleep */
	uv_check_t after;        /* just after it woke */
	void (*turn_fn)(void *);
	void *turn_arg;
	bool ran;                /* a callback ran since the last turn_fn */
	uint64_t turns;
	/* Timers: a binary heap, earliest first, and one timerfd. */
	struct loop_timer **heap;
	size_t n, cap;
	uint64_t seq;
	uint64_t armed_for;      /* what the timerfd is set to; 0: nothing */
	int timer_fd;
	uv_poll_t timer_poll;
};

/* Every handle's data points to one of these, first in its object, so that
 * loop_free() can close what it does not know. */
struct loop_obj {
	struct loop *l;
	void (*close)(struct loop_obj *o, uv_handle_t *h);
};

void loop_uv_check(int r, const char *what);
/* uv_close(), then free(handle->data). */
void loop_obj_close(struct loop_obj *o, uv_handle_t *h);

#endif
