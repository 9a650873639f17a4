/* test_paths.c - where files are, from the environment and from --state. */
#include "tests/check.h"

#include <unistd.h>

#include "config/paths.h"

static struct paths p;

static void env(const char *home, const char *state, const char *config)
{
	unsetenv("XDG_STATE_HOME");
	unsetenv("XDG_CONFIG_HOME");
	setenv("HOME", home, 1);
	if (state != NULL)
		setenv("XDG_STATE_HOME", state, 1);
	if (config != NULL)
		setenv("XDG_CONFIG_HOME", config, 1);
}

static void test_defaults(void **state)
{
	struct err e = ERR_INIT;

	(void)state;
	env("/tmp/", NULL, NULL);
	assert_int_equal(paths_get(&p, NULL, NULL, &e), 0);
	assert_string_equal(p.home, "/tmp");
	assert_string_equal(p.state, "/tmp/.local/state/obstat");
	assert_string_equal(p.config, "/tmp/.config/obstat");
	assert_string_equal(p.agents, "/tmp/.local/state/obstat/agent");
	assert_string_equal(p.console_sock, "/tmp/.local/state/obstat/console/sock");
	assert_string_equal(p.user_rules, "/tmp/.config/obstat/rules");
	assert_string_equal(p.system_rules, "/etc/obstat/rules");
	/* a relative XDG directory is ignored */
	env("/tmp", "rel", "/x");
	assert_int_equal(paths_get(&p, NULL, NULL, &e), 0);
	assert_string_equal(p.state, "/tmp/.local/state/obstat");
	assert_string_equal(p.config, "/x/obstat");
}

static void test_home(void **state)
{
	struct err e = ERR_INIT;

	(void)state;
	env("relative", NULL, NULL);
	assert_int_equal(paths_get(&p, NULL, NULL, &e), -1);
	assert_string_equal(e.code, "no_home");
	env("/nonexistent/home", NULL, NULL);
	assert_int_equal(paths_get(&p, "/s", NULL, &e), -1);
	assert_int_equal(paths_get(&p, "/s/", "/c", &e), 0);
	assert_string_equal(p.state, "/s");
	assert_string_equal(p.home, "");
}

static void test_given(void **state)
{
	struct err e = ERR_INIT;
	char big[700];

	(void)state;
	env("/tmp", NULL, NULL);
	assert_int_equal(chdir("/usr"), 0);
	assert_int_equal(paths_get(&p, "st", NULL, &e), 0);
	assert_string_equal(p.state, "/usr/st");
	assert_int_equal(paths_get(&p, "", NULL, &e), -1);
	memset(big, 'a', sizeof(big));
	big[0] = '/';
	big[sizeof(big) - 1] = '\0';
	assert_int_equal(paths_get(&p, big, NULL, &e), -1);
	assert_string_equal(e.code, "path_long");
}

static void test_agent(void **state)
{
	static const char *const bad[] = { "", "A", "a/b", "..", "a.b", "a b",
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" };
	struct err e = ERR_INIT;
	char out[600];

	(void)state;
	env("/tmp", NULL, NULL);
	assert_int_equal(paths_get(&p, "/s", NULL, &e), 0);
	assert_int_equal(paths_agent_sock(&p, "claude_2-x", out, sizeof(out), &e), 0);
	assert_string_equal(out, "/s/agent/claude_2-x/sock");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(paths_agent_sock(&p, bad[i], out, sizeof(out), &e), -1);
	assert_int_equal(paths_agent_sock(&p, "claude", out, 10, &e), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_home),
		cmocka_unit_test(test_given),
		cmocka_unit_test(test_agent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
