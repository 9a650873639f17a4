/*
 * policy.c - rules and the default, in two order-free passes: care first, then
 * the verdict, deny > ask > allow > default.
 */
#include "policy/policy.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct use {
	struct digest id;
	char name[64];
	uint32_t used;
};
struct policy {
	struct ruleset *rules;
	struct use *uses;
	size_t n_uses;
	char home[PATH_MAX];       /* resolved: rules match resolved paths */
};

struct policy *policy_new(const char *home)
{
	struct policy *p = xcalloc(1, sizeof(*p));

	p->rules = xcalloc(1, sizeof(*p->rules));
	if (home != NULL && realpath(home, p->home) == NULL)
		snprintf(p->home, sizeof(p->home), "%s", home);
	return p;
}

void policy_free(struct policy **pp)
{
	if (*pp == NULL)
		return;
	ruleset_free(&(*pp)->rules);
	free((*pp)->uses);
	free(*pp);
	*pp = NULL;
}

/* Only rules of the new set keep a counter; the text of a rule is its
 * identity, so a reload refills nothing. */
void policy_set(struct policy *p, struct ruleset *owned)
{
	struct use *uses = xcalloc(owned->n + 1, sizeof(*uses));
	size_t n = 0;

	for (size_t i = 0; i < owned->n; i++) {
		struct rule *r = &owned->rules[i];

		if (r->uses == 0)
			continue;
		uses[n].id = r->id;
		memcpy(uses[n].name, r->name, sizeof(uses[n].name));
		for (size_t k = 0; k < p->n_uses; k++)
			if (digest_eq(&p->uses[k].id, &r->id))
				uses[n].used = p->uses[k].used;
		n++;
	}
	free(p->uses);
	p->uses = uses;
	p->n_uses = n;
	ruleset_free(&p->rules);
	p->rules = owned;
}

const struct ruleset *policy_rules(const struct policy *p)
{
	return p->rules;
}

static struct use *use_of(const struct policy *p, const char *name)
{
	for (size_t i = 0; i < p->n_uses; i++)
		if (strcmp(p->uses[i].name, name) == 0)
			return &p->uses[i];
	return NULL;
}

void policy_used(struct policy *p, const char *rule)
{
	struct use *u = use_of(p, rule);

	if (u != NULL && u->used < UINT32_MAX)
		u->used++;
}

void policy_uses_restore(struct policy *p, const char *rule, uint32_t used)
{
	struct use *u = use_of(p, rule);

	if (u != NULL && used > u->used)
		u->used = used;
}

uint32_t policy_uses_left(const struct policy *p, const struct rule *r)
{
	const struct use *u = use_of(p, r->name);
	uint32_t used = u != NULL ? u->used : 0;

	return r->uses == 0 ? UINT32_MAX : r->uses > used ? r->uses - used : 0;
}

/* ---- matching ---- */

struct ask {
	const struct policy *p;
	const struct facts *f;
	int64_t now_ms;
};

static bool label_is(const char *want, struct sv have)
{
	return want == NULL || sv_eqs(have, want);
}

static bool tool_is(const char *want, struct sv tool)
{
	size_t n = want != NULL ? strlen(want) : 0;

	if (want == NULL)
		return true;
	if (n > 0 && want[n - 1] == '*')
		return tool.n >= n - 1 && memcmp(tool.p, want, n - 1) == 0;
	return sv_eqs(tool, want);
}

static bool args_are(const struct rule *r, const struct facts *f)
{
	if (r->n_arg == 0)
		return true;
	if (f->n_argv < r->n_arg || (f->n_argv > r->n_arg && !r->more_any))
		return false;
	for (size_t i = 0; i < r->n_arg; i++)
		if (!sv_eqs(f->argv[i], r->arg[i]))
			return false;
	return true;
}

/* "~/" and "./" made absolute. false when there is nothing to make it with. */
static bool expand(const struct ask *q, const char *pat, char out[PATH_MAX * 2])
{
	struct sv base = SV_NONE;
	int n;

	if (pat[0] == '/') {
		n = snprintf(out, PATH_MAX * 2, "%s", pat);
		return n >= 0 && n < PATH_MAX * 2;
	}
	base = pat[0] == '~' ? sv_of(q->p->home) : q->f->workspace;
	if (base.n == 0 || memchr(base.p, 0, base.n) != NULL)
		return false;
	n = snprintf(out, PATH_MAX * 2, "%.*s%s", SVFMT(base), pat + 1);
	return n >= 0 && n < PATH_MAX * 2;
}

/* The base may hold bytes that are special in a pattern; it matches itself. */
static bool path_is(const struct ask *q, const char *pat, struct sv real)
{
	struct sv base = pat[0] == '~' ? sv_of(q->p->home) : q->f->workspace;
	char abs[PATH_MAX * 2];

	if (pat[0] == '/')
		return path_match(pat, real);
	if (!expand(q, pat, abs) || real.n < base.n ||
	    memcmp(real.p, base.p, base.n) != 0)
		return false;
	return path_match(pat + 1, (struct sv){ real.p + base.n, real.n - base.n });
}

static bool wild(const char *pattern)
{
	return strpbrk(pattern, "*?[\\") != NULL;
}

/* An allow must match every path, a deny or ask any of them. An allow with
 * wildcards never reaches into the control table: it must name the file. */
static bool paths_are(const struct ask *q, const struct rule *r)
{
	const struct facts *f = q->f;
	size_t hit = 0;

	if (r->path == NULL)
		return true;
	for (size_t i = 0; i < f->n_paths; i++)
		if (path_is(q, r->path, f->paths[i].real) &&
		    (r->decide != DECIDE_ALLOW || f->paths[i].resolved))
			hit++;
	if (r->decide != DECIDE_ALLOW)
		return hit > 0;
	if (f->control_path && wild(r->path))
		return false;
	return f->n_paths > 0 && hit == f->n_paths;
}

static bool matches(const struct ask *q, const struct rule *r)
{
	const struct facts *f = q->f;

	if (r->expires_ms != 0 && q->now_ms >= r->expires_ms)
		return false;
	if (r->uses != 0 && policy_uses_left(q->p, r) == 0)
		return false;
	if (r->decide == DECIDE_ALLOW && !f->understood)
		return false;
	return tool_is(r->tool, f->tool) && (!r->has_kind || r->kind == f->kind) &&
		label_is(r->channel, f->channel) && label_is(r->session, f->session) &&
		label_is(r->task, f->task) && label_is(r->subagent, f->subagent) &&
		label_is(r->host, f->host) && args_are(r, f) && paths_are(q, r);
}

static void take(struct verdict *v, const struct rule *r)
{
	static const char *const files[] = { "system", "user", "workspace" };

	v->decide = r->decide;
	memcpy(v->rule, r->name, sizeof(v->rule));
	snprintf(v->rule_file, sizeof(v->rule_file), "%s", files[r->source]);
	memcpy(v->reason, r->reason, sizeof(v->reason));
}

static void run_set(const struct ask *q, const struct ruleset *s, struct verdict *v,
	bool *care_set)
{
	for (size_t i = 0; s != NULL && i < s->n; i++) {
		const struct rule *r = &s->rules[i];

		if (!matches(q, r))
			continue;
		if (r->has_care && (!*care_set || r->care > v->care)) {
			v->care = r->care;
			*care_set = true;
		}
		/* DENY < ASK < ALLOW in the enum: the smaller is the stronger. */
		if (r->decide != DECIDE_NONE &&
		    (v->decide == DECIDE_NONE || r->decide < v->decide))
			take(v, r);
	}
}

static enum ask_level ask_level(const struct ruleset *s)
{
	if (strcmp(s->ask, "everything") == 0)
		return ASK_EVERYTHING;
	return strcmp(s->ask, "changes") == 0 ? ASK_CHANGES : ASK_IRREVERSIBLE;
}

/* obstat(5), "What asks, when no rule matches". */
static void by_default(struct verdict *v, const struct facts *f,
	enum ask_level level)
{
	static const enum reversibility asks_from[] = {
		[ASK_IRREVERSIBLE] = REV_IRREVERSIBLE,
		[ASK_CHANGES] = REV_REVERSIBLE,
		[ASK_EVERYTHING] = REV_READ_ONLY,
	};

	if (f->deflt == TOOL_NO_OPINION) {
		v->pass = true;
		snprintf(v->why, sizeof(v->why), "asks the human in its own window");
	} else if (f->control_path) {
		snprintf(v->why, sizeof(v->why), "%s", f->control_why);
	} else if (f->rev >= asks_from[level]) {
		snprintf(v->why, sizeof(v->why), "%s", f->why_rev);
	} else {
		v->pass = true;
		snprintf(v->why, sizeof(v->why), "%s", f->why_rev);
	}
}

void policy_decide(struct policy *p, const struct ruleset *workspace,
	const struct facts *f, int64_t now_ms, struct verdict *v)
{
	struct ask q = { p, f, now_ms };
	bool care_set = false;

	*v = (struct verdict){ .decide = DECIDE_NONE };
	v->care = f->rev == REV_REVERSIBLE && !f->control_path ? CARE_GLANCE : CARE_READ;
	v->rules = p->rules->digest;
	run_set(&q, p->rules, v, &care_set);
	run_set(&q, workspace, v, &care_set);
	if (v->decide == DECIDE_NONE)
		by_default(v, f, ask_level(p->rules));
	else
		snprintf(v->why, sizeof(v->why), "rule \"%s\"", v->rule);
}
