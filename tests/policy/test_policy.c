/* Rules and the default: who wins, what an allow never covers, in any order. */
#include <unistd.h>

#include "check.h"
#include "policy/policy.h"

#define NOW INT64_C(1800000000000)     /* 2027-01-15 */

static struct ruleset *rules(const char *text, enum rules_source source)
{
	struct ruleset *r = NULL;
	struct err e = ERR_INIT;

	if (rules_parse(sv_of(text), "f", source, &r, &e) != 0)
		fail_msg("%s", e.text);
	return r;
}

static struct policy *policy(const char *text)
{
	struct policy *p = policy_new("/nonexistent/u");

	policy_set(p, rules(text, RULES_USER));
	return p;
}

static struct verdict decide(const char *text, const struct facts *f)
{
	struct policy *p = policy(text);
	struct verdict v;

	policy_decide(p, NULL, f, NOW, &v);
	policy_free(&p);
	return v;
}

static const struct fact_path in_ws = { .real = { "/w/a/b.c", 8 },
	.named = { "/w/a/b.c", 8 }, .write = true, .resolved = true };
static const struct sv npm[] = { { "npm", 3 }, { "test", 4 } };

static struct facts edit(void)
{
	return (struct facts){ .tool = SV("Edit"), .channel = SV("claude"),
		.workspace = SV("/w"), .kind = KIND_EDIT, .understood = true,
		.paths = &in_ws, .n_paths = 1, .rev = REV_REVERSIBLE, .why_rev = "clean" };
}

static struct facts command(void)
{
	return (struct facts){ .tool = SV("Bash"), .channel = SV("claude"),
		.session = SV("s1"), .workspace = SV("/w"), .kind = KIND_COMMAND,
		.understood = true, .argv = npm, .n_argv = 2, .rev = REV_IRREVERSIBLE,
		.why_rev = "a command" };
}

static void the_default(void **state)
{
	struct facts f = edit();
	struct verdict v = decide("", &f);

	(void)state;
	assert_true(v.pass && v.decide == DECIDE_NONE && v.rule[0] == '\0');
	assert_string_equal(v.why, "clean");
	assert_int_equal(v.care, CARE_GLANCE);
	f.rev = REV_IRREVERSIBLE;
	v = decide("", &f);
	assert_true(!v.pass && v.decide == DECIDE_NONE && v.care == CARE_READ);
	f.rev = REV_READ_ONLY;
	assert_true(decide("[obstat]\nask = changes\n", &f).pass);
	assert_false(decide("[obstat]\nask = everything\n", &f).pass);
	f.rev = REV_REVERSIBLE;
	assert_false(decide("[obstat]\nask = changes\n", &f).pass);
	/* What never passes asks, however harmless it looks. */
	f.rev = REV_READ_ONLY;
	f.never_passes = true;
	f.never_why = "outside the workspace";
	v = decide("", &f);
	assert_false(v.pass);
	assert_string_equal(v.why, "outside the workspace");
	assert_int_equal(v.care, CARE_READ);
	/* The runtime's own question is the human's to see there. */
	f = (struct facts){ .tool = SV("AskUserQuestion"), .kind = KIND_QUESTION,
		.understood = true, .rev = REV_IRREVERSIBLE, .deflt = TOOL_NO_OPINION };
	assert_true(decide("[obstat]\nask = everything\n", &f).pass);
	f.understood = false;
	assert_false(decide("", &f).pass);
}

static void who_wins(void **state)
{
	struct facts f = command();
	static const char allow[] = "[rule \"al\"]\ntool = Bash\narg = npm\narg = test\n"
		"decide = allow\n";
	static const char ask[] = "[rule \"as\"]\ntool = Bash\ndecide = ask\n";
	static const char deny[] = "[rule \"de\"]\narg = npm\ndecide = deny\nreason = no\n"
		"more = any\n";
	char all[512];
	struct verdict v;

	(void)state;
	v = decide(allow, &f);
	assert_int_equal(v.decide, DECIDE_ALLOW);
	assert_string_equal(v.rule, "al");
	assert_string_equal(v.rule_file, "user");
	snprintf(all, sizeof(all), "%s%s", allow, ask);
	assert_int_equal(decide(all, &f).decide, DECIDE_ASK);
	snprintf(all, sizeof(all), "%s%s%s", ask, deny, allow);
	v = decide(all, &f);
	assert_int_equal(v.decide, DECIDE_DENY);
	assert_string_equal(v.reason, "no");
	f.argv++;
	f.n_argv = 1;
	assert_int_equal(decide(all, &f).decide, DECIDE_ASK);
}

/* Each line: what an allow that fits otherwise does not cover. */
static void never_covered(void **state)
{
	static const char words[] = "[rule \"a\"]\ntool = Bash\narg = npm\narg = test\n"
		"decide = allow\n";
	static const char wild[] = "[rule \"a\"]\ntool = Edit\npath = ./**\n"
		"decide = allow\n";
	static const char exact[] = "[rule \"a\"]\ntool = Edit\npath = ./a/b.c\n"
		"decide = allow\n";
	struct fact_path two[] = { in_ws, in_ws };
	struct sv more[] = { npm[0], npm[1], SV("--x") };
	struct facts f = command();

	(void)state;
	f.understood = false;
	assert_int_equal(decide(words, &f).decide, DECIDE_NONE);
	f = command();
	f.argv = more;
	f.n_argv = 3;
	assert_int_equal(decide(words, &f).decide, DECIDE_NONE);
	f.n_argv = 1;
	assert_int_equal(decide(words, &f).decide, DECIDE_NONE);
	f = edit();
	assert_int_equal(decide(wild, &f).decide, DECIDE_ALLOW);
	assert_int_equal(decide(exact, &f).decide, DECIDE_ALLOW);
	f.control_path = f.never_passes = true;
	f.never_why = f.control_why = "git's own files";
	assert_int_equal(decide(wild, &f).decide, DECIDE_NONE);
	assert_int_equal(decide(exact, &f).decide, DECIDE_ALLOW);
	/* Outside of the table a rule may allow what never passes by itself. */
	f.control_path = false;
	assert_int_equal(decide(wild, &f).decide, DECIDE_ALLOW);
	f = edit();
	f.understood = false;
	assert_int_equal(decide(wild, &f).decide, DECIDE_NONE);
	f = edit();
	f.paths = two;
	f.n_paths = 2;
	assert_int_equal(decide(wild, &f).decide, DECIDE_ALLOW);
	two[1].resolved = false;
	assert_int_equal(decide(wild, &f).decide, DECIDE_NONE);
	two[1] = in_ws;
	two[1].real = SV("/etc/passwd");           /* named in, lies outside */
	assert_int_equal(decide(wild, &f).decide, DECIDE_NONE);
	f.n_paths = 0;
	assert_int_equal(decide(wild, &f).decide, DECIDE_NONE);
	f = edit();
	f.workspace = SV_NONE;
	assert_int_equal(decide(wild, &f).decide, DECIDE_NONE);
	f.workspace = SV("/");
	assert_int_equal(decide(wild, &f).decide, DECIDE_NONE);
	f.workspace = SV("/w/a/b");                /* a name that begins alike */
	assert_int_equal(decide(wild, &f).decide, DECIDE_NONE);
}

/* A deny is met by any path, by either of its names, known or not. */
static void deny_is_wide(void **state)
{
	static const char deny[] = "[rule \"d\"]\npath = /secret/**\ndecide = deny\n";
	struct fact_path two[] = { in_ws, in_ws };
	struct facts f = edit();

	(void)state;
	f.paths = two;
	f.n_paths = 2;
	assert_int_equal(decide(deny, &f).decide, DECIDE_NONE);
	two[1].real = SV("/secret/x");
	assert_int_equal(decide(deny, &f).decide, DECIDE_DENY);
	two[1] = in_ws;
	two[1].named = SV("/secret/x");
	assert_int_equal(decide(deny, &f).decide, DECIDE_DENY);
	two[1].resolved = false;
	f.understood = false;
	assert_int_equal(decide(deny, &f).decide, DECIDE_DENY);
}

static void what_is_compared(void **state)
{
	static const struct {
		const char *line;
		bool hit;
	} t[] = {
		{ "tool = Bash", true }, { "tool = Ba*", true }, { "tool = bash", false },
		{ "tool = Bas", false }, { "tool = Bash2*", false },
		{ "kind = command", true }, { "kind = edit", false },
		{ "channel = claude", true }, { "channel = other", false },
		{ "session = s1", true }, { "session = s", false },
		{ "task = t", false }, { "subagent = x", false },
		{ "host = h", false }, { "path = /w/**", false },
		{ "expires = 2027-01-15T07:59Z", false },
		{ "expires = 2027-01-15T08:01Z", true },
		{ "arg = npm\narg = test", true }, { "arg = npm", false },
		{ "arg = npm\nmore = any", true }, { "arg = test\nmore = any", false },
		{ "arg = npm\narg = test\nmore = any", true },
		{ "arg = npm\narg = test\narg = \"\"\nmore = any", false },
	};
	struct facts f = command(), h = command();

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		char text[256];

		snprintf(text, sizeof(text), "[rule \"r\"]\ndecide = deny\n%s\n", t[i].line);
		if ((decide(text, &f).decide == DECIDE_DENY) != t[i].hit)
			fail_msg("%s: %d", t[i].line, !t[i].hit);
	}
	h.kind = KIND_HTTP;
	h.host = SV("Evil.Example.");
	assert_int_equal(decide("[rule \"r\"]\nhost = evil.example\ndecide = deny\n", &h)
		.decide, DECIDE_DENY);
	assert_int_equal(decide("[rule \"r\"]\ntool = Bash\nhost = evil.example\n"
		"decide = allow\n", &h).decide, DECIDE_NONE);
	h.host = SV("EVIL.example");
	assert_int_equal(decide("[rule \"r\"]\ntool = Bash\nhost = evil.example\n"
		"decide = allow\n", &h).decide, DECIDE_ALLOW);
	h.host = SV_NONE;
	assert_int_equal(decide("[rule \"r\"]\nhost = evil.example\ndecide = deny\n", &h)
		.decide, DECIDE_NONE);
}

static void home_and_workspace(void **state)
{
	char dir[] = "/tmp/obstat-[home].XXXXXX", link[64], path[96];
	struct fact_path p = in_ws;
	struct facts f = edit();
	struct policy *pol;
	struct verdict v;

	(void)state;
	/* A home by way of a link, with a name that is special in a pattern. */
	assert_non_null(mkdtemp(dir));
	snprintf(link, sizeof(link), "%s.link", dir);
	assert_int_equal(symlink(dir, link), 0);
	pol = policy_new(link);
	policy_set(pol, rules("[rule \"r\"]\npath = ~/x/*\ndecide = deny\n", RULES_USER));
	f.paths = &p;
	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/x/y", i == 0 ? dir : link);
		p.real = p.named = sv_of(path);
		policy_decide(pol, NULL, &f, NOW, &v);
		assert_int_equal(v.decide, DECIDE_DENY);
	}
	p.real = p.named = SV("/tmp/obstat-h/x/y");
	policy_decide(pol, NULL, &f, NOW, &v);
	assert_int_equal(v.decide, DECIDE_NONE);
	policy_free(&pol);
	unlink(link);
	rmdir(dir);
	f.workspace = SV("/w[x]");
	p.real = p.named = SV("/w[x]/a");
	assert_int_equal(decide("[rule \"r\"]\npath = ./a\ndecide = deny\n", &f).decide,
		DECIDE_DENY);
	p.real = p.named = SV("/wx/a");
	assert_int_equal(decide("[rule \"r\"]\npath = ./a\ndecide = deny\n", &f).decide,
		DECIDE_NONE);
}

static void care(void **state)
{
	struct fact_path two[] = { in_ws, in_ws };
	struct facts f = edit();

	(void)state;
	assert_int_equal(decide("[rule \"c\"]\npath = ./a/*\ncare = confirm\n", &f).care,
		CARE_CONFIRM);
	f.rev = REV_IRREVERSIBLE;
	assert_int_equal(decide("[rule \"c\"]\npath = ./a/*\ncare = glance\n", &f).care,
		CARE_GLANCE);
	assert_int_equal(decide("[rule \"c\"]\npath = ./a/*\ncare = glance\n"
		"[rule \"d\"]\npath = ./**\ncare = confirm\n", &f).care, CARE_CONFIRM);
	/* Less care only where the rule speaks of all of it and it is understood. */
	f.paths = two;
	f.n_paths = 2;
	two[1].real = two[1].named = SV("/w/pay.c");
	assert_int_equal(decide("[rule \"c\"]\npath = ./a/*\ncare = glance\n", &f).care,
		CARE_READ);
	assert_int_equal(decide("[rule \"c\"]\npath = ./a/*\ncare = confirm\n", &f).care,
		CARE_CONFIRM);
	f.n_paths = 1;
	f.understood = false;
	assert_int_equal(decide("[rule \"c\"]\npath = ./a/*\ncare = glance\n", &f).care,
		CARE_READ);
	/* A care rule decides nothing. */
	assert_int_equal(decide("[rule \"c\"]\npath = ./a/*\ncare = confirm\n", &f).decide,
		DECIDE_NONE);
}

static void a_workspaces_own(void **state)
{
	struct policy *p = policy("[rule \"al\"]\ntool = Edit\npath = ./**\n"
		"decide = allow\ncare = confirm\n");
	struct ruleset *ws = rules("[rule \"w\"]\npath = ./a/**\ndecide = ask\ncare = read\n",
		RULES_WORKSPACE);
	struct facts f = edit();
	struct verdict v, without;

	(void)state;
	policy_decide(p, NULL, &f, NOW, &without);
	policy_decide(p, ws, &f, NOW, &v);
	assert_int_equal(without.decide, DECIDE_ALLOW);
	assert_int_equal(v.decide, DECIDE_ASK);
	assert_string_equal(v.rule_file, "workspace");
	assert_int_equal(v.care, CARE_CONFIRM);    /* never lowered from there */
	assert_false(digest_eq(&v.rules, &without.rules));
	/* Even if the parser let one through. */
	ws->rules[0].decide = DECIDE_ALLOW;
	ws->rules[0].tool = xstrdup("Edit");
	policy_set(p, rules("", RULES_USER));
	policy_decide(p, ws, &f, NOW, &v);
	assert_int_equal(v.decide, DECIDE_NONE);
	ruleset_free(&ws);
	policy_free(&p);
}

#define USES "[rule \"u\"]\ntool = Bash\narg = npm\narg = test\ndecide = allow\nuses = 2\n"

static void uses(void **state)
{
	struct policy *p = policy(USES);
	struct facts f = command();
	struct verdict v;

	(void)state;
	for (int i = 0; i < 3; i++) {
		assert_int_equal(policy_uses_left(p, &policy_rules(p)->rules[0]),
			i < 2 ? 2 - i : 0);
		policy_decide(p, NULL, &f, NOW, &v);
		policy_decide(p, NULL, &f, NOW, &v);   /* looking costs nothing */
		assert_int_equal(v.decide, i < 2 ? DECIDE_ALLOW : DECIDE_NONE);
		if (i < 2)
			policy_used(p, v.rule);
	}
	/* A reload refills nothing, nor one in between without the rule. */
	policy_set(p, rules("# moved\n" USES, RULES_USER));
	policy_decide(p, NULL, &f, NOW, &v);
	assert_int_equal(v.decide, DECIDE_NONE);
	policy_set(p, rules("", RULES_USER));
	policy_set(p, rules(USES, RULES_USER));
	policy_decide(p, NULL, &f, NOW, &v);
	assert_int_equal(v.decide, DECIDE_NONE);
	/* Another text is another rule. */
	policy_set(p, rules("[rule \"u\"]\ntool = Bash\narg = npm\narg = test\n"
		"decide = allow\nuses = 3\n", RULES_USER));
	assert_int_equal(policy_uses_left(p, &policy_rules(p)->rules[0]), 3);
	policy_uses_restore(p, "u", 2);
	policy_uses_restore(p, "u", 1);
	assert_int_equal(policy_uses_left(p, &policy_rules(p)->rules[0]), 1);
	policy_uses_restore(p, "nobody", 7);
	policy_used(p, "nobody");
	policy_free(&p);
	/* A bounded rule is spent last. */
	assert_string_equal(decide(USES "[rule \"z\"]\ntool = Bash\ndecide = allow\n"
		"arg = npm\nmore = any\n", &f).rule, "z");
}

/* ---- order ---- */

static uint64_t rng = 7;

static unsigned below(unsigned n)
{
	rng ^= rng << 13;
	rng ^= rng >> 7;
	rng ^= rng << 17;
	return (unsigned)((rng >> 16) % n);
}

static void random_rule(struct buf *b, unsigned i)
{
	static const char *const lines[] = { "tool = Edit", "tool = E*", "kind = edit",
		"path = ./a/*", "path = ./**", "path = /w/pay.c", "channel = claude",
		"session = s1", "expires = 2026-01-01", "expires = 2028-01-01" };
	static const char *const decides[] = { "deny", "ask", "allow", "allow", "allow" };
	unsigned d = below(5);

	buf_addf(b, "[rule \"r%u\"]\ndecide = %s\n", i, decides[d]);
	if (d >= 2)
		buf_adds(b, "tool = Edit\n");
	buf_addf(b, "path = %s\n", below(2) ? "./**" : "./a/*");
	for (unsigned k = below(2); k > 0; k--) {
		const char *l = lines[below(sizeof(lines) / sizeof(lines[0]))];

		if (strncmp(l, "path", 4) != 0 && (d < 2 || strncmp(l, "tool", 4) != 0))
			buf_addf(b, "%s\n", l);
	}
	if (below(4) == 0)
		buf_addf(b, "care = %s\n", below(2) ? "confirm" : "glance");
	if (d >= 2 && below(3) == 0)
		buf_adds(b, "uses = 5\n");
}

static void same_in_any_order(void **state)
{
	unsigned seen[4] = { 0 };

	(void)state;
	for (unsigned round = 0; round < 400; round++) {
		struct policy *p = policy_new("/h");
		struct ruleset *r;
		struct facts f = edit();
		struct verdict first, v;
		struct err e;
		struct buf b;

		buf_init(&b, 1 << 16);
		for (unsigned i = 0, n = 1 + below(8); i < n; i++)
			random_rule(&b, i);
		for (unsigned turn = 0; turn < 6; turn++) {
			e = (struct err)ERR_INIT;
			if (rules_parse(buf_sv(&b), "f", RULES_USER, &r, &e) != 0)
				fail_msg("%s", e.text);
			for (size_t i = r->n; turn > 0 && i-- > 1;) {
				size_t k = below((unsigned)i + 1);
				struct rule t = r->rules[i];

				r->rules[i] = r->rules[k];
				r->rules[k] = t;
			}
			policy_set(p, r);
			policy_decide(p, NULL, &f, NOW, &v);
			if (turn == 0)
				first = v;
			assert_memory_equal(&v, &first, sizeof(v));
		}
		seen[v.decide]++;
		buf_free(&b);
		policy_free(&p);
	}
	for (int i = 0; i < 4; i++)
		assert_true(seen[i] > 0);
}

/* Patterns that take for ever, from a repository: a person is asked. */
static void too_costly(void **state)
{
	struct ruleset *ws;
	struct policy *p = policy("[rule \"al\"]\ntool = Edit\npath = /**\n"
		"decide = allow\n");
	struct policy *d = policy("[rule \"no\"]\ntool = Edit\ndecide = deny\n");
	char *path = xmalloc(4001);
	struct fact_path fp = in_ws;
	struct facts f = edit();
	struct verdict v;
	struct buf b;

	(void)state;
	memset(path, 'a', 4000);
	path[0] = '/';
	fp.real = fp.named = (struct sv){ path, 4000 };
	f.paths = &fp;
	buf_init(&b, 1 << 20);
	for (int i = 0; i < 200; i++) {
		buf_addf(&b, "[rule \"%d\"]\ndecide = ask\npath = /**", i);
		for (int k = 0; k < 2000; k++)
			buf_addc(&b, 'a');
		buf_adds(&b, "b\n");
	}
	ws = rules((buf_addc(&b, '\0'), b.p), RULES_WORKSPACE);
	policy_decide(p, ws, &f, NOW, &v);
	assert_int_equal(v.decide, DECIDE_ASK);
	assert_string_equal(v.rule, "");
	assert_non_null(strstr(v.why, "too long"));
	policy_decide(d, ws, &f, NOW, &v);
	assert_int_equal(v.decide, DECIDE_DENY);
	ruleset_free(&ws);
	buf_free(&b);
	free(path);
	policy_free(&p);
	policy_free(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_default), cmocka_unit_test(who_wins),
		cmocka_unit_test(never_covered), cmocka_unit_test(deny_is_wide),
		cmocka_unit_test(what_is_compared), cmocka_unit_test(home_and_workspace),
		cmocka_unit_test(care), cmocka_unit_test(a_workspaces_own),
		cmocka_unit_test(uses),
		cmocka_unit_test(same_in_any_order), cmocka_unit_test(too_costly),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
