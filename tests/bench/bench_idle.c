/*
 * bench_idle.c - nothing waits: hub, evidence process and an attached console
 * must not run at all. Counts the context switches of each of their threads
 * for ten seconds.
 */
#include <dirent.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/bench/bench.h"

#define IDLE_S 10
/* The store empties its log a second after the last commit, and a console
 * that was just opened has its own things to finish. */
#define SETTLE_MS 4000

static unsigned long thread_switches(pid_t pid, const char *tid, char name[32])
{
	char path[300], line[256];
	unsigned long n, sum = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/task/%s/status", (int)pid, tid);
	f = fopen(path, "re");
	if (f == NULL)
		return 0;
	while (fgets(line, sizeof(line), f) != NULL) {
		sscanf(line, "Name: %31s", name);
		if (sscanf(line, "voluntary_ctxt_switches: %lu", &n) == 1 ||
		    sscanf(line, "nonvoluntary_ctxt_switches: %lu", &n) == 1)
			sum += n;
	}
	fclose(f);
	return sum;
}

/* Context switches of all threads so far; counts the threads. */
static unsigned long switches(pid_t pid, unsigned *threads)
{
	unsigned long sum = 0;
	char path[64], name[32] = "";
	struct dirent *d;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	dir = opendir(path);
	if (dir == NULL)
		bench_die("process %d is gone", (int)pid);
	*threads = 0;
	while ((d = readdir(dir)) != NULL)
		if (d->d_name[0] != '.') {
			sum += thread_switches(pid, d->d_name, name);
			(*threads)++;
		}
	closedir(dir);
	return sum;
}

/* The only child of pid: the evidence process. */
static pid_t child_of(pid_t pid)
{
	char path[96];
	int child = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)pid, (int)pid);
	f = fopen(path, "re");
	if (f == NULL || fscanf(f, "%d", &child) != 1)
		child = 0;
	if (f != NULL)
		fclose(f);
	return child;
}

int main(void)
{
	const char *argv[] = { OBSTAT, "--state", scene.state, "--config", scene.config, NULL };
	struct who {
		const char *name;
		pid_t pid;
		unsigned threads;
		unsigned long before;
	} all[3] = { { .name = "hub" }, { .name = "evidence process" },
		{ .name = "console" } };
	struct bench_screen *s;
	char what[80];

	bench_machine();
	bench_begin();
	bench_hub();
	s = bench_screen(argv, 24, 80);
	if (bench_see(s, "obstat", 10000) == 0)
		bench_die("the console showed nothing");
	all[0].pid = scene.hub;
	all[1].pid = child_of(scene.hub);
	all[2].pid = bench_screen_pid(s);
	if (all[1].pid == 0)
		bench_die("the hub has no evidence process");
	bench_quiet(s, SETTLE_MS);
	for (int i = 0; i < 3; i++)
		all[i].before = switches(all[i].pid, &all[i].threads);
	poll(NULL, 0, IDLE_S * 1000);
	for (int i = 0; i < 3; i++) {
		unsigned threads;
		unsigned long n = switches(all[i].pid, &threads) - all[i].before;

		snprintf(what, sizeof(what), "wakeups in %d s, idle: %s (%u threads)", IDLE_S,
			all[i].name, threads);
		bench_at_most(what, 0, (double)n, "");
	}
	bench_screen_end(&s);
	return bench_end();
}
