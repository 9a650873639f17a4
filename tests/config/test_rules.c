/* Rules files: what is read, what is refused and how it is said. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "config/rules.h"

static struct ruleset *parse(const char *text, enum rules_source src, struct err *e)
{
	struct ruleset *r = NULL;

	*e = (struct err)ERR_INIT;
	if (rules_parse(sv_of(text), "f", src, &r, e) != 0) {
		assert_null(r);
		assert_int_not_equal(e->text[0], '\0');
	}
	return r;
}

static void reads_the_example(void **state)
{
	static const char text[] =
		"# what the owner wants\n"
		"[obstat]\n"
		"\tworkspace = /srv/shop\n\tworkspace = ~/notes\n\tagent = build-2\n"
		"\task = changes\n"
		"[rule \"no-force\"]\n"
		"\ttool = Bash\n\targ = git\n\targ = push\n\targ = --force\n"
		"\tdecide = deny\n\treason = \"use --force-with-lease; on your own branch\"\n"
		"\tmore = any\n"
		"; another\n"
		"[rule \"tests\"]\n"
		"  tool=Bash\n  arg = npm\n  arg = \"\"\n  arg = a b\n"
		"  decide = allow\n  uses = 7\n  expires = 2026-12-24\n  channel = claude\n"
		"[rule \"docs\"]\n"
		"\tpath = ./docs/**\n\tkind = edit\n\tcare = glance\n";
	struct err e;
	struct ruleset *r = parse(text, RULES_USER, &e);

	(void)state;
	if (r == NULL)
		fail_msg("%s", e.text);
	assert_int_equal(r->n, 3);
	assert_string_equal(r->ask, "changes");
	assert_int_equal(r->n_workspaces, 2);
	assert_string_equal(r->workspaces[1], "~/notes");
	assert_string_equal(r->agents[0], "build-2");
	assert_string_equal(r->rules[0].name, "no-force");
	assert_int_equal(r->rules[0].line, 7);
	assert_int_equal(r->rules[0].decide, DECIDE_DENY);
	assert_int_equal(r->rules[0].n_arg, 3);
	assert_true(r->rules[0].more_any);
	assert_string_equal(r->rules[0].reason,
		"use --force-with-lease; on your own branch");
	assert_string_equal(r->rules[1].arg[1], "");
	assert_string_equal(r->rules[1].arg[2], "a b");
	assert_int_equal(r->rules[1].uses, 7);
	/* The end of that day: 2026-12-25T00:00Z. */
	assert_int_equal(r->rules[1].expires_ms, 1798156800000);
	assert_string_equal(r->rules[1].channel, "claude");
	assert_true(r->rules[2].has_care && r->rules[2].care == CARE_GLANCE);
	assert_int_equal(r->rules[2].source, RULES_USER);
	ruleset_free(&r);
}

#define OK_RULE "[rule \"a\"]\ndecide = deny\n"

static void refuses(void **state)
{
	static const struct {
		const char *text, *why;
	} t[] = {
		/* sections */
		{ "[include]\npath = /x\n", "include" },
		{ "[include \"x\"]\npath = /x\n", "include" },
		{ "[INCLUDE]\npath = /x\n", "include" },
		{ "[includeIf \"gitdir:/\"]\npath = /x\n", "include" },
		{ "[core]\neditor = x\n", "section" },
		{ "[rule]\ndecide = deny\n", "section" },
		{ "[rule \"\"]\ndecide = deny\n", "name" },
		{ "[rule a]\ndecide = deny\n", "section" },
		{ "[rule.a]\ndecide = deny\n", "section" },
		{ "[Rule \"a\"]\ndecide = deny\n", "section" },
		{ "[rules \"a\"]\ndecide = deny\n", "section" },
		{ "[rule \"a\" ]\ndecide = deny\n", "section" },
		{ "[rule \"a\"] decide = deny\n", "section" },
		{ "[rule \"a\"] # why\ndecide = deny\n", "section" },
		{ "[rule \"a\"\ndecide = deny\n", "section" },
		{ "[rule \"a\\\"b\"]\ndecide = deny\n", "name" },
		{ "[rule \"a\\b\"]\ndecide = deny\n", "name" },
		{ "[rule \"a]b\"]\ndecide = deny\n", "name" },
		{ "[rule \"a\"b\"]\ndecide = deny\n", "name" },
		{ "[obstat \"x\"]\nask = changes\n", "section" },
		{ "[OBSTAT]\nask = changes\n", "section" },
		{ OK_RULE OK_RULE, "twice" },
		{ OK_RULE "[rule \"A\"]\ndecide = deny\n", "twice" },
		{ OK_RULE "[rule   \"a\"]\ndecide = deny\n", "twice" },
		{ "[obstat]\nask = changes\n[obstat]\n", "twice" },
		{ "decide = deny\n" OK_RULE, "before any section" },
		{ "[rule \"a\"]\n" , "needs 'decide'" },
		{ OK_RULE "[rule \"b\"]\n", "needs 'decide'" },
		/* keys */
		{ OK_RULE "Reason = x\n", "small letters" },
		{ OK_RULE "rea_son = x\n", "'= value'" },
		{ OK_RULE "reason\n", "'= value'" },
		{ OK_RULE "reason =\n", "value is missing" },
		{ OK_RULE "nonsense = x\n", "unknown key" },
		{ OK_RULE "decide = deny\n", "twice" },
		{ OK_RULE "effect = git-force-push\n", "newer obstat" },
		{ OK_RULE "flag = x\n", "newer obstat" },
		{ OK_RULE "silence = x\n", "newer obstat" },
		/* values */
		{ OK_RULE "reason = a ; b\n", "double quotes" },
		{ OK_RULE "reason = a # b\n", "double quotes" },
		{ OK_RULE "reason = a;b\n", "double quotes" },
		{ OK_RULE "reason = \"a\" ;b\n", "double quotes" },
		{ OK_RULE "reason = \"a\n", "not closed" },
		{ OK_RULE "reason = a\\\nb = c\n", "own line" },
		{ OK_RULE "reason = \"a\\\nb\"\n", "own line" },
		{ OK_RULE "reason = a\\n\n", "backslash" },
		{ OK_RULE "reason = a\\t\n", "backslash" },
		/* libgit2 loses count of quotes after an escaped backslash. */
		{ OK_RULE "reason = \"a\\\\\"\"#b\"\n", "another way" },
		/* bytes */
		{ "\xef\xbb\xbf" OK_RULE, "hidden" },
		{ "[rule \"a\"]\r\ndecide = deny\r\n", "carriage" },
		{ OK_RULE "reason = a\x01" "b\n", "control" },
		{ OK_RULE "reason = a\rb\n", "control" },
		{ OK_RULE "reason = a\xe2\x80\xae" "b\n", "hidden" },
		{ OK_RULE "reason = a\xc2\x85" "b\n", "control" },
		{ OK_RULE "reason = a\tb\n", "tab" },
		{ OK_RULE "reason = a\xff\n", "UTF-8" },
		{ OK_RULE "# \xff\n", "UTF-8" },
		/* each key's own limits */
		{ OK_RULE "tool = a*b\n", "last character" },
		{ OK_RULE "tool = *\n", "names no tool" },
		{ OK_RULE "tool = a\ntool = b\n", "twice" },
		{ OK_RULE "kind = nothing\n", "kind" },
		{ OK_RULE "path = docs/x\n", "begin with" },
		{ OK_RULE "path = ~root/x\n", "begin with" },
		{ OK_RULE "path = /a/../b\n", "/../" },
		{ OK_RULE "path = ./..\n", "/../" },
		{ OK_RULE "path = /a//b\n", "/../" },
		{ OK_RULE "path = /*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a"
			"*a*a*a*a*a*a\n", "wildcards" },
		{ OK_RULE "uses = 3\n", "only an allow" },
		{ OK_RULE "care = confirm\n", "must name a path" },
		{ OK_RULE "arg = a\ncare = two\n", "split user" },
		{ OK_RULE "arg = a\ncare = locked\n", "glance, read or confirm" },
		{ OK_RULE "more = any\n", "before it" },
		{ OK_RULE "arg = a\nmore = some\n", "only be 'any'" },
		{ OK_RULE "arg = a\nmore = any\narg = b\n", "last key" },
		{ OK_RULE "arg = a\nmore = any\nreason = b\n", "last key" },
		{ OK_RULE "arg = a\nmore = any\nmore = any\n", "last key" },
		{ OK_RULE "expires = soon\n", "a date" },
		{ OK_RULE "expires = 2026-02-31\n", "date" },
		{ OK_RULE "expires = 2026-13-01\n", "date" },
		{ OK_RULE "expires = 2026-00-10\n", "date" },
		{ OK_RULE "expires = 1999-01-01\n", "date" },
		{ OK_RULE "expires = \"2026- 1-01\"\n", "date" },
		{ OK_RULE "expires = 2026-01-01T24:30Z\n", "date" },
		{ OK_RULE "expires = 2026-01-01T10:60Z\n", "date" },
		{ OK_RULE "expires = 2026-01-01T10:00\n", "date" },
		{ OK_RULE "expires = 2026-01-01 \n" OK_RULE, "twice" },
		{ "[rule \"a\"]\ndecide = maybe\n", "deny, ask or allow" },
		{ "[rule \"a\"]\ntool = B\ndecide = allow\n", "must name a tool" },
		{ "[rule \"a\"]\npath = /a\ndecide = allow\n", "must name a tool" },
		{ "[rule \"a\"]\ntool = B\npath = /a\ndecide = allow\nuses = 0\n", "number" },
		{ "[rule \"a\"]\ntool = B\npath = /a\ndecide = allow\nuses = -1\n", "number" },
		{ "[rule \"a\"]\ntool = B\npath = /a\ndecide = allow\nuses = 1\nuses = 1\n",
			"twice" },
		{ "[obstat]\nworkspace = here\n", "obstat.workspace" },
		{ "[obstat]\nagent = ../x\n", "obstat.agent" },
		{ "[obstat]\nagent = A\n", "obstat.agent" },
		{ "[obstat]\nagent = a\nagent = a\n", "obstat.agent" },
		{ "[obstat]\nask = never\n", "obstat.ask" },
		{ "[obstat]\nask = changes\nask = changes\n", "obstat.ask" },
		{ "[obstat]\ndecide = deny\n", "obstat.decide" },
		{ "[obstat]\ndeadline = 30\n", "obstat.deadline" },
		{ "[obstat]\ndeadline = m\n", "obstat.deadline" },
		{ "[obstat]\ndeadline = 9s\n", "obstat.deadline" },
		{ "[obstat]\ndeadline = 31d\n", "obstat.deadline" },
		{ "[obstat]\ndeadline = -1h\n", "obstat.deadline" },
		{ "[obstat]\ndeadline = 1h\ndeadline = 1h\n", "obstat.deadline" },
	};
	struct err e;

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct ruleset *r = parse(t[i].text, RULES_USER, &e);

		if (r != NULL)
			fail_msg("accepted: %s", t[i].text);
		if (strstr(e.text, t[i].why) == NULL)
			fail_msg("%s\ngives: %s\nnot: %s", t[i].text, e.text, t[i].why);
		assert_non_null(strstr(e.text, "f:"));
	}
}

static void accepts(void **state)
{
	static const char *const t[] = { "", "\n\n# nothing\n", "  ; nothing", OK_RULE,
		"[rule \"a\"]\ndecide = deny", "[obstat]\n",
		OK_RULE "# \xe2\x80\xae in a comment\n",
		OK_RULE "reason = \"a ; b # c\"\n", OK_RULE "reason = a\\\\b\n",
		OK_RULE "reason = a\\\"b\n", OK_RULE "reason = \"a\\\"b\\\\\"\n",
		OK_RULE "reason = a \"b  c\" d\n", OK_RULE "\t reason\t=\t x y \t\n",
		OK_RULE "expires = 2026-01-01T23:59Z\n", OK_RULE "path = /\n",
		"[rule \"a\"]\ntool = mcp__*\nhost = x.example\ndecide = allow\n",
		"[rule \"\xc3\xa4 \xe2\x82\xac [.=;#\"]\ndecide = deny\n",
	};
	struct err e;

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct ruleset *r = parse(t[i], RULES_USER, &e);

		if (r == NULL)
			fail_msg("%s\ngives: %s", t[i], e.text);
		ruleset_free(&r);
	}
}

static void says_which_line(void **state)
{
	struct err e;

	(void)state;
	assert_null(parse("# 1\n\n" OK_RULE "# 5\nnonsense = x\n", RULES_USER, &e));
	assert_non_null(strstr(e.text, "f:6:"));
	assert_null(parse(OK_RULE "\n[rule \"b\"]\ntool = x\ndecide = allow\n", RULES_USER,
		&e));
	assert_non_null(strstr(e.text, "f:4:"));
	/* A message never carries raw bytes of the file to a terminal. */
	assert_null(parse(OK_RULE "expires = \"<U+0041>\"\n", RULES_USER, &e));
	assert_null(strchr(e.text, '\033'));
}

static void a_workspaces_own(void **state)
{
	struct err e;
	struct ruleset *r;
	struct buf b;

	(void)state;
	assert_null(parse("[rule \"a\"]\ntool = B\npath = /a\ndecide = allow\n",
		RULES_WORKSPACE, &e));
	assert_non_null(strstr(e.text, "only ask and deny"));
	assert_null(parse("[rule \"a\"]\npath = /a\ncare = glance\n", RULES_WORKSPACE, &e));
	assert_null(parse("[obstat]\nask = irreversible\n", RULES_WORKSPACE, &e));
	assert_null(parse("[obstat]\n", RULES_WORKSPACE, &e));
	r = parse(OK_RULE "[rule \"b\"]\npath = /a\ncare = confirm\ndecide = ask\n",
		RULES_WORKSPACE, &e);
	assert_non_null(r);
	assert_int_equal(r->rules[0].source, RULES_WORKSPACE);
	ruleset_free(&r);
	buf_init(&b, 1 << 20);
	for (int i = 0; i < 257; i++)
		buf_addf(&b, "[rule \"%d\"]\ndecide = deny\n", i);
	assert_int_equal(rules_parse(buf_sv(&b), "f", RULES_WORKSPACE, &r, &e), -1);
	assert_int_equal(rules_parse(buf_sv(&b), "f", RULES_USER, &r, &e), 0);
	ruleset_free(&r);
	buf_free(&b);
}

static void size_limits(void **state)
{
	struct ruleset *r;
	struct err e;
	struct buf b;

	(void)state;
	buf_init(&b, 4 << 20);
	for (int i = 0; i < 10000; i++)
		buf_addf(&b, "[rule \"%d\"]\ndecide = deny\npath = /srv/%d/**\n", i, i);
	assert_int_equal(rules_parse(buf_sv(&b), "f", RULES_USER, &r, &e), 0);
	assert_int_equal(r->n, 10000);
	ruleset_free(&r);
	buf_adds(&b, "[rule \"one more\"]\ndecide = deny\n");
	assert_int_equal(rules_parse(buf_sv(&b), "f", RULES_USER, &r, &e), -1);
	assert_non_null(strstr(e.text, "10,000"));
	buf_clear(&b);
	while (b.n <= 1 << 20)
		buf_adds(&b, "# a comment\n");
	assert_int_equal(rules_parse(buf_sv(&b), "f", RULES_USER, &r, &e), -1);
	assert_string_equal(e.code, "rules_size");
	buf_clear(&b);
	/* 200,000 empty sections, a line of 1 MiB: refused, and quickly. */
	for (int i = 0; i < 80000; i++)
		buf_addf(&b, "[rule \"%d\"]\n", i % 7);
	assert_int_equal(rules_parse(buf_sv(&b), "f", RULES_USER, &r, &e), -1);
	buf_clear(&b);
	buf_adds(&b, OK_RULE "reason = \"");
	while (b.n < (1 << 20) - 2)
		buf_addc(&b, 'a');
	buf_adds(&b, "\"\n");
	assert_int_equal(rules_parse(buf_sv(&b), "f", RULES_USER, &r, &e), -1);
	assert_non_null(strstr(e.text, "255 bytes"));
	buf_free(&b);
	/* NUL */
	assert_int_equal(rules_parse(SV(OK_RULE "\0"), "f", RULES_USER, &r, &e), -1);
}

static struct digest id_of(const char *text)
{
	struct err e;
	struct ruleset *r = parse(text, RULES_USER, &e);
	struct digest d;

	if (r == NULL)
		fail_msg("%s", e.text);
	d = r->rules[r->n - 1].id;
	ruleset_free(&r);
	return d;
}

/* A rule is the same rule while it says the same, wherever it stands. */
static void identity(void **state)
{
	struct digest a = id_of("[rule \"a\"]\ntool = B\narg = x\ndecide = allow\nuses = 3\n");
	struct digest same[] = {
		id_of("# moved\n\n[rule \"a\"]\n\ttool=B\n\targ = \"x\"\n\tdecide = allow\n"
			"uses = 3 \n"),
		id_of("[rule \"z\"]\ndecide = deny\n[rule \"a\"]\ntool = B\narg = x\n"
			"decide = allow\nuses = 3\n"),
	};
	struct digest other[] = {
		id_of("[rule \"b\"]\ntool = B\narg = x\ndecide = allow\nuses = 3\n"),
		id_of("[rule \"a\"]\ntool = B\narg = x\ndecide = allow\nuses = 4\n"),
		id_of("[rule \"a\"]\ntool = B\narg = x\narg = \"\"\ndecide = allow\nuses = 3\n"),
	};

	(void)state;
	for (size_t i = 0; i < 2; i++)
		assert_true(digest_eq(&a, &same[i]));
	for (size_t i = 0; i < 3; i++)
		assert_false(digest_eq(&a, &other[i]));
}

static void joins(void **state)
{
	struct err e;
	struct ruleset *a = parse("[obstat]\nask = everything\nagent = x\n" OK_RULE,
		RULES_SYSTEM, &e);
	struct ruleset *b = parse("[obstat]\nask = changes\nagent = y\n"
		"[rule \"b\"]\ndecide = ask\n", RULES_USER, &e);
	struct digest before = a->digest;
	static const struct {
		const char *text;
		uint64_t ms;
	} limits[] = { { "[obstat]\ndeadline = 2h\n", 7200000 },
		{ "[obstat]\ndeadline = 1d\n", 7200000 }, { "", 7200000 },
		{ "[obstat]\ndeadline = 45s\n", 45000 } };

	(void)state;
	ruleset_join(a, &b);
	assert_null(b);
	assert_int_equal(a->n, 2);
	assert_int_equal(a->n_agents, 2);
	assert_int_equal(a->rules[1].source, RULES_USER);
	/* The user does not undo what the system's file asks for. */
	assert_string_equal(a->ask, "everything");
	assert_false(digest_eq(&a->digest, &before));
	b = parse("", RULES_USER, &e);
	ruleset_join(a, &b);
	assert_string_equal(a->ask, "everything");
	assert_int_equal(a->deadline_ms, 0);
	/* The shorter one, whichever file it stands in. */
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		b = parse(limits[i].text, RULES_USER, &e);
		assert_non_null(b);
		ruleset_join(a, &b);
		assert_int_equal(a->deadline_ms, limits[i].ms);
	}
	ruleset_free(&a);
}

static void files(void **state)
{
	char dir[] = "/tmp/obstat-rules.XXXXXX", path[64], link[64];
	struct ruleset *r;
	struct err e = ERR_INIT;
	FILE *f;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/rules", dir);
	snprintf(link, sizeof(link), "%s/link", dir);
	assert_int_equal(rules_load(path, RULES_USER, &r, &e), 0);
	assert_int_equal(r->n, 0);
	ruleset_free(&r);
	f = fopen(path, "we");
	fputs(OK_RULE, f);
	fclose(f);
	chmod(path, 0644);
	assert_int_equal(rules_load(path, RULES_USER, &r, &e), 0);
	assert_int_equal(r->n, 1);
	ruleset_free(&r);
	assert_int_equal(symlink(path, link), 0);
	assert_int_equal(rules_load(link, RULES_USER, &r, &e), -1);
	assert_string_equal(e.code, "fs_type");
	chmod(path, 0664);
	assert_int_equal(rules_load(path, RULES_USER, &r, &e), -1);
	assert_string_equal(e.code, "fs_mode");
	chmod(path, 0602);
	assert_int_equal(rules_load(path, RULES_USER, &r, &e), -1);
	if (geteuid() == 0) {
		chmod(path, 0600);
		assert_int_equal(chown(path, 12345, 0), 0);
		assert_int_equal(rules_load(path, RULES_USER, &r, &e), -1);
		assert_string_equal(e.code, "fs_owner");
	}
	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(rules_load(path, RULES_USER, &r, &e), -1);
	unlink(path);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(rules_load(path, RULES_USER, &r, &e), -1);
	rmdir(path);
	unlink(link);
	rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_the_example), cmocka_unit_test(refuses),
		cmocka_unit_test(accepts), cmocka_unit_test(says_which_line),
		cmocka_unit_test(a_workspaces_own), cmocka_unit_test(size_limits),
		cmocka_unit_test(identity), cmocka_unit_test(joins),
		cmocka_unit_test(files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
