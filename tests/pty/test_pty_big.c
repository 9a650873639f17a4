/*
 * test_pty_big.c - a difference of 1,000,000 lines, unread: denying and the
 * stop button work at once all the same, also while it is still being built.
 */
#include "tests/pty/rig.h"

#define LINES 1000000u
#ifdef __SANITIZE_ADDRESS__
#define AT_ONCE_MS 10000
#else
#define AT_ONCE_MS 1000
#endif

static struct rig rig;
static char *input;
static size_t n_input;

/* The file has every line another way than the request writes it. */
static int setup(void **state)
{
	size_t cap = LINES * 12;
	char *file = malloc(cap);
	size_t n = 0;

	(void)state;
	input = malloc(cap);
	assert_non_null(file);
	assert_non_null(input);
	rig_start(&rig);
	n_input = (size_t)sprintf(input, "{\"file_path\":\"%%W/big.txt\",\"content\":\"");
	for (unsigned i = 1; i <= LINES; i++) {
		n += (size_t)sprintf(file + n, "a%u\n", i);
		n_input += (size_t)sprintf(input + n_input, "b%u\\n", i);
	}
	n_input += (size_t)sprintf(input + n_input, "\"}");
	rig_write(&rig, "big.txt", file, n);
	free(file);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	rig_end(&rig);
	free(input);
	return 0;
}

/* Until the hub's row says so; how long that took from now. */
static unsigned took(const char *text)
{
	uint64_t from = rig_now();

	rig_until_ls(&rig, text);
	return (unsigned)(rig_now() - from);
}

static void deny_unread(void **state)
{
	struct tty *t = tty_open(&rig, 80, 24, NULL);
	int g = rig_ask(&rig, "Write", input, n_input);

	(void)state;
	tty_until(&rig, t, "big.txt");
	rig_until_ls(&rig, "\"ready\":true");
	TYPE(t, "g");
	tty_until(&rig, t, "▸");
	TYPE(t, "\r");
	tty_until(&rig, t, "lines seen");
	rig_pass(&rig, 450);
	TYPE(t, "a"); /* and approving does not, though one "a" is enough elsewhere */
	tty_until(&rig, t, "Not approved");
	TYPE(t, "d");
	assert_true(took("\"state\":\"releasing\"") < AT_ONCE_MS);
	tty_until(&rig, t, "Why?");
	TYPE(t, "\r");
	assert_int_equal(rig_gate_wait(&rig, g), 2);
	assert_int_equal(rig_approvals(&rig), 0);
}

static void deny_while_built(void **state)
{
	struct tty *t = tty_open(&rig, 80, 24, NULL);
	int g = rig_ask(&rig, "Write", input, n_input);

	(void)state;
	tty_until(&rig, t, "big.txt");
	assert_non_null(strstr(rig_ls(&rig), "\"ready\":false"));
	TYPE(t, "g");
	tty_until(&rig, t, "▸");
	TYPE(t, "d");
	assert_true(took("\"state\":\"releasing\"") < AT_ONCE_MS);
	TYPE(t, "\r");
	assert_int_equal(rig_gate_wait(&rig, g), 2);
	assert_int_equal(rig_approvals(&rig), 0);
}

static void stop_while_built(void **state)
{
	struct tty *t = tty_open(&rig, 80, 24, NULL);
	int g = rig_ask(&rig, "Write", input, n_input);

	(void)state;
	tty_until(&rig, t, "big.txt");
	assert_non_null(strstr(rig_ls(&rig), "\"ready\":false"));
	TYPE(t, "!");
	assert_true(took("\"state\":\"releasing\"") < AT_ONCE_MS);
	tty_until(&rig, t, "HOLD");
	assert_int_equal(rig_gate_wait(&rig, g), 2);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(deny_unread), T(deny_while_built), T(stop_while_built),
	};

	return cmocka_run_group_tests_name("pty_big", tests, NULL, NULL);
}
