/*
 * figures.c - see bench.h.
 */
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "tests/bench/bench.h"

static bool missed;

uint64_t bench_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

double bench_quantile(double *v, size_t n, double q)
{
	size_t at = (size_t)(q * (double)n);

	if (n == 0)
		bench_die("no figures");
	qsort(v, n, sizeof(*v), by_value);
	return v[at < n ? at : n - 1];
}

static void line(const char *what, const char *sign, double goal, double measured,
	const char *unit, bool ok)
{
	int digits = goal < 10 ? 2 : goal < 100 ? 1 : 0;

	printf("%-56s goal %s %.*f %-6s measured %10.*f %-6s %s\n", what, sign,
		goal < 10 ? 1 : 0, goal, unit, digits, measured, unit, ok ? "ok" : "MISSED");
	fflush(stdout);
	missed = missed || !ok;
}

void bench_at_most(const char *what, double goal, double measured, const char *unit)
{
	line(what, "<=", goal, measured, unit, measured <= goal);
}

void bench_at_least(const char *what, double goal, double measured, const char *unit)
{
	line(what, ">=", goal, measured, unit, measured >= goal);
}

void bench_figure(const char *what, double measured, const char *unit)
{
	printf("  %-79s %10.2f %s\n", what, measured, unit);
	fflush(stdout);
}

void bench_machine(void)
{
	struct utsname u;
	char cpu[256] = "", load[64] = "", text[256];
	FILE *f = fopen("/proc/cpuinfo", "re");

	while (f != NULL && fgets(text, sizeof(text), f) != NULL)
		if (sscanf(text, "model name : %255[^\n]", cpu) == 1)
			break;
	if (f != NULL)
		fclose(f);
	f = fopen("/proc/loadavg", "re");
	if (f != NULL && fgets(load, sizeof(load), f) != NULL)
		load[strcspn(load, "\n")] = '\0';
	if (f != NULL)
		fclose(f);
	if (uname(&u) != 0)
		bench_die("uname");
	printf("machine: %s %s, %ld cores (%s), load average %s\n", u.sysname, u.release,
		sysconf(_SC_NPROCESSORS_ONLN), cpu[0] != '\0' ? cpu : "cpu not named",
		load[0] != '\0' ? load : "not known");
	fflush(stdout);
}

void bench_die(const char *fmt, ...)
{
	static atomic_bool dying;    /* once: not again on the way out */
	va_list ap;

	if (atomic_exchange(&dying, true))
		_exit(2);
	fflush(stdout);
	fputs("bench: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	missed = true;
	bench_end();
	exit(2);
}

bool bench_missed(void)
{
	return missed;
}
