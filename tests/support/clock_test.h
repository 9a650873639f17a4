/*
 * clock_test.h - the clock of a test program (clock_test.c replaces
 * src/base/clock.c at link time).
 *
 * Starts at boot 1,000,000 ms and 2026-01-02T03:04:05Z; moves by nothing but
 * clock_test_advance(). After it, loop_clock_moved() runs what is due.
 */
#ifndef OBSTAT_TESTS_CLOCK_TEST_H
#define OBSTAT_TESTS_CLOCK_TEST_H

#include "base/clock.h"

#define CLOCK_TEST_BOOT UINT64_C(1000000)
#define CLOCK_TEST_REAL INT64_C(1767323045000)

void clock_test_advance(uint64_t ms);
void clock_test_reset(void);  /* back to the start */
/* Moves only what the record shows, as an administrator's "date -s" does. */
void clock_test_set_real(int64_t real_ms);

#endif
