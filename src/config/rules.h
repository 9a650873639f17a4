/*
 * rules.h - rules files: git-config syntax in, checked rules out.
 *
 * Hides: libgit2's config reader (one handle a file, never layered, no
 * include). Files are opened by us: regular, owner, mode, at most 1 MiB.
 * Frees: ruleset_free().
 * Must not include: anything above base/, model/; policy/ reads these.
 *
 * A broken file is refused whole and loudly; the caller keeps the old rules.
 * Unknown keys, repeated sections and an unquoted ';' or '#' in a value are
 * errors, and so is a line that libgit2 reads otherwise than we do. "effect"
 * and "flag" are refused with "needs a newer obstat". At most 10,000 rules; a
 * workspace's own file at most 256, which only ask and deny.
 */
#ifndef OBSTAT_CONFIG_RULES_H
#define OBSTAT_CONFIG_RULES_H

#include "base/err.h"
#include "base/hash.h"
#include "model/facts.h"

enum rules_source { RULES_SYSTEM, RULES_USER, RULES_WORKSPACE };
struct rule {
	char name[64];
	enum rules_source source;
	enum decide decide;
	char reason[256];
	char *tool;                    /* exact, or a trailing '*'; NULL any */
	bool has_kind;
	enum kind kind;
	char *channel, *session, *task, *subagent, *host;  /* exact, NULL any */
	char *path;                    /* wildmatch, '~' and './' still in it */
	char **arg;                    /* whole argument list */
	size_t n_arg;
	bool more_any;                 /* more = any, as the last key */
	int64_t expires_ms;            /* real ms, 0 never */
	uint32_t uses;                 /* 0 unlimited */
	bool has_care;
	enum care care;
	unsigned line;                 /* of its section, for messages */
	/* Identity across reloads, so that uses are not refilled by a reload:
	 * digest of the rule's own text. */
	struct digest id;
};
struct ruleset {
	struct rule *rules;
	size_t n;
	char **workspaces;             /* "[obstat] workspace = PATH" lines: /... or
	                                * ~/..., not resolved */
	size_t n_workspaces;
	char **agents;                 /* "[obstat] agent = NAME" lines: the hub makes
	                                * a socket directory for each */
	size_t n_agents;
	char ask[16];                  /* "[obstat] ask = ...": irreversible, changes,
	                                * everything; "" not set */
	uint64_t deadline_ms;          /* "[obstat] deadline = 30m|2h|...": how long an
	                                * action waits for a person; 0 not set */
	struct digest digest;          /* of all bytes read, in order */
};
/* bytes of one file; name is for messages. 0, or -1 with e naming file:line. */
int rules_parse(struct sv bytes, const char *name, enum rules_source source,
	struct ruleset **out, struct err *e);
/* Opens, checks owner and mode, parses. A missing file is an empty set. */
int rules_load(const char *path, enum rules_source source, struct ruleset **out,
	struct err *e);
/* Appends more's rules to into (more is emptied and freed); of two "ask" the
 * stricter one holds. */
void ruleset_join(struct ruleset *into, struct ruleset **more);
void ruleset_free(struct ruleset **r);

#endif
