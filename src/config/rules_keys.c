/*
 * rules_keys.c - what each key of a rule takes, and when a rule is whole.
 *
 * To add a key: one row in rules_keys[] and its setter.
 */
#include "config/rules_keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/i18n.h"

#define WHY(...) (snprintf(why, 160, __VA_ARGS__), -1)
#define MAX_RULES 10000
#define MAX_ARGS 1024

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
	if (v[0] != '/' && strncmp(v, "~/", 2) != 0 && strncmp(v, "./", 2) != 0)
		return WHY("must begin with '/', '~/' or './'");
	return set_once(&r->path, v, why);
}

static int set_arg(struct rule *r, const char *v, char why[160])
{
	if (r->more_any)
		return WHY("stands after 'more', which must be the last key");
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
	if (strlen(v) >= sizeof(r->reason))
		return WHY("is over %zu bytes", sizeof(r->reason) - 1);
	memcpy(r->reason, v, strlen(v) + 1);
	return 0;
}

/* "2026-12-24" (its end, UTC) or "2026-12-24T18:30Z". */
static int set_expires(struct rule *r, const char *v, char why[160])
{
	struct tm tm = { 0 };
	int y, mo, d, h = 0, mi = 0, n = 0;
	time_t t;

	if (sscanf(v, "%4d-%2d-%2d%n", &y, &mo, &d, &n) != 3 || n != 10)
		return WHY("must be a date like 2026-12-24 or 2026-12-24T18:30Z");
	if (v[n] != '\0') {
		int m = 0;

		if (sscanf(v + n, "T%2d:%2dZ%n", &h, &mi, &m) != 2 || m != 7 ||
		    v[n + m] != '\0')
			return WHY("must be a date like 2026-12-24 or "
				"2026-12-24T18:30Z");
	} else {
		h = 24;
	}
	if (y < 2000 || mo < 1 || mo > 12 || d < 1 || d > 31 || h < 0 || h > 24 ||
	    mi < 0 || mi > 59)
		return WHY("is not a date");
	tm.tm_year = y - 1900;
	tm.tm_mon = mo - 1;
	tm.tm_mday = d;
	tm.tm_hour = h;
	tm.tm_min = mi;
	t = timegm(&tm);
	if (h < 24 && (tm.tm_mday != d || tm.tm_mon != mo - 1))
		return WHY("is not a date");
	r->expires_ms = (int64_t)t * 1000;
	return 0;
}

static int set_uses(struct rule *r, const char *v, char why[160])
{
	uint64_t n;

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

static int whole(const struct rules_parse *p, const struct rule *r, struct err *e)
{
	const char *bad = NULL;
	bool narrow = r->path != NULL || r->n_arg > 0 || r->host != NULL;

	if (r->decide == DECIDE_NONE && !r->has_care)
		bad = "needs 'decide' or 'care'";
	else if (p->source == RULES_WORKSPACE && r->decide == DECIDE_ALLOW)
		bad = "a workspace's own rules may only ask and deny";
	else if (p->source == RULES_WORKSPACE && r->has_care && r->care < CARE_READ)
		bad = "a workspace's own rules may not lower care";
	else if (r->decide == DECIDE_ALLOW && (r->tool == NULL || !narrow))
		bad = "an allow must name a tool, and a path, arguments or a host";
	else if (r->has_care && !narrow)
		bad = "a rule that sets care must name a path, arguments or a host";
	else if (r->uses != 0 && r->decide != DECIDE_ALLOW)
		bad = "'uses' bounds only an allow";
	if (bad == NULL)
		return 0;
	return err_set(e, "rules_rule", "%s:%u: rule \"%s\": %s", p->name, r->line,
		r->name, bad);
}

static void close_rule(struct rules_parse *p)
{
	if (p->id != NULL)
		p->set->rules[p->set->n - 1].id = hasher_final(&p->id);
	p->id = NULL;
}

/* A section without keys never reaches us as an entry, but somebody wrote it. */
static int all_seen(const struct rules_parse *p, struct err *e)
{
	size_t n = 0;

	for (size_t i = 0; i < p->sections->n; i++) {
		if (strncasecmp(p->sections->at[i].head, "[rule ", 6) == 0)
			n++;
	}
	if (n == p->set->n)
		return 0;
	return err_set(e, "rules_rule", "%s: a rule's section is empty, or a name is "
		"written in two ways", p->name);
}

int rules_end(struct rules_parse *p, struct err *e)
{
	close_rule(p);
	if (all_seen(p, e) != 0)
		return -1;
	for (size_t i = 0; i < p->set->n; i++)
		if (whole(p, &p->set->rules[i], e) != 0)
			return -1;
	return 0;
}

static int obstat_entry(struct rules_parse *p, const char *key, const char *v,
	struct err *e)
{
	struct ruleset *s = p->set;

	if (p->source == RULES_WORKSPACE)
		return err_set(e, "rules_key", "%s: a workspace's own rules may hold "
			"only rules", p->name);
	if (strcmp(key, "workspace") == 0 && v[0] == '/') {
		s->workspaces = xreallocarray(s->workspaces, s->n_workspaces + 1,
			sizeof(*s->workspaces));
		s->workspaces[s->n_workspaces++] = xstrdup(v);
		return 0;
	}
	if (strcmp(key, "agent") == 0 && v[0] != '\0' && strlen(v) <= 32 &&
	    strspn(v, "abcdefghijklmnopqrstuvwxyz0123456789_-") == strlen(v)) {
		s->agents = xreallocarray(s->agents, s->n_agents + 1,
			sizeof(*s->agents));
		s->agents[s->n_agents++] = xstrdup(v);
		return 0;
	}
	if (strcmp(key, "ask") == 0 && (strcmp(v, "irreversible") == 0 ||
	    strcmp(v, "changes") == 0 || strcmp(v, "everything") == 0)) {
		memcpy(s->ask, v, strlen(v) + 1);
		return 0;
	}
	return err_set(e, "rules_key", "%s: obstat.%s: an unknown key, or a value "
		"it does not take (workspace = /PATH, agent = NAME, "
		"ask = irreversible|changes|everything)", p->name, key);
}

static struct rule *rule_of(struct rules_parse *p, struct sv name, struct err *e)
{
	struct ruleset *s = p->set;
	struct rule *r;

	if (s->n > 0 && sv_eqs(name, s->rules[s->n - 1].name))
		return &s->rules[s->n - 1];
	if (name.n >= sizeof(r->name) || s->n >= MAX_RULES) {
		err_set(e, "rules_rule", "%s: a rule's name is over 63 bytes, or there "
			"are over %d rules", p->name, MAX_RULES);
		return NULL;
	}
	close_rule(p);
	s->rules = xreallocarray(s->rules, s->n + 1, sizeof(*s->rules));
	r = &s->rules[s->n++];
	*r = (struct rule){ .source = p->source };
	memcpy(r->name, name.p, name.n);
	r->line = rules_section_line(p->sections, r->name);
	p->id = hasher_new();
	hasher_lp(p->id, name);
	return r;
}

int rules_entry(struct rules_parse *p, const char *key, const char *value,
	struct err *e)
{
	const char *dot = strrchr(key, '.');
	char why[160] = "";
	struct rule *r;

	if (strncmp(key, "obstat.", 7) == 0 && dot == key + 6)
		return obstat_entry(p, dot + 1, value != NULL ? value : "", e);
	if (strncmp(key, "rule.", 5) != 0 || dot <= key + 4)
		return err_set(e, "rules_key", "%s: section of \"%s\" is not known; "
			"there are [rule \"NAME\"] and [obstat]", p->name, key);
	r = rule_of(p, (struct sv){ key + 5, (size_t)(dot - key) - 5 }, e);
	if (r == NULL)
		return -1;
	hasher_lp(p->id, sv_of(dot + 1));
	hasher_lp(p->id, sv_of(value));
	for (const struct rules_key *k = rules_keys; k->name != NULL; k++) {
		if (strcmp(k->name, dot + 1) != 0)
			continue;
		if (r->more_any && strcmp(k->name, "arg") == 0)
			snprintf(why, sizeof(why), "stands after 'more'");
		else if (value == NULL)
			snprintf(why, sizeof(why), "has no value");
		else if (k->set(r, value, why) == 0)
			return 0;
		return err_set(e, "rules_key", "%s:%u: rule \"%s\": %s %s", p->name,
			r->line, r->name, k->name, why);
	}
	return err_set(e, "rules_key", "%s:%u: rule \"%s\": unknown key \"%s\"",
		p->name, r->line, r->name, dot + 1);
}
