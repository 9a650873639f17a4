/*
 * rules_scan.h - what git-config syntax allows and a rules file must not hold
 * (private to config/).
 */
#ifndef OBSTAT_CONFIG_RULES_SCAN_H
#define OBSTAT_CONFIG_RULES_SCAN_H

#include "base/err.h"
#include "base/mem.h"

/* Each section's header and the line it stands on, in order. */
struct rules_sections {
	struct {
		char head[160];
		unsigned line;
	} *at;
	size_t n, cap;
};
/* Refuses, naming name:line: bytes that are not clean UTF-8, include and
 * includeIf, repeated sections, a line that goes on after a backslash, an
 * unquoted ';' or '#' in a value, a quote that does not close. */
int rules_scan(struct sv bytes, const char *name, struct rules_sections *out,
	struct err *e);
void rules_sections_free(struct rules_sections *s);
unsigned rules_section_line(const struct rules_sections *s, const char *rule);

#endif
