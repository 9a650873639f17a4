/*
 * clock.c - the real clock. Nothing else may live in this object: a test
 * program links its own definitions of these three functions, and the linker
 * then leaves this member of the library out.
 */
#include "base/clock.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "base/err.h"

static int64_t clock_read_ms(clockid_t id)
{
	struct timespec ts;

	if (clock_gettime(id, &ts) != 0)
		fatal("clock_gettime: %s", strerror(errno));
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

uint64_t clock_boot_ms(void)
{
	return (uint64_t)clock_read_ms(CLOCK_BOOTTIME);
}

int64_t clock_real_ms(void)
{
	return clock_read_ms(CLOCK_REALTIME);
}

bool clock_is_test(void)
{
	return false;
}
