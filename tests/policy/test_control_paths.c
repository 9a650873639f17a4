/* The table of control paths: what it holds, what it leaves alone. */
#include "check.h"
#include "policy/control_paths.h"
#include "policy/policy.h"

static bool hit(const char *path, bool write)
{
	return control_path_find(sv_of(path), "/home/u/.local/state/obstat", write) != NULL;
}

static void asks_to_write(void **state)
{
	static const char *const paths[] = {
		"/w/.git", "/w/.git/config", "/w/.git/hooks/pre-commit", "/w/sub/.git/x",
		"/w/.GIT/config", "/w/.Git", "/w/bare.git/hooks/post-update", "/w/x/HEAD",
		"/w/.gitmodules", "/w/.claude", "/w/.claude/settings.json",
		"/w/.claude/settings.local.json", "/w/CLAUDE.md", "/w/a/claude.local.md",
		"/w/AGENTS.md", "/w/GEMINI.md", "/w/.mcp.json", "/w/.vscode/tasks.json",
		"/w/.cursor/rules/x.mdc", "/w/.cursorrules", "/w/.emacs.d/init.el",
		"/w/.idea/workspace.xml", "/w/.github/workflows/ci.yml", "/w/.gitlab-ci.yml",
		"/w/Jenkinsfile", "/w/.env", "/w/.env.local", "/w/.ENV", "/w/prod.env",
		"/w/.envrc", "/home/u/.bashrc", "/home/u/.zshrc", "/home/u/.profile",
		"/home/u/.config/fish/config.fish", "/home/u/.ssh/authorized_keys",
		"/home/u/.ssh", "/etc/crontab", "/etc/cron.d/x", "/etc/cron.d",
		"/var/spool/cron/crontabs/u", "/etc/sudoers.d/x", "/proc/self/mem", "/proc",
		"/home/u/.config/systemd/user/x.service", "/etc/obstat/rules",
		"/home/u/.config/obstat/rules", "/w/.obstat/rules", "/w/.obstat",
		"/home/u/.local/state/obstat/record.db", "/home/u/.local/state/obstat",
		"/HOME/U/.local/state/OBSTAT/x", "/usr/libexec/obstat-gate",
		"/etc/claude-code/managed-settings.json", "/w/.npmrc", "/w/.husky/pre-push", "/w/package.json",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		if (!hit(paths[i], true))
			fail_msg("%s is not in the table", paths[i]);
}

static void asks_to_read(void **state)
{
	static const char *const secret[] = { "/w/.env", "/w/.env.local", "/w/.envrc",
		"/home/u/.ssh", "/home/u/.ssh/id_rsa", "/home/u/.aws", "/home/u/.netrc",
		"/home/u/.aws/credentials", "/etc/shadow", "/proc/1/environ", "/dev/sda",
		"/w/server.key", "/home/u/.bash_history", "/home/u/.docker/config.json",
		"/home/u/.local/state/obstat/record.db" };
	static const char *const open[] = { "/w/.git/config", "/w/CLAUDE.md",
		"/w/.github/workflows/ci.yml", "/w/.claude/settings.json", "/home/u/.bashrc" };

	(void)state;
	for (size_t i = 0; i < sizeof(secret) / sizeof(secret[0]); i++)
		if (!hit(secret[i], false))
			fail_msg("reading %s passes", secret[i]);
	for (size_t i = 0; i < sizeof(open) / sizeof(open[0]); i++)
		if (hit(open[i], false))
			fail_msg("reading %s asks", open[i]);
}

static void leaves_alone(void **state)
{
	static const char *const paths[] = { "/w/src/main.c", "/w/README.md", "/w/gitx/a",
		"/w/environment.py", "/w/package-lock.json", "/w/Makefile", "/w/keys.txt",
		"/w/.gitignore", "/w/header.h", "/home/u/.local/state/obstatistics/x",
		"/w/src/overhead", "/w/agent.md", "/w", "/" };

	(void)state;
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		if (hit(paths[i], true))
			fail_msg("%s is in the table: %s", paths[i], control_path_find(
				sv_of(paths[i]), NULL, true)->why);
}

static void state_of_its_own(void **state)
{
	(void)state;
	assert_non_null(control_path_find(SV("/data/x/record.db"), "/data/x/", false));
	assert_non_null(control_path_find(SV("/data/x"), "/data/x", false));
	assert_non_null(control_path_find(SV("/Data/X/record.db"), "/data/x", false));
	assert_null(control_path_find(SV("/data/xy"), "/data/x", true));
	/* No state directory, or a silly one, must not make everything ours. */
	assert_null(control_path_find(SV("/data/x"), NULL, true));
	assert_null(control_path_find(SV("/data/x"), "/", true));
	assert_null(control_path_find(SV("/data/x"), "", true));
}

static void too_long(void **state)
{
	char path[5000];

	(void)state;
	memset(path, 'a', sizeof(path));
	path[0] = '/';
	assert_non_null(control_path_find((struct sv){ path, 4097 }, NULL, false));
	assert_null(control_path_find((struct sv){ path, 4096 }, NULL, false));
	for (size_t i = 0; i < sizeof(path); i += 2)
		path[i] = '/';
	assert_non_null(control_path_find((struct sv){ path, 2 * 65 }, NULL, false));
	assert_null(control_path_find((struct sv){ path, 2 * 64 }, NULL, false));
	assert_null(control_path_find(SV_NONE, NULL, true));
}

/* Each row is written as the look-up needs it, and can be hit. */
static void rows_are_sound(void **state)
{
	(void)state;
	assert_true(n_control_paths > 150);
	for (size_t i = 0; i < n_control_paths; i++) {
		const char *p = control_paths[i].pattern;

		/* The look-up compares two bytes before it matches. */
		if (strncmp(p, "/**/", 4) == 0)
			assert_true(p[4] == '*' || (strchr("?[\\", p[4]) == NULL &&
				strchr("?[\\", p[5]) == NULL));
		assert_int_equal(p[0], '/');
		assert_non_null(control_paths[i].why);
		for (const char *c = p; *c != '\0'; c++)
			assert_false(*c >= 'A' && *c <= 'Z');
		assert_int_not_equal(p[strlen(p) - 1], '/');
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(p, control_paths[k].pattern);
	}
}

/* The quick look-up finds exactly what trying every pattern finds. */
static void as_the_plain_look_up(void **state)
{
	static const char *const parts[] = { "/", ".git", ".env", "x", ".claude", "etc",
		"cron.d", ".ssh", "a.env", "head", ".config", "obstat", "rules", ".emacs.d" };
	uint64_t rng = 42;

	(void)state;
	for (unsigned n = 0; n < 20000; n++) {
		char path[256], slash[260];
		size_t at = 0;
		bool want = false, write = n % 2;

		path[0] = '\0';
		for (unsigned k = 0; k < 1 + n % 6; k++) {
			rng = rng * 6364136223846793005u + 1442695040888963407u;
			at += (size_t)snprintf(path + at, sizeof(path) - at, "/%s",
				parts[(rng >> 33) % (sizeof(parts) / sizeof(parts[0]))]);
		}
		snprintf(slash, sizeof(slash), "%s/", path);
		for (size_t i = 0; i < n_control_paths; i++) {
			const char *p = control_paths[i].pattern;

			if (!write && !control_paths[i].reads_too)
				continue;
			want |= path_match(p, sv_of(path));
			if (sv_ends(sv_of(p), "/**"))
				want |= path_match(p, sv_of(slash));
		}
		if ((control_path_find(sv_of(path), NULL, write) != NULL) != want)
			fail_msg("%s: %d", path, want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(asks_to_write),
		cmocka_unit_test(asks_to_read),
		cmocka_unit_test(leaves_alone),
		cmocka_unit_test(state_of_its_own),
		cmocka_unit_test(too_long),
		cmocka_unit_test(rows_are_sound),
		cmocka_unit_test(as_the_plain_look_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
