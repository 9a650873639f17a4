/*
 * restart.c - what the record says was under way when the last hub ended:
 * actions without outcome wait 60 s for their runtime; answers that may not
 * have arrived can be given once more; used rules stay used.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "hub/req.h"
#include "hub/sessions.h"

#define OPEN_MAX 4096u       /* more than a hub ever holds */

struct open_action {
	uint64_t id;
	char channel[CHANNEL_NAME_MAX + 1];
	struct peer peer;
	char dialect[32];
	uint8_t key[KEY_LEN];
	struct digest raw;
	int64_t at_real;
	uint64_t linked;
};
#define USES_MAX 512u
struct use_count {
	char name[64];
	uint32_t n;
};
struct restart {
	struct hub *hub;
	struct use_count uses[USES_MAX];
	size_t n_uses;
	struct open_action *open;
	size_t n;
};

static void copy(char *out, size_t n, struct sv s)
{
	snprintf(out, n, "%.*s", SVFMT(s));
}

static void restart_received(struct restart *x, const struct rec_view *v)
{
	struct open_action *o;
	struct sv key = rec_view_get(v, RF_KEY), call = rec_view_get(v, RF_CALL);
	struct sv session = rec_view_get(v, RF_SESSION);
	uint64_t n = 0;

	if (x->n == OPEN_MAX) {      /* the oldest is long lost */
		memmove(x->open, x->open + 1, (OPEN_MAX - 1) * sizeof *x->open);
		x->n--;
	}
	o = &x->open[x->n++];
	*o = (struct open_action){ .id = v->seq, .at_real = v->real_ms };
	copy(o->channel, sizeof o->channel, rec_view_get(v, RF_CHANNEL));
	copy(o->dialect, sizeof o->dialect, rec_view_get(v, RF_DIALECT));
	if (key.n == KEY_LEN)
		memcpy(o->key, key.p, KEY_LEN);
	if (rec_view_u64(v, RF_PEER_UID, &n))
		o->peer.uid = (uid_t)n;
	if (rec_view_u64(v, RF_PEER_PID, &n))
		o->peer.pid = (pid_t)n;
	rec_view_u64(v, RF_LINKED, &o->linked);
	rec_view_digest(v, RF_RAW_DIGEST, &o->raw);
	/* Calls that came through before the restart are not "past the gate". */
	if (session.n > 0 && call.n > 0 &&
	    channel_find(x->hub, sv_of(o->channel)) != NULL)
		session_call(session_get(x->hub,
			channel_find(x->hub, sv_of(o->channel)), session), call);
}

static struct open_action *restart_find(struct restart *x, uint64_t id)
{
	for (size_t i = x->n; i > 0; i--)
		if (x->open[i - 1].id == id)
			return &x->open[i - 1];
	return NULL;
}

static void restart_by(struct done_entry *d, const struct rec_view *v)
{
	struct sv kind = rec_view_get(v, RF_BY_KIND), verb = rec_view_get(v, RF_VERB);
	uint64_t uid = 0;

	for (int k = BY_NOBODY; k <= BY_RUNTIME; k++)
		if (sv_eqs(kind, by_kind_name((enum by_kind)k)))
			d->by.kind = (enum by_kind)k;
	copy(d->by.name, sizeof d->by.name, rec_view_get(v, RF_BY_NAME));
	if (rec_view_u64(v, RF_BY_UID, &uid))
		d->by.uid = (uid_t)uid;
	d->verb = sv_eqs(verb, "approve") ? VERB_APPROVE :
		sv_eqs(verb, "stop") ? VERB_STOP : VERB_DENY;
}

static void restart_used(struct restart *x, const char *name)
{
	size_t i;

	for (i = 0; i < x->n_uses && strcmp(x->uses[i].name, name) != 0; i++)
		;
	if (i == USES_MAX)
		return;
	if (i == x->n_uses) {
		snprintf(x->uses[i].name, sizeof x->uses[i].name, "%s", name);
		x->n_uses++;
	}
	x->uses[i].n++;
}

static void restart_outcome(struct restart *x, const struct rec_view *v)
{
	struct open_action *o;
	struct done_entry *d;
	struct sv rule = rec_view_get(v, RF_RULE);
	enum outcome out = OUT_NONE;
	uint64_t id = 0;
	char name[64];

	rec_view_u64(v, RF_ACTION, &id);
	outcome_from_name(rec_view_get(v, RF_OUTCOME), &out);
	if (rule.n > 0 && sv_eqs(rec_view_get(v, RF_BY_KIND), "rule")) {
		copy(name, sizeof name, rule);
		restart_used(x, name);
	}
	o = restart_find(x, id);
	if (o == NULL)
		return;
	if (out != OUT_SUPERSEDED) {
		d = done_add(x->hub);
		d->id = id;
		memcpy(d->channel, o->channel, sizeof d->channel);
		d->uid = o->peer.uid;
		memcpy(d->key, o->key, KEY_LEN);
		d->raw = o->raw;
		rec_view_digest(v, RF_EVIDENCE_DIGEST, &d->ev);
		d->outcome = out;
		copy(d->rule, sizeof d->rule, rule);
		copy(d->reason, sizeof d->reason, rec_view_get(v, RF_REASON));
		restart_by(d, v);
		d->at_real = v->real_ms;
	}
	memmove(o, o + 1, (size_t)(&x->open[x->n] - (o + 1)) * sizeof *o);
	x->n--;
}

static bool restart_one(void *arg, const struct rec_view *v)
{
	struct restart *x = arg;
	struct done_entry *d;
	uint64_t id = 0;

	switch (v->type) {
	case REC_RECEIVED:
		restart_received(x, v);
		break;
	case REC_OUTCOME:
		restart_outcome(x, v);
		break;
	case REC_DELIVERY:
		rec_view_u64(v, RF_ACTION, &id);
		d = done_by_id(x->hub, id);
		if (d != NULL && sv_eqs(rec_view_get(v, RF_DELIVERY), "delivered"))
			d->delivered = true;
		break;
	case REC_SESSION:
	case REC_PAST_GATE:
		session_restore(x->hub, v);
		break;
	case REC_HOLD:
		x->hub->hold = sv_eqs(rec_view_get(v, RF_STATUS), "on");
		break;
	default:
		break;
	}
	return true;
}

/* ---- orphans ---- */

/* The action again, from the bytes on record. NULL: they cannot be had. */
static struct req *restart_decode(struct hub *h, struct reader *rd,
	const struct open_action *o, struct channel *ch)
{
	const struct dialect *dl = dialect_find(sv_of(o->dialect));
	struct err e = ERR_INIT;
	struct json *j = NULL;
	struct event ev = { 0 };
	struct req *r = NULL;
	struct buf raw;

	buf_init(&raw, JSON_MAX_BYTES + 1);
	if (dl != NULL && reader_body(rd, o->id, "raw", &raw, &e) == 0)
		j = json_parse(buf_sv(&raw), &e);
	if (j != NULL && dl->decode(buf_sv(&raw), j, true, &ev, &e) == 0 &&
	    ev.type == EVENT_ASK) {
		r = req_new(h);
		r->ev = ev;
		ev = (struct event){ 0 };
		r->act = r->ev.action;
		r->dialect = dl;
		r->channel = ch;
		r->raw_digest = sha256(buf_sv(&raw));
	}
	event_clear(&ev);
	json_free(&j);
	buf_free(&raw);
	return r;
}

/* What its connection's hello said of it is not in the bytes, but on record. */
static bool restart_fill(void *arg, const struct rec_view *v)
{
	struct req *r = arg;
	struct origin *g = r->origin;
	struct {
		struct sv *at;
		enum rec_field f;
	} labels[] = { { &g->session, RF_SESSION }, { &g->task, RF_TASK },
		{ &g->turn, RF_TURN }, { &g->call, RF_CALL },
		{ &g->subagent, RF_SUBAGENT } };

	if (v->seq != r->id)
		return false;
	for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++)
		if (labels[i].at->n == 0)
			*labels[i].at = arena_sv(r->ev.arena,
				rec_view_get(v, labels[i].f));
	if (r->act->cwd.n == 0)
		r->act->cwd = arena_sv(r->act->arena, rec_view_get(v, RF_CWD));
	return false;
}

static void restart_lost(struct hub *h, const struct open_action *o)
{
	struct rec *rec = hub_rec(REC_OUTCOME);

	rec_add_u64(rec, RF_ACTION, o->id);
	rec_add(rec, RF_OUTCOME, sv_of(outcome_name(OUT_LOST)));
	rec_add(rec, RF_BY_KIND, SV("hub"));
	hub_submit(h, rec, false, NULL, NULL);
}

static void restart_orphan(struct hub *h, struct reader *rd,
	const struct open_action *o)
{
	struct channel *ch = channel_find(h, sv_of(o->channel));
	uint64_t now = clock_boot_ms();
	struct req *r = NULL;

	/* Long ago: it has been lost already, only nobody was there to say so. */
	if (ch != NULL && clock_real_ms() - o->at_real < INT64_C(7) * 24 * 3600 * 1000)
		r = restart_decode(h, rd, o, ch);
	if (r == NULL) {
		restart_lost(h, o);
		return;
	}
	r->id = o->id;
	r->linked = o->linked;
	r->origin->channel = sv_of(ch->name);
	r->origin->peer = o->peer;
	memcpy(r->origin->key, o->key, KEY_LEN);
	r->received_ok = true;
	reader_each(rd, r->id, restart_fill, r, NULL);
	if (r->origin->session.n > 0) {
		r->session = session_get(h, ch, r->origin->session);
		r->session->reqs++;
		if (sv_eqs(sv_of(r->dialect->name), "claude"))
			session_grade(r->session);
	}
	life_init(&r->life, now, 0);
	life_orphan(&r->life, now);
	kinds_row(r->act, NULL, &r->text);
	kinds_confirm_word(r->act, r->confirm);
	r->queued = true;
	req_list(r);
	req_unref(r);
}

int restart_read(struct hub *h, struct err *e)
{
	struct restart *x;
	struct reader *rd = reader_open(h->paths.state, e);
	int ret;

	if (rd == NULL)
		return -1;
	x = xcalloc(1, sizeof *x);
	x->hub = h;
	x->open = xcalloc(OPEN_MAX, sizeof *x->open);
	ret = reader_each(rd, 0, restart_one, x, e);
	for (size_t i = 0; ret == 0 && i < x->n; i++)
		restart_orphan(h, rd, &x->open[i]);
	for (size_t i = 0; i < x->n_uses; i++)
		policy_uses_restore(h->policy, x->uses[i].name, x->uses[i].n);
	free(x->open);
	free(x);
	reader_close(&rd);
	return ret;
}
