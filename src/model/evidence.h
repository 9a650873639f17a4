/*
 * evidence.h - what was read of the world for an action: plain data.
 *
 * Hides: nothing. Filled by evidence/ (which reads), used by policy/ (facts)
 * and kinds/ (drawing).
 * Frees: evidence_free() unmaps contents and frees the arena.
 * Must not include: anything above base/.
 */
#ifndef OBSTAT_MODEL_EVIDENCE_H
#define OBSTAT_MODEL_EVIDENCE_H

#include "base/hash.h"
#include "base/mem.h"

enum file_state {
	FILE_UNKNOWN,      /* could not be opened or read: asks, shown as such */
	FILE_ABSENT,       /* ENOENT with a parent directory that was seen */
	FILE_REGULAR,
	FILE_DIRECTORY,
	FILE_SPECIAL,      /* device, socket, fifo: never read */
};
enum git_state {
	GIT_UNKNOWN,       /* could not be read: an edit asks */
	GIT_NO_REPO, GIT_CLEAN, GIT_DIRTY, GIT_UNTRACKED, GIT_IGNORED,
};
/* One file an action names. */
struct ev_file {
	struct sv path;        /* as named, made absolute with the cwd; not resolved */
	struct sv real;        /* resolved by the kernel (/proc/self/fd); of an
	                        * absent file: its parent's, plus the last names */
	enum file_state state;
	int error;             /* errno of the open, 0 none */
	uint64_t size;
	uint32_t mode, nlink, uid;
	uint64_t dev, ino;
	int64_t mtime_ns;
	bool via_link;         /* real differs from the named path by a symlink */
	bool in_workspace;     /* real lies in one of the workspaces */
	enum git_state git;
	bool has_content;      /* content is the whole file, mapped read-only */
	struct sv content;
	bool too_big;          /* over the content limit: digest only, or not even */
	bool has_digest;
	struct digest digest;  /* of the whole file as read */
};
struct evidence {
	struct arena *arena;
	struct ev_file *files; /* in the order asked */
	size_t n_files;
	struct sv workspace;   /* found from the cwd asked about, resolved; empty:
	                        * none there, or not asked */
	bool complete;         /* answered to the end */
};
struct evidence *evidence_new(void);
void evidence_free(struct evidence **e);
/* Takes the last file off the list, its content with it. */
void evidence_drop_last(struct evidence *e);
const struct ev_file *evidence_find(const struct evidence *e, struct sv path);

#endif
