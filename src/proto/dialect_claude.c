/*
 * dialect_claude.c - Claude Code's hooks: what they send on stdin, what they
 * read from stdout and stderr.
 *
 * A denial is exit 2 with the reason on stderr; an allow is JSON on stdout;
 * empty stdout with exit 0 is "no opinion". Measured with 2.1.332.
 */
#include <string.h>

#include "base/json_out.h"
#include "proto/build.h"
#include "proto/claude_tools.h"
#include "proto/dialects.h"

static const struct claude_tool unknown_tool = { "", KIND_TOOL, TOOL_ASKS,
	CLAUDE_PLAIN, NULL, NULL };

static const struct claude_tool *tool_find(struct sv name)
{
	for (size_t i = 0; i < n_claude_tools; i++) {
		const char *p = claude_tools[i].name;
		size_t n = strlen(p);

		if (p[n - 1] == '*' && name.n >= n && memcmp(name.p, p, n - 1) == 0)
			return &claude_tools[i];
		if (sv_eqs(name, p))
			return &claude_tools[i];
	}
	return &unknown_tool;
}

/* A text member that the shape cannot do without. */
static struct sv must(struct action *a, const struct json *j, json_ref in,
	const char *key, bool may_be_empty)
{
	json_ref v = json_get(j, in, key);
	struct sv s = build_str(a, j, v);

	if (v == JSON_NO)
		build_why_not(a, "empty");
	else if (!json_is(j, v, JSON_STRING))
		build_why_not(a, "unreadable");
	else if (s.n == 0 && !may_be_empty)
		build_why_not(a, "empty");
	return s;
}

static struct change *changes_new(struct action *a, size_t n)
{
	a->changes = n > 0 ? arena_alloc(a->arena, n * sizeof(*a->changes)) : NULL;
	if (a->changes == NULL) {
		build_why_not(a, n > 0 ? "over_limit" : "empty");
		return NULL;
	}
	a->n_changes = n;
	return a->changes;
}

static void fragment(struct action *a, const struct json *j, json_ref v,
	struct sv path, struct change *c)
{
	c->op = CHANGE_MODIFY;
	c->path = path;
	c->old_text = must(a, j, v, "old_string", true);
	c->new_text = must(a, j, v, "new_string", true);
	c->has_old = c->has_new = true;
	/* An empty old_string writes the whole file. */
	c->fragment = c->old_text.n > 0;
	if (!c->fragment)
		c->op = CHANGE_WRITE;
	json_bool(j, json_get(j, v, "replace_all"), &c->replace_all);
}

static void shape_edit(struct action *a, const struct json *j, json_ref in)
{
	struct sv path = must(a, j, in, "file_path", false);
	struct change *c = changes_new(a, 1);

	a->target = path;
	if (c != NULL)
		fragment(a, j, in, path, c);
}

static void shape_multi_edit(struct action *a, const struct json *j, json_ref in)
{
	struct sv path = must(a, j, in, "file_path", false);
	json_ref edits = json_get(j, in, "edits");
	bool list = json_is(j, edits, JSON_ARRAY);
	struct change *c;

	a->target = path;
	if (edits != JSON_NO && !list)
		build_why_not(a, "unreadable");
	c = changes_new(a, list ? json_len(j, edits) : 0);
	if (c == NULL)
		return;
	for (json_ref v = json_first(j, edits); v != JSON_NO; v = json_next(j, v)) {
		if (!json_is(j, v, JSON_OBJECT))
			build_why_not(a, "unreadable");
		fragment(a, j, v, path, c++);
	}
}

static void shape_write(struct action *a, const struct json *j, json_ref in)
{
	struct change *c = changes_new(a, 1);

	a->target = must(a, j, in, "file_path", false);
	if (c == NULL)
		return;
	c->op = CHANGE_WRITE;
	c->path = a->target;
	c->new_text = must(a, j, in, "content", true);
	c->has_new = true;
}

/* A notebook's cell: its old source is not in the message, so the change is
 * shown as the new source and the file's digest. */
static void shape_notebook(struct action *a, const struct json *j, json_ref in)
{
	struct change *c = changes_new(a, 1);
	json_ref mode = json_get(j, in, "edit_mode");

	a->target = must(a, j, in, "notebook_path", false);
	if (c == NULL)
		return;
	c->op = CHANGE_MODIFY;
	c->path = a->target;
	c->fragment = true;
	c->note = build_get(a, j, in, "cell_id");
	c->has_new = !json_str_is(j, mode, "delete");
	c->new_text = c->has_new ? must(a, j, in, "new_source", true) :
		build_get(a, j, in, "new_source");
}

static void read_path(struct action *a, struct sv path)
{
	a->read_paths = arena_alloc(a->arena, sizeof(*a->read_paths));
	if (a->read_paths == NULL)
		return;
	a->read_paths[0] = path;
	a->n_read_paths = 1;
	a->target = path;
}

/* Glob and Grep: without a path they search the working directory. */
static void shape_search(struct action *a, const struct json *j, json_ref in,
	const struct claude_tool *t)
{
	json_ref path = json_get(j, in, t->field), pat = json_get(j, in, t->pattern);
	bool here = path == JSON_NO || json_is(j, path, JSON_NULL);

	read_path(a, here ? a->cwd : must(a, j, in, t->field, false));
	if (pat == JSON_NO || json_is(j, pat, JSON_NULL))
		return;
	if (!json_is(j, pat, JSON_STRING))
		build_why_not(a, "unreadable");
	else if (build_glob_climbs(build_str(a, j, pat)))
		a->deflt = TOOL_ASKS;
}

static void shape_mcp(struct action *a, const struct json *j)
{
	const char *p = a->tool.p + 5, *end = a->tool.p + a->tool.n;
	const char *sep = memmem(p, (size_t)(end - p), "__", 2);

	a->server = build_get(a, j, json_get(j, 0, "mcp_server"), "name");
	if (a->server.n == 0 && sep != NULL)
		a->server = (struct sv){ p, (size_t)(sep - p) };
}

static void shape(struct action *a, const struct json *j, json_ref in,
	const struct claude_tool *t)
{
	a->target = a->tool;
	switch (t->shape) {
	case CLAUDE_COMMAND:
		a->command = must(a, j, in, "command", false);
		a->target = a->command;
		a->words = build_get(a, j, in, "description");
		break;
	case CLAUDE_EDIT:
		shape_edit(a, j, in);
		break;
	case CLAUDE_MULTI_EDIT:
		shape_multi_edit(a, j, in);
		break;
	case CLAUDE_WRITE:
		shape_write(a, j, in);
		break;
	case CLAUDE_NOTEBOOK:
		shape_notebook(a, j, in);
		break;
	case CLAUDE_READ:
		read_path(a, must(a, j, in, t->field, false));
		break;
	case CLAUDE_SEARCH:
		shape_search(a, j, in, t);
		break;
	case CLAUDE_URL:
		a->target = must(a, j, in, t->field, false);
		a->host = build_url_host(a->target);
		break;
	case CLAUDE_MCP:
		shape_mcp(a, j);
		break;
	case CLAUDE_QUESTION:
	case CLAUDE_PLAIN:
		break;
	}
}

static struct action *tool_call(struct sv raw, const struct json *j, struct err *e)
{
	static const char *const skip_words[] = { "description", NULL };
	json_ref in = json_get(j, 0, "tool_input");
	const struct claude_tool *t;
	struct action *a;

	if (!json_is(j, json_get(j, 0, "tool_name"), JSON_STRING)) {
		err_set(e, "bad_tool", "tool_name is missing");
		return NULL;
	}
	a = build_action(raw);
	a->tool = build_get(a, j, 0, "tool_name");
	a->cwd = build_get(a, j, 0, "cwd");
	if (a->tool.n == 0 || a->tool.n > LABEL_MAX) {
		err_set(e, "bad_tool", "tool_name is empty or over 4,096 bytes");
		action_free(&a);
		return NULL;
	}
	t = tool_find(a->tool);
	a->kind = t->kind;
	a->deflt = t->deflt;
	if (!json_is(j, in, JSON_OBJECT))
		build_why_not(a, in == JSON_NO ? "empty" : "unreadable");
	shape(a, j, in, t);
	if (in != JSON_NO)
		build_leaves(a, j, in, "", t->shape == CLAUDE_COMMAND ?
			skip_words : NULL);
	if (arena_over(a->arena))
		build_why_not(a, "over_limit");
	return a;
}

static const struct {
	const char *name;
	enum event_type type;
	enum observed what;
	const char *text;          /* the member that holds prose */
} hooks[] = {
	{ "PreToolUse", EVENT_ASK, OBS_NONE, NULL },
	{ "PostToolUse", EVENT_OBSERVE, OBS_RAN_OK, NULL },
	{ "PostToolUseFailure", EVENT_OBSERVE, OBS_RAN_FAILED, "error" },
	{ "Stop", EVENT_OBSERVE, OBS_STOP, "last_assistant_message" },
	{ "SubagentStop", EVENT_OBSERVE, OBS_SUBAGENT_STOP, "last_assistant_message" },
	{ "SessionStart", EVENT_OBSERVE, OBS_SESSION_START, NULL },
	{ "SessionEnd", EVENT_OBSERVE, OBS_SESSION_END, NULL },
	{ "Notification", EVENT_OBSERVE, OBS_NOTIFICATION, "message" },
	{ "UserPromptSubmit", EVENT_IGNORE, OBS_PROMPT, NULL },
	{ "PermissionRequest", EVENT_IGNORE, OBS_OTHER, NULL },
	{ "Elicitation", EVENT_IGNORE, OBS_OTHER, NULL },
};

static int labels(struct event *ev, const struct json *j)
{
	struct origin *g = &ev->origin;

	g->dialect = SV("claude");
	g->agent_name = SV("claude-code");
	if (build_label(ev->arena, j, 0, "session_id", &g->session) != 0 ||
	    build_label(ev->arena, j, 0, "prompt_id", &g->turn) != 0 ||
	    build_label(ev->arena, j, 0, "tool_use_id", &g->call) != 0 ||
	    build_label(ev->arena, j, 0, "agent_type", &g->subagent) != 0 ||
	    build_label(ev->arena, j, 0, "agent_id", &g->subagent_id) != 0 ||
	    build_label(ev->arena, j, 0, "hook_event_name", &ev->name) != 0)
		return -1;
	if (g->subagent.n == 0)
		g->subagent = g->subagent_id;
	return 0;
}

static int claude_decode(struct sv raw, const struct json *j, bool decide,
	struct event *ev, struct err *e)
{
	size_t i, n = sizeof(hooks) / sizeof(hooks[0]);

	*ev = (struct event){ .arena = arena_new(ORIGIN_ARENA_MAX + (32u << 20)) };
	if (!json_is(j, 0, JSON_OBJECT) || labels(ev, j) != 0 || ev->name.n == 0)
		return err_set(e, "bad_hook", "not a hook's message: an object with "
			"hook_event_name and labels of at most 4,096 bytes is needed");
	for (i = 0; i < n && !sv_eqs(ev->name, hooks[i].name); i++)
		;
	if (i == n) {
		ev->type = decide ? EVENT_IGNORE : EVENT_OBSERVE;
		ev->what = OBS_OTHER;
		return decide ? err_set(e, "unknown_event",
			"this hook event is not known: it cannot be decided") : 0;
	}
	ev->type = hooks[i].type;
	ev->what = hooks[i].what;
	if (hooks[i].text != NULL)
		ev->text = arena_sv(ev->arena, json_str(j,
			json_get(j, 0, hooks[i].text), ev->arena));
	if (ev->type == EVENT_ASK || ev->what == OBS_RAN_OK ||
	    ev->what == OBS_RAN_FAILED) {
		ev->action = tool_call(raw, j, e);
		if (ev->action == NULL)
			return -1;
	}
	return 0;
}

static void say_allow(struct sv event_name, struct sv tell, struct buf *out)
{
	struct jv *root = jv_obj(), *h = jv_obj();

	jv_put_sv(h, "hookEventName", event_name);
	jv_put_s(h, "permissionDecision", "allow");
	jv_put_sv_opt(h, "permissionDecisionReason", tell);
	jv_put(root, "hookSpecificOutput", h);
	if (jv_write(root, out) != 0)
		buf_clear(out);
	jv_free(&root);
}

static void claude_encode(const struct answer *a, struct sv event_name,
	struct buf *out, struct buf *err)
{
	if (a->verdict == ANSWER_DENY) {
		/* With nothing on stderr the model would not know why. */
		buf_addsv(err, a->tell.n > 0 ? a->tell : SV("Denied (obstat)."));
		if (a->interrupt)
			buf_adds(err, " Stop here: do nothing else until the person "
				"speaks to you.");
	} else if (a->verdict == ANSWER_ALLOW) {
		/* A cut answer is no answer: rather the bare one. */
		say_allow(event_name, a->tell, out);
		if (out->n == 0)
			say_allow(event_name, SV_NONE, out);
	}
}

const struct dialect dialect_claude = {
	.name = "claude",
	.decode = claude_decode,
	.encode = claude_encode,
};
