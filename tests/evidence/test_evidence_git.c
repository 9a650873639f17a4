/* Git's state of files, and the workspace of a session. */
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/check.h"
#include "tests/evidence/rig.h"
#include "tests/support/clock_test.h"

static int set_up(void **state)
{
	(void)state;
	rig_new(CHILD);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	rig_free();
	return 0;
}

static void need_git(void)
{
	if (!rig_have_git())
		skip();
}

static enum git_state git_of(const char *rel)
{
	return rig_file(rig_path("%s", rel))->git;
}

static void states(void **state)
{
	(void)state;
	need_git();
	rig_sh("git init -q r && cd r && printf '*.o\\n' >.gitignore && "
		"echo one >a && echo two >b && mkdir d && echo x >d/c && ln -s a l && "
		"git add . && git commit -qm1");
	assert_int_equal(git_of("r/a"), GIT_CLEAN);
	assert_int_equal(git_of("r/d/c"), GIT_CLEAN);
	rig_sh("cd r && echo more >>a && echo three >b && git add b && echo n >n && "
		"echo o >x.o && echo s >s && git add s");
	assert_int_equal(git_of("r/a"), GIT_DIRTY);
	assert_int_equal(git_of("r/b"), GIT_DIRTY);      /* staged: not in a commit */
	assert_int_equal(git_of("r/s"), GIT_DIRTY);
	assert_int_equal(git_of("r/n"), GIT_UNTRACKED);
	assert_int_equal(git_of("r/x.o"), GIT_IGNORED);
	assert_int_equal(git_of("r/new"), GIT_UNTRACKED);
	assert_int_equal(git_of("outside"), GIT_NO_REPO);
	/* The file that a link leads to is judged, not the link. */
	rig_sh("cd r && git checkout -q HEAD a");
	assert_int_equal(git_of("r/l"), GIT_CLEAN);
	/* "assume unchanged" is no proof. */
	rig_sh("cd r && git update-index --assume-unchanged a && echo z >a");
	assert_int_equal(git_of("r/a"), GIT_DIRTY);
	/* Clean against an index that HEAD does not have, and back. */
	rig_sh("cd r && git update-index --no-assume-unchanged a && git checkout -q a b && "
		"git rm -q --cached d/c");
	assert_int_equal(git_of("r/d/c"), GIT_UNTRACKED);
}

static void first_commit_to_come(void **state)
{
	(void)state;
	need_git();
	rig_sh("git init -q r && cd r && echo a >a && git add a");
	assert_int_equal(git_of("r/a"), GIT_DIRTY);
}

static void other_layouts(void **state)
{
	(void)state;
	need_git();
	rig_sh("git init -q r && cd r && echo a >a && git add a && git commit -qm1 && "
		"git worktree add -q ../wt && git init -q ../sub && cd ../sub && "
		"echo s >s && git add s && git commit -qm1 && cd ../r && "
		"git submodule --quiet add \"$PWD/../sub\" m && git commit -qm2");
	assert_int_equal(git_of("wt/a"), GIT_CLEAN);
	assert_int_equal(git_of("r/m/s"), GIT_CLEAN);
	rig_sh("echo x >>wt/a && echo x >>r/m/s");
	assert_int_equal(git_of("wt/a"), GIT_DIRTY);
	assert_int_equal(git_of("r/m/s"), GIT_DIRTY);
	/* Another owner's repository is read all the same: nothing runs. */
	if (geteuid() == 0) {
		rig_sh("chown -R 12345 r/.git");
		assert_int_equal(git_of("r/a"), GIT_CLEAN);
	}
	/* A bare one has no work tree. */
	rig_sh("git init -q --bare bare && echo x >bare/x");
	assert_int_equal(git_of("bare/x"), GIT_NO_REPO);
}

static void broken(void **state)
{
	static const char *const ways[] = {
		"echo junk >.git/index", ": >.git/HEAD", "rm -rf .git/objects",
		"echo '[' >.git/config", "rm -rf .git && echo 'gitdir: /nowhere' >.git",
		"rm -rf .git && mkdir .git", "rm .git/objects/*/*",
		"printf '[core]\\n\\trepositoryformatversion = 99\\n' >.git/config",
	};

	(void)state;
	need_git();
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		enum git_state s;

		rig_sh("rm -rf r && git init -q r && cd r && echo a >a && git add a && "
			"git commit -qm1 && { %s; }", ways[i]);
		s = git_of("r/a");
		if (s == GIT_CLEAN || s == GIT_NO_REPO)
			fail_msg("%s: %d", ways[i], (int)s);
	}
	/* And the next question is answered as ever. */
	rig_sh("rm -rf r && git init -q r && cd r && echo a >a && git add a && "
		"git commit -qm1");
	assert_int_equal(git_of("r/a"), GIT_CLEAN);
}

/* Nothing that a repository names is run. */
static void hostile_config(void **state)
{
	(void)state;
	need_git();
	rig_sh("printf '#!/bin/sh\\ntouch \"%s/ran\"\\ncat\\n' >evil && chmod +x evil && "
		"git init -q r && cd r && echo a >a && echo '* filter=x diff=x' "
		">.gitattributes && git add . && git commit -qm1", rig_top);
	rig_sh("cp evil r/.git/hooks/post-checkout; cp evil r/.git/hooks/fsmonitor; "
		"cat >>r/.git/config <<E\n[core]\n\tfsmonitor = %s/evil\n\tpager = %s/evil\n"
		"\tsshCommand = %s/evil\n\thooksPath = %s\n[filter \"x\"]\n\tclean = %s/evil\n"
		"\tsmudge = %s/evil\n\tprocess = %s/evil\n\trequired = true\n[diff \"x\"]\n"
		"\ttextconv = %s/evil\n[include]\n\tpath = %s/inc\n[credential]\n"
		"\thelper = !%s/evil\nE\nprintf '[core]\\n\\tfsmonitor = %s/evil\\n' >inc",
		rig_top, rig_top, rig_top, rig_top, rig_top, rig_top, rig_top, rig_top,
		rig_top, rig_top, rig_top);
	(void)git_of("r/a");
	(void)git_of("r/new");
	rig_write(rig_path("r/a"), "changed\n");
	assert_int_equal(git_of("r/a"), GIT_DIRTY);
	assert_int_not_equal(access(rig_path("ran"), F_OK), 0);
}

static void hangs_are_ended(void **state)
{
	struct ev_ask_file f = { .path = rig_path("r/a"), .fd = -1, .dir_fd = -1,
		.want_git = true };
	struct ev_ask ask = { .files = &f, .n_files = 1, .self_open = true, .cwd_fd = -1 };
	struct evidence *ev;

	(void)state;
	need_git();
	rig_sh("git init -q r && cd r && echo a >a && git add a && git commit -qm1 && "
		"rm .git/config && mkfifo .git/config");
	rig_start(&ask, &ev);
	/* libgit2 waits for the pipe: only the clock ends it. */
	clock_test_advance(5000);
	loop_clock_moved(rig_loop);
	assert_non_null(ev);
	assert_int_not_equal(ev->files[0].git, GIT_CLEAN);
	evidence_free(&ev);
	rig_write(rig_path("b"), "x");
	assert_int_equal(rig_file(rig_path("b"))->state, FILE_REGULAR);
}

/* ---- workspaces ---- */

static struct sv found(const char *cwd, bool gate, const char *never)
{
	const char *const list[] = { never };
	struct ev_ask ask = { .cwd = cwd, .cwd_fd = -1, .self_open = !gate,
		.never = list, .n_never = never != NULL };

	if (gate)
		ask.cwd_fd = open(cwd, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return rig_ask(ask)->workspace;
}

static void workspace(void **state)
{
	(void)state;
	rig_sh("mkdir -p p/deep home/proj state && ln -s p link && ln -s home hl");
	for (int gate = 0; gate < 2; gate++) {
		assert_true(sv_eqs(found(rig_path("p/deep"), gate, NULL),
			rig_path("p/deep")));
		assert_true(sv_eqs(found(rig_path("link"), gate, NULL), rig_path("p")));
		/* What holds the home or the state is none; what lies in it is. */
		assert_int_equal(found(rig_path("home"), gate, rig_path("home")).n, 0);
		assert_int_equal(found(rig_top, gate, rig_path("home")).n, 0);
		assert_int_equal(found(rig_path("home"), gate, rig_path("hl")).n, 0);
		assert_true(found(rig_path("home/proj"), gate, rig_path("home")).n > 0);
	}
	assert_int_equal(found(rig_path("none"), false, NULL).n, 0);
	assert_int_equal(found("p", false, NULL).n, 0);
	assert_int_equal(found(rig_path("p/../p"), true, NULL).n, strlen(rig_path("p")));
	/* Without a descriptor nor leave to look. */
	assert_int_equal(rig_ask((struct ev_ask){ .cwd = rig_path("p"), .cwd_fd = -1 })
		->workspace.n, 0);
	if (!rig_have_git())
		return;
	rig_sh("git init -q p && mkdir home/.git && git init -q home");
	assert_true(sv_eqs(found(rig_path("p/deep"), true, NULL), rig_path("p")));
	/* A home under git does not make the home a workspace. */
	assert_true(sv_eqs(found(rig_path("home/proj"), true, rig_path("home")),
		rig_path("home/proj")));
}

static void never_a_workspace(void **state)
{
	static const char *const t[] = { "/", "/tmp", "/var/tmp", "/home", "/root", "/etc",
		"/usr", "/proc", "/proc/self", "/dev", "/dev/shm", "/var", "/sys", "/boot" };

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++)
		if (access(t[i], F_OK) == 0 && found(t[i], true, NULL).n != 0)
			fail_msg("%s became a workspace", t[i]);
}

/* The owner's workspaces do not stand in for the session's. */
static void beside_the_owners(void **state)
{
	const char *const ws[] = { rig_path("owner") };
	struct ev_ask_file f[] = {
		{ .path = rig_path("p/a"), .fd = -1, .dir_fd = -1 },
		{ .path = rig_path("owner/a"), .fd = -1, .dir_fd = -1 },
		{ .path = rig_path("else/a"), .fd = -1, .dir_fd = -1 },
	};
	struct evidence *ev;

	(void)state;
	rig_sh("mkdir p owner else && touch p/a owner/a else/a");
	ev = rig_ask((struct ev_ask){ .files = f, .n_files = 3, .self_open = true,
		.cwd = rig_path("p"), .cwd_fd = -1, .workspaces = ws, .n_workspaces = 1 });
	assert_true(sv_eqs(ev->workspace, rig_path("p")));
	assert_true(ev->files[0].in_workspace && ev->files[1].in_workspace);
	assert_false(ev->files[2].in_workspace);
	ev = rig_ask((struct ev_ask){ .files = f, .n_files = 2, .self_open = true,
		.workspaces = ws, .n_workspaces = 1 });
	assert_int_equal(ev->workspace.n, 0);
	assert_false(ev->files[0].in_workspace);
}

int main(void)
{
#define T(fn) cmocka_unit_test_setup_teardown(fn, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		T(states), T(first_commit_to_come), T(other_layouts), T(broken),
		T(hostile_config), T(hangs_are_ended), T(workspace), T(never_a_workspace),
		T(beside_the_owners),
	};

	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
