/*
 * facts.h - what the rules look at, and what they answer: plain data between
 * policy/ and hub/.
 *
 * Hides: nothing. Frees: the caller; strings are borrowed.
 * Must not include: anything above base/.
 */
#ifndef OBSTAT_MODEL_FACTS_H
#define OBSTAT_MODEL_FACTS_H

#include "model/action.h"
#include "model/evidence.h"
#include "model/life.h"

enum reversibility { REV_READ_ONLY, REV_REVERSIBLE, REV_IRREVERSIBLE };
const char *reversibility_name(enum reversibility r);

struct fact_path {
	struct sv real;          /* resolved absolute path; named, if not resolved */
	struct sv named;         /* as named, made absolute; empty: has no such form */
	bool write;
	bool resolved;           /* false: could not be opened, never allowed */
};
struct facts {
	struct sv tool, channel, session, task, subagent, host, workspace;
	enum kind kind;
	/* A plain command's words (lang/words.h), or n_argv 0. */
	const struct sv *argv;
	size_t n_argv;
	bool understood;         /* plain command, or an edit or read whose every
	                          * path is resolved, or a tool call with leaves */
	const struct fact_path *paths;
	size_t n_paths;
	enum reversibility rev;
	const char *why_rev;     /* short stable English, e.g. "outside workspace" */
	bool control_path;       /* a path in the control table */
	const char *control_why; /* the table row's words */
	/* Asks whatever rev says, unless a rule decides: a control path, a path
	 * that leaves the workspace, a hard link, a file that cannot be read. */
	bool never_passes;
	const char *never_why;   /* short stable English; control_why if that */
	enum tool_default deflt;
};

enum decide { DECIDE_NONE, DECIDE_DENY, DECIDE_ASK, DECIDE_ALLOW };
struct verdict {
	enum decide decide;      /* NONE: no rule matched, see pass */
	bool pass;               /* no rule: passes by default (no opinion) */
	char rule[64];           /* the deciding rule's name, or "" */
	char rule_file[16];      /* "system", "user", "workspace" */
	char reason[256];        /* the rule's reason (escaped when shown) */
	char why[128];           /* one line: why it asks or passes, English */
	enum care care;
	struct digest rules;     /* digest of the rule set that decided */
};

#endif
