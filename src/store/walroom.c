/*
 * walroom.c - room for the write-ahead log, made ahead of time.
 *
 * A commit that makes the log longer has to write the file's new size and
 * blocks too when it syncs; one into blocks that are there already writes its
 * bytes alone, in about half the time. So the log is filled up with zeros,
 * behind what it holds: SQLite reads frames only as long as their salts and
 * checksums hold, and zeros never do (sqlite.org/walformat.html).
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/db.h"

#define WAL_ROOM (4 << 20)

static int fill(int fd, off_t from, off_t to)
{
	static const char zeros[65536];

	while (from < to) {
		size_t n = to - from < (off_t)sizeof(zeros) ? (size_t)(to - from) :
			sizeof(zeros);
		ssize_t w = pwrite(fd, zeros, n, from);

		if (w <= 0)
			return -1;
		from += w;
	}
	return fdatasync(fd);
}

/* The log has no locks of its own (they are on record.db and its -shm), so
 * closing it lets none go. */
static void make_room(const struct db *d)
{
	char path[sizeof(d->path) + 8];
	struct stat st;
	int fd;

	snprintf(path, sizeof(path), "%s-wal", d->path);
	fd = open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size < WAL_ROOM &&
	    fill(fd, st.st_size, WAL_ROOM) != 0) {
		/* A full disk needs the space for something better. */
		if (ftruncate(fd, st.st_size) != 0)
			log_warn("the log of record.db could not be cut back");
	}
	close(fd);
}

/* Without it everything works, only slower: no errors. Under the write lock,
 * so that nobody's frames are where the zeros go. */
void db_wal_room(const struct db *d)
{
	if (sqlite3_exec(d->h, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK)
		return;
	make_room(d);
	sqlite3_exec(d->h, "ROLLBACK", NULL, NULL, NULL);
}
