/*
 * check.h - what every cmocka test program includes.
 *
 * Must not include: any room's headers; each test includes only the room it
 * tests and lower ones, which proves the walls at link time.
 */
#ifndef OBSTAT_TESTS_CHECK_H
#define OBSTAT_TESTS_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#endif
