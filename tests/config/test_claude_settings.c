/* Claude Code's settings files: what obstat puts in, takes out, and sees. */
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "config/claude_settings.h"

static const struct claude_place place = { "/opt/x/obstat-gate", "/var/lib/o/%U", "self" };

static struct jv *read_text(const char *text)
{
	struct err e = ERR_INIT;
	struct jv *v = jv_read(sv_of(text), &e);

	if (v == NULL)
		fail_msg("%s: %s", text, e.text);
	return v;
}

static void in_and_out_again(void **state)
{
	static const char *const t[] = { "{}", "{\"model\": \"x\"}",
		"{\"hooks\": {\"PreToolUse\": [{\"matcher\": \"Bash\", \"hooks\": "
			"[{\"type\": \"command\", \"command\": \"/bin/x\"}]}]}}",
		"{\"hooks\": {\"Mine\": [], \"Stop\": [{\"hooks\": [{\"type\": \"http\", "
			"\"url\": \"u\"}]}]}, \"z\": [1, null]}",
	};
	struct err e = ERR_INIT;

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct jv *v = read_text(t[i]);
		struct jv *with = claude_settings_with(v, &place, false, &e);
		struct jv *twice = claude_settings_with(with, &place, false, &e);
		struct jv *without = claude_settings_without(with);

		assert_non_null(with);
		assert_true(jv_eq(with, twice));      /* once, however often it is put */
		assert_true(jv_eq(without, v));
		for (size_t h = 0; h < n_claude_hooks; h++)
			assert_true(jv_len(jv_get(jv_get(with, "hooks"),
				claude_hooks[h].event)) >= 1);
		jv_free(&v);
		jv_free(&with);
		jv_free(&twice);
		jv_free(&without);
	}
}

static void what_it_writes(void **state)
{
	struct err e = ERR_INIT;
	struct jv *v = claude_settings_with(NULL, &place, true, &e);
	const struct jv *hook = jv_at(jv_get(jv_at(jv_get(jv_get(v, "hooks"), "PreToolUse"),
		0), "hooks"), 0);

	(void)state;
	assert_true(jv_get_b(v, "allowManagedHooksOnly", false));
	assert_true(sv_eqs(jv_get_sv(hook, "command"), place.gate));
	assert_true(sv_eqs(jv_get_sv(hook, "onFailure"), "block"));
	assert_int_equal(jv_get_i(hook, "timeout", 0), 86400);
	assert_int_equal(jv_len(jv_get(hook, "args")), 9);
	assert_true(sv_eqs(jv_sv(jv_at(jv_get(hook, "args"), 0)), "decide"));
	jv_free(&v);
	v = read_text("{\"hooks\": []}");
	assert_null(claude_settings_with(v, &place, true, &e));
	jv_free(&v);
	v = read_text("{\"hooks\": {\"Stop\": {}}}");
	assert_null(claude_settings_with(v, &place, true, &e));
	assert_non_null(strstr(e.text, "Stop"));
	jv_free(&v);
}

static void count(void *arg, struct sv event, struct sv what)
{
	(void)event;
	assert_true(what.n > 0);
	++*(unsigned *)arg;
}

static void names_the_others(void **state)
{
	struct jv *v = read_text("{\"hooks\": {\"PreToolUse\": [{\"hooks\": [{\"type\": "
		"\"command\", \"command\": \"/bin/x\"}, {\"type\": \"command\", \"command\": "
		"\"/a/obstat-gate\"}, {\"type\": \"http\", \"url\": \"u\"}]}]}}");
	unsigned n = 0;

	(void)state;
	claude_settings_others(v, count, &n);
	assert_int_equal(n, 2);
	jv_free(&v);
}

/* ---- whether they stand ---- */

static char dir[64], gate[128];

static void put(const char *name, const struct jv *v, const char *text)
{
	char path[256];
	struct buf b;
	FILE *f;

	buf_init(&b, 1 << 20);
	if (v != NULL)
		assert_int_equal(jv_write_pretty(v, &b), 0);
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "we");
	assert_non_null(f);
	fwrite(v != NULL ? b.p : text, 1, v != NULL ? b.n : strlen(text), f);
	fclose(f);
	assert_int_equal(chmod(path, 0644), 0);
	buf_free(&b);
}

/* The scratch folder is not root's alone, which costs these two always. */
static unsigned managed(void)
{
	struct claude_state st;

	claude_state_managed(dir, &st);
	if (st.faults != 0)
		assert_int_not_equal(st.why[0], '\0');
	return st.faults & ~(unsigned)(CLAUDE_GATE | CLAUDE_OWNER);
}

static int set_up(void **state)
{
	char cmd[400];

	(void)state;
	strcpy(dir, "/tmp/obstat-claude.XXXXXX");
	assert_non_null(mkdtemp(dir));
	snprintf(gate, sizeof(gate), "%s/obstat-gate", dir);
	snprintf(cmd, sizeof(cmd), "cp /bin/true '%s'", gate);
	return system(cmd);
}

static int tear_down(void **state)
{
	char cmd[200];

	(void)state;
	snprintf(cmd, sizeof(cmd), "rm -rf '%s'", dir);
	return system(cmd);
}

#define FILE_NAME "managed-settings.json"

static void stands(void **state)
{
	const struct claude_place p = { gate, "/s/%U", "self" };
	struct err e = ERR_INIT;
	struct claude_state st;
	struct jv *v = claude_settings_with(NULL, &p, true, &e);
	char path[200];

	(void)state;
	assert_int_equal(managed(), CLAUDE_NO_FILE);
	put(FILE_NAME, v, NULL);
	assert_int_equal(managed(), 0);
	claude_state_managed(dir, &st);
	assert_string_equal(st.gate, gate);
	/* /tmp is everybody's: whoever may write there may put another gate. */
	assert_true(st.faults & CLAUDE_GATE);
	snprintf(path, sizeof(path), "%s/" FILE_NAME, dir);
	claude_state_user(path, &st);
	assert_int_equal(st.faults, 0);
	unlink(gate);
	claude_state_user(path, &st);
	assert_int_equal(st.faults, CLAUDE_GATE);
	claude_state_managed(dir, &st);
	assert_true(st.faults & CLAUDE_GATE);
	if (geteuid() == 0) {
		assert_false(st.faults & CLAUDE_OWNER);
		assert_int_equal(chown(path, 12345, 0), 0);
		claude_state_managed(dir, &st);
		assert_true(st.faults & (CLAUDE_OWNER | CLAUDE_BROKEN));
		assert_int_equal(chown(path, 0, 0), 0);
		assert_int_equal(chmod(dir, 0777), 0);
		claude_state_managed(dir, &st);
		assert_true(st.faults & CLAUDE_OWNER);
	}
	jv_free(&v);
	put(FILE_NAME, NULL, "[]");
	assert_int_equal(managed(), CLAUDE_BROKEN);
	put(FILE_NAME, NULL, "{\"allowManagedHooksOnly\": true");
	assert_int_equal(managed(), CLAUDE_BROKEN);
	put(FILE_NAME, NULL, "{}");
	assert_int_equal(managed(), CLAUDE_NO_HOOKS | CLAUDE_OTHERS_RUN);
}

/* Changes the pretty text of good settings and looks. */
static unsigned changed(const char *from, const char *to)
{
	const struct claude_place p = { gate, "/s/%U", "self" };
	struct err e = ERR_INIT;
	struct jv *v = claude_settings_with(NULL, &p, true, &e);
	struct buf b, out;
	const char *at;

	buf_init(&b, 1 << 20);
	buf_init(&out, 1 << 20);
	jv_write(v, &b);
	buf_addc(&b, '\0');
	at = strstr(b.p, from);
	if (at == NULL)
		fail_msg("%s is not in %s", from, b.p);
	buf_add(&out, b.p, (size_t)(at - b.p));
	buf_adds(&out, to);
	buf_adds(&out, at + strlen(from));
	buf_addc(&out, '\0');
	put(FILE_NAME, NULL, out.p);
	jv_free(&v);
	buf_free(&b);
	buf_free(&out);
	return managed();
}

static void sees_what_is_weak(void **state)
{
	static const char *const t[][2] = {
		{ "\"onFailure\":\"block\"", "\"onFailure\":\"allow\"" },
		{ "\"onFailure\":\"block\",", "" },
		{ "\"timeout\":86400", "\"timeout\":60" },
		{ "\"timeout\":86400,", "" },
		{ "\"matcher\":\"*\"", "\"matcher\":\"Bash\"" },
		{ "\"matcher\":\"*\"", "\"matcher\":[\"Bash\"]" },
		{ "\"decide\"", "\"observe\"" },
		{ "\"--dialect\",\"claude\"", "\"--dialect\",\"native\"" },
		{ "\"--dialect\",\"claude\"", "\"--dialect\",\"claude\",\"--x\",\"y\"" },
		{ "\"--hub-uid\",\"self\"", "\"--hub-uid\",\"me\"" },
		{ "\"--socket\",\"/s/%U\"", "\"--socket\",\"s\"" },
		{ "\"type\":\"command\"", "\"type\":\"prompt\"" },
		{ "\"type\":\"command\"", "\"type\":\"command\",\"async\":true" },
		{ "\"type\":\"command\"", "\"type\":\"command\",\"if\":\"Bash(ls)\"" },
		{ "\"type\":\"command\"", "\"type\":\"command\",\"new\":1" },
		{ "\"matcher\":\"*\"", "\"matcher\":\"*\",\"enabled\":false" },
		{ "\"command\":\"/tmp", "\"command\":\"/tmp/../tmp" },
		{ "\"Stop\":[{", "\"Stop\":[{\"matcher\":\"x\"," },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		unsigned f = changed(t[i][0], t[i][1]);

		if ((f & CLAUDE_WEAK) == 0)
			fail_msg("%s -> %s: %x", t[i][0], t[i][1], f);
	}
	assert_int_equal(changed("\"timeout\":86400", "\"timeout\":86391"), 0);
	assert_int_equal(changed("\"matcher\":\"*\"", "\"matcher\":\"\""), 0);
	assert_int_equal(changed("\"allowManagedHooksOnly\":true",
		"\"allowManagedHooksOnly\":false"), CLAUDE_OTHERS_RUN);
	assert_int_equal(changed("\"allowManagedHooksOnly\":true",
		"\"allowManagedHooksOnly\":true,\"disableAllHooks\":true"), CLAUDE_DISABLED);
	assert_int_equal(changed("\"allowManagedHooksOnly\":true",
		"\"allowManagedHooksOnly\":true,\"disableAllHooks\":false"), 0);
	assert_int_equal(changed("\"PostToolUse\"", "\"PostToolUsed\""), CLAUDE_NO_HOOKS);
}

static void drop_ins(void **state)
{
	char sub[200];

	(void)state;
	assert_int_equal(changed("\"timeout\":86400", "\"timeout\":86400"), 0);
	snprintf(sub, sizeof(sub), "%s/managed-settings.d", dir);
	assert_int_equal(mkdir(sub, 0755), 0);
	put("managed-settings.d/a.json", NULL, "{\"model\": \"x\"}");
	assert_int_equal(managed(), 0);
	put("managed-settings.d/b.json", NULL, "{\"disableAllHooks\": true}");
	assert_int_equal(managed(), CLAUDE_DISABLED);
	put("managed-settings.d/b.json", NULL, "{\"allowManagedHooksOnly\": false}");
	assert_int_equal(managed(), CLAUDE_OTHERS_RUN);
	put("managed-settings.d/b.json", NULL, "{");
	assert_int_equal(managed(), CLAUDE_BROKEN);
	put("managed-settings.d/b.json", NULL, "{}");
	put("managed-settings.d/b.txt", NULL, "{");
	assert_int_equal(managed(), 0);
}

/* Root lists another user's hooks; a link or a FIFO there is left alone. */
static void peeks_at_anyones(void **state)
{
	char path[200], other[200];
	struct err e = ERR_INIT;
	struct jv *v;

	(void)state;
	snprintf(path, sizeof(path), "%s/settings.json", dir);
	assert_null(claude_settings_peek(path));
	put("settings.json", NULL, "{\"model\": \"x\"}");
	if (geteuid() == 0) {
		assert_int_equal(chown(path, 12345, 12345), 0);
		assert_null(claude_settings_read(path, &e));
	}
	v = claude_settings_peek(path);
	assert_non_null(v);
	assert_true(sv_eqs(jv_get_sv(v, "model"), "x"));
	jv_free(&v);
	snprintf(other, sizeof(other), "%s/other.json", dir);
	assert_int_equal(symlink(path, other), 0);
	assert_null(claude_settings_peek(other));
	assert_int_equal(unlink(other), 0);
	assert_int_equal(mkfifo(other, 0600), 0);
	assert_null(claude_settings_peek(other));
}

int main(void)
{
#define T(fn) cmocka_unit_test_setup_teardown(fn, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(in_and_out_again), cmocka_unit_test(what_it_writes),
		cmocka_unit_test(names_the_others),
		T(stands), T(sees_what_is_weak), T(drop_ins),
		T(peeks_at_anyones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
