/*
 * test_gitstate.c - what git says of a file, on repositories made here by
 * libgit2, without git itself.
 */
#include "check.h"

#include <ftw.h>
#include <git2.h>
#include <sys/stat.h>
#include <unistd.h>

#include "diff/gitstate.h"

struct box {
	char dir[64];
	git_repository *repo;
	struct gitrepo *g;
};

static void put(const struct box *b, const char *rel, const char *text)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", b->dir, rel);
	f = fopen(path, "wb");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void stage(const struct box *b, const char *rel)
{
	git_index *index;

	assert_int_equal(git_repository_index(&index, b->repo), 0);
	assert_int_equal(git_index_add_bypath(index, rel), 0);
	assert_int_equal(git_index_write(index), 0);
	git_index_free(index);
}

static void commit(const struct box *b)
{
	git_signature *who;
	git_index *index;
	git_tree *tree;
	git_oid oid, id;

	assert_int_equal(git_repository_index(&index, b->repo), 0);
	assert_int_equal(git_index_write_tree(&oid, index), 0);
	assert_int_equal(git_tree_lookup(&tree, b->repo, &oid), 0);
	assert_int_equal(git_signature_new(&who, "test", "test@example.com", 1, 0), 0);
	assert_int_equal(git_commit_create(&id, b->repo, "HEAD", who, who, NULL,
		"one", tree, 0, NULL), 0);
	git_signature_free(who);
	git_tree_free(tree);
	git_index_free(index);
}

static int set_up(void **state)
{
	struct box *b = xcalloc(1, sizeof(*b));
	char path[256];

	git_libgit2_init();
	snprintf(b->dir, sizeof(b->dir), "/tmp/gitstate.XXXXXX");
	assert_non_null(mkdtemp(b->dir));
	assert_int_equal(git_repository_init(&b->repo, b->dir, 0), 0);
	snprintf(path, sizeof(path), "%s/sub", b->dir);
	assert_int_equal(mkdir(path, 0755), 0);
	put(b, "sub/a", "one\n");
	put(b, "staged", "new\n");
	put(b, "free", "x\n");
	put(b, "built.o", "x\n");
	put(b, ".gitignore", "*.o\n");
	stage(b, "sub/a");
	*state = b;
	return 0;
}

static int remove_one(const char *path, const struct stat *st, int type,
	struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static int tear_down(void **state)
{
	struct box *b = *state;

	gitstate_free(&b->g);
	git_repository_free(b->repo);
	nftw(b->dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	free(b);
	return 0;
}

static enum git_state ask(struct box *b, const char *rel, const char *text)
{
	return gitstate_file(b->g, rel, sv_of(text), text != NULL);
}

static void test_states(void **state)
{
	struct box *b = *state;
	struct err e = ERR_INIT;

	commit(b);
	stage(b, "staged");
	b->g = gitstate_open(b->dir, &e);
	assert_non_null(b->g);
	assert_int_equal(ask(b, "sub/a", "one\n"), GIT_CLEAN);
	/* The bytes of the descriptor count, not the file's. */
	assert_int_equal(ask(b, "sub/a", "two\n"), GIT_DIRTY);
	assert_int_equal(ask(b, "sub/a", ""), GIT_DIRTY);
	assert_int_equal(ask(b, "sub/a", NULL), GIT_DIRTY);
	/* In the index alone: a commit does not have it. */
	assert_int_equal(ask(b, "staged", "new\n"), GIT_DIRTY);
	assert_int_equal(ask(b, "free", "x\n"), GIT_UNTRACKED);
	assert_int_equal(ask(b, "nowhere", NULL), GIT_UNTRACKED);
	assert_int_equal(ask(b, "built.o", "x\n"), GIT_IGNORED);
	assert_int_equal(ask(b, "/sub/a", "one\n"), GIT_UNKNOWN);
	assert_int_equal(ask(b, "", "one\n"), GIT_UNKNOWN);
	assert_int_equal(gitstate_file(NULL, "a", SV(""), true), GIT_UNKNOWN);
}

static void test_before_first_commit(void **state)
{
	struct box *b = *state;

	b->g = gitstate_open(b->dir, NULL);
	assert_non_null(b->g);
	assert_int_equal(ask(b, "sub/a", "one\n"), GIT_DIRTY);
	assert_int_equal(ask(b, "free", "x\n"), GIT_UNTRACKED);
}

/* An object that is named but gone cannot bring a file back. */
static void test_lost_object(void **state)
{
	struct box *b = *state;
	char hex[GIT_OID_HEXSZ + 1], path[300];
	git_oid oid;

	commit(b);
	assert_int_equal(git_odb_hash(&oid, "one\n", 4, GIT_OBJECT_BLOB), 0);
	git_oid_tostr(hex, sizeof(hex), &oid);
	snprintf(path, sizeof(path), "%s/.git/objects/%.2s/%s", b->dir, hex, hex + 2);
	assert_int_equal(unlink(path), 0);
	b->g = gitstate_open(b->dir, NULL);
	assert_int_equal(ask(b, "sub/a", "one\n"), GIT_DIRTY);
}

/* A repository's config names commands; none is run, and a clean filter does
 * not make other bytes look clean. */
static void test_config_is_not_obeyed(void **state)
{
	struct box *b = *state;
	char path[300], text[2000];

	commit(b);
	snprintf(path, sizeof(path), "%s/ran", b->dir);
	snprintf(text, sizeof(text), "[core]\n\trepositoryformatversion = 0\n"
		"\tfsmonitor = touch %s\n\thooksPath = .\n\tpager = touch %s\n"
		"[filter \"f\"]\n\tclean = touch %s\n\tsmudge = touch %s\n"
		"\trequired = true\n", path, path, path, path);
	put(b, ".git/config", text);
	put(b, ".gitattributes", "* filter=f text eol=lf\n");
	b->g = gitstate_open(b->dir, NULL);
	assert_non_null(b->g);
	assert_int_equal(ask(b, "sub/a", "one\n"), GIT_CLEAN);
	assert_int_equal(ask(b, "sub/a", "one\r\n"), GIT_DIRTY);
	assert_int_equal(access(path, F_OK), -1);
}

static void test_top(void **state)
{
	struct box *b = *state;
	char dir[128], out[256], real[256];

	assert_non_null(realpath(b->dir, real));
	snprintf(dir, sizeof(dir), "%s/sub", b->dir);
	assert_true(gitstate_top(dir, out, sizeof(out)));
	assert_string_equal(out, b->dir);
	assert_true(gitstate_top(b->dir, out, sizeof(out)));
	assert_false(gitstate_top(dir, out, 3));
	assert_false(gitstate_top("sub", out, sizeof(out)));
	assert_false(gitstate_top("/nonexistent/x", out, sizeof(out)));
	/* A link named .git is no repository: it could lead anywhere. */
	snprintf(dir, sizeof(dir), "%s/sub/.git", b->dir);
	assert_int_equal(symlink("/tmp", dir), 0);
	dir[strlen(dir) - 5] = '\0';
	assert_true(gitstate_top(dir, out, sizeof(out)));
	assert_string_equal(out, b->dir);
}

static void test_broken(void **state)
{
	struct box *b = *state;
	struct err e = ERR_INIT;

	put(b, ".git/index", "not an index");
	put(b, ".git/HEAD", "garbage");
	b->g = gitstate_open(b->dir, &e);
	assert_null(b->g);
	assert_string_equal(e.code, "git_open");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_states, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_before_first_commit, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_lost_object, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_config_is_not_obeyed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_top, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_broken, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
