/*
 * evidence.c - the hub's side: asks the child, collects answers, kills a child
 * that does not answer and starts another.
 *
 * Descriptors are kept until their request is answered: if the child has to be
 * killed for the sake of one file, the requests behind it are asked again.
 */
#include "evidence/evidence.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/sock.h"
#include "evidence/ask.h"
#include "evidence/wire.h"

/* Without an answer for one file, and for a whole request. */
#define EVIDENCE_TIMEOUT_MS 5000
#define EVIDENCE_WHOLE_MS 30000

struct evidence_room {
	struct loop *loop;
	char *self;
	struct loop_proc *proc;
	struct loop_fd *watch;
	struct loop_timer *timer;
	int sock;
	uint32_t next_id;
	uint64_t whole_ms;             /* when the first one's time is over */
	struct ask *first, *last;      /* in the order asked */
};

static void room_send(struct evidence_room *r);

static void child_stop(struct evidence_room *r)
{
	loop_fd_free(&r->watch);
	loop_proc_free(&r->proc);
	if (r->sock >= 0)
		close(r->sock);
	r->sock = -1;
	loop_timer_stop(r->timer);
}

/* The clock of the first request: it runs while the child works on it. */
static void first_begins(struct evidence_room *r)
{
	loop_timer_stop(r->timer);
	if (r->first == NULL)
		return;
	r->whole_ms = clock_boot_ms() + EVIDENCE_WHOLE_MS;
	loop_timer_arm(r->timer, EVIDENCE_TIMEOUT_MS);
}

static void first_goes_on(struct evidence_room *r)
{
	uint64_t now = clock_boot_ms();
	uint64_t left = r->whole_ms > now ? r->whole_ms - now : 0;

	loop_timer_arm(r->timer, left < EVIDENCE_TIMEOUT_MS ? left :
		EVIDENCE_TIMEOUT_MS);
}

/* The first request is answered. done may ask again: all is in order before it
 * is called. */
static void first_done(struct evidence_room *r)
{
	struct ask *a = r->first;
	struct evidence *ev = a->ev;

	r->first = a->next;
	if (r->first == NULL)
		r->last = NULL;
	first_begins(r);
	a->ev = NULL;
	a->done(a->arg, ev);
	ask_free(a);
}

/* The child is gone, stuck or cannot be started: what it was working on is not
 * known, the rest is asked again of a new child. */
static void child_failed(struct evidence_room *r)
{
	child_stop(r);
	for (struct ask *a = r->first; a != NULL; a = a->next)
		if (a != r->first)
			ask_rewind(a);
	if (r->first != NULL)
		first_done(r);
	if (r->first != NULL)
		room_send(r);
}

static void on_exit_(void *arg, int status, int signo)
{
	struct evidence_room *r = arg;

	log_warn("the evidence process ended (status %d, signal %d)", status, signo);
	child_failed(r);
}

static void on_timeout(void *arg)
{
	struct evidence_room *r = arg;

	if (r->sock >= 0)
		log_warn("the evidence process did not answer in time: stopped");
	child_failed(r);
}

static void map_content(struct ev_file *f, int fd)
{
	int seals = fcntl(fd, F_GET_SEALS);
	struct stat st;
	void *p;

	/* Without the seals the sender could shrink it under our feet. */
	if (seals < 0 || (seals & (F_SEAL_SHRINK | F_SEAL_WRITE)) !=
	    (F_SEAL_SHRINK | F_SEAL_WRITE) || fstat(fd, &st) != 0 ||
	    (uint64_t)st.st_size != f->size || f->size == 0)
		return;
	p = mmap(NULL, f->size, PROT_READ, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED)
		return;
	f->content = (struct sv){ p, f->size };
	f->has_content = true;
}

static bool take_file(struct ask *a, struct rd *r, int fd)
{
	uint32_t index = rd_u32(r);
	struct ev_file *f, got = { 0 };
	uint8_t state = rd_u8(r), flags, git;
	struct sv real, dig;

	got.error = (int)rd_u32(r);
	got.size = rd_u64(r);
	got.mode = rd_u32(r);
	got.nlink = rd_u32(r);
	got.uid = rd_u32(r);
	got.dev = rd_u64(r);
	got.ino = rd_u64(r);
	got.mtime_ns = (int64_t)rd_u64(r);
	flags = rd_u8(r);
	git = rd_u8(r);
	real = rd_lp(r);
	dig = rd_bytes(r, DIGEST_LEN);
	if (!rd_done(r) || index != a->got || index >= a->asked ||
	    state > FILE_SPECIAL || git > GIT_IGNORED)
		return false;
	f = &a->ev->files[index];
	got.path = f->path;
	got.state = (enum file_state)state;
	got.git = (enum git_state)git;
	got.real = arena_sv(a->ev->arena, real);
	got.via_link = (flags & WIRE_VIA_LINK) != 0;
	got.in_workspace = (flags & WIRE_IN_WORKSPACE) != 0;
	got.too_big = (flags & WIRE_TOO_BIG) != 0;
	got.has_digest = (flags & WIRE_DIGEST) != 0;
	if (got.has_digest)
		memcpy(got.digest.b, dig.p, DIGEST_LEN);
	got.has_content = (flags & WIRE_EMPTY) != 0;
	if ((flags & WIRE_CONTENT) != 0 && fd >= 0)
		map_content(&got, fd);
	*f = got;
	a->got++;
	return true;
}

/* One message of the child; false when it makes no sense. */
static bool take(struct evidence_room *r, struct sv msg, int fd)
{
	struct rd rd = rd_of(msg);
	uint8_t type = rd_u8(&rd);
	uint32_t id = rd_u32(&rd);
	struct ask *a = r->first;

	if (rd.bad || a == NULL || id != a->id)
		return false;
	first_goes_on(r);
	if (type == MSG_FILE)
		return take_file(a, &rd, fd);
	if (type != MSG_DONE || a->got != a->asked)
		return false;
	a->ev->workspace = arena_sv(a->ev->arena, rd_lp(&rd));
	if (!rd_done(&rd))
		return false;
	a->ev->complete = true;
	first_done(r);
	return true;
}

static void on_sock(void *arg, int events)
{
	static char msg[WIRE_MAX];
	struct evidence_room *r = arg;

	if (events & LOOP_WRITE)
		room_send(r);
	while (r->sock >= 0) {
		int fd = -1, n_fds = 1;
		ssize_t n = sock_recv_fd(r->sock, msg, sizeof(msg), &fd, &n_fds);
		bool ok;

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
			return;
		ok = n > 0 && take(r, (struct sv){ msg, (size_t)n }, n_fds > 0 ? fd : -1);
		if (n_fds > 0)
			close(fd);
		if (!ok) {
			child_failed(r);
			return;
		}
		/* What the socket did not take for want of room for descriptors. */
		if (r->sock >= 0 && r->last != NULL && r->last->sent < r->last->n_frames)
			room_send(r);
	}
}

static int child_start(struct evidence_room *r)
{
	char *argv[] = { r->self, (char *)(uintptr_t)"evidence-process", NULL };
	char *env[] = { NULL };
	struct err e = ERR_INIT;
	int sv[2], fds[3];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sv) != 0)
		return -1;
	fcntl(sv[0], F_SETFL, O_NONBLOCK);
	fds[0] = sv[1];
	fds[1] = fds[2] = -1;
	r->proc = loop_proc_new(r->loop, argv, env, fds, 3, on_exit_, r, &e);
	close(sv[1]);
	if (r->proc == NULL) {
		log_warn("the evidence process could not be started: %s", e.text);
		close(sv[0]);
		return -1;
	}
	r->sock = sv[0];
	r->watch = loop_fd_new(r->loop, r->sock, on_sock, r);
	loop_fd_want(r->watch, LOOP_READ);
	return 0;
}

/* Sends what the socket takes, in order. */
static void room_send(struct evidence_room *r)
{
	struct ask *a;

	if (r->sock < 0 && child_start(r) != 0) {
		/* As if it had failed at once; not from in here, since the one
		 * who asks does not expect to be called back yet. */
		loop_timer_arm(r->timer, 0);
		return;
	}
	for (a = r->first; a != NULL; a = a->next) {
		int rc = ask_send(a, r->sock);

		if (rc == 1) {
			loop_fd_want(r->watch, LOOP_READ | LOOP_WRITE);
			return;
		}
		if (rc != 0)
			break;
	}
	/* A broken pipe shows up as end of file when reading. */
	loop_fd_want(r->watch, LOOP_READ);
}

struct evidence_room *evidence_room_new(struct loop *l, const char *self,
	struct err *e)
{
	struct evidence_room *r = xcalloc(1, sizeof(*r));

	r->loop = l;
	r->self = xstrdup(self);
	r->sock = -1;
	r->timer = loop_timer_new(l, on_timeout, r);
	if (child_start(r) != 0) {
		err_set(e, "evidence", "the evidence process could not be started "
			"from %s", self);
		evidence_room_free(&r);
		return NULL;
	}
	return r;
}

void evidence_room_free(struct evidence_room **rp)
{
	struct evidence_room *r = *rp;

	if (r == NULL)
		return;
	child_stop(r);
	while (r->first != NULL) {
		struct ask *a = r->first;

		r->first = a->next;
		ask_free(a);
	}
	loop_timer_free(&r->timer);
	free(r->self);
	free(r);
	*rp = NULL;
}

void evidence_ask(struct evidence_room *r, const struct ev_ask *ask,
	void (*done)(void *arg, struct evidence *owned), void *arg)
{
	struct ask *a = ask_new(ask, ++r->next_id);

	a->done = done;
	a->arg = arg;
	if (r->last != NULL)
		r->last->next = a;
	else
		r->first = a;
	r->last = a;
	if (r->first == a)
		first_begins(r);
	room_send(r);
}
