/*
 * test_words.c - the splitter of plain commands: a table of what it takes and
 * refuses, and the same question put to the shells of this machine.
 */
#include "check.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "lang/words.h"

extern char **environ;

/* want: the words, each followed by '|'; or "!reason". */
struct row {
	const char *cmd, *want;
};

static const struct row rows[] = {
	/* plain */
	{ "ls", "ls|" },
	{ "ls -la", "ls|-la|" },
	{ "  ls   -la  ", "ls|-la|" },
	{ "git push --force origin main", "git|push|--force|origin|main|" },
	{ "git show HEAD^", "git|show|HEAD^|" },
	{ "git show HEAD^2", "git|show|HEAD^2|" },
	{ "git push origin +main:main", "git|push|origin|+main:main|" },
	{ "npm test", "npm|test|" },
	{ "cd /srv/app", "cd|/srv/app|" },
	{ "echo 'a b'", "echo|a b|" },
	{ "echo \"a b\"", "echo|a b|" },
	{ "echo ''", "echo||" },
	{ "echo \"\"", "echo||" },
	{ "echo '' ''", "echo|||" },
	{ "echo 'a'\"b\"c", "echo|abc|" },
	{ "echo a''b", "echo|ab|" },
	{ "r''m -rf /", "rm|-rf|/|" },
	{ "'rm' -rf /", "rm|-rf|/|" },
	{ "\"r\"m -rf /", "rm|-rf|/|" },
	{ "rm -r''f /", "rm|-rf|/|" },
	{ "rm '-rf' '/'", "rm|-rf|/|" },
	{ "/bin/rm -rf /", "/bin/rm|-rf|/|" },
	{ "./run.sh --x=1", "./run.sh|--x=1|" },
	{ "make CC=clang", "make|CC=clang|" },
	{ "echo a=b c==d", "echo|a=b|c==d|" },
	{ "echo a#b", "echo|a#b|" },
	{ "echo ''#b", "echo|#b|" },
	{ "echo '#b'", "echo|#b|" },
	{ "echo '=b' '^c' '~d'", "echo|=b|^c|~d|" },
	{ "echo '$HOME'", "echo|$HOME|" },
	{ "echo '`id`'", "echo|`id`|" },
	{ "echo '$(id)'", "echo|$(id)|" },
	{ "echo 'a\\b'", "echo|a\\b|" },
	{ "echo 'hi!'", "echo|hi!|" },
	{ "echo 'a;b' 'c&d' 'e|f' '<g>' '(h)'", "echo|a;b|c&d|e|f|<g>|(h)|" },
	{ "echo \"a;b&c|d<e>f(g)\"", "echo|a;b&c|d<e>f(g)|" },
	{ "echo \"*?[]{}~#'\"", "echo|*?[]{}~#'|" },
	{ "echo '*.c' '{a,b}' '\"'", "echo|*.c|{a,b}|\"|" },
	{ "curl http://h.example/x#frag", "curl|http://h.example/x#frag|" },
	{ "curl 'http://h.example/?a=1&b=2'", "curl|http://h.example/?a=1&b=2|" },
	{ "kill %1", "kill|%1|" },
	{ "date +%s", "date|+%s|" },
	{ "printf %s x", "printf|%s|x|" },
	{ "test -f x", "test|-f|x|" },
	{ "sudo rm x", "sudo|rm|x|" },
	{ "env rm x", "env|rm|x|" },
	{ "env -S 'rm -rf /'", "env|-S|rm -rf /|" },
	{ "busybox rm x", "busybox|rm|x|" },
	{ "nice -n 5 rm x", "nice|-n|5|rm|x|" },
	{ "timeout 5 rm x", "timeout|5|rm|x|" },
	{ "nohup rm x", "nohup|rm|x|" },
	{ "xargs rm", "xargs|rm|" },
	{ "sh -c 'rm -rf /'", "sh|-c|rm -rf /|" },
	{ "find . -name x -delete", "find|.|-name|x|-delete|" },
	{ "git -c core.pager=x log", "git|-c|core.pager=x|log|" },
	{ "git -c 'alias.x=!id' x", "git|-c|alias.x=!id|x|" },
	{ "tar --checkpoint-action=exec=id", "tar|--checkpoint-action=exec=id|" },
	{ "awk 'BEGIN{system(\"id\")}'", "awk|BEGIN{system(\"id\")}|" },
	{ "psql -c 'DROP TABLE t'", "psql|-c|DROP TABLE t|" },
	{ "echo if then fi", "echo|if|then|fi|" },
	{ "ifconfig", "ifconfig|" },
	{ "sourcery x", "sourcery|x|" },
	{ "evaluate", "evaluate|" },
	{ "..", "..|" },
	{ ":", ":|" },
	{ "a,b c,d", "a,b|c,d|" },
	{ "echo na\xC3\xAFve", "echo|na\xC3\xAFve|" },
	{ "echo e\xCC\x81", "echo|e\xCC\x81|" },
	{ "ls '\xE6\xBC\xA2 \xE5\xAD\x97'", "ls|\xE6\xBC\xA2 \xE5\xAD\x97|" },
	{ "echo a               b", "echo|a|b|" },
	/* nothing */
	{ "", "!empty" },
	{ "   ", "!empty" },
	{ "''", "!empty" },
	{ "'' x", "!empty" },
	{ "\"\" -rf /", "!empty" },
	/* separators and control characters */
	{ "ls\n", "!newline" },
	{ "\nls", "!newline" },
	{ "ls\nrm x", "!newline" },
	{ "ls \\\nrm", "!newline" },
	{ "echo 'a\nb'", "!newline" },
	{ "echo \"a\nb\"", "!newline" },
	{ "ls\r", "!newline" },
	{ "ls\rrm x", "!newline" },
	{ "ls\trm", "!control" },
	{ "echo 'a\tb'", "!control" },
	{ "echo 'a\x1b[31mb'", "!control" },
	{ "ls\x7f", "!control" },
	{ "ls\x01", "!control" },
	{ "ls\v", "!control" },
	{ "ls\f-l", "!control" },
	{ "ls\b", "!control" },
	/* hidden characters */
	{ "ls\xC2\xA0-la", "!hidden" },                 /* NBSP */
	{ "ls\xE3\x80\x80-la", "!hidden" },             /* U+3000 */
	{ "ls\xE2\x80\x83-la", "!hidden" },             /* em space */
	{ "ls\xE2\x80\x8B -la", "!hidden" },            /* ZWSP */
	{ "ls\xE2\x80\xA8rm", "!hidden" },              /* LS */
	{ "ls\xC2\x85rm", "!hidden" },                  /* NEL */
	{ "ls \xE2\x80\xAE" "x", "!hidden" },           /* RLO */
	{ "ls '\xE2\x80\xAE'", "!hidden" },
	{ "\xEF\xBB\xBFls", "!hidden" },                /* BOM */
	{ "ls \xD7\xA9", "!hidden" },                   /* Hebrew */
	{ "ls \xC0\xAF", "!hidden" },                   /* overlong */
	{ "ls \xED\xA0\x80", "!hidden" },               /* surrogate */
	{ "ls \xFF", "!hidden" },
	{ "ls \xE2\x82", "!hidden" },                   /* cut short */
	{ "ls \xE2\xA0\x80", "!hidden" },               /* Braille blank */
	{ "ls \xE3\x85\xA4", "!hidden" },               /* Hangul filler */
	{ "ls \xC2\xAD", "!hidden" },                   /* soft hyphen */
	{ "ls \xF3\xA0\x81\x81", "!hidden" },           /* tag A */
	{ "ls \xEF\xB8\x8F", "!hidden" },               /* VS16 */
	{ "ls \xEE\x80\x80", "!hidden" },               /* private use */
	{ "ls                 -la", "!hidden" },        /* 17 blanks */
	{ "echo '                '", "!hidden" },       /* 16 blanks */
	{ "ls                                        ; rm x", "!hidden" },
	{ "echo '<U+0020>'", "!hidden" },
	/* backslash */
	{ "r\\m -rf /", "!backslash" },
	{ "\\rm -rf /", "!backslash" },
	{ "rm \\-rf /", "!backslash" },
	{ "rm -\\rf /", "!backslash" },
	{ "echo a\\ b", "!backslash" },
	{ "echo \"a\\\"b\"", "!backslash" },
	{ "echo \"a\\b\"", "!backslash" },
	{ "find . -exec rm x \\;", "!backslash" },
	{ "psql \\! id", "!backslash" },
	{ "ls \\", "!backslash" },
	/* expansion */
	{ "rm $HOME", "!expansion" },
	{ "rm \"$HOME\"", "!expansion" },
	{ "rm${IFS}-rf${IFS}/", "!expansion" },
	{ "rm$IFS-rf", "!expansion" },
	{ "${x:-rm} -rf /", "!expansion" },
	{ "$'\\x72m' -rf /", "!expansion" },
	{ "echo $'a'", "!expansion" },
	{ "echo $\"a\"", "!expansion" },
	{ "echo $(id)", "!expansion" },
	{ "echo \"$(id)\"", "!expansion" },
	{ "echo `id`", "!expansion" },
	{ "echo \"`id`\"", "!expansion" },
	{ "echo $((1+1))", "!expansion" },
	{ "echo $", "!expansion" },
	{ "echo a$", "!expansion" },
	{ "echo 'a'$b", "!expansion" },
	/* globs, braces, tilde, history */
	{ "rm *", "!glob" },
	{ "rm a?b", "!glob" },
	{ "rm [ab]", "!glob" },
	{ "rm a]", "!glob" },
	{ "[ -f x ]", "!glob" },
	{ "[[ a =~ b ]]", "!glob" },
	{ "echo a[1]", "!glob" },
	{ "{rm,-rf,/}", "!brace" },
	{ "{ rm x", "!brace" },
	{ "} x", "!brace" },
	{ "echo a{b,c}", "!brace" },
	{ "echo {1..9}", "!brace" },
	{ "rm ~", "!tilde" },
	{ "rm ~/x", "!tilde" },
	{ "rm ~root", "!tilde" },
	{ "make P=~/x", "!tilde" },
	{ "echo a~b", "!tilde" },
	{ "! ls", "!history" },
	{ "!!", "!history" },
	{ "echo !x", "!history" },
	{ "echo \"!x\"", "!history" },
	{ "^old^new", "!history" },
	{ "echo ^x", "!history" },
	/* operators */
	{ "ls; rm x", "!operator" },
	{ "ls;", "!operator" },
	{ "ls && rm x", "!operator" },
	{ "ls || rm x", "!operator" },
	{ "ls | sh", "!operator" },
	{ "ls |& sh", "!operator" },
	{ "ls &", "!operator" },
	{ "ls&", "!operator" },
	{ "ls > f", "!redirect" },
	{ "ls >> f", "!redirect" },
	{ "ls 2>&1", "!redirect" },
	{ "sh < f", "!redirect" },
	{ "sh << EOF", "!redirect" },
	{ "sh <<< x", "!redirect" },
	{ "cat <(id)", "!redirect" },
	{ "ls >(id)", "!redirect" },
	{ "ls &> f", "!operator" },
	{ "(ls)", "!subshell" },
	{ "f() x", "!subshell" },
	{ "echo @(a)", "!subshell" },
	{ "ls # rm x", "!comment" },
	{ "ls #", "!comment" },
	{ "# ls", "!comment" },
	{ "=ls x", "!equals" },
	{ "echo =ls", "!equals" },
	{ "%1", "!job" },
	{ "'%1' x", "!job" },
	/* unfinished quotes */
	{ "echo 'a", "!quote" },
	{ "echo \"a", "!quote" },
	{ "echo a'", "!quote" },
	{ "echo 'a'b\"", "!quote" },
	/* assignments and names */
	{ "LD_PRELOAD=x ls", "!assignment" },
	{ "GIT_SSH_COMMAND=x git fetch", "!assignment" },
	{ "PAGER=id git log", "!assignment" },
	{ "BASH_ENV=x sh", "!assignment" },
	{ "a=rm", "!assignment" },
	{ "a+=rm ls", "!assignment" },
	{ "a='' ls", "!assignment" },
	{ "'a=b' ls", "!assignment" },
	{ "a'='b ls", "!assignment" },
	{ "\xD1\x80m -rf /", "!name" },                 /* Cyrillic er */
	{ "l\xCC\xB6s", "!name" },
	{ "'a b' c", "!name" },
	/* grammar and builtins */
	{ "if true", "!reserved" }, { "then x", "!reserved" },
	{ "else x", "!reserved" }, { "elif x", "!reserved" },
	{ "fi", "!reserved" }, { "do x", "!reserved" },
	{ "done", "!reserved" }, { "case x in", "!reserved" },
	{ "esac", "!reserved" }, { "while x", "!reserved" },
	{ "until x", "!reserved" }, { "for x in y", "!reserved" },
	{ "in x", "!reserved" }, { "function f", "!reserved" },
	{ "select x in y", "!reserved" }, { "time rm x", "!reserved" },
	{ "coproc rm x", "!reserved" }, { "repeat 3 rm x", "!reserved" },
	{ "foreach x", "!reserved" }, { "noglob rm x", "!reserved" },
	{ "nocorrect rm x", "!reserved" }, { "- rm x", "!reserved" },
	{ "'if' x", "!reserved" }, { "i''f x", "!reserved" },
	{ "'!' x", "!reserved" }, { "'{' x", "!reserved" },
	{ "eval id", "!builtin" }, { "exec id", "!builtin" },
	{ "ev''al id", "!builtin" }, { "\"eval\" id", "!builtin" },
	{ "source x", "!builtin" }, { ". x", "!builtin" },
	{ "'.' x", "!builtin" }, { "command rm x", "!builtin" },
	{ "builtin eval x", "!builtin" }, { "alias ls=rm", "!builtin" },
	{ "trap id EXIT", "!builtin" }, { "set -e", "!builtin" },
	{ "export A=b", "!builtin" }, { "unset A", "!builtin" },
	{ "declare 'a[$(id)]=1'", "!builtin" }, { "let x", "!builtin" },
	{ "read x", "!builtin" }, { "shopt -s extglob", "!builtin" },
	{ "hash -p /bin/rm ls", "!builtin" }, { "enable -f x y", "!builtin" },
	{ "fc -s", "!builtin" }, { "mapfile x", "!builtin" },
	{ "printf -v 'a[$(id)]' x", "!subscript" },
	{ "test -v 'a[$(id)]'", "!subscript" },
	{ "exit 'a[$(id)]'", "!subscript" },
	{ "'[' -v 'a[$(id)]' ']'", "!subscript" },
};

static struct sv ask(struct sv cmd, struct arena *a, struct buf *b)
{
	struct words w;
	const char *why = "unset";
	enum words_status st = words_plain(cmd, a, &w, &why);
	size_t i;

	buf_clear(b);
	if (st == WORDS_NOT_PLAIN) {
		assert_non_null(why);
		assert_int_equal(w.n, 0);
		buf_addc(b, '!');
		buf_adds(b, why);
	}
	if (st == WORDS_PLAIN)
		assert_null(why);
	for (i = 0; i < w.n; i++) {
		assert_true(w.w[i].from < w.w[i].to && w.w[i].to <= cmd.n);
		assert_true(i == 0 || w.w[i].from > w.w[i - 1].to);
		buf_addsv(b, w.w[i].text);
		buf_addc(b, '|');
	}
	return buf_sv(b);
}

static void test_rows(void **state)
{
	struct arena *a = arena_new(1 << 24);
	struct buf b;
	struct sv got;
	size_t i;
	int bad = 0;

	(void)state;
	buf_init(&b, 1 << 16);
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		got = ask(sv_of(rows[i].cmd), a, &b);
		if (!sv_eqs(got, rows[i].want)) {
			print_error("%s: %.*s, not %s\n", rows[i].cmd,
				SVFMT(got), rows[i].want);
			bad++;
		}
	}
	assert_int_equal(bad, 0);
	assert_true(i >= 150);
	buf_free(&b);
	arena_free(&a);
}

static void test_nul_limits_and_spans(void **state)
{
	struct arena *a = arena_new(1 << 24), *tiny = arena_new(16);
	struct buf b, big;
	struct words w;
	size_t i;

	(void)state;
	buf_init(&b, 1 << 20);
	buf_init(&big, 1 << 20);
	assert_true(sv_eqs(ask((struct sv){ "ls\0rm", 5 }, a, &b), "!control"));
	assert_true(sv_eqs(ask((struct sv){ "\0", 1 }, a, &b), "!control"));
	assert_true(sv_eqs(ask(SV_NONE, a, &b), "!empty"));
	assert_true(sv_eqs(ask(SV("ls -la -x -y"), tiny, &b), "!limit"));
	for (i = 0; i < WORDS_MAX; i++)
		buf_adds(&big, "x ");
	assert_int_equal(words_plain(buf_sv(&big), a, &w, NULL), WORDS_PLAIN);
	assert_int_equal(w.n, WORDS_MAX);
	buf_adds(&big, "x");
	assert_true(sv_eqs(ask(buf_sv(&big), a, &b), "!limit"));
	buf_clear(&big);
	for (i = 0; i < WORDS_MAX_BYTES; i++)
		buf_addc(&big, 'x');
	assert_int_equal(words_plain(buf_sv(&big), a, &w, NULL), WORDS_PLAIN);
	buf_addc(&big, 'x');
	assert_true(sv_eqs(ask(buf_sv(&big), a, &b), "!limit"));

	assert_int_equal(words_plain(SV("  a  'b c'd \"\" "), a, &w, NULL),
		WORDS_PLAIN);
	assert_int_equal(w.n, 3);
	assert_int_equal(w.w[0].from, 2);
	assert_int_equal(w.w[0].to, 3);
	assert_int_equal(w.w[1].from, 5);
	assert_int_equal(w.w[1].to, 11);
	assert_int_equal(w.w[2].from, 12);
	assert_int_equal(w.w[2].to, 14);
	assert_int_equal(w.w[2].text.n, 0);
	buf_free(&b);
	buf_free(&big);
	arena_free(&a);
	arena_free(&tiny);
}

/* ---- the same question to real shells ---- */

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
	posix_spawn_file_actions_addclose(&fa, fds[0]);
	posix_spawn_file_actions_addclose(&fa, fds[1]);
	ok = posix_spawn(&pid, argv[0], &fa, NULL, argv, environ) == 0;
	posix_spawn_file_actions_destroy(&fa);
	close(fds[1]);
	while (ok && (n = read(fds[0], chunk, sizeof(chunk))) > 0)
		buf_add(out, chunk, (size_t)n);
	close(fds[0]);
	if (ok)
		waitpid(pid, &st, 0);
	return ok;
}

/* A command out of pieces that are likely to be taken, or nearly so. */
static void random_command(struct buf *b)
{
	static const char *const pieces[] = {
		"a", "B9", "-rf", "/", ".", "--x=1", "''", "\"\"", "'a b'",
		"\"c  d\"", "'$x'", "'`id`'", "'\\'", "\"'\"", "'\"'", "'*'",
		"\"?[]\"", "'!'", "';'", "\"&|<>()\"", "'#'", "#", "=", "^",
		"%", "@", "+", ",", ":", "_", "\xC3\xA9", "\xE6\xBC\xA2",
		"e\xCC\x81", "'{a,b}'", "\"~\"", " ", " ", " ", "  ", " ",
		" ", "if", "time", "in", "[", "$", "\\", "~", "*", "!", "'",
		"\"", "{", "}", ";", "<", "\t", "1",
	};
	uint32_t n = 1 + rnd(12), likely = rnd(4);

	buf_clear(b);
	while (n-- > 0)
		buf_adds(b, pieces[rnd(likely > 0 ? 45 :
			sizeof(pieces) / sizeof(pieces[0]))]);
}

/* Adds what the shell must print for words: each ended by NUL. */
static void expect(struct buf *b, const struct words *w)
{
	size_t i;

	buf_add(b, "@", 2);
	for (i = 0; i < w->n; i++) {
		buf_addsv(b, w->w[i].text);
		buf_addc(b, '\0');
	}
	buf_addc(b, '\n');
}

enum { PER_SCRIPT = 250, SCRIPTS = 40 };

/* Accepted commands as arguments of the builtin printf, a few hundred to a
 * script (one wrong split would derail all that follow). */
static void one_script(char *shell, struct arena *a)
{
	struct buf cmd, script, want, got;
	struct words w;
	int taken = 0;

	buf_init(&cmd, 1 << 12);
	buf_init(&script, 1 << 20);
	buf_init(&want, 1 << 20);
	buf_init(&got, 1 << 20);
	while (taken < PER_SCRIPT) {
		random_command(&cmd);
		if (words_plain(buf_sv(&cmd), a, &w, NULL) != WORDS_PLAIN)
			continue;
		buf_adds(&script, "printf '%s\\0' @ ");
		buf_addsv(&script, buf_sv(&cmd));
		buf_adds(&script, "\nprintf '\\n'\n");
		expect(&want, &w);
		taken++;
	}
	buf_addc(&script, '\0');
	assert_false(script.over || want.over);
	char *argv[] = { shell, "-c", script.p, NULL };
	assert_true(run(argv, &got));
	if (!sv_eq(buf_sv(&got), buf_sv(&want)))
		print_error("%s splits one of these otherwise:\n%s", shell,
			script.p);
	assert_true(sv_eq(buf_sv(&got), buf_sv(&want)));
	buf_free(&cmd);
	buf_free(&script);
	buf_free(&want);
	buf_free(&got);
}

/* The whole command run as such: its first word is a link to printargs, so
 * that reserved words, assignments and the like would show. */
static void one_by_one(char *shell, struct arena *a)
{
	static const char *const names[] = {
		"a", "git", "r''m", "'x'y", "\"b\"", "a.b", "B9", "c+d",
	};
	struct buf cmd, rest, script, want, got;
	struct words w;
	char dir[] = "/tmp/obstat-words-XXXXXX", path[128];
	int taken = 0;
	size_t i;

	assert_non_null(mkdtemp(dir));
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_int_equal(words_plain(sv_of(names[i]), a, &w, NULL),
			WORDS_PLAIN);
		snprintf(path, sizeof(path), "%s/%.*s", dir,
			SVFMT(w.w[0].text));
		assert_int_equal(symlink(PRINTARGS, path), 0);
	}
	buf_init(&cmd, 1 << 12);
	buf_init(&rest, 1 << 12);
	buf_init(&script, 1 << 12);
	buf_init(&want, 1 << 12);
	buf_init(&got, 1 << 12);
	while (taken < 150) {
		random_command(&rest);
		buf_clear(&cmd);
		buf_adds(&cmd, names[rnd(sizeof(names) / sizeof(names[0]))]);
		buf_addc(&cmd, ' ');
		buf_addsv(&cmd, buf_sv(&rest));
		if (words_plain(buf_sv(&cmd), a, &w, NULL) != WORDS_PLAIN)
			continue;
		taken++;
		buf_clear(&script);
		buf_addf(&script, "PATH=%s\n", dir);
		buf_addsv(&script, buf_sv(&cmd));
		buf_addc(&script, '\0');
		buf_clear(&want);
		expect(&want, &w);
		buf_clear(&got);
		char *argv[] = { shell, "-c", script.p, NULL };
		assert_true(run(argv, &got));
		if (!sv_eq(buf_sv(&got), buf_sv(&want)))
			print_error("%s splits otherwise: %s\n", shell,
				script.p);
		assert_true(sv_eq(buf_sv(&got), buf_sv(&want)));
	}
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		words_plain(sv_of(names[i]), a, &w, NULL);
		snprintf(path, sizeof(path), "%s/%.*s", dir,
			SVFMT(w.w[0].text));
		unlink(path);
	}
	rmdir(dir);
	buf_free(&cmd);
	buf_free(&rest);
	buf_free(&script);
	buf_free(&want);
	buf_free(&got);
}

static void test_shells(void **state)
{
	static const char *const shells[] = {
		"/bin/sh", "/bin/bash", "/bin/zsh",
	};
	struct arena *a;
	char *shell;
	size_t i;
	int n;

	(void)state;
	setenv("LC_ALL", "C.UTF-8", 1);
	for (i = 0; i < sizeof(shells) / sizeof(shells[0]); i++) {
		if (access(shells[i], X_OK) != 0) {
			print_message("no %s here\n", shells[i]);
			continue;
		}
		shell = xstrdup(shells[i]);
		for (n = 0; n < SCRIPTS; n++) {
			a = arena_new(1 << 24);
			one_script(shell, a);
			arena_free(&a);
		}
		a = arena_new(1 << 24);
		one_by_one(shell, a);
		arena_free(&a);
		free(shell);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_nul_limits_and_spans),
		cmocka_unit_test(test_shells),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
