/*
 * shell_safe_priv.h - what the two files that judge commands share.
 *
 * Must not include: anything above lang/.
 */
#ifndef OBSTAT_LANG_SHELL_SAFE_PRIV_H
#define OBSTAT_LANG_SHELL_SAFE_PRIV_H

#include "lang/safe_table.h"
#include "lang/shell_safe.h"

struct safe_judge {
	const struct shell *sh;
	struct arena *a;           /* NULL: nobody asks for the reads */
	struct shell_reads reads;
	size_t cap;
	const char *why;
	struct sv dir;             /* after "cd DIR" */
	bool cd;
};
/* One row's words while they are read. */
struct safe_check {
	struct safe_judge *j;
	const struct shell_command *c;
	const struct safe_row *row;
	size_t at, operands;
	bool ended;                /* "--" was there */
	bool pattern;              /* still to come: the operand that is none */
	bool lists, script;
	bool tree;
};

bool safe_no(struct safe_judge *j, const char *why);    /* false */
void safe_add_read(struct safe_judge *j, struct sv path, enum shell_read_kind kind,
	size_t row);
void safe_add_path(struct safe_judge *j, struct sv path, enum shell_read_kind kind,
	size_t row);
const struct safe_row *safe_find(struct sv name, struct sv sub);
/* A token of only: 0 not there, 1 there, 2 it takes a value. */
int safe_listed(const char *only, struct sv name, bool letter);
/* The words of a row from k->at on, subcommands first. */
bool safe_words(struct safe_check *k);

#endif
