/* From an action and its evidence to facts, and what then passes. */
#include "check.h"
#include "policy/policy.h"

static struct action *act;
static struct evidence *ev;
static struct arena *ar;
static struct facts f;

static int set_up(void **state)
{
	(void)state;
	act = action_new(1 << 24);
	act->cwd = SV("/w");
	ev = evidence_new();
	ev->workspace = SV("/w");
	ar = arena_new(1 << 24);
	f = (struct facts){ 0 };
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	action_free(&act);
	evidence_free(&ev);
	arena_free(&ar);
	return 0;
}

/* A clean tracked file of the workspace, to be made worse. */
static struct ev_file *file(const char *path)
{
	struct ev_file *all = arena_alloc(ev->arena, (ev->n_files + 1) * sizeof(*all));

	if (ev->n_files > 0)
		memcpy(all, ev->files, ev->n_files * sizeof(*all));
	ev->files = all;
	all[ev->n_files] = (struct ev_file){ .path = sv_of(path), .real = sv_of(path),
		.state = FILE_REGULAR, .nlink = 1, .in_workspace = true, .git = GIT_CLEAN,
		.has_digest = true };
	return &ev->files[ev->n_files++];
}

static void edits(const char *const *paths)
{
	act->kind = KIND_EDIT;
	act->tool = SV("Edit");
	act->changes = arena_alloc(act->arena, 8 * sizeof(*act->changes));
	for (act->n_changes = 0; paths[act->n_changes] != NULL; act->n_changes++)
		act->changes[act->n_changes] = (struct change){ .op = CHANGE_WRITE,
			.path = sv_of(paths[act->n_changes]), .has_new = true };
}

static void reads(const char *path)
{
	act->kind = KIND_TOOL;
	act->tool = SV("Read");
	act->deflt = TOOL_PASSES_IN_WORKSPACE;
	act->read_paths = arena_alloc(act->arena, sizeof(*act->read_paths));
	act->read_paths[0] = sv_of(path);
	act->n_read_paths = 1;
}

static bool passes(void)
{
	struct policy *p = policy_new("/home/u");
	struct verdict v;

	f = (struct facts){ 0 };
	facts_from(&f, act, ev, ar, "/home/u", "/home/u/.local/state/obstat");
	policy_decide(p, NULL, &f, 0, &v);
	policy_free(&p);
	assert_int_not_equal(v.why[0], '\0');
	assert_true(v.pass || f.rev == REV_IRREVERSIBLE || f.never_passes);
	return v.pass;
}

static void an_edit(void **state)
{
	struct ev_file *e = file("/w/a");

	(void)state;
	edits((const char *const[]){ "/w/a", NULL });
	assert_true(passes());
	assert_true(f.understood && f.rev == REV_REVERSIBLE && !f.never_passes);
	assert_true(f.n_paths == 1 && f.paths[0].resolved && f.paths[0].write);
	edits((const char *const[]){ "a", NULL });
	e->path = SV("/w/a");
	assert_true(passes());
	e->state = FILE_ABSENT;
	assert_true(passes());
	e->state = FILE_REGULAR;
	/* Each of these, and it asks. */
	for (int i = 0; i < 12; i++) {
		struct ev_file was = *e;
		bool understood = true, never = false;

		switch (i) {
		case 0: e->git = GIT_DIRTY; break;
		case 1: e->git = GIT_UNTRACKED; break;
		case 2: e->git = GIT_IGNORED; break;
		case 3: e->git = GIT_NO_REPO; break;
		case 4: e->git = GIT_UNKNOWN; break;
		case 5: e->nlink = 2; never = true; break;
		case 6: e->has_digest = false; break;
		case 7: e->state = FILE_UNKNOWN; understood = false; never = true; break;
		case 8: e->state = FILE_SPECIAL; break;
		case 9: e->state = FILE_DIRECTORY; break;
		case 10: e->in_workspace = false; never = true; break;
		default: e->path = SV("/w/other"); understood = false; never = true; break;
		}
		assert_false(passes());
		assert_int_equal(f.rev, REV_IRREVERSIBLE);
		assert_int_equal(f.understood, understood);
		assert_int_equal(f.never_passes, never);
		*e = was;
	}
	act->changes[0].patch = SV("--- a\n+++ /etc/passwd\n");
	assert_false(passes());
	assert_false(f.understood);
	act->changes[0].patch = SV_NONE;
	act->changes[0].mode = SV("4755");
	assert_false(passes());
	act->changes[0].mode = SV_NONE;
	assert_true(passes());
	act->why_not = "over_limit";
	assert_false(passes());
	act->why_not = NULL;
	act->n_changes = 0;
	assert_false(passes());
	assert_false(f.understood);
}

static void several(void **state)
{
	(void)state;
	file("/w/a");
	file("/w/b");
	file("/w/c")->git = GIT_DIRTY;
	edits((const char *const[]){ "/w/a", "/w/b", NULL });
	assert_true(passes());
	assert_int_equal(f.n_paths, 2);
	edits((const char *const[]){ "/w/b", "/w/c", "/w/a", NULL });
	assert_false(passes());
	/* Many changes of one file are one path. */
	edits((const char *const[]){ "/w/a", "/w/a", "/w/a", NULL });
	assert_true(passes());
	assert_int_equal(f.n_paths, 1);
	/* Where a move comes from counts as well. */
	edits((const char *const[]){ "/w/a", NULL });
	act->changes[0].old_path = SV("/w/c");
	assert_false(passes());
	assert_int_equal(f.n_paths, 2);
}

/* A runtime may expand or trim these; then it is another file. */
static void odd_names(void **state)
{
	static const char *const t[] = { "~/x", "~", " /w/a", "/w/a ", "/w/a\n", "\t/w/a",
		"\xc2\xa0/w/a", "/w/a\xe2\x80\x8b", "/w/a\xef\xbb\xbf", "", "\xff/w/a",
		"/w/a\xe3\x80\x80" };
	static const char *const fine[] = { "/w/a b", "/w/\xc3\xa4", "\xe3\x81\x82",
		"/w/~a", "/w/a\xcc\x81" };

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		char abs[64];

		snprintf(abs, sizeof(abs), "%s%s", t[i][0] == '/' ? "" : "/w/", t[i]);
		file(abs)->path = arena_sv(ev->arena, sv_of(abs));
		edits((const char *const[]){ t[i], NULL });
		if (passes() || f.understood)
			fail_msg("\"%s\" passes", t[i]);
		reads(t[i]);
		assert_false(passes());
	}
	for (size_t i = 0; i < sizeof(fine) / sizeof(fine[0]); i++) {
		char abs[64];

		snprintf(abs, sizeof(abs), "%s%s", fine[i][0] == '/' ? "" : "/w/", fine[i]);
		file(abs)->path = arena_sv(ev->arena, sv_of(abs));
		ev->files[ev->n_files - 1].real = ev->files[ev->n_files - 1].path;
		edits((const char *const[]){ fine[i], NULL });
		if (!passes())
			fail_msg("\"%s\" asks: %s", fine[i], f.why_rev);
	}
}

static void a_read(void **state)
{
	struct ev_file *e = file("/w/a");

	(void)state;
	reads("/w/a");
	e->git = GIT_DIRTY;
	e->has_digest = false;
	assert_true(passes());
	assert_true(f.understood && f.rev == REV_READ_ONLY);
	e->state = FILE_DIRECTORY;
	e->nlink = 7;
	assert_true(passes());
	e->state = FILE_ABSENT;
	assert_true(passes());
	e->state = FILE_REGULAR;
	e->nlink = 2;
	assert_false(passes());
	e->nlink = 1;
	e->state = FILE_SPECIAL;
	assert_false(passes());
	e->state = FILE_REGULAR;
	/* Outside it asks, and still is but a read: a rule may allow it. */
	e->in_workspace = false;
	assert_false(passes());
	assert_int_equal(f.rev, REV_READ_ONLY);
	assert_true(f.understood && f.never_passes && !f.control_path);
	assert_string_equal(f.never_why, "outside the workspace");
	e->via_link = true;
	assert_false(passes());
	assert_string_equal(f.never_why, "a link leads out of the workspace");
	e->state = FILE_UNKNOWN;
	assert_false(passes());
	assert_false(f.understood);
	assert_int_equal(f.rev, REV_READ_ONLY);
	*e = (struct ev_file){ 0 };
	*file("/w/a") = (struct ev_file){ .path = SV("/w/a"), .real = SV("/w/a"),
		.state = FILE_REGULAR, .nlink = 1, .in_workspace = true };
	/* A pattern that climbs: the dialect withdrew its pass. */
	act->deflt = TOOL_ASKS;
	assert_false(passes());
	assert_false(f.understood);
	assert_int_equal(f.n_paths, 1);
	act->deflt = TOOL_PASSES_IN_WORKSPACE;
	assert_true(passes());
	act->n_read_paths = 0;
	assert_false(passes());
}

static void control_table(void **state)
{
	struct ev_file *e = file("/w/.git/config");

	(void)state;
	edits((const char *const[]){ "/w/.git/config", NULL });
	assert_false(passes());
	assert_true(f.control_path && f.never_passes);
	assert_string_equal(f.never_why, f.control_why);
	assert_int_equal(f.rev, REV_REVERSIBLE);
	reads("/w/.git/config");
	assert_true(passes());
	/* By the name given, or by where it leads. */
	e->path = SV("/w/link");
	edits((const char *const[]){ "/w/link", NULL });
	assert_false(passes());
	assert_true(f.control_path);
	e->path = SV("/w/.env");
	e->real = SV("/w/plain");
	reads("/w/.env");
	assert_false(passes());
	assert_true(f.control_path && f.rev == REV_READ_ONLY);
	e->path = e->real = SV("/home/u/.local/state/obstat/x");
	reads("/home/u/.local/state/obstat/x");
	assert_false(passes());
	assert_true(f.control_path);
}

static void leaf(const char *path, enum leaf_type type, const char *value)
{
	struct leaf *all = arena_alloc(act->arena, (act->n_leaves + 1) * sizeof(*all));

	if (act->n_leaves > 0)
		memcpy(all, act->leaves, act->n_leaves * sizeof(*all));
	act->leaves = all;
	all[act->n_leaves++] = (struct leaf){ .path = sv_of(path), .value = sv_of(value),
		.type = type };
}

static void a_command(void **state)
{
	struct sv argv[] = { SV("npm"), SV("a b"), SV("$x") };

	(void)state;
	act->kind = KIND_COMMAND;
	act->command = SV("npm 'run it' x");
	leaf("command", LEAF_STRING, "npm 'run it' x");
	assert_false(passes());
	assert_true(f.understood && f.n_argv == 3 && sv_eqs(f.argv[1], "run it"));
	leaf("timeout", LEAF_NUMBER, "5");
	leaf("dangerouslyDisableSandbox", LEAF_BOOL, "false");
	leaf("env", LEAF_EMPTY, "{}");
	leaf("stdin", LEAF_NULL, "null");
	assert_false(passes());
	assert_true(f.understood);
	act->command = SV("npm test; rm -rf /");
	assert_false(passes());
	assert_true(!f.understood && f.n_argv == 0);
	act->have_argv = true;
	act->argv = argv;
	act->n_argv = 3;
	act->n_leaves = 0;
	leaf("argv[0]", LEAF_STRING, "npm");
	assert_false(passes());
	assert_true(f.understood && sv_eqs(f.argv[2], "$x"));
	/* More than words: no rule on words may cover it. */
	for (int i = 0; i < 5; i++) {
		size_t n = act->n_leaves;

		leaf(((const char *const[]){ "env.LD_PRELOAD", "stdin", "shell",
			"dangerouslyDisableSandbox", "new" })[i], i == 3 ? LEAF_BOOL :
			LEAF_STRING, i == 3 ? "true" : "x");
		assert_false(passes());
		assert_false(f.understood);
		assert_int_equal(f.n_argv, 3);
		act->n_leaves = n;
	}
}

static void other_tools(void **state)
{
	(void)state;
	act->kind = KIND_TOOL;
	act->deflt = TOOL_PASSES_READ_ONLY;
	assert_true(passes());
	act->why_not = "unreadable";
	assert_false(passes());
	act->why_not = NULL;
	act->deflt = TOOL_ASKS;
	assert_false(passes());
	act->deflt = TOOL_NO_OPINION;
	assert_true(passes());
	/* A memory's path is one that rules see. */
	act->kind = KIND_MEMORY;
	act->deflt = TOOL_ASKS;
	leaf("path", LEAF_STRING, "/home/u/CLAUDE.md");
	assert_false(passes());
	assert_true(f.n_paths == 1 && f.paths[0].write && f.control_path);
	assert_true(sv_eqs(f.paths[0].named, "/home/u/CLAUDE.md"));
}

static void no_evidence(void **state)
{
	(void)state;
	evidence_free(&ev);
	edits((const char *const[]){ "/w/a", NULL });
	assert_false(passes());
	reads("/w/a");
	assert_false(passes());
	assert_false(f.understood);
	act->cwd = SV_NONE;
	edits((const char *const[]){ "a", NULL });
	assert_false(passes());
	assert_int_equal(f.paths[0].named.n, 0);
}

/* 300,000 changes must not keep the hub busy: over the limit is not understood. */
static void too_many(void **state)
{
	char *names = xmalloc(300000 * 8);

	(void)state;
	act->kind = KIND_EDIT;
	action_free(&act);
	act = action_new(128 << 20);
	act->kind = KIND_EDIT;
	act->cwd = SV("/w");
	act->n_changes = 300000;
	act->changes = arena_alloc(act->arena, act->n_changes * sizeof(*act->changes));
	for (size_t i = 0; i < act->n_changes; i++) {
		int n = snprintf(names + i * 8, 8, "f%zu", i);

		act->changes[i].path = (struct sv){ names + i * 8, (size_t)n };
	}
	assert_false(passes());
	assert_false(f.understood);
	assert_int_equal(f.n_paths, 4096);
	free(names);
}

int main(void)
{
#define T(fn) cmocka_unit_test_setup_teardown(fn, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		T(an_edit), T(several), T(odd_names), T(a_read), T(control_table),
		T(a_command), T(other_tools), T(no_evidence), T(too_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
