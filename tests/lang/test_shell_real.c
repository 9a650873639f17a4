/*
 * test_shell_real.c - the same question to real shells: where the parser says
 * that a command is simple and its words literal, dash, bash and zsh must
 * split it into just these words.
 */
#include "check.h"

#include <errno.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "lang/shell.h"

static uint64_t rng = 0x9E3779B97F4A7C15u;

static uint32_t rnd(uint32_t below)
{
	rng ^= rng << 13;
	rng ^= rng >> 7;
	rng ^= rng << 17;
	return (uint32_t)(rng >> 33) % below;
}

/* Runs argv, its output into out; false if it cannot be started. */
static bool run(char *const argv[], struct buf *out)
{
	posix_spawn_file_actions_t fa;
	int fds[2], st = 0;
	char chunk[65536];
	ssize_t n;
	pid_t pid;
	bool ok;

	assert_int_equal(pipe(fds), 0);
	posix_spawn_file_actions_init(&fa);
	posix_spawn_file_actions_adddup2(&fa, fds[1], 1);
	posix_spawn_file_actions_addopen(&fa, 2, "/dev/null", 1, 0);
	posix_spawn_file_actions_addclose(&fa, fds[0]);
	posix_spawn_file_actions_addclose(&fa, fds[1]);
	ok = posix_spawn(&pid, argv[0], &fa, NULL, argv, environ) == 0;
	posix_spawn_file_actions_destroy(&fa);
	close(fds[1]);
	while (ok && ((n = read(fds[0], chunk, sizeof(chunk))) > 0 ||
	       (n < 0 && errno == EINTR)))
		buf_add(out, chunk, n > 0 ? (size_t)n : 0);
	close(fds[0]);
	if (ok)
		waitpid(pid, &st, 0);
	return ok;
}

/* Words, operators and near misses. What runs is only logargs: a link to
 * it is the only program that PATH has, and builtins are not among the pieces. */
static void random_line(struct buf *b, bool lists)
{
	static const char *const pieces[] = {
		"a", "B9", "-rf", "/", ".", "--x=1", "''", "\"\"", "'a b'", "\"c  d\"",
		"'$x'", "'`id`'", "'\\'", "\"'\"", "'\"'", "'*'", "\"?[]\"", "'!'", "';'",
		"\"&|<>()\"", "'#'", "#", "=", "^", "%", "@", "+", ",", ":", "_",
		"\xC3\xA9", "\xE6\xBC\xA2", "'{a,b}'", "{}", "{a}", "\"~\"", "\\;", "\\ ",
		"\\a", "\\\\", "\\$", "\\\"", "\"\\\"\"", "\"\\\\\"", "\"\\$x\"", "\"\\a\"",
		"\"\\`\"", "\\\n", "\"\\\n\"", "a\\\nb", "$", "\"$\"", "a$", "x=y", "HEAD@{1}",
		"'a\nb'", "\"a\nb\"", "!", "a!b", "]", "a]", "}", "{", "#x", "a#b", "~b", "a~",
		" ", " ", " ", "  ", "\t", " ",
	};
	static const char *const joins[] = {
		"; a ", " && a ", " | a ", "\na ", " || a ", "\n\n# x\na ", " |\n a ", ";\na ",
		" 2>/dev/null; a ", " 2>&1\na ", " >/dev/null; a ",
	};
	uint32_t n = 1 + rnd(8);

	while (n-- > 0) {
		buf_adds(b, pieces[rnd(sizeof(pieces) / sizeof(pieces[0]))]);
		if (rnd(3) == 0)
			buf_addc(b, ' ');
		if (lists && rnd(4) == 0)
			buf_adds(b, joins[rnd(sizeof(joins) / sizeof(joins[0]))]);
	}
}

/* What logargs writes for a command. */
static void expect(struct buf *b, const struct shell_command *c)
{
	buf_addc(b, 1);
	for (size_t i = 1; i < c->n_words; i++) {
		buf_addsv(b, c->words[i].text);
		buf_addc(b, '\0');
	}
	buf_addc(b, 2);
}

/* Is each record of the log one of our commands, and the first among them? */
static bool explained(struct sv log, const struct shell *sh)
{
	struct buf want;
	bool all = true, first = false;

	buf_init(&want, 1 << 16);
	for (size_t at = 0; at < log.n && all;) {
		const char *end = memchr(log.p + at, 2, log.n - at);
		size_t n = end == NULL ? log.n - at : (size_t)(end - log.p) + 1 - at;

		all = false;
		for (size_t i = 0; i < sh->n_commands && !all; i++) {
			buf_clear(&want);
			expect(&want, &sh->commands[i]);
			all = sv_eq(buf_sv(&want), (struct sv){ log.p + at, n });
			first = first || (all && i == 0);
		}
		at += n;
	}
	buf_free(&want);
	return all && first;
}

/* 0: the shell ran what we read, 1: something else, -1: not a simple list. */
static int one_line(char *shell, const char *dir, struct arena *a, bool lists)
{
	struct buf line, script, got;
	struct shell sh;
	int bad = -1;

	buf_init(&line, 1 << 12);
	buf_init(&script, 1 << 13);
	buf_init(&got, 1 << 16);
	buf_adds(&line, "a ");
	random_line(&line, lists);
	shell_parse(buf_sv(&line), a, &sh);
	if (sh.simple_list && (lists || sh.n_commands == 1)) {
		buf_addf(&script, "PATH=%s\nexport LOG=%s/log\n", dir, dir);
		buf_addsv(&script, buf_sv(&line));
		buf_addf(&script, "\n/bin/cat %s/log; /bin/rm -f %s/log", dir, dir);
		buf_addc(&script, '\0');
		char *argv[] = { shell, "-c", script.p, NULL };
		assert_true(run(argv, &got));
		bad = !explained(buf_sv(&got), &sh);
		if (bad)
			print_error("%s runs something else:\n%.*s\n", shell,
				SVFMT(buf_sv(&line)));
	}
	buf_free(&line);
	buf_free(&script);
	buf_free(&got);
	return bad;
}

static void with_shells(bool lists, int wanted)
{
	static const char *const shells[] = { "/bin/dash", "/bin/bash", "/bin/zsh", "/bin/sh" };
	char dir[] = "/tmp/obstat-shell-XXXXXX", path[64];

	setenv("LC_ALL", "C.UTF-8", 1);
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/a", dir);
	assert_int_equal(symlink(LOGARGS, path), 0);
	for (size_t i = 0; i < sizeof(shells) / sizeof(shells[0]); i++) {
		char *shell = xstrdup(shells[i]);
		int taken = 0, tried = 0, bad = 0;

		while (access(shell, X_OK) == 0 && taken < wanted && tried < 100000) {
			struct arena *a = arena_new(1 << 20);
			int got = one_line(shell, dir, a, lists);

			tried++;
			taken += got >= 0;
			bad += got > 0;
			arena_free(&a);
		}
		if (taken > 0)
			print_message("%s: %d of %d taken\n", shell, taken, tried);
		free(shell);
		assert_int_equal(bad, 0);
	}
	unlink(path);
	rmdir(dir);
}

static void test_words(void **state)
{
	(void)state;
	with_shells(false, 300);
}

static void test_lists(void **state)
{
	(void)state;
	with_shells(true, 150);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_lists),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
