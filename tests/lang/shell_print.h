/*
 * shell_print.h - a parsed text on one line, for tables of tests.
 *
 * Rows divided by " / ". A row: "via>" when it is an inner one, assignments in
 * [], words divided by "|" (a '$' in front of one that is not literal, a '%' of
 * odd quotes), redirections in <>, "{lang}" of code, "..." when words come
 * later, what joins it, "!reason".
 */
#ifndef OBSTAT_TESTS_SHELL_PRINT_H
#define OBSTAT_TESTS_SHELL_PRINT_H

#include "lang/shell.h"

void shell_print(const struct shell *sh, struct buf *b);

#endif
