/*
 * gitstate.h - what git says of a file, by reading only (libgit2).
 *
 * Hides: libgit2's repository code, opened with the owner check off, no
 * system or global config, no filters, no hooks, nothing executed.
 * Runs in the evidence process only. Must not include: above base/, model/.
 */
#ifndef OBSTAT_DIFF_GITSTATE_H
#define OBSTAT_DIFF_GITSTATE_H

#include "base/err.h"
#include "model/evidence.h"

/* The top of the work tree that holds directory dir (resolved absolute
 * path), into out; false when there is none up to / or a mount boundary. */
bool gitstate_top(const char *dir, char *out, size_t n);

struct gitrepo;
struct gitrepo *gitstate_open(const char *top, struct err *e);
void gitstate_free(struct gitrepo **g);
/* rel: path below top, '/' between names. Compares index and HEAD with the
 * content given (not the file: the descriptor's bytes are what counts). */
enum git_state gitstate_file(struct gitrepo *g, const char *rel,
	struct sv content, bool exists);

#endif
