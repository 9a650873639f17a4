/*
 * testpoint.h - named places where a test build can stop the process.
 *
 * In the product test_point() is an empty function (testpoint.c). A test
 * program links tests/support/testpoint_on.c in its place, which stops
 * (SIGSTOP) or fails at the point named by its own arguments. Nothing an
 * environment or a message says can switch one on in the product.
 */
#ifndef OBSTAT_BASE_TESTPOINT_H
#define OBSTAT_BASE_TESTPOINT_H

/* Returns 0, or an errno value that the caller treats as the failure of what
 * it is about to do (fault injection). */
int test_point(const char *name);

#endif
