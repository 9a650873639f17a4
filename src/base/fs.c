/*
 * fs.c - see fs.h.
 */
#include "base/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"

/* One directory: made with exactly mode, whatever the umask is. */
static int fs_mkdir_one(const char *path, mode_t mode)
{
	struct stat st;

	if (mkdir(path, mode & 0700) == 0)
		return chmod(path, mode);
	if (errno != EEXIST)
		return -1;
	if (stat(path, &st) != 0)
		return -1;
	if (!S_ISDIR(st.st_mode)) {
		errno = ENOTDIR;
		return -1;
	}
	return 0;
}

int fs_mkdirs(const char *path, mode_t mode, struct err *e)
{
	char part[PATH_MAX];
	size_t n = strlen(path);

	if (n == 0 || n >= sizeof part)
		return err_set(e, "fs_mkdir", "directory name of %zu bytes", n);
	memcpy(part, path, n + 1);
	for (size_t i = 1; i <= n; i++) {
		if (part[i] != '/' && part[i] != '\0')
			continue;
		if (part[i - 1] == '/')
			continue;
		part[i] = '\0';
		if (fs_mkdir_one(part, mode) != 0)
			return err_sys(e, "fs_mkdir", "cannot make the directory %s", part);
		if (i < n)
			part[i] = '/';
	}
	return 0;
}

static int fs_check_owned(int fd, const char *path, size_t max, struct err *e)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return err_sys(e, "fs_open", "cannot look at %s", path);
	if (!S_ISREG(st.st_mode))
		return err_set(e, "fs_type", "%s is not a regular file", path);
	if (st.st_uid != geteuid() && st.st_uid != 0)
		return err_set(e, "fs_owner", "%s belongs to uid %ld; it must be yours "
			"or root's", path, (long)st.st_uid);
	if ((st.st_mode & 022) != 0)
		return err_set(e, "fs_mode", "%s can be written by others; "
			"run: chmod go-w %s", path, path);
	if (st.st_size < 0 || (uintmax_t)st.st_size > max)
		return err_set(e, "fs_size", "%s has %jd bytes; at most %zu are read",
			path, (intmax_t)st.st_size, max);
	return 0;
}

/* To the end of the file, which may have grown since it was looked at. */
static int fs_read_all(int fd, const char *path, size_t max, struct buf *out,
	struct err *e)
{
	char part[16384];
	size_t sum = 0;

	for (;;) {
		ssize_t k = read(fd, part, sizeof part);

		if (k < 0 && errno == EINTR)
			continue;
		if (k < 0)
			return err_sys(e, "fs_read", "cannot read %s", path);
		if (k == 0)
			return 0;
		sum += (size_t)k;
		if (sum > max || buf_add(out, part, (size_t)k) != 0)
			return err_set(e, "fs_size", "%s has more than %zu bytes", path,
				sum > max ? max : out->max);
	}
}

int fs_read_owned(const char *path, size_t max, struct buf *out, struct err *e)
{
	size_t from = out->n;
	int fd, r;

	/* O_NONBLOCK and O_NOCTTY: a FIFO or a terminal put in its place must
	 * neither hang us nor become ours before it is refused. */
	fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0) {
		int why = errno;

		if (why == ELOOP)
			err_set(e, "fs_type", "%s is a link; links are not followed", path);
		else if (why == ENXIO)
			err_set(e, "fs_type", "%s is not a regular file", path);
		else
			err_sys(e, "fs_open", "cannot open %s", path);
		errno = why;
		return -1;
	}
	r = fs_check_owned(fd, path, max, e);
	if (r == 0)
		r = fs_read_all(fd, path, max, out, e);
	close(fd);
	if (r != 0)
		out->n = from;
	return r;
}

static int fs_write_all(int fd, struct sv s)
{
	while (s.n > 0) {
		ssize_t k = write(fd, s.p, s.n);

		if (k < 0 && errno == EINTR)
			continue;
		if (k < 0)
			return -1;
		s.p += k;
		s.n -= (size_t)k;
	}
	return 0;
}

/* Opens the directory of path; *base is the name in it. */
static int fs_open_dir(const char *path, const char **base)
{
	const char *slash = strrchr(path, '/');
	char *dir;
	int fd;

	if (slash == NULL)
		dir = xstrdup(".");
	else
		dir = xmemdup0(path, slash == path ? 1 : (size_t)(slash - path));
	*base = slash != NULL ? slash + 1 : path;
	fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	free(dir);
	return fd;
}

/* A new file with the bytes, on the disk. -1 with errno; nothing is left. */
static int fs_write_temp(int dir, const char *name, struct sv bytes, mode_t mode)
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
		0600);
	int why = 0;

	if (fd < 0)
		return -1;
	if (fs_write_all(fd, bytes) != 0 || fchmod(fd, mode) != 0 || fsync(fd) != 0)
		why = errno;
	if (close(fd) != 0 && why == 0)
		why = errno;
	if (why == 0)
		return 0;
	unlinkat(dir, name, 0);
	errno = why;
	return -1;
}

int fs_write_atomic(const char *path, struct sv bytes, mode_t mode, struct err *e)
{
	uint8_t id[8];
	char hex[sizeof id * 2 + 1], temp[32];
	const char *base;
	int dir, why = 0;

	dir = fs_open_dir(path, &base);
	if (dir < 0)
		return err_sys(e, "fs_write", "cannot open the directory of %s", path);
	random_bytes(id, sizeof id);
	hex_of(id, sizeof id, hex);
	snprintf(temp, sizeof temp, ".obstat-%s", hex);
	if (fs_write_temp(dir, temp, bytes, mode) != 0) {
		why = errno;
	} else if (renameat(dir, temp, dir, base) != 0) {
		why = errno;
		unlinkat(dir, temp, 0);
	} else if (fsync(dir) != 0) {
		why = errno;
	}
	close(dir);
	errno = why;
	return why == 0 ? 0 : err_sys(e, "fs_write", "cannot write %s", path);
}

int fs_lock(const char *dir_path, struct err *e)
{
	int fd = open(dir_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return err_sys(e, "fs_open", "cannot open %s", dir_path);
	if (flock(fd, LOCK_EX | LOCK_NB) == 0)
		return fd;
	if (errno == EWOULDBLOCK)
		err_set(e, "fs_locked", "%s is in use by another obstat", dir_path);
	else
		err_sys(e, "fs_open", "cannot lock %s", dir_path);
	close(fd);
	return -1;
}
