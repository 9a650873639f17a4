/* Claude Code's hooks, as the real program sends them. */
#include "tests/proto/dialect_rig.h"

static struct event ev;

static const struct action *call(const char *tool, const char *input)
{
	static char text[4096];
	struct err e;

	event_clear(&ev);
	snprintf(text, sizeof(text), "{\"session_id\": \"s\", \"cwd\": \"/w\", "
		"\"hook_event_name\": \"PreToolUse\", \"tool_name\": \"%s\", "
		"\"tool_input\": %s, \"tool_use_id\": \"u\"}", tool, input);
	if (rig_decode("claude", sv_of(text), true, &ev, &e) != 0)
		fail_msg("%s: %s", text, e.text);
	assert_int_equal(ev.type, EVENT_ASK);
	rig_check_leaves(ev.action);
	return ev.action;
}

static void shapes(void **state)
{
	const struct action *a = call("Bash", "{\"command\": \"npm test\", \"description\": "
		"\"Runs tests\", \"timeout\": 5}");

	(void)state;
	assert_int_equal(a->kind, KIND_COMMAND);
	assert_true(sv_eqs(a->command, "npm test") && sv_eqs(a->words, "Runs tests"));
	assert_true(sv_eqs(a->cwd, "/w") && a->why_not == NULL);
	/* The agent's prose is no part of what it does. */
	assert_int_equal(a->n_leaves, 2);
	assert_true(sv_eqs(ev.origin.session, "s") && sv_eqs(ev.origin.call, "u"));
	a = call("Edit", "{\"file_path\": \"/w/a\", \"old_string\": \"x\", \"new_string\": "
		"\"\", \"replace_all\": true}");
	assert_int_equal(a->kind, KIND_EDIT);
	assert_true(a->n_changes == 1 && a->changes[0].fragment && a->changes[0].replace_all);
	a = call("Edit", "{\"file_path\": \"/w/a\", \"old_string\": \"\", \"new_string\": "
		"\"y\"}");
	assert_true(a->changes[0].op == CHANGE_WRITE && !a->changes[0].fragment);
	a = call("MultiEdit", "{\"file_path\": \"/w/a\", \"edits\": [{\"old_string\": \"a\", "
		"\"new_string\": \"b\"}, {\"old_string\": \"c\", \"new_string\": \"d\"}]}");
	assert_true(a->n_changes == 2 && sv_eqs(a->changes[1].new_text, "d"));
	a = call("Write", "{\"file_path\": \"/w/a\", \"content\": \"\"}");
	assert_true(a->changes[0].op == CHANGE_WRITE && a->changes[0].has_new);
	assert_null(a->why_not);
	a = call("NotebookEdit", "{\"notebook_path\": \"/w/a\", \"cell_id\": \"c\", "
		"\"edit_mode\": \"delete\"}");
	assert_true(a->why_not == NULL && !a->changes[0].has_new);
	a = call("WebFetch", "{\"url\": \"https://h.example/\", \"prompt\": \"p\"}");
	assert_true(a->kind == KIND_HTTP && sv_eqs(a->host, "h.example"));
	a = call("mcp__pay__refund", "{\"id\": \"c\"}");
	assert_true(a->kind == KIND_TOOL && sv_eqs(a->server, "pay"));
	a = call("AskUserQuestion", "{\"questions\": []}");
	assert_int_equal(a->deflt, TOOL_NO_OPINION);
}

static void not_to_be_approved(void **state)
{
	static const char *const t[][3] = {
		{ "Bash", "{}", "empty" }, { "Bash", "{\"command\": \"\"}", "empty" },
		{ "Bash", "{\"command\": [\"ls\"]}", "unreadable" },
		{ "Bash", "[]", "unreadable" }, { "Bash", "null", "unreadable" },
		{ "Edit", "{\"file_path\": \"/a\", \"old_string\": \"x\"}", "empty" },
		{ "Edit", "{\"file_path\": 1, \"old_string\": \"x\", \"new_string\": \"\"}",
			"unreadable" },
		{ "Write", "{\"file_path\": \"/a\"}", "empty" },
		{ "Write", "{\"content\": \"a\"}", "empty" },
		{ "MultiEdit", "{\"file_path\": \"/a\", \"edits\": []}", "empty" },
		{ "MultiEdit", "{\"file_path\": \"/a\", \"edits\": {\"x\": {}}}",
			"unreadable" },
		{ "MultiEdit", "{\"file_path\": \"/a\", \"edits\": [1]}", "unreadable" },
		{ "NotebookEdit", "{\"notebook_path\": \"/a\"}", "empty" },
		{ "WebFetch", "{\"prompt\": \"x\"}", "empty" },
		{ "Read", "{}", "empty" }, { "Read", "{\"file_path\": \"\"}", "empty" },
		{ "Read", "{\"file_path\": [\"/w\"]}", "unreadable" },
		{ "Glob", "{\"pattern\": 1}", "unreadable" },
		{ "Grep", "{\"pattern\": \"x\", \"path\": 1}", "unreadable" },
		{ "Grep", "{\"pattern\": \"x\", \"path\": \"\"}", "empty" },
		{ "TodoWrite", "7", "unreadable" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		const struct action *a = call(t[i][0], t[i][1]);

		if (a->why_not == NULL || strcmp(a->why_not, t[i][2]) != 0)
			fail_msg("%s %s: %s, not %s", t[i][0], t[i][1],
				a->why_not != NULL ? a->why_not : "fine", t[i][2]);
	}
}

static void defaults(void **state)
{
	static const char *const passes[] = { "TodoWrite", "TaskCreate", "TaskGet",
		"TaskList", "TaskUpdate", "TaskOutput", "ToolSearch", "ListAgents",
		"CronList", "ReportFindings", "EnterPlanMode", "BashOutput" };
	static const char *const asks[] = { "Agent", "Task", "WebSearch", "CronCreate",
		"CronDelete", "EnterWorktree", "ExitWorktree", "Monitor", "SendMessage",
		"TaskStop", "KillShell", "ScheduleWakeup", "Skill", "Workflow", "mcp__a__b",
		"mcp__", "Unheard", "todowrite", "TodoWrite ", "Todo", "Readx", "read" };

	(void)state;
	for (size_t i = 0; i < sizeof(passes) / sizeof(passes[0]); i++)
		assert_int_equal(call(passes[i], "{}")->deflt, TOOL_PASSES_READ_ONLY);
	for (size_t i = 0; i < sizeof(asks) / sizeof(asks[0]); i++)
		if (call(asks[i], "{}")->deflt != TOOL_ASKS)
			fail_msg("%s does not ask", asks[i]);
	assert_int_equal(call("Unheard", "{}")->kind, KIND_TOOL);
	assert_int_equal(call("ExitPlanMode", "{}")->deflt, TOOL_NO_OPINION);
}

static void searches(void **state)
{
	static const struct {
		const char *tool, *input, *path;
		bool asks;
	} t[] = {
		{ "Read", "{\"file_path\": \"/w/a\"}", "/w/a", false },
		{ "Glob", "{\"pattern\": \"**/*.{ts,tsx}\"}", "/w", false },
		{ "Glob", "{\"pattern\": \"src/**/[a-z]*.c\", \"path\": \"lib\"}", "lib",
			false },
		{ "Glob", "{\"pattern\": \"/etc/*\"}", "/w", true },
		{ "Glob", "{\"pattern\": \"/etc/*\", \"path\": \"/w/x\"}", "/w/x", true },
		{ "Glob", "{\"pattern\": \"../*\", \"path\": \"/w\"}", "/w", true },
		{ "Glob", "{\"pattern\": \"a/../../*\"}", "/w", true },
		{ "Glob", "{\"pattern\": \"~/*\"}", "/w", true },
		{ "Glob", "{\"pattern\": \"{.,x}{.,y}/*\"}", "/w", true },
		{ "Glob", "{\"pattern\": \"[.][.]/*\"}", "/w", true },
		{ "Glob", "{\"pattern\": \"\\\\.\\\\./*\"}", "/w", true },
		{ "Glob", "{\"pattern\": \"{a,/etc}/*\"}", "/w", true },
		{ "Glob", "{\"pattern\": \"a,~/b\"}", "/w", true },
		{ "Glob", "{\"pattern\": \"*.d.ts\", \"path\": null}", "/w", false },
		/* Grep's pattern is a regular expression, its glob names files. */
		{ "Grep", "{\"pattern\": \"a..b\"}", "/w", false },
		{ "Grep", "{\"pattern\": \"^/etc\"}", "/w", false },
		{ "Grep", "{\"pattern\": \"a\", \"glob\": \"../*\"}", "/w", true },
		{ "Grep", "{\"pattern\": \"a\", \"glob\": \"!*.min.js\"}", "/w", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		const struct action *a = call(t[i].tool, t[i].input);

		assert_int_equal(a->n_read_paths, 1);
		assert_true(sv_eqs(a->read_paths[0], t[i].path));
		if ((a->deflt == TOOL_ASKS) != t[i].asks)
			fail_msg("%s %s: %d", t[i].tool, t[i].input, !t[i].asks);
		assert_null(a->why_not);
	}
}

static void whose(void **state)
{
	struct err e;

	(void)state;
	event_clear(&ev);
	assert_int_equal(rig_decode("claude", SV("{\"hook_event_name\": \"PreToolUse\", "
		"\"tool_name\": \"Bash\", \"tool_input\": {\"command\": \"x\"}, "
		"\"agent_id\": \"a81f\", \"agent_type\": \"general\"}"), true, &ev, &e), 0);
	assert_true(sv_eqs(ev.origin.subagent, "general"));
	assert_true(sv_eqs(ev.origin.subagent_id, "a81f"));
	event_clear(&ev);
	assert_int_equal(rig_decode("claude", SV("{\"hook_event_name\": \"PreToolUse\", "
		"\"tool_name\": \"Bash\", \"tool_input\": {}, \"agent_id\": \"a81f\"}"), true,
		&ev, &e), 0);
	assert_true(sv_eqs(ev.origin.subagent, "a81f"));
	event_clear(&ev);
}

static void refused(void **state)
{
	static const char *const t[] = { "[]", "1", "{}", "{\"hook_event_name\": 5}",
		"{\"hook_event_name\": \"PreToolUse\"}",
		"{\"hook_event_name\": \"PreToolUse\", \"tool_name\": 7}",
		"{\"hook_event_name\": \"PreToolUse\", \"tool_name\": \"\"}",
		"{\"hook_event_name\": \"NewHook\"}",
		("{\"hook_event_name\": \"PreToolUse\", \"tool_name\": \"Bash\", "
			"\"session_id\": {}}"),
	};
	struct err e;

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		event_clear(&ev);
		if (rig_decode("claude", sv_of(t[i]), true, &ev, &e) == 0)
			fail_msg("accepted: %s", t[i]);
	}
	event_clear(&ev);
	/* What is only observed may be new to us. */
	assert_int_equal(rig_decode("claude", SV("{\"hook_event_name\": \"NewHook\"}"), false,
		&ev, &e), 0);
	assert_int_equal(ev.what, OBS_OTHER);
	event_clear(&ev);
}

/* The hub calls these two from the answer it gives to the gate. */
static void answers(void **state)
{
	const struct dialect *d = dialect_find(SV("claude"));
	struct answer a = { .verdict = ANSWER_DENY, .tell = SV("no, see #12") };
	struct buf out, err;
	struct jv *v;
	struct err e;

	(void)state;
	buf_init(&out, 1 << 16);
	buf_init(&err, 1 << 16);
	d->encode(&a, SV("PreToolUse"), &out, &err);
	assert_true(out.n == 0 && sv_eqs(buf_sv(&err), "no, see #12"));
	a = (struct answer){ .verdict = ANSWER_DENY };
	buf_clear(&err);
	d->encode(&a, SV("PreToolUse"), &out, &err);
	assert_true(out.n == 0 && err.n > 0);
	buf_clear(&err);
	a = (struct answer){ .verdict = ANSWER_NO_OPINION, .tell = SV("x") };
	d->encode(&a, SV("PreToolUse"), &out, &err);
	a.verdict = ANSWER_NOTED;
	d->encode(&a, SV("Stop"), &out, &err);
	assert_true(out.n == 0 && err.n == 0);
	a = (struct answer){ .verdict = ANSWER_ALLOW, .tell = SV("by \"bo\"\n") };
	d->encode(&a, SV("PreToolUse"), &out, &err);
	v = jv_read(buf_sv(&out), &e);
	assert_non_null(v);
	assert_true(sv_eqs(jv_get_sv(jv_get(v, "hookSpecificOutput"), "permissionDecision"),
		"allow"));
	assert_true(sv_eqs(jv_get_sv(jv_get(v, "hookSpecificOutput"), "hookEventName"),
		"PreToolUse"));
	jv_free(&v);
	/* Where there is no room for all of it, never a part of it. */
	for (size_t max = 0; max < 200; max++) {
		buf_free(&out);
		buf_init(&out, max);
		d->encode(&a, SV("PreToolUse"), &out, &err);
		v = out.n > 0 ? jv_read(buf_sv(&out), &e) : NULL;
		/* The bare answer has 80-odd bytes. */
		assert_true(v != NULL || (out.n == 0 && max < 95));
		jv_free(&v);
	}
	buf_free(&out);
	buf_free(&err);
}

static int clear(void **state)
{
	(void)state;
	event_clear(&ev);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shapes), cmocka_unit_test(not_to_be_approved),
		cmocka_unit_test(defaults), cmocka_unit_test(searches),
		cmocka_unit_test(whose), cmocka_unit_test(refused),
		cmocka_unit_test(answers),
	};

	return cmocka_run_group_tests(tests, NULL, clear);
}
