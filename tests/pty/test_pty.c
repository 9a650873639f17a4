/*
 * test_pty.c - decisions on a real terminal: what the console shows, and what
 * the gate then gets.
 */
#include "tests/pty/rig.h"

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

static void first_frame(void **state)
{
	struct tty *t = tty_open(&rig, 80, 24, NULL);

	(void)state;
	tty_until(&rig, t, "nothing waits");
	tty_assert_taken(&rig, t);
	TYPE(t, "q");
	tty_until_ended(&rig, t);
	assert_int_equal(t->status, 0);
	tty_assert_sane(&rig, t);
}

static void approve(void **state)
{
	struct tty *t = tty_open(&rig, 80, 24, NULL);
	int g = rig_bash(&rig, "make deploy");

	(void)state;
	tty_until(&rig, t, "make deploy");
	tty_open_first(&rig, t);
	assert_true(rig_gate_waits(&rig, g));
	TYPE(t, "a");
	assert_int_equal(rig_gate_wait(&rig, g), 0);
	assert_non_null(strstr(rig.gate[g].reason, "\"allow\""));
	assert_int_equal(rig_approvals(&rig), 1);
	tty_until(&rig, t, "approved");
}

/* Within its 700 ms any letter takes an approval back. */
static void take_back(void **state)
{
	struct tty *t = tty_open(&rig, 80, 24, NULL);
	int g = rig_bash(&rig, "make deploy");

	(void)state;
	tty_until(&rig, t, "make deploy");
	tty_open_first(&rig, t);
	TYPE(t, "a");
	tty_until(&rig, t, "releasing");
	TYPE(t, "x");
	tty_until(&rig, t, "Taken back");
	rig_pass(&rig, 900);
	assert_true(rig_gate_waits(&rig, g));
	assert_int_equal(rig_approvals(&rig), 0);
}

static void deny_with_reason(void **state)
{
	struct tty *t = tty_open(&rig, 80, 24, NULL);
	int g = rig_bash(&rig, "make deploy");

	(void)state;
	tty_until(&rig, t, "make deploy");
	TYPE(t, "j");
	tty_until(&rig, t, "▸");
	TYPE(t, "d");
	tty_until(&rig, t, "Why?");
	TYPE(t, "wait for the freeze to end\r");
	assert_int_equal(rig_gate_wait(&rig, g), 2);
	assert_non_null(strstr(rig.gate[g].reason, "wait for the freeze to end"));
	assert_int_equal(rig_approvals(&rig), 0);
}

static void stop_all(void **state)
{
	struct tty *t = tty_open(&rig, 80, 24, NULL);
	int a = rig_bash(&rig, "make deploy"), b = rig_bash(&rig, "make publish"), c;

	(void)state;
	tty_until(&rig, t, "make deploy");
	tty_until(&rig, t, "make publish");
	TYPE(t, "!");
	tty_until(&rig, t, "HOLD");
	assert_int_equal(rig_gate_wait(&rig, a), 2);
	assert_int_equal(rig_gate_wait(&rig, b), 2);
	c = rig_bash(&rig, "make again");
	tty_until(&rig, t, "make again");
	assert_true(rig_gate_waits(&rig, c));
	TYPE(t, "H");
	tty_until_gone(&rig, t, "HOLD");
	assert_int_equal(rig_approvals(&rig), 0);
}

/* Two consoles see one queue, each other, and each other's decision. */
static void two_consoles(void **state)
{
	struct tty *a = tty_open(&rig, 80, 24, NULL), *b = tty_open(&rig, 100, 30, NULL);
	int g = rig_bash(&rig, "make deploy");

	(void)state;
	tty_until(&rig, a, "make deploy");
	tty_until(&rig, b, "make deploy");
	tty_open_first(&rig, b);
	tty_open_first(&rig, a);
	tty_until(&rig, b, "is looking at this too");
	TYPE(a, "d");
	tty_until(&rig, a, "Why?");
	tty_until(&rig, b, "Denied");
	tty_assert_drawn(&rig, b);
	TYPE(b, "a"); /* too late, and not what is held by the other one */
	TYPE(a, "no\r");
	assert_int_equal(rig_gate_wait(&rig, g), 2);
	tty_until(&rig, b, "It was denied");
	TYPE(b, "\033[2~"); /* Insert does nothing, but ends the message */
	tty_until_gone(&rig, b, "Not approved");
	tty_assert_drawn(&rig, b);
	assert_int_equal(rig_approvals(&rig), 0);
}

/* The hub dies with a view open: nothing can be decided, the console says so,
 * and goes on by itself with the next hub, to which the gate comes back. */
static void hub_killed(void **state)
{
	struct tty *t = tty_open(&rig, 80, 24, NULL);
	int g = rig_bash(&rig, "make deploy");

	(void)state;
	tty_until(&rig, t, "make deploy");
	tty_open_first(&rig, t);
	rig_hub_kill(&rig);
	tty_until(&rig, t, "The hub is gone");
	TYPE(t, "a");
	tty_until(&rig, t, "Not approved");
	rig_hub(&rig);
	rig_until_ls(&rig, "\"pending\"");
	tty_until_gone(&rig, t, "The hub is gone");
	assert_true(rig_gate_waits(&rig, g));
	TYPE(t, "q");
	tty_until(&rig, t, "detach");
	tty_open_first(&rig, t);
	TYPE(t, "a");
	assert_int_equal(rig_gate_wait(&rig, g), 0);
	assert_int_equal(rig_approvals(&rig), 1);
}

/* A file that changes between showing and release: nothing is released, and
 * the new action begins with what differs from what was shown. */
static void superseded(void **state)
{
	static const char input[] = "{\"file_path\":\"%W/f.c\",\"content\":\"new\\n\"}";
	struct tty *t = tty_open(&rig, 80, 24, NULL);
	int g;

	(void)state;
	rig_write(&rig, "f.c", "old one\n", 8);
	g = rig_ask(&rig, "Write", input, sizeof(input) - 1);
	tty_until(&rig, t, "f.c");
	tty_open_first(&rig, t);
	tty_until(&rig, t, "old one");
	rig_write(&rig, "f.c", "old two\n", 8);
	TYPE(t, "a");
	rig_until_ls(&rig, "\"linked\":3"); /* the first action of a new hub */
	assert_true(rig_gate_waits(&rig, g));
	assert_int_equal(rig_approvals(&rig), 0);
	rig_until_ls(&rig, "\"pending\"");
	rig_pass(&rig, 100);
	tty_open_first(&rig, t);
	tty_until(&rig, t, "this replaces #");
	tty_until(&rig, t, "then: -old one");
	tty_until(&rig, t, "now: -old two");
	TYPE(t, "a");
	assert_int_equal(rig_gate_wait(&rig, g), 0);
	assert_int_equal(rig_approvals(&rig), 1);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(first_frame), T(approve), T(take_back), T(deny_with_reason), T(stop_all),
		T(two_consoles), T(hub_killed), T(superseded),
	};

	return cmocka_run_group_tests_name("pty", tests, NULL, NULL);
}
