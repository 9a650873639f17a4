/*
 * detach.c - see detach.h.
 */
#include "hub/detach.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"

struct detach_word {
	int status;
	char text[480];
};

static int detach_wait(int fd, pid_t child)
{
	struct detach_word w = { .status = 1 };
	ssize_t n;

	while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	do
		n = read(fd, &w, sizeof w);
	while (n < 0 && errno == EINTR);
	close(fd);
	if (n != (ssize_t)sizeof w) {
		fprintf(stderr, "obstat: the hub ended before it was ready; "
			"see its log\n");
		return 1;
	}
	w.text[sizeof w.text - 1] = '\0';
	if (w.status != 0)
		fprintf(stderr, "obstat: %s\n", w.text);
	return w.status;
}

/* Not the caller's terminal, directory or descriptors. */
static void detach_let_go(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int i = 0; null >= 0 && i < 3; i++)
		dup2(null, i);
	if (null > 2)
		close(null);
	if (chdir("/") != 0)
		log_warn("cannot leave the working directory");
}

bool detach_fork(struct detach *d, int *status)
{
	int p[2];
	pid_t pid;

	if (pipe2(p, O_CLOEXEC) != 0 || (pid = fork()) < 0) {
		fprintf(stderr, "obstat: cannot start a process: %s\n",
			strerrordesc_np(errno));
		*status = 1;
		return true;
	}
	if (pid > 0) {
		close(p[1]);
		*status = detach_wait(p[0], pid);
		return true;
	}
	close(p[0]);
	setsid();
	pid = fork();
	if (pid != 0)
		_exit(pid < 0);
	d->fd = p[1];
	detach_let_go();
	return false;
}

void detach_ready(struct detach *d, int status, const char *text)
{
	struct detach_word w = { .status = status };
	ssize_t n;

	if (d->fd < 0)
		return;
	snprintf(w.text, sizeof w.text, "%s", text);
	do
		n = write(d->fd, &w, sizeof w);
	while (n < 0 && errno == EINTR);
	close(d->fd);
	d->fd = -1;
}
