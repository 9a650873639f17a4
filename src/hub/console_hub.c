/*
 * console_hub.c - what a console asks of the hub as a whole.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "hub/call.h"
#include "hub/sessions.h"

static void m_subscribe(struct call *c)
{
	struct hub *h = c->hub;
	struct jv *o = jv_obj(), *rows = jv_arr(), *sessions = jv_arr();

	rows_flush(h);               /* what follows must not come twice */
	for (struct req *r = h->reqs; r != NULL; r = r->next)
		if (r->queued && r->life.state != ST_CLOSED)
			jv_add(rows, row_json(r));
	for (struct session *s = h->sessions; s != NULL; s = s->next)
		jv_add(sessions, session_json(s));
	jv_put(o, "rows", rows);
	jv_put_b(o, "hold", h->hold);
	jv_put(o, "sessions", sessions);
	c->con->subscribed = true;
	call_ok(c, o);
	hub_note_state(h);
}

/* The stop button: everything that waits is denied (each can be taken back
 * for its 2 s), and what comes is held until someone lets go. */
static void m_stop_all(struct call *c)
{
	struct hub *h = c->hub;
	struct decision d = { .verb = VERB_STOP };
	int64_t n = 0;
	struct jv *o;

	hub_set_hold(h, true, c->con->who.name, c->con->who.uid);
	for (struct req *r = h->reqs, *next; r != NULL; r = next) {
		struct err e = ERR_INIT;
		struct jv *data = NULL;

		next = r->next;
		if (!r->queued || r->life.state == ST_CLOSED ||
		    r->life.state == ST_ORPHANED)
			continue;
		if (decide_start(r, &d, &c->con->who, NULL, NULL, &data, &e) == 0)
			n++;
		jv_free(&data);
	}
	o = jv_obj();
	jv_put_i(o, "denied", n);
	call_ok(c, o);
}

static void m_hold(struct call *c)
{
	struct jv *o = jv_obj();

	hub_set_hold(c->hub, call_bool(c, "on"), c->con->who.name, c->con->who.uid);
	jv_put_b(o, "hold", c->hub->hold);
	call_ok(c, o);
}

static void m_status(struct call *c)
{
	struct hub *h = c->hub;
	struct jv *o = jv_obj();
	const char *text = NULL;
	unsigned waiting = 0, consoles = 0, peers = 0;
	uint64_t oldest = 0, now = clock_boot_ms(), refused = 0;

	for (struct req *r = h->reqs; r != NULL; r = r->next) {
		if (!r->queued || r->life.state == ST_CLOSED)
			continue;
		waiting++;
		if (now - r->life.received_at > oldest)
			oldest = now - r->life.received_at;
	}
	for (struct conn *k = h->conns; k != NULL; k = k->next) {
		const struct console *con = k->state;

		if (k->ops != &console_ops)
			peers++;
		else if (con != c->con || con->subscribed) /* not who only asks this */
			consoles++;
	}
	for (struct channel *ch = h->channels; ch != NULL; ch = ch->next)
		refused += ch->ref_total;
	jv_put_i(o, "pid", getpid());
	jv_put_s(o, "version", HUB_VERSION);
	jv_put_i(o, "waiting", waiting);
	jv_put_i(o, "oldest_ms", (int64_t)oldest);
	jv_put_i(o, "consoles", consoles);
	jv_put_i(o, "peers", peers);
	jv_put_b(o, "hold", h->hold);
	jv_put_i(o, "refused", (int64_t)refused);
	jv_put_s(o, "store", store_state(h->store, &text) == STORE_OK ? "ok" : "failing");
	jv_put_s(o, "store_text", text != NULL ? text : "");
	jv_put_i(o, "up_ms", (int64_t)(now - h->started_at));
	jv_put_s(o, "rules_error", h->rules_error);
	call_ok(c, o);
}

static void m_drain(struct call *c)
{
	bool deny = call_bool(c, "deny");

	call_ok(c, jv_obj());
	log_info("told to stop%s by uid %u", deny ? " and deny what waits" : "",
		(unsigned)c->con->who.uid);
	hub_drain(c->hub, deny);
}

static void m_rules_reload(struct call *c)
{
	struct hub *h = c->hub;
	const struct ruleset *rs;
	struct err e = ERR_INIT;
	struct jv *o = jv_obj();

	if (hub_load_rules(h, &e) != 0) {
		jv_put_s(o, "why", e.text);
		call_error(c, "bad_request", e.text, o);
		return;
	}
	rs = policy_rules(h->policy);
	jv_put_i(o, "rules", (int64_t)rs->n);
	jv_put_digest(o, "digest", &rs->digest);
	call_ok(c, o);
}

static void m_rules_list(struct call *c)
{
	static const char *const decides[] = {
		[DECIDE_NONE] = "none", [DECIDE_DENY] = "deny", [DECIDE_ASK] = "ask",
		[DECIDE_ALLOW] = "allow",
	};
	static const char *const sources[] = {
		[RULES_SYSTEM] = "system", [RULES_USER] = "user",
		[RULES_WORKSPACE] = "workspace",
	};
	struct hub *h = c->hub;
	const struct ruleset *rs = policy_rules(h->policy);
	struct jv *o = jv_obj(), *a = jv_arr();

	for (size_t i = 0; i < rs->n; i++) {
		const struct rule *r = &rs->rules[i];
		struct jv *x = jv_obj();

		jv_put_s(x, "name", r->name);
		jv_put_s(x, "source", sources[r->source]);
		jv_put_s(x, "decide", decides[r->decide]);
		jv_put_s(x, "tool", r->tool);
		jv_put_s(x, "path", r->path);
		jv_put_s(x, "reason", r->reason);
		jv_put_i(x, "line", r->line);
		if (r->uses > 0)
			jv_put_i(x, "uses_left", policy_uses_left(h->policy, r));
		jv_add(a, x);
	}
	jv_put(o, "rules", a);
	jv_put_digest(o, "digest", &rs->digest);
	jv_put_s(o, "error", h->rules_error[0] != '\0' ? h->rules_error : NULL);
	call_ok(c, o);
}

const struct method console_hub_methods[] = {
	{ "queue/subscribe", m_subscribe },
	{ "hub/stop_all", m_stop_all },
	{ "hub/hold", m_hold },
	{ "hub/status", m_status },
	{ "hub/drain", m_drain },
	{ "rules/reload", m_rules_reload },
	{ "rules/list", m_rules_list },
	{ NULL, NULL },
};
