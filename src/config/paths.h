/*
 * paths.h - where obstat's files are. Never XDG_RUNTIME_DIR.
 *
 * Frees: struct paths is embedded, owns nothing (fixed buffers).
 * Must not include: anything above base/, model/.
 */
#ifndef OBSTAT_CONFIG_PATHS_H
#define OBSTAT_CONFIG_PATHS_H

#include "base/err.h"

struct paths {
	char config[512];       /* $XDG_CONFIG_HOME/obstat or ~/.config/obstat */
	char state[512];        /* $XDG_STATE_HOME/obstat or ~/.local/state/obstat */
	char home[512];
	char agents[600];       /* STATE/agent, one directory a named agent */
	char console_sock[600]; /* STATE/console/sock */
	char system_rules[64];  /* /etc/obstat/rules */
	char user_rules[600];
};
/* From the environment (HOME must be absolute and exist); state_dir, when not
 * NULL, replaces the state directory (--state). */
int paths_get(struct paths *p, const char *state_dir, const char *config_dir,
	struct err *e);
/* STATE/agent/NAME/sock; name is [a-z0-9_-]{1,32}. */
int paths_agent_sock(const struct paths *p, const char *name, char *out, size_t n,
	struct err *e);

#endif
