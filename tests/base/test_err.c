/* test_err.c - causes, the log and fatal(): escaped, cut, never torn. */
#include "tests/check.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/text.h"
#include "tests/support/clock_test.h"

static char dir[] = "/tmp/obstat-test-err-XXXXXX";

static void test_err_set(void **state)
{
	struct err e = ERR_INIT;

	(void)state;
	assert_int_equal(err_set(NULL, "x", "y %d", 1), -1);
	assert_int_equal(err_set(&e, "some_code", "a %s\x1b[2J", "b\n"), -1);
	assert_string_equal(e.code, "some_code");
	assert_string_equal(e.text, "a b<U+000A><U+001B>[2J");
	errno = ENOENT;
	assert_int_equal(err_sys(&e, "c", "cannot open %s", "f"), -1);
	assert_string_equal(e.text, "cannot open f: No such file or directory");
}

/* Every length around the limit, with text that must not be torn. */
static void test_err_cut(void **state)
{
	static const char *const unit[] = { "x", "\xC3\xA4", "\xE2\x82\xAC", "\x07",
		"\xFF", "a\xE2\x80\xAE" };
	struct err e;
	struct buf b;

	(void)state;
	for (size_t u = 0; u < sizeof unit / sizeof unit[0]; u++) {
		for (size_t n = 20; n < 520; n++) {
			buf_init(&b, 65536);
			for (size_t i = 0; i < n; i++)
				buf_adds(&b, unit[u]);
			err_set(&e, "c", "%.*s", SVFMT(buf_sv(&b)));
			assert_true(strlen(e.text) < sizeof e.text);
			assert_true(utf8_valid(sv_of(e.text)));
			if (strstr(e.text, "(cut, ") != NULL) {
				char *mark = strstr(e.text, "\xE2\x80\xA6");
				char *open = NULL, *at;

				/* no half notation before the mark */
				assert_non_null(mark);
				*mark = '\0';
				for (at = e.text; *at != '\0'; at++)
					open = *at == '<' ? at : *at == '>' ? NULL : open;
				assert_null(open);
				assert_true(strlen(e.text) > 400);
			}
			buf_free(&b);
		}
	}
	/* Longer than what is looked at, cut inside a character. */
	buf_init(&b, 65536);
	for (size_t i = 0; i < 4000; i++)
		buf_adds(&b, "\xE2\x82\xAC");
	err_set(&e, "c", "%.*s", SVFMT(buf_sv(&b)));
	assert_non_null(strstr(e.text, "(cut, 12000 bytes)"));
	assert_null(strstr(e.text, "<0x"));
	buf_free(&b);
}

static size_t read_file(const char *path, char *out, size_t n)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t k;

	assert_true(fd >= 0);
	k = read(fd, out, n - 1);
	assert_true(k >= 0);
	close(fd);
	out[k] = '\0';
	return (size_t)k;
}

static void test_log(void **state)
{
	char path[128], text[16384], *big;
	struct stat st;
	struct err e;
	size_t n;

	(void)state;
	clock_test_reset();
	snprintf(path, sizeof path, "%s/log", dir);
	assert_int_equal(log_open(path, &e), 0);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	log_info("one %s", "a\rb");
	log_warn("two");
	log_close();
	assert_int_equal(log_open(path, &e), 0); /* appends */
	big = xmalloc(9001);
	memset(big, 'x', 9000);
	big[9000] = '\0';
	errno = EAGAIN;
	log_info("%s", big);
	assert_int_equal(errno, EAGAIN);
	log_info("after");
	log_close();
	free(big);
	n = read_file(path, text, sizeof text);
	assert_int_equal(strncmp(text, "2026-01-02T03:04:05.000Z info one a<U+000D>b\n"
		"2026-01-02T03:04:05.000Z warn two\n", 79), 0);
	assert_non_null(strstr(text, "x\xE2\x80\xA6 (cut, 9000 bytes)\n"));
	assert_true(n < 79 + 4096 + 60);
	assert_true(n > 79 + 4000);
	assert_non_null(strstr(text, "Z info after\n"));
}

static void test_log_open_refuses(void **state)
{
	char path[128], to[128];
	struct err e;

	(void)state;
	snprintf(to, sizeof to, "%s/log", dir);
	snprintf(path, sizeof path, "%s/link", dir);
	assert_int_equal(symlink(to, path), 0);
	assert_int_equal(log_open(path, &e), -1);
	assert_string_equal(e.code, "log_open");
	snprintf(path, sizeof path, "%s/fifo", dir);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(log_open(path, &e), -1); /* and does not hang */
	assert_int_equal(log_open(dir, &e), -1);
}

static void hook_says(void)
{
	ssize_t k = write(STDERR_FILENO, "[tty]", 5);

	(void)k;
}

_Noreturn static void hook_fails(void)
{
	fatal("again");
}

/* Runs fatal() in a child; what it wrote to stderr comes back in out. */
static void fatal_in_child(void (*hook)(void), char *out, size_t n)
{
	int p[2], status;
	size_t got = 0;
	ssize_t k;
	pid_t pid;

	assert_int_equal(pipe(p), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		dup2(p[1], STDERR_FILENO);
		signal(SIGABRT, SIG_DFL);
		fatal_hook(hook);
		fatal("bad \x1b[31m %d", 3);
	}
	close(p[1]);
	while ((k = read(p[0], out + got, n - 1 - got)) > 0)
		got += (size_t)k;
	out[got] = '\0';
	close(p[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGABRT);
}

static void test_fatal(void **state)
{
	char out[512];

	(void)state;
	fatal_in_child(NULL, out, sizeof out);
	assert_string_equal(out, "obstat: fatal: bad <U+001B>[31m 3\n");
	fatal_in_child(hook_says, out, sizeof out);
	assert_string_equal(out, "[tty]obstat: fatal: bad <U+001B>[31m 3\n");
	fatal_in_child(hook_fails, out, sizeof out);
	assert_string_equal(out, "obstat: fatal: and no memory left to say why\n");
}

static int make_dir(void **state)
{
	(void)state;
	return mkdtemp(dir) != NULL ? 0 : -1;
}

static int drop_dir(void **state)
{
	static const char *const name[] = { "log", "link", "fifo" };
	char path[128];

	(void)state;
	for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
		snprintf(path, sizeof path, "%s/%s", dir, name[i]);
		unlink(path);
	}
	return rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_err_set),
		cmocka_unit_test(test_err_cut),
		cmocka_unit_test(test_log),
		cmocka_unit_test(test_log_open_refuses),
		cmocka_unit_test(test_fatal),
	};

	return cmocka_run_group_tests(tests, make_dir, drop_dir);
}
