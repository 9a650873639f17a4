/*
 * self.c - the running program's own path.
 */
#include "cli/self.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"

const char *cli_self(void)
{
	static char path[PATH_MAX];
	ssize_t n;

	if (path[0] != '\0')
		return path;
	n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	if (n <= 0 || path[0] != '/')
		fatal("the program's own path cannot be read (is /proc mounted?)");
	path[n] = '\0';
	return path;
}

const char *cli_self_dir(void)
{
	static char dir[PATH_MAX];

	snprintf(dir, sizeof(dir), "%s", cli_self());
	*strrchr(dir, '/') = '\0';
	return dir[0] != '\0' ? dir : "/";
}
