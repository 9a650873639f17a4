/*
 * scene.c - see bench.h: scratch folders, the hub, other programs.
 */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sock.h"
#include "tests/bench/bench.h"

extern char **environ;
struct bench_scene scene;

static void folder(char *out, size_t n, const char *name)
{
	int k = snprintf(out, n, "%s/%s", scene.dir, name);

	if (k < 0 || (size_t)k >= n || mkdir(out, 0700) != 0)
		bench_die("cannot make %s: %s", name, strerror(errno));
}

void bench_begin(void)
{
	const char *tmp = getenv("TMPDIR");
	char made[180], real[4096];

	snprintf(made, sizeof(made), "%s/bench-XXXXXX", tmp != NULL ? tmp : ".");
	if (mkdtemp(made) == NULL || realpath(made, real) == NULL ||
	    strlen(real) >= 80)     /* a socket's path has 107 bytes */
		bench_die("no scratch folder in %s; set TMPDIR to a short path on a disk",
			tmp != NULL ? tmp : "the current directory");
	snprintf(scene.dir, sizeof(scene.dir), "%s", real);
	folder(scene.state, sizeof(scene.state), "state");
	folder(scene.config, sizeof(scene.config), "config");
	folder(scene.work, sizeof(scene.work), "work");
	folder(scene.home, sizeof(scene.home), "home");
	snprintf(scene.console, sizeof(scene.console), "%s/console/sock", scene.state);
	snprintf(scene.agent, sizeof(scene.agent), "%s/agent/default/sock", scene.state);
	setenv("HOME", scene.home, 1);
	setenv("XDG_CONFIG_HOME", scene.home, 1);
	setenv("XDG_STATE_HOME", scene.home, 1);
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	setenv("LC_ALL", "C.UTF-8", 1);
	unsetenv("LANGUAGE");
	signal(SIGPIPE, SIG_IGN);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st, (void)type, (void)at;
	return remove(path);
}

int bench_end(void)
{
	bench_hub_stop();
	if (scene.dir[0] != '\0')
		nftw(scene.dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	scene.dir[0] = '\0';
	return bench_missed() ? 1 : 0;
}

void bench_write(const char *path, const void *bytes, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	const char *p = bytes;

	while (fd >= 0 && n > 0) {
		ssize_t k = write(fd, p, n);

		if (k < 0)
			break;
		p += k;
		n -= (size_t)k;
	}
	if (fd < 0 || n > 0)
		bench_die("cannot write %s: %s", path, strerror(errno));
	close(fd);
}

void bench_rules(const char *text)
{
	char path[300];

	snprintf(path, sizeof(path), "%s/rules", scene.config);
	bench_write(path, text, strlen(text));
}

pid_t bench_spawn(const char *const argv[], int in, int out, int err)
{
	const int from[3] = { in, out, err };
	posix_spawn_file_actions_t fa;
	posix_spawnattr_t at;
	sigset_t none;
	pid_t pid = -1;
	int rc;

	posix_spawn_file_actions_init(&fa);
	for (int i = 0; i < 3; i++) {
		if (from[i] < 0)
			posix_spawn_file_actions_addopen(&fa, i, "/dev/null", O_RDWR, 0);
		else
			posix_spawn_file_actions_adddup2(&fa, from[i], i);
	}
	sigemptyset(&none);
	sigaddset(&none, SIGPIPE);
	posix_spawnattr_init(&at);
	posix_spawnattr_setsigdefault(&at, &none);
	posix_spawnattr_setflags(&at, POSIX_SPAWN_SETSIGDEF);
	rc = posix_spawnp(&pid, argv[0], &fa, &at, (char *const *)(uintptr_t)argv, environ);
	posix_spawnattr_destroy(&at);
	posix_spawn_file_actions_destroy(&fa);
	if (rc != 0)
		bench_die("cannot run %s: %s", argv[0], strerror(rc));
	return pid;
}

int bench_wait(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			bench_die("waitpid: %s", strerror(errno));
	return status;
}

static bool listens(const char *path)
{
	struct err e = ERR_INIT;
	int s = sock_connect(path, &e);

	if (s >= 0)
		close(s);
	return s >= 0;
}

/* Why it did not start, on stderr: the folder will be gone. */
static void hub_log(const char *path)
{
	char b[4096];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, b, sizeof(b)) : 0;

	if (n > 0)
		fprintf(stderr, "%.*s", (int)n, b);
	if (fd >= 0)
		close(fd);
}

void bench_hub(void)
{
	const char *argv[] = { OBSTAT, "serve", "--state", scene.state, "--config",
		scene.config, NULL };
	char log[300];
	int fd;

	snprintf(log, sizeof(log), "%s/hub.log", scene.dir);
	fd = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	scene.hub = bench_spawn(argv, -1, -1, fd);
	close(fd);
	for (int i = 0; i < 1000; i++) {
		if (listens(scene.console) && listens(scene.agent))
			return;
		if (waitpid(scene.hub, NULL, WNOHANG) == scene.hub) {
			scene.hub = 0;
			break;
		}
		poll(NULL, 0, 10);
	}
	hub_log(log);
	bench_die("the hub did not start");
}

void bench_hub_stop(void)
{
	pid_t pid = scene.hub;

	if (pid <= 0)
		return;
	scene.hub = 0;
	kill(pid, SIGTERM);
	bench_wait(pid);
}
