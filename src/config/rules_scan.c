/*
 * rules_scan.c - the look at a rules file before libgit2 reads it.
 *
 * A rules file is security policy: what git's reader would pass over in
 * silence (an include, a section written twice, half a value lost to a
 * comment sign) is an error here.
 */
#include "config/rules_scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"

void rules_sections_free(struct rules_sections *s)
{
	free(s->at);
	*s = (struct rules_sections){ 0 };
}

unsigned rules_section_line(const struct rules_sections *s, const char *rule)
{
	char head[160];

	snprintf(head, sizeof(head), "[rule \"%s\"]", rule);
	for (size_t i = 0; i < s->n; i++)
		if (strcmp(s->at[i].head, head) == 0)
			return s->at[i].line;
	return 0;
}

static int bad(struct err *e, const char *name, unsigned line, const char *what)
{
	return err_set(e, "rules_syntax", "%s:%u: %s", name, line, what);
}

static int section(struct sv line, const char *name, unsigned no,
	struct rules_sections *out, struct err *e)
{
	const char *end = memchr(line.p, ']', line.n);
	size_t n;

	if (end == NULL)
		return bad(e, name, no, "a section's ']' is missing");
	n = (size_t)(end - line.p) + 1;
	for (size_t i = n; i < line.n; i++)
		if (line.p[i] != ' ' && line.p[i] != '\t')
			return bad(e, name, no, "nothing may follow a section's ']'");
	if (n >= sizeof(out->at[0].head))
		return bad(e, name, no, "a section's name is too long");
	if (n > 8 && strncasecmp(line.p, "[include", 8) == 0)
		return bad(e, name, no, "include is not allowed in a rules file");
	if (out->n == out->cap) {
		out->cap = out->cap != 0 ? out->cap * 2 : 32;
		out->at = xreallocarray(out->at, out->cap, sizeof(*out->at));
	}
	memcpy(out->at[out->n].head, line.p, n);
	out->at[out->n].head[n] = '\0';
	out->at[out->n].line = no;
	for (size_t i = 0; i < out->n; i++)
		if (strcasecmp(out->at[i].head, out->at[out->n].head) == 0)
			return bad(e, name, no, "this section stands in the file twice");
	out->n++;
	return 0;
}

static int value(struct sv line, const char *name, unsigned no, struct err *e)
{
	bool quoted = false;
	const char *eq = memchr(line.p, '=', line.n);
	size_t i = eq != NULL ? (size_t)(eq - line.p) + 1 : 0;

	if (eq == NULL)
		return bad(e, name, no, "a key needs '= value'");
	for (; i < line.n; i++) {
		char c = line.p[i];

		if (c == '\\' && i + 1 == line.n)
			return bad(e, name, no, "a value must end on its own line");
		if (c == '\\')
			i++;
		else if (c == '"')
			quoted = !quoted;
		else if ((c == ';' || c == '#') && !quoted)
			return bad(e, name, no,
				"put a value that holds ';' or '#' in double quotes");
	}
	return quoted ? bad(e, name, no, "a double quote is not closed") : 0;
}

static int one_line(struct sv line, const char *name, unsigned no,
	struct rules_sections *out, struct err *e)
{
	while (line.n > 0 && (line.p[0] == ' ' || line.p[0] == '\t')) {
		line.p++;
		line.n--;
	}
	if (line.n == 0 || line.p[0] == '#' || line.p[0] == ';')
		return 0;
	for (size_t i = 0; i < line.n; i++)
		if ((unsigned char)line.p[i] < 0x20 && line.p[i] != '\t')
			return bad(e, name, no, "a control character is not allowed");
	if (line.p[0] == '[')
		return section(line, name, no, out, e);
	if (out->n == 0)
		return bad(e, name, no, "a key stands before any section");
	return value(line, name, no, e);
}

int rules_scan(struct sv bytes, const char *name, struct rules_sections *out,
	struct err *e)
{
	unsigned no = 1;
	size_t at = 0;

	*out = (struct rules_sections){ 0 };
	if (!utf8_valid(bytes))
		return err_set(e, "rules_syntax", "%s: not valid UTF-8", name);
	while (at < bytes.n) {
		const char *nl = memchr(bytes.p + at, '\n', bytes.n - at);
		size_t n = nl != NULL ? (size_t)(nl - bytes.p) - at : bytes.n - at;

		if (one_line((struct sv){ bytes.p + at, n }, name, no, out, e) != 0)
			return -1;
		at += n + 1;
		no++;
	}
	return 0;
}
