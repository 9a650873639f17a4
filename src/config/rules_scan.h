/*
 * rules_scan.h - a rules file's lines: git-config syntax without what can be
 * read in two ways (private to config/).
 *
 * Frees: rules_lines_free().
 */
#ifndef OBSTAT_CONFIG_RULES_SCAN_H
#define OBSTAT_CONFIG_RULES_SCAN_H

#include "base/err.h"
#include "base/mem.h"

#define RULES_MAX 10000
#define RULE_NAME_MAX 63

struct rules_section {
	char name[RULE_NAME_MAX + 1];  /* of a rule; "" is [obstat] */
	unsigned line;
};
struct rules_line {
	size_t section;                /* index into sections */
	unsigned line;
	char *key, *value;             /* value without its quotes */
};
struct rules_lines {
	struct rules_section *sections;
	size_t n_sections, cap_sections;
	struct rules_line *lines;      /* in the order of the file */
	size_t n_lines, cap_lines;
};
/* Sections are [rule "NAME"] and [obstat], each once; keys are kebab-case with
 * a value on the same line. Refused, naming name:line: bytes that are not
 * clean UTF-8 (but in comments), another section (include too), an unquoted
 * ';' or '#' in a value, a quote that does not close, a backslash before
 * anything but '"' and '\\', over RULES_MAX rules. */
int rules_scan(struct sv bytes, const char *name, struct rules_lines *out,
	struct err *e);
void rules_lines_free(struct rules_lines *l);

#endif
