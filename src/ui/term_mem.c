/*
 * term_mem.c - a terminal in memory: reads are queued by a test, a drawn
 * frame becomes the screen when it is flushed. See term_mem.h.
 */
#include "ui/term_mem.h"

#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define MAX_READS 4096

struct read {
	char *p;
	size_t n;
};
struct term {
	int fd;
	int w, h;
	struct frame drawn, screen;
	bool waiting, stalled, gone;
	unsigned frames, suspends;
	struct read reads[MAX_READS];
	size_t from, to;
};

static int next_w = 80, next_h = 24;

void term_mem_size(int w, int h)
{
	next_w = w;
	next_h = h;
}

struct term *term_open(const struct term_options *o, struct err *e)
{
	struct term *t = xcalloc(1, sizeof(*t));

	(void)o;
	t->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (t->fd < 0) {
		err_sys(e, "term_tty", "eventfd");
		free(t);
		return NULL;
	}
	t->w = next_w;
	t->h = next_h;
	frame_init(&t->drawn, t->w, t->h);
	frame_init(&t->screen, t->w, t->h);
	return t;
}

void term_close(struct term **tp)
{
	struct term *t = *tp;

	if (t == NULL)
		return;
	for (; t->from < t->to; t->from++)
		free(t->reads[t->from % MAX_READS].p);
	frame_free(&t->drawn);
	frame_free(&t->screen);
	close(t->fd);
	free(t);
	*tp = NULL;
}

int term_fd(const struct term *t)
{
	return t->fd;
}

void term_size(const struct term *t, int *w, int *h)
{
	*w = t->w;
	*h = t->h;
}

void term_resized(struct term *t)
{
	t->w = next_w;
	t->h = next_h;
}

ssize_t term_read(struct term *t, char *buf, size_t n)
{
	struct read *r;

	if (t->gone)
		return -1;
	if (t->from == t->to)
		return 0;
	r = &t->reads[t->from++ % MAX_READS];
	if (n > r->n)
		n = r->n;
	memcpy(buf, r->p, n);
	free(r->p);
	return (ssize_t)n;
}

void term_draw(struct term *t, const struct frame *f)
{
	frame_copy(&t->drawn, f);
	t->waiting = true;
}

int term_flush(struct term *t)
{
	if (t->gone)
		return -1;
	if (!t->waiting)
		return 1;
	if (t->stalled)
		return 0;
	frame_copy(&t->screen, &t->drawn);
	t->waiting = false;
	t->frames++;
	return 1;
}

void term_bell(struct term *t)
{
	(void)t;
}

void term_suspend(struct term *t)
{
	t->suspends++;
}

void term_resume(struct term *t)
{
	(void)t;
}

void term_mem_type(struct term *t, const char *p, size_t n)
{
	if (t->to - t->from == MAX_READS)
		fatal("term_mem: too many reads queued");
	t->reads[t->to++ % MAX_READS] = (struct read){ xmemdup0(p, n), n };
}

void term_mem_stall(struct term *t, bool on)
{
	t->stalled = on;
}

void term_mem_hangup(struct term *t)
{
	t->gone = true;
}

const struct frame *term_mem_screen(const struct term *t)
{
	return &t->screen;
}

unsigned term_mem_frames(const struct term *t)
{
	return t->frames;
}

unsigned term_mem_suspends(const struct term *t)
{
	return t->suspends;
}
