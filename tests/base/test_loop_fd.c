/* test_loop_fd.c - descriptors: when they are ready, gone, freed or reused. */
#include "tests/check.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/loop.h"

static struct loop *loop;
static char seen[256];   /* what ran, one letter each */

static void see(char c)
{
	size_t n = strlen(seen);

	assert_true(n + 1 < sizeof seen);
	seen[n] = c;
	seen[n + 1] = '\0';
}

static int start(void **state)
{
	(void)state;
	seen[0] = '\0';
	loop = loop_new();
	return 0;
}

static int end(void **state)
{
	(void)state;
	loop_free(&loop);
	return loop == NULL ? 0 : -1;
}

struct end {
	struct loop_fd *f;
	int fd;
	bool free_inside;
	struct end *next;   /* opened in place of a freed one */
	int events;
};

static void end_ready(void *arg, int events)
{
	struct end *x = arg;
	char b[64];

	x->events |= events;
	if (events & LOOP_READ) {
		ssize_t k = read(x->fd, b, sizeof b);

		see(k == 0 ? '0' : k < 0 ? 'e' : b[0]);
	}
	if (events & LOOP_HUP)
		see('H');
	if (events & LOOP_WRITE) {
		see('W');
		loop_fd_want(x->f, LOOP_READ);
	}
	if (x->free_inside) {
		int p[2];

		loop_fd_free(&x->f);
		close(x->fd);
		if (x->next == NULL)
			return;
		/* The kernel gives the same number again at once. */
		assert_int_equal(pipe2(p, O_CLOEXEC), 0);
		assert_int_equal(p[0], x->fd);
		x->next->fd = p[0];
		x->next->f = loop_fd_new(loop, p[0], end_ready, x->next);
		assert_non_null(x->next->f);
		loop_fd_want(x->next->f, LOOP_READ);
		assert_int_equal(write(p[1], "n", 1), 1);
		close(p[1]);
	}
}

static void pair(struct end *x, int *other)
{
	int p[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
		0, p), 0);
	*x = (struct end){ .fd = p[0] };
	*other = p[1];
	x->f = loop_fd_new(loop, x->fd, end_ready, x);
	assert_non_null(x->f);
}

static void test_fd(void **state)
{
	struct end x;
	int other;

	(void)state;
	pair(&x, &other);
	assert_int_equal(write(other, "a", 1), 1);
	loop_turn(loop, false);
	assert_string_equal(seen, ""); /* paused until wanted */
	loop_fd_want(x.f, LOOP_READ);
	loop_turn(loop, true);
	assert_string_equal(seen, "a");
	loop_fd_want(x.f, LOOP_READ | LOOP_WRITE);
	loop_turn(loop, true);
	assert_string_equal(seen, "aW");
	loop_turn(loop, false);
	assert_string_equal(seen, "aW");
	assert_null(loop_fd_new(loop, x.fd, end_ready, NULL));
	assert_int_equal(errno, EEXIST);
	loop_fd_free(&x.f);
	assert_int_equal(write(other, "b", 1), 1);
	loop_turn(loop, false);
	assert_string_equal(seen, "aW");
	close(x.fd);
	close(other);
	x.fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	assert_null(loop_fd_new(loop, x.fd, end_ready, NULL));
	assert_int_equal(errno, EPERM);
	close(x.fd);
}

/* HUP comes while paused, comes once, and does not make the loop spin. */
static void test_fd_hup(void **state)
{
	struct end x;
	int other;

	(void)state;
	pair(&x, &other);
	assert_int_equal(write(other, "z", 1), 1);
	close(other);
	loop_turn(loop, true);
	assert_string_equal(seen, "H");
	for (int i = 0; i < 5; i++)
		loop_turn(loop, false);
	assert_string_equal(seen, "H");
	loop_fd_want(x.f, LOOP_READ); /* what was sent before is still there */
	loop_turn(loop, true);
	assert_string_equal(seen, "Hz");
	loop_turn(loop, true);
	assert_string_equal(seen, "Hz0");
	loop_fd_free(&x.f);
	close(x.fd);
	/* Half closed: the same, and we can still write. */
	seen[0] = '\0';
	pair(&x, &other);
	loop_fd_want(x.f, LOOP_READ);
	shutdown(other, SHUT_WR);
	loop_turn(loop, true);
	assert_string_equal(seen, "0H");
	assert_int_equal(write(x.fd, "q", 1), 1);
	loop_fd_free(&x.f);
	close(x.fd);
	close(other);
}

/* A pipe without a reader: the writer hears of it without writing. */
static void test_fd_pipe(void **state)
{
	struct end x = { 0 };
	int p[2];

	(void)state;
	assert_int_equal(pipe2(p, O_CLOEXEC), 0);
	x.fd = p[1];
	x.f = loop_fd_new(loop, p[1], end_ready, &x);
	loop_turn(loop, false);
	assert_string_equal(seen, "");
	close(p[0]);
	loop_turn(loop, true);
	assert_string_equal(seen, "H");
	for (int i = 0; i < 5; i++)
		loop_turn(loop, false);
	assert_string_equal(seen, "H");
	loop_fd_free(&x.f);
	close(p[1]);
}

static void test_fd_free_inside(void **state)
{
	struct end x, y = { 0 };
	int other;

	(void)state;
	pair(&x, &other);
	x.free_inside = true;
	x.next = &y;
	y.free_inside = true;
	loop_fd_want(x.f, LOOP_READ);
	assert_int_equal(write(other, "x", 1), 1);
	loop_turn(loop, true);
	assert_string_equal(seen, "x");
	assert_null(x.f);
	loop_turn(loop, true);
	assert_true(strncmp(seen, "xn", 2) == 0);
	assert_null(y.f);
	close(other);
}

static void never(void *arg)
{
	(void)arg;
	fail();
}

static void never_signal(void *arg, int signo)
{
	(void)arg;
	(void)signo;
	fail();
}

/* Objects that an owner forgot go with the loop (ASan would see a leak). */
static void test_forgotten(void **state)
{
	struct end x;
	int other;

	(void)state;
	pair(&x, &other);
	loop_wake_new(loop, never, NULL);
	loop_signal_new(loop, SIGUSR2, never_signal, NULL);
	loop_free(&loop);
	close(x.fd);
	close(other);
}

int main(void)
{
#define T(fn) cmocka_unit_test_setup_teardown(fn, start, end)
	const struct CMUnitTest tests[] = {
		T(test_fd),
		T(test_fd_hup),
		T(test_fd_pipe),
		T(test_fd_free_inside),
		T(test_forgotten),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
