/*
 * lockwho.c - who holds the lock we wait for.
 *
 * SQLite's locks are POSIX record locks, so the kernel can be asked through a
 * descriptor that stays open as long as the database does. The bytes are part
 * of SQLite's file format (os.h: PENDING_BYTE; wal.c: WAL_WRITE_LOCK).
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "store/db.h"

#define SHM_WRITE 120
#define SHM_ALL 8
#define MAIN_PENDING 0x40000000
#define MAIN_SHARED (MAIN_PENDING + 2)
#define MAIN_SHARED_N 510

static pid_t lock_pid(int fd, short type, off_t from, off_t len)
{
	struct flock l = { .l_type = type, .l_whence = SEEK_SET, .l_start = from,
		.l_len = len };

	if (fd < 0 || fcntl(fd, F_GETLK, &l) != 0 || l.l_type == F_UNLCK)
		return 0;
	return l.l_pid;
}

void db_lock_holder(struct db *d, char *out, size_t n)
{
	char p[660], comm[64] = { 0 };
	struct buf shown;
	pid_t pid;
	int fd;
	ssize_t got = 0;

	out[0] = '\0';
	if (d->shm_fd < 0) {
		snprintf(p, sizeof(p), "%s-shm", d->path);
		d->shm_fd = open(p, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	}
	pid = lock_pid(d->shm_fd, F_WRLCK, SHM_WRITE, 1);
	if (pid <= 0)
		pid = lock_pid(d->fd, F_RDLCK, MAIN_SHARED, MAIN_SHARED_N);
	if (pid <= 0)
		pid = lock_pid(d->fd, F_RDLCK, MAIN_PENDING, 2);
	if (pid <= 0)
		pid = lock_pid(d->shm_fd, F_WRLCK, SHM_WRITE, SHM_ALL);
	if (pid <= 0)
		return;
	snprintf(p, sizeof(p), "/proc/%ld/comm", (long)pid);
	fd = open(p, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		got = read(fd, comm, sizeof(comm) - 1);
		close(fd);
	}
	if (got > 0 && comm[got - 1] == '\n')
		got--;
	buf_init(&shown, 1024);
	if (got > 0)
		esc_label((struct sv){ comm, (size_t)got }, 40, &shown);
	snprintf(out, n, "%.*s (pid %ld)", (int)shown.n, shown.n > 0 ? shown.p : "process",
		(long)pid);
	buf_free(&shown);
}
