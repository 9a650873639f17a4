/* The native dialect: kinds, their fields, and what makes them unreadable. */
#include "tests/proto/dialect_rig.h"

#define KEY "\"key\": \"00112233445566778899aabbccddeeff\""

static struct event ev;

static const struct action *ask(const char *kind, const char *action)
{
	static char text[4096];
	struct err e;

	event_clear(&ev);
	snprintf(text, sizeof(text), "{\"id\": 1, \"method\": \"approval/request\", "
		"\"params\": {" KEY ", \"kind\": \"%s\", \"tool\": \"T\", \"words\": \"w\", "
		"\"origin\": {\"session\": \"s\", \"task\": \"t\", \"subagent\": \"b\"}, "
		"\"action\": %s}}", kind, action);
	if (rig_decode("native", sv_of(text), true, &ev, &e) != 0)
		fail_msg("%s: %s", text, e.text);
	assert_int_equal(ev.type, EVENT_ASK);
	rig_check_leaves(ev.action);
	return ev.action;
}

static void what_and_whose(void **state)
{
	static const uint8_t key[] = { 0, 0x11, 0x22 };
	const struct action *a = ask("command", "{\"command\": \"ls -l\", \"cwd\": \"/w\"}");

	(void)state;
	assert_int_equal(a->kind, KIND_COMMAND);
	assert_int_equal(a->deflt, TOOL_ASKS);
	assert_true(sv_eqs(a->command, "ls -l") && sv_eqs(a->cwd, "/w"));
	assert_true(sv_eqs(a->tool, "T") && sv_eqs(a->words, "w"));
	assert_null(a->why_not);
	assert_int_equal(a->n_leaves, 2);
	assert_memory_equal(ev.origin.key, key, 3);
	assert_true(sv_eqs(ev.origin.session, "s") && sv_eqs(ev.origin.task, "t") &&
		sv_eqs(ev.origin.subagent, "b") && sv_eqs(ev.origin.dialect, "native"));
	a = ask("command", "{\"argv\": [\"ls\", \"\", \"a b\"]}");
	assert_true(a->have_argv && a->n_argv == 3 && sv_eqs(a->argv[2], "a b"));
	assert_null(a->why_not);
	a = ask("command", "{\"argv\": null, \"command\": \"x\"}");
	assert_null(a->why_not);
	a = ask("edit", "{\"changes\": [{\"path\": \"a\", \"op\": \"move\", \"old_path\": "
		"\"b\"}, {\"path\": \"c\", \"op\": \"modify\", \"old_text\": \"\", "
		"\"new_text\": \"\", \"fragment\": true}]}");
	assert_null(a->why_not);
	assert_int_equal(a->n_changes, 2);
	assert_true(a->changes[0].op == CHANGE_MOVE && sv_eqs(a->changes[0].old_path, "b"));
	assert_true(a->changes[1].has_old && a->changes[1].fragment);
	a = ask("http", "{\"method\": \"POST\", \"url\": \"https://h.example/x\"}");
	assert_true(a->why_not == NULL && sv_eqs(a->host, "h.example"));
	a = ask("question", "{\"text\": \"key?\", \"secret\": true}");
	assert_true(a->why_not == NULL && a->secret);
	/* A kind we do not know is shown raw, and asks. */
	a = ask("teleport", "{\"to\": \"mars\"}");
	assert_int_equal(a->kind, KIND_OTHER);
	assert_int_equal(a->deflt, TOOL_ASKS);
	assert_null(a->why_not);
	assert_int_equal(a->n_leaves, 1);
}

static void not_to_be_approved(void **state)
{
	static const char *const t[][3] = {
		{ "command", "{}", "empty" }, { "command", "null", "unreadable" },
		{ "command", "[1]", "unreadable" }, { "command", "\"ls\"", "unreadable" },
		{ "command", "{\"command\": \"\"}", "empty" },
		{ "command", "{\"command\": 5}", "unreadable" },
		{ "command", "{\"argv\": []}", "empty" },
		{ "command", "{\"argv\": [\"\"]}", "empty" },
		{ "command", "{\"argv\": [1]}", "unreadable" },
		{ "command", "{\"argv\": \"ls\"}", "unreadable" },
		{ "command", "{\"argv\": {\"a\": \"ls\"}}", "unreadable" },
		{ "command", "{\"argv\": [\"ls\"], \"command\": \"rm\"}", "unreadable" },
		{ "command", "{\"argv\": [\"ls\"], \"command\": \"\"}", "unreadable" },
		{ "command", "{\"command\": \"ls\", \"cwd\": 1}", "unreadable" },
		{ "edit", "{\"changes\": []}", "empty" },
		{ "edit", "{\"changes\": {\"a\": {}}}", "unreadable" },
		{ "edit", "{\"changes\": [\"x\"]}", "unreadable" },
		{ "edit", "{\"changes\": [{\"path\": \"a\", \"op\": \"burn\"}]}", "unreadable" },
		{ "edit", "{\"changes\": [{\"path\": \"a\", \"op\": \"add\"}]}", "empty" },
		{ "edit", "{\"changes\": [{\"path\": \"a\", \"op\": \"move\"}]}", "empty" },
		{ "edit", "{\"changes\": [{\"path\": \"\", \"op\": \"delete\"}]}", "empty" },
		{ "edit", "{\"changes\": [{\"path\": [\"a\"], \"op\": \"delete\"}]}",
			"unreadable" },
		{ "edit", "{\"changes\": [{\"path\": \"a\", \"op\": \"write\", \"new_text\": "
			"\"\", \"binary\": \"no\"}]}", "unreadable" },
		{ "http", "{\"method\": \"GET\"}", "empty" },
		{ "http", "{\"method\": 1, \"url\": \"https://a\"}", "unreadable" },
		{ "sql", "{\"dialect\": \"x\"}", "empty" },
		{ "sql", "{\"sql\": \"select 1\", \"statements\": [\"drop\"]}", "unreadable" },
		{ "sql", "{\"statements\": {\"a\": 1}}", "unreadable" },
		{ "tool", "{\"arguments\": {}}", "empty" },
		{ "message", "{\"to\": \"a\"}", "empty" },
		{ "message", "{\"to\": {\"a\": 1}, \"body\": \"x\"}", "unreadable" },
		{ "payment", "{\"to\": \"a\"}", "empty" },
		{ "payment", "{\"amount\": true, \"to\": \"a\"}", "unreadable" },
		{ "memory", "{\"new_text\": \"a\"}", "empty" },
		{ "memory", "{\"key\": \"a\"}", "empty" },
		{ "memory", "{\"key\": \"a\", \"new_text\": []}", "unreadable" },
		{ "question", "{\"url\": \"x\"}", "empty" },
		{ "question", "{\"text\": \"x\", \"secret\": \"yes\"}", "unreadable" },
		{ "grant", "{\"scope\": \"x\"}", "empty" },
		{ "teleport", "{}", "empty" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		const struct action *a = ask(t[i][0], t[i][1]);

		if (a->why_not == NULL || strcmp(a->why_not, t[i][2]) != 0)
			fail_msg("%s %s: %s, not %s", t[i][0], t[i][1],
				a->why_not != NULL ? a->why_not : "fine", t[i][2]);
	}
}

static void refused(void **state)
{
	static const char *const t[][2] = {
		{ "{\"method\": \"approval/request\", \"params\": {\"kind\": \"tool\"}}",
			"bad_key" },
		{ "{\"method\": \"approval/request\", \"params\": {\"kind\": \"tool\", "
			"\"key\": \"0011\"}}", "bad_key" },
		{ "{\"method\": \"approval/request\", \"params\": {\"kind\": \"tool\", "
			"\"key\": 5}}", "bad_key" },
		{ "{\"method\": \"approval/request\", \"params\": {" KEY "}}", "bad_kind" },
		{ "{\"method\": \"approval/request\", \"params\": {" KEY ", \"kind\": 1}}",
			"bad_kind" },
		{ "{\"method\": \"approval/request\", \"params\": [1]}", "bad_params" },
		{ "{\"method\": \"approval/request\"}", "bad_params" },
		{ "{\"method\": 1, \"params\": {}}", "bad_params" },
		{ "{\"method\": \"rm\", \"params\": {}}", "bad_method" },
		{ "[]", "bad_params" }, { "1", "bad_params" },
		/* A label of a wrong type could slip past a rule that names it. */
		{ "{\"method\": \"event\", \"params\": {\"kind\": \"prompt\", "
			"\"origin\": {\"session\": [\"s\"]}}}", "bad_params" },
	};
	struct err e;

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		event_clear(&ev);
		if (rig_decode("native", sv_of(t[i][0]), true, &ev, &e) == 0)
			fail_msg("accepted: %s", t[i][0]);
		assert_string_equal(e.code, t[i][1]);
	}
	event_clear(&ev);
}

static void events(void **state)
{
	struct err e;

	(void)state;
	assert_int_equal(rig_decode("native", SV("{\"method\": \"event\", \"params\": "
		"{\"kind\": \"prompt\", \"text\": \"a\\nb\"}}"), true, &ev, &e), 0);
	assert_int_equal(ev.type, EVENT_OBSERVE);
	assert_int_equal(ev.what, OBS_PROMPT);
	assert_true(sv_eqs(ev.text, "a\nb"));
	event_clear(&ev);
	assert_int_equal(rig_decode("native", SV("{\"method\": \"event\", \"params\": "
		"{\"kind\": 7, \"text\": 8}}"), true, &ev, &e), 0);
	assert_int_equal(ev.what, OBS_OTHER);
	event_clear(&ev);
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
		cmocka_unit_test(what_and_whose), cmocka_unit_test(not_to_be_approved),
		cmocka_unit_test(refused), cmocka_unit_test(events),
	};

	return cmocka_run_group_tests(tests, NULL, clear);
}
