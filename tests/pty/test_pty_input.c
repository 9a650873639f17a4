/*
 * test_pty_input.c - what comes from a keyboard, a mouse or a paste by
 * accident approves nothing: console.md, Input 1, 2 and 4, on a real terminal.
 * In each test the action stands open, all of it seen, ready for an "a".
 */
#include "tests/pty/rig.h"

static struct rig rig;
static struct tty *t;
static int g;

static int setup(void **state)
{
	(void)state;
	rig_start(&rig);
	t = tty_open(&rig, 80, 24, NULL);
	g = rig_bash(&rig, "make deploy");
	tty_until(&rig, t, "make deploy");
	tty_open_first(&rig, t);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	rig_end(&rig);
	return 0;
}

/* Longer than an approval can be taken back (700 ms). */
static void assert_not_approved(void)
{
	rig_pass(&rig, 1000);
	assert_true(rig_gate_waits(&rig, g));
	rig_until_ls(&rig, "\"state\":\"pending\"");
	assert_int_equal(rig_approvals(&rig), 0);
}

/* The proof that the tests below could fail. */
static void one_a_approves(void **state)
{
	(void)state;
	TYPE(t, "a");
	assert_int_equal(rig_gate_wait(&rig, g), 0);
}

static void typed_word(void **state)
{
	static const char word[] = "make all again";

	(void)state;
	for (size_t i = 0; i < sizeof(word) - 1; i++) {
		tty_type(t, word + i, 1);
		rig_pass(&rig, 60);
	}
	assert_not_approved();
}

static void word_that_begins_with_a(void **state)
{
	(void)state;
	TYPE(t, "a");
	rig_pass(&rig, 120);
	TYPE(t, "l");
	rig_pass(&rig, 120);
	TYPE(t, "l");
	assert_not_approved();
}

static void command_line(void **state)
{
	(void)state;
	TYPE(t, "cat a\r");
	assert_not_approved();
}

static void command_line_typed(void **state)
{
	static const char line[] = "cat a\r";

	(void)state;
	for (size_t i = 0; i < sizeof(line) - 1; i++) {
		tty_type(t, line + i, 1);
		rig_pass(&rig, 80);
	}
	assert_not_approved();
}

static void paste(void **state)
{
	(void)state;
	TYPE(t, "\033[200~a\033[201~");
	assert_not_approved();
}

static void paste_cut(void **state)
{
	(void)state;
	TYPE(t, "\033[200~");
	rig_pass(&rig, 450);
	TYPE(t, "a");
	rig_pass(&rig, 450);
	TYPE(t, "\033[201~");
	assert_not_approved();
}

/* A terminal without bracketed paste: one read, many keys. */
static void paste_bare(void **state)
{
	(void)state;
	TYPE(t, "a\n");
	assert_not_approved();
}

static void split_arrow(void **state)
{
	(void)state;
	TYPE(t, "\033");
	rig_pass(&rig, 100);
	TYPE(t, "[A");
	rig_pass(&rig, 500);
	TYPE(t, "\033[");
	rig_pass(&rig, 100);
	TYPE(t, "a"); /* the end of an unknown sequence */
	assert_not_approved();
}

static void alt_a(void **state)
{
	(void)state;
	TYPE(t, "\033a");
	assert_not_approved();
}

static void mouse(void **state)
{
	(void)state;
	TYPE(t, "\033[Maaa");
	TYPE(t, "\033[<0;97;97M\033[<0;97;97m");
	rig_pass(&rig, 450);
	TYPE(t, "\033[M");
	rig_pass(&rig, 50);
	TYPE(t, "a");
	rig_pass(&rig, 50);
	TYPE(t, "a");
	rig_pass(&rig, 50);
	TYPE(t, "a");
	assert_not_approved();
}

/* What is typed before a view opens was not meant for it. */
static void typed_ahead(void **state)
{
	(void)state;
	TYPE(t, "q");
	tty_until(&rig, t, "detach");
	rig_pass(&rig, 450);
	TYPE(t, "\ra");
	tty_until(&rig, t, "Esc back");
	assert_not_approved();
}

static void too_early(void **state)
{
	(void)state;
	TYPE(t, "q");
	tty_until(&rig, t, "detach");
	rig_pass(&rig, 450);
	TYPE(t, "\r");
	tty_until(&rig, t, "Esc back");
	TYPE(t, "a");
	tty_until(&rig, t, "Not approved");
	assert_not_approved();
}

/* A deny is at once, and the same bytes in a paste are not. */
static void paste_denies_not(void **state)
{
	(void)state;
	TYPE(t, "\033[200~d!D\033[201~");
	rig_pass(&rig, 300);
	rig_until_ls(&rig, "\"state\":\"pending\"");
	TYPE(t, "d");
	rig_until_ls(&rig, "\"state\":\"releasing\"");
	TYPE(t, "\r");
	assert_int_equal(rig_gate_wait(&rig, g), 2);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(one_a_approves), T(typed_word), T(word_that_begins_with_a), T(command_line),
		T(command_line_typed), T(paste), T(paste_cut), T(paste_bare), T(split_arrow),
		T(alt_a), T(mouse), T(typed_ahead), T(too_early), T(paste_denies_not),
	};

	return cmocka_run_group_tests_name("pty_input", tests, NULL, NULL);
}
