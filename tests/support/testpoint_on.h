/*
 * testpoint_on.h - test points that do something (testpoint_on.c replaces
 * src/base/testpoint.c at link time).
 *
 * Frees: nothing to free. Must not be linked into the product.
 */
#ifndef OBSTAT_TESTS_TESTPOINT_ON_H
#define OBSTAT_TESTS_TESTPOINT_ON_H

#include "base/testpoint.h"

/*
 * Adds what happens at one named point:
 *   stop:NAME           SIGSTOP to ourselves, each time
 *   kill:NAME           SIGKILL to ourselves
 *   kill:NAME:N         the same, at the Nth time (from 1)
 *   fail:NAME:ERRNO     test_point() returns ERRNO, each time
 *   fail:NAME:ERRNO:N   the same, N times; then 0 again
 * Several specs may be joined with ','. NULL clears all. Returns 0, or -1 for
 * a spec that it does not understand (nothing is changed then).
 */
int testpoint_set(const char *spec);

/* How often a point was passed since testpoint_set(NULL); counts only points
 * that a spec names. */
unsigned testpoint_passed(const char *name);

#endif
