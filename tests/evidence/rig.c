/* rig.c - see rig.h. */
#include "tests/evidence/rig.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/check.h"

struct evidence_room *rig_room;
struct loop *rig_loop;
char rig_top[256];
static struct evidence *last;

const char *rig_path(const char *fmt, ...)
{
	static char bufs[8][600];
	static unsigned next;
	char *b = bufs[next++ % 8];
	int n = snprintf(b, 600, "%s/", rig_top);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(b + n, 600 - (size_t)n, fmt, ap);
	va_end(ap);
	return b;
}

void rig_write(const char *path, const char *text)
{
	FILE *f = fopen(path, "we");

	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

void rig_sh(const char *fmt, ...)
{
	char cmd[2048], all[4096];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(cmd, sizeof(cmd), fmt, ap);
	va_end(ap);
	snprintf(all, sizeof(all), "cd '%s' && export HOME=/nonexistent "
		"GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null "
		"GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@localhost "
		"GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@localhost && "
		"git() { command git -c init.defaultBranch=main "
		"-c protocol.file.allow=always \"$@\"; } && { %s; } >log 2>&1",
		rig_top, cmd);
	if (system(all) != 0)
		fail_msg("failed: %s", cmd);
}

bool rig_have_git(void)
{
	return system("git --version >/dev/null 2>&1") == 0;
}

void rig_new(const char *child)
{
	const char *tmp = getenv("TMPDIR");
	char dir[256];
	struct err e = ERR_INIT;

	snprintf(dir, sizeof(dir), "%.150s/obstat-evidence.XXXXXX", tmp != NULL ? tmp : "/tmp");
	assert_non_null(mkdtemp(dir));
	assert_non_null(realpath(dir, rig_top));
	rig_loop = loop_new();
	rig_room = evidence_room_new(rig_loop, child, &e);
	if (rig_room == NULL)
		fail_msg("%s", e.text);
}

void rig_free(void)
{
	char cmd[600];

	evidence_free(&last);
	evidence_room_free(&rig_room);
	loop_free(&rig_loop);
	snprintf(cmd, sizeof(cmd), "chmod -R u+rwx '%s' && rm -rf '%s'", rig_top, rig_top);
	assert_int_equal(system(cmd), 0);
}

static void answered(void *arg, struct evidence *ev)
{
	struct evidence **out = arg;

	assert_non_null(ev);
	assert_null(*out);
	*out = ev;
}

void rig_start(const struct ev_ask *ask, struct evidence **out)
{
	*out = NULL;
	evidence_ask(rig_room, ask, answered, out);
}

void rig_wait(struct evidence *const *out)
{
	while (*out == NULL)
		loop_turn(rig_loop, true);
}

struct evidence *rig_ask(struct ev_ask ask)
{
	const char *ws[] = { rig_top };

	if (ask.workspaces == NULL && ask.cwd == NULL) {
		ask.workspaces = ws;
		ask.n_workspaces = 1;
	}
	if (ask.cwd == NULL)
		ask.cwd_fd = -1;
	evidence_free(&last);
	rig_start(&ask, &last);
	rig_wait(&last);
	assert_true(last->complete);
	return last;
}

const struct ev_file *rig_file(const char *path)
{
	struct ev_ask_file f = { .path = path, .fd = -1, .dir_fd = -1,
		.want_content = true, .want_git = true };
	struct evidence *ev = rig_ask((struct ev_ask){ .files = &f, .n_files = 1,
		.self_open = true });

	assert_int_equal(ev->n_files, 1);
	assert_true(sv_eqs(ev->files[0].path, path));
	return &ev->files[0];
}

pid_t rig_child(void)
{
	DIR *d = opendir("/proc");
	struct dirent *e;
	pid_t found = 0;

	while ((e = readdir(d)) != NULL) {
		char path[300], line[600];
		int parent = 0;
		FILE *f;

		snprintf(path, sizeof(path), "/proc/%.200s/stat", e->d_name);
		f = e->d_name[0] > '0' && e->d_name[0] <= '9' ? fopen(path, "re") : NULL;
		if (f == NULL)
			continue;
		if (fgets(line, sizeof(line), f) != NULL && strrchr(line, ')') != NULL &&
		    sscanf(strrchr(line, ')'), ") %*c %d", &parent) == 1 &&
		    parent == getpid() && strstr(line, ") Z ") == NULL)
			found = atoi(e->d_name);
		fclose(f);
	}
	closedir(d);
	return found;
}

int rig_fds(void)
{
	DIR *d = opendir("/proc/self/fd");
	int n = 0;

	while (readdir(d) != NULL)
		n++;
	closedir(d);
	return n;
}
