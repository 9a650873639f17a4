/*
 * conn.c - see conn.h.
 */
#include "hub/conn.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "proto/jsonrpc.h"

#define CHUNK (64u * 1024)
#define CHUNKS_A_TURN 16     /* then another connection's turn */
#define FDS_A_CHUNK 16
#define CONSOLE_LINE_MAX (1u << 20)
#define CONSOLE_OUT_HIGH ((size_t)1 << 20)  /* unread: no further call is taken */
#define OUT_KEEP ((size_t)1 << 20)          /* room that an idle one may keep */

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

static void conn_out_init(struct conn *c)
{
	buf_free(&c->out);
	buf_init(&c->out, c->channel == NULL ? c->hub->limits.console_out :
		c->hub->limits.peer_out);
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
	conn_out_init(c);
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

/* ---- a slice each ---- */

#define CONNS_A_TURN 8

void conn_later(struct conn *c)
{
	struct hub *h = c->hub;

	conn_pause(c, true);
	if (c->dead || c->has_more)
		return;
	c->has_more = true;
	c->more = NULL;
	if (h->more_last != NULL)
		h->more_last->more = c;
	else
		h->more = c;
	h->more_last = c;
	loop_wake_send(h->again);
}

static void conn_no_more(struct conn *c)
{
	struct conn *before = NULL;

	if (!c->has_more)
		return;
	c->has_more = false;
	for (struct conn *k = c->hub->more; k != c; k = k->more)
		before = k;
	if (before != NULL)
		before->more = c->more;
	else
		c->hub->more = c->more;
	if (c->hub->more_last == c)
		c->hub->more_last = before;
}

void conn_go_on(struct hub *h)
{
	for (int i = 0; i < CONNS_A_TURN && h->more != NULL; i++) {
		struct conn *c = h->more;

		conn_no_more(c);
		conn_pause(c, false);
	}
	if (h->more != NULL)
		loop_wake_send(h->again);
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
	conn_no_more(c);
	opens_abort(c);
	c->ops->gone(c, clean);
	loop_fd_free(&c->watch);
	close(c->fd);
	if (c->charged > 0)
		budget_free(h, c->channel, c->peer.uid, c->charged);
	buf_free(&c->in);
	buf_free(&c->out);
	c->next_dead = h->dead;      /* next stays: somebody may be walking */
	h->dead = c;
	listen_resume(h);
}

uint64_t conn_tick(struct hub *h, uint64_t now)
{
	uint64_t next = 0;

	for (struct conn *c = h->conns, *after; c != NULL; c = after) {
		after = c->next;     /* stays, also when c or it is closed */
		if (c->dead || !c->finishing)
			continue;
		if (c->close_by <= now)
			conn_close(c, false);
		else if (next == 0 || c->close_by < next)
			next = c->close_by;
	}
	return next;
}

void conn_reap(struct hub *h)
{
	while (h->dead != NULL) {
		struct conn *c = h->dead;

		h->dead = c->next_dead;
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
		if (c->out.cap > OUT_KEEP)
			conn_out_init(c);
		buf_clear(&c->out);
		conn_shut(c);
		if (c->ops->flushed != NULL)
			c->ops->flushed(c);
	} else if (c->out_at > c->out.n / 2) {
		buf_drop_front(&c->out, c->out_at);
		c->out_at = 0;
	}
	conn_interest(c);
	if (c->out_full && c->out.n - c->out_at < CONSOLE_OUT_HIGH) {
		c->out_full = false;
		conn_pause(c, false);
	}
}

bool conn_hold(struct conn *c)
{
	if (c->channel != NULL || c->out.n - c->out_at < CONSOLE_OUT_HIGH)
		return false;
	c->out_full = true;
	conn_pause(c, true);
	return true;
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
	if (was_empty && !c->corked)
		conn_flush(c);
}

void conn_cork(struct conn *c, bool on)
{
	if (c->dead)
		return;
	c->corked = on;
	if (!on && c->out.n > c->out_at)
		conn_flush(c);
}

void conn_finish(struct conn *c)
{
	if (c->dead)
		return;
	if (!c->finishing)
		c->close_by = clock_boot_ms() + c->hub->limits.close_ms;
	c->finishing = true;
	c->paused = false;
	conn_shut(c);
	conn_interest(c);
}

void conn_pause(struct conn *c, bool on)
{
	if (c->dead || c->paused == on || (!on && c->working))
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
	size_t n = c->in.n - c->in_at;

	if (c->channel == NULL || c->charged <= n)
		return;
	budget_free(c->hub, c->channel, c->peer.uid, c->charged - n);
	c->charged = n;
}

struct sv conn_input(const struct conn *c)
{
	if (c->in.p == NULL)
		return SV_NONE;
	return (struct sv){ c->in.p + c->in_at, c->in.n - c->in_at };
}

/* Moved only once for many short lines. */
static void conn_taken(struct conn *c, size_t used)
{
	c->in_at += used;
	if (c->in_at == c->in.n) {
		buf_free(&c->in);    /* an idle connection holds nothing */
		buf_init(&c->in, NDJSON_LINE_MAX + 2 + CHUNK);
		c->in_at = 0;
	} else if (c->in_at >= CHUNK / 2) {
		buf_drop_front(&c->in, c->in_at);
		c->in_at = 0;
	}
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
	/* No budget counts a console's input, and none of its calls is long. */
	if (c->channel == NULL && c->in.n - c->in_at > CONSOLE_LINE_MAX + CHUNK)
		return err_set(e, "json_size", "a console's line is longer than %u bytes",
			CONSOLE_LINE_MAX);
	return 0;
}

/* A long line takes the buffer with it: copying it would take longer than a
 * slice. What came behind it is little. */
static char *conn_cut(struct conn *c, struct sv l, size_t used)
{
	size_t from = c->in_at + (size_t)(l.p - conn_input(c).p), n;
	size_t behind = c->in_at + used;
	char *p = buf_steal(&c->in, &n);

	buf_init(&c->in, NDJSON_LINE_MAX + 2 + CHUNK);
	c->in_at = 0;
	buf_add(&c->in, p + behind, n - behind);
	if (from > 0)
		memmove(p, p + from, l.n);
	p[l.n] = '\0';
	return p;
}

int conn_take_line(struct conn *c, char **line, size_t *n, struct err *e)
{
	struct sv l = SV_NONE;
	size_t used = 0;
	int r = ndjson_line(conn_input(c), &c->in_looked, &l, &used);

	if (r < 0)
		return err_set(e, "json_size", "a line is longer than %u bytes",
			NDJSON_LINE_MAX);
	if (r == 0)
		return 0;
	*n = l.n;
	if (l.n >= CHUNK) {
		*line = conn_cut(c, l, used);
	} else {
		*line = xmemdup0(l.p, l.n);
		conn_taken(c, used);
	}
	conn_recharge(c);
	return 1;
}
