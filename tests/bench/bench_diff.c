/*
 * bench_diff.c - how long a large edit takes to become a document.
 *
 *   bench_diff [LINES CHANGED]     default 1000000 10000
 *
 * Prints milliseconds (best of five) and memory of kinds_build(), the time of
 * its parts, and, where git is installed, of `git diff --no-index` on the same
 * two files, with the ratio.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "diff/diff.h"
#include "kinds/kinds.h"

extern char **environ;

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void make_pair(struct buf *old, struct buf *new_, unsigned lines,
	unsigned changed)
{
	unsigned every = changed > 0 ? lines / changed : lines + 1;

	for (unsigned i = 0; i < lines; i++) {
		buf_addf(old, "v%u = f(%u)\n", i, i % 1000);
		if (i % every == every / 2)
			buf_addf(new_, "v%u = g(%u)\n", i, i % 1000);
		else
			buf_addf(new_, "v%u = f(%u)\n", i, i % 1000);
	}
}

static void put_file(const char *path, const struct buf *b)
{
	FILE *f = fopen(path, "wb");

	if (f == NULL || fwrite(b->p, 1, b->n, f) != b->n || fclose(f) != 0) {
		perror(path);
		exit(1);
	}
}

static double run_git(const char *a, const char *b)
{
	char *argv[] = { (char *)"git", (char *)"diff", (char *)"--no-index",
		(char *)"--no-color", (char *)a, (char *)b, NULL };
	posix_spawn_file_actions_t fa;
	double t = now_ms();
	pid_t pid;
	int status;

	posix_spawn_file_actions_init(&fa);
	posix_spawn_file_actions_addopen(&fa, 1, "/dev/null", O_WRONLY, 0);
	if (posix_spawnp(&pid, "git", &fa, NULL, argv, environ) != 0)
		return -1;
	posix_spawn_file_actions_destroy(&fa);
	waitpid(pid, &status, 0);
	return WIFEXITED(status) && WEXITSTATUS(status) <= 1 ? now_ms() - t : -1;
}

static double git_ms(const struct buf *old, const struct buf *new_)
{
	char dir[] = "/tmp/bench-diff.XXXXXX", a[64], b[64];
	double best = -1;

	if (mkdtemp(dir) == NULL)
		return -1;
	snprintf(a, sizeof(a), "%s/a", dir);
	snprintf(b, sizeof(b), "%s/b", dir);
	put_file(a, old);
	put_file(b, new_);
	for (int i = 0; i < 5; i++) {
		double t = run_git(a, b);

		if (t >= 0 && (best < 0 || t < best))
			best = t;
	}
	unlink(a);
	unlink(b);
	rmdir(dir);
	return best;
}

static double build_ms(const struct action *a, const struct evidence *ev)
{
	double best = 1e9;

	for (int i = 0; i < 5; i++) {
		double t = now_ms();
		struct doc *d = kinds_build(a, ev, NULL);

		t = now_ms() - t;
		if (t < best)
			best = t;
		if (i == 0)
			printf("%u lines, %.1f MB%s\n", doc_lines(d),
				(double)doc_memory(d) / 1e6,
				doc_over(d) ? ", over" : "");
		doc_free(&d);
	}
	return best;
}

int main(int argc, char **argv)
{
	unsigned lines = argc > 2 ? (unsigned)strtoul(argv[1], NULL, 10) : 1000000;
	unsigned changed = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 10000;
	struct evidence *ev = evidence_new();
	struct action *a = action_new(1u << 20);
	struct ev_file file = { .path = SV("/x"), .real = SV("/x"),
		.state = FILE_REGULAR, .has_content = true };
	struct change c = { .op = CHANGE_WRITE, .path = SV("/x"), .has_new = true };
	struct buf old, new_;
	struct diff *d;
	double mine, git, t;

	buf_init(&old, 1u << 29);
	buf_init(&new_, 1u << 29);
	make_pair(&old, &new_, lines, changed);
	file.content = buf_sv(&old);
	c.new_text = buf_sv(&new_);
	ev->files = &file;
	ev->n_files = 1;
	a->kind = KIND_EDIT;
	a->changes = &c;
	a->n_changes = 1;
	printf("%u lines, %u changed, %.1f + %.1f MB\n", lines, changed,
		(double)old.n / 1e6, (double)new_.n / 1e6);
	mine = build_ms(a, ev);
	t = now_ms();
	d = diff_new(file.content, c.new_text, 3, SIZE_MAX, NULL);
	t = now_ms() - t;
	diff_free(&d);
	printf("kinds_build %.1f ms, of which diff %.1f ms\n", mine, t);
	git = git_ms(&old, &new_);
	if (git > 0)
		printf("git diff --no-index %.1f ms, ratio %.2f (goal <= 1.2)\n",
			git, mine / git);
	ev->n_files = 0;
	evidence_free(&ev);
	action_free(&a);
	buf_free(&old);
	buf_free(&new_);
	return 0;
}
