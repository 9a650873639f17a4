/*
 * native_fill.c - the fields of native actions, by kind: which of them names
 * the target, and what makes an action empty or unreadable.
 *
 * To add a kind: one row in fillers[].
 */
#include <string.h>

#include "proto/build.h"

/* A member that must be text when it is there. */
static struct sv want(struct action *a, const struct json *j, json_ref obj,
	const char *key)
{
	json_ref v = json_get(j, obj, key);

	if (v != JSON_NO && !json_is(j, v, JSON_STRING) && !json_is(j, v, JSON_NULL))
		build_why_not(a, "unreadable");
	return build_str(a, j, v);
}

static struct sv need(struct action *a, const struct json *j, json_ref obj,
	const char *key)
{
	struct sv s = want(a, j, obj, key);

	if (s.n == 0)
		build_why_not(a, "empty");
	return s;
}

/* A member that must be true or false when it is there. */
static bool want_bool(struct action *a, const struct json *j, json_ref obj,
	const char *key)
{
	json_ref v = json_get(j, obj, key);
	bool b = false;

	if (v != JSON_NO && !json_is(j, v, JSON_NULL) && !json_bool(j, v, &b))
		build_why_not(a, "unreadable");
	return b;
}

/* Is there such a member, and not null? */
static bool given(const struct json *j, json_ref obj, const char *key)
{
	json_ref v = json_get(j, obj, key);

	return v != JSON_NO && !json_is(j, v, JSON_NULL);
}

static void fill_argv(struct action *a, const struct json *j, json_ref argv)
{
	size_t n = json_len(j, argv), i = 0;

	if (!json_is(j, argv, JSON_ARRAY)) {
		build_why_not(a, "unreadable");
		return;
	}
	if (n == 0) {
		build_why_not(a, "empty");
		return;
	}
	a->argv = arena_alloc(a->arena, n * sizeof(*a->argv));
	if (a->argv == NULL) {
		build_why_not(a, "over_limit");
		return;
	}
	for (json_ref v = json_first(j, argv); v != JSON_NO; v = json_next(j, v)) {
		if (!json_is(j, v, JSON_STRING)) {
			build_why_not(a, "unreadable");
			return;
		}
		a->argv[i++] = build_str(a, j, v);
	}
	a->n_argv = n;
	a->have_argv = true;
	a->target = a->argv[0];
	if (a->target.n == 0)
		build_why_not(a, "empty");
}

static void fill_command(struct action *a, const struct json *j, json_ref o)
{
	struct sv cwd = want(a, j, o, "cwd");

	if (cwd.n > 0)
		a->cwd = cwd;
	if (given(j, o, "argv")) {
		/* Two accounts of one command: neither can be trusted. */
		if (given(j, o, "command"))
			build_why_not(a, "unreadable");
		fill_argv(a, j, json_get(j, o, "argv"));
		a->command = want(a, j, o, "command");
		return;
	}
	a->command = need(a, j, o, "command");
	a->target = a->command;
}

static const struct {
	const char *name;
	enum change_op op;
} ops[] = {
	{ "add", CHANGE_ADD }, { "modify", CHANGE_MODIFY },
	{ "delete", CHANGE_DELETE }, { "move", CHANGE_MOVE },
	{ "write", CHANGE_WRITE },
};

static void fill_change(struct action *a, const struct json *j, json_ref v,
	struct change *c)
{
	json_ref op = json_get(j, v, "op");
	bool known = false;

	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		if (json_str_is(j, op, ops[i].name)) {
			c->op = ops[i].op;
			known = true;
		}
	}
	if (!known)
		build_why_not(a, "unreadable");
	c->path = need(a, j, v, "path");
	c->old_path = want(a, j, v, "old_path");
	c->has_old = json_is(j, json_get(j, v, "old_text"), JSON_STRING);
	c->has_new = json_is(j, json_get(j, v, "new_text"), JSON_STRING);
	c->old_text = want(a, j, v, "old_text");
	c->new_text = want(a, j, v, "new_text");
	c->patch = want(a, j, v, "patch");
	c->mode = want(a, j, v, "mode");
	c->fragment = want_bool(a, j, v, "fragment");
	c->binary = want_bool(a, j, v, "binary");
	c->replace_all = want_bool(a, j, v, "replace_all");
	if (c->op == CHANGE_MOVE && c->old_path.n == 0)
		build_why_not(a, "empty");
	/* A change without content in any form cannot be shown as what it is. */
	if ((c->op == CHANGE_ADD || c->op == CHANGE_MODIFY || c->op == CHANGE_WRITE) &&
	    !c->has_new && c->patch.n == 0 && !c->binary && c->mode.n == 0)
		build_why_not(a, "empty");
}

static void fill_edit(struct action *a, const struct json *j, json_ref o)
{
	json_ref list = json_get(j, o, "changes");
	size_t n = json_len(j, list);

	if (!json_is(j, list, JSON_ARRAY) || n == 0) {
		build_why_not(a, given(j, o, "changes") && n > 0 ? "unreadable" : "empty");
		return;
	}
	a->changes = arena_alloc(a->arena, n * sizeof(*a->changes));
	if (a->changes == NULL) {
		build_why_not(a, "over_limit");
		return;
	}
	for (json_ref v = json_first(j, list); v != JSON_NO; v = json_next(j, v))
		fill_change(a, j, v, &a->changes[a->n_changes++]);
	a->target = a->changes[0].path;
}

static void fill_http(struct action *a, const struct json *j, json_ref o)
{
	need(a, j, o, "method");
	a->target = need(a, j, o, "url");
	a->host = build_url_host(a->target);
}

static void fill_sql(struct action *a, const struct json *j, json_ref o)
{
	struct sv sql = want(a, j, o, "sql");
	json_ref list = json_get(j, o, "statements");

	if (given(j, o, "statements") && !json_is(j, list, JSON_ARRAY))
		build_why_not(a, "unreadable");
	/* Two accounts of one request, as with a command. */
	if (given(j, o, "statements") && sql.n > 0)
		build_why_not(a, "unreadable");
	if (sql.n == 0 && json_len(j, list) == 0)
		build_why_not(a, "empty");
	a->target = want(a, j, o, "target");
	if (a->target.n == 0)
		a->target = sql;
}

static void fill_tool(struct action *a, const struct json *j, json_ref o)
{
	a->target = need(a, j, o, "name");
	a->server = want(a, j, o, "server");
	if (a->tool.n == 0)
		a->tool = a->target;
}

static void fill_message(struct action *a, const struct json *j, json_ref o)
{
	json_ref to = json_get(j, o, "to");

	need(a, j, o, "body");
	if (json_is(j, to, JSON_ARRAY))
		a->target = build_str(a, j, json_first(j, to));
	else
		a->target = want(a, j, o, "to");
	if (a->target.n == 0)
		a->target = want(a, j, o, "channel");
}

static void fill_payment(struct action *a, const struct json *j, json_ref o)
{
	json_ref amount = json_get(j, o, "amount");

	if (!given(j, o, "amount"))
		build_why_not(a, "empty");
	else if (!json_is(j, amount, JSON_NUMBER) && !json_is(j, amount, JSON_STRING))
		build_why_not(a, "unreadable");
	a->target = need(a, j, o, "to");
}

static void fill_memory(struct action *a, const struct json *j, json_ref o)
{
	a->target = want(a, j, o, "path");
	if (a->target.n == 0)
		a->target = need(a, j, o, "key");
	want(a, j, o, "new_text");
	if (!given(j, o, "new_text"))
		build_why_not(a, "empty");
}

static void fill_question(struct action *a, const struct json *j, json_ref o)
{
	a->target = want(a, j, o, "text");
	if (a->target.n == 0 && json_get(j, o, "form") == JSON_NO &&
	    json_get(j, o, "questions") == JSON_NO)
		build_why_not(a, "empty");
	a->secret = want_bool(a, j, o, "secret");
}

static void fill_grant(struct action *a, const struct json *j, json_ref o)
{
	json_ref what = json_get(j, o, "what");

	if (!given(j, o, "what"))
		build_why_not(a, "empty");
	a->target = build_str(a, j, what);
}

static void (*const fillers[KIND_N])(struct action *, const struct json *,
	json_ref) = {
	[KIND_EDIT] = fill_edit,       [KIND_COMMAND] = fill_command,
	[KIND_HTTP] = fill_http,       [KIND_SQL] = fill_sql,
	[KIND_TOOL] = fill_tool,       [KIND_MESSAGE] = fill_message,
	[KIND_PAYMENT] = fill_payment, [KIND_MEMORY] = fill_memory,
	[KIND_QUESTION] = fill_question, [KIND_GRANT] = fill_grant,
};

int dialect_fill_native(struct action *a, const struct json *j, json_ref o)
{
	int r;

	if (!json_is(j, o, JSON_OBJECT)) {
		build_why_not(a, o == JSON_NO ? "empty" : "unreadable");
		return o == JSON_NO ? 0 : dialect_leaves(a, j, o, "action");
	}
	if (json_first(j, o) == JSON_NO)
		build_why_not(a, "empty");
	if (fillers[a->kind] != NULL)
		fillers[a->kind](a, j, o);
	r = dialect_leaves(a, j, o, "");
	if (arena_over(a->arena))
		build_why_not(a, "over_limit");
	return r;
}
