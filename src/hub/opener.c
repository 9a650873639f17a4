/*
 * opener.c - files opened by the peer for us: with its eyes, rights and
 * mounts. What does not exist is looked for upwards until a directory does.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "hub/req.h"

enum { W_OPEN, W_OPEN_SENT, W_PARENT, W_PARENT_SENT, W_DONE };

/* n of them were closed. */
void opens_held(struct hub *h, size_t n)
{
	h->held_fds -= n;
	listen_resume(h);
}

/* Counts a descriptor that came; over the limit it is closed. Without this a
 * few actions that name thousands of files take all that we may have, and
 * nobody can connect any more. */
static int opens_hold(struct opens *o, int fd, int *error)
{
	struct hub *h = o->req->hub;

	if (fd < 0)
		return -1;
	if (h->held_fds >= h->limits.held_fds) {
		close(fd);
		*error = EMFILE;
		return -1;
	}
	h->held_fds++;
	o->held++;
	return fd;
}

void opens_free(struct opens *o)
{
	for (size_t i = 0; i < o->n; i++) {
		struct want *w = &o->want[i];

		if (w->fd >= 0)
			close(w->fd);
		if (w->dir_fd >= 0)
			close(w->dir_fd);
		free(w->path);
		free(w->dir_path);
	}
	opens_held(o->req->hub, o->held);
	free(o->want);
	free(o->index);
	req_unref(o->req);
	free(o);
}

static void opens_unlink(struct opens *o, struct conn *c)
{
	for (struct opens **at = &c->opens; *at != NULL; at = &(*at)->next)
		if (*at == o) {
			*at = o->next;
			break;
		}
	o->next = NULL;
}

static void want_done(struct opens *o, struct want *w)
{
	w->stage = W_DONE;
	o->left--;
}

/* The directory above; false at the top. */
static bool want_up(struct want *w)
{
	const char *from = w->dir_path != NULL ? w->dir_path : w->path;
	const char *slash = strrchr(from, '/');
	char *up;

	if (slash == NULL || strcmp(from, "/") == 0)
		return false;
	up = slash == from ? xstrdup("/") : xmemdup0(from, (size_t)(slash - from));
	free(w->dir_path);
	w->dir_path = up;
	return true;
}

/* One open's end, whatever it was. fd is taken. */
static void want_answer(struct opens *o, struct want *w, int fd, int error)
{
	fd = opens_hold(o, fd, &error);
	if (w->stage == W_OPEN || w->stage == W_OPEN_SENT) {
		w->fd = fd;
		w->error = error;
		if ((error == ENOENT || error == ENOTDIR) && !w->dir &&
		    !w->no_parent && want_up(w))
			w->stage = W_PARENT;
		else
			want_done(o, w);
		return;
	}
	if (fd < 0 && (error == ENOENT || error == ENOTDIR) && want_up(w)) {
		w->stage = W_PARENT;
		return;
	}
	w->dir_fd = fd;
	want_done(o, w);
}

static int want_send(struct want *w, struct conn *c)
{
	bool dir = w->dir || w->stage == W_PARENT;
	struct sv path = sv_of(w->stage == W_PARENT ? w->dir_path : w->path);
	int error = EACCES;
	int r;

	w->open_id = ++c->next_open;
	r = c->ops == &gate_ops ? gate_open(c, w->open_id, dir, path, &error) :
		native_open(c, w->open_id, dir, path, &error);
	return r < 0 ? -error : r;
}

/* Sends what the peer has room for. */
static void opens_ask(struct opens *o, struct conn *c)
{
	for (size_t i = 0; i < o->n && !c->dead; i++) {
		struct want *w = &o->want[i];

		while (w->stage == W_OPEN || w->stage == W_PARENT) {
			int r = want_send(w, c);

			if (r > 0)
				return;
			if (r == 0)
				w->stage++;
			else
				want_answer(o, w, -1, -r);
		}
	}
}

/* In one piece: the peer wakes once for all of them. */
static void opens_pump(struct opens *o, struct conn *c)
{
	conn_cork(c, true);
	opens_ask(o, c);
	conn_cork(c, false);
}

static void opens_end(struct opens *o, struct conn *c)
{
	opens_unlink(o, c);
	o->done(o);
}

void opens_start(struct opens *o, struct conn *c)
{
	o->until = clock_boot_ms() + o->req->hub->limits.open_ms;
	o->left = 0;
	for (size_t i = 0; i < o->n; i++)
		o->left += o->want[i].stage != W_DONE;
	o->next = c->opens;
	c->opens = o;
	opens_pump(o, c);
	if (!c->dead && o->left == 0)
		opens_end(o, c);
}

void opens_answer(struct conn *c, uint32_t id, int fd, int open_errno)
{
	for (struct opens *o = c->opens, *next; o != NULL; o = next) {
		next = o->next;
		for (size_t i = 0; i < o->n; i++) {
			struct want *w = &o->want[i];

			if (w->open_id != id ||
			    (w->stage != W_OPEN_SENT && w->stage != W_PARENT_SENT))
				continue;
			want_answer(o, w, fd, open_errno);
			opens_pump(o, c);
			if (!c->dead && o->left == 0)
				opens_end(o, c);
			return;
		}
	}
	if (fd >= 0)
		close(fd);           /* came too late */
}

/* The peer hangs in an open (a dead file server): what is missing is
 * "could not be read", and the request goes on. */
static void opens_give_up(struct opens *o, struct conn *c)
{
	for (size_t i = 0; i < o->n; i++) {
		struct want *w = &o->want[i];

		if (w->stage == W_DONE)
			continue;
		if (w->stage == W_OPEN || w->stage == W_OPEN_SENT)
			w->error = ETIMEDOUT;
		want_done(o, w);
	}
	opens_end(o, c);
}

uint64_t opens_tick(struct hub *h, uint64_t now)
{
	uint64_t next = 0;

	for (struct conn *c = h->conns, *nc; c != NULL; c = nc) {
		nc = c->next;
		for (struct opens *o = c->opens, *no; o != NULL; o = no) {
			no = o->next;
			if (o->until <= now)
				opens_give_up(o, c);
			else if (next == 0 || o->until < next)
				next = o->until;
		}
	}
	return next;
}

void opens_abort(struct conn *c)
{
	while (c->opens != NULL) {
		struct opens *o = c->opens;

		c->opens = o->next;
		opens_free(o);
	}
}
