/*
 * testhub.c - the hub as a test runs it: the same libraries, with the test
 * clock and test points, and one more console method, test/advance.
 *
 *   obstat-testhub --state DIR --config DIR [--points SPEC] [--detach]
 *
 * SPEC as testpoint_set(). Never installed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evidence/evidence.h"
#include "hub/call.h"
#include "hub/hub.h"
#include "tests/support/clock_test.h"
#include "tests/support/testpoint_on.h"

/* A process that is not dumpable cannot be looked at by the leak checker. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}

static bool test_call(struct call *c)
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

int main(int argc, char **argv)
{
	struct hub_options o = { .log_stderr = false };
	const char *state = NULL, *config = NULL;
	struct err e = ERR_INIT;

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
	return hub_main(&o);
}
