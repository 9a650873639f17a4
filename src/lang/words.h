/*
 * words.h - splits a plain command into the words execve() would get, and
 * says "not plain" to everything else.
 *
 * Hides: quoting.
 * Frees: words live in the caller's arena.
 * Must not include: anything above lang/ (base only).
 *
 * This is not a shell parser. It accepts what sh, dash, bash and zsh in their
 * default settings all read as one simple command with nothing expanded, and
 * whose words a person sees as they are; when in doubt it refuses, and the
 * action asks. What no splitter can see remains: an alias or a function of
 * that name, PATH, and what the program does with its words.
 */
#ifndef OBSTAT_LANG_WORDS_H
#define OBSTAT_LANG_WORDS_H

#include "base/mem.h"

/* A longer command, or one of more words, is not plain. */
#define WORDS_MAX_BYTES (128u * 1024)
#define WORDS_MAX 4096u

/* text: the word with its quotes taken off, no NUL inside. [from, to): its
 * bytes in the command, quotes included. */
struct word {
	struct sv text;
	size_t from, to;
};
struct words {
	struct word *w;
	size_t n;
};
enum words_status { WORDS_PLAIN, WORDS_NOT_PLAIN };

/*
 * WORDS_PLAIN: out has at least one word, the first not empty and in ASCII.
 * WORDS_NOT_PLAIN: out is empty, and *why (may be NULL) a stable word that a
 * record may keep: empty limit newline control hidden backslash expansion
 * glob brace tilde history operator redirect subshell comment job equals
 * character quote assignment name reserved builtin subscript.
 */
enum words_status words_plain(struct sv cmd, struct arena *a,
	struct words *out, const char **why);

#endif
