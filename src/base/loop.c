/*
 * loop.c - turns and timers.
 *
 * What is due is judged by clock_boot_ms() alone. The wake-up is a timerfd on
 * CLOCK_BOOTTIME rather than libuv's timer, which counts CLOCK_MONOTONIC: a
 * deadline that passed while the machine slept is due when it wakes, not an
 * hour later.
 */
#include "base/loop.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/loop_int.h"

struct loop_timer {
	struct loop *l;
	void (*fn)(void *);
	void *arg;
	uint64_t due;   /* clock_boot_ms() */
	uint64_t seq;   /* equal dues run in the order they were armed */
	size_t at;      /* place in the heap, from 1; 0: not armed */
};

void loop_uv_check(int r, const char *what)
{
	if (r != 0)
		fatal("%s: %s", what, uv_strerror(r));
}

static void loop_obj_closed(uv_handle_t *h)
{
	free(h->data);
}

void loop_obj_close(struct loop_obj *o, uv_handle_t *h)
{
	(void)o;
	if (!uv_is_closing(h))
		uv_close(h, loop_obj_closed);
}

/* ---- the heap ---- */

static bool timer_before(const struct loop_timer *a, const struct loop_timer *b)
{
	return a->due != b->due ? a->due < b->due : a->seq < b->seq;
}

static void heap_set(struct loop *l, size_t at, struct loop_timer *t)
{
	l->heap[at - 1] = t;
	t->at = at;
}

static void heap_up(struct loop *l, struct loop_timer *t, size_t at)
{
	while (at > 1 && timer_before(t, l->heap[at / 2 - 1])) {
		heap_set(l, at, l->heap[at / 2 - 1]);
		at /= 2;
	}
	heap_set(l, at, t);
}

static void heap_down(struct loop *l, struct loop_timer *t, size_t at)
{
	for (;;) {
		size_t kid = at * 2;

		if (kid > l->n)
			break;
		if (kid < l->n && timer_before(l->heap[kid], l->heap[kid - 1]))
			kid++;
		if (!timer_before(l->heap[kid - 1], t))
			break;
		heap_set(l, at, l->heap[kid - 1]);
		at = kid;
	}
	heap_set(l, at, t);
}

static void heap_remove(struct loop *l, struct loop_timer *t)
{
	size_t at = t->at;
	struct loop_timer *last = l->heap[l->n - 1];

	l->n--;
	t->at = 0;
	if (last == t)
		return;
	if (at > 1 && timer_before(last, l->heap[at / 2 - 1]))
		heap_up(l, last, at);
	else
		heap_down(l, last, at);
}

/* ---- timers ---- */

struct loop_timer *loop_timer_new(struct loop *l, void (*fn)(void *), void *arg)
{
	struct loop_timer *t = xcalloc(1, sizeof *t);

	t->l = l;
	t->fn = fn;
	t->arg = arg;
	return t;
}

void loop_timer_stop(struct loop_timer *t)
{
	if (t->at != 0)
		heap_remove(t->l, t);
}

void loop_timer_arm(struct loop_timer *t, uint64_t ms)
{
	struct loop *l = t->l;
	uint64_t now = clock_boot_ms();

	loop_timer_stop(t);
	t->due = ms > UINT64_MAX - now ? UINT64_MAX : now + ms;
	t->seq = l->seq++;
	if (l->n == l->cap) {
		l->cap = l->cap > 0 ? l->cap * 2 : 16;
		l->heap = xreallocarray(l->heap, l->cap, sizeof(l->heap[0]));
	}
	l->n++;
	heap_up(l, t, l->n);
}

void loop_timer_free(struct loop_timer **t)
{
	if (*t == NULL)
		return;
	loop_timer_stop(*t);
	free(*t);
	*t = NULL;
}

/* A timer that arms itself for 0 ms waits for the next turn: its due is not
 * before now, so it sorts behind all that were due at the start. */
static void loop_run_due(struct loop *l)
{
	uint64_t now = clock_boot_ms();
	uint64_t seq = l->seq;

	while (l->n > 0 && l->heap[0]->due <= now && l->heap[0]->seq < seq) {
		struct loop_timer *t = l->heap[0];

		heap_remove(l, t);
		l->ran = true;
		t->fn(t->arg); /* may free t */
	}
}

/* Sets the timerfd when the earliest timer is another than it was set for.
 * A test clock moves only by loop_clock_moved(): nothing to wait for then
 * but what is due already. */
static void loop_set_alarm(struct loop *l)
{
	struct itimerspec at = { 0 };
	uint64_t due = l->n > 0 ? l->heap[0]->due : 0;
	uint64_t now = 0, left;

	if (due != 0) {
		now = clock_boot_ms();
		if (clock_is_test() && due > now)
			due = 0;
	}
	if (due == l->armed_for && (due == 0 || due > now))
		return;
	if (due != 0) {
		left = due > now ? due - now : 0;
		if (left > (uint64_t)INT32_MAX * 1000)
			left = (uint64_t)INT32_MAX * 1000;
		at.it_value.tv_sec = (time_t)(left / 1000);
		at.it_value.tv_nsec = (long)(left % 1000) * 1000000;
		if (left == 0)
			at.it_value.tv_nsec = 1; /* zero would disarm */
	}
	if (timerfd_settime(l->timer_fd, 0, &at, NULL) != 0)
		fatal("timerfd_settime: %s", strerror(errno));
	l->armed_for = due;
}

static void loop_alarm(uv_poll_t *h, int status, int events)
{
	struct loop *l = h->loop->data;
	uint64_t times;

	(void)status;
	(void)events;
	while (read(l->timer_fd, &times, sizeof times) < 0 && errno == EINTR)
		;
	l->armed_for = 0;
	loop_run_due(l);
}

void loop_clock_moved(struct loop *l)
{
	loop_run_due(l);
}

/* ---- turns ---- */

static void loop_turn_end(struct loop *l)
{
	if (!l->ran)
		return;
	l->ran = false;
	if (l->turn_fn != NULL)
		l->turn_fn(l->turn_arg);
}

/* Before sleeping as well: loop_clock_moved() and code outside the loop may
 * have run callbacks since the last turn ended. */
static void loop_before(uv_prepare_t *h)
{
	struct loop *l = h->loop->data;

	loop_turn_end(l);
	loop_set_alarm(l);
}

static void loop_after(uv_check_t *h)
{
	struct loop *l = h->loop->data;

	l->turns++;
	loop_turn_end(l);
}

void loop_on_turn(struct loop *l, void (*fn)(void *), void *arg)
{
	l->turn_fn = fn;
	l->turn_arg = arg;
}

struct loop *loop_new(void)
{
	struct loop *l = xcalloc(1, sizeof *l);

	loop_uv_check(uv_loop_init(&l->uv), "uv_loop_init");
	l->uv.data = l;
	uv_prepare_init(&l->uv, &l->before);
	uv_prepare_start(&l->before, loop_before);
	uv_check_init(&l->uv, &l->after);
	uv_check_start(&l->after, loop_after);
	l->timer_fd = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
	if (l->timer_fd < 0 && errno == EINVAL) /* a kernel that lacks it */
		l->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (l->timer_fd < 0)
		fatal("timerfd_create: %s", strerror(errno));
	loop_uv_check(uv_poll_init(&l->uv, &l->timer_poll, l->timer_fd), "uv_poll_init");
	loop_uv_check(uv_poll_start(&l->timer_poll, UV_READABLE, loop_alarm),
		"uv_poll_start");
	return l;
}

void loop_run(struct loop *l)
{
	uv_run(&l->uv, UV_RUN_DEFAULT);
}

void loop_stop(struct loop *l)
{
	uv_stop(&l->uv);
}

void loop_turn(struct loop *l, bool wait)
{
	uv_run(&l->uv, wait ? UV_RUN_ONCE : UV_RUN_NOWAIT);
}

uint64_t loop_turns(const struct loop *l)
{
	return l->turns;
}

static void loop_close_left(uv_handle_t *h, void *arg)
{
	struct loop_obj *o = h->data;

	(void)arg;
	if (uv_is_closing(h))
		return;
	if (o != NULL)
		o->close(o, h);
	else
		uv_close(h, NULL);
}

void loop_free(struct loop **lp)
{
	struct loop *l = *lp;

	if (l == NULL)
		return;
	*lp = NULL;
	l->turn_fn = NULL;
	/* done callbacks of work still on the pool may add objects: again. */
	do {
		uv_walk(&l->uv, loop_close_left, NULL);
		uv_run(&l->uv, UV_RUN_DEFAULT);
	} while (uv_loop_close(&l->uv) == UV_EBUSY);
	close(l->timer_fd);
	free(l->heap);
	free(l);
}
