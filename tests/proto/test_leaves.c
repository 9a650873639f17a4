/* Leaves: every value once, under a path of its own, cut where it stands. */
#include "proto/build.h"
#include "tests/proto/dialect_rig.h"

static struct action *leaves(struct sv text, const char *prefix,
	const char *const *skip, int want)
{
	struct err e;
	struct json *j = json_parse(text, &e);
	struct action *a;

	if (j == NULL)
		fail_msg("%s", e.text);
	a = build_action(text);
	assert_int_equal(build_leaves(a, j, 0, prefix, skip), want);
	json_free(&j);
	if (want == 0)
		rig_check_leaves(a);
	return a;
}

static void expect(const char *text, const char *const (*want)[2])
{
	struct action *a = leaves(sv_of(text), "", NULL, 0);
	size_t n = 0;

	for (; want[n][0] != NULL; n++) {
		if (n >= a->n_leaves)
			fail_msg("%s: no leaf %s", text, want[n][0]);
		if (!sv_eqs(a->leaves[n].path, want[n][0]) ||
		    !sv_eqs(a->leaves[n].value, want[n][1]))
			fail_msg("%s: %.*s = %.*s", text, SVFMT(a->leaves[n].path),
				SVFMT(a->leaves[n].value));
	}
	assert_int_equal(a->n_leaves, n);
	action_free(&a);
}

static void names_each(void **state)
{
	(void)state;
	expect("{\"a\": 1, \"b\": [true, {\"c\": \"x\"}, []], \"d\": {}, \"e\": null}",
		(const char *const[][2]){ { "a", "1" }, { "b[0]", "true" },
		{ "b[1].c", "x" }, { "b[2]", "[]" }, { "d", "{}" }, { "e", "null" },
		{ NULL } });
	expect("[[1], \"\\u0041\\n\"]", (const char *const[][2]){ { "[0][0]", "1" },
		{ "[1]", "A\n" }, { NULL } });
	expect("\"x\"", (const char *const[][2]){ { "", "x" }, { NULL } });
	expect("{}", (const char *const[][2]){ { "", "{}" }, { NULL } });
	expect("{\"n\": -1.50e+03}", (const char *const[][2]){ { "n", "-1.50e+03" },
		{ NULL } });
}

/* Without quotes, a.b and {"a": {"b"}} would be one path. */
static void no_path_twice(void **state)
{
	(void)state;
	expect("{\"a.b\": 1, \"a\": {\"b\": 2}, \"x[0]\": 3, \"x\": [4], \"\": 5, "
		"\"q\\\"\": 6, \"\\\\\": 7, \"a b\": 8, \"]\": {\"\": 9}}",
		(const char *const[][2]){ { "\"a.b\"", "1" }, { "a.b", "2" },
		{ "\"x[0]\"", "3" }, { "x[0]", "4" }, { "\"\"", "5" },
		{ "\"q\\\"\"", "6" }, { "\"\\\\\"", "7" }, { "a b", "8" },
		{ "\"]\".\"\"", "9" }, { NULL } });
}

static void prefix_and_skip(void **state)
{
	static const char *const skip[] = { "b", NULL };
	struct action *a = leaves(SV("{\"a\": {\"b\": 1}, \"b\": 2, \"\\u0062b\": 3}"), "p",
		skip, 0);

	(void)state;
	assert_int_equal(a->n_leaves, 2);
	assert_true(sv_eqs(a->leaves[0].path, "p.a.b"));
	assert_true(sv_eqs(a->leaves[1].path, "p.bb"));
	action_free(&a);
	/* A key that is spelt with escapes is skipped like any other. */
	a = leaves(SV("{\"\\u0062\": 2}"), "", skip, 0);
	assert_int_equal(a->n_leaves, 0);
	action_free(&a);
}

static void as_deep_as_json_goes(void **state)
{
	struct action *a;
	struct buf b;

	(void)state;
	buf_init(&b, 1 << 20);
	for (unsigned i = 0; i < JSON_MAX_DEPTH - 1; i++)
		buf_adds(&b, i % 2 ? "[" : "{\"k\":");
	buf_adds(&b, "7");
	for (unsigned i = JSON_MAX_DEPTH - 1; i-- > 0;)
		buf_adds(&b, i % 2 ? "]" : "}");
	a = leaves(buf_sv(&b), "", NULL, 0);
	assert_int_equal(a->n_leaves, 1);
	assert_true(sv_eqs(a->leaves[0].value, "7"));
	action_free(&a);
	buf_free(&b);
}

static void as_wide_as_json_goes(void **state)
{
	struct action *a;
	struct buf b;

	(void)state;
	buf_init(&b, 4 << 20);
	buf_addc(&b, '[');
	for (unsigned i = 0; i < JSON_MAX_VALUES - 2; i++)
		buf_adds(&b, i == 0 ? "1" : ",1");
	buf_addc(&b, ']');
	a = leaves(buf_sv(&b), "", NULL, 0);
	assert_int_equal(a->n_leaves, JSON_MAX_VALUES - 2);
	assert_true(sv_eqs(a->leaves[JSON_MAX_VALUES - 3].path, "[999997]"));
	assert_null(a->why_not);
	assert_true(arena_used(a->arena) <= ACTION_ARENA_MAX);
	action_free(&a);
	buf_free(&b);
}

/* Paths that would take gigabytes: over the limit, said, and bounded. */
static void long_paths(void **state)
{
	struct action *a;
	struct buf b;

	(void)state;
	buf_init(&b, 16 << 20);
	buf_adds(&b, "{\"");
	for (unsigned i = 0; i < 60000; i++)
		buf_addc(&b, 'k');
	buf_adds(&b, "\":[1");
	for (unsigned i = 0; i < 100000; i++)
		buf_adds(&b, ",1");
	buf_adds(&b, "]}");
	a = leaves(buf_sv(&b), "", NULL, -1);
	assert_string_equal(a->why_not, "over_limit");
	assert_true(arena_used(a->arena) <= ACTION_ARENA_MAX);
	action_free(&a);
	buf_clear(&b);
	buf_adds(&b, "{\"");
	for (unsigned i = 0; i < 100000; i++)
		buf_addc(&b, 'k');
	buf_adds(&b, "\":1}");
	a = leaves(buf_sv(&b), "", NULL, -1);
	assert_string_equal(a->why_not, "over_limit");
	action_free(&a);
	buf_free(&b);
}

static void hosts(void **state)
{
	static const struct {
		const char *url, *host;
	} t[] = {
		{ "https://api.example.com/v1?x=http://y", "api.example.com" },
		{ "HTTP://Example.COM", "Example.COM" }, { "https://a:8080/", "a" },
		{ "https://u:p@b.example/", "b.example" }, { "https://a@b@c/", "c" },
		{ "https://[::1]:80/", "[::1]" }, { "https://10.0.0.1#@x", "10.0.0.1" },
		{ "https://a?@b/", "a" }, { "https://a.", "a." },
		/* what readers disagree on has no host */
		{ "https://good.example\\@evil.example/", NULL }, { "//a/", NULL },
		{ "https:a", NULL }, { "https:/a", NULL }, { "https:///a", NULL },
		{ " https://a/", NULL }, { "https://a\tb/", NULL }, { "https://a b/", NULL },
		{ "https://%61/", NULL }, { "https://\xc3\xa4/", NULL }, { "", NULL },
		{ "https://", NULL }, { "file:///etc/passwd", NULL }, { "https://a:b:1/", NULL },
		{ "https://[::1/", NULL }, { "https://[x]/", NULL }, { "https://a:x/", NULL },
		{ "javascript:https://a/", NULL }, { "https://a]/", NULL },
		{ "https://<a>/", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct sv h = build_url_host(sv_of(t[i].url));

		if (t[i].host == NULL ? h.n != 0 : !sv_eqs(h, t[i].host))
			fail_msg("%s gives %.*s", t[i].url, SVFMT(h));
	}
	assert_int_equal(build_url_host(SV("https://good.example\0.evil.example/")).n, 0);
}

static void globs(void **state)
{
	static const char *const stays[] = { "", "*", "**/*.c", "src/**/*.{ts,tsx}",
		"**/*.{test,spec}.ts", "**/*.test.{ts,tsx}", "{.eslintrc,.prettierrc}*",
		".github/**", "*.d.ts", "a...b", "x..y/z", ".", "./a", "a/./b", "!*.min.js",
		"[a-z]*", "a[.]b", "@(a|b)/*", "*.ts,*.js", "*.ts *.js", "a{1..3}b", "a~" };
	static const char *const climbs[] = { "..", "../a", "a/..", "a/../..", "/", "/etc/*",
		"~", "~/x", "{..,a}/b", "{.,x}{.,y}/*", "a/.{x,./b}", "{x/.,y}{./b,c}",
		"[.][.]/*", "[!a][!b]", "\\.\\./x", "a\\..", "{a,/etc}/*", "{/etc,a}",
		"*.ts,/etc/*", "*.ts ../*", "!/etc/*", "!../x", "@(..|a)/b", "{a", "{{.,a},b}./c",
		"\"/etc/*\"", "{{{{{{{{{{{{{{{{{a}}}}}}}}}}}}}}}}}", ".[.]", "a/b/../c" };

	(void)state;
	for (size_t i = 0; i < sizeof(stays) / sizeof(stays[0]); i++)
		if (build_glob_climbs(sv_of(stays[i])))
			fail_msg("%s stays", stays[i]);
	for (size_t i = 0; i < sizeof(climbs) / sizeof(climbs[0]); i++)
		if (!build_glob_climbs(sv_of(climbs[i])))
			fail_msg("%s climbs", climbs[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_each), cmocka_unit_test(no_path_twice),
		cmocka_unit_test(prefix_and_skip), cmocka_unit_test(as_deep_as_json_goes),
		cmocka_unit_test(as_wide_as_json_goes), cmocka_unit_test(long_paths),
		cmocka_unit_test(hosts), cmocka_unit_test(globs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
