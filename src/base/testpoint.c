/*
 * testpoint.c - the product's: nothing. An object of its own, so that a test
 * program can bring another (testpoint.h).
 */
#include "base/testpoint.h"

int test_point(const char *name)
{
	(void)name;
	return 0;
}
