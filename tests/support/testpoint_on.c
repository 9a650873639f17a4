/*
 * testpoint_on.c - see testpoint_on.h. Locked, because the store's thread has
 * test points too.
 */
#include "tests/support/testpoint_on.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum point_act { POINT_STOP, POINT_KILL, POINT_FAIL };

struct point {
	enum point_act act;
	char name[64];
	int err;            /* POINT_FAIL */
	unsigned long n;    /* kill: at the nth time; fail: n times, 0 for ever */
	unsigned passed;
};

#define POINTS_MAX 16
static struct point points[POINTS_MAX];
static size_t n_points;
static pthread_mutex_t points_lock = PTHREAD_MUTEX_INITIALIZER;

static bool point_number(const char *s, unsigned long *out)
{
	char *end;

	if (s == NULL || *s < '0' || *s > '9')
		return false;
	*out = strtoul(s, &end, 10);
	return *end == '\0';
}

/* One spec, "act:name[:number[:number]]"; s is taken apart. */
static bool point_parse(char *s, struct point *p)
{
	char *act = strsep(&s, ":");
	char *name = strsep(&s, ":");
	char *one = strsep(&s, ":");
	char *two = strsep(&s, ":");
	unsigned long v = 0;

	memset(p, 0, sizeof *p);
	if (name == NULL || *name == '\0' || strlen(name) >= sizeof p->name || s != NULL)
		return false;
	memcpy(p->name, name, strlen(name) + 1);
	if (strcmp(act, "stop") == 0) {
		p->act = POINT_STOP;
		return one == NULL;
	}
	if (strcmp(act, "kill") == 0) {
		p->act = POINT_KILL;
		p->n = 1;
		return two == NULL && (one == NULL || (point_number(one, &p->n) && p->n > 0));
	}
	if (strcmp(act, "fail") != 0)
		return false;
	p->act = POINT_FAIL;
	if (!point_number(one, &v) || v == 0 || v > 4095)
		return false;
	p->err = (int)v;
	return two == NULL || (point_number(two, &p->n) && p->n > 0);
}

int testpoint_set(const char *spec)
{
	struct point new[POINTS_MAX];
	size_t n = 0;
	char *text, *rest, *one;
	int r = 0;

	pthread_mutex_lock(&points_lock);
	if (spec == NULL) {
		n_points = 0;
	} else {
		rest = text = strdup(spec);
		while (r == 0 && text != NULL && (one = strsep(&rest, ",")) != NULL)
			if (n_points + n == POINTS_MAX || !point_parse(one, &new[n++]))
				r = -1;
		free(text);
		if (r == 0) {
			memcpy(points + n_points, new, n * sizeof new[0]);
			n_points += n;
		}
	}
	pthread_mutex_unlock(&points_lock);
	return r;
}

unsigned testpoint_passed(const char *name)
{
	unsigned most = 0;

	pthread_mutex_lock(&points_lock);
	for (size_t i = 0; i < n_points; i++)
		if (strcmp(points[i].name, name) == 0 && points[i].passed > most)
			most = points[i].passed;
	pthread_mutex_unlock(&points_lock);
	return most;
}

/* What p does now: an errno, 0, or a signal as a negative number. */
static int point_pass(struct point *p)
{
	p->passed++;
	switch (p->act) {
	case POINT_STOP:
		return -SIGSTOP;
	case POINT_KILL:
		return p->passed == p->n ? -SIGKILL : 0;
	case POINT_FAIL:
		return p->n == 0 || p->passed <= p->n ? p->err : 0;
	}
	return 0;
}

int test_point(const char *name)
{
	int r = 0;

	pthread_mutex_lock(&points_lock);
	for (size_t i = 0; r == 0 && i < n_points; i++)
		if (strcmp(points[i].name, name) == 0)
			r = point_pass(&points[i]);
	pthread_mutex_unlock(&points_lock);
	if (r >= 0)
		return r;
	/* To this thread: it goes no further, whatever the others do. */
	tgkill(getpid(), gettid(), -r);
	return 0;
}
