/*
 * rules_keys.h - the keys of a rules file, one row each (private to config/).
 */
#ifndef OBSTAT_CONFIG_RULES_KEYS_H
#define OBSTAT_CONFIG_RULES_KEYS_H

#include "config/rules.h"
#include "config/rules_scan.h"

/* Makes set's rules of a file's lines; name is for messages. -1 with e: set
 * holds a part, to be freed. */
int rules_build(const char *name, enum rules_source source,
	const struct rules_lines *lines, struct ruleset *set, struct err *e);
void rule_clear(struct rule *r);

/* For manual tables: name and help of each key, NULL name ends. */
struct rules_key {
	const char *name, *args, *help;
	int (*set)(struct rule *r, const char *value, char why[160]);
};
extern const struct rules_key rules_keys[];

#endif
