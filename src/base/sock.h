/*
 * sock.h - Unix sockets and descriptor passing.
 *
 * Hides: sockaddr_un and its 107 bytes, SO_PEERCRED, SCM_RIGHTS.
 * Frees: callers close the descriptors they get; all are O_CLOEXEC, and our
 * own sockets non-blocking (a received descriptor's flags are its sender's).
 * Must not include: anything above base/.
 */
#ifndef OBSTAT_BASE_SOCK_H
#define OBSTAT_BASE_SOCK_H

#include <sys/types.h>

#include "base/err.h"
#include "base/mem.h"

struct peer {
	uid_t uid;
	gid_t gid;
	pid_t pid;
	uint64_t start;  /* process start time (/proc/PID/stat 22), 0 unknown */
};
/* Paths over 107 bytes are refused with a hint (code "socket_path"). A stale
 * socket file (nobody listens) is removed by sock_listen; a live one is an
 * error with code "in_use", another kind of file one with "not_socket". mode
 * is set on the file. Two processes that do this at once are kept apart by
 * fs_lock(), not here. */
int sock_listen(const char *path, mode_t mode, struct err *e);
int sock_accept(int listen_fd);      /* -1 with errno, EAGAIN when none */
/* Waits at most 2 s (backlog full). Codes: socket_path, no_listener,
 * no_access, busy, connect. */
int sock_connect(const char *path, struct err *e);
int sock_peer(int fd, struct peer *out, struct err *e);
/* One sendmsg; fd -1 sends none. Returns bytes sent or -1 with errno. */
ssize_t sock_send_fd(int sock, const void *p, size_t n, int fd);
/* One recvmsg; up to *n_fds descriptors come back in fds (CLOEXEC); more than
 * that are closed. Returns bytes, 0 at EOF, -1 with errno. */
ssize_t sock_recv_fd(int sock, void *p, size_t n, int *fds, int *n_fds);

#endif
