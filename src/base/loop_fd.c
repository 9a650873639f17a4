/*
 * loop_fd.c - descriptors, signals and wake-ups from other threads.
 *
 * Each object embeds its libuv handle and is freed when libuv lets go of it;
 * until then fn is NULL, so no callback comes after _free.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/loop.h"
#include "base/loop_int.h"

struct loop_fd {
	struct loop_obj obj;
	uv_poll_t h;
	void (*fn)(void *arg, int events);
	void *arg;
	int want;
	int watched; /* what libuv watches, its bits */
	bool hup;    /* reported */
};

static void loop_fd_ready(uv_poll_t *h, int status, int events);

static void loop_fd_start(struct loop_fd *f)
{
	int ev = f->hup ? 0 : UV_DISCONNECT;

	if (f->want & LOOP_READ)
		ev |= UV_READABLE;
	if (f->want & LOOP_WRITE)
		ev |= UV_WRITABLE;
	/* Starting again takes two system calls even when nothing changes. */
	if (ev == f->watched)
		return;
	f->watched = ev;
	if (ev != 0)
		loop_uv_check(uv_poll_start(&f->h, ev, loop_fd_ready), "uv_poll_start");
	else
		uv_poll_stop(&f->h);
}

static void loop_fd_ready(uv_poll_t *h, int status, int events)
{
	struct loop_fd *f = h->data;
	int out = 0;

	if (f->fn == NULL)
		return;
	if (status < 0) {
		/* EPOLLERR; libuv has stopped watching. */
		f->watched = 0;
		out = f->want | LOOP_HUP;
	} else {
		if (events & UV_READABLE)
			out |= f->want & LOOP_READ;
		if (events & UV_WRITABLE)
			out |= f->want & LOOP_WRITE;
		if ((events & UV_DISCONNECT) && !f->hup)
			out |= LOOP_HUP;
	}
	if ((out & LOOP_HUP) && !f->hup) {
		/* It stays true for good: watching it on would spin. */
		f->hup = true;
		if (status >= 0)
			loop_fd_start(f);
	}
	if (out == 0)
		return;
	f->obj.l->ran = true;
	f->fn(f->arg, out);
}

struct loop_fd *loop_fd_new(struct loop *l, int fd,
	void (*fn)(void *arg, int events), void *arg)
{
	struct loop_fd *f = xcalloc(1, sizeof *f);
	int r;

	f->obj = (struct loop_obj){ l, loop_obj_close };
	f->fn = fn;
	f->arg = arg;
	r = uv_poll_init(&l->uv, &f->h, fd);
	if (r != 0) {
		free(f);
		errno = -r;
		return NULL;
	}
	f->h.data = f;
	loop_fd_start(f);
	return f;
}

void loop_fd_want(struct loop_fd *f, int events)
{
	f->want = events & (LOOP_READ | LOOP_WRITE);
	loop_fd_start(f);
}

void loop_fd_free(struct loop_fd **f)
{
	if (*f == NULL)
		return;
	(*f)->fn = NULL;
	loop_obj_close(&(*f)->obj, (uv_handle_t *)&(*f)->h);
	*f = NULL;
}

struct loop_signal {
	struct loop_obj obj;
	uv_signal_t h;
	void (*fn)(void *arg, int signo);
	void *arg;
};

static void loop_signal_came(uv_signal_t *h, int signo)
{
	struct loop_signal *s = h->data;

	if (s->fn == NULL)
		return;
	s->obj.l->ran = true;
	s->fn(s->arg, signo);
}

struct loop_signal *loop_signal_new(struct loop *l, int signo,
	void (*fn)(void *arg, int signo), void *arg)
{
	struct loop_signal *s = xcalloc(1, sizeof *s);

	s->obj = (struct loop_obj){ l, loop_obj_close };
	s->fn = fn;
	s->arg = arg;
	loop_uv_check(uv_signal_init(&l->uv, &s->h), "uv_signal_init");
	s->h.data = s;
	loop_uv_check(uv_signal_start(&s->h, loop_signal_came, signo), "uv_signal_start");
	return s;
}

void loop_signal_free(struct loop_signal **s)
{
	if (*s == NULL)
		return;
	(*s)->fn = NULL;
	loop_obj_close(&(*s)->obj, (uv_handle_t *)&(*s)->h);
	*s = NULL;
}

/* An eventfd of our own: uv_async_t makes the loop wait (sched_yield) for a
 * sender that was preempted between its write and its return, which on a busy
 * machine took longer than a commit. */
struct loop_wake {
	struct loop_obj obj;
	uv_poll_t h;
	int fd;
	atomic_bool sent;   /* and not yet seen: one write is enough */
	void (*fn)(void *);
	void *arg;
};

static void loop_wake_came(uv_poll_t *h, int status, int events)
{
	struct loop_wake *w = h->data;
	uint64_t times;

	(void)status, (void)events;
	while (read(w->fd, &times, sizeof times) < 0 && errno == EINTR)
		;
	/* Before fn looks: what is sent from here on is another call. */
	atomic_exchange(&w->sent, false);
	if (w->fn == NULL)
		return;
	w->obj.l->ran = true;
	w->fn(w->arg);
}

static void loop_wake_close(struct loop_obj *o, uv_handle_t *h)
{
	struct loop_wake *w = h->data;

	if (uv_is_closing(h))
		return;
	loop_obj_close(o, h);
	close(w->fd);
}

struct loop_wake *loop_wake_new(struct loop *l, void (*fn)(void *), void *arg)
{
	struct loop_wake *w = xcalloc(1, sizeof *w);

	w->obj = (struct loop_obj){ l, loop_wake_close };
	w->fn = fn;
	w->arg = arg;
	w->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (w->fd < 0)
		fatal("eventfd: %s", strerror(errno));
	loop_uv_check(uv_poll_init(&l->uv, &w->h, w->fd), "uv_poll_init");
	w->h.data = w;
	loop_uv_check(uv_poll_start(&w->h, UV_READABLE, loop_wake_came),
		"uv_poll_start");
	return w;
}

void loop_wake_send(struct loop_wake *w)
{
	const uint64_t one = 1;

	if (atomic_exchange(&w->sent, true))
		return;
	while (write(w->fd, &one, sizeof one) < 0 && errno == EINTR)
		;
}

void loop_wake_free(struct loop_wake **w)
{
	if (*w == NULL)
		return;
	(*w)->fn = NULL;
	loop_wake_close(&(*w)->obj, (uv_handle_t *)&(*w)->h);
	*w = NULL;
}
