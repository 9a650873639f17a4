/*
 * sock.c - see sock.h.
 */
#include "base/sock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#define SOCK_BACKLOG 128
#define SOCK_CONNECT_S 2      /* longest wait for a full backlog */
#define SOCK_KERNEL_FDS 253   /* SCM_MAX_FD: the most one message can carry */

static int sock_addr(const char *path, struct sockaddr_un *sa, struct err *e)
{
	size_t n = strlen(path);

	memset(sa, 0, sizeof *sa);
	sa->sun_family = AF_UNIX;
	if (n == 0 || n >= sizeof sa->sun_path)
		return err_set(e, "socket_path",
			"socket path of %zu bytes (1 to %zu are possible); "
			"choose a shorter state directory: %s",
			n, sizeof sa->sun_path - 1, path);
	memcpy(sa->sun_path, path, n);
	return 0;
}

/* Somebody's name is in the way. Removes it only when it is a socket that
 * nobody listens on; 0 when it is gone. */
static int sock_remove_stale(const struct sockaddr_un *sa, struct err *e)
{
	struct stat st;
	int fd, r, why;

	if (lstat(sa->sun_path, &st) != 0)
		return errno == ENOENT ? 0 :
			err_sys(e, "listen", "cannot look at %s", sa->sun_path);
	if (!S_ISSOCK(st.st_mode))
		return err_set(e, "not_socket",
			"%s is in the way and not a socket; move it away", sa->sun_path);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return err_sys(e, "listen", "cannot make a socket");
	r = connect(fd, (const struct sockaddr *)sa, sizeof *sa);
	why = errno;
	close(fd);
	errno = why;
	if (r == 0 || why == EAGAIN)
		return err_set(e, "in_use", "another process listens on %s", sa->sun_path);
	if (why == ENOENT)
		return 0;
	if (why != ECONNREFUSED)
		return err_sys(e, "listen", "cannot tell who owns %s", sa->sun_path);
	if (unlink(sa->sun_path) != 0 && errno != ENOENT)
		return err_sys(e, "listen", "cannot remove the stale %s", sa->sun_path);
	return 0;
}

int sock_listen(const char *path, mode_t mode, struct err *e)
{
	struct sockaddr_un sa;
	int fd, r;

	if (sock_addr(path, &sa, e) != 0)
		return -1;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return err_sys(e, "listen", "cannot make a socket");
	/* Linux creates the file with the socket's own mode: from the first
	 * moment it is never wider than asked for (unix(7)). */
	(void)fchmod(fd, mode);
	r = bind(fd, (const struct sockaddr *)&sa, sizeof sa);
	if (r != 0 && errno == EADDRINUSE) {
		if (sock_remove_stale(&sa, e) != 0) {
			close(fd);
			return -1;
		}
		r = bind(fd, (const struct sockaddr *)&sa, sizeof sa);
	}
	/* Before listen(): nobody can connect until the mode is right. */
	if (r != 0 || chmod(path, mode) != 0 || listen(fd, SOCK_BACKLOG) != 0) {
		err_sys(e, "listen", "cannot listen on %s", path);
		close(fd);
		return -1;
	}
	return fd;
}

int sock_accept(int listen_fd)
{
	int fd;

	do
		fd = accept4(listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	while (fd < 0 && (errno == EINTR || errno == ECONNABORTED));
	return fd;
}

static int sock_connect_error(const char *path, struct err *e)
{
	switch (errno) {
	case ENOENT:
	case ECONNREFUSED:
		return err_sys(e, "no_listener", "nobody listens on %s", path);
	case EACCES:
	case EPERM:
		return err_sys(e, "no_access", "may not connect to %s", path);
	case EAGAIN:
		return err_set(e, "busy", "%s did not answer within %d s", path,
			SOCK_CONNECT_S);
	default:
		return err_sys(e, "connect", "cannot connect to %s", path);
	}
}

int sock_connect(const char *path, struct err *e)
{
	struct timeval wait = { .tv_sec = SOCK_CONNECT_S };
	struct timeval forever = { 0 };
	struct sockaddr_un sa;
	int fd, r;

	if (sock_addr(path, &sa, e) != 0)
		return -1;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return err_sys(e, "connect", "cannot make a socket");
	/* A Unix connect blocks only while the backlog is full. */
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof wait);
	do
		r = connect(fd, (const struct sockaddr *)&sa, sizeof sa);
	while (r != 0 && errno == EINTR);
	if (r != 0) {
		sock_connect_error(path, e);
		close(fd);
		return -1;
	}
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &forever, sizeof forever);
	if (fcntl(fd, F_SETFL, O_NONBLOCK) != 0) {
		err_sys(e, "connect", "cannot make the socket non-blocking");
		close(fd);
		return -1;
	}
	return fd;
}

/* Field 22 of /proc/PID/stat (proc(5)). Field 2 is the program's own choice
 * and may hold blanks and parentheses: count from the last one. */
static uint64_t sock_proc_start(pid_t pid)
{
	char path[64], text[1024], *p;
	uint64_t start = 0;
	ssize_t n;
	int fd;

	snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return 0;
	n = read(fd, text, sizeof text - 1);
	close(fd);
	if (n <= 0)
		return 0;
	text[n] = '\0';
	p = strrchr(text, ')');
	for (int field = 2; p != NULL && field < 22; field++) {
		p = strchr(p, ' ');
		if (p != NULL)
			p++;
	}
	if (p == NULL || !sv_u64((struct sv){ p, strspn(p, "0123456789") }, &start))
		return 0;
	return start;
}

int sock_peer(int fd, struct peer *out, struct err *e)
{
	struct ucred c;
	socklen_t n = sizeof c;

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &c, &n) != 0 || n != sizeof c)
		return err_sys(e, "peer", "cannot tell who is at the other end");
	*out = (struct peer){ .uid = c.uid, .gid = c.gid, .pid = c.pid };
	/* pid 0: a peer outside our pid namespace. */
	if (c.pid > 0)
		out->start = sock_proc_start(c.pid);
	return 0;
}

ssize_t sock_send_fd(int sock, const void *p, size_t n, int fd)
{
	union {
		struct cmsghdr align;
		char room[CMSG_SPACE(sizeof(int))];
	} ctl;
	struct iovec iov = { .iov_base = (void *)(uintptr_t)p, .iov_len = n };
	struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1 };
	ssize_t k;

	if (fd >= 0) {
		struct cmsghdr *c;

		memset(&ctl, 0, sizeof ctl);
		m.msg_control = ctl.room;
		m.msg_controllen = sizeof ctl.room;
		c = CMSG_FIRSTHDR(&m);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(sizeof fd);
		memcpy(CMSG_DATA(c), &fd, sizeof fd);
	}
	do
		k = sendmsg(sock, &m, MSG_NOSIGNAL | MSG_DONTWAIT);
	while (k < 0 && errno == EINTR);
	return k;
}

/* Keeps the first *room descriptors of one control message, closes the rest:
 * a descriptor that nobody looks for is a leak that a peer can cause. */
static void sock_take_fds(const struct cmsghdr *c, int *fds, int room, int *got)
{
	size_t n = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);

	for (size_t i = 0; i < n; i++) {
		int fd;

		memcpy(&fd, CMSG_DATA(c) + i * sizeof fd, sizeof fd);
		if (*got < room)
			fds[(*got)++] = fd;
		else
			close(fd);
	}
}

ssize_t sock_recv_fd(int sock, void *p, size_t n, int *fds, int *n_fds)
{
	union {
		struct cmsghdr align;
		char room[CMSG_SPACE(SOCK_KERNEL_FDS * sizeof(int))];
	} ctl;
	struct iovec iov = { .iov_base = p, .iov_len = n };
	struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = ctl.room, .msg_controllen = sizeof ctl.room };
	int room = n_fds != NULL ? *n_fds : 0;
	int got = 0;
	ssize_t k;

	do
		k = recvmsg(sock, &m, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
	while (k < 0 && errno == EINTR);
	if (n_fds != NULL)
		*n_fds = 0;
	if (k < 0)
		return k;
	for (struct cmsghdr *c = CMSG_FIRSTHDR(&m); c != NULL; c = CMSG_NXTHDR(&m, c))
		if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS)
			sock_take_fds(c, fds, room, &got);
	if (n_fds != NULL)
		*n_fds = got;
	return k;
}
