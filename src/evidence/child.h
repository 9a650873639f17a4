/*
 * child.h - inside the evidence process (private to evidence/).
 */
#ifndef OBSTAT_EVIDENCE_CHILD_H
#define OBSTAT_EVIDENCE_CHILD_H

#include <limits.h>

#include "diff/gitstate.h"
#include "evidence/wire.h"
#include "model/evidence.h"

struct child_ask {
	uint32_t id, n_files, answered;
	bool self_open;
	char *workspaces[WIRE_MAX_PATHS + 1];
	size_t n_workspaces;
	char *found;                   /* of the cwd in this request; NULL none */
	char *never[WIRE_MAX_PATHS];
	size_t n_never;
	/* The repository of the last file, kept for the next one. */
	struct gitrepo *repo;
	char repo_top[PATH_MAX];
};
struct child_question {
	char path[PATH_MAX], dir_path[PATH_MAX];
	int fd, dir_fd, open_errno;    /* descriptors stay the caller's */
	bool want_content, want_git;
};
struct child_file {
	enum file_state state;
	int error;
	uint64_t size, dev, ino;
	uint32_t mode, nlink, uid;
	int64_t mtime_ns;
	uint8_t flags;
	enum git_state git;
	char real[PATH_MAX];
	struct digest digest;
	int memfd;
};
/* Finds the workspace of a session whose first message named cwd. */
void child_workspace(struct child_ask *a, const char *cwd, int cwd_fd);
/* Reads one file. Never fails: what cannot be read is FILE_UNKNOWN. */
void child_read(struct child_ask *a, const struct child_question *q,
	struct child_file *f);

#endif
