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
	/* path_match() pattern in lower case against the whole path: absolute, or
	 * from any directory on after a first "/" "**" "/". One that ends in "/" "**"
	 * is the directory itself as well. */
	const char *pattern;
	const char *why;       /* short English: "git's own files" */
	bool reads_too;        /* a read asks as well (secrets) */
};
extern const struct control_path control_paths[];
extern const size_t n_control_paths;
/* The first row that matches, or NULL. Case does not count (some file systems
 * fold it). state_dir's own tree always matches, and so does a path of over
 * 4,096 bytes or 64 names. */
const struct control_path *control_path_find(struct sv real, const char *state_dir,
	bool write);

#endif
