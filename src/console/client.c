/*
 * client.c - see client.h.
 */
#include "console/client.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/sock.h"

void client_init(struct client *c, struct loop *l, void (*line)(void *, struct sv),
	void (*gone)(void *), void *arg)
{
	memset(c, 0, sizeof(*c));
	c->loop = l;
	c->fd = -1;
	c->line = line;
	c->gone = gone;
	c->arg = arg;
	buf_init(&c->in, CLIENT_LINE_MAX);
	buf_init(&c->out, CLIENT_OUT_MAX);
}

void client_close(struct client *c)
{
	if (c->fd < 0)
		return;
	loop_fd_free(&c->watch);
	close(c->fd);
	c->fd = -1;
	buf_clear(&c->in);
	buf_clear(&c->out);
	c->scanned = 0;
}

void client_free(struct client *c)
{
	client_close(c);
	buf_free(&c->in);
	buf_free(&c->out);
}

static void lost(struct client *c)
{
	client_close(c);
	c->gone(c->arg);
}

static void flush(struct client *c)
{
	while (c->out.n > 0) {
		ssize_t n = send(c->fd, c->out.p, c->out.n, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (n > 0)
			buf_drop_front(&c->out, (size_t)n);
		else if (n < 0 && errno == EINTR)
			continue;
		else
			break; /* EAGAIN waits; an error shows at the next read */
	}
	loop_fd_want(c->watch, LOOP_READ | (c->out.n > 0 ? LOOP_WRITE : 0));
}

/* Hands out the whole lines; what is left stays at the front. */
static void lines(struct client *c)
{
	size_t from = 0;

	while (c->fd >= 0) {
		size_t at = c->scanned > from ? c->scanned : from;
		const char *lf = at < c->in.n ? memchr(c->in.p + at, '\n', c->in.n - at) : NULL;
		size_t end;

		if (lf == NULL)
			break;
		end = (size_t)(lf - c->in.p);
		c->line(c->arg, (struct sv){ c->in.p + from, end - from });
		from = end + 1;
	}
	if (c->fd < 0)
		return;
	buf_drop_front(&c->in, from);
	c->scanned = c->in.n;
}

static void ready(void *arg, int events)
{
	struct client *c = arg;

	if ((events & LOOP_WRITE) != 0)
		flush(c);
	if ((events & (LOOP_READ | LOOP_HUP)) == 0)
		return;
	for (int turns = 0; turns < 16; turns++) { /* keys are answered meanwhile */
		ssize_t n;

		if (buf_reserve(&c->in, 65536) != 0) {
			lost(c); /* an endless line is no hub of ours */
			return;
		}
		n = recv(c->fd, c->in.p + c->in.n, 65536, MSG_DONTWAIT);
		if (n > 0) {
			c->in.n += (size_t)n;
			continue;
		}
		if (n < 0 && errno == EINTR)
			continue;
		if (n == 0 || errno != EAGAIN) {
			lines(c);
			if (c->fd >= 0)
				lost(c);
			return;
		}
		break;
	}
	lines(c);
}

int client_connect(struct client *c, const char *path, struct err *e)
{
	client_close(c);
	c->fd = sock_connect(path, e);
	if (c->fd < 0)
		return -1;
	c->watch = loop_fd_new(c->loop, c->fd, ready, c);
	loop_fd_want(c->watch, LOOP_READ);
	return 0;
}

void client_send(struct client *c, struct sv line)
{
	if (c->fd < 0 || buf_addsv(&c->out, line) != 0)
		return;
	flush(c);
}
