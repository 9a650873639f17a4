/* test_sock.c - listening, stale and foreign names, peers, descriptors. */
#include "tests/check.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sock.h"

static char dir[] = "/tmp/obstat-test-sock-XXXXXX";

static char *path_of(const char *name)
{
	static char path[256];

	snprintf(path, sizeof path, "%s/%s", dir, name);
	return path;
}

static int open_fds(void)
{
	DIR *d = opendir("/proc/self/fd");
	int n = 0;

	assert_non_null(d);
	while (readdir(d) != NULL)
		n++;
	closedir(d);
	return n;
}

static void test_listen(void **state)
{
	struct peer who;
	struct stat st;
	struct err e;
	char byte;
	int l, c, s;

	(void)state;
	l = sock_listen(path_of("a"), 0620, &e);
	assert_true(l >= 0);
	assert_int_equal(stat(path_of("a"), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0620); /* whatever the umask is */
	assert_true(fcntl(l, F_GETFD) & FD_CLOEXEC);
	errno = 0;
	assert_int_equal(sock_accept(l), -1);
	assert_int_equal(errno, EAGAIN);
	c = sock_connect(path_of("a"), &e);
	assert_true(c >= 0);
	s = sock_accept(l);
	assert_true(s >= 0);
	assert_true(fcntl(c, F_GETFL) & O_NONBLOCK);
	assert_true(fcntl(s, F_GETFL) & O_NONBLOCK);
	assert_true(fcntl(c, F_GETFD) & fcntl(s, F_GETFD) & FD_CLOEXEC);
	assert_int_equal(sock_peer(s, &who, &e), 0);
	assert_int_equal(who.uid, geteuid());
	assert_int_equal(who.gid, getegid());
	assert_int_equal(who.pid, getpid());
	assert_true(who.start > 0);
	assert_int_equal(sock_send_fd(c, "x", 1, -1), 1);
	assert_int_equal(sock_recv_fd(s, &byte, 1, NULL, NULL), 1);
	assert_int_equal(sock_recv_fd(s, &byte, 1, NULL, NULL), -1);
	assert_int_equal(errno, EAGAIN);
	close(c);
	assert_int_equal(sock_recv_fd(s, &byte, 1, NULL, NULL), 0);
	assert_int_equal(sock_send_fd(s, "x", 1, -1), -1); /* no SIGPIPE */
	assert_int_equal(errno, EPIPE);
	close(s);
	/* A live one is left alone, a stale one is replaced. */
	assert_int_equal(sock_listen(path_of("a"), 0600, &e), -1);
	assert_string_equal(e.code, "in_use");
	c = sock_connect(path_of("a"), &e);
	assert_true(c >= 0);
	close(c);
	close(l);
	assert_int_equal(sock_connect(path_of("a"), &e), -1);
	assert_string_equal(e.code, "no_listener");
	l = sock_listen(path_of("a"), 0600, &e);
	assert_true(l >= 0);
	close(l);
	unlink(path_of("a"));
	assert_int_equal(sock_connect(path_of("a"), &e), -1);
	assert_string_equal(e.code, "no_listener");
}

/* The kernel's start time of a process does not depend on its name. */
static void test_peer_name(void **state)
{
	struct peer a, b;
	char old[64] = "";
	int p[2], fd;

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, p), 0);
	assert_int_equal(sock_peer(p[0], &a, NULL), 0);
	fd = open("/proc/self/comm", O_RDWR | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_true(read(fd, old, sizeof old - 1) > 0);
	assert_true(write(fd, "x) S 1 (y", 9) == 9);
	assert_int_equal(sock_peer(p[0], &b, NULL), 0);
	assert_true(write(fd, old, strlen(old)) > 0);
	close(fd);
	assert_true(a.start == b.start && a.start != 0);
	close(p[0]);
	close(p[1]);
}

static void test_listen_refuses(void **state)
{
	struct err e;
	char longest[400];
	int fd, l;
	size_t n;

	(void)state;
	n = (size_t)snprintf(longest, sizeof longest, "%s/", dir);
	memset(longest + n, 'l', sizeof longest - n);
	longest[108] = '\0';
	assert_int_equal(sock_listen(longest, 0600, &e), -1);
	assert_string_equal(e.code, "socket_path");
	assert_int_equal(sock_connect(longest, &e), -1);
	assert_string_equal(e.code, "socket_path");
	longest[107] = '\0';
	l = sock_listen(longest, 0600, &e);
	assert_true(l >= 0);
	close(l);
	unlink(longest);
	assert_int_equal(sock_listen("", 0600, &e), -1);
	/* A file is never removed, a link to one neither. */
	fd = open(path_of("file"), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
	close(fd);
	assert_int_equal(sock_listen(path_of("file"), 0600, &e), -1);
	assert_string_equal(e.code, "not_socket");
	assert_int_equal(access(path_of("file"), F_OK), 0);
	unlink(path_of("file"));
	assert_int_equal(symlink("nowhere", path_of("link")), 0);
	assert_int_equal(sock_listen(path_of("link"), 0600, &e), -1);
	unlink(path_of("link"));
	assert_int_equal(sock_listen(path_of("no/dir"), 0600, &e), -1);
	assert_string_equal(e.code, "listen");
}

static void test_pass_fd(void **state)
{
	int p[2], fds[2], n_fds, file, before;
	char got[8];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, p), 0);
	file = open("/dev/null", O_RDONLY); /* not CLOEXEC: the receiver's is */
	before = open_fds();
	assert_int_equal(sock_send_fd(p[0], "F1234", 5, file), 5);
	assert_int_equal(sock_send_fd(p[0], "rest", 4, -1), 4);
	n_fds = 2;
	assert_int_equal(sock_recv_fd(p[1], got, 1, fds, &n_fds), 1);
	assert_int_equal(n_fds, 1);
	assert_true(fcntl(fds[0], F_GETFD) & FD_CLOEXEC);
	close(fds[0]);
	n_fds = 2;
	assert_int_equal(sock_recv_fd(p[1], got, 8, fds, &n_fds), 8);
	assert_int_equal(n_fds, 0);
	/* One that nobody asked for is closed. */
	assert_int_equal(sock_send_fd(p[0], "F", 1, file), 1);
	n_fds = 0;
	assert_int_equal(sock_recv_fd(p[1], got, 8, fds, &n_fds), 1);
	assert_int_equal(n_fds, 0);
	assert_int_equal(sock_send_fd(p[0], "F", 1, file), 1);
	assert_int_equal(sock_recv_fd(p[1], got, 8, NULL, NULL), 1);
	assert_int_equal(open_fds(), before);
	close(file);
	close(p[0]);
	close(p[1]);
}

/* A peer that sends as many as the kernel lets it. */
static void test_many_fds(void **state)
{
	union {
		struct cmsghdr align;
		char room[CMSG_SPACE(253 * sizeof(int))];
	} ctl;
	struct iovec iov = { .iov_base = (char[1]){ 'F' }, .iov_len = 1 };
	struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = ctl.room,
		.msg_controllen = sizeof ctl.room };
	struct cmsghdr *c;
	int p[2], fds[3], n_fds = 3, many[253], before;
	char got[8];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, p), 0);
	for (size_t i = 0; i < 253; i++)
		many[i] = p[0];
	memset(&ctl, 0, sizeof ctl);
	c = CMSG_FIRSTHDR(&m);
	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof many);
	memcpy(CMSG_DATA(c), many, sizeof many);
	before = open_fds();
	assert_int_equal(sendmsg(p[0], &m, 0), 1);
	assert_int_equal(sock_recv_fd(p[1], got, 8, fds, &n_fds), 1);
	assert_int_equal(n_fds, 3);
	assert_int_equal(open_fds(), before + 3);
	for (int i = 0; i < 3; i++)
		close(fds[i]);
	close(p[0]);
	close(p[1]);
}

static int make_dir(void **state)
{
	(void)state;
	return mkdtemp(dir) != NULL ? 0 : -1;
}

static int drop_dir(void **state)
{
	(void)state;
	return rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_listen),
		cmocka_unit_test(test_peer_name),
		cmocka_unit_test(test_listen_refuses),
		cmocka_unit_test(test_pass_fd),
		cmocka_unit_test(test_many_fds),
	};

	return cmocka_run_group_tests(tests, make_dir, drop_dir);
}
