/*
 * console_peer.c - a console's connection: who it is, and its calls.
 */
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hub/call.h"
#include "hub/hub.h"

static void console_message(struct conn *c, struct scan *s, const struct err *e);
static void console_broken(struct conn *c, const struct err *e);
static const struct ndjson console_lines = {
	.message = console_message, .broken = console_broken,
};

/* ---- helpers of methods ---- */

void call_ok(struct call *c, struct jv *owned)
{
	if (c->answered || c->id.n == 0) {
		jv_free(&owned);
		return;
	}
	c->answered = true;
	ndjson_result(c->conn, c->id, owned);
}

static void send_text(struct conn *c, struct sv id, struct sv json)
{
	struct buf b;

	buf_init(&b, json.n + id.n + 1024);
	buf_addf(&b, "{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"result\":", SVFMT(id));
	buf_addsv(&b, json);
	buf_adds(&b, "}\n");
	conn_send(c, buf_sv(&b));
	buf_free(&b);
}

void call_ok_text(struct call *c, struct sv json)
{
	if (c->answered || c->id.n == 0)
		return;
	c->answered = true;
	send_text(c->conn, c->id, json);
}

void call_error(struct call *c, const char *word, const char *text,
	struct jv *owned_data)
{
	if (c->answered || c->id.n == 0) {
		jv_free(&owned_data);
		return;
	}
	c->answered = true;
	ndjson_error(c->conn, c->id, RPC_APP, word, text, owned_data);
}

struct later *call_later(struct call *c)
{
	struct later *l = xcalloc(1, sizeof *l);

	l->conn = c->conn->serial;
	l->id = xmemdup0(c->id.p, c->id.n);
	c->answered = true;
	return l;
}

static struct conn *later_end(struct hub *h, struct later *l, struct sv *id)
{
	struct conn *c = conn_find(h, l->conn);

	*id = sv_of(l->id);
	free(l);
	return id->n > 0 ? c : NULL;
}

void later_ok(struct hub *h, struct later *l, struct jv *owned)
{
	struct sv id;
	struct conn *c = later_end(h, l, &id);

	if (c != NULL)
		ndjson_result(c, id, owned);
	else
		jv_free(&owned);
	free((char *)(uintptr_t)id.p);
}

void later_error(struct hub *h, struct later *l, const char *word,
	const char *text, struct jv *owned_data)
{
	struct sv id;
	struct conn *c = later_end(h, l, &id);

	if (c != NULL)
		ndjson_error(c, id, RPC_APP, word, text, owned_data);
	else
		jv_free(&owned_data);
	free((char *)(uintptr_t)id.p);
}

void later_text(struct hub *h, struct later *l, struct sv json)
{
	struct sv id;
	struct conn *c = later_end(h, l, &id);

	if (c != NULL)
		send_text(c, id, json);
	free((char *)(uintptr_t)id.p);
}

json_ref call_arg(const struct call *c, const char *key)
{
	return json_get(c->json, c->params, key);
}

bool call_u64(const struct call *c, const char *key, uint64_t *out)
{
	return json_u64(c->json, call_arg(c, key), out);
}

bool call_bool(const struct call *c, const char *key)
{
	bool v = false;

	json_bool(c->json, call_arg(c, key), &v);
	return v;
}

struct sv call_str(const struct call *c, const char *key)
{
	return json_str(c->json, call_arg(c, key), c->arena);
}

bool call_digest(const struct call *c, const char *key, struct digest *out)
{
	return digest_from_text(call_str(c, key), out);
}

struct req *call_req(struct call *c)
{
	struct req *r = NULL;
	uint64_t id = 0;

	if (call_u64(c, "id", &id))
		r = req_find(c->hub, id);
	if (r == NULL || !r->queued) {
		call_error(c, "unknown_id", "there is no such action (any more)", NULL);
		return NULL;
	}
	return r;
}

/* ---- presence ---- */

struct jv *console_presence(struct hub *h, uint64_t id, const struct conn *but)
{
	struct jv *a = jv_arr();

	for (struct conn *c = h->conns; c != NULL; c = c->next) {
		const struct console *k = c->state;
		struct jv *o;

		if (c->ops != &console_ops || c == but || k->viewing != id)
			continue;
		o = jv_obj();
		jv_put_s(o, "name", k->who.name);
		jv_put_s(o, "console", k->who.console);
		jv_add(a, o);
	}
	return a;
}

/* Each console that looks at it is told who else does. */
void console_presence_note(struct hub *h, uint64_t id)
{
	for (struct conn *c = h->conns, *next; c != NULL; c = next) {
		const struct console *k = c->state;
		struct jv *p;
		struct buf b;

		next = c->next;
		if (c->ops != &console_ops || k->viewing != id)
			continue;
		p = jv_obj();
		jv_put_i(p, "id", (int64_t)id);
		jv_put(p, "people", console_presence(h, id, c));
		buf_init(&b, 1u << 20);
		rpc_put_note(&b, "presence", p);
		conn_send(c, buf_sv(&b));
		buf_free(&b);
	}
}

/* ---- hello ---- */

static void console_copy(char *out, size_t n, struct sv s)
{
	struct buf b;

	/* Shown to others and written down: printable, and short. */
	buf_init(&b, 1024);
	if (s.n > 256)
		s.n = 256;
	esc_label(s, n / 4, &b);
	snprintf(out, n, "%.*s", SVFMT(buf_sv(&b)));
	buf_free(&b);
}

static void console_name(struct by *who)
{
	struct passwd pw, *found = NULL;
	char room[4096];

	if (getpwuid_r(who->uid, &pw, room, sizeof room, &found) == 0 && found != NULL)
		console_copy(who->name, sizeof who->name, sv_of(found->pw_name));
	else
		snprintf(who->name, sizeof who->name, "uid %u", (unsigned)who->uid);
}

static void console_hello(struct call *c)
{
	json_ref me = call_arg(c, "console");
	const struct json *j = c->json;
	struct console *k = c->con;
	struct jv *res, *o;
	uint64_t want = 0;

	call_u64(c, "protocol", &want);
	if (want != HUB_PROTOCOL) {
		o = jv_obj();
		jv_put_i(o, "have", HUB_PROTOCOL);
		jv_put_i(o, "want", (int64_t)(want > INT32_MAX ? INT32_MAX : want));
		call_error(c, "version", "this hub speaks protocol 1; restart it with "
			"the program you use: obstat stop", o);
		return;
	}
	console_copy(k->who.console, sizeof k->who.console,
		json_str(j, json_get(j, me, "name"), c->arena));
	console_copy(k->who.tty, sizeof k->who.tty,
		json_str(j, json_get(j, me, "tty"), c->arena));
	console_copy(k->ssh, sizeof k->ssh, json_str(j, json_get(j, me, "ssh"), c->arena));
	console_copy(k->tmux, sizeof k->tmux,
		json_str(j, json_get(j, me, "tmux"), c->arena));
	k->hello = true;
	res = jv_obj();
	o = jv_obj();
	jv_put_i(o, "uid", k->who.uid);
	jv_put_s(o, "name", k->who.name);
	jv_put_s(o, "console", k->who.console);
	jv_put(res, "you", o);
	o = jv_obj();
	jv_put_s(o, "name", "obstat");
	jv_put_s(o, "version", HUB_VERSION);
	jv_put_i(o, "pid", getpid());
	jv_put(res, "hub", o);
	jv_put_i(res, "protocol", HUB_PROTOCOL);
	jv_put_s(res, "setup", hub_same_user(c->hub) ? "same_user" : "split_user");
	jv_put(res, "warnings", hub_warnings(c->hub));
	call_ok(c, res);
}

/* ---- dispatch ---- */

static const struct method *console_method(struct sv name)
{
	static const struct method *const tables[] = {
		console_action_methods, console_hub_methods,
	};

	for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++)
		for (const struct method *m = tables[t]; m->name != NULL; m++)
			if (sv_eqs(name, m->name))
				return m;
	return NULL;
}

static void console_call(struct conn *c, struct scan *s, const struct rpc *m,
	struct arena *a)
{
	struct call call = { .hub = c->hub, .conn = c, .con = c->state,
		.json = s->json, .params = m->params, .id = m->id, .arena = a };
	const struct method *t;

	if (hub_test_method != NULL && sv_starts(m->method, "test/") &&
	    hub_test_method(&call))
		return;
	if (sv_eqs(m->method, "hello")) {
		console_hello(&call);
		return;
	}
	t = console_method(m->method);
	if (t == NULL)
		ndjson_error(c, m->id, RPC_NO_METHOD, "no_method", "no such method", NULL);
	else if (!call.con->hello)
		call_error(&call, "hello_first", "say hello first", NULL);
	else
		t->fn(&call);
}

static void console_message(struct conn *c, struct scan *s, const struct err *e)
{
	struct arena *a = arena_new(1u << 20);
	struct err bad = ERR_INIT;
	struct rpc m = { 0 };

	if (e != NULL)
		ndjson_error(c, SV_NONE, RPC_PARSE, e->code, e->text, NULL);
	else if (rpc_read(s->json, a, &m, &bad) != 0)
		ndjson_error(c, m.id, RPC_INVALID, bad.code, bad.text, NULL);
	else if (m.type == RPC_REQUEST || m.type == RPC_NOTE)
		console_call(c, s, &m, a);
	scan_free(s);
	arena_free(&a);
}

static void console_broken(struct conn *c, const struct err *e)
{
	ndjson_error(c, SV_NONE, RPC_PARSE, e->code, e->text, NULL);
}

static void console_chunk(struct conn *c, struct sv bytes, const int *fds, int n_fds)
{
	for (int i = 0; i < n_fds; i++)
		close(fds[i]);
	ndjson_add(c, bytes, &console_lines);
}

static void console_resume(struct conn *c)
{
	ndjson_pump(c, &console_lines);
}

static void console_gone(struct conn *c, bool clean)
{
	struct console *k = c->state;
	uint64_t viewing = k->viewing;

	(void)clean;
	k->viewing = 0;
	k->subscribed = false;
	if (viewing != 0)
		console_presence_note(c->hub, viewing);
	decide_console_gone(c->hub, c->serial);
	c->ops = &sniff_ops;         /* nobody may take state for a console now */
	c->state = NULL;
	free(k);
}

void console_start(struct conn *c)
{
	struct console *k = xcalloc(1, sizeof *k);

	k->who = (struct by){ .kind = BY_HUMAN, .uid = c->peer.uid, .conn = c->serial };
	console_name(&k->who);
	c->state = k;
	c->ops = &console_ops;
}

const struct conn_ops console_ops = {
	.name = "console", .chunk = console_chunk, .gone = console_gone,
	.resume = console_resume,
};
