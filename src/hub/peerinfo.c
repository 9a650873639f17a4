/*
 * peerinfo.c - who is at the other end, as a hint for the person and the
 * record. Never a control: a process can be anything it likes (obstat.md).
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hub/conn.h"

/* Field 4 of /proc/PID/stat: behind the last ')' come state and ppid. */
static long peer_parent(pid_t pid)
{
	char path[64], text[1024], *p;
	ssize_t n;
	int fd;

	snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	n = read(fd, text, sizeof text - 1);
	close(fd);
	if (n <= 0)
		return 0;
	text[n] = '\0';
	p = strrchr(text, ')');
	if (p == NULL || strlen(p) < 4)
		return 0;
	return strtol(p + 4, NULL, 10);
}

void peer_hint(pid_t pid, bool parent, char *out, size_t n)
{
	char path[64];
	long who = pid;
	ssize_t k;

	out[0] = '\0';
	if (pid <= 0)
		return;
	if (parent)
		who = peer_parent(pid);
	if (who <= 0)
		return;
	snprintf(path, sizeof path, "/proc/%ld/exe", who);
	k = readlink(path, out, n - 1);
	out[k > 0 ? k : 0] = '\0';
}

/* Whether a path names the same file for the peer as for us. */
bool peer_same_mounts(pid_t pid)
{
	char path[64], theirs[64], ours[64];
	ssize_t a, b;

	if (pid <= 0)
		return false;
	snprintf(path, sizeof path, "/proc/%ld/ns/mnt", (long)pid);
	a = readlink(path, theirs, sizeof theirs);
	b = readlink("/proc/self/ns/mnt", ours, sizeof ours);
	return a > 0 && a == b && memcmp(theirs, ours, (size_t)a) == 0;
}
