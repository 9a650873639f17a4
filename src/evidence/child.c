/*
 * child.c - the evidence process: reads what it is asked to, one request at a
 * time, and answers. It holds no secrets of the hub and may be killed.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sock.h"
#include "evidence/child.h"
#include "evidence/evidence.h"
#include "evidence/wire.h"

/* Memory of our own: two blocks, paths, and what libgit2 takes. */
#define CHILD_DATA_MAX ((rlim_t)1 << 30)
#if defined(__SANITIZE_ADDRESS__)
#define CHILD_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CHILD_SANITIZED 1
#endif
#endif
#ifdef CHILD_SANITIZED             /* its shadow memory is larger than any limit */
#undef CHILD_DATA_MAX
#define CHILD_DATA_MAX RLIM_INFINITY
#endif

static void ask_clear(struct child_ask *a)
{
	for (size_t i = 0; i < a->n_workspaces; i++)
		free(a->workspaces[i]);
	for (size_t i = 0; i < a->n_never; i++)
		free(a->never[i]);
	free(a->found);
	gitstate_free(&a->repo);
	*a = (struct child_ask){ 0 };
}

static size_t read_list(struct rd *r, char **list)
{
	uint32_t n = rd_u32(r);
	size_t k = 0;

	for (uint32_t i = 0; i < n && !r->bad && k < WIRE_MAX_PATHS; i++) {
		struct sv s = rd_lp(r);

		if (s.n > 0 && s.n < PATH_MAX)
			list[k++] = xmemdup0(s.p, s.n);
	}
	return k;
}

static void read_ask(struct child_ask *a, struct rd *r, int *fds, int n_fds)
{
	struct sv cwd;
	char *path;

	ask_clear(a);
	a->id = rd_u32(r);
	a->n_files = rd_u32(r);
	a->self_open = rd_u8(r) != 0;
	rd_u8(r);
	cwd = rd_lp(r);
	a->n_workspaces = read_list(r, a->workspaces);
	a->n_never = read_list(r, a->never);
	if (cwd.n > 0 && cwd.n < PATH_MAX) {
		path = xmemdup0(cwd.p, cwd.n);
		child_workspace(a, path, n_fds > 0 ? fds[0] : -1);
		free(path);
	}
}

/* The socket calls of base/ never wait. */
static void wait_for(int sock, short events)
{
	struct pollfd p = { .fd = sock, .events = events };

	while (poll(&p, 1, -1) < 0 && errno == EINTR)
		;
}

static int send_all(int sock, const struct buf *b, int fd)
{
	for (;;) {
		ssize_t n = sock_send_fd(sock, b->p, b->n, fd);

		if (n == (ssize_t)b->n)
			return 0;
		if (n >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR))
			return -1;
		wait_for(sock, POLLOUT);
	}
}

static int send_done(int sock, struct child_ask *a)
{
	struct buf b;
	int r;

	buf_init(&b, WIRE_MAX);
	buf_u8(&b, MSG_DONE);
	buf_u32(&b, a->id);
	buf_lp(&b, sv_of(a->found));
	r = send_all(sock, &b, -1);
	buf_free(&b);
	return r;
}

static int send_file(int sock, const struct child_ask *a, uint32_t index,
	const struct child_file *f)
{
	struct buf b;
	int r;

	buf_init(&b, WIRE_MAX);
	buf_u8(&b, MSG_FILE);
	buf_u32(&b, a->id);
	buf_u32(&b, index);
	buf_u8(&b, (uint8_t)f->state);
	buf_u32(&b, (uint32_t)f->error);
	buf_u64(&b, f->size);
	buf_u32(&b, f->mode);
	buf_u32(&b, f->nlink);
	buf_u32(&b, f->uid);
	buf_u64(&b, f->dev);
	buf_u64(&b, f->ino);
	buf_u64(&b, (uint64_t)f->mtime_ns);
	buf_u8(&b, f->flags);
	buf_u8(&b, (uint8_t)f->git);
	buf_lp(&b, sv_of(f->real));
	buf_add(&b, f->digest.b, DIGEST_LEN);
	r = send_all(sock, &b, f->memfd);
	buf_free(&b);
	return r;
}

static int one_file(int sock, struct child_ask *a, struct rd *r, int *fds, int n_fds)
{
	struct child_question q = { .fd = -1, .dir_fd = -1 };
	struct child_file f = { .memfd = -1 };
	uint32_t id = rd_u32(r);
	uint32_t index = rd_u32(r);
	uint8_t flags = rd_u8(r);
	int used = 0, rc;
	struct sv path, dir;

	q.open_errno = (int)rd_u32(r);
	path = rd_lp(r);
	dir = rd_lp(r);
	if (!rd_done(r) || id != a->id || path.n >= PATH_MAX || dir.n >= PATH_MAX)
		return -1;
	memcpy(q.path, path.p != NULL ? path.p : "", path.n);
	memcpy(q.dir_path, dir.p != NULL ? dir.p : "", dir.n);
	if ((flags & WIRE_HAS_FD) != 0 && used < n_fds)
		q.fd = fds[used++];
	if ((flags & WIRE_HAS_DIR) != 0 && used < n_fds)
		q.dir_fd = fds[used++];
	q.want_content = (flags & WIRE_WANT_CONTENT) != 0;
	q.want_git = (flags & WIRE_WANT_GIT) != 0;
	child_read(a, &q, &f);
	rc = send_file(sock, a, index, &f);
	if (f.memfd >= 0)
		close(f.memfd);
	if (rc == 0 && ++a->answered == a->n_files)
		rc = send_done(sock, a);
	return rc;
}

static int serve(int sock)
{
	static char msg[WIRE_MAX];
	struct child_ask a = { 0 };
	int rc = 0;

	while (rc == 0) {
		int fds[2] = { -1, -1 }, n_fds = 2;
		ssize_t n = sock_recv_fd(sock, msg, sizeof(msg), fds, &n_fds);
		struct rd r;

		if (n < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK)) {
			wait_for(sock, POLLIN);
			continue;
		}
		if (n <= 0)
			break;
		r = rd_of((struct sv){ msg, (size_t)n });
		switch (rd_u8(&r)) {
		case MSG_ASK:
			read_ask(&a, &r, fds, n_fds);
			rc = r.bad ? -1 : a.n_files == 0 ? send_done(sock, &a) : 0;
			break;
		case MSG_FILE:
			rc = one_file(sock, &a, &r, fds, n_fds);
			break;
		default:
			rc = -1;
		}
		for (int i = 0; i < n_fds; i++)
			close(fds[i]);
	}
	ask_clear(&a);
	return rc == 0 ? 0 : 1;
}

int evidence_child_main(void)
{
	struct rlimit core = { 0, 0 };
	struct rlimit data = { CHILD_DATA_MAX, CHILD_DATA_MAX };
	int flags = fcntl(0, F_GETFL);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_DUMPABLE, 0);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	setrlimit(RLIMIT_CORE, &core);
	/* A repository's index and packs may claim any size. */
	setrlimit(RLIMIT_DATA, &data);
	signal(SIGPIPE, SIG_IGN);
	if (flags < 0)
		return 1;
	fcntl(0, F_SETFL, flags & ~O_NONBLOCK);
	return serve(0);
}
