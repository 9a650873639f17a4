/*
 * test_shell_real.c - the same question to real shells: where the parser says
 * that a command is simple and its words literal, dash, bash and zsh must
 * split it into just these words.
 */
#include "check.h"

#include <errno.h>
#include <spawn.h>
#include <sys/stat.h>
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
		buf_addf(&script, "PATH=%s/bin\nexport LOG=%s/log\n", dir, dir);
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

/* ---- whole scripts: what runs must be among the rows ---- */

static void random_script(struct buf *b)
{
	static const char *const pieces[] = {
		"a ", "a x", "a 'y z' ", "\n", "\n", "; ", ";", " && ", " | ", " || ", "& ", " ",
		"$(a 1)", "\"$(a 2)\"", "`a 3`", "\"`a 4`\"", "$(", ")", "`", "\"", "'", "\\",
		"\\\n", "#", " #", "# ", "$((1+", "))", "$((", "((", "(", ") ", "( a 5 )", "{ ",
		" }", "; }", "if a; then ", "; fi", "fi", "else ", "elif a; then ",
		"for i in q w; do ", "; done", "done", "case x in x) ", ";;", " esac", "esac",
		"x) ", "*) ", "[[ x ", " ]]", "f() { ", "f", "<<E ", "<<'E' ", "<<-E ", "\nE\n",
		"\n\tE\n", "E", "\nE", "$x", "${x", "}", "${x:-", "\"${x:-a}\"", "$'", "$\"", "<(",
		">(", ">n ", "2>&1 ", "<<<", "<&-", "&>n ", "v=", "v=(", "v=$(a 6)", "a$(a 7)b",
		"! ", "time ", "function g ", "[a]=", "{a,b}", "a{", "$(a <<E\n$(a 8)\nE\n)",
		"\"$(a \"$(a 9)\")\"", "`a \\`a 10\\``", "$(case x in x) a 11;; esac)", "\\\"",
		"$(# c\na 12)", "\"\\\"\"", "a <<E\n'\nE\n", "a <<E\n\\\nE\nE\n", "in ", "do ", "-", "<&", ">&", "<&-", "1", "2", "<>n ", ">|n ", ";&", ";;&", "[[ -n a ",
		" ]] && a 16", "|& ", "&& ", "esac)", "(x) ", "in x) a 17 ", "$(<n)", "until a; do ",
		"select i in q; do ", "\r", "\t", "{", "\\\n", "a\\\n", "}a", "$[", "$#", "#)", "E)",
		"<< E\n", "<<\\E\n", "<<E-\n", "E-\n", "<<$x\n", "$x\n", "<<\"E\"\n", "`",
		"then ", "=", "*", "~", "@(", "$(a 13;", "\"$((1+$(a 14)))\"", "$(( $(a 15) + 1 ))",
	};
	uint32_t n = 1 + rnd(10);

	buf_adds(b, rnd(2) == 0 ? "a " : "");
	while (n-- > 0)
		buf_adds(b, pieces[rnd(sizeof(pieces) / sizeof(pieces[0]))]);
}

/* Could the row have run with these words? rec: NUL-terminated words. */
static bool could_run(const struct shell_command *c, struct sv rec)
{
	if (c->n_words == 0)
		return false;
	if (c->words[0].parts != 0)
		return true;
	for (size_t i = 1; i < c->n_words; i++) {
		const char *end;

		if (c->words[i].parts != 0)
			return true;   /* it and what follows may be anything */
		end = rec.n == 0 ? NULL : memchr(rec.p, 0, rec.n);
		if (end == NULL || !sv_eq(c->words[i].text,
		    (struct sv){ rec.p, (size_t)(end - rec.p) }))
			return false;
		rec.n -= (size_t)(end + 1 - rec.p);
		rec.p = end + 1;
	}
	return rec.n == 0;
}

static bool all_seen(struct sv log, const struct shell *sh)
{
	for (size_t at = 0; at < log.n;) {
		const char *end = memchr(log.p + at, 2, log.n - at);
		size_t n = end == NULL ? log.n - at : (size_t)(end - log.p) + 1 - at;
		bool seen = false;

		for (size_t i = 0; i < sh->n_commands && !seen && n >= 2; i++)
			seen = could_run(&sh->commands[i],
				(struct sv){ log.p + at + 1, n - 2 });
		if (!seen)
			return false;
		at += n;
	}
	return true;
}

static int ran;                    /* scripts that ran something */

static int one_script(char *shell, const char *dir, struct arena *a)
{
	struct buf line, script, got;
	struct shell sh;
	int bad = -1;

	buf_init(&line, 1 << 12);
	buf_init(&script, 1 << 13);
	buf_init(&got, 1 << 16);
	random_script(&line);
	shell_parse(buf_sv(&line), a, &sh);
	if (sh.opaque == NULL && sh.n_commands > 0) {
		char *argv[] = { shell, "-c", NULL, NULL };
		char *cat[] = { "/bin/sh", "-c", NULL, NULL };

		buf_addf(&script, "ulimit -t 2; cd %s/w; PATH=%s/bin\nexport LOG=%s/log\n", dir,
			dir, dir);
		buf_addsv(&script, buf_sv(&line));
		buf_adds(&script, "\nwait");
		buf_addc(&script, '\0');
		argv[2] = script.p;
		assert_true(run(argv, &got));
		buf_clear(&got);
		buf_clear(&script);
		buf_addf(&script, "cat %s/log; rm -rf %s/log %s/w/*", dir, dir, dir);
		buf_addc(&script, '\0');
		cat[2] = script.p;
		assert_true(run(cat, &got));
		bad = !all_seen(buf_sv(&got), &sh);
		ran += got.n > 0;
		if (bad)
			print_error("%s runs what was not seen:\n%.*s\n", shell,
				SVFMT(buf_sv(&line)));
	}
	buf_free(&line);
	buf_free(&script);
	buf_free(&got);
	return bad;
}

enum what { WORDS, LISTS, SCRIPTS };

static void with_shells(enum what what, int wanted)
{
	static const char *const shells[] = { "/bin/dash", "/bin/bash", "/bin/zsh", "/bin/sh" };
	char dir[] = "/tmp/obstat-shell-XXXXXX", path[64];

	setenv("LC_ALL", "C.UTF-8", 1);
	assert_non_null(mkdtemp(dir));
	/* what scripts write must not meet the program through its link */
	snprintf(path, sizeof(path), "%s/w", dir);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/bin", dir);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/bin/a", dir);
	assert_int_equal(symlink(LOGARGS, path), 0);
	for (size_t i = 0; i < sizeof(shells) / sizeof(shells[0]); i++) {
		char *shell = xstrdup(shells[i]);
		int taken = 0, tried = 0, bad = 0;

		while (access(shell, X_OK) == 0 && taken < wanted && tried < 10000000) {
			struct arena *a = arena_new(1 << 20);
			int got = what == SCRIPTS ? one_script(shell, dir, a) :
				one_line(shell, dir, a, what == LISTS);

			tried++;
			taken += got >= 0;
			bad += got > 0;
			arena_free(&a);
		}
		if (taken > 0)
			print_message("%s: %d of %d taken\n", shell, taken, tried);
		free(shell);
		assert_int_equal(bad, 0);
		assert_true(what != SCRIPTS || ran >= taken / 2);
		ran = 0;
	}
	char *rm[] = { "/bin/rm", "-rf", dir, NULL };
	struct buf none;

	buf_init(&none, 1 << 12);
	assert_true(run(rm, &none));
	buf_free(&none);
}

static void test_words(void **state)
{
	(void)state;
	with_shells(WORDS, 300);
}

static void test_lists(void **state)
{
	(void)state;
	with_shells(LISTS, 150);
}

static void test_scripts(void **state)
{
	const char *n = getenv("OBSTAT_SCRIPTS");   /* more of them, by hand */

	(void)state;
	if (getenv("OBSTAT_SEED") != NULL)
		rng ^= strtoull(getenv("OBSTAT_SEED"), NULL, 0) * 0x9E3779B97F4A7C15u;
	with_shells(SCRIPTS, n != NULL ? atoi(n) : 200);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_lists),
		cmocka_unit_test(test_scripts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
