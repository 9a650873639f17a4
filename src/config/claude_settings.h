/*
 * claude_settings.h - Claude Code's settings files: which hooks obstat needs
 * there, and whether they stand.
 *
 * Hides: the shape of hooks in settings.json (measured with 2.1.332).
 * Frees: struct claude_state is embedded, owns nothing.
 * Must not include: anything above base/, model/. Reads files; writes none.
 */
#ifndef OBSTAT_CONFIG_CLAUDE_SETTINGS_H
#define OBSTAT_CONFIG_CLAUDE_SETTINGS_H

#include "base/err.h"
#include "base/json_out.h"

#define CLAUDE_MANAGED_DIR "/etc/claude-code"
#define CLAUDE_MANAGED_FILE CLAUDE_MANAGED_DIR "/managed-settings.json"
#define CLAUDE_MANAGED_D CLAUDE_MANAGED_DIR "/managed-settings.d"
#define CLAUDE_LINK_ROOT "/var/lib/obstat"
#define CLAUDE_LINK_DIR CLAUDE_LINK_ROOT "/users"   /* one link a user: %U */
#define CLAUDE_SETTINGS_MAX (1u << 20)

/* The hook events, one row each. Seconds. */
struct claude_hook {
	const char *event;
	bool decide;               /* else observe */
	const char *matcher;       /* NULL: the event takes none */
	unsigned timeout, deadline;
};
extern const struct claude_hook claude_hooks[];
extern const size_t n_claude_hooks;

struct claude_place {
	const char *gate;          /* absolute path of obstat-gate */
	const char *socket;        /* as given to --socket; may hold %U */
	const char *hub_uid;       /* "self" or a number */
};
/* settings with our hooks in place of any of ours that were there; managed
 * adds allowManagedHooksOnly. Takes a parsed file or NULL; returns a new
 * value. -1-like: NULL with e when "hooks" has a shape we cannot add to. */
struct jv *claude_settings_with(const struct jv *settings,
	const struct claude_place *place, bool managed, struct err *e);
/* settings without our hooks (and empty containers they leave). */
struct jv *claude_settings_without(const struct jv *settings);
/* Calls fn for each hook that is not ours: event, and its command or type. */
void claude_settings_others(const struct jv *settings,
	void (*fn)(void *arg, struct sv event, struct sv what), void *arg);
/* The same file of whoever it belongs to, as root reads another user's: only to
 * list what stands there, never to rely on it. NULL: not there or not JSON. */
struct jv *claude_settings_peek(const char *path);
/* Reads a settings file; NULL with e. e->code "absent" when there is none. */
struct jv *claude_settings_read(const char *path, struct err *e);

/* What stands in a place: 0 holds, else one or more of these. */
#define CLAUDE_NO_FILE 1       /* no settings file */
#define CLAUDE_BROKEN 2        /* not readable, or not JSON */
#define CLAUDE_NO_HOOKS 4      /* an event without our gate */
#define CLAUDE_WEAK 8          /* not as obstat writes it: onFailure, timeout,
	                        * matcher, args, another gate, a key we do not
	                        * know (it might switch the hook off) */
#define CLAUDE_OTHERS_RUN 16   /* allowManagedHooksOnly is not set */
#define CLAUDE_DISABLED 32     /* disableAllHooks in a managed file */
#define CLAUDE_GATE 64         /* the gate's file is missing or not root's */
#define CLAUDE_OWNER 128       /* others than root can change the settings */
struct claude_state {
	unsigned faults;
	char why[256];             /* the first fault, English, for the log */
	char said[384];            /* the same, for a person */
	char gate[512];            /* the gate that PreToolUse names */
};
/* managed_dir is CLAUDE_MANAGED_DIR. */
void claude_state_managed(const char *managed_dir, struct claude_state *out);
/* The same for a user's own file: never better than advisory. */
void claude_state_user(const char *settings_path, struct claude_state *out);

#endif
