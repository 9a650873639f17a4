/*
 * wrappers.h - programs that run what their words say: one row each in
 * wrappers_table.c.
 *
 * Must not include: anything above lang/. Only the shell parser's files use it.
 */
#ifndef OBSTAT_LANG_WRAPPERS_H
#define OBSTAT_LANG_WRAPPERS_H

#include "base/mem.h"

struct sp;

enum wrap_kind {
	WRAP_OPTIONS,  /* an ordinary program, but for some options */
	WRAP_ARGV,     /* the words behind options and operands are a command */
	WRAP_LINE,     /* they are, joined by blanks, a line for a shell */
	WRAP_SHELL,    /* a shell: -c LINE, a script, or its standard input */
	WRAP_CODE,     /* an interpreter: code in an option, a script, or stdin */
	WRAP_SUBS,     /* the next operand names another row: "docker exec" */
	WRAP_OPAQUE,   /* nothing can be told: why */
	WRAP_SPECIAL,  /* has rules of its own: follow */
};
enum {
	WRAP_ASSIGNS = 1,      /* NAME=value may stand in front of the command */
	WRAP_PERMUTE = 2,      /* options may stand behind operands */
	WRAP_DASHES = 4,       /* the command stands behind "--" */
	WRAP_MORE = 8,         /* further words of the command come at run time */
	WRAP_NEEDS = 16,       /* without a command it runs its standard input */
	WRAP_IF_FED = 32,      /* reads standard input only when something feeds it */
	WRAP_REMOTE = 64,      /* without a command: a session elsewhere */
	WRAP_CODE_FIRST = 128, /* the first operand is the code, if no option was */
	WRAP_PLUS = 256,       /* +x is an option too */
	WRAP_BARE = 512,       /* no options of its own: first word is the command */
	WRAP_COLONS = 1024,    /* ":::" ends the command (parallel) */
};
/*
 * opts: tokens divided by blanks. Letters are short options, a token with "--"
 * a long one. Behind it: "=" takes a value, "?" takes one only if attached. In
 * front of it, what it means:
 *   !  its value is a shell line      %  its value is code in lang
 *   ^  runs what cannot be told       $  only asks: nothing is run
 *   @  the first operand is a line    ~  commands come from standard input
 *   .  the rest is a script's words   &  its value is split into words (env -S)
 *   +  reads no standard input, even without a script (node --test)
 *   *  its value is one of ssh's options, some of which run commands
 *   #  its value stands for words that come later (xargs -I)
 * What is not listed is opaque (wrapper_options), but for WRAP_OPTIONS.
 */
struct wrapper {
	const char *name;
	const char *opts;
	enum wrap_kind kind;
	unsigned bits;
	unsigned operands;     /* words in front of the command */
	const char *lang;
	const char *why;       /* WRAP_OPAQUE's, or instead of interpreter_code */
	void (*follow)(struct sp *p, size_t row);
};
extern const struct wrapper wrappers[];
extern const size_t n_wrappers;
/* The row of that name, or of "name sub"; NULL: none. */
const struct wrapper *wrapper_find(struct sv name, struct sv sub);

#endif
