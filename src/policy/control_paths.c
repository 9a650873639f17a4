/*
 * control_paths.c - looking a path up in the table of control paths.
 *
 * A row "/" "**" "/REST" is tried only at names whose first bytes are REST's, which
 * keeps a look-up at a few microseconds.
 */
#include "policy/control_paths.h"

#include <string.h>
#include <strings.h>

#include "policy/policy.h"

/* No honest path is this deep; each name costs a look at the table. */
#define NAMES_MAX 64

static const struct control_path own_state = { "", "obstat's own", true };
static const struct control_path too_deep = { "", "a path too long to judge", true };

/* Without case: some file systems fold it, and a false hit only asks. */
static bool below(struct sv path, const char *dir)
{
	size_t n = dir != NULL ? strlen(dir) : 0;

	while (n > 1 && dir[n - 1] == '/')
		n--;
	return n > 1 && path.n >= n && strncasecmp(path.p, dir, n) == 0 &&
		(path.n == n || path.p[n] == '/');
}

struct names {
	char lower[4096 + 2];      /* the path and a slash */
	size_t n;                  /* without that slash */
	size_t at[NAMES_MAX];      /* where names begin */
	size_t n_at;
};

static bool split(struct sv path, struct names *out)
{
	out->n = path.n;
	out->n_at = 0;
	if (path.n > sizeof(out->lower) - 2)
		return false;
	for (size_t i = 0; i < path.n; i++) {
		char c = path.p[i];

		out->lower[i] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
		if (c != '/' || (i + 1 < path.n && path.p[i + 1] == '/'))
			continue;
		if (out->n_at == NAMES_MAX)
			return false;
		out->at[out->n_at++] = i + 1;
	}
	out->lower[path.n] = '/';
	out->lower[path.n + 1] = '\0';
	return true;
}

static bool row_matches(const char *pattern, const struct names *p)
{
	size_t len = strlen(pattern);
	/* "DIR/" "**" is the directory itself, too: it has a slash then. */
	size_t n = p->n + (len > 3 && strcmp(pattern + len - 3, "/**") == 0);
	const char *rest = pattern + 4;

	if (strncmp(pattern, "/**/", 4) != 0)
		return pattern[1] == p->lower[1] &&
			path_match(pattern, (struct sv){ p->lower, n });
	for (size_t i = 0; i < p->n_at; i++) {
		size_t at = p->at[i];

		if ((rest[0] == '*' || (rest[0] == p->lower[at] &&
		    (rest[1] == p->lower[at + 1] || rest[1] == '*'))) &&
		    path_match(rest, (struct sv){ p->lower + at, n - at }))
			return true;
	}
	return false;
}

const struct control_path *control_path_find(struct sv path, const char *state_dir,
	bool write)
{
	struct names p;

	if (path.n == 0)
		return NULL;
	if (below(path, state_dir))
		return &own_state;
	if (!split(path, &p))
		return &too_deep;
	for (size_t i = 0; i < n_control_paths; i++)
		if ((write || control_paths[i].reads_too) &&
		    row_matches(control_paths[i].pattern, &p))
			return &control_paths[i];
	return NULL;
}
