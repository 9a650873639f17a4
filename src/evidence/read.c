/*
 * read.c - one file: what it is, where it really lies, its bytes, its state
 * in git. By descriptors only; a path is opened here only when the peer has no
 * gate (native peers of the same uid).
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "evidence/child.h"
#include "evidence/evidence.h"

/* File systems on which a read ends: local ones. A network or FUSE server may
 * answer when it likes, and differently each time. (magic numbers: statfs(2)) */
static const unsigned long local_fs[] = {
	0xef53 /* ext2/3/4 */, 0x58465342 /* xfs */, 0x9123683e /* btrfs */,
	0x01021994 /* tmpfs */, 0x794c7630 /* overlayfs */, 0xf2f52010 /* f2fs */,
	0x2fc12fc1 /* zfs */, 0xca451a4e /* bcachefs */, 0x52654973 /* reiserfs */,
	0x3153464a /* jfs */, 0x4d44 /* vfat */, 0x2011bab0 /* exfat */,
	0x73717368 /* squashfs */, 0xe0f5e1e2 /* erofs */, 0x9660 /* isofs */,
	0x858458f6 /* ramfs */,
};

static bool fs_local(int fd)
{
	struct statfs s;

	if (fstatfs(fd, &s) != 0)
		return false;
	for (size_t i = 0; i < sizeof(local_fs) / sizeof(local_fs[0]); i++)
		if ((unsigned long)s.f_type == local_fs[i])
			return true;
	return false;
}

static bool real_path(int fd, char out[PATH_MAX])
{
	char link[64];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, out, PATH_MAX);
	if (n <= 0 || n >= PATH_MAX || out[0] != '/')
		return false;
	out[n] = '\0';
	return true;
}

/* path is dir or below it. dir may be "/". */
static bool under(const char *path, const char *dir)
{
	size_t n = strlen(dir);

	while (n > 0 && dir[n - 1] == '/')
		n--;
	return strncmp(path, dir, n) == 0 && (path[n] == '\0' || path[n] == '/');
}

/* Folders of everybody's, of the system's, and homes. */
static bool shared(const char *dir)
{
	static const char *const dirs[] = { "/", "/tmp", "/var/tmp", "/home", "/root",
		"/usr", "/usr/local", "/var", "/opt", "/srv", "/mnt", "/media", "/run" };
	static const char *const trees[] = { "/etc", "/boot", "/proc", "/sys", "/dev" };

	for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++)
		if (strcmp(dir, dirs[i]) == 0)
			return true;
	for (size_t i = 0; i < sizeof(trees) / sizeof(trees[0]); i++)
		if (under(dir, trees[i]))
			return true;
	return strncmp(dir, "/home/", 6) == 0 && strchr(dir + 6, '/') == NULL;
}

static bool may_be_workspace(const struct child_ask *a, const char *dir)
{
	char real[PATH_MAX];

	if (shared(dir))
		return false;
	for (size_t i = 0; i < a->n_never; i++)
		if (under(a->never[i], dir) ||
		    (realpath(a->never[i], real) != NULL && under(real, dir)))
			return false;
	return true;
}

/* The directory our own namespace has at path is the one behind fd. */
static bool same_dir(const char *path, int fd)
{
	struct stat a, b;

	return stat(path, &a) == 0 && fstat(fd, &b) == 0 && a.st_dev == b.st_dev &&
		a.st_ino == b.st_ino;
}

void child_workspace(struct child_ask *a, const char *cwd, int cwd_fd)
{
	char real[PATH_MAX], top[PATH_MAX];
	int fd = cwd_fd;
	struct stat st;

	if (fd < 0 && a->self_open)
		fd = open(cwd, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISDIR(st.st_mode) &&
	    st.st_nlink > 0 && real_path(fd, real)) {
		if (same_dir(real, fd) && gitstate_top(real, top, sizeof(top)) &&
		    may_be_workspace(a, top))
			a->found = xstrdup(top);
		else if (may_be_workspace(a, real))
			a->found = xstrdup(real);
		if (a->found != NULL)
			a->workspaces[a->n_workspaces++] = xstrdup(a->found);
	}
	if (fd >= 0 && fd != cwd_fd)
		close(fd);
}

/* The named path with "." and "//" taken out, for comparing with the real
 * one; ".." is left, which makes the two differ: then it counts as a link. */
static void tidy(const char *path, char out[PATH_MAX])
{
	size_t n = 0;

	for (const char *p = path; *p != '\0';) {
		const char *end = strchrnul(p, '/');
		size_t len = (size_t)(end - p);

		if (len > 0 && !(len == 1 && p[0] == '.') && n + len + 1 < PATH_MAX) {
			out[n++] = '/';
			memcpy(out + n, p, len);
			n += len;
		}
		p = *end == '/' ? end + 1 : end;
	}
	if (n == 0)
		out[n++] = '/';
	out[n] = '\0';
}

static void place(const struct child_ask *a, const struct child_question *q,
	struct child_file *f)
{
	char named[PATH_MAX];

	tidy(q->path, named);
	if (strcmp(named, f->real) != 0)
		f->flags |= WIRE_VIA_LINK;
	for (size_t i = 0; i < a->n_workspaces; i++)
		if (under(f->real, a->workspaces[i]))
			f->flags |= WIRE_IN_WORKSPACE;
}

/* ---- content ---- */

static int write_all(int fd, const char *p, size_t n)
{
	while (n > 0) {
		ssize_t w = write(fd, p, n);

		if (w < 0 && errno == EINTR)
			continue;
		if (w <= 0)
			return -1;
		p += w;
		n -= (size_t)w;
	}
	return 0;
}

/* Digest, and the bytes into a memfd when keep. 1: it changed meanwhile. */
static int slurp(int fd, uint64_t size, bool keep, struct child_file *f)
{
	static char block[256 * 1024];
	struct hasher *h = hasher_new();
	uint64_t at = 0;
	int rc = 0;

	if (keep)
		f->memfd = memfd_create("content", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	while (rc == 0) {
		ssize_t n = pread(fd, block, sizeof(block), (off_t)at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			rc = -1;
		if (n <= 0)
			break;
		at += (uint64_t)n;
		if (at > size)
			rc = 1;
		hasher_add(h, block, (size_t)n);
		if (f->memfd >= 0 && write_all(f->memfd, block, (size_t)n) != 0)
			rc = -1;
	}
	f->digest = hasher_final(&h);
	return rc == 0 && at != size ? 1 : rc;
}

static void drop_memfd(struct child_file *f)
{
	if (f->memfd >= 0)
		close(f->memfd);
	f->memfd = -1;
}

static bool same_moment(const struct stat *a, const struct stat *b)
{
	return a->st_size == b->st_size && a->st_nlink == b->st_nlink &&
		a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
		a->st_mtim.tv_nsec == b->st_mtim.tv_nsec &&
		a->st_ctim.tv_sec == b->st_ctim.tv_sec &&
		a->st_ctim.tv_nsec == b->st_ctim.tv_nsec;
}

/* Twice at most: a file that will not hold still is not known. */
static bool read_content(int fd, const struct child_question *q,
	struct child_file *f)
{
	struct stat a, b;

	if (f->size > EVIDENCE_DIGEST_MAX) {
		f->flags |= WIRE_TOO_BIG;
		return true;
	}
	for (int i = 0; i < 2; i++) {
		bool keep;

		if (fstat(fd, &a) != 0 || a.st_size > EVIDENCE_DIGEST_MAX)
			return false;
		f->size = (uint64_t)a.st_size;
		f->mtime_ns = (int64_t)a.st_mtim.tv_sec * 1000000000 + a.st_mtim.tv_nsec;
		keep = f->size <= EVIDENCE_CONTENT_MAX;
		if (slurp(fd, f->size, keep && f->size > 0, f) == 0 &&
		    fstat(fd, &b) == 0 && same_moment(&a, &b)) {
			f->flags |= WIRE_DIGEST;
			if (q->want_content && !keep)
				f->flags |= WIRE_TOO_BIG;
			if (q->want_content && f->size == 0)
				f->flags |= WIRE_CONTENT | WIRE_EMPTY;
			if (q->want_content && f->memfd >= 0 && fcntl(f->memfd,
			    F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE |
			    F_SEAL_SEAL) == 0)
				f->flags |= WIRE_CONTENT;
			return true;
		}
		drop_memfd(f);
	}
	return false;
}

/* ---- git ---- */

static struct sv mapped(struct child_file *f)
{
	void *p;

	if (f->memfd < 0 || f->size == 0)
		return SV_NONE;
	p = mmap(NULL, f->size, PROT_READ, MAP_SHARED, f->memfd, 0);
	return p == MAP_FAILED ? SV_NONE : (struct sv){ p, f->size };
}

static void read_git(struct child_ask *a, struct child_file *f, int fd)
{
	char dir[PATH_MAX], top[PATH_MAX];
	struct err e = ERR_INIT;
	struct sv content;
	struct stat st, here;
	char *slash;

	f->git = GIT_UNKNOWN;
	snprintf(dir, sizeof(dir), "%s", f->real);
	slash = strrchr(dir, '/');
	if (slash == NULL)
		return;
	*(slash == dir ? slash + 1 : slash) = '\0';
	/* What our namespace has at that path must be what the descriptor is. */
	if (fd >= 0 && (fstat(fd, &st) != 0 || stat(f->real, &here) != 0 ||
	    st.st_dev != here.st_dev || st.st_ino != here.st_ino))
		return;
	if (!gitstate_top(dir, top, sizeof(top))) {
		f->git = GIT_NO_REPO;
		return;
	}
	if (a->repo == NULL || strcmp(a->repo_top, top) != 0) {
		gitstate_free(&a->repo);
		a->repo = gitstate_open(top, &e);
		snprintf(a->repo_top, sizeof(a->repo_top), "%s", top);
	}
	if (a->repo == NULL || (f->state == FILE_REGULAR && f->memfd < 0 && f->size > 0))
		return;
	content = mapped(f);
	f->git = gitstate_file(a->repo, f->real + strlen(top) + 1, content,
		f->state == FILE_REGULAR);
	if (content.n > 0)
		munmap((void *)(uintptr_t)content.p, content.n);
}

/* ---- one file ---- */

static void absent(struct child_ask *a, const struct child_question *q,
	struct child_file *f, int dir_fd, const char *dir_path)
{
	char named[PATH_MAX], dir[PATH_MAX], first[NAME_MAX + 1];
	const char *rest;
	struct stat st;
	size_t n;

	tidy(q->path, named);
	tidy(dir_path, dir);
	n = strcmp(dir, "/") == 0 ? 0 : strlen(dir);
	if (strstr(named, "/..") != NULL || strncmp(named, dir, n) != 0 ||
	    named[n] != '/' || fstat(dir_fd, &st) != 0 || st.st_nlink == 0 ||
	    !real_path(dir_fd, f->real))
		return;
	rest = named + n + 1;
	if ((size_t)(strchrnul(rest, '/') - rest) > NAME_MAX || rest[0] == '\0')
		return;
	snprintf(first, sizeof(first), "%.*s", (int)(strchrnul(rest, '/') - rest), rest);
	/* There is something of that name after all: a link that leads nowhere
	 * yet, through which a write would land elsewhere. */
	if (fstatat(dir_fd, first, &st, AT_SYMLINK_NOFOLLOW) == 0 || errno != ENOENT)
		return;
	n = strcmp(f->real, "/") == 0 ? 0 : strlen(f->real);
	if (n + 1 + strlen(rest) >= PATH_MAX)
		return;
	f->real[n] = '/';
	memcpy(f->real + n + 1, rest, strlen(rest) + 1);
	f->state = FILE_ABSENT;
	place(a, q, f);
	if (q->want_git)
		read_git(a, f, -1);
}

static void present(struct child_ask *a, const struct child_question *q,
	struct child_file *f, int fd)
{
	struct stat st;

	if (fstat(fd, &st) != 0 || !real_path(fd, f->real)) {
		f->error = errno;
		return;
	}
	f->size = (uint64_t)st.st_size;
	f->mode = st.st_mode;
	f->nlink = (uint32_t)st.st_nlink;
	f->uid = st.st_uid;
	f->dev = st.st_dev;
	f->ino = st.st_ino;
	f->mtime_ns = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
	place(a, q, f);
	if (S_ISDIR(st.st_mode)) {
		f->state = st.st_nlink > 0 ? FILE_DIRECTORY : FILE_UNKNOWN;
		return;
	}
	if (!S_ISREG(st.st_mode)) {
		f->state = FILE_SPECIAL;
		return;
	}
	/* nlink 0: it was deleted, and /proc shows a name it no longer has. */
	if (!fs_local(fd) || st.st_nlink == 0 || ((q->want_content || q->want_git) &&
	    !read_content(fd, q, f)))
		return;
	f->state = FILE_REGULAR;
	if (q->want_git)
		read_git(a, f, fd);
}

/* Without a gate: look first (O_PATH opens nothing), read what is regular. */
static int open_self(const char *path)
{
	char link[64];
	struct stat st;
	int look = open(path, O_PATH | O_CLOEXEC), fd;

	if (look < 0)
		return -1;
	if (fstat(look, &st) == 0 && S_ISREG(st.st_mode)) {
		snprintf(link, sizeof(link), "/proc/self/fd/%d", look);
		fd = open(link, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
		close(look);
		return fd;
	}
	return look;
}

static void absent_self(struct child_ask *a, const struct child_question *q,
	struct child_file *f)
{
	char dir[PATH_MAX];
	char *slash;
	int fd = -1;

	tidy(q->path, dir);
	while (fd < 0 && (slash = strrchr(dir, '/')) != NULL) {
		*(slash == dir ? slash + 1 : slash) = '\0';
		fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
		if (slash == dir || (fd < 0 && errno != ENOENT))
			break;
	}
	if (fd < 0)
		return;
	absent(a, q, f, fd, dir);
	close(fd);
}

void child_read(struct child_ask *a, const struct child_question *q,
	struct child_file *f)
{
	int fd = q->fd;

	*f = (struct child_file){ .state = FILE_UNKNOWN, .memfd = -1,
		.error = q->open_errno };
	if (q->path[0] != '/')
		return;
	if (fd < 0 && a->self_open) {
		fd = open_self(q->path);
		f->error = fd < 0 ? errno : 0;
	}
	if (fd >= 0)
		present(a, q, f, fd);
	else if (f->error == ENOENT && q->dir_fd >= 0)
		absent(a, q, f, q->dir_fd, q->dir_path);
	else if (f->error == ENOENT && a->self_open)
		absent_self(a, q, f);
	if (fd >= 0 && fd != q->fd)
		close(fd);
	if (f->state != FILE_REGULAR || !q->want_content)
		drop_memfd(f);
	if (f->state != FILE_REGULAR)
		f->flags &= (uint8_t)~(WIRE_CONTENT | WIRE_DIGEST | WIRE_EMPTY);
}
