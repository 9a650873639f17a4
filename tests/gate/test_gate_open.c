/* obstat-gate opens files for the hub: what, how, and how many. */
#include "box.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static void test_opens(void **state)
{
	struct box b;
	struct stat st;
	char path[256], text[8];
	int fd, conn = box_asked(&b, "decide");

	(void)state;
	snprintf(path, sizeof(path), "%s/file", b.dir);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_int_equal(write(fd, "text", 4), 4);
	close(fd);
	box_ask(conn, 7, 1, path);
	assert_int_equal(box_opened(conn, 7, &fd), 0);
	assert_int_equal(read(fd, text, sizeof(text)), 4);
	assert_int_equal(fcntl(fd, F_GETFL) & (O_ACCMODE | O_NONBLOCK), O_RDONLY | O_NONBLOCK);
	close(fd);
	box_ask(conn, 8, 2, path);
	assert_int_equal(box_opened(conn, 8, &fd), ENOTDIR);
	assert_int_equal(fd, -1);
	unlink(path);
	box_ask(conn, 0xffffffff, 1, path);
	assert_int_equal(box_opened(conn, 0xffffffff, &fd), ENOENT);
	assert_int_equal(fd, -1);
	box_ask(conn, 9, 2, b.dir);
	assert_int_equal(box_opened(conn, 9, &fd), 0);
	assert_int_equal(fstat(fd, &st), 0);
	assert_true(S_ISDIR(st.st_mode));
	close(fd);
	assert_int_equal(symlink(path, path), 0);
	box_ask(conn, 10, 1, path);
	assert_int_equal(box_opened(conn, 10, &fd), ELOOP);
	unlink(path);
	/* No writer: a blocking open would never return. */
	assert_int_equal(mkfifo(path, 0600), 0);
	box_ask(conn, 11, 1, path);
	assert_int_equal(box_opened(conn, 11, &fd), 0);
	close(fd);
	unlink(path);
	box_answer(conn, 1, "done", "");
	box_ended(&b, 0, "done", "");
}

/* Sixteen at once, answered in order, descriptors each on its own frame. */
static void test_opens_at_once(void **state)
{
	struct box b;
	int fd, conn = box_asked(&b, "decide");

	(void)state;
	for (uint32_t id = 0; id < 16; id++)
		box_ask(conn, id, 1, id % 3 == 0 ? "/nonexistent" : "/dev/null");
	for (uint32_t id = 0; id < 16; id++) {
		assert_int_equal(box_opened(conn, id, &fd), id % 3 == 0 ? ENOENT : 0);
		assert_int_equal(fd >= 0, id % 3 != 0);
		if (fd >= 0)
			close(fd);
	}
	box_answer(conn, 2, "", "no\n");
	box_ended(&b, 2, "", "no\n");
}

static void test_open_limits(void **state)
{
	struct box b;
	char path[4100];
	unsigned char nul[] = "O\1\0\0\0\1\4\0/a\0b";
	int fd, conn = box_asked(&b, "decide");

	(void)state;
	for (uint32_t id = 0; id < 4096; id++) {
		box_ask(conn, id, 1, "/nonexistent");
		assert_int_equal(box_opened(conn, id, &fd), ENOENT);
	}
	box_ask(conn, 4096, 1, "/nonexistent");
	box_ended(&b, 2, "", "OBSTAT-E09 ");
	close(conn);

	/* Nobody reads the answers: they pile up until too many wait. */
	conn = box_asked(&b, "decide");
	for (uint32_t id = 0; id < 4000; id++) {
		unsigned char f[] = "O\0\0\0\0\1\1\0/";
		if (send(conn, f, 9, MSG_NOSIGNAL) < 0)
			break; /* it left already */
	}
	box_ended(&b, 2, "", "OBSTAT-E09 ");
	close(conn);

	static const char *const bad[] = { "", "relative", "../x" };
	for (size_t i = 0; i < 3; i++) {
		conn = box_asked(&b, "decide");
		box_ask(conn, 1, 1, bad[i]);
		box_ended(&b, 2, "", "OBSTAT-E08 ");
		close(conn);
	}
	conn = box_asked(&b, "decide");
	box_send(conn, nul, 12);
	box_ended(&b, 2, "", "holds a NUL");
	close(conn);
	conn = box_asked(&b, "observe");
	box_ask(conn, 1, 3, "/");
	box_ended(&b, 0, "", "OBSTAT-E08 ");
	close(conn);
	memset(path, 'a', sizeof(path));
	path[0] = '/';
	path[4096] = '\0';
	conn = box_asked(&b, "decide");
	box_ask(conn, 1, 1, path);
	assert_int_equal(box_opened(conn, 1, &fd), ENAMETOOLONG);
	path[4096] = 'a';
	path[4097] = '\0';
	box_ask(conn, 2, 1, path);
	box_ended(&b, 2, "", "OBSTAT-E08 ");
	close(conn);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_opens),
		cmocka_unit_test(test_opens_at_once),
		cmocka_unit_test(test_open_limits),
	};
	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests_name("gate_open", tests, NULL, NULL);
}
