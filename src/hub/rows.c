/*
 * rows.c - the queue as consoles see it, and who is told what changed.
 */
#include "base/clock.h"
#include "hub/call.h"
#include "hub/facts_json.h"
#include "hub/sessions.h"

#define ROW_OUT ((size_t)1 << 20)

static const char *const verb_names[] = {
	[VERB_APPROVE] = "approve", [VERB_DENY] = "deny", [VERB_STOP] = "stop",
};

static void put_label(struct jv *o, const char *key, struct sv s, size_t cells)
{
	struct buf b;

	if (s.n == 0) {
		jv_put(o, key, jv_null());
		return;
	}
	buf_init(&b, (size_t)64 << 10);
	esc_label(s, cells, &b);
	jv_put_sv(o, key, buf_sv(&b));
	buf_free(&b);
}

static void row_times(const struct req *r, struct jv *o)
{
	uint64_t now = clock_boot_ms();
	const struct life *l = &r->life;

	jv_put_i(o, "age_ms", (int64_t)(now - l->received_at));
	if (l->deadline != 0)
		jv_put_i(o, "expires_ms", l->deadline > now ?
			(int64_t)(l->deadline - now) : 0);
	else
		jv_put(o, "expires_ms", jv_null());
	jv_put_b(o, "warn", r->warned);
	if (l->state == ST_RELEASING) {
		jv_put_i(o, "release_ms", l->release_at > now ?
			(int64_t)(l->release_at - now) : 0);
		jv_put_s(o, "verb", verb_names[l->verb]);
	} else {
		jv_put(o, "release_ms", jv_null());
		jv_put(o, "verb", l->state == ST_CLOSED && r->by.kind == BY_HUMAN ?
			jv_strv(sv_of(verb_names[l->verb])) : jv_null());
	}
}

struct jv *row_json(const struct req *r)
{
	struct jv *o = jv_obj();
	const struct life *l = &r->life;

	jv_put_i(o, "id", (int64_t)r->id);
	jv_put_s(o, "kind", kind_name(r->act->kind));
	jv_put_s(o, "channel", r->channel->name);
	put_label(o, "session", r->origin->session, 80);
	put_label(o, "subagent", r->origin->subagent, 40);
	put_label(o, "tool", r->act->tool, 80);
	jv_put_sv(o, "text", buf_sv(&r->text));
	jv_put_s(o, "state", state_name(l->state));
	jv_put_b(o, "ready", r->ready);
	jv_put_s(o, "care", r->assessed ? care_name(r->verdict.care) : "read");
	row_times(r, o);
	jv_put(o, "flag", jv_null());
	jv_put_s(o, "grade", grade_name(r));
	jv_put_b(o, "approvable", r->act->why_not == NULL &&
		r->verdict.care != CARE_LOCKED);
	jv_put_s(o, "why_not", r->act->why_not != NULL || r->verdict.care != CARE_LOCKED ?
		r->act->why_not : r->act->secret ? "secret" : "question");
	jv_put_i(o, "lines", r->doc != NULL ? doc_lines(r->doc) : 0);
	jv_put_s(o, "why", r->verdict.why);
	jv_put_s(o, "rule", r->verdict.rule[0] != '\0' ? r->verdict.rule : NULL);
	jv_put(o, "by", by_json(&r->by));
	jv_put_s(o, "outcome", l->state == ST_CLOSED ? outcome_name(l->outcome) : NULL);
	if (r->linked != 0 || r->followed != 0)
		jv_put_i(o, "linked", (int64_t)(r->followed != 0 ? r->followed :
			r->linked));
	else
		jv_put(o, "linked", jv_null());
	put_label(o, "reason", sv_of(r->reason), 300);
	jv_put_s(o, "confirm", r->assessed && r->verdict.care == CARE_CONFIRM ?
		r->confirm : NULL);
	jv_put_b(o, "editable", false);
	jv_put_b(o, "can_reason", true);
	return o;
}

struct jv *session_json(const struct session *s)
{
	struct jv *o = jv_obj();

	jv_put_s(o, "channel", s->channel->name);
	put_label(o, "session", sv_of(s->id), 80);
	put_label(o, "title", sv_of(s->title), 200);
	put_label(o, "task", sv_of(s->task), 200);
	put_label(o, "parent", sv_of(s->parent), 80);
	put_label(o, "workspace", sv_of(s->workspace), 400);
	jv_put_b(o, "red", s->red);
	jv_put_s(o, "why", s->red ? s->why : NULL);
	jv_put_i(o, "calls", (int64_t)s->n_calls);
	jv_put_i(o, "passed", (int64_t)s->n_passed);
	jv_put_i(o, "asked", (int64_t)s->n_asked);
	return o;
}

void hub_note(struct hub *h, const char *method, struct jv *owned_params)
{
	struct buf b;

	buf_init(&b, ROW_OUT);
	if (rpc_put_note(&b, method, owned_params) == 0)
		for (struct conn *c = h->conns, *next; c != NULL; c = next) {
			const struct console *k = c->state;

			next = c->next;
			if (c->ops == &console_ops && k->subscribed)
				conn_send(c, buf_sv(&b));
		}
	buf_free(&b);
}

static void row_note(struct req *r, const char *method)
{
	struct jv *p = jv_obj();

	jv_put(p, "row", row_json(r));
	hub_note(r->hub, method, p);
}

void rows_added(struct req *r)
{
	row_note(r, "queue/added");
}

void rows_changed(struct req *r)
{
	if (r->queued && r->list == LIST_LIVE && r->life.state != ST_CLOSED)
		r->dirty = true;
}

void rows_closed(struct req *r)
{
	r->dirty = false;
	if (r->queued)
		row_note(r, "queue/closed");
}

void rows_session(const struct session *s)
{
	struct jv *p = jv_obj();

	jv_put(p, "session", session_json(s));
	hub_note(s->hub, "session/changed", p);
}

void hub_note_state(struct hub *h)
{
	h->state_dirty = true;
}

/* For the banners of consoles: what is wrong until somebody mends it. */
struct jv *hub_warnings(const struct hub *h)
{
	struct jv *o = jv_arr();

	if (h->rules_error[0] != '\0')
		jv_add(o, jv_strv(sv_of(h->rules_error)));
	return o;
}

static void rows_state(struct hub *h)
{
	static const char *const names[] = {
		[STORE_OK] = "ok", [STORE_BUSY] = "busy", [STORE_FULL] = "full",
		[STORE_ERROR] = "error",
	};
	const char *text = NULL;
	struct jv *p = jv_obj();
	uint64_t refused = 0;

	for (const struct channel *ch = h->channels; ch != NULL; ch = ch->next)
		refused += ch->ref_total;
	jv_put_b(p, "hold", h->hold);
	jv_put_s(p, "store", names[store_state(h->store, &text)]);
	jv_put_s(p, "text", text != NULL ? text : "");
	jv_put_i(p, "refused", (int64_t)refused);
	jv_put(p, "warnings", hub_warnings(h));
	hub_note(h, "hub/state", p);
}

void rows_flush(struct hub *h)
{
	if (h->state_dirty)
		rows_state(h);
	h->state_dirty = false;
	for (struct req *r = h->reqs; r != NULL; r = r->next) {
		if (!r->dirty)
			continue;
		r->dirty = false;
		row_note(r, "queue/changed");
	}
}
