#include "cli/act.h"

#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "cli/cli.h"
#include "config/paths.h"

#define ARENA_MAX ((size_t)1 << 30)
/* What a line of a table can use of a value. */
#define SHOWN_MAX 1024

void acts_init(struct acts *l)
{
	memset(l, 0, sizeof(*l));
	l->arena = arena_new(ARENA_MAX);
}

void acts_free(struct acts *l)
{
	arena_free(&l->arena);
	free(l->a);
	memset(l, 0, sizeof(*l));
}

uint64_t act_of(const struct rec_view *v)
{
	uint64_t id;

	switch (v->type) {
	case REC_RECEIVED:
	case REC_REFUSED:
	case REC_REFUSED_MANY:
		return v->seq;
	default:
		return rec_view_u64(v, RF_ACTION, &id) ? id : 0;
	}
}

struct act *acts_find(struct acts *l, uint64_t id)
{
	size_t lo = 0, hi = l->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (l->a[mid].id < id)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < l->n && l->a[lo].id == id ? &l->a[lo] : NULL;
}

static void keep(struct acts *l, struct sv *slot, struct sv v, bool replace)
{
	if (v.n == 0 || (slot->n > 0 && !replace))
		return;
	if (v.n > SHOWN_MAX)
		v.n = SHOWN_MAX;
	*slot = arena_sv(l->arena, v);
}

static struct act *act_begin(struct acts *l, const struct rec_view *v)
{
	struct act *a;

	if (l->n == l->cap) {
		l->cap = l->cap == 0 ? 256 : l->cap * 2;
		l->a = xreallocarray(l->a, l->cap, sizeof(*l->a));
	}
	a = &l->a[l->n++];
	memset(a, 0, sizeof(*a));
	a->id = v->seq;
	a->at = v->real_ms;
	a->boot_ms = v->boot_ms;
	memcpy(a->boot_id, v->boot_id, sizeof(a->boot_id));
	a->waited = -1;
	return a;
}

static int64_t since(const struct act *a, const struct rec_view *v)
{
	/* The boot clock does not jump, but knows one boot only. */
	if (memcmp(a->boot_id, v->boot_id, sizeof(a->boot_id)) == 0 &&
	    v->boot_ms >= a->boot_ms)
		return (int64_t)(v->boot_ms - a->boot_ms);
	return v->real_ms > a->at ? v->real_ms - a->at : 0;
}

static void fold_by(struct acts *l, struct act *a, const struct rec_view *v)
{
	struct sv kind = rec_view_get(v, RF_BY_KIND);
	bool outcome = v->type == REC_OUTCOME;

	keep(l, &a->rule, rec_view_get(v, RF_RULE), outcome);
	if (kind.n == 0 || (a->by_final && !outcome))
		return;
	a->by_name = SV_NONE;
	keep(l, &a->by_kind, kind, true);
	keep(l, &a->by_name, rec_view_get(v, RF_BY_NAME), true);
	a->has_uid = rec_view_u64(v, RF_BY_UID, &a->by_uid);
	a->by_final = outcome;
}

bool acts_fold(struct acts *l, const struct rec_view *v)
{
	uint64_t id = act_of(v);
	bool first = id == v->seq;
	struct act *a = first ? act_begin(l, v) : id != 0 ? acts_find(l, id) : NULL;

	if (a == NULL)
		return true;
	keep(l, &a->agent, rec_view_get(v, RF_CHANNEL), false);
	keep(l, &a->kind, rec_view_get(v, RF_KIND), false);
	keep(l, &a->tool, rec_view_get(v, RF_TOOL), false);
	keep(l, &a->target, rec_view_get(v, RF_TARGET), false);
	if (v->type == REC_TAKEN_BACK && !a->by_final)
		a->by_kind = a->by_name = SV_NONE;
	else
		fold_by(l, a, v);
	if (v->type == REC_OUTCOME || (first && v->type != REC_RECEIVED)) {
		keep(l, &a->outcome, rec_view_get(v, RF_OUTCOME), true);
		if (a->outcome.n == 0 && first)
			a->outcome = SV("refused");
		a->waited = since(a, v);
	}
	/* A refusal has no target; why it was refused is what it is about. */
	if (first && v->type != REC_RECEIVED) {
		keep(l, &a->target, rec_view_get(v, RF_WHY), false);
		keep(l, &a->target, rec_view_get(v, RF_TEXT), false);
	}
	return !arena_over(l->arena);
}

struct sv act_outcome(const struct act *a)
{
	return a->outcome.n > 0 ? a->outcome : SV("waiting");
}

void act_by(const struct act *a, struct buf *out)
{
	if (a->by_kind.n == 0 && a->rule.n == 0)
		return;
	if (sv_eqs(a->by_kind, "human")) {
		if (a->by_name.n > 0)
			buf_addsv(out, a->by_name);
		else if (a->has_uid)
			buf_addf(out, "uid %llu", (unsigned long long)a->by_uid);
		else
			buf_addsv(out, a->by_kind);
	} else if (a->by_kind.n == 0 || sv_eqs(a->by_kind, "rule")) {
		buf_adds(out, "rule");
		if (a->rule.n > 0) {
			buf_addc(out, ' ');
			buf_addsv(out, a->rule);
		}
	} else {
		buf_addsv(out, a->by_kind);
	}
}

struct reader *record_open(const char *state_dir)
{
	struct err e = ERR_INIT;
	struct paths p;
	struct reader *r;

	/* Only the state is looked at; with --state no home is needed for it. */
	if (paths_get(&p, state_dir, state_dir, &e) != 0) {
		cli_fail_err(&e);
		return NULL;
	}
	r = reader_open(p.state, &e);
	if (r == NULL && sv_eqs(sv_of(e.code), "no_record"))
		cli_fail(_("there is no record in %s yet (another directory: --state DIR)"),
			p.state);
	else if (r == NULL)
		cli_fail_err(&e);
	return r;
}
