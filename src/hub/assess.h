/*
 * assess.h - between assess.c (which paths) and verdict.c (what follows).
 *
 * Must not include: ui, console, cli.
 */
#ifndef OBSTAT_HUB_ASSESS_H
#define OBSTAT_HUB_ASSESS_H

#include "hub/req.h"

enum assess_step { AS_FIRST, AS_RULES_FILE, AS_REREAD };
struct assess {
	struct assess *next, *prev;/* of the hub's, while it is asked */
	struct req *req;           /* a reference */
	unsigned gen, reread_gen;
	enum assess_step step;
	size_t held;               /* descriptors that the child has not read yet */
	bool rules_last;           /* the last file is WORKSPACE/.obstat/rules */
	bool no_rules;             /* the peer found none */
};
/* What evidence_ask() calls; takes ev and frees arg. */
void assess_evidence(void *arg, struct evidence *ev);
void assess_end(struct assess *as);  /* takes as */
bool assess_stale(const struct req *r, unsigned gen);
/* Where the session's workspace is to be looked for; none: no longer, or
 * nobody said. */
struct sv assess_cwd(const struct req *r);
void assess_rules_file(struct req *r);
/* judge.c: digests and facts, on a worker when the action is big; then
 * assess_rules(). */
void judge_start(struct req *r);
void judge_row(struct req *r);       /* its line in the queue, before the document */
struct digest assess_digest(const struct action *a, const struct evidence *ev);

#endif
