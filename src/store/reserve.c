/*
 * reserve.c - 64 MiB that belong to us already when the disk is full.
 *
 * Given up (unlinked) at the first "no space", so that denials and the fact
 * itself can still be recorded; made again when there is room for it and some
 * to spare, or the two states would take turns every second.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "store/store_priv.h"

static void reserve_path(const struct store *s, char *out, size_t n)
{
	snprintf(out, n, "%s/reserve", s->dir);
}

int reserve_make(struct store *s)
{
	char p[640];
	struct stat st;
	int fd, rc;

	reserve_path(s, p, sizeof(p));
	fd = open(p, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
	if (fd < 0)
		return errno;
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		close(fd);
		return EINVAL;
	}
	/* Another size than today's is from other options. */
	if ((uint64_t)st.st_size != s->opt.reserve_bytes && ftruncate(fd, 0) != 0)
		st.st_size = 0;
	rc = posix_fallocate(fd, 0, (off_t)s->opt.reserve_bytes);
	close(fd);
	if (rc != 0)
		unlink(p);
	return rc;
}

void reserve_give(struct store *s)
{
	char p[640];

	reserve_path(s, p, sizeof(p));
	if (unlink(p) != 0 && errno != ENOENT)
		log_warn("store: cannot give up %s", p);
	s->reserve = RESERVE_GIVEN;
}

bool reserve_room(const struct store *s)
{
	struct statvfs v;
	uint64_t free_bytes;

	if (statvfs(s->dir, &v) != 0)
		return false;
	if (__builtin_mul_overflow((uint64_t)v.f_bavail, (uint64_t)v.f_frsize,
	    &free_bytes))
		return true;
	return free_bytes >= s->opt.reserve_bytes + s->opt.reserve_bytes / 4;
}
