/*
 * safe_table.h - commands that only read: one row each in safe_table.c.
 *
 * Must not include: anything above lang/. Only shell_safe.c uses it.
 */
#ifndef OBSTAT_LANG_SAFE_TABLE_H
#define OBSTAT_LANG_SAFE_TABLE_H

#include "base/mem.h"

enum {
	SAFE_NO_PATHS = 1,     /* its operands are not files */
	SAFE_PATTERN = 2,      /* the first is not, but for -e and -f */
	SAFE_TREE = 4,         /* reads whatever lies under its operands, or "." */
	SAFE_WRAPS = 8,        /* only runs an inner command, which is safe itself */
	SAFE_SUBS = 16,        /* the next operand names another row: "git log" */
	SAFE_BARE = 32,        /* of SAFE_SUBS: also without one */
	SAFE_ONE = 64,         /* a second operand would be written, or set */
	SAFE_NONE = 128,       /* an operand would be */
	SAFE_PLUS = 256,       /* operands begin with "+" */
	SAFE_LISTS = 512,      /* operands create, but with --list and the like */
	SAFE_SED = 1024,       /* the first operand and -e are sed scripts */
	SAFE_FIND = 2048,      /* options are find's predicates: only */
	SAFE_CD = 4096,        /* what follows runs in its operand */
	SAFE_DOTTED = 8192,    /* operands hold a dot (git config user.name) */
	SAFE_ENV = 16384,      /* prints the environment */
	SAFE_QUERY = 1 << 15,  /* exactly one word, out of only */
	SAFE_GIT = 1 << 16,    /* reads the settings of the repository it is in */
};
/*
 * unsafe: short options (letters) and long ones that make it unsafe; every
 * beginning of a long one counts. only: if there, no other options are safe;
 * a "=" behind one means that it takes a value. Neither: no word can make it
 * unsafe, so words that are not known yet may stand there (xargs, patterns).
 */
struct safe_row {
	const char *name, *unsafe, *only;
	unsigned how;
};
extern const struct safe_row safe_rows[];
extern const size_t n_safe_rows;

#endif
