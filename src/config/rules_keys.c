/*
 * rules_keys.c - what each key of a rule takes, and when a rule is whole.
 *
 * To add a key: one row in rules_keys[] and its setter.
 */
#include "config/rules_keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/i18n.h"

#define WHY(...) (snprintf(why, 160, __VA_ARGS__), -1)
#define MAX_ARGS 1024
#define MAX_STARS 32
/* A workspace's file comes with a repository that we did not choose. */
#define WORKSPACE_MAX_RULES 256
#define MAX_AGENTS 64
#define MAX_WORKSPACES 32

static int set_once(char **field, const char *v, char why[160])
{
	if (*field != NULL)
		return WHY("is given twice");
	if (v[0] == '\0')
		return WHY("is empty");
	*field = xstrdup(v);
	return 0;
}

static int set_tool(struct rule *r, const char *v, char why[160])
{
	const char *star = strchr(v, '*');

	if (star != NULL && star[1] != '\0')
		return WHY("may have a '*' only as its last character");
	if (star == v)
		return WHY("names no tool: leave it out");
	return set_once(&r->tool, v, why);
}

static int set_kind(struct rule *r, const char *v, char why[160])
{
	if (r->has_kind)
		return WHY("is given twice");
	if (!kind_from_name(sv_of(v), &r->kind))
		return WHY("is not a kind of action");
	r->has_kind = true;
	return 0;
}

static int set_channel(struct rule *r, const char *v, char why[160])
{
	return set_once(&r->channel, v, why);
}

static int set_session(struct rule *r, const char *v, char why[160])
{
	return set_once(&r->session, v, why);
}

static int set_task(struct rule *r, const char *v, char why[160])
{
	return set_once(&r->task, v, why);
}

static int set_subagent(struct rule *r, const char *v, char why[160])
{
	return set_once(&r->subagent, v, why);
}

static int set_host(struct rule *r, const char *v, char why[160])
{
	return set_once(&r->host, v, why);
}

static int set_path(struct rule *r, const char *v, char why[160])
{
	size_t n = 0;

	if (v[0] != '/' && strncmp(v, "~/", 2) != 0 && strncmp(v, "./", 2) != 0)
		return WHY("must begin with '/', '~/' or './'");
	if (strlen(v) > 4095)
		return WHY("is over 4,095 bytes");
	for (const char *p = v; *p != '\0'; p++)
		n += *p == '*' && p[1] != '*';
	if (n > MAX_STARS)
		return WHY("has over %d wildcards", MAX_STARS);
	/* A resolved path has no such names, so this rule would never match. */
	if (strstr(v, "//") != NULL || strstr(v + 1, "/./") != NULL ||
	    strstr(v, "/../") != NULL || sv_ends(sv_of(v), "/..") ||
	    (sv_ends(sv_of(v), "/.") && v[1] != '\0'))
		return WHY("may not hold '//', '/./' or '/../'");
	return set_once(&r->path, v, why);
}

static int set_arg(struct rule *r, const char *v, char why[160])
{
	if (r->n_arg >= MAX_ARGS)
		return WHY("there are over %d of them", MAX_ARGS);
	r->arg = xreallocarray(r->arg, r->n_arg + 1, sizeof(*r->arg));
	r->arg[r->n_arg++] = xstrdup(v);
	return 0;
}

static int set_more(struct rule *r, const char *v, char why[160])
{
	if (strcmp(v, "any") != 0)
		return WHY("can only be 'any'");
	if (r->n_arg == 0)
		return WHY("needs 'arg' lines before it");
	r->more_any = true;
	return 0;
}

static int set_decide(struct rule *r, const char *v, char why[160])
{
	static const struct {
		const char *word;
		enum decide d;
	} words[] = { { "deny", DECIDE_DENY }, { "ask", DECIDE_ASK },
		{ "allow", DECIDE_ALLOW } };

	if (r->decide != DECIDE_NONE)
		return WHY("is given twice");
	for (size_t i = 0; i < 3; i++)
		if (strcmp(v, words[i].word) == 0)
			r->decide = words[i].d;
	return r->decide == DECIDE_NONE ? WHY("must be deny, ask or allow") : 0;
}

static int set_reason(struct rule *r, const char *v, char why[160])
{
	if (r->reason[0] != '\0')
		return WHY("is given twice");
	if (v[0] == '\0')
		return WHY("is empty");
	if (strlen(v) >= sizeof(r->reason))
		return WHY("is over %zu bytes", sizeof(r->reason) - 1);
	memcpy(r->reason, v, strlen(v) + 1);
	return 0;
}

/* Digits where the pattern has a '0', else the pattern's own byte. */
static bool looks_like(const char *v, const char *pattern)
{
	if (strlen(v) != strlen(pattern))
		return false;
	for (; *pattern != '\0'; pattern++, v++)
		if (*pattern == '0' ? *v < '0' || *v > '9' : *v != *pattern)
			return false;
	return true;
}

/* "2026-12-24" (its end, UTC) or "2026-12-24T18:30Z". */
static int set_expires(struct rule *r, const char *v, char why[160])
{
	bool day = looks_like(v, "0000-00-00");
	struct tm tm = { 0 }, was;

	if (r->expires_ms != 0)
		return WHY("is given twice");
	if (!day && !looks_like(v, "0000-00-00T00:00Z"))
		return WHY("must be a date like 2026-12-24 or 2026-12-24T18:30Z");
	tm.tm_year = atoi(v) - 1900;
	tm.tm_mon = atoi(v + 5) - 1;
	tm.tm_mday = atoi(v + 8);
	tm.tm_hour = day ? 0 : atoi(v + 11);
	tm.tm_min = day ? 0 : atoi(v + 14);
	was = tm;
	r->expires_ms = ((int64_t)timegm(&tm) + (day ? 86400 : 0)) * 1000;
	/* timegm() carries what is too large over: then it was no date. */
	if (tm.tm_year < 100 || tm.tm_year != was.tm_year || tm.tm_mon != was.tm_mon ||
	    tm.tm_mday != was.tm_mday || tm.tm_hour != was.tm_hour ||
	    tm.tm_min != was.tm_min)
		return WHY("is not a date from 2000 on");
	return 0;
}

static int set_uses(struct rule *r, const char *v, char why[160])
{
	uint64_t n;

	if (r->uses != 0)
		return WHY("is given twice");
	if (!sv_u64(sv_of(v), &n) || n < 1 || n > 1000000)
		return WHY("must be a number from 1 to 1000000");
	r->uses = (uint32_t)n;
	return 0;
}

static int set_care(struct rule *r, const char *v, char why[160])
{
	if (r->has_care)
		return WHY("is given twice");
	if (!care_from_name(sv_of(v), &r->care) || r->care == CARE_LOCKED)
		return WHY("must be glance, read or confirm");
	if (r->care == CARE_TWO)
		return WHY("'two' needs a set-up that can tell two people apart "
			"(split user), which this is not");
	r->has_care = true;
	return 0;
}

static int set_later(struct rule *r, const char *v, char why[160])
{
	(void)r;
	(void)v;
	return WHY("needs a newer obstat");
}

const struct rules_key rules_keys[] = {
	{ "tool", "NAME[*]", N_("the tool's name; a trailing * matches any rest"),
		set_tool },
	{ "kind", "KIND", N_("edit, command, http, sql, tool, message, payment, "
		"memory, question, grant or other"), set_kind },
	{ "path", "PATTERN", N_("the resolved path of every file it touches; * does "
		"not match /, ** does; ~/ is home, ./ the workspace"), set_path },
	{ "arg", "WORD", N_("one word of a plain command, in order, all of them"),
		set_arg },
	{ "more", "any", N_("after the last arg: further words are allowed"),
		set_more },
	{ "host", "NAME", N_("the host a request goes to"), set_host },
	{ "channel", "NAME", N_("the agent, by its socket"), set_channel },
	{ "session", "ID", N_("the session, as the agent names it"), set_session },
	{ "task", "NAME", N_("the task, as the agent names it"), set_task },
	{ "subagent", "NAME", N_("the subagent, as the agent names it"),
		set_subagent },
	{ "decide", "deny|ask|allow", N_("what happens"), set_decide },
	{ "reason", "TEXT", N_("what the agent is told with a denial"), set_reason },
	{ "care", "glance|read|confirm", N_("how closely a person must look"),
		set_care },
	{ "expires", "DATE", N_("until when the rule holds (UTC)"), set_expires },
	{ "uses", "N", N_("how often the rule may allow"), set_uses },
	{ "effect", "ID", N_("needs a newer obstat"), set_later },
	{ "flag", "ID", N_("needs a newer obstat"), set_later },
	{ "silence", "ID", N_("needs a newer obstat"), set_later },
	{ NULL, NULL, NULL, NULL },
};

static const char *what_is_missing(enum rules_source source, const struct rule *r)
{
	bool narrow = r->path != NULL || r->n_arg > 0 || r->host != NULL;

	if (r->decide == DECIDE_NONE && !r->has_care)
		return "needs 'decide' or 'care'";
	if (source == RULES_WORKSPACE && r->decide == DECIDE_ALLOW)
		return "a workspace's own rules may only ask and deny";
	if (source == RULES_WORKSPACE && r->has_care && r->care < CARE_READ)
		return "a workspace's own rules may not lower care";
	if (r->decide == DECIDE_ALLOW && (r->tool == NULL || !narrow))
		return "an allow must name a tool, and a path, arguments or a host";
	if (r->has_care && !narrow)
		return "a rule that sets care must name a path, arguments or a host";
	if (r->uses != 0 && r->decide != DECIDE_ALLOW)
		return "'uses' bounds only an allow";
	return NULL;
}

static int add_string(char ***list, size_t *n, size_t max, const char *v)
{
	for (size_t i = 0; i < *n; i++)
		if (strcmp((*list)[i], v) == 0)
			return -1;
	if (*n >= max)
		return -1;
	*list = xreallocarray(*list, *n + 1, sizeof(**list));
	(*list)[(*n)++] = xstrdup(v);
	return 0;
}

static bool is_path(const char *v)
{
	return v[0] == '/' || strncmp(v, "~/", 2) == 0;
}

static bool is_agent(const char *v)
{
	size_t n = strlen(v);

	return n > 0 && n <= 32 &&
		strspn(v, "abcdefghijklmnopqrstuvwxyz0123456789_-") == n;
}

/* "45s", "30m", "2h" or "1d": from 10 s, in which nobody reads anything, to 30
 * days. */
static int duration(const char *v, uint64_t *ms)
{
	static const struct {
		char unit;
		uint64_t s;
	} units[] = { { 's', 1 }, { 'm', 60 }, { 'h', 3600 }, { 'd', 86400 } };
	size_t n = strlen(v);
	uint64_t k;

	if (n < 2 || n > 8 || !sv_u64((struct sv){ v, n - 1 }, &k))
		return -1;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (v[n - 1] == units[i].unit && k * units[i].s >= 10 &&
		    k * units[i].s <= UINT64_C(30) * 86400) {
			*ms = k * units[i].s * 1000;
			return 0;
		}
	return -1;
}

static int obstat_line(const char *name, struct ruleset *s, const struct rules_line *l,
	struct err *e)
{
	const char *v = l->value;
	int r = -1;

	if (strcmp(l->key, "workspace") == 0 && is_path(v))
		r = add_string(&s->workspaces, &s->n_workspaces, MAX_WORKSPACES, v);
	else if (strcmp(l->key, "agent") == 0 && is_agent(v))
		r = add_string(&s->agents, &s->n_agents, MAX_AGENTS, v);
	else if (strcmp(l->key, "ask") == 0 && s->ask[0] == '\0' &&
	    (strcmp(v, "irreversible") == 0 || strcmp(v, "changes") == 0 ||
	    strcmp(v, "everything") == 0))
		r = snprintf(s->ask, sizeof(s->ask), "%s", v) < 0;
	else if (strcmp(l->key, "deadline") == 0 && s->deadline_ms == 0)
		r = duration(v, &s->deadline_ms);
	if (r == 0)
		return 0;
	return err_set(e, "rules_key", "%s:%u: obstat.%s: an unknown key, a value it does "
		"not take, or one too many (workspace = /PATH, agent = NAME, "
		"ask = irreversible|changes|everything, deadline = 45s|30m|2h|1d)", name, l->line, l->key);
}

static int rule_line(const char *name, struct rule *r, const struct rules_line *l,
	struct err *e)
{
	const struct rules_key *k = rules_keys;
	char why[160] = "";

	while (k->name != NULL && strcmp(k->name, l->key) != 0)
		k++;
	if (k->name == NULL)
		return err_set(e, "rules_key", "%s:%u: rule \"%s\": unknown key \"%s\"",
			name, l->line, r->name, l->key);
	if (r->more_any)
		snprintf(why, sizeof(why), "stands after 'more', which must be the last "
			"key");
	else if (k->set(r, l->value, why) == 0)
		return 0;
	return err_set(e, "rules_key", "%s:%u: rule \"%s\": %s %s", name, l->line, r->name,
		l->key, why);
}

/* The lines of one section, from *at on. */
static int one_rule(const char *name, enum rules_source source, struct rule *r,
	const struct rules_lines *lines, size_t section, size_t *at, struct err *e)
{
	const struct rules_section *s = &lines->sections[section];
	struct hasher *h = hasher_new();
	const char *missing;
	int rc = 0;

	r->source = source;
	r->line = s->line;
	memcpy(r->name, s->name, sizeof(r->name));
	hasher_lp(h, sv_of(s->name));
	for (; rc == 0 && *at < lines->n_lines && lines->lines[*at].section == section;
	    ++*at) {
		hasher_lp(h, sv_of(lines->lines[*at].key));
		hasher_lp(h, sv_of(lines->lines[*at].value));
		rc = rule_line(name, r, &lines->lines[*at], e);
	}
	r->id = hasher_final(&h);
	missing = rc == 0 ? what_is_missing(source, r) : NULL;
	return missing == NULL ? rc : err_set(e, "rules_rule", "%s:%u: rule \"%s\": %s",
		name, r->line, r->name, missing);
}

int rules_build(const char *name, enum rules_source source,
	const struct rules_lines *lines, struct ruleset *set, struct err *e)
{
	size_t at = 0;

	if (source == RULES_WORKSPACE && lines->n_sections > WORKSPACE_MAX_RULES)
		return err_set(e, "rules_rule", "%s: over %d rules in a workspace's own "
			"file", name, WORKSPACE_MAX_RULES);
	set->rules = xcalloc(lines->n_sections + 1, sizeof(*set->rules));
	for (size_t i = 0; i < lines->n_sections; i++) {
		if (lines->sections[i].name[0] != '\0' && set->n == RULES_MAX)
			return err_set(e, "rules_rule", "%s:%u: there are over 10,000 rules",
				name, lines->sections[i].line);
		if (lines->sections[i].name[0] != '\0') {
			if (one_rule(name, source, &set->rules[set->n++], lines, i, &at,
			    e) != 0)
				return -1;
			continue;
		}
		if (source == RULES_WORKSPACE)
			return err_set(e, "rules_key", "%s:%u: a workspace's own rules may "
				"hold only rules", name, lines->sections[i].line);
		for (; at < lines->n_lines && lines->lines[at].section == i; at++)
			if (obstat_line(name, set, &lines->lines[at], e) != 0)
				return -1;
	}
	return 0;
}
