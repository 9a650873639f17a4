/* test_loop.c - the loop on a clock that only the test moves. */
#include "tests/check.h"

#include <pthread.h>
#include <signal.h>

#include "base/loop.h"
#include "tests/support/clock_test.h"

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
	clock_test_reset();
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

/* ---- timers ---- */

struct tick {
	char name;
	struct loop_timer *t;
	int again;             /* arm again this often, with 0 ms */
	struct loop_timer **kill;
	bool kill_self;
};

static void tick(void *arg)
{
	struct tick *k = arg;

	see(k->name);
	if (k->again-- > 0)
		loop_timer_arm(k->t, 0);
	if (k->kill != NULL)
		loop_timer_free(k->kill);
	if (k->kill_self)
		loop_timer_free(&k->t);
}

static void test_timer_order(void **state)
{
	struct tick a = { .name = 'a' }, b = { .name = 'b' }, c = { .name = 'c' };

	(void)state;
	a.t = loop_timer_new(loop, tick, &a);
	b.t = loop_timer_new(loop, tick, &b);
	c.t = loop_timer_new(loop, tick, &c);
	loop_timer_arm(c.t, 20);
	loop_timer_arm(b.t, 10);
	loop_timer_arm(a.t, 10); /* equal: in the order they were armed */
	loop_clock_moved(loop);
	loop_turn(loop, false);
	assert_string_equal(seen, "");
	clock_test_advance(9);
	loop_clock_moved(loop);
	assert_string_equal(seen, "");
	clock_test_advance(1);
	loop_clock_moved(loop);
	assert_string_equal(seen, "ba");
	loop_timer_arm(c.t, 5); /* armed anew: the old time is forgotten */
	clock_test_advance(5);
	loop_clock_moved(loop);
	loop_clock_moved(loop);
	assert_string_equal(seen, "bac");
	loop_timer_arm(a.t, 1);
	loop_timer_stop(a.t);
	loop_timer_stop(a.t);
	loop_timer_arm(b.t, UINT64_MAX);
	clock_test_advance(1000000);
	loop_clock_moved(loop);
	assert_string_equal(seen, "bac");
	loop_timer_free(&a.t);
	loop_timer_free(&b.t);
	loop_timer_free(&c.t);
	loop_timer_free(&c.t);
}

/* Due now runs in the loop itself, and one that re-arms itself for now does
 * not keep the others from their turn. */
static void test_timer_now(void **state)
{
	struct tick a = { .name = 'a', .again = 3 }, b = { .name = 'b' };

	(void)state;
	a.t = loop_timer_new(loop, tick, &a);
	b.t = loop_timer_new(loop, tick, &b);
	loop_timer_arm(a.t, 0);
	loop_timer_arm(b.t, 0);
	loop_clock_moved(loop);
	assert_string_equal(seen, "ab");
	loop_turn(loop, true);
	assert_string_equal(seen, "aba");
	loop_turn(loop, true);
	loop_turn(loop, true);
	assert_string_equal(seen, "abaaa");
	loop_turn(loop, false);
	assert_string_equal(seen, "abaaa");
	loop_timer_free(&a.t);
	loop_timer_free(&b.t);
}

static void test_timer_free_inside(void **state)
{
	struct tick a = { .name = 'a', .kill_self = true }, b = { .name = 'b' };
	struct tick c = { .name = 'c' };

	(void)state;
	a.t = loop_timer_new(loop, tick, &a);
	b.t = loop_timer_new(loop, tick, &b);
	c.t = loop_timer_new(loop, tick, &c);
	a.kill = &b.t; /* due in the same turn, and must not run any more */
	loop_timer_arm(a.t, 1);
	loop_timer_arm(b.t, 1);
	loop_timer_arm(c.t, 1);
	clock_test_advance(1);
	loop_clock_moved(loop);
	assert_string_equal(seen, "ac");
	assert_null(a.t);
	assert_null(b.t);
	loop_timer_free(&c.t);
}

static uint64_t last_due;
static unsigned fired;

static void due_in_order(void *arg)
{
	const uint64_t *due = arg;

	assert_true(*due >= last_due);
	assert_true(*due <= clock_boot_ms());
	last_due = *due;
	fired++;
}

/* The heap against the clock, with stops and re-arms in between. */
static void test_timer_heap(void **state)
{
	enum { N = 500 };
	static struct loop_timer *t[N];
	static uint64_t due[N];
	uint32_t x = 12345;
	unsigned armed = 0;

	(void)state;
	fired = 0;
	last_due = 0;
	for (int i = 0; i < N; i++)
		t[i] = loop_timer_new(loop, due_in_order, &due[i]);
	for (int i = 0; i < 4 * N; i++) {
		uint64_t ms;

		x = x * 1664525 + 1013904223;
		ms = (x >> 8) % 1000 + 1;
		due[(x >> 4) % N] = clock_boot_ms() + ms;
		loop_timer_arm(t[(x >> 4) % N], ms);
		x = x * 1664525 + 1013904223;
		due[(x >> 4) % N] = 0;
		loop_timer_stop(t[(x >> 4) % N]);
	}
	for (int i = 0; i < N; i++)
		armed += due[i] != 0;
	assert_true(armed > 50);
	for (int i = 0; i < 1001; i++) {
		clock_test_advance(1);
		loop_clock_moved(loop);
	}
	assert_int_equal(fired, armed);
	for (int i = 0; i < N; i++)
		loop_timer_free(&t[i]);
}

/* ---- turns ---- */

static void turn(void *arg)
{
	(void)arg;
	see('.');
}

static void turn_wake(void *arg)
{
	(void)arg;
	see('w');
}

static void test_on_turn(void **state)
{
	struct tick a = { .name = 'a' }, b = { .name = 'b' };
	struct loop_wake *w = loop_wake_new(loop, turn_wake, NULL);

	(void)state;
	loop_on_turn(loop, turn, NULL);
	a.t = loop_timer_new(loop, tick, &a);
	b.t = loop_timer_new(loop, tick, &b);
	loop_turn(loop, false);
	assert_string_equal(seen, ""); /* nothing ran: no turn */
	loop_timer_arm(a.t, 1);
	loop_timer_arm(b.t, 1);
	clock_test_advance(1);
	loop_turn(loop, true); /* due by itself, without loop_clock_moved() */
	assert_string_equal(seen, "ab.");
	loop_turn(loop, false);
	assert_string_equal(seen, "ab.");
	loop_timer_arm(a.t, 0);
	loop_clock_moved(loop); /* outside the loop: its turn ends inside */
	assert_string_equal(seen, "ab.a");
	loop_wake_send(w);
	loop_turn(loop, false); /* before it may sleep, not after it woke */
	assert_string_equal(seen, "ab.a.w.");
	loop_timer_free(&a.t);
	loop_timer_free(&b.t);
	loop_wake_free(&w);
}

/* ---- signals, other threads, the pool ---- */

static void got_signal(void *arg, int signo)
{
	struct loop_signal **s = arg;

	assert_int_equal(signo, SIGUSR1);
	see('s');
	loop_signal_free(s);
}

static void test_signal(void **state)
{
	struct loop_signal *s, *keep;

	(void)state;
	s = loop_signal_new(loop, SIGUSR1, got_signal, &s);
	keep = loop_signal_new(loop, SIGUSR2, got_signal, NULL);
	raise(SIGUSR1);
	loop_turn(loop, true);
	assert_string_equal(seen, "s");
	assert_null(s);
	loop_signal_free(&keep);
}

static void woken(void *arg)
{
	struct loop_wake **w = arg;

	see('w');
	loop_wake_free(w);
	loop_stop(loop);
}

static void *other_thread(void *arg)
{
	loop_wake_send(arg);
	return NULL;
}

static void test_wake(void **state)
{
	struct loop_wake *w;
	pthread_t t;

	(void)state;
	w = loop_wake_new(loop, woken, &w);
	assert_int_equal(pthread_create(&t, NULL, other_thread, w), 0);
	loop_run(loop);
	pthread_join(t, NULL);
	assert_string_equal(seen, "w");
	assert_null(w);
}

struct job {
	pthread_t where;
	bool stop;
};

static void job_work(void *arg)
{
	struct job *j = arg;

	j->where = pthread_self();
}

static void job_done(void *arg)
{
	struct job *j = arg;

	assert_false(pthread_equal(j->where, pthread_self()));
	see('d');
	if (j->stop)
		loop_stop(loop);
}

static void test_work(void **state)
{
	struct job j = { .stop = true };

	(void)state;
	loop_on_turn(loop, turn, NULL);
	loop_work(loop, job_work, job_done, &j);
	loop_run(loop);
	assert_string_equal(seen, "d.");
}

/* done frees what work used: it comes also when the loop ends before. */
static void test_work_at_end(void **state)
{
	struct job j[8] = { { .stop = false } };

	(void)state;
	for (int i = 0; i < 8; i++)
		loop_work(loop, job_work, job_done, &j[i]);
	loop_free(&loop);
	assert_string_equal(seen, "dddddddd");
}

int main(void)
{
#define T(fn) cmocka_unit_test_setup_teardown(fn, start, end)
	const struct CMUnitTest tests[] = {
		T(test_timer_order),
		T(test_timer_now),
		T(test_timer_free_inside),
		T(test_timer_heap),
		T(test_on_turn),
		T(test_signal),
		T(test_wake),
		T(test_work),
		T(test_work_at_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
