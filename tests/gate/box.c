/* box.c - see box.h. */
#include "box.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

const char box_payload[] = "{\"hook_event_name\":\"PreToolUse\"}";

unsigned long long box_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (unsigned long long)t.tv_sec * 1000 + (unsigned long long)t.tv_nsec / 1000000;
}

static void guard(int fd, short events)
{
	struct pollfd p = { fd, events, 0 };

	if (poll(&p, 1, GUARD_MS) != 1)
		fail_msg("nothing happened on a descriptor");
}

void box_begin(struct box *b)
{
	memset(b, 0, sizeof(*b));
	strcpy(b->dir, "/tmp/obstat-gate-XXXXXX");
	assert_non_null(mkdtemp(b->dir));
	snprintf(b->path, sizeof(b->path), "%s/sock", b->dir);
	b->listen_fd = b->out = b->err = b->in = b->closed_fd = b->given_out = -1;
	b->mode = "decide";
	b->socket = b->path;
	b->uid = "self";
	b->deadline = "0";
	b->dialect = "claude";
}

void box_listen(struct box *b)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };

	assert_true(strlen(b->path) < sizeof(a.sun_path));
	strcpy(a.sun_path, b->path);
	if (b->listen_fd >= 0)
		close(b->listen_fd);
	unlink(b->path);
	b->listen_fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_true(b->listen_fd >= 0);
	assert_int_equal(bind(b->listen_fd, (struct sockaddr *)&a, sizeof(a)), 0);
	assert_int_equal(listen(b->listen_fd, 8), 0);
}

static void child(struct box *b, const int fds[3])
{
	char *no_env[] = { NULL };
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	for (int i = 0; i < 3; i++) {
		if (dup2(fds[i], i) < 0)
			_exit(99);
		if (b->closed_fd == i)
			close(i);
	}
	execle(GATE, "obstat-gate", b->mode, "--socket", b->socket, "--hub-uid", b->uid,
		"--deadline", b->deadline, "--dialect", b->dialect, (char *)NULL,
		b->envp != NULL ? b->envp : no_env);
	_exit(98);
}

/* A descriptor above 2, whatever the test's own streams are. */
static int high(int fd)
{
	int n = fcntl(fd, F_DUPFD_CLOEXEC, 10);

	assert_true(n >= 0);
	close(fd);
	return n;
}

static int stdin_for(struct box *b, const void *payload, size_t n)
{
	int p[2], fd;

	if (b->keep_in || n <= 4096) {
		assert_int_equal(pipe2(p, O_CLOEXEC), 0);
		fd = high(p[0]);
		b->in = high(p[1]);
	} else {
		fd = high(memfd_create("stdin", MFD_CLOEXEC));
		p[1] = fd;
	}
	for (size_t at = 0; at < n;) {
		ssize_t w = write(b->in >= 0 ? b->in : fd, (const char *)payload + at, n - at);
		assert_true(w > 0);
		at += (size_t)w;
	}
	if (b->in < 0)
		assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	if (b->in >= 0 && !b->keep_in) {
		close(b->in);
		b->in = -1;
	}
	return fd;
}

void box_start(struct box *b, const void *payload, size_t n)
{
	int fds[3], out[2], err[2];

	if (b->out_is_socket)
		assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, out), 0);
	else
		assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	assert_int_equal(pipe2(err, O_CLOEXEC), 0);
	fds[0] = stdin_for(b, payload, n);
	fds[1] = high(b->given_out >= 0 ? b->given_out : out[1]);
	fds[2] = high(err[1]);
	b->out = high(out[0]);
	b->err = high(err[0]);
	b->pid = fork();
	assert_true(b->pid >= 0);
	if (b->pid == 0)
		child(b, fds);
	for (int i = 0; i < 3; i++)
		close(fds[i]);
}

int box_accept(struct box *b)
{
	guard(b->listen_fd, POLLIN);
	int fd = accept4(b->listen_fd, NULL, NULL, SOCK_CLOEXEC);
	assert_true(fd >= 0);
	return fd;
}

static void take(int conn, void *to, size_t n)
{
	for (size_t at = 0; at < n;) {
		guard(conn, POLLIN);
		ssize_t r = read(conn, (char *)to + at, n - at);
		if (r <= 0)
			fail_msg("the gate closed early");
		at += (size_t)r;
	}
}

static unsigned long long le(const unsigned char *p, size_t n)
{
	unsigned long long v = 0;

	while (n > 0)
		v = v << 8 | p[--n];
	return v;
}

void box_request(int conn, struct request *r)
{
	unsigned char head[6], rest[28];

	take(conn, head, 6);
	assert_memory_equal(head, "OBG1", 4);
	r->mode = head[4];
	take(conn, r->dialect, head[5]);
	r->dialect[head[5]] = '\0';
	take(conn, rest, sizeof(rest));
	memcpy(r->key, rest, 16);
	r->ms = le(rest + 16, 8);
	r->n = (size_t)le(rest + 24, 4);
	r->payload = malloc(r->n + 1);
	assert_non_null(r->payload);
	take(conn, r->payload, r->n);
}

void box_send(int conn, const void *p, size_t n)
{
	for (size_t at = 0; at < n;) {
		guard(conn, POLLOUT);
		ssize_t w = send(conn, (const char *)p + at, n - at, MSG_NOSIGNAL);
		assert_true(w > 0);
		at += (size_t)w;
	}
}

/* Bit by bit, so that it is not the code under test. */
uint32_t box_crc(const unsigned char *p, size_t n)
{
	uint32_t crc = 0xffffffff;

	for (size_t i = 0; i < n; i++) {
		crc ^= p[i];
		for (int k = 0; k < 8; k++)
			crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
	}
	return ~crc;
}

static unsigned char *put(unsigned char *p, uint32_t v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		*p++ = (unsigned char)(v >> (8 * i));
	return p;
}

size_t box_verdict(unsigned char *to, int verdict, const char *out, size_t n_out,
	const char *err, size_t n_err)
{
	unsigned char *p = to;

	*p++ = 'V';
	*p++ = (unsigned char)verdict;
	p = put(p, (uint32_t)n_out, 4);
	memcpy(p, out, n_out);
	p = put(p + n_out, (uint32_t)n_err, 4);
	memcpy(p, err, n_err);
	p += n_err;
	p = put(p, box_crc(to, (size_t)(p - to)), 4);
	return (size_t)(p - to);
}

void box_answer(int conn, int verdict, const char *out, const char *err)
{
	unsigned char v[4096];

	box_send(conn, v, box_verdict(v, verdict, out, strlen(out), err, strlen(err)));
	close(conn);
}

void box_ask(int conn, uint32_t id, int what, const char *path)
{
	unsigned char f[8 + 5000];
	size_t n = strlen(path);

	f[0] = 'O';
	put(f + 1, id, 4);
	f[5] = (unsigned char)what;
	put(f + 6, (uint32_t)n, 2);
	memcpy(f + 8, path, n);
	box_send(conn, f, 8 + n);
}

int box_opened(int conn, uint32_t id, int *fd)
{
	unsigned char f[9];
	char space[CMSG_SPACE(4 * sizeof(int))];
	struct iovec v = { f, 1 };
	struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1, .msg_control = space,
		.msg_controllen = sizeof(space) };

	*fd = -1;
	guard(conn, POLLIN);
	assert_int_equal(recvmsg(conn, &m, MSG_CMSG_CLOEXEC), 1);
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);
	if (c != NULL) {
		assert_int_equal(c->cmsg_type, SCM_RIGHTS);
		assert_int_equal(c->cmsg_len, CMSG_LEN(sizeof(int)));
		memcpy(fd, CMSG_DATA(c), sizeof(int));
	}
	take(conn, f + 1, 8);
	assert_int_equal(f[0], 'F');
	assert_int_equal(le(f + 1, 4), id);
	return (int)le(f + 5, 4);
}

void box_eof(int conn)
{
	char c;

	guard(conn, POLLIN);
	ssize_t r = read(conn, &c, 1);
	if (r > 0)
		fail_msg("bytes where the end was expected");
	close(conn);
}

static size_t drain(int *fd, char **p, size_t n)
{
	*p = realloc(*p, n + 65536);
	assert_non_null(*p);
	ssize_t r = read(*fd, *p + n, 65536);
	if (r <= 0) {
		close(*fd);
		*fd = -1;
		return n;
	}
	return n + (size_t)r;
}

void box_wait(struct box *b)
{
	char *reason = NULL;
	size_t n = 0;
	int status;

	while (b->out >= 0 || b->err >= 0) {
		struct pollfd p[2] = { { b->out, POLLIN, 0 }, { b->err, POLLIN, 0 } };
		if (poll(p, 2, GUARD_MS) <= 0)
			fail_msg("the gate neither writes nor ends");
		if (p[0].revents != 0)
			b->text_n = drain(&b->out, &b->text, b->text_n);
		if (p[1].revents != 0)
			n = drain(&b->err, &reason, n);
	}
	snprintf(b->reason, sizeof(b->reason), "%.*s", (int)n, reason != NULL ? reason : "");
	free(reason);
	assert_int_equal(waitpid(b->pid, &status, 0), b->pid);
	b->pid = 0;
	b->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void box_end(struct box *b)
{
	if (b->pid > 0) {
		kill(b->pid, SIGKILL);
		waitpid(b->pid, NULL, 0);
	}
	int fds[] = { b->listen_fd, b->out, b->err, b->in };
	for (size_t i = 0; i < 4; i++)
		if (fds[i] >= 0)
			close(fds[i]);
	free(b->text);
	unlink(b->path);
	rmdir(b->dir);
}

int box_asked_as(struct box *b, struct request *r)
{
	box_listen(b);
	box_start(b, BOX_PAYLOAD);
	int conn = box_accept(b);
	box_request(conn, r);
	assert_int_equal(r->mode, strcmp(b->mode, "observe") == 0 ? 2 : 1);
	assert_string_equal(r->dialect, "claude");
	assert_int_equal(r->n, strlen(box_payload));
	assert_memory_equal(r->payload, box_payload, r->n);
	free(r->payload);
	r->payload = NULL;
	return conn;
}

int box_asked(struct box *b, const char *mode)
{
	struct request r;

	box_begin(b);
	b->mode = mode;
	return box_asked_as(b, &r);
}

void box_ended(struct box *b, int status, const char *out, const char *reason)
{
	box_wait(b);
	if (b->status != status || strstr(b->reason, reason) == NULL)
		fail_msg("exit %d, stderr: %s (wanted %d, %s)", b->status, b->reason, status,
			reason);
	assert_int_equal(b->text_n, strlen(out));
	if (b->text_n > 0)
		assert_memory_equal(b->text, out, b->text_n);
	box_end(b);
}

pid_t box_other_user(struct box *b)
{
	unsigned char v[64];
	size_t n = box_verdict(v, 1, "{\"ok\":1}", 8, "", 0);
	int ready[2];
	char c;

	assert_int_equal(chmod(b->dir, 0777), 0);
	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid > 0) {
		close(ready[1]);
		assert_int_equal(read(ready[0], &c, 1), 1);
		close(ready[0]);
		return pid;
	}
	/* No assertion may fail in here: it would run the other tests twice. */
	if (setgid(65534) != 0 || setuid(65534) != 0)
		_exit(1);
	box_listen(b);
	if (write(ready[1], "x", 1) != 1)
		_exit(1);
	int conn = accept4(b->listen_fd, NULL, NULL, SOCK_CLOEXEC);
	if (conn >= 0)
		(void)!send(conn, v, n, MSG_NOSIGNAL);
	_exit(0);
}
