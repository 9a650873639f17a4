/*
 * test_pty_term.c - the terminal itself: sizes, stopping and going on, every
 * way out, no colours, no terminal to speak of, and one that does not read.
 */
#include "tests/pty/rig.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static struct rig rig;

static int setup(void **state)
{
	(void)state;
	rig_start(&rig);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	rig_end(&rig);
	return 0;
}

/* A script of n lines "line-K"; together they are longer than any screen. */
static int ask_lines(unsigned n)
{
	char input[8192];
	size_t at = (size_t)snprintf(input, sizeof(input), "{\"command\":\"");

	for (unsigned i = 1; i <= n; i++)
		at += (size_t)snprintf(input + at, sizeof(input) - at, "echo line-%u%s", i,
			i < n ? "\\n" : "\"}");
	return rig_ask(&rig, "Bash", input, at);
}

/* One page, and no other before this one stands. */
static void page(struct tty *t)
{
	uint64_t end = rig_now() + 1000; /* at the end nothing moves any more */
	size_t drawn = t->n_raw;

	TYPE(t, " ");
	while (t->n_raw == drawn && rig_now() < end)
		rig_pump(&rig, 20);
	rig_pass(&rig, 20);
}

/* A page at a time, each of n lines stands on the screen at some time. */
static void reach_all(struct tty *t, unsigned n)
{
	TYPE(t, "g");
	tty_until(&rig, t, "line-1 ");
	for (unsigned i = 1; i <= n; i++) {
		char want[32];
		int pages = 0;

		snprintf(want, sizeof(want), "line-%u ", i);
		while (!tty_has(t, want)) {
			if (pages++ > 40) {
				fputs(tty_text(t), stderr);
				fail_msg("never reached by paging: %s", want);
			}
			page(t);
		}
	}
}

static void sizes(void **state)
{
	static const struct { int w, h; } all[] = { { 80, 24 }, { 40, 14 }, { 20, 6 },
		{ 200, 50 } };
	struct tty *t = tty_open(&rig, 80, 24, NULL);
	int g = ask_lines(60);

	(void)state;
	tty_until(&rig, t, "line-1");
	TYPE(t, "g\r");
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		tty_size(t, all[i].w, all[i].h);
		rig_pass(&rig, 100);
		reach_all(t, 60);
		tty_assert_drawn(&rig, t);
	}
	tty_size(t, 10, 3);
	tty_until(&rig, t, "too small"); /* one line, and no approving */
	rig_pass(&rig, 500);
	TYPE(t, "a");
	rig_pass(&rig, 900);
	assert_true(rig_gate_waits(&rig, g));
	tty_size(t, 200, 50);
	tty_until(&rig, t, "── all ");
	rig_pass(&rig, 450);
	TYPE(t, "a");
	assert_int_equal(rig_gate_wait(&rig, g), 0);
}

/* A change of size is a change of what is shown: 400 ms from then. */
static void size_disarms(void **state)
{
	struct tty *t = tty_open(&rig, 80, 24, NULL);
	int g = rig_bash(&rig, "make deploy");
	size_t drawn;

	(void)state;
	tty_until(&rig, t, "make deploy");
	tty_open_first(&rig, t);
	drawn = t->n_raw;
	tty_size(t, 81, 24);
	while (t->n_raw == drawn)
		rig_pump(&rig, 20);
	TYPE(t, "a");
	tty_until(&rig, t, "Not approved");
	rig_pass(&rig, 900);
	assert_true(rig_gate_waits(&rig, g));
}

static void suspend(struct tty *t, bool by_key)
{
	if (by_key)
		TYPE(t, "\032");
	else
		tty_signal(t, SIGTSTP);
	/* A stop that meets the end of the one before may be lost with it, as
	 * SIGCONT takes pending stops away (signal(7)): then ask again, as a
	 * person would. */
	if (!by_key && !tty_stopped_within(&rig, t, 3000))
		tty_signal(t, SIGTSTP);
	tty_until_stopped(&rig, t);
	tty_assert_sane(&rig, t);
	tty_continue(t);
	tty_until(&rig, t, "make deploy");
	tty_assert_taken(&rig, t);
}

static void stop_and_go_on(void **state)
{
	struct tty *t = tty_open(&rig, 80, 24, NULL);
	int g = rig_bash(&rig, "make deploy");

	(void)state;
	tty_until(&rig, t, "make deploy");
	tty_open_first(&rig, t);
	suspend(t, true);
	suspend(t, false);
	tty_assert_drawn(&rig, t);
	rig_pass(&rig, 450);
	TYPE(t, "a");
	assert_int_equal(rig_gate_wait(&rig, g), 0);
	TYPE(t, "q");
	tty_until_ended(&rig, t);
	tty_assert_sane(&rig, t);
}

/* Stopped with an action open and "a" typed at the shell: not ours. */
static void stopped_types_nothing(void **state)
{
	struct tty *t = tty_open(&rig, 80, 24, NULL);
	int g = rig_bash(&rig, "make deploy");

	(void)state;
	tty_until(&rig, t, "make deploy");
	tty_open_first(&rig, t);
	TYPE(t, "\032");
	tty_until_stopped(&rig, t);
	TYPE(t, "a\n");
	tty_continue(t);
	tty_until(&rig, t, "make deploy");
	rig_pass(&rig, 1200);
	assert_true(rig_gate_waits(&rig, g));
	assert_int_equal(rig_approvals(&rig), 0);
}

static void dies_of(int signo, bool by_itself)
{
	struct tty *t = tty_open(&rig, 80, 24, NULL);
	int g = rig_bash(&rig, "make deploy");

	tty_until(&rig, t, "make deploy");
	tty_open_first(&rig, t);
	tty_signal(t, signo);
	tty_until_ended(&rig, t);
	tty_assert_sane(&rig, t);
	if (by_itself)
		assert_int_equal(t->status, 0);
	else /* a sanitizer reports, and exits with a status of its own */
		assert_true(WIFSIGNALED(t->status) ? WTERMSIG(t->status) == signo
			: WEXITSTATUS(t->status) != 0);
	assert_true(rig_gate_waits(&rig, g)); /* what waits goes on waiting */
}

static void sigterm(void **state)
{
	(void)state;
	dies_of(SIGTERM, true);
}

static void sighup(void **state)
{
	(void)state;
	dies_of(SIGHUP, true);
}

static void sigsegv(void **state)
{
	(void)state;
	dies_of(SIGSEGV, false);
}

static void sigabrt(void **state)
{
	(void)state;
	dies_of(SIGABRT, false);
}

static void hangup(void **state)
{
	struct tty *t = tty_open(&rig, 80, 24, NULL);
	int g = rig_bash(&rig, "make deploy");

	(void)state;
	tty_until(&rig, t, "make deploy");
	close(t->fd);
	t->fd = -1;
	tty_until_ended(&rig, t);
	assert_true(rig_gate_waits(&rig, g));
}

/* An SGR with a colour in it: 30-49 or 90-107. */
static bool has_colour(const struct tty *t)
{
	for (size_t i = 0; i + 2 < t->n_raw; i++) {
		size_t k = i + 2, n = 0;

		if (t->raw[i] != '\033' || t->raw[i + 1] != '[')
			continue;
		for (; k < t->n_raw; k++) {
			if (t->raw[k] >= '0' && t->raw[k] <= '9') {
				n = n * 10 + (size_t)(t->raw[k] - '0');
				continue;
			}
			if (t->raw[k] != ';' && t->raw[k] != 'm')
				break;
			if (n == 39 || n == 49)
				n = 0; /* back to the default */
			if ((n >= 30 && n < 50) || (n >= 90 && n < 108))
				return true;
			n = 0;
			if (t->raw[k] == 'm')
				break;
		}
	}
	return false;
}

static void colours(void **state)
{
	static const char *const no[] = { "NO_COLOR=1", NULL };
	struct tty *a = tty_open(&rig, 80, 24, NULL), *b = tty_open(&rig, 80, 24, no);

	(void)state;
	rig_bash(&rig, "make deploy");
	tty_until(&rig, a, "make deploy");
	tty_until(&rig, b, "make deploy");
	tty_open_first(&rig, a);
	tty_open_first(&rig, b);
	assert_true(has_colour(a));
	assert_false(has_colour(b));
}

static void dumb(void **state)
{
	static const char *const env[] = { "TERM=dumb", NULL };
	struct tty *t = tty_open(&rig, 80, 24, env);

	(void)state;
	tty_until_ended(&rig, t);
	assert_true(WIFEXITED(t->status) && WEXITSTATUS(t->status) != 0);
	tty_assert_sane(&rig, t);
	assert_true(tty_has(t, "TERM names a terminal"));
	assert_non_null(memmem(t->raw, t->n_raw, "obstat ls", 9));
	assert_null(memchr(t->raw, '\033', t->n_raw));
}

/* Nobody reads what the console writes: it still answers keys, and the hub. */
static void slow_reader(void **state)
{
	struct tty *t = tty_open(&rig, 200, 50, NULL);
	int g = ask_lines(200);

	(void)state;
	tty_until(&rig, t, "line-1");
	TYPE(t, "g");
	tty_until(&rig, t, "▸");
	TYPE(t, "\r");
	tty_until(&rig, t, "Esc back");
	t->paused = true;
	for (int i = 0; i < 40; i++) { /* more than the kernel keeps for us */
		TYPE(t, " ");
		rig_pass(&rig, 5);
		TYPE(t, "g");
		rig_pass(&rig, 5);
	}
	TYPE(t, "d");
	rig_until_ls(&rig, "\"state\":\"releasing\"");
	TYPE(t, "\r");
	assert_int_equal(rig_gate_wait(&rig, g), 2);
	t->paused = false;
	tty_until(&rig, t, "denied: on record");
	TYPE(t, "\033[2~"); /* Insert: puts our closed row and the message away */
	tty_until(&rig, t, "Nothing waits.");
	tty_assert_drawn(&rig, t);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(sizes), T(size_disarms), T(stop_and_go_on), T(stopped_types_nothing),
		T(sigterm), T(sighup), T(sigsegv), T(sigabrt), T(hangup), T(colours), T(dumb),
		T(slow_reader),
	};

	return cmocka_run_group_tests_name("pty_term", tests, NULL, NULL);
}
