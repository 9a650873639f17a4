/*
 * test_commands.c - the command table holds together: no key means two things
 * in one view, every row has help, and what decides is out of a paste's reach.
 */
#include "tests/check.h"

#include "ui/commands.h"

static const unsigned views[] = { IN_QUEUE, IN_ACTION, IN_HELP };

static bool key_in(enum cmd c, const char *key)
{
	char k[16];

	for (unsigned i = 0; command_key(c, i, k); i++)
		if (strcmp(k, key) == 0)
			return true;
	return false;
}

static void unique(void **state)
{
	char k[16];

	(void)state;
	for (size_t v = 0; v < 3; v++)
		for (int a = CMD_NONE + 1; a < CMD_N; a++)
			for (unsigned i = 0; (commands[a].views & views[v]) != 0
				&& command_key((enum cmd)a, i, k); i++)
				for (int b = a + 1; b < CMD_N; b++)
					if ((commands[b].views & views[v]) != 0
						&& key_in((enum cmd)b, k))
						fail_msg("%s: %s and %s", k, commands[a].name,
							commands[b].name);
}

static void rows(void **state)
{
	(void)state;
	for (int c = CMD_NONE + 1; c < CMD_N; c++) {
		assert_non_null(commands[c].name);
		assert_non_null(commands[c].help);
		assert_true(commands[c].views != 0);
		assert_non_null(commands[c].keys);
	}
}

static enum cmd press(unsigned view, uint32_t cp, bool pasted, bool meta)
{
	struct key_event ev = { .name = KEY_TEXT, .cp = cp, .pasted = pasted, .meta = meta,
		.alone = !pasted && !meta, .in_read = 1 };

	return command_for(view, &ev);
}

static void deciding(void **state)
{
	static const struct {
		char key;
		enum cmd cmd;
	} keys[] = { { 'a', CMD_APPROVE }, { 'd', CMD_DENY }, { 'D', CMD_DENY_STOP },
		{ '!', CMD_STOP_ALL }, { 'u', CMD_TAKE_BACK } };

	(void)state;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		uint32_t cp = (unsigned char)keys[i].key;

		assert_int_equal(press(IN_ACTION, cp, false, false), keys[i].cmd);
		assert_int_equal(press(IN_ACTION, cp, true, false), CMD_NONE);
		assert_int_equal(press(IN_ACTION, cp, false, true), CMD_NONE);
		assert_int_equal(press(IN_HELP, cp, false, false), CMD_NONE);
	}
	/* in the list for care "glance"; the console sees to the rest */
	assert_int_equal(press(IN_QUEUE, 'a', false, false), CMD_APPROVE);
	assert_int_equal(press(IN_QUEUE, 'a', true, false), CMD_NONE);
	/* after an Esc a letter still moves */
	assert_int_equal(press(IN_QUEUE, 'j', false, true), CMD_DOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unique),
		cmocka_unit_test(rows),
		cmocka_unit_test(deciding),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
