/*
 * fs.h - files of our own: made, read and replaced so that nobody else's
 * file, link or half a write can stand in for them.
 *
 * Frees: bytes go into the caller's buf; a lock is let go by closing its
 * descriptor.
 * Must not include: anything above base/. Not for files that an agent names:
 * those come through the gate's descriptors.
 */
#ifndef OBSTAT_BASE_FS_H
#define OBSTAT_BASE_FS_H

#include <sys/types.h>

#include "base/err.h"
#include "base/mem.h"

/* Makes path and what is missing above it; only directories that it makes get
 * mode. 0 when it is there already. Code fs_mkdir. */
int fs_mkdirs(const char *path, mode_t mode, struct err *e);

/*
 * Appends a whole file to out: a regular file, not a link, owned by us or
 * root, not writable by group or others, at most max bytes. Codes: fs_open
 * (errno says why; ENOENT when there is none), fs_type, fs_owner, fs_mode,
 * fs_size, fs_read. On error out is as it was.
 */
int fs_read_owned(const char *path, size_t max, struct buf *out, struct err *e);

/* Replaces path with bytes, wholly or not at all, and on the disk when it
 * returns: a new file beside it (O_EXCL, exactly mode), fsync, rename, fsync of the
 * directory. A link at path is replaced, not followed. Code fs_write. */
int fs_write_atomic(const char *path, struct sv bytes, mode_t mode, struct err *e);

/* Locks a directory for this process (flock, not waited for). Returns the
 * descriptor, which holds the lock until it is closed; it is O_CLOEXEC. Codes
 * fs_locked (somebody has it), fs_open. */
int fs_lock(const char *dir_path, struct err *e);

#endif
