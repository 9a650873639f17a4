/*
 * control_paths.h - the table of paths that never pass by default, read or
 * written. One row adds one path.
 *
 * Must not include: anything above base/, model/.
 */
#ifndef OBSTAT_POLICY_CONTROL_PATHS_H
#define OBSTAT_POLICY_CONTROL_PATHS_H

#include "base/mem.h"

struct control_path {
	const char *pattern;   /* path_match() pattern against the resolved path */
	const char *why;       /* short English: "git's own files" */
	bool reads_too;        /* a read asks as well (secrets) */
};
extern const struct control_path control_paths[];
extern const size_t n_control_paths;
/* The first row that matches, or NULL. Compares case-insensitively too (some
 * file systems fold case). state_dir's own tree always matches. */
const struct control_path *control_path_find(struct sv real, const char *state_dir,
	bool write);

#endif
