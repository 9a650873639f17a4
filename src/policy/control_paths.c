/*
 * control_paths.c - looking a path up in the table of control paths.
 */
#include "policy/control_paths.h"

#include <string.h>

#include "policy/policy.h"

static const struct control_path own_state = { "", "obstat's own", true };

static bool below(struct sv path, const char *dir)
{
	size_t n = dir != NULL ? strlen(dir) : 0;

	return n > 1 && path.n >= n && memcmp(path.p, dir, n) == 0 &&
		(path.n == n || path.p[n] == '/');
}

const struct control_path *control_path_find(struct sv real, const char *state_dir,
	bool write)
{
	char lower[4096];

	if (below(real, state_dir))
		return &own_state;
	if (real.n > sizeof(lower))
		return &own_state;
	for (size_t i = 0; i < real.n; i++)
		lower[i] = real.p[i] >= 'A' && real.p[i] <= 'Z' ?
			(char)(real.p[i] - 'A' + 'a') : real.p[i];
	for (size_t i = 0; i < n_control_paths; i++)
		if ((write || control_paths[i].reads_too) &&
		    path_match(control_paths[i].pattern, (struct sv){ lower, real.n }))
			return &control_paths[i];
	return NULL;
}
