/*
 * build.h - building an action from a scanned message (private to proto/).
 *
 * Hides: that strings without escapes are not copied but point into
 * action.raw. Must not include: anything above floor 2.
 */
#ifndef OBSTAT_PROTO_BUILD_H
#define OBSTAT_PROTO_BUILD_H

#include "proto/dialect.h"

/* Room for the raw message, its decoded strings twice, and 1,000,000 leaves of
 * 72 bytes and their paths; a message whose paths take more is over the limit. */
#define ACTION_ARENA_MAX ((size_t)192 << 20)
#define ORIGIN_ARENA_MAX ((size_t)1 << 20)
/* A label (session, tool, ...) longer than this is refused. */
#define LABEL_MAX 4096

/* A new action that holds a copy of raw; j was scanned over raw's bytes. */
struct action *build_action(struct sv raw);
/* The decoded text of string v, living in a (in its copy of raw or its arena).
 * SV_NONE when v is no string. */
struct sv build_str(struct action *a, const struct json *j, json_ref v);
/* Member key of obj, the same. */
struct sv build_get(struct action *a, const struct json *j, json_ref obj,
	const char *key);
/* The same into an origin's arena, always copied; -1 when over LABEL_MAX
 * bytes or not a string: a label left out could miss the rule that is for it. */
int build_label(struct arena *ar, const struct json *j, json_ref obj,
	const char *key, struct sv *out);
/* Leaves of v, except members of v named in skip (a NULL-ended list). In a
 * path a key stands as it is, or in double quotes (with \" and \\) when it is
 * empty or holds one of . [ ] " \: so no two leaves share a path. */
int build_leaves(struct action *a, const struct json *j, json_ref v,
	const char *prefix, const char *const *skip);
/* The host part of an http or https URL as given (no user-info, no port), or
 * SV_NONE when that, or anything before the path, can be read in two ways. */
struct sv build_url_host(struct sv url);
/* May a pattern of file names (with *, ?, sets, braces, lists) lead out of the
 * folder it is used in, by "..", "/" or "~"? When in doubt, true. */
bool build_glob_climbs(struct sv pattern);
/* why_not, unless one is set already. */
void build_why_not(struct action *a, const char *word);

#endif
