/*
 * gitstate.c - what git says of a file, by reading only.
 *
 * The repository is hostile: its config is not used for anything but what
 * libgit2 needs to open it, no filter is run (the descriptor's bytes are
 * hashed as they are), no hook, no external command; libgit2 runs none here.
 * With line-ending conversion or a clean filter (LFS) a clean file may look
 * dirty: then it asks, which is the safe side.
 */
#include "diff/gitstate.h"

#include <git2.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct gitrepo {
	git_repository *repo;
	git_index *index;
	git_tree *head;            /* NULL before the first commit */
};

bool gitstate_top(const char *dir, char *out, size_t n)
{
	char at[PATH_MAX], probe[PATH_MAX + 8];
	struct stat st, first;

	if (dir[0] != '/' || strlen(dir) >= sizeof(at) || stat(dir, &first) != 0)
		return false;
	snprintf(at, sizeof(at), "%s", dir);
	for (;;) {
		char *slash;

		if (stat(at, &st) != 0 || st.st_dev != first.st_dev)
			return false;
		snprintf(probe, sizeof(probe), "%s/.git", strcmp(at, "/") == 0 ? "" : at);
		/* A work tree's .git is a directory, or a file that names one. */
		if (lstat(probe, &st) == 0 &&
		    (S_ISDIR(st.st_mode) || S_ISREG(st.st_mode)))
			return (size_t)snprintf(out, n, "%s", at) < n;
		slash = strrchr(at, '/');
		if (slash == at && at[1] == '\0')
			return false;
		if (slash == at)
			at[1] = '\0';
		else
			*slash = '\0';
	}
}

static void set_up(void)
{
	static bool done;

	if (done)
		return;
	done = true;
	git_libgit2_init();
	/* No system, global or XDG config: they are not the agent's to choose,
	 * and not needed to read objects. */
	for (int level = GIT_CONFIG_LEVEL_PROGRAMDATA; level <= GIT_CONFIG_LEVEL_GLOBAL;
	    level++)
		git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, level, "/dev/null");
	/* The owner check protects commands that run hooks; nothing runs here. */
	git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
}

static void read_head(struct gitrepo *g)
{
	git_object *tree = NULL;

	if (git_revparse_single(&tree, g->repo, "HEAD^{tree}") == 0)
		g->head = (git_tree *)tree;
}

struct gitrepo *gitstate_open(const char *top, struct err *e)
{
	struct gitrepo *g = xcalloc(1, sizeof(*g));

	set_up();
	if (git_repository_open_ext(&g->repo, top, GIT_REPOSITORY_OPEN_NO_SEARCH,
	    NULL) != 0 || git_repository_index(&g->index, g->repo) != 0) {
		const git_error *ge = git_error_last();

		err_set(e, "git_open", "git: %s", ge != NULL ? ge->message : "?");
		gitstate_free(&g);
		return NULL;
	}
	read_head(g);
	return g;
}

void gitstate_free(struct gitrepo **gp)
{
	struct gitrepo *g = *gp;

	if (g == NULL)
		return;
	git_tree_free(g->head);
	git_index_free(g->index);
	git_repository_free(g->repo);
	free(g);
	*gp = NULL;
}

/* In the index and in HEAD, with these very bytes: it can be had back. */
static enum git_state tracked(struct gitrepo *g, const char *rel, const git_oid *oid)
{
	const git_index_entry *ie = git_index_get_bypath(g->index, rel, 0);
	git_tree_entry *te = NULL;
	enum git_state s = GIT_DIRTY;

	if (ie == NULL)
		return GIT_UNTRACKED;
	if (g->head == NULL || git_tree_entry_bypath(&te, g->head, rel) != 0)
		return GIT_DIRTY;
	if (git_oid_equal(&ie->id, oid) && git_oid_equal(git_tree_entry_id(te), oid) &&
	    (ie->mode & S_IFMT) == S_IFREG)
		s = GIT_CLEAN;
	git_tree_entry_free(te);
	return s;
}

enum git_state gitstate_file(struct gitrepo *g, const char *rel,
	struct sv content, bool exists)
{
	enum git_state s;
	git_odb *odb = NULL;
	git_oid oid;
	int ignored = 0;

	if (g == NULL || rel[0] == '/' || rel[0] == '\0')
		return GIT_UNKNOWN;
	if (!exists)
		return git_index_get_bypath(g->index, rel, 0) != NULL ?
			GIT_DIRTY : GIT_UNTRACKED;
	if (git_odb_hash(&oid, content.p != NULL ? content.p : "", content.n,
	    GIT_OBJECT_BLOB) != 0)
		return GIT_UNKNOWN;
	s = tracked(g, rel, &oid);
	/* An object that is named but gone cannot bring the file back. */
	if (s == GIT_CLEAN && (git_repository_odb(&odb, g->repo) != 0 ||
	    !git_odb_exists(odb, &oid)))
		s = GIT_DIRTY;
	git_odb_free(odb);
	if (s == GIT_UNTRACKED && git_ignore_path_is_ignored(&ignored, g->repo, rel) == 0 &&
	    ignored)
		s = GIT_IGNORED;
	return s;
}
