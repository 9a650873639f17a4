/*
 * cmd_log.c - one line an action, or one JSON object.
 *
 * Two walks over the record: the first folds actions and picks them, the
 * second (--json only) reads the records of those that were picked. So what
 * is held in memory is a line an action, not the record.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "base/text.h"
#include "cli/act.h"
#include "cli/cli.h"
#include "model/action.h"
#include "model/life.h"

enum { OPT_STATE, OPT_SINCE, OPT_AGENT, OPT_KIND, OPT_OUTCOME, OPT_N, OPT_JSON };
const struct cli_opt cmd_log_opts[] = {
	[OPT_STATE] = CLI_OPT_STATE,
	[OPT_SINCE] = { "since", 0, N_("TIME"),
		N_("asked since: 90s, 30m, 2h, 3d, or a date and time") },
	[OPT_AGENT] = { "agent", 0, N_("NAME"), N_("asked by this agent") },
	[OPT_KIND] = { "kind", 0, N_("KIND"), N_("edit, command, http, sql, tool, ...") },
	[OPT_OUTCOME] = { "outcome", 0, N_("WORD"),
		N_("approved, denied, passed, expired, waiting, ...") },
	[OPT_N] = { "lines", 'n', N_("N"), N_("only the last N") },
	[OPT_JSON] = { "json", 0, NULL, N_("one JSON object a line, with every record") },
	{ NULL, 0, NULL, NULL },
};

struct log {
	const struct cli_args *args;
	struct acts acts;
	int64_t since;             /* real ms */
	uint64_t last;             /* -n; 0 all */
	bool full;                 /* memory used up */
};

/* ---- what was asked for ---- */

/* "2h", or local "2026-11-30[ 14:02[:07]]". */
static bool since_parse(const char *s, int64_t now, int64_t *out)
{
	static const char *const forms[] = { "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S",
		"%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M", "%Y-%m-%d" };
	size_t n = strlen(s);
	uint64_t k, unit = 0;
	const char *end;

	switch (n > 1 ? s[n - 1] : 0) {
	case 's': unit = 1; break;
	case 'm': unit = 60; break;
	case 'h': unit = 3600; break;
	case 'd': unit = 86400; break;
	default: break;
	}
	if (unit != 0 && sv_u64((struct sv){ s, n - 1 }, &k)) {
		if (k > (uint64_t)INT32_MAX)
			return false;
		*out = now - (int64_t)(k * unit * 1000);
		return true;
	}
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		struct tm t;
		time_t when;

		memset(&t, 0, sizeof(t));
		t.tm_isdst = -1;
		end = strptime(s, forms[i], &t);
		if (end == NULL || (*end != '\0' && strcmp(end, "Z") != 0))
			continue;
		when = *end == 'Z' ? timegm(&t) : mktime(&t);
		*out = (int64_t)when * 1000;
		return true;
	}
	return false;
}

static int log_options(struct log *l, const struct cli_args *a)
{
	const char *const *v = a->value;
	enum kind k;
	enum outcome o;

	l->args = a;
	l->since = INT64_MIN;
	if (v[OPT_SINCE] != NULL && !since_parse(v[OPT_SINCE], clock_real_ms(), &l->since))
		return cli_misuse(a->cmd, _("\"%.64s\" is not a time"), v[OPT_SINCE]);
	if (v[OPT_KIND] != NULL && !kind_from_name(sv_of(v[OPT_KIND]), &k))
		return cli_misuse(a->cmd, _("there is no kind \"%.64s\""), v[OPT_KIND]);
	if (v[OPT_OUTCOME] != NULL && strcmp(v[OPT_OUTCOME], "waiting") != 0 &&
	    !outcome_from_name(sv_of(v[OPT_OUTCOME]), &o))
		return cli_misuse(a->cmd, _("there is no outcome \"%.64s\""), v[OPT_OUTCOME]);
	if (v[OPT_N] != NULL && (!sv_u64(sv_of(v[OPT_N]), &l->last) || l->last == 0))
		return cli_misuse(a->cmd, _("\"%.64s\" is not a number of lines"), v[OPT_N]);
	return 0;
}

static bool log_fits(const struct log *l, const struct act *a)
{
	const char *const *v = l->args->value;

	return a->at >= l->since &&
		(v[OPT_AGENT] == NULL || sv_eqs(a->agent, v[OPT_AGENT])) &&
		(v[OPT_KIND] == NULL || sv_eqs(a->kind, v[OPT_KIND])) &&
		(v[OPT_OUTCOME] == NULL || sv_eqs(act_outcome(a), v[OPT_OUTCOME]));
}

static size_t log_pick(struct log *l)
{
	size_t n = 0;

	for (size_t i = l->acts.n; i > 0; i--) {
		struct act *a = &l->acts.a[i - 1];

		if ((l->last == 0 || n < l->last) && log_fits(l, a)) {
			a->picked = true;
			n++;
		}
	}
	return n;
}

/* ---- the table ---- */

/* Column widths in cells; 0: left out. */
struct cols {
	size_t time, id, agent, kind, outcome, by, waited, target;
	size_t time_from;          /* cut at the front: the year */
	bool seconds;
};

static void wider(size_t *w, struct sv s, size_t max)
{
	struct buf b;
	size_t n;

	buf_init(&b, 64 << 10);
	esc_label(s, max, &b);
	n = text_cells(buf_sv(&b));
	buf_free(&b);
	if (n > *w)
		*w = n;
}

static void waited_text(const struct act *a, char *out, size_t n)
{
	if (a->waited < 0)
		snprintf(out, n, "-");
	else if (a->waited < 1000)
		snprintf(out, n, "<1s");
	else
		cli_span(a->waited, out, n);
}

static size_t cols_fixed(const struct cols *c)
{
	const size_t w[] = { c->time, c->id, c->agent, c->kind, c->outcome, c->by,
		c->waited };
	size_t sum = 0;

	for (size_t i = 0; i < sizeof(w) / sizeof(w[0]); i++)
		sum += w[i] > 0 ? w[i] + 1 : 0;
	return sum;
}

static void cols_fit(struct cols *c, size_t width)
{
	size_t fixed = 0;

	c->time = 25;
	c->seconds = true;
	if (width == 0) {
		c->target = 4096;
		return;
	}
	/* What goes first when it is narrow, one after the other. */
	for (int step = 0; (fixed = cols_fixed(c)) + 30 > width && step < 9; step++) {
		switch (step) {
		case 0: c->seconds = false; c->time -= 3; break;
		case 1: c->time_from = 5; c->time -= 5; break;
		case 2: c->by = c->by < 9 ? c->by : 9; break;
		case 3: c->waited = 0; break;
		case 4: c->agent = 0; break;
		case 5: c->by = 0; break;
		case 6: if (fixed + 12 > width) c->kind = 0; break;
		case 7: if (fixed + 12 > width) c->time -= 6; break;
		default: if (fixed + 12 > width) c->outcome = 0; break;
		}
	}
	c->target = fixed < width ? width - fixed : 1;
}

static void col_add(struct buf *b, struct sv s, size_t w)
{
	if (w > 0)
		cli_cell(b, s, w, false);
}

/* Only for people: a program that reads the table counts on lines alone. */
static void head_add(struct buf *b, const struct cols *c)
{
	col_add(b, sv_of(_("asked")), c->time);
	col_add(b, sv_of(_("id")), c->id);
	col_add(b, sv_of(_("agent")), c->agent);
	col_add(b, sv_of(_("kind")), c->kind);
	col_add(b, sv_of(_("outcome")), c->outcome);
	col_add(b, sv_of(_("by")), c->by);
	col_add(b, sv_of(_("after")), c->waited);
	cli_cell(b, sv_of(_("target")), c->target, true);
	buf_addc(b, '\n');
}

static void cols_measure(struct log *l, struct cols *c)
{
	struct buf by;
	char t[40];

	memset(c, 0, sizeof(*c));
	if (cli_is_tty()) {
		wider(&c->id, sv_of(_("id")), 20);
		wider(&c->agent, sv_of(_("agent")), 14);
		wider(&c->kind, sv_of(_("kind")), 10);
		wider(&c->outcome, sv_of(_("outcome")), 18);
		wider(&c->by, sv_of(_("by")), 24);
		wider(&c->waited, sv_of(_("after")), 8);
	}
	buf_init(&by, 16 << 10);
	for (size_t i = 0; i < l->acts.n; i++) {
		const struct act *a = &l->acts.a[i];

		if (!a->picked)
			continue;
		snprintf(t, sizeof(t), "%llu", (unsigned long long)a->id);
		wider(&c->id, sv_of(t), 20);
		wider(&c->agent, a->agent, 14);
		wider(&c->kind, a->kind, 10);
		wider(&c->outcome, act_outcome(a), 18);
		buf_clear(&by);
		act_by(a, &by);
		wider(&c->by, buf_sv(&by), 24);
		waited_text(a, t, sizeof(t));
		wider(&c->waited, sv_of(t), 8);
	}
	buf_free(&by);
	cols_fit(c, cli_width());
}

static void row_add(struct buf *b, const struct cols *c, const struct act *a)
{
	char t[40], span[40];
	struct buf by;

	clock_local(a->at, t, sizeof(t));
	if (strlen(t) == 25) {
		if (!c->seconds)
			memmove(t + 16, t + 19, 7);
		t[c->time_from + c->time] = '\0';
		memmove(t, t + c->time_from, c->time + 1);
	}
	cli_cell(b, sv_of(t), c->time, false);
	buf_addf(b, "%*llu ", (int)c->id, (unsigned long long)a->id);
	col_add(b, a->agent, c->agent);
	col_add(b, a->kind, c->kind);
	col_add(b, act_outcome(a), c->outcome);
	buf_init(&by, 16 << 10);
	act_by(a, &by);
	col_add(b, buf_sv(&by), c->by);
	buf_free(&by);
	waited_text(a, span, sizeof(span));
	if (c->waited > 0)
		buf_addf(b, "%*s ", (int)c->waited, span);
	cli_cell(b, a->target.n > 0 ? a->target : a->tool, c->target, true);
	buf_addc(b, '\n');
}

static void log_table(struct log *l)
{
	struct cols c;
	struct buf b;

	cols_measure(l, &c);
	buf_init(&b, 1 << 20);
	if (cli_is_tty()) {
		head_add(&b, &c);
		cli_put(&b);
	}
	for (size_t i = 0; i < l->acts.n; i++) {
		if (!l->acts.a[i].picked)
			continue;
		buf_clear(&b);
		row_add(&b, &c, &l->acts.a[i]);
		cli_put(&b);
	}
	buf_free(&b);
}

/* ---- JSON ---- */

struct gather {
	struct log *l;
	struct jv **records;       /* an array each, as acts.a */
};

static bool gather_rec(void *arg, const struct rec_view *v)
{
	struct gather *g = arg;
	struct act *a = acts_find(&g->l->acts, act_of(v));

	if (a != NULL && a->picked)
		jv_add(g->records[a - g->l->acts.a], rec_json(v));
	return true;
}

static struct jv *act_json(const struct act *a, struct jv *records)
{
	struct jv *o = jv_obj(), *by = jv_obj();
	char t[40];

	jv_put_i(o, "id", (int64_t)a->id);
	clock_utc(a->at, t, sizeof(t));
	jv_put_s(o, "at", t);
	jv_put_sv_opt(o, "agent", a->agent);
	jv_put_sv_opt(o, "kind", a->kind);
	jv_put_sv_opt(o, "tool", a->tool);
	jv_put_sv_opt(o, "target", a->target);
	jv_put_sv(o, "outcome", act_outcome(a));
	jv_put_sv_opt(by, "kind", a->by_kind);
	jv_put_sv_opt(by, "name", a->by_name);
	if (a->has_uid)
		jv_put_i(by, "uid", (int64_t)a->by_uid);
	jv_put_sv_opt(by, "rule", a->rule);
	jv_put(o, "by", by);
	if (a->waited >= 0)
		jv_put_i(o, "waited_ms", a->waited);
	jv_put(o, "records", records);
	return o;
}

static int log_json(struct log *l, struct reader *r, struct err *e)
{
	struct gather g = { l, xcalloc(l->acts.n + 1, sizeof(*g.records)) };
	struct buf b;
	int rc;

	for (size_t i = 0; i < l->acts.n; i++)
		if (l->acts.a[i].picked)
			g.records[i] = jv_arr();
	rc = reader_each(r, 1, gather_rec, &g, e);
	buf_init(&b, 64 << 20);
	for (size_t i = 0; i < l->acts.n; i++) {
		struct jv *o;

		if (!l->acts.a[i].picked)
			continue;
		o = act_json(&l->acts.a[i], g.records[i]);
		buf_clear(&b);
		if (rc == 0 && jv_write_clean(o, false, &b) == 0 && buf_addc(&b, '\n') == 0)
			cli_put(&b);
		else if (rc == 0)
			rc = err_set(e, "size", "action %llu is too big to print",
				(unsigned long long)l->acts.a[i].id);
		jv_free(&o);
	}
	buf_free(&b);
	free(g.records);
	return rc;
}

/* ---- the command ---- */

static bool fold(void *arg, const struct rec_view *v)
{
	struct log *l = arg;

	l->full = !acts_fold(&l->acts, v);
	return !l->full;
}

int cmd_log(const struct cli_args *a)
{
	struct err e = ERR_INIT;
	struct log l = { 0 };
	struct reader *r;
	int rc = log_options(&l, a);

	if (rc != 0)
		return rc;
	r = record_open(a->value[OPT_STATE]);
	if (r == NULL)
		return CLI_FAIL;
	acts_init(&l.acts);
	rc = reader_each(r, 1, fold, &l, &e);
	if (rc == 0 && l.full)
		rc = err_set(&e, "memory", "too many actions for this memory");
	if (rc == 0 && log_pick(&l) > 0) {
		if (a->value[OPT_JSON] != NULL)
			rc = log_json(&l, r, &e);
		else
			log_table(&l);
	}
	acts_free(&l.acts);
	reader_close(&r);
	return rc == 0 ? CLI_YES : cli_fail_err(&e);
}
