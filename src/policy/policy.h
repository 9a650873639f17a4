/*
 * policy.h - (facts, rules) -> allow, deny, ask, care. Pure: no I/O.
 *
 * Hides: the matching. Frees: nothing kept but the use counters.
 * Must not include: anything above floor 2 except config/.
 *
 * Deny > ask > allow > default, order-free. An allow names at least a tool and
 * one of path, arguments or host; never covers what is not understood.
 */
#ifndef OBSTAT_POLICY_POLICY_H
#define OBSTAT_POLICY_POLICY_H

#include "config/rules.h"
#include "model/facts.h"

enum ask_level { ASK_IRREVERSIBLE, ASK_CHANGES, ASK_EVERYTHING };

struct policy;
struct policy *policy_new(const char *home);
void policy_free(struct policy **p);
/* Takes the set. A rule with the same text goes on counting where it was, also
 * after it was gone for a while (an editor that saves in two steps). */
void policy_set(struct policy *p, struct ruleset *owned);
const struct ruleset *policy_rules(const struct policy *p);
/* workspace: a set from WORKSPACE/.obstat/rules (ask and deny only), or NULL.
 * now_ms is real time, for expires. A matching rule with uses is counted down
 * only by policy_used(). Rules whose patterns take too long ask. */
void policy_decide(struct policy *p, const struct ruleset *workspace,
	const struct facts *f, int64_t now_ms, struct verdict *out);
/* Counts for every rule of that name, when two files have one each. */
void policy_used(struct policy *p, const char *rule);
uint32_t policy_uses_left(const struct policy *p, const struct rule *r);
/* At start: restore what the record says was used. */
void policy_uses_restore(struct policy *p, const char *rule, uint32_t used);

/* Fills tool, kind, host, deflt, rev, why_rev, never_passes, control_path,
 * understood, argv and paths of f from the action and its evidence (allocated
 * in a); the rest stays as it was set, workspace unless it is empty. state_dir:
 * resolved. obstat(5), "What asks". */
void facts_from(struct facts *f, const struct action *act,
	const struct evidence *ev, struct arena *a, const char *home,
	const char *state_dir);
/* wildmatch: '*' not over '/', '**' over, '?' one, [..] sets (no escapes in
 * them), '\\' takes the next byte as it is; no recursion; at most path x pattern
 * steps. */
bool path_match(const char *pattern, struct sv path);
/* The same, taking steps from *steps; false when they are used up (0). */
bool path_match_within(const char *pattern, struct sv path, size_t *steps);

#endif
