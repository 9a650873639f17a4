/*
 * talk.c - the connection to the hub: who it is, the request, files opened
 * for it, the verdict; and the wait for a hub that restarts.
 */
#include "gate/gate.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

/* A connection that held this long was a working hub: the time to wait for
 * the next one starts anew. */
#define WORKED_MS 10000

struct reply {
	unsigned char frame[FRAME_OPENED_LEN];
	size_t sent;
	uint32_t id;
	int fd;                       /* -1: none, or handed over */
};
struct link {
	int sock;
	bool closed;                  /* nothing can be sent any more */
	unsigned char header[FRAME_HEADER_MAX];
	size_t header_n, sent;        /* sent counts header and payload */
	struct reply reply[GATE_OPENS_WAITING];
	size_t replies;               /* oldest first */
	size_t opens;
};
/* What became of one connection. */
enum fate { FATE_VERDICT, FATE_LOST, FATE_FAILED };

static struct link link_now;
static unsigned char inbox[16384];

static enum gate_code at_path(struct gate *g, enum gate_code code, int eno)
{
	g->detail.n = 0;
	gate_adds(&g->detail, g->addr.sun_path);
	if (eno != 0)
		gate_adderrno(&g->detail, eno);
	return code;
}

/* *again: the hub is there and its queue full. SO_PEERCRED of a connecting
 * socket names whoever called listen(). */
static enum gate_code connect_hub(struct gate *g, int *sock, bool *again)
{
	struct ucred peer;
	socklen_t len = sizeof(peer);
	int s = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	*again = false;
	if (s < 0)
		return gate_fail(g, GATE_SYSTEM, "a socket", errno);
	if (connect(s, (const struct sockaddr *)&g->addr, sizeof(g->addr)) != 0) {
		int eno = errno;
		close(s);
		*again = eno == EAGAIN || eno == EINTR;
		if (eno == ENOENT || eno == ECONNREFUSED || eno == ENOTDIR)
			return at_path(g, GATE_NO_HUB, 0);
		return at_path(g, GATE_CONNECT, eno);
	}
	if (getsockopt(s, SOL_SOCKET, SO_PEERCRED, &peer, &len) != 0) {
		int eno = errno;
		close(s);
		return gate_fail(g, GATE_SYSTEM, "to name the peer", eno);
	}
	if (peer.uid != g->hub_uid) {
		close(s);
		return at_path(g, GATE_WRONG_UID, 0);
	}
	*sock = s;
	return GATE_OK;
}

/* Sends the rest of header and payload. */
static ssize_t send_request(const struct gate *g, const struct link *l)
{
	struct iovec v[2];
	size_t skip = l->sent > l->header_n ? l->header_n : l->sent;
	size_t past = l->sent - skip;

	v[0].iov_base = (void *)(uintptr_t)(l->header + skip);
	v[0].iov_len = l->header_n - skip;
	v[1].iov_base = (void *)(uintptr_t)(g->payload + past);
	v[1].iov_len = g->payload_n - past;
	struct msghdr m = { .msg_iov = v, .msg_iovlen = 2 };
	return sendmsg(l->sock, &m, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* The descriptor rides on the frame's first byte. */
static ssize_t send_reply(const struct link *l, struct reply *r)
{
	union {
		struct cmsghdr head;
		char space[CMSG_SPACE(sizeof(int))];
	} c;
	struct iovec v = { r->frame + r->sent, FRAME_OPENED_LEN - r->sent };
	struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1 };

	if (r->fd >= 0) {
		memset(&c, 0, sizeof(c));
		m.msg_control = &c;
		m.msg_controllen = sizeof(c);
		c.head.cmsg_level = SOL_SOCKET;
		c.head.cmsg_type = SCM_RIGHTS;
		c.head.cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(&c.head), &r->fd, sizeof(int));
	}
	ssize_t n = sendmsg(l->sock, &m, MSG_NOSIGNAL | MSG_DONTWAIT);
	if (n > 0 && r->fd >= 0) {
		close(r->fd);
		r->fd = -1;
	}
	return n;
}

static bool request_sent(const struct gate *g, const struct link *l)
{
	return l->sent == l->header_n + g->payload_n;
}

/* What a failed send means. The kernel limits descriptors in flight (to
 * RLIMIT_NOFILE): then the open has failed, and is answered so. A hub that
 * closed may have said why: what it wrote is still to be read, so a broken
 * pipe is no end. */
static enum gate_code send_failed(struct gate *g, struct link *l, struct reply *r, int eno)
{
	if (eno == ETOOMANYREFS && r != NULL && r->fd >= 0) {
		close(r->fd);
		r->fd = -1;
		frame_opened(r->frame, r->id, eno);
		return GATE_OK;
	}
	l->closed = eno == EPIPE || eno == ECONNRESET || eno == ENOTCONN;
	return l->closed ? GATE_OK : gate_fail(g, GATE_SYSTEM, "to send", eno);
}

static bool to_send(const struct gate *g, const struct link *l)
{
	return !l->closed && (!request_sent(g, l) || l->replies > 0);
}

/* Sends what the socket takes. */
static enum gate_code send_some(struct gate *g, struct link *l)
{
	enum gate_code code = GATE_OK;

	while (code == GATE_OK && to_send(g, l)) {
		struct reply *r = request_sent(g, l) ? &l->reply[0] : NULL;
		ssize_t n = r != NULL ? send_reply(l, r) : send_request(g, l);
		if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
			break;
		if (n < 0) {
			if (errno != EINTR)
				code = send_failed(g, l, r, errno);
			continue;
		}
		if (r == NULL) {
			l->sent += (size_t)n;
			continue;
		}
		r->sent += (size_t)n;
		if (r->sent == FRAME_OPENED_LEN)
			memmove(r, r + 1, --l->replies * sizeof(*r));
	}
	return code;
}

/* Opens what the hub asked for, with our rights and in our name space. */
static enum gate_code open_for(struct gate *g, struct link *l, const struct frame_in *f)
{
	if (!request_sent(g, l))
		return gate_fail(g, GATE_ANSWER, "open before the request was sent", 0);
	if (++l->opens > GATE_OPENS_MAX || l->replies == GATE_OPENS_WAITING)
		return GATE_OPENS;
	int flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY;
	if (f->what == FRAME_DIR)
		flags |= O_DIRECTORY;
	struct reply *r = &l->reply[l->replies++];
	r->sent = 0;
	r->id = f->id;
	do {
		r->fd = open(f->path, flags);
	} while (r->fd < 0 && errno == EINTR);
	frame_opened(r->frame, f->id, r->fd < 0 ? errno : 0);
	return GATE_OK;
}

/* Uses the bytes of one recv(). *done: the verdict is there. */
static enum gate_code use(struct gate *g, struct link *l, struct frame_in *f,
	const unsigned char *p, size_t n, bool *done)
{
	for (;;) {
		enum gate_code code;
		switch (frame_next(f, &p, &n)) {
		case FRAME_MORE:
			return GATE_OK;
		case FRAME_OPEN:
			code = open_for(g, l, f);
			if (code != GATE_OK)
				return code;
			break;
		case FRAME_VERDICT:
			if (f->verdict != FRAME_DENY && f->verdict != FRAME_NOTED
				&& !request_sent(g, l))
				return gate_fail(g, GATE_ANSWER,
					"verdict before the request was sent", 0);
			*done = true;
			break;
		case FRAME_BAD:
			return gate_fail(g, GATE_ANSWER, f->why, 0);
		}
	}
}

/* Reads until there is nothing to read. */
static enum fate receive(struct gate *g, struct link *l, struct frame_in *f,
	enum gate_code *code, bool *nothing)
{
	bool done = false;

	*nothing = false;
	for (;;) {
		ssize_t n = recv(l->sock, inbox, sizeof(inbox), MSG_DONTWAIT);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
			*nothing = !done;
			return FATE_VERDICT;
		}
		if (n <= 0) { /* closed, or died with our bytes unread */
			if (done)
				return FATE_VERDICT;
			if (!frame_in_verdict(f))
				return FATE_LOST;
			*code = gate_fail(g, GATE_ANSWER, "it ends too early", 0);
			return FATE_FAILED;
		}
		*code = use(g, l, f, inbox, (size_t)n, &done);
		if (*code == GATE_OK)
			*code = send_some(g, l);
		if (*code != GATE_OK)
			return FATE_FAILED;
	}
}

static enum fate converse(struct gate *g, struct link *l, struct frame_in *f,
	enum gate_code *code)
{
	uint64_t left = 0, now = g->deadline != 0 ? gate_now() : 0;
	bool nothing;
	short got;

	if (g->deadline != 0)
		left = g->deadline > now ? g->deadline - now : 1;
	l->header_n = frame_header(l->header, g->mode, g->dialect, g->key, left,
		(uint32_t)g->payload_n);
	frame_init(f, g->mode, gate_memory);
	for (;;) {
		*code = send_some(g, l);
		if (*code == GATE_OK)
			*code = gate_wait(g, l->sock,
				(short)(POLLIN | (to_send(g, l) ? POLLOUT : 0)), &got);
		if (*code != GATE_OK)
			return FATE_FAILED;
		if ((got & ~POLLOUT) == 0)
			continue;
		enum fate fate = receive(g, l, f, code, &nothing);
		if (fate != FATE_VERDICT || !nothing)
			return fate;
	}
}

static void hang_up(struct link *l)
{
	for (size_t i = 0; i < l->replies; i++)
		if (l->reply[i].fd >= 0)
			close(l->reply[i].fd);
	close(l->sock);
	l->closed = false;
	l->sent = l->replies = l->opens = 0;
}

enum gate_code gate_talk(struct gate *g, struct frame_in *f)
{
	struct link *l = &link_now;
	uint64_t lost = 0;            /* since when there is no hub; 0: not yet */
	bool again;
	short got;

	for (;;) {
		enum gate_code code = connect_hub(g, &l->sock, &again);
		if (code == GATE_OK) {
			uint64_t since = gate_now();
			enum fate fate = converse(g, l, f, &code);
			hang_up(l);
			if (fate != FATE_LOST)
				return code;
			uint64_t now = gate_now();
			if (lost == 0 || now - since > WORKED_MS)
				lost = now;
		} else if (code == GATE_WRONG_UID || code == GATE_SYSTEM) {
			return code;
		} else if (lost == 0) {
			/* No hub at the first attempt is an answer of its own. */
			if (!again)
				return code;
			lost = gate_now();
		}
		if (gate_now() - lost > GATE_RETRY_FOR_MS)
			return GATE_LOST;
		g->tick = gate_now() + GATE_RETRY_MS;
		code = gate_wait(g, -1, 0, &got);
		if (code != GATE_OK)
			return code;
	}
}
