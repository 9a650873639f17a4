/*
 * conn.c - see conn.h.
 */
#include "hub/conn.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "proto/jsonrpc.h"

#define CHUNK (64u * 1024)
#define CHUNKS_A_TURN 16     /* then another connection's turn */
#define FDS_A_CHUNK 16

static void conn_io(void *arg, int events);

static void conn_interest(struct conn *c)
{
	int want = 0;

	if (c->dead)
		return;
	if (!c->paused)
		want |= LOOP_READ;
	if (c->out.n > c->out_at)
		want |= LOOP_WRITE;
	loop_fd_want(c->watch, want);
}

struct conn *conn_new(struct hub *h, int fd, struct channel *ch,
	const struct conn_ops *ops)
{
	struct conn *c = xcalloc(1, sizeof *c);

	c->hub = h;
	c->serial = ++h->next_conn;
	c->fd = fd;
	c->channel = ch;
	c->ops = ops;
	/* A line, its LF, and what came behind it in the same read. */
	buf_init(&c->in, NDJSON_LINE_MAX + 2 + CHUNK);
	buf_init(&c->out, ch == NULL ? h->limits.console_out : h->limits.peer_out);
	c->next = h->conns;
	if (h->conns != NULL)
		h->conns->prev = c;
	h->conns = c;
	c->watch = loop_fd_new(h->loop, fd, conn_io, c);
	conn_interest(c);
	return c;
}

struct conn *conn_find(struct hub *h, uint64_t serial)
{
	if (serial == 0)
		return NULL;
	for (struct conn *c = h->conns; c != NULL; c = c->next)
		if (c->serial == serial)
			return c;
	return NULL;
}

void conn_close(struct conn *c, bool clean)
{
	struct hub *h = c->hub;

	if (c->dead)
		return;
	c->dead = true;
	if (c->prev != NULL)
		c->prev->next = c->next;
	else
		h->conns = c->next;
	if (c->next != NULL)
		c->next->prev = c->prev;
	opens_abort(c);
	c->ops->gone(c, clean);
	loop_fd_free(&c->watch);
	close(c->fd);
	if (c->charged > 0)
		budget_free(h, c->channel, c->peer.uid, c->charged);
	buf_free(&c->in);
	buf_free(&c->out);
	c->next = h->dead;
	h->dead = c;
	listen_resume(h);
}

void conn_reap(struct hub *h)
{
	while (h->dead != NULL) {
		struct conn *c = h->dead;

		h->dead = c->next;
		free(c);
	}
}

static void conn_shut(struct conn *c)
{
	if (!c->finishing || c->shut || c->out.n > c->out_at)
		return;
	c->shut = true;
	shutdown(c->fd, SHUT_WR);
}

static void conn_flush(struct conn *c)
{
	while (c->out.n > c->out_at) {
		ssize_t k = sock_send_fd(c->fd, c->out.p + c->out_at,
			c->out.n - c->out_at, -1);

		if (k < 0 && (errno == EAGAIN || errno == ENOBUFS))
			break;
		if (k < 0) {
			conn_close(c, false);
			return;
		}
		c->out_at += (size_t)k;
	}
	if (c->out_at == c->out.n) {
		c->out_at = 0;
		buf_clear(&c->out);
		conn_shut(c);
		if (c->ops->flushed != NULL)
			c->ops->flushed(c);
	} else if (c->out_at > c->out.n / 2) {
		buf_drop_front(&c->out, c->out_at);
		c->out_at = 0;
	}
	conn_interest(c);
}

void conn_send(struct conn *c, struct sv bytes)
{
	bool was_empty;

	if (c->dead || c->shut)
		return;
	was_empty = c->out.n == c->out_at;
	if (buf_addsv(&c->out, bytes) != 0) {
		log_warn("a %s of uid %u does not read; its connection is closed",
			c->ops->name, (unsigned)c->peer.uid);
		conn_close(c, false);
		return;
	}
	if (was_empty)
		conn_flush(c);
}

void conn_finish(struct conn *c)
{
	if (c->dead)
		return;
	c->finishing = true;
	c->paused = false;
	conn_shut(c);
	conn_interest(c);
}

void conn_pause(struct conn *c, bool on)
{
	if (c->dead || c->paused == on)
		return;
	c->paused = on;
	conn_interest(c);
	if (!on && c->ops->resume != NULL)
		c->ops->resume(c);
}

/* One recvmsg. false: nothing more now, or the connection is closed. */
static bool conn_read(struct conn *c)
{
	static char chunk[CHUNK];    /* one loop thread; consumed before return */
	int fds[FDS_A_CHUNK], n_fds = FDS_A_CHUNK;
	ssize_t k = sock_recv_fd(c->fd, chunk, sizeof chunk, fds, &n_fds);

	if (k < 0 && errno == EAGAIN)
		return false;
	if (k <= 0) {
		conn_close(c, k == 0);
		return false;
	}
	if (c->finishing) {          /* what it still says is of no interest */
		for (int i = 0; i < n_fds; i++)
			close(fds[i]);
		return true;
	}
	c->ops->chunk(c, (struct sv){ chunk, (size_t)k }, fds, n_fds);
	return !c->dead && !c->paused;
}

static void conn_io(void *arg, int events)
{
	struct conn *c = arg;

	if (c->dead)
		return;
	if ((events & LOOP_WRITE) != 0)
		conn_flush(c);
	if (c->dead || c->paused || (events & (LOOP_READ | LOOP_HUP)) == 0)
		return;
	for (int i = 0; i < CHUNKS_A_TURN; i++)
		if (!conn_read(c))
			return;
}

/* ---- NDJSON input ---- */

static void conn_recharge(struct conn *c)
{
	if (c->channel == NULL || c->charged <= c->in.n)
		return;
	budget_free(c->hub, c->channel, c->peer.uid, c->charged - c->in.n);
	c->charged = c->in.n;
}

int conn_add_input(struct conn *c, struct sv bytes, struct err *e)
{
	if (c->channel != NULL) {
		if (budget_bytes(c->hub, c->channel, c->peer.uid, bytes.n, e) != 0)
			return -1;
		c->charged += bytes.n;
	}
	if (buf_addsv(&c->in, bytes) != 0)
		return err_set(e, "json_size", "a line is longer than %u bytes",
			NDJSON_LINE_MAX);
	return 0;
}

int conn_take_line(struct conn *c, char **line, size_t *n, struct err *e)
{
	struct sv l = SV_NONE;
	size_t used = 0;
	int r = ndjson_line(buf_sv(&c->in), &c->in_looked, &l, &used);

	if (r < 0)
		return err_set(e, "json_size", "a line is longer than %u bytes",
			NDJSON_LINE_MAX);
	if (r == 0)
		return 0;
	*n = l.n;
	*line = xmemdup0(l.p, l.n);
	buf_drop_front(&c->in, used);
	if (c->in.n == 0)
		buf_free(&c->in);    /* an idle connection holds nothing */
	if (c->in.p == NULL)
		buf_init(&c->in, NDJSON_LINE_MAX + 2 + CHUNK);
	conn_recharge(c);
	return 1;
}
