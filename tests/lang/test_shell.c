/*
 * test_shell.c - what the shell parser reads out of a text, and what it will
 * not say it can read.
 */
#include "check.h"

#include "base/mem.h"
#include "lang/shell.h"
#include "lang/shell_safe.h"
#include "shell_print.h"

struct row {
	const char *cmd, *want;    /* want: see shell_print.h */
};

static const struct row rows[] = {
	/* words and quotes */
	{ "", "" },
	{ "   ", "" },
	{ "# only a comment", "" },
	{ "ls -la", "ls|-la" },
	{ "ls\t-la  x", "ls|-la|x" },
	{ "echo 'a b' \"c d\" e\\ f", "echo|a b|c d|e f" },
	{ "echo '' \"\"", "echo||" },
	{ "echo \"a\\\"b\\$c\\`d\\\\e\\f\"", "echo|a\"b$c`d\\e\\f" },
	{ "echo 'it'\\''s'", "echo|it's" },
	{ "echo a\\\nb", "echo|%ab" },
	{ "echo a \\\n  b", "echo|a|b" },
	{ "echo \"a\\\nb\"", "echo|ab" },
	{ "echo $'a\\tb\\x41\\u00e9' c", "echo|%a\tbA\xC3\xA9|c" },
	{ "echo $'\\'' c", "echo|'|c!unknown_shell (unknown_shell)" },
	{ "a <&-b", "a!syntax (syntax)" }, { "a >&-\\\nb", "a!syntax (syntax)" },
	{ "a &>f b", "a|b<&>f>!unknown_shell (unknown_shell)" },
	{ "a \\", "a!syntax (syntax)" },
	{ "[[ a == b ]]", "[[|a|==|b|]]" },
	{ "echo $'a\\cx' $'\\0' $'\\q'", "echo|$$'a\\cx'|$$'\\0'|$$'\\q'" },
	{ "echo $\"a\"", "echo|$$\"a\"" },
	{ "echo a$ \"$\" $", "echo|a$|$|$" },
	{ "echo {a,b} {} {1..3} HEAD@{1} a{b}c", "echo|${a,b}|{}|${1..3}|HEAD@{1}|a{b}c" },
	{ "echo * a?b [ab] \"*\" '?' \\*", "echo|$*|$a?b|$[ab]|*|?|*" },
	{ "echo ~ ~x a~ --p=~/x \"~\"", "echo|$~|$~x|a~|$--p=~/x|~" },
	{ "[ -f x ]", "[|-f|x|]" },
	{ "echo =ls a=b", "echo|$=ls|a=b" },
	{ "--for'ce' \"re\"set a'b c'", "%--force|%reset|%ab c" },
	{ "git commit -m\"x y\" --format=\"%H\"", "git|commit|%-mx y|--format=%H" },
	/* expansions */
	{ "echo $a ${b:-c} $1 $@ $? \"$x\"", "echo|$$a|$${b:-c}|$$1|$$@|$$?|$\"$x\"" },
	{ "echo $(ls -l; pwd) x", "echo|$$(ls -l; pwd)|x / substitution>ls|-l ; / "
		"substitution>pwd" },
	{ "echo \"a $(ls \"b c\") d\"", "echo|$\"a $(ls \"b c\") d\" / substitution>ls|b c" },
	{ "echo `ls \\`pwd\\``", "echo|$`ls \\`pwd\\`` / substitution>ls|$`pwd` / "
		"substitution>pwd" },
	{ "echo ${a:-$(rm x)}", "echo|$${a:-$(rm x)} / substitution>rm|x" },
	{ "echo $((1 + $(rm x)))", "echo|$$((1 + $(rm x))) / substitution>rm|x" },
	{ "cat <(ls) >(sh)", "cat|$<(ls)|$>(sh) / process substitution>ls / "
		"process substitution>sh!piped_to_shell (piped_to_shell)" },
	{ "a=$(rm x) b=(1 $(ls)) c+=2", "[$a=$(rm x)][$b=(1 $(ls))][c+=2] / "
		"substitution>rm|x / substitution>ls" },
	{ "echo $(case x in a) ls;; esac)", "echo|$$(case x in a) ls;; esac) / "
		"substitution>ls" },
	/* joining */
	{ "a; b\nc && d || e | f |& g & h", "a ; / b ; / c && / d || / e | / f |& / g & / h" },
	{ "a;", "a" }, { "a &", "a &" }, { "a\n", "a" },
	{ "a |\n b &&\n\n c", "a | / b && / c" },
	{ "a # b; rm x\nc", "a ; / c" },
	{ "a#b '#' #c", "a#b|#" },
	/* redirections */
	{ "a >b 2>>c <d 3<>e >|f >&2 2>&1 <&-",
		"a<>b><2>>c><<d><3<>e><>|f><>&2><2>&1><<&->" },
	{ "a &>b", "a<&>b>" }, { "a >&b", "a<&>b>" }, { "a &>>b; c", "a<&>>b> ; / c" },
	{ ">x", "<>x>" },
	{ "a 2 >b", "a|2<>b>" },
	{ "a 10>b", "a<10>b>!unknown_shell (unknown_shell)" },
	{ "a {fd}>b", "a<-2>b>!unknown_shell (unknown_shell)" },
	{ "cat <<< 'a b'", "cat<<<<a b>" },
	/* heredocs */
	{ "cat <<A\nx $y\nA\nls", "cat<<<A$x $y\n> ; / ls" },
	{ "cat <<'A'\n$(rm x)\nA\nls", "cat<<<A:$(rm x)\n> ; / ls" },
	{ "cat <<A\n$(rm x)\nA", "cat<<<A$$(rm x)\n> / substitution>rm|x" },
	{ "cat <<A\na \\$b \\\nc\nA", "cat<<<A:a $b c\n>" },
	{ "cat <<-A\n\t\tx\n\tA\nls", "cat<<<A:x\n> ; / ls" },
	{ "cat <<A <<'B' | wc\n1\nA\n2\nB\nls", "cat<<<A:1\n><<<B:2\n> | / wc ; / ls" },
	{ "cat <<\"A B\"\nx\nA B", "cat<<<A B:x\n>" },
	{ "cat <<A\nx", "cat<<<A$x>!unterminated_heredoc (unterminated_heredoc)" },
	{ "cat <<A\nx\n A\nA", "cat<<<A:x\n A\n>" },
	{ "echo $(cat <<A\nx\nA\n)", "echo|$$(cat <<A\nx\nA\n) / substitution>cat<<<A:x\n>" },
	/* compound commands */
	{ "if a; then b; elif c; then d; else e; fi", "a / b / c / d / e" },
	{ "while a; do b; done | c", "a / b | / c" },
	{ "until a\ndo b\ndone > f", "a / b / <>f>" },
	{ "for x in 1 $(ls); do rm $x; done", "substitution>ls / rm|$$x" },
	{ "for x; do a; done", "a" },
	{ "for ((i=0;i<3;i++)); do a; done", "a" },
	{ "case $x in (a|b) c;; *) d;& e) ;; esac", "c / d" },
	{ "(a; b) && { c; d; }", "a ; / b && / c ; / d" },
	{ "(a) 2>/dev/null | b", "a / <2>/dev/null> | / b" },
	{ "! a", "a" }, { "time -p a", "a" },
	{ "[[ -f x && y == z* ]] && a", "[[|-f|x|&&|y|==|$z*|]] &&!unknown_shell / a (unknown_shell)" },
	{ "if [[ $a == b ]]; then c; fi", "[[|$$a|==|b|]] / c" },
	/* no answer rather than a wrong one */
	{ "echo 'a", "echo!unterminated_quote (unterminated_quote)" },
	{ "echo \"a", "echo!unterminated_quote (unterminated_quote)" },
	{ "echo `a", "echo!unterminated_quote (unterminated_quote)" },
	{ "a && ", "a && (syntax)" }, { "a | | b", "a | (syntax)" },
	{ "; a", " (syntax)" }, { "a ;; b", "a (syntax)" }, { "a )", "a (syntax)" },
	{ "if a; then b", "a / b (syntax)" }, { "fi", " (syntax)" },
	{ "{ a", "a (syntax)" }, { "echo $((a);(b))", "echo!syntax (syntax)" },
	{ "echo ${ rm x; }", "echo!syntax (syntax)" },
	{ "echo \"${a:-'b'}\"", "echo!syntax (syntax)" },
	{ "echo $[1+1]", "echo!syntax (syntax)" },
	{ "echo \"$\\\n(rm x)\"", "echo!syntax (syntax)" },
	{ "i\\\nf a", "%if!syntax (syntax)" },
	{ "!\\\n a", "!!syntax (syntax)" },
	{ "echo 1\\\n>f", "echo!syntax (syntax)" },
	{ "cat <<A\nB\\\nA\nA", "cat<<<A$B\\\n>!syntax (syntax)" },
	{ "cat <<A $(echo\nx)\nA", "cat<<<A$>!syntax / substitution>echo (syntax)" },
	{ "ls *(e:x:)", "ls!zsh_syntax (zsh_syntax)" },
	{ "=(ls)", " (zsh_syntax)" },
	{ "repeat 3 rm x", " (zsh_syntax)" },
	{ "() { rm x; }", " (zsh_syntax)" },
	{ "a >!f", "a<>!f>!zsh_syntax (zsh_syntax)" },
	{ "((rm x))", "$((rm x))!unknown_shell (unknown_shell)" },
	{ "coproc rm x", "rm|x!coproc (coproc)" },
	{ "f() { rm x; }; f", "rm|x ; / f!function (function)" },
	{ "function f { rm x; }\nf y", "rm|x ; / f|y!function (function)" },
};

/* Wrappers: how what runs in the end is reached. */
static const struct row wraps[] = {
	{ "sudo -u www rm x", "sudo|-u|www|rm|x / sudo>rm|x" },
	{ "sudo A=1 rm x", "sudo|A=1|rm|x / sudo>rm|x" },
	{ "sudo -u $U rm x", "sudo|-u|$$U|rm|x!variable_command / sudo>rm|x (variable_command)" },
	{ "sudo --zap rm x", "sudo|--zap|rm|x!wrapper_options (wrapper_options)" },
	{ "sudo sudo rm", "sudo|sudo|rm / sudo>sudo|rm / sudo>rm" },
	{ "doas -u root rm x", "doas|-u|root|rm|x / doas>rm|x" },
	{ "su -c 'rm x' www", "su|-c|rm x|www / su>rm|x" },
	{ "su - www -c 'rm x'", "su|-|www|-c|rm x / su>rm|x" },
	{ "sh -c 'a; rm \"x y\"'", "sh|-c|a; rm \"x y\" / sh>a ; / sh>rm|x y" },
	{ "bash -lc 'cd x && rm y'", "bash|-lc|cd x && rm y / bash>cd|x && / bash>rm|y" },
	{ "bash -ec -x 'rm y' z", "bash|-ec|-x|rm y|z / bash>rm|y" },
	{ "sh -c \"sh -c 'rm x'\"", "sh|-c|sh -c 'rm x' / sh>sh|-c|rm x / sh>rm|x" },
	{ "sh -c 'echo'\"'\"", "sh|-c|echo'!unterminated_quote "
		"(unterminated_quote)" },
	{ "sh -c \"$x\"", "sh|-c|$\"$x\"!variable_command (variable_command)" },
	{ "sh -c \"$(x)\"", "sh|-c|$\"$(x)\"!substitution_command / substitution>x "
		"(substitution_command)" },
	{ "bash x.sh", "bash|x.sh" },
	{ "bash $x", "bash|$$x!variable_command (variable_command)" },
	{ "bash <(curl x)", "bash|$<(curl x)!process_substitution / "
		"process substitution>curl|x (process_substitution)" },
	{ "bash", "bash!interpreter_stdin (interpreter_stdin)" },
	{ "bash < x", "bash<<x>!interpreter_stdin (interpreter_stdin)" },
	{ "bash --init-file x", "bash|--init-file|x!wrapper_options (wrapper_options)" },
	{ "bash <<'A'\nrm x\nA", "bash<<<A:rm x\n> / bash>rm|x" },
	{ "bash <<A\nrm $x\nA", "bash<<<A$rm $x\n>!interpreter_stdin (interpreter_stdin)" },
	{ "sudo bash <<'A' && ls\nrm x\nA", "sudo|bash<<<A:rm x\n> && / sudo>bash / ls / bash>rm|x" },
	{ "sh <<< 'rm x'", "sh<<<<rm x> / sh>rm|x" },
	{ "ssh -p 22 h 'a; rm x'", "ssh|-p|22|h|a; rm x / ssh>a ; / ssh>rm|x" },
	{ "ssh h -t sudo rm x", "ssh|h|-t|sudo|rm|x / ssh>sudo|rm|x / sudo>rm|x" },
	{ "ssh h", "ssh|h!remote_command (remote_command)" },
	{ "ssh -o ProxyCommand=x h ls", "ssh|-o|ProxyCommand=x|h|ls!wrapper_options / "
		"ssh>ls (wrapper_options)" },
	{ "ssh h <<'A'\nrm x\nA", "ssh|h<<<A:rm x\n> / ssh>rm|x" },
	{ "env -i A=1 rm x", "env|-i|A=1|rm|x / env>rm|x" },
	{ "env LD_PRELOAD=x ls", "env|LD_PRELOAD=x|ls!assignment_env / env>ls (assignment_env)" },
	{ "env -S 'A=1 rm' x", "env|-S|A=1 rm|x / env -S>env|A=1|rm|x / env>rm|x" },
	{ "env -S 'rm \"x\"'", "env|-S|rm \"x\"!wrapper_options (wrapper_options)" },
	{ "nice -n 5 nohup timeout -k 1 5 stdbuf -oL rm x", "nice|-n|5|nohup|timeout|-k|1|5|"
		"stdbuf|-oL|rm|x / nice>nohup|timeout|-k|1|5|stdbuf|-oL|rm|x / "
		"nohup>timeout|-k|1|5|stdbuf|-oL|rm|x / timeout>stdbuf|-oL|rm|x / stdbuf>rm|x" },
	{ "setsid -w rm x", "setsid|-w|rm|x / setsid>rm|x" },
	{ "time -v rm x", "time|-v|rm|x / time>rm|x" },
	{ "watch -n 1 'rm x; ls'", "watch|-n|1|rm x; ls / watch>rm|x ; / watch>ls" },
	{ "xargs -0 rm -f", "xargs|-0|rm|-f / xargs>rm|-f..." },
	{ "xargs -I{} rm {}", "xargs|-I{}|rm|{} / xargs>rm|{}" },
	{ "xargs -I% sh -c 'rm %'", "xargs|-I%|sh|-c|rm %!variable_command / "
		"xargs>sh|-c|rm % / sh>rm|% (variable_command)" },
	{ "xargs sh -c", "xargs|sh|-c / xargs>sh|-c...!piped_to_shell (piped_to_shell)" },
	{ "xargs bash", "xargs|bash / xargs>bash...!piped_to_shell (piped_to_shell)" },
	{ "xargs env", "xargs|env / xargs>env...!piped_to_shell (piped_to_shell)" },
	{ "xargs -I{} {}", "xargs|-I{}|{}!variable_command / xargs>{} (variable_command)" },
	{ "find . -exec rm {} \\; -o -delete", "find|.|-exec|rm|{}|;|-o|-delete / "
		"find -exec>rm|{} / find -delete>-delete" },
	{ "find . -execdir a {} + -ok b \\;", "find|.|-execdir|a|{}|+|-ok|b|; / "
		"find -execdir>a|{} / find -ok>b" },
	{ "find . -exec sh -c 'rm {}' \\;", "find|.|-exec|sh|-c|rm {}|; / find -exec>sh|-c|"
		"rm {}!variable_command / sh>rm|{} (variable_command)" },
	{ "find . -fprintf x y", "find|.|-fprintf|x|y / find -fprint>-fprintf|x|y" },
	{ "find . -exec rm", "find|.|-exec|rm!wrapper_options / find -exec>rm (wrapper_options)" },
	{ "fd -e c -x rm", "fd|-e|c|-x|rm / fd>rm..." },
	{ "parallel rm {} ::: a", "parallel|rm|{}|:::|a / parallel>rm|{}..." },
	{ "parallel ::: 'rm x'", "parallel|:::|rm x!interpreter_stdin (interpreter_stdin)" },
	{ "busybox sh -c 'rm x'", "busybox|sh|-c|rm x / busybox>sh|-c|rm x / sh>rm|x" },
	{ "chroot /r rm x", "chroot|/r|rm|x / chroot>rm|x" },
	{ "unshare -r --fork rm x", "unshare|-r|--fork|rm|x / unshare>rm|x" },
	{ "flock l -c 'rm x'", "flock|l|-c|rm x / flock>rm|x" },
	{ "flock -n l rm x", "flock|-n|l|rm|x / flock>rm|x" },
	{ "script -qc 'rm x' /dev/null", "script|-qc|rm x|/dev/null / script>rm|x" },
	{ "strace -f -o o rm x", "strace|-f|-o|o|rm|x / strace>rm|x" },
	{ "command rm x", "command|rm|x / command>rm|x" },
	{ "command -v rm", "command|-v|rm" },
	{ "builtin eval 'rm x'", "builtin|eval|rm x / builtin>eval|rm x!eval / eval>rm|x (eval)" },
	{ "exec rm x", "exec|rm|x / exec>rm|x" },
	{ "exec 2>&1", "exec<2>&1>!exec_redirect (exec_redirect)" },
	{ "eval rm x", "eval|rm|x!eval / eval>rm|x (eval)" },
	{ "trap 'rm x' EXIT", "trap|rm x|EXIT!trap / trap>rm|x (trap)" },
	{ "trap - EXIT", "trap|-|EXIT" },
	{ "docker exec -it c sh -c 'rm x'", "docker|exec|-it|c|sh|-c|rm x / "
		"docker exec>sh|-c|rm x / sh>rm|x" },
	{ "docker --context p run --rm -v a:b i rm x", "docker|--context|p|run|--rm|-v|a:b|i|"
		"rm|x / docker run>rm|x" },
	{ "docker run --entrypoint sh i", "docker|run|--entrypoint|sh|i!wrapper_options "
		"(wrapper_options)" },
	{ "docker compose exec -T w rm x", "docker|compose|exec|-T|w|rm|x / "
		"docker compose exec>rm|x" },
	{ "docker ps -a", "docker|ps|-a" },
	{ "kubectl -n a exec p -c c -- rm x", "kubectl|-n|a|exec|p|-c|c|--|rm|x / "
		"kubectl exec>rm|x" },
	{ "kubectl exec p rm", "kubectl|exec|p|rm!wrapper_options / kubectl exec>rm "
		"(wrapper_options)" },
	{ "tar xf a --to-command='rm x'", "tar|xf|a|--to-command=rm x / --to-command>rm|x" },
	{ "tar --checkpoint-act exec='rm x'", "tar|--checkpoint-act|exec=rm x / "
		"tar --checkpoint-action>rm|x" },
	{ "env - rm x", "env|-|rm|x / env>rm|x" },
	{ "ssh -o BatchMode=yes h ls", "ssh|-o|BatchMode=yes|h|ls / ssh>ls" },
	{ "ssh -oLocalCommand=x h ls", "ssh|-oLocalCommand=x|h|ls!wrapper_options / "
		"ssh>ls (wrapper_options)" },
	{ "tar -I./x -xf y", "tar|-I./x|-xf|y / tar -I>./x" },
	{ "tar -xvI 'rm x' -f y", "tar|-xvI|rm x|-f|y / tar -I>rm|x" },
	{ "tar -xf I -C F", "tar|-xf|I|-C|F" },
	{ "strace -E LD_PRELOAD=x ls", "strace|-E|LD_PRELOAD=x|ls!wrapper_options / strace>ls "
		"(wrapper_options)" },
	{ "tar cIf x y", "tar|cIf|x|y!wrapper_options (wrapper_options)" },
	{ "git -c alias.s='!rm x' s", "git|-c|alias.s=!rm x|s!alias / git alias>rm|x (alias)" },
	{ "git -c core.sshCommand='rm x' fetch", "git|-c|core.sshCommand=rm x|fetch / git -c>rm|x" },
	{ "git -c core.fsmonitor=./x status", "git|-c|core.fsmonitor=./x|status / git -c>./x" },
	{ "git -c a.b=c log", "git|-c|a.b=c|log!wrapper_options (wrapper_options)" },
	{ "git -c user.name=c log", "git|-c|user.name=c|log" },
	{ "git clone -u 'rm x' y", "git|clone|-u|rm x|y / git --upload-pack>rm|x" },
	{ "git clone 'ext::rm x'", "git|clone|ext::rm x / git ext::>rm|x" },
	{ "git rebase -x 'rm x' m", "git|rebase|-x|rm x|m / git rebase -x>rm|x" },
	{ "git bisect run rm x", "git|bisect|run|rm|x / git bisect run>rm|x" },
	{ "git config alias.x '!rm y'", "git|config|alias.x|!rm y!alias / git alias>rm|y (alias)" },
	{ "python3 -c 'x'", "python3|-c|x{python}!interpreter_code (interpreter_code)" },
	{ "python3.11 -Bc 'x' y", "python3.11|-Bc|x|y{python}!interpreter_code (interpreter_code)" },
	{ "python3 x.py -c y", "python3|x.py|-c|y" },
	{ "python3 -m http.server", "python3|-m|http.server" },
	{ "python3 - <<'A'\nx\nA", "python3|-<<<A:x\n>{python}!interpreter_stdin (interpreter_stdin)" },
	{ "perl -i.bak -pe 's/a/b/' f", "perl|-i.bak|-pe|s/a/b/|f{perl}!interpreter_code "
		"(interpreter_code)" },
	{ "ruby -ne 'x' f", "ruby|-ne|x|f{ruby}!interpreter_code (interpreter_code)" },
	{ "node -e x", "node|-e|x{node}!interpreter_code (interpreter_code)" },
	{ "psql -h h -c 'drop table x' db", "psql|-h|h|-c|drop table x|db{psql}!interpreter_code "
		"(interpreter_code)" },
	{ "psql db <<'A'\n\\! rm x\nA", "psql|db<<<A:\\! rm x\n>{psql}!interpreter_stdin "
		"(interpreter_stdin)" },
	{ "psql db", "psql|db" },
	{ "sqlite3 -csv d 'delete from x'", "sqlite3|-csv|d|delete from x{sqlite3}!interpreter_code "
		"(interpreter_code)" },
	{ "mysql -uroot d -e 'x'", "mysql|-uroot|d|-e|x{mysql}!interpreter_code (interpreter_code)" },
	{ "awk '{print $1}' f", "awk|{print $1}|f{awk}" },
	{ "awk 'BEGIN { system(\"rm x\") }'", "awk|BEGIN { system(\"rm x\") }{awk}!interpreter_code "
		"(interpreter_code)" },
	{ "sed -n '1,5p' f", "sed|-n|1,5p|f{sed}" },
	{ "sed 's/a/rm x/e' f", "sed|s/a/rm x/e|f{sed}!interpreter_code (interpreter_code)" },
	{ "sed -e 2d -e 'w x' f", "sed|-e|2d|-e|w x|f{sed}!interpreter_code (interpreter_code)" },
	{ "vim -es '+!rm x' f", "vim|-es|+!rm x|f{vim}!interpreter_code (interpreter_code)" },
	{ "man -P 'rm x' ls", "man|-P|rm x|ls / man>rm|x" },
	{ "echo a | sh", "echo|a | / sh!piped_to_shell (piped_to_shell)" },
	{ "a | sudo sh -s", "a | / sudo|sh|-s / sudo>sh|-s!piped_to_shell (piped_to_shell)" },
	{ "a | base64 -d | (cd x; bash)", "a | / base64|-d | / cd|x ; / bash!decoded_to_shell "
		"(decoded_to_shell)" },
	{ "fish -c 'rm x'", "fish|-c|rm x{fish}!unknown_shell (unknown_shell)" },
	{ "pwsh -c 'rm x'", "pwsh|-c|rm x!powershell (powershell)" },
	{ "rsync -e 'rm x' a b", "rsync|-e|rm x|a|b / rsync>rm|x" },
	{ "sort --compress-prog='rm x'", "sort|--compress-prog=rm x / sort>rm|x" },
	{ "npx -c 'rm x'", "npx|-c|rm x / npx>rm|x" },
	{ "poetry run rm x", "poetry|run|rm|x / poetry run>rm|x" },
	{ "tmux send-keys a Enter", "tmux|send-keys|a|Enter!remote_command (remote_command)" },
	{ "make --eval='x:;rm'", "make|--eval=x:;rm / make>x: ; / make>rm" },
};

static int run_rows(const struct row *r, size_t n)
{
	struct buf b;
	int bad = 0;

	buf_init(&b, 1 << 16);
	for (size_t i = 0; i < n; i++) {
		struct arena *a = arena_new(SHELL_ARENA);
		struct shell sh;

		buf_clear(&b);
		shell_parse(sv_of(r[i].cmd), a, &sh);
		shell_print(&sh, &b);
		if (!sv_eqs(buf_sv(&b), r[i].want)) {
			print_error("%s:\n  got  %.*s\n  want %s\n", r[i].cmd,
				SVFMT(buf_sv(&b)), r[i].want);
			bad++;
		}
		arena_free(&a);
	}
	buf_free(&b);
	return bad;
}

static void test_rows(void **state)
{
	(void)state;
	assert_int_equal(run_rows(rows, sizeof(rows) / sizeof(rows[0])), 0);
}

static void test_wrappers(void **state)
{
	(void)state;
	assert_int_equal(run_rows(wraps, sizeof(wraps) / sizeof(wraps[0])), 0);
}

/* ---- known ways around a command filter; each is a name in the output ---- */

struct bypass {
	const char *name, *cmd;
	const char *seen;          /* in the printed answer */
};
static const struct bypass bypasses[] = {
	{ "quotes inside a word", "r''m -rf /", "%rm|-rf|/" },
	{ "double quotes inside a word", "r\"\"m -rf /", "%rm|-rf|/" },
	{ "quoted half of a word", "r'm' -rf /", "%rm|-rf|/" },
	{ "backslash in a word", "r\\m -rf /", "%rm|-rf|/" },
	{ "backslash in front", "\\rm -rf /", "%rm|-rf|/" },
	{ "backslash-escaped flag", "rm \\-rf /", "rm|%-rf|/" },
	{ "line continuation in a word", "r\\\nm -rf /", "!syntax" },
	{ "line continuation", "ls \\\n; rm x", "rm|x" },
	{ "$IFS", "rm$IFS-rf$IFS/", "!variable_command" },
	{ "${IFS}", "rm${IFS}-rf${IFS}/", "!variable_command" },
	{ "${x:-rm}", "${x:-rm} -rf /", "!variable_command" },
	{ "${v@P}", "echo ${v@P}", "$${v@P}" },
	{ "$'\\x72m'", "$'\\x72m' -rf /", "%rm|-rf|/" },
	{ "brace expansion", "{rm,-rf,/}", "!brace_command" },
	{ "variable as command", "a=rm;$a -rf /", "!variable_command" },
	{ "LD_PRELOAD", "LD_PRELOAD=./x ls", "!assignment_env" },
	{ "GIT_SSH_COMMAND", "GIT_SSH_COMMAND=x git fetch", "!assignment_env" },
	{ "PAGER", "PAGER=x git log", "!assignment_env" },
	{ "BASH_ENV", "BASH_ENV=x ls", "!assignment_env" },
	{ "bare assignment", "PATH=.", "!assignment_env" },
	{ "exported assignment", "export LD_PRELOAD=x", "!assignment_env" },
	{ "prefix matching", "git statusx; rm x", "rm|x" },
	{ "alias", "alias ls=rm; ls x", "!alias" },
	{ "function", "ls() { rm -rf /; }; ls", "ls!function" },
	{ "command", "command rm x", "command>rm|x" },
	{ "env -S", "env -S 'rm -rf /'", "env>rm|-rf|/" },
	{ "env -S attached", "env '-Srm -rf /'", "env>rm|-rf|/" },
	{ "env -S quoted", "env -S'\\x72m x'", "!wrapper_options" },
	{ "busybox", "busybox rm x", "busybox>rm|x" },
	{ "nice", "nice rm x", "nice>rm|x" },
	{ "timeout", "timeout 1 rm x", "timeout>rm|x" },
	{ "nohup", "nohup rm x", "nohup>rm|x" },
	{ "xargs", "echo x | xargs rm", "xargs>rm..." },
	{ "parallel", "parallel rm ::: x", "parallel>rm..." },
	{ "watch", "watch rm x", "watch>rm|x" },
	{ "sudo", "sudo rm x", "sudo>rm|x" },
	{ "doas", "doas rm x", "doas>rm|x" },
	{ "find -exec", "find . -exec rm {} +", "find -exec>rm|{}" },
	{ "find -delete", "find . -delete", "find -delete>-delete" },
	{ "find -fprint", "find . -fprint x", "find -fprint>-fprint|x" },
	{ "git -c alias", "git -c alias.x='!rm y' x", "git alias>rm|y" },
	{ "git -c core.pager", "git -c core.pager='rm y' log", "git -c>rm|y" },
	{ "git -c core.sshCommand", "git -c core.sshCommand=x fetch", "git -c>x" },
	{ "git -c core.fsmonitor", "git -c core.fsmonitor=x status", "git -c>x" },
	{ "git -c in other letters", "git -c CORE.Pager='rm y' log", "git -c>rm|y" },
	{ "git --config-env", "git --config-env=core.pager=X log", "!wrapper_options" },
	{ "--upload-pack", "git fetch --upload-pack='rm x' y", "--upload-pack>rm|x" },
	{ "--upload-pack shortened", "git fetch --upl='rm x' y", "--upload-pack>rm|x" },
	{ "tar --checkpoint-action", "tar cf a --checkpoint-action=exec='rm x' b",
		"tar --checkpoint-action>rm|x" },
	{ "awk system()", "awk 'BEGIN{system(\"rm x\")}'", "{awk}!interpreter_code" },
	{ "awk pipe", "awk '{print | \"sh\"}'", "{awk}!interpreter_code" },
	{ "sed e", "sed '1e rm x' f", "{sed}!interpreter_code" },
	{ "sed s///e", "sed 's/a/rm x/e' f", "{sed}!interpreter_code" },
	{ "sed w", "sed -n 'w x' f", "{sed}!interpreter_code" },
	{ "piped sed", "echo 'rm x' | sed e", "{sed}!interpreter_code" },
	{ "vim -c", "vim -c ':!rm x'", "{vim}!interpreter_code" },
	{ "man -P", "man -P 'rm x' ls", "man>rm|x" },
	{ "man --pager", "man --pager='rm x' ls", "man>rm|x" },
	{ "man --html", "man -H'rm x' ls", "!wrapper_options" },
	{ "process substitution", "cat <(rm x)", "process substitution>rm|x" },
	{ "zsh [[ =~ ]]", "[[ a =~ b ]]", "!zsh_syntax" },
	{ "zsh subscripts", "[[ -v 'a[$(rm x)]' ]]", "!zsh_syntax" },
	{ "subscripts", "test -v 'a[$(rm x)]'", "!eval" },
	{ "printf -v subscript", "printf -v 'a[$(rm x)]' y", "!eval" },
	{ "zsh glob qualifier", "ls *(e:'rm x':)", "!zsh_syntax" },
	{ "zsh =command", "=rm x", "!zsh_syntax" },
	{ "heredoc to sh", "sh <<'A'\nrm x\nA", "sh>rm|x" },
	{ "heredoc to python", "python3 <<'A'\nx\nA", "!interpreter_stdin" },
	{ "heredoc to perl", "perl <<'A'\nx\nA", "!interpreter_stdin" },
	{ "heredoc to psql", "psql <<'A'\nx\nA", "!interpreter_stdin" },
	{ "heredoc that expands", "cat <<A\n$(rm x)\nA", "substitution>rm|x" },
	{ "herestring", "bash <<< 'rm x'", "bash>rm|x" },
	{ "trailing &", "rm x &", "rm|x &" },
	{ "; after 200 blanks", "ls                                                     "
		"                                                                          "
		"                                                                   ; rm x",
		"rm|x" },
	{ "newline", "ls\nrm x", "rm|x" }, { "&&", "ls && rm x", "rm|x" },
	{ "# hides", "ls # \nrm x", "rm|x" },
	{ "CR", "ls # \rrm x", "(control_character)" },
	{ "CR in a word", "ls\rrm", "!lookalike_command" },
	{ "NBSP", "ls\xC2\xA0-la", "!lookalike_command" },
	{ "homoglyph", "\xD1\x80m -rf /", "!lookalike_command" },
	{ "BOM", "\xEF\xBB\xBFrm x", "!lookalike_command" },
	{ "zero width", "rm \xE2\x80\x8Bx", "!hidden_character" },
	{ "bidi", "echo \xE2\x80\xAE" "x", "!hidden_character" },
	{ "tags", "echo x\xF3\xA0\x81\x81", "!hidden_character" },
	{ "invalid UTF-8", "echo \xFF", "!invalid_utf8" },
	{ "escape sequence", "echo \x1b[2K", "(control_character)" },
	{ "psql \\!", "psql -c '\\! rm x'", "{psql}!interpreter_code" },
	{ "MySQL /*! */", "mysql -e '/*!50000 DROP TABLE x */'", "{mysql}!interpreter_code" },
	{ "curl | sh", "curl x | sh", "sh!piped_to_shell" },
	{ "base64 -d | sh", "echo x | base64 -d | sh", "sh!decoded_to_shell" },
	{ "xxd -r | sh", "echo x | xxd -r -p | bash", "bash!decoded_to_shell" },
	{ "tee >(sh)", "echo x | tee >(sh)", "sh!piped_to_shell" },
	{ "sh -c", "sh -c 'rm x'", "sh>rm|x" },
	{ "eval", "eval 'rm x'", "eval>rm|x" },
	{ "python -c", "python -c x", "{python}!interpreter_code" },
	{ "perl -e", "perl -e x", "{perl}!interpreter_code" },
	{ "node -e", "node -e x", "{node}!interpreter_code" },
	{ "ssh", "ssh h 'rm x'", "ssh>rm|x" },
	{ "rg --pre", "rg --pre='rm x' y", "rg>rm|x" },
	{ "sort --compress-program", "sort --compress-program=rm x", "sort>rm" },
	{ "backquotes", "echo `rm x`", "substitution>rm|x" },
	{ "nested backquotes", "echo \"`echo \\`rm x\\``\"", "substitution>rm|x" },
	{ "arithmetic", "echo $((a[$(rm x)]))", "substitution>rm|x" },
	{ "dash's ((", "((rm x))", "!unknown_shell" },
	{ "glob as command", "/bin/r? x", "!glob_command" },
	{ "time", "time -v rm x", "time>rm|x" },
	{ "trap", "trap 'rm x' EXIT", "trap>rm|x" },
	{ "coproc", "coproc rm x", "!coproc" },
	{ "exec", "exec rm x", "exec>rm|x" },
	{ "source", ". ./x", "!source" },
};

/* Nothing about it would make a reader stop. */
static bool ordinary(const struct shell *sh)
{
	if (sh->opaque != NULL || !sh->simple_list || sh->n_commands != 1)
		return false;
	for (size_t i = 0; i < sh->commands[0].n_words; i++) {
		if (sh->commands[0].words[i].odd_quotes)
			return false;
	}
	return true;
}

static void test_bypasses(void **state)
{
	struct buf b;
	int bad = 0;

	(void)state;
	buf_init(&b, 1 << 16);
	for (size_t i = 0; i < sizeof(bypasses) / sizeof(bypasses[0]); i++) {
		const struct bypass *x = &bypasses[i];
		struct arena *a = arena_new(SHELL_ARENA);
		const char *why = NULL;
		struct shell sh;
		struct sv got;

		buf_clear(&b);
		shell_parse(sv_of(x->cmd), a, &sh);
		shell_print(&sh, &b);
		got = buf_sv(&b);
		if (ordinary(&sh) || memmem(got.p, got.n, x->seen, strlen(x->seen)) == NULL ||
		    shell_safe(&sh, &why) || why == NULL) {
			print_error("%s: %.*s\n", x->name, SVFMT(got));
			bad++;
		}
		arena_free(&a);
	}
	buf_free(&b);
	assert_int_equal(bad, 0);
}

/* ---- spans, flags, limits ---- */

static void test_spans_and_flags(void **state)
{
	struct arena *a = arena_new(SHELL_ARENA);
	struct shell sh;
	struct sv t = SV("ls 'a b'; sh -c 'rm x' | cat <<A\nx\nA\nif $(q r); then b; fi");

	(void)state;
	shell_parse(t, a, &sh);
	assert_int_equal(sh.n_commands, 7);
	assert_int_equal(sh.commands[0].words[1].from, 3);
	assert_int_equal(sh.commands[0].words[1].to, 8);
	assert_true(sh.commands[0].words[1].quoted);
	assert_int_equal(sh.commands[0].from, 0);
	assert_int_equal(sh.commands[0].to, 8);
	/* of decoded text: the outer word */
	assert_string_equal(sh.commands[2].via, "sh");
	assert_int_equal(sh.commands[2].parent, 1);
	assert_int_equal(sh.commands[2].depth, 1);
	assert_int_equal(sh.commands[2].words[0].from, 16);
	assert_int_equal(sh.commands[2].words[0].to, 22);
	/* of a substitution: its own */
	assert_true(sv_eqs(sh.commands[5].words[0].text, "q"));
	assert_int_equal(memcmp(t.p + sh.commands[5].words[0].from, "q r", 3), 0);
	assert_true(sh.commands[4].in_condition && sh.commands[5].in_condition);
	assert_false(sh.commands[6].in_condition);
	assert_true(sh.compound);
	assert_false(sh.simple_list);
	shell_parse(SV("for i in 1; do (a); done; f() { b; }"), a, &sh);
	assert_true(sh.commands[0].in_loop && sh.commands[0].in_subshell);
	assert_true(sh.commands[1].in_function && !sh.commands[1].in_loop);
	assert_string_equal(sh.opaque, "function");
	assert_non_null(shell_reason("function"));
	assert_string_equal(shell_reason("no such word"), "no such word");
	arena_free(&a);
}

static void test_simple_list(void **state)
{
	static const struct {
		const char *cmd;
		bool simple;
	} t[] = {
		{ "ls", true }, { "ls && rm x | cat; a || b\nc", true },
		{ "ls 2>&1 >/dev/null </dev/null", true }, { "ls >&-", true },
		{ "ls > x", false }, { "ls < x", false }, { "ls &", false },
		{ "ls $x", false }, { "ls *", false }, { "A=1 ls", false },
		{ "ls {a,b}", false }, { "ls ~", false }, { "(ls)", false },
		{ "! ls", false }, { "ls <<A\nA", false }, { "ls $'a'", false },
		{ "", false }, { "ls\rx", false }, { "cat <<< x", false },
		{ "sudo rm x", true }, { "eval ls", false }, { "[[ a ]]", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct arena *a = arena_new(SHELL_ARENA);
		struct shell sh;

		shell_parse(sv_of(t[i].cmd), a, &sh);
		if (sh.simple_list != t[i].simple)
			print_error("%s\n", t[i].cmd);
		assert_int_equal(sh.simple_list, t[i].simple);
		arena_free(&a);
	}
}

static void fill(struct buf *b, const char *piece, size_t max)
{
	size_t n = strlen(piece);

	buf_clear(b);
	while (b->n + n <= max)
		buf_add(b, piece, n);
}

/* Whatever is repeated up to the limit: an answer, within the arena. */
static void test_limits(void **state)
{
	static const char *const pieces[] = {
		"$(", "`", "\"$(", "${", "$((", "(", "((", "{ ", "[[ ", "if a; then ",
		"<<a ", "cat <<a\nx\na\n", "cat <<a <<b\n", "<(", "a ", "a;", "a|", "'", "\"",
		"\\", "\\\n", "\\`", "f() { ", "f(){ a;};", "case a in ", "a) b;; ", "sh -c ",
		"sudo ", "env -S '", "find -exec ", "! ", "time ", "a=(", "{a,", "$'\\",
		"while ", "do ", "|&", "a=b ", ">a ", "\xC3\xA9", "\xE2\x80\x8B", "#",
		"a\n", "eval '", "xargs -I{} ", "a[", "a[0]=", "$a", "*", "coproc ",
	};
	struct buf b;
	struct shell sh;

	(void)state;
	buf_init(&b, 2u * SHELL_MAX_BYTES);
	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		struct arena *a = arena_new(SHELL_ARENA);

		fill(&b, pieces[i], SHELL_MAX_BYTES);
		shell_parse(buf_sv(&b), a, &sh);
		if (arena_over(a))
			print_error("%s needs more than SHELL_ARENA\n", pieces[i]);
		assert_false(arena_over(a));
		assert_true(sh.n_commands <= SHELL_MAX_COMMANDS);
		arena_free(&a);
	}
	{
		struct arena *a = arena_new(SHELL_ARENA), *tiny = arena_new(256);

		fill(&b, "a ", SHELL_MAX_BYTES + 1);
		buf_addc(&b, 'a');
		shell_parse(buf_sv(&b), a, &sh);
		assert_string_equal(sh.opaque, "too_long");
		fill(&b, "a\n", SHELL_MAX_COMMANDS * 2);
		shell_parse(buf_sv(&b), a, &sh);
		assert_int_equal(sh.n_commands, SHELL_MAX_COMMANDS);
		if (sh.opaque != NULL)
			print_error("%s\n", sh.opaque);
		assert_null(sh.opaque);
		buf_adds(&b, "a");
		shell_parse(buf_sv(&b), a, &sh);
		assert_string_equal(sh.opaque, "too_many");
		shell_parse(SV("a b c d 'e' f; g h i j 'k' l; m n o p 'q' r; s t u v w"), tiny, &sh);
		assert_non_null(sh.opaque);
		assert_false(sh.simple_list);
		/* deeper than SHELL_MAX_DEPTH, by each road */
		for (size_t i = 0; i < 3; i++) {
			static const char *const roads[] = { "sudo ", "echo $(", "eval " };

			fill(&b, roads[i], strlen(roads[i]) * 20);
			buf_adds(&b, i == 1 ? "ls))))))))))))))))))))" : "ls");
			shell_parse(buf_sv(&b), a, &sh);
			assert_true(sh.opaque != NULL);
			for (size_t k = 0; k < sh.n_commands; k++)
				assert_true(sh.commands[k].depth <= SHELL_MAX_DEPTH);
			assert_int_equal(sh.commands[sh.n_commands - 1].depth,
				SHELL_MAX_DEPTH);
		}
		arena_free(&a);
		arena_free(&tiny);
	}
	buf_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_wrappers),
		cmocka_unit_test(test_bypasses),
		cmocka_unit_test(test_spans_and_flags),
		cmocka_unit_test(test_simple_list),
		cmocka_unit_test(test_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
