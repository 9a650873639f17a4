/*
 * dialect_native.c - obstat's own NDJSON JSON-RPC, agent side
 * (obstat-protocol(7)): approval/request and event.
 */
#include "proto/build.h"
#include "proto/dialects.h"

static int labels(struct event *ev, const struct json *j, json_ref params)
{
	json_ref o = json_get(j, params, "origin");
	struct origin *g = &ev->origin;

	g->dialect = SV("native");
	if (build_label(ev->arena, j, o, "session", &g->session) != 0 ||
	    build_label(ev->arena, j, o, "turn", &g->turn) != 0 ||
	    build_label(ev->arena, j, o, "call", &g->call) != 0 ||
	    build_label(ev->arena, j, o, "task", &g->task) != 0 ||
	    build_label(ev->arena, j, o, "subagent", &g->subagent) != 0)
		return -1;
	return 0;
}

/* The key is 16 random bytes in hex; it names the request, whatever its id. */
static int read_key(struct event *ev, const struct json *j, json_ref params,
	struct err *e)
{
	struct sv hex = json_str(j, json_get(j, params, "key"), ev->arena);

	if (!hex_to(hex, ev->origin.key, KEY_LEN))
		return err_set(e, "bad_key", "params.key must be 32 hex digits");
	return 0;
}

static struct sv text(struct action *a, const struct json *j, json_ref params,
	const char *key)
{
	json_ref v = json_get(j, params, key);

	if (v != JSON_NO && !json_is(j, v, JSON_NULL) && !json_is(j, v, JSON_STRING))
		build_why_not(a, "unreadable");
	return build_str(a, j, v);
}

static int decode_request(struct sv raw, const struct json *j, json_ref params,
	struct event *ev, struct err *e)
{
	struct sv kind = json_str(j, json_get(j, params, "kind"), ev->arena);
	struct action *a;
	bool secret = false;

	if (kind.n == 0 || kind.n > LABEL_MAX)
		return err_set(e, "bad_kind", "params.kind must be a string of 1 to 4,096 "
			"bytes");
	if (read_key(ev, j, params, e) != 0)
		return -1;
	a = build_action(raw);
	ev->action = a;
	if (!kind_from_name(kind, &a->kind))
		a->kind = KIND_OTHER;
	a->deflt = TOOL_ASKS;
	a->tool = text(a, j, params, "tool");
	a->title = text(a, j, params, "title");
	a->words = text(a, j, params, "words");
	if (a->tool.n > LABEL_MAX)
		return err_set(e, "bad_tool", "params.tool is over 4,096 bytes");
	dialect_fill_native(a, j, json_get(j, params, "action"));
	if (a->tool.n == 0)
		a->tool = sv_of(kind_name(a->kind));
	if (json_bool(j, json_get(j, params, "secret"), &secret) && secret)
		a->secret = true;
	if (arena_over(a->arena))
		build_why_not(a, "over_limit");
	ev->type = EVENT_ASK;
	return 0;
}

static const struct {
	const char *kind;
	enum observed what;
} events[] = {
	{ "message", OBS_NOTIFICATION }, { "prompt", OBS_PROMPT },
	{ "session_start", OBS_SESSION_START }, { "session_end", OBS_SESSION_END },
	{ "tool_ok", OBS_RAN_OK }, { "tool_failed", OBS_RAN_FAILED },
};

static int decode_event(const struct json *j, json_ref params, struct event *ev)
{
	json_ref kind = json_get(j, params, "kind");

	ev->type = EVENT_OBSERVE;
	ev->what = OBS_OTHER;
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		if (json_str_is(j, kind, events[i].kind))
			ev->what = events[i].what;
	ev->text = arena_sv(ev->arena, json_str(j, json_get(j, params, "text"),
		ev->arena));
	return 0;
}

static int native_decode(struct sv raw, const struct json *j, bool decide,
	struct event *ev, struct err *e)
{
	json_ref method = json_get(j, 0, "method");
	json_ref params = json_get(j, 0, "params");

	(void)decide;
	*ev = (struct event){ .arena = arena_new(ORIGIN_ARENA_MAX + (32u << 20)) };
	if (build_label(ev->arena, j, 0, "method", &ev->name) != 0 ||
	    !json_is(j, params, JSON_OBJECT) || labels(ev, j, params) != 0)
		return err_set(e, "bad_params", "a method name and an object of params "
			"with labels of at most 4,096 bytes are needed");
	if (json_str_is(j, method, "approval/request"))
		return decode_request(raw, j, params, ev, e);
	if (json_str_is(j, method, "event"))
		return decode_event(j, params, ev);
	return err_set(e, "bad_method", "not a request to decide or an event");
}

/* Native answers are JSON-RPC results that the hub builds itself. */
static void native_encode(const struct answer *a, struct sv event_name,
	struct buf *out, struct buf *err)
{
	(void)event_name;
	(void)out;
	if (a->verdict == ANSWER_DENY)
		buf_addsv(err, a->tell);
}

const struct dialect dialect_native = {
	.name = "native",
	.decode = native_decode,
	.encode = native_encode,
};
