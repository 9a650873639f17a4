/*
 * policy.c - rules and the default, in two order-free passes: care first, then
 * the verdict, deny > ask > allow > default.
 */
#include "policy/policy.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/i18n.h"

/* About a tenth of a second of matching, for all rules of one action. A
 * workspace's rules come with the repository, so their cost is not ours. */
#define STEPS_MAX ((size_t)20 * 1000 * 1000)
/* Counters of rules that are gone are kept up to this many. */
#define USES_MAX 40000

struct use {
	struct digest id;
	char name[64];
	uint32_t used;
};
struct policy {
	struct ruleset *rules;
	struct use *uses;          /* sorted by id */
	size_t n_uses;
	struct use **use_of;       /* one a rule, NULL unbounded */
	char home[PATH_MAX];       /* resolved: rules match resolved paths */
	char home_named[PATH_MAX]; /* as given; deny and ask match it too */
};

static void dir_name(char out[PATH_MAX], const char *dir)
{
	size_t n = strlen(dir);

	while (n > 0 && dir[n - 1] == '/')
		n--;
	snprintf(out, PATH_MAX, "%.*s", (int)(n < PATH_MAX ? n : 0), dir);
}

struct policy *policy_new(const char *home)
{
	struct policy *p = xcalloc(1, sizeof(*p));
	char *real = home != NULL ? realpath(home, NULL) : NULL;

	p->rules = xcalloc(1, sizeof(*p->rules));
	if (home != NULL) {
		dir_name(p->home_named, home);
		dir_name(p->home, real != NULL ? real : home);
	}
	free(real);
	return p;
}

void policy_free(struct policy **pp)
{
	if (*pp == NULL)
		return;
	ruleset_free(&(*pp)->rules);
	free((*pp)->uses);
	free((*pp)->use_of);
	free(*pp);
	*pp = NULL;
}

static int by_id(const void *a, const void *b)
{
	return memcmp(((const struct use *)a)->id.b, ((const struct use *)b)->id.b,
		DIGEST_LEN);
}

/* Old counters and those of the new rules, each id once with its count. */
static void merge_uses(struct policy *p, const struct ruleset *set)
{
	size_t n = 0, keep = p->n_uses <= USES_MAX ? p->n_uses : 0;
	struct use *u = xcalloc(keep + set->n + 1, sizeof(*u));

	memcpy(u, p->uses != NULL ? p->uses : u, keep * sizeof(*u));
	for (size_t i = 0; i < set->n; i++) {
		const struct rule *r = &set->rules[i];
		struct use *new = &u[keep + n];

		if (r->uses == 0)
			continue;
		new->id = r->id;
		memcpy(new->name, r->name, sizeof(new->name));
		n++;
		/* Over the limit, only what is still there keeps its count. */
		if (keep == 0 && p->n_uses > 0) {
			const struct use *old = bsearch(new, p->uses, p->n_uses,
				sizeof(*u), by_id);

			new->used = old != NULL ? old->used : 0;
		}
	}
	n += keep;
	qsort(u, n, sizeof(*u), by_id);
	free(p->uses);
	p->uses = u;
	p->n_uses = 0;
	for (size_t i = 0; i < n; i++) {
		struct use *last = p->n_uses > 0 ? &u[p->n_uses - 1] : NULL;

		if (last == NULL || by_id(last, &u[i]) != 0)
			u[p->n_uses++] = u[i];
		else if (u[i].used > last->used)
			last->used = u[i].used;
	}
}

void policy_set(struct policy *p, struct ruleset *owned)
{
	merge_uses(p, owned);
	free(p->use_of);
	p->use_of = xcalloc(owned->n + 1, sizeof(struct use *));
	for (size_t i = 0; i < owned->n; i++) {
		struct use key = { .id = owned->rules[i].id };

		if (owned->rules[i].uses != 0)
			p->use_of[i] = bsearch(&key, p->uses, p->n_uses, sizeof(key),
				by_id);
	}
	ruleset_free(&p->rules);
	p->rules = owned;
}

const struct ruleset *policy_rules(const struct policy *p)
{
	return p->rules;
}

void policy_used(struct policy *p, const char *rule)
{
	for (size_t i = 0; i < p->n_uses; i++)
		if (strcmp(p->uses[i].name, rule) == 0 && p->uses[i].used < UINT32_MAX)
			p->uses[i].used++;
}

void policy_uses_restore(struct policy *p, const char *rule, uint32_t used)
{
	for (size_t i = 0; i < p->n_uses; i++)
		if (strcmp(p->uses[i].name, rule) == 0 && used > p->uses[i].used)
			p->uses[i].used = used;
}

static uint32_t left(const struct rule *r, const struct use *u)
{
	uint32_t used = u != NULL ? u->used : 0;

	return r->uses == 0 ? UINT32_MAX : r->uses > used ? r->uses - used : 0;
}

uint32_t policy_uses_left(const struct policy *p, const struct rule *r)
{
	struct use key = { .id = r->id };

	return left(r, p->n_uses > 0 ? bsearch(&key, p->uses, p->n_uses, sizeof(key),
		by_id) : NULL);
}

/* ---- matching ---- */

struct ask {
	const struct policy *p;
	const struct facts *f;
	int64_t now_ms;
	size_t steps;
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

/* Host names fold case (RFC 4343). "name." is the same host, which a deny must
 * not miss; an allow takes no chances. */
static bool host_is(const struct rule *r, struct sv host, bool strict)
{
	if (r->host == NULL)
		return true;
	if (!strict && host.n > 1 && host.p[host.n - 1] == '.')
		host.n--;
	return host.n > 0 && strlen(r->host) == host.n &&
		strncasecmp(r->host, host.p, host.n) == 0;
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

/* base is a directory without a last slash ("" is the root); it may hold bytes
 * that are special in a pattern, so it is compared, not matched. */
static bool below_is(struct ask *q, struct sv base, const char *pat, struct sv path)
{
	if (path.n < base.n || (base.n > 0 && memcmp(path.p, base.p, base.n) != 0))
		return false;
	return path_match_within(pat, (struct sv){ path.p + base.n, path.n - base.n },
		&q->steps);
}

static bool path_is(struct ask *q, const char *pat, struct sv path)
{
	struct sv ws = q->f->workspace;

	if (path.n == 0)
		return false;
	if (pat[0] == '~')
		return (q->p->home[0] == '/' &&
			below_is(q, sv_of(q->p->home), pat + 1, path)) ||
			(q->p->home_named[0] == '/' &&
			below_is(q, sv_of(q->p->home_named), pat + 1, path));
	if (pat[0] == '.')
		return ws.n > 1 && below_is(q, ws, pat + 1, path);
	return path_match_within(pat, path, &q->steps);
}

static bool wild(const char *pattern)
{
	return strpbrk(pattern, "*?[\\") != NULL;
}

/* Strictly, every path must match by where it really lies, and wildcards never
 * reach into the control table: a rule must name that file. Else any path by
 * either of its names is enough. */
static bool paths_are(struct ask *q, const struct rule *r, bool strict)
{
	const struct facts *f = q->f;
	size_t hit = 0;

	if (r->path == NULL)
		return true;
	if (strict && f->control_path && wild(r->path))
		return false;
	for (size_t i = 0; i < f->n_paths; i++) {
		const struct fact_path *p = &f->paths[i];
		bool is = path_is(q, r->path, p->real) && (p->resolved || !strict);

		if (!is && !strict && !sv_eq(p->real, p->named))
			is = path_is(q, r->path, p->named);
		if (is && !strict)
			return true;
		if (!is && strict)
			return false;
		hit += is;
	}
	return hit > 0;
}

/* strict: the rule lets something by (an allow, less care). */
static bool matches(struct ask *q, const struct rule *r, bool strict)
{
	const struct facts *f = q->f;

	if (strict && !f->understood)
		return false;
	return tool_is(r->tool, f->tool) && (!r->has_kind || r->kind == f->kind) &&
		(r->expires_ms == 0 || q->now_ms < r->expires_ms) &&
		label_is(r->channel, f->channel) && label_is(r->session, f->session) &&
		label_is(r->task, f->task) && label_is(r->subagent, f->subagent) &&
		host_is(r, f->host, strict) && args_are(r, f) && paths_are(q, r, strict);
}

/* Which of two rules that match is named does not depend on their order: the
 * stronger one; of equals, one whose uses are not spent by it, then by file
 * and name. */
static bool goes_before(const struct rule *a, const struct rule *b)
{
	if (b == NULL || a->decide != b->decide)
		return b == NULL || a->decide < b->decide;
	if ((a->uses == 0) != (b->uses == 0))
		return a->uses == 0;
	if (a->source != b->source)
		return a->source < b->source;
	return strcmp(a->name, b->name) < 0;
}

struct found {
	const struct rule *rule;
	bool has_care;
	enum care care, raise;     /* set by the owner; raised by a workspace */
	enum care base;
};

static void one_rule(struct ask *q, const struct rule *r, struct found *out)
{
	bool allow = r->decide == DECIDE_ALLOW;
	bool less = r->has_care && r->care < out->base;

	if ((allow && r->source == RULES_WORKSPACE) || !matches(q, r, allow))
		return;
	if (r->decide != DECIDE_NONE && goes_before(r, out->rule))
		out->rule = r;
	if (!r->has_care)
		return;
	if (r->source == RULES_WORKSPACE) {
		if (r->care > out->raise)
			out->raise = r->care;
	} else if ((!out->has_care || r->care > out->care) &&
	    (!less || allow || matches(q, r, true))) {
		out->care = r->care;
		out->has_care = true;
	}
}

static void run_set(struct ask *q, const struct ruleset *s, struct found *out)
{
	for (size_t i = 0; i < s->n; i++)
		if (s != q->p->rules || q->p->use_of == NULL ||
		    left(&s->rules[i], q->p->use_of[i]) > 0)
			one_rule(q, &s->rules[i], out);
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
	const char *why = f->why_rev != NULL ? f->why_rev : N_("what it does is not known");

	if (f->deflt == TOOL_NO_OPINION && f->understood) {
		v->pass = true;
		why = N_("asks the human in its own window");
	} else if (f->never_passes) {
		why = f->never_why;
	} else {
		v->pass = f->rev < asks_from[level];
	}
	snprintf(v->why, sizeof(v->why), "%s", why);
}

static void by_rule(struct verdict *v, const struct rule *r)
{
	static const char *const files[] = { "system", "user", "workspace" };

	v->decide = r->decide;
	memcpy(v->rule, r->name, sizeof(v->rule));
	snprintf(v->rule_file, sizeof(v->rule_file), "%s", files[r->source]);
	memcpy(v->reason, r->reason, sizeof(v->reason));
	snprintf(v->why, sizeof(v->why), "rule \"%s\"", v->rule);
}

static struct digest rules_digest(const struct policy *p, const struct ruleset *ws)
{
	struct digest both[2] = { p->rules->digest };

	if (ws == NULL || ws->n == 0)
		return p->rules->digest;
	both[1] = ws->digest;
	return sha256((struct sv){ (const char *)both, sizeof(both) });
}

void policy_decide(struct policy *p, const struct ruleset *workspace,
	const struct facts *f, int64_t now_ms, struct verdict *v)
{
	struct ask q = { p, f, now_ms, STEPS_MAX };
	struct found got = { .base = f->rev != REV_IRREVERSIBLE && !f->never_passes ?
		CARE_GLANCE : CARE_READ };

	*v = (struct verdict){ .decide = DECIDE_NONE };
	v->rules = rules_digest(p, workspace);
	run_set(&q, p->rules, &got);
	if (workspace != NULL)
		run_set(&q, workspace, &got);
	v->care = got.has_care ? got.care : got.base;
	if (got.raise > v->care)
		v->care = got.raise;
	if (q.steps == 0 && (got.rule == NULL || got.rule->decide != DECIDE_DENY)) {
		/* Some rule was not looked at to its end: it may have been a deny. */
		v->decide = DECIDE_ASK;
		if (v->care < got.base)
			v->care = got.base;
		snprintf(v->why, sizeof(v->why), N_("the rules took too long to apply"));
	} else if (got.rule != NULL) {
		by_rule(v, got.rule);
	} else {
		by_default(v, f, ask_level(p->rules));
	}
}
