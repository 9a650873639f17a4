/*
 * test_shell_safe.c - which commands pass as only reading: a day's lines, and
 * every way in which a safe command becomes an unsafe one.
 */
#include "check.h"

#include "base/mem.h"
#include "lang/shell_safe.h"

static bool safe(struct sv cmd, struct arena *a, struct shell_reads *reads,
	const char **why)
{
	struct shell sh;

	shell_parse(cmd, a, &sh);
	return shell_safe_reads(&sh, a, reads, why);
}

/* The line with "<LF>" as line breaks. */
static struct sv unfold(char *line)
{
	size_t n = 0;

	for (const char *p = line; *p != '\0';) {
		bool lf = strncmp(p, "<LF>", 4) == 0;

		line[n++] = lf ? '\n' : *p;
		p += lf ? 4 : 1;
	}
	return (struct sv){ line, n };
}

static void test_everyday(void **state)
{
	FILE *f = fopen(SRCDIR "/tests/lang/everyday.txt", "r");
	char line[4096];
	int lines = 0, passed = 0, bad = 0;

	(void)state;
	assert_non_null(f);
	while (fgets(line, sizeof(line), f) != NULL) {
		struct arena *a = arena_new(SHELL_ARENA);
		bool want = line[0] == 's';
		const char *why = NULL;

		line[strcspn(line, "\n")] = '\0';
		if (line[0] != '#' && line[0] != '\0') {
			assert_true(line[4] == '\t');
			if (safe(unfold(line + 5), a, NULL, &why) != want) {
				print_error("%s: %s\n", line, why == NULL ? "safe" : why);
				bad++;
			}
			lines++;
			passed += want;
		}
		arena_free(&a);
	}
	fclose(f);
	print_message("%d lines, %d pass, %d ask\n", lines, passed, lines - passed);
	assert_true(lines >= 300);
	assert_int_equal(bad, 0);
}

/* why: of shell_safe(); NULL: safe. */
static const struct {
	const char *cmd, *why;
} rows[] = {
	{ "", "empty" }, { "   # x", "empty" }, { "ls", NULL },
	{ "/bin/ls", NULL }, { "/usr/bin/ls", NULL }, { "./ls", "unknown_command" },
	{ "/tmp/ls", "unknown_command" }, { "l's'", NULL },
	{ "ls $x", "expansion" }, { "ls \"$x\"", "expansion" }, { "ls $(pwd)", "expansion" },
	{ "ls {a,b}", "expansion" }, { "ls ~", "expansion" }, { "ls $'a'", "expansion" },
	{ "$x", "opaque" }, { "ls &", "background" }, { "ls > x", "redirect" },
	{ "ls >> x", "redirect" }, { "ls >| x", "redirect" }, { "ls &> x", "redirect" },
	{ "ls <> x", "redirect" }, { "> x", "redirect" }, { "ls > $x", "redirect" },
	{ "ls 2>&1 > /dev/null", NULL }, { "cat < /dev/tcp/x/1", "redirect" },
	{ "cat < $x", "expansion" }, { "cat <<A\n$x\nA", "expansion" },
	{ "cat <<'A'\n$x\nA", NULL },
	{ "A=1", "assignment" }, { "A=1 ls", "assignment" }, { "LC_ALL=C ls", NULL },
	{ "LC_ALL=/x ls", "assignment" }, { "LC_ALL=$x ls", "assignment" },
	{ "if ls; then ls; fi", "compound" }, { "(ls)", "compound" }, { "! ls", "compound" },
	{ "ls | rm", "unknown_command" }, { "ls; ls && ls || ls | ls", NULL },
	{ "foo", "unknown_command" }, { "cat a\r", "opaque" },
	{ "cat \xE2\x80\xAE" "x", "opaque" },
	/* patterns */
	{ "cat *", NULL }, { "cat -- *", NULL }, { "sort *", "expansion" },
	{ "sort ./*", NULL }, { "sort -- *", NULL }, { "sort a*", NULL },
	{ "sort -*", "expansion" }, { "cat .*", "expansion" }, { "cat a/.[e]nv", "expansion" },
	{ "cat ./*", NULL }, { "uniq a*", "expansion" }, { "git log *", "expansion" },
	{ "\"l\"s *", NULL }, { "cat \"a\"*", "expansion" }, { "rg foo *", "expansion" },
	{ "grep foo *", NULL }, { "l* x", "opaque" },
	/* options that make it unsafe, whole, shortened, in a cluster */
	{ "sort -o x y", "option" }, { "sort -uox y", "option" }, { "sort --output=x", "option" },
	{ "sort --outp x", "option" }, { "sort --o=x", "option" },
	{ "sort --compress-program=x", "option" }, { "sort --compress x", "option" },
	{ "sort -k2 -t, x", NULL }, { "sort -T /x y", "option" },
	{ "tree -o x", "option" }, { "tree -R", "option" }, { "file -C -m x", "option" },
	{ "file --comp", "option" }, { "date -s x", "option" }, { "date --set=x", "option" },
	{ "date --se=x", "option" }, { "date 010203042025", "operand" }, { "date +%s", NULL },
	{ "date -d yesterday +%s", NULL }, { "date -u", NULL },
	{ "hostname x", "operand" }, { "hostname -f", NULL }, { "hostname -F x", "option" },
	{ "uniq a b", "operand" }, { "uniq -c a", NULL }, { "uniq -f 1 a", NULL },
	{ "xxd a b", "operand" }, { "xxd -r a", "option" }, { "xxd -l 8 a", NULL },
	{ "tail -f x", "option" }, { "tail -n 3 x", NULL }, { "tail --follow=name x", "option" },
	{ "rg --pre x y", "option" }, { "rg --pre=x y", "option" }, { "rg -z y", "option" },
	{ "rg --hostname-bin=x y", "option" }, { "fd -x rm", "option" },
	{ "fd -Hx rm", "opaque" }, { "fd foo", NULL }, { "diff -l a b", "option" },
	{ "printf -v x y", "option" }, { "printf x", NULL },
	{ "find . -exec ls {} +", NULL }, { "find . -exec rm {} +", "unknown_command" },
	{ "find . -ok ls \\;", "option" }, { "find . -delete", "option" },
	{ "find . -fprint x", "option" }, { "find . -fls x", "option" },
	{ "find . -fprintf x y", "option" }, { "find . -files0-from x", "option" },
	{ "find . -exec sort {} \\;", NULL }, { "find . -exec sort -o x {} \\;", "option" },
	{ "find . -exec ls {} + -delete", "option" }, { "find . -newthing", "option" },
	{ "find . -exec echo + -delete \\;", NULL },
	{ "find . -exec echo + {} \\; -delete", "option" },
	{ "sed -n 1,5p x", NULL }, { "sed -i s/a/b/ x", "option" },
	{ "sed -ni 1p x", "option" }, { "sed --in-place s/a/b/ x", "option" },
	{ "sed --in s/a/b/ x", "opaque" }, { "sed -f x y", "opaque" },
	{ "sed 'w x' y", "opaque" }, { "sed s/a/b/w y", "opaque" }, { "sed 'r x' y", "opaque" },
	{ "sed -e p -e 'e rm' y", "opaque" }, { "sed --expression=e y", "opaque" },
	{ "sed --expression=p y", NULL }, { "sed -nep y", "script" }, { "sed", "script" },
	{ "sed -n '/a/,/b/{p;q}' y", NULL }, { "sed 's|a|b|g;s/c/d/2' y", NULL },
	{ "awk 1 x", "unknown_command" },
	{ "git", "operand" }, { "git status", NULL }, { "git -C x status", "option" },
	{ "git --git-dir=x status", "option" }, { "git -c user.name=x log", "option" },
	{ "git -p log", "option" }, { "git --exec-path=x log", "opaque" },
	{ "git log --output=x", "option" }, { "git log --outp=x", "option" },
	{ "git diff --ext-diff", "option" }, { "git diff --ext", "option" },
	{ "git diff -Ox", "option" }, { "git grep -O x", "opaque" },
	{ "git grep --open=x y", "option" }, { "git show --textconv", "option" },
	{ "git log --show-sig", "option" }, { "git diff --no-index a b", "option" },
	{ "git push", "operand" }, { "git branch x", "operand" }, { "git branch -D x", "option" },
	{ "git branch -m x", "option" }, { "git branch -v x", "operand" },
	{ "git branch --list x", NULL }, { "git branch --contains x", NULL },
	{ "git branch --edit-description", "option" }, { "git branch -u x", "option" },
	{ "git tag x", "operand" }, { "git tag -d x", "option" }, { "git tag -l x", NULL },
	{ "git tag -am x y", "option" }, { "git stash", "operand" }, { "git stash list", NULL },
	{ "git stash show -p", NULL }, { "git stash drop", "operand" },
	{ "git remote", NULL }, { "git remote -v", NULL }, { "git remote add a b", "operand" },
	{ "git remote update", "operand" }, { "git remote get-url a", NULL },
	{ "git reflog", NULL }, { "git reflog expire --all", "operand" },
	{ "git config user.name", NULL }, { "git config user.name x", "operand" },
	{ "git config --get a.b", NULL }, { "git config --unset a.b", "option" },
	{ "git config -e", "option" }, { "git config edit", "operand" },
	{ "git config --add a.b c", "option" }, { "git worktree add x", "operand" },
	{ "git submodule update", "operand" }, { "git ls-remote x", "operand" },
	{ "git fetch", "operand" }, { "git rev-parse HEAD", NULL },
	{ "cd x && git status", "cd_git" }, { "cd x; bash -c 'git log'", "cd_git" },
	{ "cd", "operand" }, { "cd -", "operand" }, { "cd x y", "operand" },
	{ "xargs", "operand" }, { "ls | xargs cat", NULL }, { "ls | xargs sort", "operand" },
	{ "ls | xargs sort --", NULL }, { "ls | xargs rm", "unknown_command" },
	{ "ls | xargs -I{} cat {}", NULL }, { "ls | xargs -I {} cat {}", NULL },
	{ "ls | xargs -I{} sort {}", "operand" }, { "ls | xargs -I% cat %", "option" },
	{ "xargs -a x echo", "option" }, { "ls | xargs git log", "operand" },
	{ "ls | xargs git", "opaque" }, { "ls | xargs find", "opaque" },
	{ "ls | xargs sed -n p", "operand" }, { "ls | xargs sed -n p --", NULL },
	{ "bash -c ls", NULL }, { "bash -c 'rm x'", "unknown_command" }, { "bash x", "operand" },
	{ "sh -c 'ls > x'", "redirect" }, { "sh -c 'ls &'", "background" },
	{ "sh -c 'ls $1' x y", "expansion" }, { "sh -c 'if a; then b; fi'", "compound" },
	{ "timeout 5 ls", NULL }, { "timeout 5 rm x", "unknown_command" },
	{ "nice ls", NULL }, { "nice", "operand" }, { "env", NULL }, { "env -i", "operand" },
	{ "env A=1 ls", "assignment" }, { "env LANG=C ls", NULL }, { "env -S ls", NULL },
	{ "env -S 'A=1 ls'", "assignment" }, { "sudo ls", "unknown_command" },
	{ "command ls", NULL }, { "command -v x", NULL }, { "command rm x", "unknown_command" },
	{ "command", NULL }, { "exec ls", "unknown_command" },
	{ "node --version", NULL }, { "node -v", NULL }, { "node x", "option" },
	{ "node --version x", "option" }, { "npm --version", NULL }, { "npm test", "operand" },
	{ "npm ls", NULL }, { "npm ls --foo", "option" }, { "docker ps", NULL },
	{ "docker ps --host=x", "option" }, { "docker -H x ps", "option" },
	{ "docker logs -f x", "option" }, { "docker exec x ls", "operand" },
	{ "gh pr view 1", NULL }, { "gh pr view 1 --web", "option" }, { "gh pr merge", "operand" },
	{ "gh pr view https://x/y", "operand" }, { "gh pr list -R x/y", "option" },
	{ "ls | sh", "opaque" }, { "cat x | python3", "opaque" },
};

static void test_rows(void **state)
{
	int bad = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct arena *a = arena_new(SHELL_ARENA);
		const char *why = "unset";
		bool ok = safe(sv_of(rows[i].cmd), a, NULL, &why);

		if (ok != (rows[i].why == NULL) || ok != (why == NULL) ||
		    (why != NULL && strcmp(why, rows[i].why) != 0)) {
			print_error("%s: %s, not %s\n", rows[i].cmd, why == NULL ? "safe" :
				why, rows[i].why == NULL ? "safe" : rows[i].why);
			bad++;
		}
		arena_free(&a);
	}
	assert_int_equal(bad, 0);
}

/* What is read: "path" and a letter for each. */
static const struct {
	const char *cmd, *reads;
} reads[] = {
	{ "cat .env", ".env=p" }, { "cat a b", "a=p b=p" },
	{ "head -n 5 .env", "5=p .env=p" }, { "cat < .env", ".env=p" },
	{ "grep -n KEY .env", ".env=p" }, { "grep -e KEY .env x", "KEY=p .env=p x=p" },
	{ "grep -f .env x", ".env=p x=p" }, { "grep --file=.env x", ".env=p x=p" },
	{ "grep -f.env x", ".env=p x=p" }, { "grep -rn KEY src", "n=p src=t" },
	{ "grep -r KEY", ".=t" }, { "rg KEY", ".=t" }, { "rg KEY src", "src=t" },
	{ "find . -name x", ".=t" }, { "find . -exec cat {} +", ".=t {}=u" },
	{ "find -name x", ".=t" },
	{ "ls | xargs cat", ".=u" }, { "cat src/*.c", "src/*.c=g" },
	{ "cd a && cat .env", "a=p .env=p a/.env=p" }, { "cd /a; cat /b", "/a=p /b=p" },
	{ "sed -n p .env", ".env=p" }, { "jq . .env", ".env=p" },
	{ "bash -c 'cat .env'", ".env=p" }, { "env", "/proc/self/environ=p" },
	{ "printenv A", "/proc/self/environ=p" }, { "git show HEAD:.env", "HEAD:.env=p .env=p" },
	{ "echo .env", "" }, { "wc --files0-from=.env", ".env=p" }, { "ls | cat", "" },
	{ "sort -u .env | cat x", ".env=p x=p" },
};

static void test_reads(void **state)
{
	struct buf b;
	int bad = 0;

	(void)state;
	buf_init(&b, 1 << 12);
	for (size_t i = 0; i < sizeof(reads) / sizeof(reads[0]); i++) {
		struct arena *a = arena_new(SHELL_ARENA);
		struct shell_reads r;
		const char *why = NULL;

		buf_clear(&b);
		if (!safe(sv_of(reads[i].cmd), a, &r, &why))
			buf_adds(&b, why);
		for (size_t k = 0; k < r.n; k++)
			buf_addf(&b, "%s%.*s=%c", k > 0 ? " " : "", SVFMT(r.r[k].path),
				"ptgu"[r.r[k].kind]);
		if (!sv_eqs(buf_sv(&b), reads[i].reads)) {
			print_error("%s: %.*s, not %s\n", reads[i].cmd, SVFMT(buf_sv(&b)),
				reads[i].reads);
			bad++;
		}
		arena_free(&a);
	}
	buf_free(&b);
	assert_int_equal(bad, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_everyday),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_reads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
