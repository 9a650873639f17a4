/*
 * clock.h - the only source of time, so that tests can inject it.
 *
 * Hides: CLOCK_BOOTTIME (deadlines, holds: counts suspend, never jumps) and
 * CLOCK_REALTIME (what the record shows). A test build links
 * tests/support/clock_test.c in place of clock.c: the same functions, moved
 * only by clock_test_advance().
 * Must not include: anything above base/.
 */
#ifndef OBSTAT_BASE_CLOCK_H
#define OBSTAT_BASE_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

uint64_t clock_boot_ms(void);  /* milliseconds since boot, suspend included */
int64_t clock_real_ms(void);   /* milliseconds since 1970, UTC */
/* True when time moves only by clock_test_advance(): base/loop.c then arms no
 * real timer, so that a test never waits and never races. */
bool clock_is_test(void);
/* "2026-11-30T14:02:07.123Z"; n >= 25. */
void clock_utc(int64_t real_ms, char *out, size_t n);
/* Local with offset: "2026-11-30 15:02:07 +0100"; n >= 27. */
void clock_local(int64_t real_ms, char *out, size_t n);

#endif
