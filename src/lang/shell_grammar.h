/*
 * shell_grammar.h - reserved words and lists, for the two files that read
 * commands.
 *
 * Hides: nothing; only shell_cmd.c and shell_compound.c include it.
 */
#ifndef OBSTAT_LANG_SHELL_GRAMMAR_H
#define OBSTAT_LANG_SHELL_GRAMMAR_H

#include "lang/shell_priv.h"

/* Reserved words, as bits: where a list may end. */
enum {
	W_IF = 1, W_THEN = 2, W_ELSE = 4, W_ELIF = 8, W_FI = 16, W_DO = 32,
	W_DONE = 64, W_CASE = 128, W_ESAC = 256, W_WHILE = 512, W_FOR = 1024,
	W_FUNCTION = 2048, W_OPEN = 4096, W_CLOSE = 8192, W_NOT = 16384,
	W_TEST = 1 << 15, W_TIME = 1 << 16, W_COPROC = 1 << 17, W_ZSH = 1 << 18,
	W_DSEMI = 1 << 19,     /* ";;": not a word, but a list ends there */
};

/* The reserved word at s.i and its length, or 0. */
unsigned sp_reserved(const struct sp *p, size_t *len);
bool sp_expect(struct sp *p, unsigned bit);
void sp_skip_lines(struct sp *p);      /* blanks, comments, newlines */
/* Commands until close, one of words, or the end; the last one's row. */
size_t sp_list_until(struct sp *p, int close, unsigned words);
/* One command, simple or compound; the row that is joined to what follows. */
size_t sp_command(struct sp *p);

#endif
