/*
 * hubline.c - one request, one answer.
 */
#include "cli/hubline.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "base/sock.h"
#include "config.h"

#define ANSWER_MAX (32u << 20)
#define ANSWER_MS 10000

struct hubline {
	int fd;
	int64_t next_id;
	struct buf in;
	struct jv *hello;
};

static int line_lost(struct err *e)
{
	return err_set(e, "hub_gone", _("the hub closed the connection"));
}

static int wait_for(int fd, short events, uint64_t until, struct err *e)
{
	for (;;) {
		struct pollfd p = { fd, events, 0 };
		uint64_t now = clock_boot_ms();
		int n = now >= until ? 0 : poll(&p, 1, (int)(until - now));

		if (n < 0 && errno == EINTR)
			continue;
		if (n > 0)
			return 0;
		return err_set(e, "hub_slow", _("the hub did not answer within %d s"),
			ANSWER_MS / 1000);
	}
}

static int send_all(struct hubline *h, struct sv s, uint64_t until, struct err *e)
{
	while (s.n > 0) {
		ssize_t n = send(h->fd, s.p, s.n, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno != EAGAIN)
			return line_lost(e);
		if (n < 0) {
			if (wait_for(h->fd, POLLOUT, until, e) != 0)
				return -1;
			continue;
		}
		s.p += n;
		s.n -= (size_t)n;
	}
	return 0;
}

/* The next line the hub sends, parsed. */
static struct jv *read_line(struct hubline *h, uint64_t until, struct err *e)
{
	for (;;) {
		char *nl = h->in.n > 0 ? memchr(h->in.p, '\n', h->in.n) : NULL;
		char block[65536];
		ssize_t n;

		if (nl != NULL) {
			size_t len = (size_t)(nl - h->in.p);
			struct jv *v = jv_read((struct sv){ h->in.p, len }, e);

			buf_drop_front(&h->in, len + 1);
			return v;
		}
		n = recv(h->fd, block, sizeof(block), 0);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN) {
			if (wait_for(h->fd, POLLIN, until, e) != 0)
				return NULL;
			continue;
		}
		if (n <= 0 || buf_add(&h->in, block, (size_t)n) != 0) {
			line_lost(e);
			return NULL;
		}
	}
}

static int send_request(struct hubline *h, const char *method, struct jv *params,
	uint64_t until, struct err *e)
{
	struct jv *req = jv_obj();
	struct buf out;
	int rc;

	jv_put_s(req, "jsonrpc", "2.0");
	jv_put_i(req, "id", ++h->next_id);
	jv_put_s(req, "method", method);
	jv_put(req, "params", params != NULL ? params : jv_obj());
	buf_init(&out, ANSWER_MAX);
	rc = jv_write(req, &out);
	jv_free(&req);
	if (rc == 0)
		rc = buf_addc(&out, '\n');
	if (rc == 0)
		rc = send_all(h, buf_sv(&out), until, e);
	buf_free(&out);
	return rc;
}

static struct jv *take_result(struct jv *msg, struct err *e)
{
	const struct jv *error = jv_get(msg, "error");
	struct jv *result = NULL;
	struct sv word;

	if (error == NULL) {
		result = jv_get(msg, "result");
		result = result != NULL ? jv_copy(result) : jv_obj();
	} else {
		word = jv_get_sv(jv_get(error, "data"), "error");
		err_set(e, "hub", "%.*s", SVFMT(jv_get_sv(error, "message")));
		if (word.n > 0 && word.n < sizeof(e->code)) {
			memcpy(e->code, word.p, word.n);
			e->code[word.n] = '\0';
		}
	}
	jv_free(&msg);
	return result;
}

struct jv *hubline_call(struct hubline *h, const char *method, struct jv *params,
	struct err *e)
{
	uint64_t until = clock_boot_ms() + ANSWER_MS;

	if (send_request(h, method, params, until, e) != 0)
		return NULL;
	for (;;) {
		struct jv *msg = read_line(h, until, e);

		if (msg == NULL)
			return NULL;
		if (jv_get_i(msg, "id", -1) == h->next_id && jv_get(msg, "method") == NULL)
			return take_result(msg, e);
		jv_free(&msg);
	}
}

struct jv *hubline_note(struct hubline *h, unsigned ms, struct err *e)
{
	return read_line(h, clock_boot_ms() + ms, e);
}

static int say_hello(struct hubline *h, struct err *e)
{
	struct jv *params = jv_obj(), *me = jv_obj();

	jv_put_i(params, "protocol", 1);
	jv_put_s(me, "name", "obstat-cli");
	jv_put_s(me, "version", PACKAGE_VERSION);
	jv_put(params, "console", me);
	h->hello = hubline_call(h, "hello", params, e);
	return h->hello != NULL ? 0 : -1;
}

struct hubline *hubline_open(const struct paths *p, struct err *e)
{
	struct hubline *h;
	struct peer peer;
	int fd = sock_connect(p->console_sock, e);

	if (fd < 0) {
		err_set(e, "no_hub", _("no hub is running for %s (start one: obstat "
			"serve --detach)"), p->state);
		return NULL;
	}
	if (sock_peer(fd, &peer, e) != 0 || (peer.uid != geteuid() && peer.uid != 0)) {
		err_set(e, "foreign_hub", _("%s belongs to another user's program: "
			"remove it and start your own hub"), p->console_sock);
		close(fd);
		return NULL;
	}
	h = xcalloc(1, sizeof(*h));
	h->fd = fd;
	buf_init(&h->in, ANSWER_MAX);
	if (say_hello(h, e) != 0)
		hubline_close(&h);
	return h;
}

void hubline_close(struct hubline **hp)
{
	struct hubline *h = *hp;

	if (h == NULL)
		return;
	close(h->fd);
	buf_free(&h->in);
	if (h->hello != NULL)
		jv_free(&h->hello);
	free(h);
	*hp = NULL;
}

const struct jv *hubline_hello(const struct hubline *h)
{
	return h->hello;
}

/* The parent of a detached hub returns once the sockets can be connected to,
 * so waiting for it is enough. */
static int run_serve(const struct paths *p, const char *self, struct err *e)
{
	char *argv[] = { (char *)(uintptr_t)self, (char *)(uintptr_t)"serve",
		(char *)(uintptr_t)"--detach", (char *)(uintptr_t)"--state",
		(char *)(uintptr_t)p->state, (char *)(uintptr_t)"--config",
		(char *)(uintptr_t)p->config, NULL };
	pid_t pid = fork();
	int status;

	if (pid < 0)
		return err_sys(e, "fork", "fork");
	if (pid == 0) {
		execv(self, argv);
		_exit(127);
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return err_sys(e, "wait", "waitpid");
	/* 3: another one was quicker, which is just as well. */
	if (WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 3))
		return 0;
	return err_set(e, "hub_start", _("the hub did not start; see %s/log"), p->state);
}

int hub_start(const struct paths *p, const char *self, struct err *e)
{
	struct hubline *h = hubline_open(p, e);

	if (h != NULL) {
		hubline_close(&h);
		return 0;
	}
	if (strcmp(e->code, "no_hub") != 0)
		return -1;
	return run_serve(p, self, e);
}
