/*
 * test_golden.c - what each kind looks like: fixtures through the real
 * dialects, with evidence made by hand, against tests/golden/kinds/NAME.golden.
 * UPDATE_GOLDEN=1 in the environment writes them anew.
 *
 * To add one: fixtures/NAME.json and a row.
 */
#include "check.h"

#include <errno.h>

#include "fix.h"

#define LONG_OLD "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n" \
	"eleven\ntwelve\n"

static const struct {
	const char *name;
	struct fix_file files[4];
} golden[] = {
	{ "command_plain", { { 0 } } },
	{ "command_quoted", { { 0 } } },
	{ "command_lines", { { 0 } } },
	{ "command_hidden", { { 0 } } },
	{ "command_argv", { { 0 } } },
	{ "command_empty", { { 0 } } },
	{ "edit_fragment", { { "/srv/pay/settings.py", .state = FILE_REGULAR,
		.git = GIT_CLEAN, .content = "import os\n\nDEBUG = False\nHOST = 'a'\n" } } },
	{ "edit_not_found", { { "/srv/pay/settings.py", .state = FILE_REGULAR,
		.git = GIT_DIRTY, .content = "import os\nDEBUG = 0\n" } } },
	{ "edit_ambiguous", { { "/srv/pay/settings.py", .state = FILE_REGULAR,
		.git = GIT_UNTRACKED, .content = "DEBUG = False\nx\nDEBUG = False\n" } } },
	{ "edit_replace_all", { { "/srv/pay/a.py", .state = FILE_REGULAR,
		.git = GIT_CLEAN, .content = "foo(1)\nbar\nfoo(2)\n" } } },
	{ "edit_absent", { { "/srv/pay/settings.py", .state = FILE_ABSENT,
		.git = GIT_UNTRACKED } } },
	{ "edit_unknown", { { "/srv/pay/settings.py", .state = FILE_UNKNOWN,
		.error = EACCES } } },
	{ "edit_multi", { { "/srv/pay/a.py", .state = FILE_REGULAR, .git = GIT_CLEAN,
		.content = LONG_OLD } } },
	{ "edit_notebook", { { "/srv/pay/a.ipynb", .state = FILE_REGULAR,
		.git = GIT_CLEAN, .content = "{\"cells\": []}\n" } } },
	{ "write_new", { { "/srv/pay/new.sh", .state = FILE_ABSENT,
		.git = GIT_UNTRACKED } } },
	{ "write_empty", { { "/srv/pay/new.sh", .state = FILE_ABSENT,
		.git = GIT_NO_REPO } } },
	{ "write_over", { { "/srv/pay/new.sh", .state = FILE_REGULAR,
		.git = GIT_IGNORED, .content = "#!/bin/sh\r\necho one\nexit 0" } } },
	{ "write_link", { { "/srv/pay/new.sh", "/etc/cron.d/job", .state = FILE_REGULAR,
		.git = GIT_NO_REPO, .content = "# old\n", .link = true, .outside = true, .nlink = 2 } } },
	{ "write_binary", { { "/srv/pay/logo.png", .state = FILE_REGULAR,
		.git = GIT_CLEAN, .content = "\x89PNG\0\0\x01", .n = 7 } } },
	{ "write_too_big", { { "/srv/pay/dump.sql", .state = FILE_REGULAR,
		.git = GIT_CLEAN, .content = "x", .too_big = true } } },
	{ "changes_many", {
		{ "/srv/pay/src/a.c", .state = FILE_REGULAR, .git = GIT_CLEAN,
			.content = "int a;\nint b;\n" },
		{ "/srv/pay/src/old.c", .state = FILE_REGULAR, .git = GIT_CLEAN,
			.content = "gone\n" },
		{ "/srv/pay/src/from.c", .state = FILE_REGULAR, .git = GIT_CLEAN,
			.content = "kept\nx\n" },
		{ "/srv/pay/src/to.c", .state = FILE_ABSENT, .git = GIT_UNTRACKED } } },
	{ "changes_tangled", { { "/srv/pay/a", .state = FILE_REGULAR,
		.git = GIT_CLEAN, .content = "one\n" },
		{ "/srv/pay/./a", "/srv/pay/a", .state = FILE_REGULAR,
			.git = GIT_CLEAN, .content = "one\n" } } },
	{ "changes_patch", { { "/srv/pay/a.c", .state = FILE_REGULAR,
		.git = GIT_CLEAN, .content = "a\nb\n" } } },
	{ "changes_delete", { { "/srv/pay/b.png", .state = FILE_REGULAR,
		.git = GIT_CLEAN, .content = "a\0b", .n = 3 },
		{ "/srv/pay/c", .state = FILE_UNKNOWN, .error = ELOOP },
		{ "/srv/pay/d", .state = FILE_DIRECTORY, .git = GIT_UNKNOWN } } },
	{ "changes_odd", { { "/srv/pay/a.c", .state = FILE_REGULAR,
		.git = GIT_CLEAN, .content = "real\n" } } },
	{ "tool_mcp", { { 0 } } },
	{ "tool_none", { { 0 } } },
	{ "tool_native", { { 0 } } },
	{ "http", { { 0 } } },
	{ "sql", { { 0 } } },
	{ "message", { { 0 } } },
	{ "question", { { 0 } } },
	{ "unknown_kind", { { 0 } } },
};
#define N_GOLDEN (sizeof(golden) / sizeof(golden[0]))

static void add_rows(const struct action *a, const struct doc *d, struct buf *out)
{
	char word[32];

	buf_adds(out, "row |");
	kinds_row(a, d, out);
	buf_adds(out, "\nrow |");
	kinds_row(a, NULL, out);
	kinds_confirm_word(a, word);
	buf_addf(out, "\nconfirm |%s\n", word);
}

static void dump_fixture(size_t g, struct buf *out)
{
	char path[512];
	size_t n, n_files = 0;
	char *json;
	struct action *a;
	struct evidence *ev;
	struct doc *d;

	snprintf(path, sizeof(path), SRCDIR "/tests/kinds/fixtures/%s.json",
		golden[g].name);
	json = fix_read(path, &n);
	if (json == NULL)
		fail_msg("no %s", path);
	a = fix_action((struct sv){ json, n });
	free(json);
	if (a == NULL)
		fail_msg("%s asks for nothing", path);
	while (n_files < 4 && golden[g].files[n_files].path != NULL)
		n_files++;
	ev = fix_evidence(golden[g].files, n_files);
	d = kinds_build(a, ev, NULL);
	fix_dump(d, out);
	add_rows(a, d, out);
	assert_true(evidence_find(ev, SV("/nowhere")) == NULL);
	doc_free(&d);
	fix_evidence_free(&ev);
	action_free(&a);
}

static void check_golden(void **state)
{
	size_t g = (size_t)(uintptr_t)*state, n;
	char path[512];
	struct buf out;
	char *want;

	buf_init(&out, 64u << 20);
	dump_fixture(g, &out);
	snprintf(path, sizeof(path), SRCDIR "/tests/golden/kinds/%s.golden",
		golden[g].name);
	if (getenv("UPDATE_GOLDEN") != NULL) {
		FILE *f = fopen(path, "wb");

		assert_non_null(f);
		assert_int_equal(fwrite(out.p, 1, out.n, f), out.n);
		fclose(f);
	}
	want = fix_read(path, &n);
	if (want == NULL)
		fail_msg("no %s", path);
	if (n != out.n || memcmp(want, out.p, n) != 0)
		fail_msg("%s differs; now:\n%.*s", path, SVFMT(buf_sv(&out)));
	free(want);
	buf_free(&out);
}

int main(void)
{
	struct CMUnitTest tests[N_GOLDEN];

	for (size_t i = 0; i < N_GOLDEN; i++)
		tests[i] = (struct CMUnitTest){ golden[i].name, check_golden, NULL,
			NULL, (void *)(uintptr_t)i };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
