/*
 * bench_shell.c - how long the shell parser takes for its longest texts: each
 * case is one piece repeated up to the limit. The best of several runs in
 * processor time counts. Exit status 1 when one takes over 50 ms.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "lang/shell.h"

#define RUNS 5
#define GOAL_MS 50.0

static const char *const pieces[] = {
	"ls -la src | grep 'foo bar' && cat \"a b\" > out; # and so on\n",
	"echo one two three four five six seven eight nine ten\n",
	"sudo -u www timeout 5 sh -c 'rm -rf \"$x\"; ls'\n",
	"find . -name x -exec rm {} \\;\n", "a ", "a;", "a\n", "$(", "`", "\"$(", "${", "$((",
	"(", "{ ", "if a; then ", "cat <<a <<a\n", "cat <<a\nx\na\n", "cat <<a ", "<<a ",
	"'", "\\`", "case a in ", "sh -c ", "sudo ", "xargs ", "env -S '", "a=(", "{a,",
	"\xC3\xA9", "\xE2\x80\x8B", "a[b[", "x=$(a) ", "f(){ a;};", "\\\n", "\\", "a\\\n",
	"<(", "git -c alias.x='!a' b\n", "ssh h a b c\n", "<<-a\n\t", "\t", "#", "=", "$a",
};

static double run(struct sv text)
{
	struct timespec a, b;
	struct arena *ar = arena_new(SHELL_ARENA);
	struct shell sh;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
	shell_parse(text, ar, &sh);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
	arena_free(&ar);
	return (double)(b.tv_sec - a.tv_sec) * 1e3 + (double)(b.tv_nsec - a.tv_nsec) / 1e6;
}

int main(void)
{
	struct buf b;
	int missed = 0;

	buf_init(&b, SHELL_MAX_BYTES);
	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		size_t n = strlen(pieces[i]);
		double best = 1e9;

		buf_clear(&b);
		while (b.n + n <= SHELL_MAX_BYTES)
			buf_add(&b, pieces[i], n);
		for (int k = 0; k < RUNS; k++) {
			double ms = run(buf_sv(&b));

			best = ms < best ? ms : best;
		}
		missed += best > GOAL_MS;
		printf("%s%6.2f ms  1 MiB of \"", best > GOAL_MS ? "MISSED " : "", best);
		for (size_t k = 0; k < n; k++)
			printf(pieces[i][k] == '\n' ? "\\n" : (unsigned char)pieces[i][k] < 0x7F ?
				"%c" : "\\x%02x", (unsigned char)pieces[i][k]);
		printf("\"\n");
	}
	printf("goal: each <= %.0f ms\n", GOAL_MS);
	buf_free(&b);
	return missed > 0;
}
