/*
 * rules_scan.c - the lines of a rules file.
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

#define HIDDEN "a tab, control or hidden character is not allowed here"

void rules_lines_free(struct rules_lines *l)
{
	for (size_t i = 0; i < l->n_lines; i++) {
		free(l->lines[i].key);
		free(l->lines[i].value);
	}
	free(l->lines);
	free(l->sections);
	*l = (struct rules_lines){ 0 };
}

static int bad(struct err *e, const char *name, unsigned line, const char *what)
{
	return err_set(e, "rules_syntax", "%s:%u: %s", name, line, what);
}

static bool blank(char c)
{
	return c == ' ' || c == '\t';
}

static struct sv trim(struct sv s)
{
	while (s.n > 0 && blank(s.p[0])) {
		s.p++;
		s.n--;
	}
	while (s.n > 0 && blank(s.p[s.n - 1]))
		s.n--;
	return s;
}

/* The NAME of [rule "NAME"]: no escapes, so it says itself what it is. */
static const char *rule_name(struct sv line, struct sv *name)
{
	struct sv s = line;

	s.p += 5;
	s.n -= 5;
	if (s.n == 0 || !blank(s.p[0]))
		return "a section is [rule \"NAME\"] or [obstat]";
	s = trim(s);
	if (s.n < 3 || s.p[0] != '"' || s.p[s.n - 2] != '"' || s.p[s.n - 1] != ']')
		return "a rule's section is [rule \"NAME\"] and nothing after it";
	*name = (struct sv){ s.p + 1, s.n - 3 };
	if (name->n == 0 || name->n > RULE_NAME_MAX)
		return "a rule's name has 1 to 63 bytes";
	for (size_t i = 0; i < name->n; i++)
		if (strchr("\"\\]", name->p[i]) != NULL)
			return "a rule's name may not hold '\"', '\\' or ']'";
	return NULL;
}

static int section(struct sv line, const char *name, unsigned no,
	struct rules_lines *out, struct err *e)
{
	struct sv rule = SV_NONE;
	struct rules_section *s;
	const char *why = NULL;

	if (!esc_is_clean(line))
		why = HIDDEN;
	else if (line.n > 8 && strncasecmp(line.p, "[include", 8) == 0)
		why = "include is not allowed in a rules file";
	else if (sv_starts(line, "[rule"))
		why = rule_name(line, &rule);
	else if (!sv_eqs(line, "[obstat]"))
		why = "a section is [rule \"NAME\"] or [obstat], and nothing after it";
	if (why == NULL && out->n_sections > RULES_MAX)
		why = "there are over 10,000 rules";
	if (why != NULL)
		return bad(e, name, no, why);
	if (out->n_sections == out->cap_sections) {
		out->cap_sections = out->cap_sections != 0 ? out->cap_sections * 2 : 32;
		out->sections = xreallocarray(out->sections, out->cap_sections,
			sizeof(*out->sections));
	}
	s = &out->sections[out->n_sections++];
	memset(s, 0, sizeof(*s));
	if (rule.n > 0)
		memcpy(s->name, rule.p, rule.n);
	s->line = no;
	return 0;
}

static size_t key_length(struct sv line)
{
	size_t n = 0;

	while (n < line.n && ((line.p[n] >= 'a' && line.p[n] <= 'z') || (n > 0 &&
	    ((line.p[n] >= '0' && line.p[n] <= '9') || line.p[n] == '-'))))
		n++;
	return n;
}

/* Takes the quotes off; out has room for s.n + 1 bytes. NULL or what is wrong. */
static const char *unquote(struct sv s, char *out)
{
	size_t n = 0;
	bool quoted = false;

	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (c == '"') {
			quoted = !quoted;
			continue;
		}
		if ((c == ';' || c == '#') && !quoted)
			return "put a value that holds ';' or '#' in double quotes";
		if (c == '\\') {
			if (++i == s.n)
				return "a value must end on its own line";
			c = s.p[i];
			if (c != '\\' && c != '"')
				return "after a backslash only a backslash or a double "
					"quote may stand";
		}
		out[n++] = c;
	}
	out[n] = '\0';
	return quoted ? "a double quote is not closed" : NULL;
}

static int key_value(struct sv line, const char *name, unsigned no,
	struct rules_lines *out, struct err *e)
{
	size_t n = key_length(line);
	struct sv rest = trim((struct sv){ line.p + n, line.n - n });
	struct rules_line *l;
	const char *why;

	if (n == 0)
		return bad(e, name, no, !esc_is_clean(line) ? HIDDEN : "a key is written in small letters, digits "
			"and '-'");
	if (rest.n == 0 || rest.p[0] != '=')
		return bad(e, name, no, "a key needs '= value'");
	rest = trim((struct sv){ rest.p + 1, rest.n - 1 });
	if (!esc_is_clean(rest))
		return bad(e, name, no, HIDDEN);
	if (rest.n == 0)
		return bad(e, name, no, "the value is missing; an empty one is \"\"");
	if (out->n_lines == out->cap_lines) {
		out->cap_lines = out->cap_lines != 0 ? out->cap_lines * 2 : 64;
		out->lines = xreallocarray(out->lines, out->cap_lines,
			sizeof(*out->lines));
	}
	l = &out->lines[out->n_lines++];
	*l = (struct rules_line){ .section = out->n_sections - 1, .line = no,
		.key = xmemdup0(line.p, n), .value = xmalloc(rest.n + 1) };
	l->value[0] = '\0';
	why = unquote(rest, l->value);
	return why != NULL ? bad(e, name, no, why) : 0;
}

static int one_line(struct sv line, const char *name, unsigned no,
	struct rules_lines *out, struct err *e)
{
	line = trim(line);
	if (line.n == 0)
		return 0;
	if (line.p[line.n - 1] == '\r')
		return bad(e, name, no, "lines end in a carriage return; "
			"run: sed -i 's/\\r$//' FILE");
	if (line.p[0] == '#' || line.p[0] == ';')
		return 0;
	if (line.p[0] == '[')
		return section(line, name, no, out, e);
	if (out->n_sections == 0)
		return bad(e, name, no, "a key stands before any section");
	return key_value(line, name, no, out, e);
}

static int by_name(const void *a, const void *b)
{
	const struct rules_section *x = *(const struct rules_section *const *)a;
	const struct rules_section *y = *(const struct rules_section *const *)b;
	int r = strcasecmp(x->name, y->name);

	return r != 0 ? r : x->line < y->line ? -1 : 1;
}

/* Names that differ in case alone are one name to a person. */
static int each_once(const struct rules_lines *l, const char *name, struct err *e)
{
	const struct rules_section **at = xcalloc(l->n_sections + 1, sizeof(*at));
	int r = 0;

	for (size_t i = 0; i < l->n_sections; i++)
		at[i] = &l->sections[i];
	qsort(at, l->n_sections, sizeof(*at), by_name);
	for (size_t i = 1; r == 0 && i < l->n_sections; i++)
		if (strcasecmp(at[i]->name, at[i - 1]->name) == 0)
			r = err_set(e, "rules_syntax", "%s:%u: this section stands in the "
				"file twice (line %u)", name, at[i]->line,
				at[i - 1]->line);
	free(at);
	return r;
}

int rules_scan(struct sv bytes, const char *name, struct rules_lines *out,
	struct err *e)
{
	unsigned no = 1;
	size_t at = 0;

	*out = (struct rules_lines){ 0 };
	if (!utf8_valid(bytes) || memchr(bytes.n > 0 ? bytes.p : "", 0, bytes.n) != NULL)
		return err_set(e, "rules_syntax", "%s: not plain text in UTF-8", name);
	if (sv_starts(bytes, "\xef\xbb\xbf"))
		return bad(e, name, 1, "a hidden byte order mark stands before the first "
			"line");
	while (at < bytes.n) {
		const char *nl = memchr(bytes.p + at, '\n', bytes.n - at);
		size_t n = nl != NULL ? (size_t)(nl - bytes.p) - at : bytes.n - at;

		if (one_line((struct sv){ bytes.p + at, n }, name, no, out, e) != 0)
			return -1;
		at += n + 1;
		no++;
	}
	return each_once(out, name, e);
}
