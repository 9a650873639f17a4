/*
 * listen.c - one socket directory per named agent, one for consoles; who may
 * come in; gate or native by the first byte.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/testpoint.h"
#include "hub/conn.h"
#include "proto/gatewire.h"
#include "proto/jsonrpc.h"

#define ACCEPTS_A_TURN 64

struct channel *channel_find(struct hub *h, struct sv name)
{
	for (struct channel *ch = h->channels; ch != NULL; ch = ch->next)
		if (sv_eqs(name, ch->name))
			return ch;
	return NULL;
}

struct channel *channel_get(struct hub *h, const char *name)
{
	struct channel *ch = channel_find(h, sv_of(name));

	if (ch != NULL)
		return ch;
	ch = xcalloc(1, sizeof *ch);
	snprintf(ch->name, sizeof ch->name, "%s", name);
	ch->next = h->channels;
	h->channels = ch;
	return ch;
}

void channels_free(struct hub *h)
{
	while (h->channels != NULL) {
		struct channel *ch = h->channels;

		h->channels = ch->next;
		while (ch->uids != NULL) {
			struct uid_usage *u = ch->uids;

			ch->uids = u->next;
			free(u);
		}
		free(ch);
	}
}

/* Says why, so that the person at the other end can mend it, and goes. */
static void listen_turn_away(struct conn *c, const char *word, const char *text)
{
	struct buf out;

	log_warn("uid %u pid %ld turned away: %s", (unsigned)c->peer.uid,
		(long)c->peer.pid, text);
	buf_init(&out, 4096);
	rpc_put_error(&out, SV_NONE, RPC_APP, word, text, NULL);
	conn_send(c, buf_sv(&out));
	buf_free(&out);
	conn_finish(c);
}

/* Of one socket: a crowd of agents must not keep the person out. */
static unsigned listen_count(const struct hub *h, const struct channel *ch, uid_t uid)
{
	unsigned n = 0;

	for (const struct conn *c = h->conns; c != NULL; c = c->next)
		n += c->channel == ch && c->peer.uid == uid;
	return n;
}

/* The same without waiting for its end: it takes no descriptor of ours. */
static void listen_shut_out(struct conn *c, const char *word, const char *text)
{
	if (c->channel != NULL)
		refuse_bytes(c->hub, c->channel, c, word, text, SV_NONE);
	listen_turn_away(c, word, text);
	conn_close(c, false);
}

static void listen_one(struct listener *l, int fd)
{
	struct hub *h = l->hub;
	struct conn *c = conn_new(h, fd, l->channel, &sniff_ops);
	struct err e = ERR_INIT;

	test_point("accepted");
	if (sock_peer(fd, &c->peer, &e) != 0) {
		log_warn("%s", e.text);
		conn_close(c, false);
	} else if (c->peer.uid != h->uid && c->peer.uid != 0) {
		listen_shut_out(c, "not_allowed",
			"this hub serves another user; start your own with: obstat serve");
	} else if (listen_count(h, l->channel, c->peer.uid) >
	    (l->channel != NULL ? h->limits.conns_per_uid :
	    h->limits.consoles_per_uid)) {
		listen_shut_out(c, "over_limit",
			"too many connections of this user; close some first");
	} else if (l->channel == NULL) {
		console_start(c);
	}
}

static void listen_ready(void *arg, int events)
{
	struct listener *l = arg;

	(void)events;
	for (int i = 0; i < ACCEPTS_A_TURN; i++) {
		int fd = sock_accept(l->fd);

		if (fd >= 0) {
			listen_one(l, fd);
			continue;
		}
		if (errno == EMFILE || errno == ENFILE || errno == ENOMEM ||
		    errno == ENOBUFS) {
			/* Level-triggered: without this the loop would spin. */
			log_warn("cannot accept: %s", strerrordesc_np(errno));
			l->hub->accept_paused = true;
			for (struct listener *k = l->hub->listeners; k != NULL; k = k->next)
				loop_fd_want(k->watch, 0);
		}
		return;
	}
}

void listen_resume(struct hub *h)
{
	if (!h->accept_paused || h->draining)
		return;
	h->accept_paused = false;
	for (struct listener *l = h->listeners; l != NULL; l = l->next)
		loop_fd_want(l->watch, LOOP_READ);
}

static int listen_add(struct hub *h, const char *path, struct channel *ch,
	struct err *e)
{
	struct listener *l = xcalloc(1, sizeof *l);

	snprintf(l->path, sizeof l->path, "%s", path);
	l->hub = h;
	l->channel = ch;
	l->fd = sock_listen(path, 0600, e);
	if (l->fd < 0) {
		free(l);
		return -1;
	}
	l->watch = loop_fd_new(h->loop, l->fd, listen_ready, l);
	loop_fd_want(l->watch, LOOP_READ);
	l->next = h->listeners;
	h->listeners = l;
	return 0;
}

static int listen_agent(struct hub *h, const char *name, struct err *e)
{
	char path[640], dir[640];

	if (channel_find(h, sv_of(name)) != NULL)
		return 0;
	if (paths_agent_sock(&h->paths, name, path, sizeof path, e) != 0)
		return -1;
	snprintf(dir, sizeof dir, "%s/%s", h->paths.agents, name);
	if (fs_mkdirs(dir, 0700, e) != 0)
		return -1;
	return listen_add(h, path, channel_get(h, name), e);
}

int listen_start(struct hub *h, struct err *e)
{
	const struct ruleset *rs = policy_rules(h->policy);
	char dir[640];

	if (fs_mkdirs(h->paths.agents, 0700, e) != 0)
		return -1;
	snprintf(dir, sizeof dir, "%s", h->paths.console_sock);
	if (strrchr(dir, '/') != NULL)
		*strrchr(dir, '/') = '\0';
	if (fs_mkdirs(dir, 0700, e) != 0 || listen_agent(h, "default", e) != 0 ||
	    listen_agent(h, "claude", e) != 0)
		return -1;
	for (size_t i = 0; rs != NULL && i < rs->n_agents; i++)
		if (listen_agent(h, rs->agents[i], e) != 0)
			return -1;
	return listen_add(h, h->paths.console_sock, NULL, e);
}

void listen_stop(struct hub *h)
{
	while (h->listeners != NULL) {
		struct listener *l = h->listeners;

		h->listeners = l->next;
		unlink(l->path);
		loop_fd_free(&l->watch);
		close(l->fd);
		free(l);
	}
}

/* ---- the first byte ---- */

static void sniff_chunk(struct conn *c, struct sv bytes, const int *fds, int n_fds)
{
	struct sv b = bytes;

	if (gatewire_looks_like(b)) {
		gate_start(c);
		c->ops->chunk(c, bytes, fds, n_fds);
		return;
	}
	while (b.n > 0 && (b.p[0] == ' ' || b.p[0] == '\t' || b.p[0] == '\r' ||
	    b.p[0] == '\n')) {
		b.p++;
		b.n--;
	}
	if (b.n > 0 && b.p[0] == '{') {
		native_start(c);
		c->ops->chunk(c, b, fds, n_fds);
		return;
	}
	for (int i = 0; i < n_fds; i++)
		close(fds[i]);
	if (b.n == 0)
		return;
	refuse_bytes(c->hub, c->channel, c, "unknown_framing",
		"neither the gate's framing nor a JSON object", bytes);
	listen_turn_away(c, "unknown_framing",
		"neither the gate's framing nor a JSON object");
}

static void sniff_gone(struct conn *c, bool clean)
{
	(void)c;
	(void)clean;
}

const struct conn_ops sniff_ops = {
	.name = "peer", .chunk = sniff_chunk, .gone = sniff_gone,
};
