/*
 * clock_test.c - see clock_test.h. Atomic, because the store's and the pool's
 * threads read the clock too.
 */
#include "tests/support/clock_test.h"

#include <stdatomic.h>

static _Atomic uint64_t clock_boot = CLOCK_TEST_BOOT;
static _Atomic int64_t clock_real = CLOCK_TEST_REAL;

uint64_t clock_boot_ms(void)
{
	return clock_boot;
}

int64_t clock_real_ms(void)
{
	return clock_real;
}

bool clock_is_test(void)
{
	return true;
}

void clock_test_advance(uint64_t ms)
{
	clock_boot += ms;
	clock_real += (int64_t)ms;
}

void clock_test_reset(void)
{
	clock_boot = CLOCK_TEST_BOOT;
	clock_real = CLOCK_TEST_REAL;
}

void clock_test_set_real(int64_t real_ms)
{
	clock_real = real_ms;
}
