/*
 * evidence.h - reads the world for an action, in its own killable process.
 *
 * Hides: the child (the same program, "obstat evidence-process"), its pipe,
 * descriptor passing, limits, memfds.
 * Frees: evidence_room_free() kills the child and forgets what was asked (no
 * done is called; not to be called from one). A struct evidence handed to done
 * is the callee's to free.
 * Must not include: ui, hub, console, cli.
 *
 * Reading only (principle 9): descriptors the gate opened come first; without
 * one (native peers of the same uid) the child opens the path itself,
 * openat2, O_RDONLY|O_NONBLOCK|O_NOCTTY. Regular files on local file systems
 * only; FUSE and network file systems, devices and pipes are "could not be
 * read". Over 5 s for one file, or 30 s for a request, kill the child: what it
 * has not answered is FILE_UNKNOWN, a new child starts, and the requests that
 * waited behind are asked again.
 */
#ifndef OBSTAT_EVIDENCE_EVIDENCE_H
#define OBSTAT_EVIDENCE_EVIDENCE_H

#include "base/loop.h"
#include "model/evidence.h"

struct evidence_room;
/* self: absolute path of this program. */
struct evidence_room *evidence_room_new(struct loop *l, const char *self,
	struct err *e);
void evidence_room_free(struct evidence_room **r);

#define EVIDENCE_CONTENT_MAX (16u << 20)   /* content is mapped up to here */
#define EVIDENCE_DIGEST_MAX (256u << 20)   /* a digest is taken up to here */
#define EVIDENCE_FILES_MAX 4096

struct ev_ask_file {
	const char *path;      /* absolute */
	int fd;                /* owned; -1: the child opens, or open_errno says */
	int dir_fd;            /* owned; nearest existing parent, when fd is -1
	                        * with ENOENT; -1 none */
	const char *dir_path;  /* what dir_fd was opened as */
	int open_errno;        /* of the gate's open; 0 none */
	bool want_content, want_git;   /* git reads the content, but only the
	                                * wish for it brings it */
};
struct ev_ask {
	const struct ev_ask_file *files;
	size_t n_files;
	bool self_open;        /* no gate: open by path */
	const char *cwd;       /* absolute: find its workspace, which then is the
	                        * first of them and evidence.workspace; or NULL */
	int cwd_fd;            /* owned, -1 none */
	const char *const *workspaces;  /* resolved: the session's, the owner's */
	size_t n_workspaces;
	const char *const *never;       /* absolute: no directory that is or holds
	                                 * one of these becomes a workspace (home,
	                                 * the state directory); homes, temporary
	                                 * and system folders never do (read.c) */
	size_t n_never;
};
/* done gets evidence in the order asked, later, never NULL: on any failure what
 * was not answered is FILE_UNKNOWN, as are files after EVIDENCE_FILES_MAX. Many
 * asks may be under way. All memory and descriptors of ask are taken or copied
 * before it returns. */
void evidence_ask(struct evidence_room *r, const struct ev_ask *ask,
	void (*done)(void *arg, struct evidence *owned), void *arg);

/* The child's main: fd 0 is the socket. Returns an exit status. */
int evidence_child_main(void);

#endif
