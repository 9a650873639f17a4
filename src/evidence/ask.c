/*
 * ask.c - building and sending one question.
 */
#include "evidence/ask.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "evidence/wire.h"

#define ASK_MAX_BYTES (64u << 20)

static void frame_begin(struct ask *a)
{
	a->frames[a->n_frames].from = a->bytes.n;
	a->frames[a->n_frames].n_fds = 0;
}

static void frame_fd(struct ask *a, int fd)
{
	struct frame *f = &a->frames[a->n_frames];

	f->fds[f->n_fds++] = fd;
}

static void frame_end(struct ask *a)
{
	a->frames[a->n_frames++].to = a->bytes.n;
}

static void add_list(struct buf *b, const char *const *list, size_t n)
{
	size_t fit = 0, bytes = 0;

	/* A message has a limit: what does not fit is not a workspace. */
	while (fit < n && fit < WIRE_MAX_PATHS &&
	    bytes + strlen(list[fit]) + 4 <= WIRE_MAX / 4)
		bytes += strlen(list[fit++]) + 4;
	buf_u32(b, (uint32_t)fit);
	for (size_t i = 0; i < fit; i++)
		buf_lp(b, sv_of(list[i]));
}

static void add_ask(struct ask *a, const struct ev_ask *from)
{
	frame_begin(a);
	buf_u8(&a->bytes, MSG_ASK);
	buf_u32(&a->bytes, a->id);
	buf_u32(&a->bytes, a->asked);
	buf_u8(&a->bytes, from->self_open);
	buf_u8(&a->bytes, from->cwd_fd >= 0);
	buf_lp(&a->bytes, sv_of(from->cwd));
	add_list(&a->bytes, from->workspaces, from->n_workspaces);
	add_list(&a->bytes, from->never, from->n_never);
	if (from->cwd_fd >= 0)
		frame_fd(a, from->cwd_fd);
	frame_end(a);
}

static void add_file(struct ask *a, const struct ev_ask_file *f, uint32_t index)
{
	uint8_t flags = 0;
	bool fits = strlen(f->path) < PATH_MAX &&
		(f->dir_path == NULL || strlen(f->dir_path) < PATH_MAX);

	if (f->fd >= 0)
		flags |= WIRE_HAS_FD;
	if (f->dir_fd >= 0)
		flags |= WIRE_HAS_DIR;
	if (f->want_content)
		flags |= WIRE_WANT_CONTENT;
	if (f->want_git)
		flags |= WIRE_WANT_GIT;
	frame_begin(a);
	buf_u8(&a->bytes, MSG_FILE);
	buf_u32(&a->bytes, a->id);
	buf_u32(&a->bytes, index);
	buf_u8(&a->bytes, flags);
	buf_u32(&a->bytes, (uint32_t)f->open_errno);
	/* A path without a file by that name: nothing is found at "". */
	buf_lp(&a->bytes, fits ? sv_of(f->path) : SV_NONE);
	buf_lp(&a->bytes, fits ? sv_of(f->dir_path) : SV_NONE);
	if (f->fd >= 0)
		frame_fd(a, f->fd);
	if (f->dir_fd >= 0)
		frame_fd(a, f->dir_fd);
	frame_end(a);
}

struct ask *ask_new(const struct ev_ask *from, uint32_t id)
{
	struct ask *a = xcalloc(1, sizeof(*a));
	size_t n = from->n_files < EVIDENCE_FILES_MAX ? from->n_files :
		EVIDENCE_FILES_MAX;

	a->id = id;
	a->asked = (uint32_t)n;
	buf_init(&a->bytes, ASK_MAX_BYTES);
	a->frames = xcalloc(n + 1, sizeof(*a->frames));
	a->ev = evidence_new();
	a->ev->n_files = n;
	a->ev->files = arena_alloc(a->ev->arena, (n + 1) * sizeof(*a->ev->files));
	if (a->ev->files == NULL)
		fatal("evidence: %zu files in one question", n);
	add_ask(a, from);
	for (size_t i = n; i < from->n_files; i++) {
		if (from->files[i].fd >= 0)
			close(from->files[i].fd);
		if (from->files[i].dir_fd >= 0)
			close(from->files[i].dir_fd);
	}
	for (size_t i = 0; i < n; i++) {
		a->ev->files[i].path = arena_sv(a->ev->arena,
			sv_of(from->files[i].path));
		a->ev->files[i].error = from->files[i].open_errno;
		add_file(a, &from->files[i], (uint32_t)i);
	}
	return a;
}

void ask_free(struct ask *a)
{
	for (size_t i = 0; i < a->n_frames; i++)
		for (int k = 0; k < a->frames[i].n_fds; k++)
			close(a->frames[i].fds[k]);
	evidence_free(&a->ev);
	buf_free(&a->bytes);
	free(a->frames);
	free(a);
}

void ask_rewind(struct ask *a)
{
	for (size_t i = 0; i < a->got; i++) {
		struct ev_file *f = &a->ev->files[i];
		struct sv path = f->path;

		if (f->has_content && f->content.n > 0)
			munmap((void *)(uintptr_t)f->content.p, f->content.n);
		*f = (struct ev_file){ .path = path };
	}
	a->sent = 0;
	a->got = 0;
}

static ssize_t send_frame(int sock, const struct ask *a, const struct frame *f)
{
	char control[CMSG_SPACE(2 * sizeof(int))];
	struct iovec iov = { a->bytes.p + f->from, f->to - f->from };
	struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1 };
	struct cmsghdr *c;

	memset(control, 0, sizeof(control));
	if (f->n_fds > 0) {
		m.msg_control = control;
		m.msg_controllen = CMSG_SPACE((size_t)f->n_fds * sizeof(int));
		c = CMSG_FIRSTHDR(&m);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN((size_t)f->n_fds * sizeof(int));
		memcpy(CMSG_DATA(c), f->fds, (size_t)f->n_fds * sizeof(int));
	}
	return sendmsg(sock, &m, MSG_NOSIGNAL);
}

int ask_send(struct ask *a, int sock)
{
	while (a->sent < a->n_frames) {
		ssize_t n = send_frame(sock, a, &a->frames[a->sent]);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == ETOOMANYREFS)
			return 2;
		if (n < 0)
			return errno == EAGAIN || errno == EWOULDBLOCK ? 1 : -1;
		a->sent++;
	}
	return 0;
}
