/*
 * loop_proc.c - children: no shell, no inherited environment, no descriptor
 * that was not asked for.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/loop.h"
#include "base/loop_int.h"

#define LOOP_PROC_MAX_FDS 64

struct loop_proc {
	struct loop_obj obj;
	uv_process_t h;
	void (*exited)(void *arg, int status, int signo);
	void *arg;
	pid_t pid;
	bool alive;     /* not reaped: the pid is still its own */
	bool dropped;   /* its owner freed it */
};

static void loop_proc_exit(uv_process_t *h, int64_t status, int signo)
{
	struct loop_proc *p = h->data;

	p->alive = false;
	if (p->dropped) {
		loop_obj_close(&p->obj, (uv_handle_t *)h);
		return;
	}
	p->obj.l->ran = true;
	if (p->exited != NULL)
		p->exited(p->arg, (int)status, signo);
}

/* From loop_free(): no time left to wait for it (it may hang in a dead file
 * system); what is not reaped here, init reaps. */
static void loop_proc_close(struct loop_obj *o, uv_handle_t *h)
{
	struct loop_proc *p = h->data;

	if (p->alive) {
		kill(p->pid, SIGKILL);
		waitpid(p->pid, NULL, WNOHANG);
	}
	loop_obj_close(o, h);
}

/* Ours are O_CLOEXEC already; these are the ones that we were started with. */
static void loop_proc_seal(void)
{
	DIR *d;
	struct dirent *de;

	if (close_range(3, ~0U, CLOSE_RANGE_CLOEXEC) == 0)
		return;
	d = opendir("/proc/self/fd"); /* a kernel before 5.11 */
	if (d == NULL)
		fatal("cannot list our own descriptors: %s", strerror(errno));
	while ((de = readdir(d)) != NULL) {
		uint64_t fd;

		if (sv_u64(sv_of(de->d_name), &fd) && fd > 2 && fd < INT_MAX)
			(void)fcntl((int)fd, F_SETFD, FD_CLOEXEC);
	}
	closedir(d);
}

/* execvp(3), which libuv calls, hands a file that the kernel does not know to
 * /bin/sh. What we cannot read here, that shell could not read either. */
static bool loop_proc_is_program(const char *path)
{
	char head[4] = { 0 };
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	ssize_t n;

	if (fd < 0)
		return true; /* uv_spawn() says why */
	n = read(fd, head, sizeof head);
	close(fd);
	return n < 0 || memcmp(head, "\x7f" "ELF", 4) == 0 || memcmp(head, "#!", 2) == 0;
}

static int loop_proc_spawn(struct loop_proc *p, char *const argv[],
	char *const env[], const int *fds, int n_fds, int null_fd)
{
	static char *const no_env[] = { NULL };
	uv_stdio_container_t io[LOOP_PROC_MAX_FDS];
	uv_process_options_t o = { 0 };
	int n = n_fds < 3 ? 3 : n_fds;

	for (int i = 0; i < n; i++) {
		int fd = i < n_fds ? fds[i] : -1;

		io[i].flags = UV_INHERIT_FD;
		io[i].data.fd = fd >= 0 ? fd : null_fd;
	}
	o.exit_cb = loop_proc_exit;
	o.file = argv[0];
	o.args = (char **)(uintptr_t)argv;
	o.env = (char **)(uintptr_t)(env != NULL ? env : no_env);
	o.stdio = io;
	o.stdio_count = n;
	loop_proc_seal();
	return uv_spawn(&p->obj.l->uv, &p->h, &o);
}

struct loop_proc *loop_proc_new(struct loop *l, char *const argv[],
	char *const env[], const int *fds, int n_fds,
	void (*exited)(void *arg, int status, int signo), void *arg,
	struct err *e)
{
	struct loop_proc *p;
	int null_fd, r;

	if (argv[0] == NULL || argv[0][0] != '/' || n_fds < 0 ||
	    n_fds > LOOP_PROC_MAX_FDS) {
		err_set(e, "spawn", "not an absolute path: %s",
			argv[0] != NULL ? argv[0] : "(nothing)");
		return NULL;
	}
	if (!loop_proc_is_program(argv[0])) {
		err_set(e, "spawn", "%s is neither a program nor a script with #!", argv[0]);
		return NULL;
	}
	null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (null_fd < 0) {
		err_sys(e, "spawn", "cannot open /dev/null");
		return NULL;
	}
	p = xcalloc(1, sizeof *p);
	p->obj = (struct loop_obj){ l, loop_proc_close };
	p->exited = exited;
	p->arg = arg;
	p->h.data = p;
	r = loop_proc_spawn(p, argv, env, fds, n_fds, null_fd);
	close(null_fd);
	if (r != 0) {
		err_set(e, "spawn", "cannot start %s: %s", argv[0], uv_strerror(r));
		loop_obj_close(&p->obj, (uv_handle_t *)&p->h);
		return NULL;
	}
	p->pid = p->h.pid;
	p->alive = true;
	return p;
}

pid_t loop_proc_pid(const struct loop_proc *p)
{
	return p->pid;
}

void loop_proc_kill(struct loop_proc *p, int signo)
{
	if (p->alive)
		kill(p->pid, signo);
}

void loop_proc_free(struct loop_proc **pp)
{
	struct loop_proc *p = *pp;

	if (p == NULL)
		return;
	*pp = NULL;
	p->dropped = true;
	if (p->alive)
		kill(p->pid, SIGKILL); /* closed when reaped: no zombie */
	else
		loop_obj_close(&p->obj, (uv_handle_t *)&p->h);
}
