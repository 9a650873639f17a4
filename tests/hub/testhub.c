/*
 * testhub.c - the hub as a test runs it: the same libraries, with the test
 * clock and test points, and one more console method, test/advance.
 *
 *   obstat-testhub --state DIR --config DIR [--points SPEC] [--detach]
 *
 * SPEC as testpoint_set(). Never installed.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "evidence/evidence.h"
#include "hub/call.h"
#include "hub/hub.h"
#include "tests/support/clock_test.h"
#include "tests/support/testpoint_on.h"

/* What the loop's own thread has worked, in microseconds. */
static void test_cpu(struct call *c)
{
	struct jv *o = jv_obj();
	struct timespec t = { 0 };

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	jv_put_i(o, "cpu_us", (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000);
	call_ok(c, o);
}

/* Lines of /proc/self/maps and resident KiB. */
static void test_usage(struct call *c)
{
	FILE *f = fopen("/proc/self/maps", "re");
	struct jv *o = jv_obj();
	int64_t maps = 0, size = 0, resident = 0;
	int ch;

	while (f != NULL && (ch = getc(f)) != EOF)
		maps += ch == '\n';
	if (f != NULL)
		fclose(f);
	f = fopen("/proc/self/statm", "re");
	if (f != NULL) {
		if (fscanf(f, "%" SCNd64 " %" SCNd64, &size, &resident) != 2)
			resident = -1;
		fclose(f);
	}
	jv_put_i(o, "maps", maps);
	jv_put_i(o, "rss_kb", resident * 4);
	call_ok(c, o);
}

static bool test_clock(struct call *c)
{
	uint64_t ms = 0;
	struct sv spec = call_str(c, "points");
	char text[128];

	/* test/points: test points from now on, "" for none. */
	if (spec.p != NULL) {
		snprintf(text, sizeof text, "%.*s", SVFMT(spec));
		testpoint_set(NULL);
		if (text[0] != '\0' && testpoint_set(text) != 0)
			return false;
		call_ok(c, jv_obj());
		return true;
	}
	if (!call_u64(c, "ms", &ms))
		return false;
	clock_test_advance(ms);
	loop_clock_moved(c->hub->loop);
	call_ok(c, jv_obj());
	return true;
}

static bool test_call(struct call *c)
{
	if (call_bool(c, "usage")) {
		test_usage(c);
		return true;
	}
	if (call_bool(c, "cpu")) {
		test_cpu(c);
		return true;
	}
	return test_clock(c);
}

int main(int argc, char **argv)
{
	struct hub_options o = { .log_stderr = false };
	const char *state = NULL, *config = NULL;
	struct err e = ERR_INIT;
	int ret;

	if (argc == 2 && strcmp(argv[1], "evidence-process") == 0)
		return evidence_child_main();
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--detach") == 0)
			o.detach = true;
		else if (i + 1 < argc && strcmp(argv[i], "--state") == 0)
			state = argv[++i];
		else if (i + 1 < argc && strcmp(argv[i], "--config") == 0)
			config = argv[++i];
		else if (i + 1 < argc && strcmp(argv[i], "--real-ms") == 0)
			clock_test_set_real(strtoll(argv[++i], NULL, 10));
		else if (i + 1 < argc && strcmp(argv[i], "--points") == 0 &&
		    testpoint_set(argv[i + 1]) == 0)
			i++;
		else
			return 2;
	}
	if (state == NULL || config == NULL || paths_get(&o.paths, state, config, &e) != 0) {
		fprintf(stderr, "testhub: %s\n", e.text);
		return 2;
	}
	hub_test_method = test_call;
	ret = hub_main(&o);
	/* What is not dumpable cannot be looked at by the leak checker. */
	prctl(PR_SET_DUMPABLE, 1);
	return ret;
}
