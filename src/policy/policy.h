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
/* Takes the set; counters of rules with the same id live on. */
void policy_set(struct policy *p, struct ruleset *owned);
const struct ruleset *policy_rules(const struct policy *p);
/* workspace: a set from WORKSPACE/.obstat/rules (ask and deny only), or NULL.
 * now_ms is real time, for expires. A matching rule with uses is counted down
 * only by policy_used(). */
void policy_decide(struct policy *p, const struct ruleset *workspace,
	const struct facts *f, int64_t now_ms, struct verdict *out);
void policy_used(struct policy *p, const char *rule);
uint32_t policy_uses_left(const struct policy *p, const struct rule *r);
/* At start: restore what the record says was used. */
void policy_uses_restore(struct policy *p, const char *rule, uint32_t used);

/* Fills rev, why_rev, control_path, understood, paths of f from the action and
 * its evidence (paths allocated in a). The default of obstat.md. */
void facts_from(struct facts *f, const struct action *act,
	const struct evidence *ev, struct arena *a, const char *home,
	const char *state_dir);
/* wildmatch: '*' not over '/', '**' over, '?' one, [..] sets; no recursion. */
bool path_match(const char *pattern, struct sv path);

#endif
