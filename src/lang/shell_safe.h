/*
 * shell_safe.h - commands that only read: what passes without being asked for.
 *
 * Hides: safe_table.c, one row a command with what makes it unsafe.
 * Frees: reads live in the caller's arena.
 * Must not include: anything above lang/.
 *
 * What no table can see: PATH, aliases, and what a program's own settings make
 * it run (git's are the caller's control paths). What a command prints goes to
 * the agent, so the caller holds the paths read against its table of secrets.
 */
#ifndef OBSTAT_LANG_SHELL_SAFE_H
#define OBSTAT_LANG_SHELL_SAFE_H

#include "lang/shell.h"

enum shell_read_kind {
	SHELL_READ_PATH,      /* this file, or what this directory lists */
	SHELL_READ_TREE,      /* whatever lies under it */
	SHELL_READ_GLOB,      /* a pattern; no name in it begins with a dot that is
	                       * not written */
	SHELL_READ_UNKNOWN,   /* names that come from elsewhere (xargs, find -exec) */
};
/* As written or, after "cd DIR &&", joined to DIR; relative ones are relative
 * to the command's directory. An option's value counts as a path. */
struct shell_read {
	struct sv path;
	enum shell_read_kind kind;
	size_t command;       /* index of the row */
};
struct shell_reads {
	struct shell_read *r;
	size_t n;
};
/*
 * True only if every simple command (also of pipelines, lists, and what
 * wrappers run) is in the table, all its words are literal, it sets no
 * variable that could matter, redirects nothing but between descriptors, from a
 * file and to /dev/null, and nothing runs in the background. Else *why (may be
 * NULL): empty opaque compound expansion assignment redirect background
 * unknown_command option operand script cd_git limit.
 */
bool shell_safe(const struct shell *sh, const char **why);
/* The same, and every path it reads. */
bool shell_safe_reads(const struct shell *sh, struct arena *a,
	struct shell_reads *reads, const char **why);

#endif
