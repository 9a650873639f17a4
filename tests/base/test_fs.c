/* test_fs.c - files of our own, and the test points themselves. */
#include "tests/check.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fs.h"
#include "tests/support/testpoint_on.h"

static char dir[] = "/tmp/obstat-test-fs-XXXXXX";

static const char *path_of(const char *name)
{
	static char path[4][256];
	static size_t at;

	at = (at + 1) % 4;
	snprintf(path[at], sizeof path[at], "%s/%s", dir, name);
	return path[at];
}

static void put(const char *name, const char *text, mode_t mode)
{
	int fd = open(path_of(name), O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	assert_int_equal(fchmod(fd, mode), 0);
	close(fd);
}

static mode_t mode_of(const char *path)
{
	struct stat st;

	assert_int_equal(lstat(path, &st), 0);
	return st.st_mode & 07777;
}

static void test_mkdirs(void **state)
{
	struct err e;
	mode_t old = umask(077);

	(void)state;
	assert_int_equal(fs_mkdirs(path_of("d/e//f/"), 0751, &e), 0);
	umask(old);
	assert_int_equal(mode_of(path_of("d")), 0751);
	assert_int_equal(mode_of(path_of("d/e/f")), 0751);
	assert_int_equal(fs_mkdirs(path_of("d/e/f"), 0700, &e), 0);
	assert_int_equal(mode_of(path_of("d/e/f")), 0751); /* not ours: untouched */
	put("plain", "x", 0600);
	assert_int_equal(fs_mkdirs(path_of("plain/x"), 0700, &e), -1);
	assert_string_equal(e.code, "fs_mkdir");
	assert_int_equal(fs_mkdirs("", 0700, &e), -1);
	assert_int_equal(fs_mkdirs("/", 0700, &e), 0);
	rmdir(path_of("d/e/f"));
	rmdir(path_of("d/e"));
	rmdir(path_of("d"));
	unlink(path_of("plain"));
}

static void refuse(const char *path, size_t max, const char *code)
{
	struct buf b;
	struct err e = ERR_INIT;

	buf_init(&b, 4096);
	buf_adds(&b, "old");
	assert_int_equal(fs_read_owned(path, max, &b, &e), -1);
	assert_string_equal(e.code, code);
	assert_true(sv_eqs(buf_sv(&b), "old"));
	buf_free(&b);
}

static void test_read_owned(void **state)
{
	struct buf b;
	struct err e;

	(void)state;
	put("f", "hello", 0644);
	buf_init(&b, 100);
	buf_adds(&b, ">");
	assert_int_equal(fs_read_owned(path_of("f"), 5, &b, &e), 0);
	assert_true(sv_eqs(buf_sv(&b), ">hello"));
	buf_free(&b);
	refuse(path_of("f"), 4, "fs_size");
	errno = 0;
	refuse(path_of("none"), 4, "fs_open");
	assert_int_equal(errno, ENOENT);
	refuse(dir, 4096, "fs_type");
	assert_int_equal(symlink("f", path_of("l")), 0);
	refuse(path_of("l"), 100, "fs_type");
	assert_int_equal(mkfifo(path_of("p"), 0600), 0);
	refuse(path_of("p"), 100, "fs_type");
	refuse("/dev/null", 100, "fs_type");
	put("f", "hello", 0664);
	refuse(path_of("f"), 100, "fs_mode");
	put("f", "hello", 0602);
	refuse(path_of("f"), 100, "fs_mode");
	put("f", "hello", 0600);
	if (geteuid() == 0 && chown(path_of("f"), 12345, 12345) == 0)
		refuse(path_of("f"), 100, "fs_owner");
	/* Grows without a size of its own: the limit counts what is read. */
	refuse("/proc/self/status", 100, "fs_size");
	unlink(path_of("f"));
	unlink(path_of("l"));
	unlink(path_of("p"));
}

static int entries(void)
{
	DIR *d = opendir(dir);
	int n = 0;

	assert_non_null(d);
	while (readdir(d) != NULL)
		n++;
	closedir(d);
	return n - 2;
}

static void test_write_atomic(void **state)
{
	struct buf b;
	struct err e;
	mode_t old = umask(0);

	(void)state;
	buf_init(&b, 100);
	assert_int_equal(fs_write_atomic(path_of("w"), SV("one\0x"), 0640, &e), 0);
	assert_int_equal(mode_of(path_of("w")), 0640);
	assert_int_equal(fs_write_atomic(path_of("w"), SV("two"), 0600, &e), 0);
	umask(old);
	assert_int_equal(fs_read_owned(path_of("w"), 100, &b, &e), 0);
	assert_true(sv_eqs(buf_sv(&b), "two"));
	assert_int_equal(entries(), 1);
	/* A link is replaced; what it points to is left alone. */
	assert_int_equal(symlink("w", path_of("l")), 0);
	assert_int_equal(fs_write_atomic(path_of("l"), SV("three"), 0600, &e), 0);
	buf_clear(&b);
	assert_int_equal(fs_read_owned(path_of("w"), 100, &b, &e), 0);
	assert_true(sv_eqs(buf_sv(&b), "two"));
	assert_int_equal(unlink(path_of("l")), 0);
	/* Failures leave nothing behind. */
	assert_int_equal(mkdir(path_of("sub"), 0700), 0);
	assert_int_equal(fs_write_atomic(path_of("sub"), SV("x"), 0600, &e), -1);
	assert_string_equal(e.code, "fs_write");
	assert_int_equal(fs_write_atomic(path_of("none/x"), SV("x"), 0600, &e), -1);
	assert_int_equal(entries(), 2);
	rmdir(path_of("sub"));
	unlink(path_of("w"));
	buf_free(&b);
}

static void test_lock(void **state)
{
	struct err e;
	int a, b;

	(void)state;
	a = fs_lock(dir, &e);
	assert_true(a >= 0);
	assert_true(fcntl(a, F_GETFD) & FD_CLOEXEC);
	assert_int_equal(fs_lock(dir, &e), -1);
	assert_string_equal(e.code, "fs_locked");
	close(a);
	b = fs_lock(dir, &e);
	assert_true(b >= 0);
	close(b);
	assert_int_equal(fs_lock(path_of("none"), &e), -1);
	assert_string_equal(e.code, "fs_open");
}

static void test_points(void **state)
{
	static const char *const bad[] = { "", "stop", "stop:", "stop:a:1", "fail:a",
		"fail:a:0", "fail:a:x", "fail:a:5:0", "kill:a:0", "jump:a", "fail:a:1:2:3",
		"fail:a:5,kill:" };

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_int_equal(testpoint_set(bad[i]), -1);
	assert_int_equal(test_point("a"), 0);
	assert_int_equal(testpoint_set("fail:commit:28:2,fail:open:5"), 0);
	assert_int_equal(test_point("commit"), 28);
	assert_int_equal(test_point("commit"), 28);
	assert_int_equal(test_point("commit"), 0);
	assert_int_equal(testpoint_passed("commit"), 3);
	for (int i = 0; i < 5; i++)
		assert_int_equal(test_point("open"), 5);
	assert_int_equal(test_point("ope"), 0);
	assert_int_equal(testpoint_set(NULL), 0);
	assert_int_equal(test_point("open"), 0);
}

static void test_point_signals(void **state)
{
	int status;
	pid_t pid = fork();

	(void)state;
	if (pid == 0) {
		testpoint_set("stop:here,kill:there:2");
		test_point("here");
		test_point("there");
		if (testpoint_passed("there") == 1)
			test_point("there");
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
	assert_true(WIFSTOPPED(status));
	assert_int_equal(kill(pid, SIGCONT), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGKILL);
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
		cmocka_unit_test(test_mkdirs),
		cmocka_unit_test(test_read_owned),
		cmocka_unit_test(test_write_atomic),
		cmocka_unit_test(test_lock),
		cmocka_unit_test(test_points),
		cmocka_unit_test(test_point_signals),
	};

	return cmocka_run_group_tests(tests, make_dir, drop_dir);
}
