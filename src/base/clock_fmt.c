/*
 * clock_fmt.c - times as text; pure, so product and tests share it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "base/clock.h"

/* Floored division, so that times before 1970 come out right too. */
static time_t clock_split(int64_t real_ms, int *ms)
{
	int64_t s = real_ms / 1000;
	int64_t rest = real_ms % 1000;

	if (rest < 0) {
		rest += 1000;
		s--;
	}
	*ms = (int)rest;
	return (time_t)s;
}

void clock_utc(int64_t real_ms, char *out, size_t n)
{
	char date[64];
	struct tm tm;
	int ms;
	time_t t = clock_split(real_ms, &ms);

	if (gmtime_r(&t, &tm) == NULL ||
	    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &tm) == 0)
		snprintf(out, n, "@%" PRId64, real_ms); /* year beyond int */
	else
		snprintf(out, n, "%s.%03dZ", date, ms);
}

void clock_local(int64_t real_ms, char *out, size_t n)
{
	char date[64];
	struct tm tm;
	int ms;
	time_t t = clock_split(real_ms, &ms);

	if (localtime_r(&t, &tm) == NULL ||
	    strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S %z", &tm) == 0)
		snprintf(out, n, "@%" PRId64, real_ms);
	else
		snprintf(out, n, "%s", date);
}
