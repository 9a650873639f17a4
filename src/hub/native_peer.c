/*
 * native_peer.c - a runtime that speaks obstat's own NDJSON JSON-RPC
 * (obstat-protocol(7), agent socket).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "hub/ndjson.h"
#include "hub/observe.h"
#include "hub/sessions.h"
#include "proto/build.h"

#define NATIVE_FDS 32
#define NATIVE_OPENS 16          /* file/open requests without an answer */
#define OPTIONS_MAX 256u         /* no runtime offers more choices */
#define HELLO_ARENA ((size_t)256 << 10)

struct native {
	bool hello, files;
	struct origin labels;        /* in arena */
	struct sv cwd;               /* absolute, or none */
	struct arena *arena;
	int fds[NATIVE_FDS];
	int n_fds;
	unsigned opens;
};

static void native_message(struct conn *c, struct scan *s, const struct err *e);
/* A message that is refused: on record, and answered. */
static void native_error(struct conn *c, struct scan *s, struct sv id,
	int rpc_code, const char *code, const char *text, struct jv *owned_data)
{
	refuse_record(c->hub, c->channel, c, code, text, scan_digest(s));
	ndjson_error(c, id, rpc_code, code, text, owned_data);
}

static void native_broken(struct conn *c, const struct err *e);
static const struct ndjson native_lines = {
	.message = native_message, .broken = native_broken,
};

void native_start(struct conn *c)
{
	c->state = xcalloc(1, sizeof(struct native));
	c->ops = &native_ops;
	peer_hint(c->peer.pid, false, c->exe, sizeof c->exe);
}

void native_refuse(struct conn *c, struct sv id, int rpc_code, const char *code,
	const char *text)
{
	ndjson_error(c, id, rpc_code, code, text, NULL);
}

void native_noted(struct conn *c, struct sv id)
{
	ndjson_result(c, id, jv_obj());
}

static void native_broken(struct conn *c, const struct err *e)
{
	refuse_bytes(c->hub, c->channel, c, e->code, e->text, conn_input(c));
	native_refuse(c, SV_NONE, RPC_PARSE, e->code, e->text);
}

/* ---- files ---- */

bool native_opens(const struct conn *c)
{
	const struct native *n = c->state;

	return c->ops == &native_ops && n->files;
}

int native_open(struct conn *c, uint32_t id, bool dir, struct sv path, int *errno_out)
{
	struct native *n = c->state;
	struct jv *p;
	struct buf b;

	if (n->opens >= NATIVE_OPENS)
		return 1;
	if (!utf8_valid(path) || path.n > 4096) {
		*errno_out = path.n > 4096 ? ENAMETOOLONG : EILSEQ;
		return -1;
	}
	p = jv_obj();
	jv_put_sv(p, "path", path);
	jv_put_b(p, "directory", dir);
	buf_init(&b, 64u << 10);
	rpc_put_request(&b, id, "file/open", p);
	n->opens++;
	conn_send(c, buf_sv(&b));
	buf_free(&b);
	return c->dead ? 1 : 0;
}

/* A descriptor stands at the end of what one recvmsg brings, somewhere before
 * which its line must have begun: with exactly one, and asked for. */
static bool native_fd_ok(const struct conn *c, struct sv bytes, int n_fds)
{
	const struct native *n = c->state;
	struct sv before = conn_input(c);

	if (n_fds != 1 || n->opens == 0 || n->n_fds >= NATIVE_FDS || bytes.n == 0)
		return false;
	return before.n == 0 || before.p[before.n - 1] == '\n' ||
		memchr(bytes.p, '\n', bytes.n - 1) != NULL;
}

static void native_fds_drop(struct native *n)
{
	for (int i = 0; i < n->n_fds; i++)
		close(n->fds[i]);
	n->n_fds = 0;
}

static void native_response(struct conn *c, struct scan *s, const struct rpc *m)
{
	struct native *n = c->state;
	uint64_t id, error = 0;
	int fd = -1;

	if (!sv_u64(m->id, &id) || id > UINT32_MAX || n->opens == 0)
		return;
	n->opens--;
	if (m->type == RPC_RESULT && n->n_fds > 0) {
		fd = n->fds[0];
		memmove(n->fds, n->fds + 1, (size_t)--n->n_fds * sizeof n->fds[0]);
	}
	if (m->type == RPC_ERROR)
		json_u64(s->json, json_get(s->json, json_get(s->json, m->error, "data"),
			"errno"), &error);
	if (fd < 0 && (error == 0 || error > 4095))
		error = m->type == RPC_RESULT ? EBADF : EACCES;
	if (n->opens == 0)
		native_fds_drop(n);  /* of answers that claimed none */
	opens_answer(c, (uint32_t)id, fd, (int)error);
}

/* ---- requests ---- */

static int native_labels(struct native *n, const struct json *j, json_ref params,
	struct session_said *said)
{
	json_ref agent = json_get(j, params, "agent");
	json_ref session = json_get(j, params, "session");
	struct origin *l = &n->labels;

	arena_free(&n->arena);
	n->arena = arena_new(HELLO_ARENA);
	*l = (struct origin){ 0 };
	if (build_label(n->arena, j, agent, "name", &l->agent_name) != 0 ||
	    build_label(n->arena, j, agent, "version", &l->agent_version) != 0 ||
	    build_label(n->arena, j, session, "id", &l->session) != 0 ||
	    build_label(n->arena, j, session, "title", &l->session_title) != 0 ||
	    build_label(n->arena, j, session, "task", &l->task) != 0 ||
	    build_label(n->arena, j, session, "parent", &said->parent) != 0 ||
	    build_label(n->arena, j, session, "cwd", &said->cwd) != 0)
		return -1;
	n->cwd = said->cwd;
	said->title = l->session_title;
	said->task = l->task;
	/* Nothing could be resolved against a relative one. */
	return n->cwd.n == 0 || (n->cwd.p[0] == '/' &&
		memchr(n->cwd.p, '\0', n->cwd.n) == NULL) ? 0 : -1;
}

static void native_hello(struct conn *c, struct scan *s, const struct rpc *m)
{
	struct native *n = c->state;
	struct hub *h = c->hub;
	const struct json *j = s->json;
	struct session_said said = { 0 };
	struct jv *res, *o;
	uint64_t want = 0;

	json_u64(j, json_get(j, m->params, "protocol"), &want);
	if (want != HUB_PROTOCOL) {
		o = jv_obj();
		jv_put_i(o, "have", HUB_PROTOCOL);
		jv_put_i(o, "want", (int64_t)(want > INT64_MAX ? INT64_MAX : want));
		native_error(c, s, m->id, RPC_APP, "version",
			"this hub speaks protocol 1", o);
		return;
	}
	n->hello = false;
	if (native_labels(n, j, m->params, &said) != 0) {
		native_error(c, s, m->id, RPC_PARAMS, "bad_params",
			"a label is a string of at most 4,096 bytes, and cwd an absolute path",
			NULL);
		return;
	}
	if (n->labels.session.n > 0)
		session_hello(session_get(h, c->channel, n->labels.session), &said,
			&c->peer);
	n->files = false;
	json_bool(j, json_get(j, m->params, "files"), &n->files);
	n->hello = true;
	res = jv_obj();
	o = jv_obj();
	jv_put_s(o, "name", "obstat");
	jv_put_s(o, "version", HUB_VERSION);
	jv_put(res, "hub", o);
	jv_put_i(res, "protocol", HUB_PROTOCOL);
	o = jv_obj();
	jv_put_i(o, "line_bytes", NDJSON_LINE_MAX);
	jv_put_i(o, "depth", JSON_MAX_DEPTH);
	jv_put_i(o, "values", JSON_MAX_VALUES);
	jv_put_i(o, "waiting", h->limits.channel_waiting);
	jv_put_i(o, "waiting_bytes", (int64_t)h->limits.channel_bytes);
	jv_put(res, "limits", o);
	jv_put_s(res, "setup", hub_same_user(h) ? "same_user" : "split_user");
	ndjson_result(c, m->id, res);
}

static char *native_copy(struct sv s)
{
	return s.p != NULL ? xmemdup0(s.p, s.n) : NULL;
}

/* The runtime's own ids for a plain yes and a plain no. */
static void native_options(struct scan *s, json_ref params)
{
	const struct json *j = s->json;
	json_ref opts = json_get(j, params, "options");
	struct arena *a = arena_new(64u << 10);
	unsigned n = 0;

	for (json_ref o = json_first(j, opts); o != JSON_NO && n++ < OPTIONS_MAX;
	    o = json_next(j, o)) {
		json_ref scope = json_get(j, o, "scope");
		struct sv id = json_str(j, json_get(j, o, "id"), a);

		if (scope != JSON_NO && !json_str_is(j, scope, "once"))
			continue;
		if (id.p == NULL || id.n > 4096)
			continue;
		if (s->opt_allow == NULL &&
		    json_str_is(j, json_get(j, o, "verdict"), "allow"))
			s->opt_allow = native_copy(id);
		if (s->opt_reject == NULL &&
		    json_str_is(j, json_get(j, o, "verdict"), "reject"))
			s->opt_reject = native_copy(id);
	}
	arena_free(&a);
}

/* Hands s to intake: a request to decide, or an event to note. */
static void native_intake(struct conn *c, struct scan *s, const struct rpc *m,
	bool decide)
{
	struct native *n = c->state;

	s->dialect = dialect_find(SV("native"));
	s->decide = decide;
	s->rpc_id = native_copy(m->id);
	s->hello = n->labels;
	s->hello_cwd = n->cwd;
	if (decide) {
		native_options(s, m->params);
		json_u64(s->json, json_get(s->json, json_get(s->json, m->params,
			"deadline"), "ms"), &s->ms_left);
	}
	intake_event(s);
}

static bool native_key(struct scan *s, json_ref params, uint8_t key[KEY_LEN])
{
	struct arena *a = arena_new(4096);
	bool ok = hex_to(json_str(s->json, json_get(s->json, params, "key"), a),
		key, KEY_LEN);

	arena_free(&a);
	return ok;
}

static void native_withdraw(struct conn *c, struct scan *s, const struct rpc *m)
{
	static const struct by runtime = { .kind = BY_RUNTIME };
	uint8_t key[KEY_LEN];
	struct req *r = NULL;

	if (native_key(s, m->params, key))
		r = req_by_key(c->hub, c->channel, c->peer.uid, key);
	if (r == NULL || r->life.state == ST_CLOSED) {
		native_error(c, s, m->id, RPC_APP, "unknown_key",
			"nothing waits under this key", NULL);
		return;
	}
	answer_close(r, OUT_WITHDRAWN, &runtime);
	ndjson_result(c, m->id, jv_obj());
}

static void native_result(struct conn *c, struct scan *s, const struct rpc *m)
{
	const struct json *j = s->json;
	json_ref status = json_get(j, m->params, "status");
	struct arena *a = arena_new(64u << 10);
	struct sv excerpt = json_str(j, json_get(j, m->params, "excerpt"), a);
	bool ok = json_str_is(j, status, "ok");
	uint8_t key[KEY_LEN];

	if (!native_key(s, m->params, key) || (!ok && !json_str_is(j, status, "failed")))
		native_error(c, s, m->id, RPC_PARAMS, "bad_params",
			"key (32 hex digits) and status (ok or failed) are needed", NULL);
	else if (observe_result(c->hub, c, key, ok, excerpt.n > 4096 ?
	    (struct sv){ excerpt.p, 4096 } : excerpt) != 0)
		native_error(c, s, m->id, RPC_APP, "unknown_key",
			"no action had this key", NULL);
	else
		ndjson_result(c, m->id, jv_obj());
	arena_free(&a);
}

/* One row a method. intake: keeps s. */
static const struct native_method {
	const char *name;
	bool before_hello;
	void (*fn)(struct conn *c, struct scan *s, const struct rpc *m);
	bool intake, decide;
} methods[] = {
	{ "hello", true, native_hello, false, false },
	{ "approval/request", false, NULL, true, true },
	{ "approval/withdraw", false, native_withdraw, false, false },
	{ "approval/result", false, native_result, false, false },
	{ "event", false, NULL, true, false },
};

/* True when s was handed over. */
static bool native_call(struct conn *c, struct scan *s, const struct rpc *m)
{
	struct native *n = c->state;

	for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
		const struct native_method *t = &methods[i];

		if (!sv_eqs(m->method, t->name))
			continue;
		if (!n->hello && !t->before_hello) {
			native_error(c, s, m->id, RPC_APP, "hello_first",
				"say hello first", NULL);
			return false;
		}
		if (t->decide && m->type != RPC_REQUEST) {
			native_error(c, s, SV_NONE, RPC_INVALID, "rpc_invalid",
				"approval/request needs an id", NULL);
			return false;
		}
		if (t->intake) {
			native_intake(c, s, m, t->decide);
			return true;
		}
		t->fn(c, s, m);
		return false;
	}
	native_error(c, s, m->id, RPC_NO_METHOD, "no_method", "no such method", NULL);
	return false;
}

static void native_message(struct conn *c, struct scan *s, const struct err *e)
{
	struct arena *a = arena_new(64u << 10);
	struct err bad = ERR_INIT;
	struct rpc m = { 0 };
	bool taken = false;

	answer_conn_heard(c);
	if (e != NULL) {
		native_error(c, s, SV_NONE, RPC_PARSE, e->code, e->text, NULL);
	} else if (rpc_read(s->json, a, &m, &bad) != 0) {
		native_error(c, s, m.id, RPC_INVALID, bad.code, bad.text, NULL);
	} else if (m.type == RPC_RESULT || m.type == RPC_ERROR) {
		native_response(c, s, &m);
	} else {
		taken = native_call(c, s, &m);
	}
	if (!taken)
		scan_free(s);
	arena_free(&a);
}

/* ---- the answer ---- */

static struct jv *native_by(const struct req *r)
{
	struct jv *o = jv_obj();

	jv_put_s(o, "kind", by_kind_name(r->by.kind));
	if (r->by.kind == BY_HUMAN) {
		jv_put_s(o, "name", r->by.name);
		jv_put_i(o, "uid", r->by.uid);
	}
	if (r->by.kind == BY_RULE)
		jv_put_s(o, "rule", r->verdict.rule);
	jv_put_b(o, "attested", false);
	return o;
}

void native_answer(struct conn *c, struct req *r)
{
	struct jv *o = jv_obj();
	const char *opt = r->life.outcome == OUT_APPROVED ? r->opt_allow : r->opt_reject;
	char at[32];
	struct buf tell;

	buf_init(&tell, 8192);
	answer_tell(r, &tell);
	clock_utc(clock_real_ms(), at, sizeof at);
	jv_put_s(o, "outcome", outcome_name(r->life.outcome));
	if (opt != NULL && r->life.outcome != OUT_PASSED)
		jv_put_s(o, "option", opt);
	if (r->reason[0] != '\0')
		jv_put_s(o, "reason", r->reason);
	if (r->by.kind == BY_HUMAN && r->life.outcome == OUT_DENIED &&
	    r->life.verb == VERB_STOP)
		jv_put_b(o, "interrupt", true);
	jv_put_digest(o, "raw_digest", &r->raw_digest);
	if (r->assessed)
		jv_put_digest(o, "action_digest", &r->act_digest);
	jv_put_i(o, "record", (int64_t)r->id);
	jv_put(o, "by", native_by(r));
	jv_put_s(o, "at", at);
	jv_put_sv(o, "tell", buf_sv(&tell));
	buf_free(&tell);
	ndjson_result(c, sv_of(r->rpc_id), o);
}

/* ---- the connection ---- */

static void native_chunk(struct conn *c, struct sv bytes, const int *fds, int n_fds)
{
	struct native *n = c->state;

	if (native_fd_ok(c, bytes, n_fds))
		n->fds[n->n_fds++] = fds[0];
	else
		for (int i = 0; i < n_fds; i++)
			close(fds[i]);
	ndjson_add(c, bytes, &native_lines);
}

static void native_resume(struct conn *c)
{
	ndjson_pump(c, &native_lines);
}

static void native_gone(struct conn *c, bool clean)
{
	struct native *n = c->state;

	answer_conn_gone(c, clean);
	native_fds_drop(n);
	arena_free(&n->arena);
	free(n);
	c->state = NULL;
}

const struct conn_ops native_ops = {
	.name = "runtime", .chunk = native_chunk, .gone = native_gone,
	.resume = native_resume, .flushed = answer_conn_flushed,
};
