/*
 * rules_keys.h - the keys of a rules file, one row each (private to config/).
 */
#ifndef OBSTAT_CONFIG_RULES_KEYS_H
#define OBSTAT_CONFIG_RULES_KEYS_H

#include "config/rules.h"
#include "config/rules_scan.h"

struct rules_parse {
	const char *name;
	enum rules_source source;
	const struct rules_sections *sections;
	struct ruleset *set;
	struct hasher *id;             /* over the current rule's own text */
};
/* One entry as libgit2 gives it: "rule.NAME.key" or "obstat.key". */
int rules_entry(struct rules_parse *p, const char *key, const char *value,
	struct err *e);
/* After the last entry: closes the last rule, checks every rule whole. */
int rules_end(struct rules_parse *p, struct err *e);
void rule_clear(struct rule *r);

/* For manual tables: name and help of each key, NULL name ends. */
struct rules_key {
	const char *name, *args, *help;
	int (*set)(struct rule *r, const char *value, char why[160]);
};
extern const struct rules_key rules_keys[];

#endif
