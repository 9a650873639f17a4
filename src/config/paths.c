#include "config/paths.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SYSTEM_RULES "/etc/obstat/rules"
#define AGENT_NAME_MAX 32

static int path_put(char *out, size_t n, struct err *e, const char *a, const char *b)
{
	int k = snprintf(out, n, "%s%s", a, b);

	if (k < 0 || (size_t)k >= n)
		return err_set(e, "path_long", "path too long: %s%s", a, b);
	return 0;
}

/* Without a trailing slash, or two names for one directory would differ. */
static void path_trim(char *p)
{
	size_t n = strlen(p);

	while (n > 1 && p[n - 1] == '/')
		p[--n] = '\0';
}

/* A relative --state is relative to where the command was typed, and the hub
 * it starts works elsewhere. */
static int path_given(const char *given, char *out, size_t n, struct err *e)
{
	char cwd[PATH_MAX];
	int rc;

	if (given[0] == '\0')
		return err_set(e, "path_empty", "an empty path was given");
	if (given[0] == '/') {
		rc = path_put(out, n, e, given, "");
	} else {
		if (getcwd(cwd, sizeof(cwd)) == NULL)
			return err_sys(e, "path_cwd", "the current directory");
		rc = path_put(out, n, e, cwd, "/");
		if (rc == 0)
			rc = path_put(out + strlen(out), n - strlen(out), e, given, "");
	}
	path_trim(out);
	return rc;
}

/* $XDG_... when absolute (the XDG Base Directory Specification has relative
 * ones ignored), else below HOME. */
static int path_xdg(const char *var, const char *home, const char *below, char *out,
	size_t n, struct err *e)
{
	const char *x = getenv(var);
	int rc;

	if (x != NULL && x[0] == '/')
		rc = path_put(out, n, e, x, "/obstat");
	else
		rc = path_put(out, n, e, home, below);
	return rc;
}

static int path_home(struct paths *p, bool needed, struct err *e)
{
	const char *home = getenv("HOME");
	struct stat st;

	if (home != NULL && home[0] == '/' && stat(home, &st) == 0 && S_ISDIR(st.st_mode)) {
		if (path_put(p->home, sizeof(p->home), e, home, "") != 0)
			return -1;
		path_trim(p->home);
		return 0;
	}
	if (!needed)
		return 0;
	return err_set(e, "no_home", "HOME is not an existing absolute directory: set it, "
		"or give --state");
}

int paths_get(struct paths *p, const char *state_dir, const char *config_dir,
	struct err *e)
{
	memset(p, 0, sizeof(*p));
	if (path_home(p, state_dir == NULL || config_dir == NULL, e) != 0)
		return -1;
	if ((state_dir != NULL ?
	    path_given(state_dir, p->state, sizeof(p->state), e) :
	    path_xdg("XDG_STATE_HOME", p->home, "/.local/state/obstat", p->state,
		sizeof(p->state), e)) != 0)
		return -1;
	if ((config_dir != NULL ?
	    path_given(config_dir, p->config, sizeof(p->config), e) :
	    path_xdg("XDG_CONFIG_HOME", p->home, "/.config/obstat", p->config,
		sizeof(p->config), e)) != 0)
		return -1;
	if (path_put(p->agents, sizeof(p->agents), e, p->state, "/agent") != 0 ||
	    path_put(p->console_sock, sizeof(p->console_sock), e, p->state,
		"/console/sock") != 0 ||
	    path_put(p->user_rules, sizeof(p->user_rules), e, p->config, "/rules") != 0)
		return -1;
	return path_put(p->system_rules, sizeof(p->system_rules), e, SYSTEM_RULES, "");
}

int paths_agent_sock(const struct paths *p, const char *name, char *out, size_t n,
	struct err *e)
{
	size_t len = strlen(name);
	int k;

	if (len == 0 || len > AGENT_NAME_MAX ||
	    strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-") != len)
		return err_set(e, "agent_name", "\"%.64s\" is not a name for an agent: 1 to 32 "
			"of a-z, 0-9, _ and -", name);
	k = snprintf(out, n, "%s/%s/sock", p->agents, name);
	if (k < 0 || (size_t)k >= n)
		return err_set(e, "path_long", "path too long: %s", p->agents);
	return 0;
}
