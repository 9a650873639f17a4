/*
 * cmd_demo.c - obstat demo: everything real but the agent and, where there is
 * no terminal, the person. It lies in a folder of its own, opens no network
 * connection and reads no file of yours; nothing that is approved is carried
 * out. Its hub and its agent end with it.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fs.h"
#include "base/i18n.h"
#include "base/sock.h"
#include "cli/act.h"
#include "cli/cli.h"
#include "cli/demo.h"
#include "cli/self.h"
#include "console/console.h"
#include "hub/hub.h"

#define HUB_START_MS 10000
#define HEAR_MS 15000
#define TMPDIR_MAX 60          /* a socket's path has 107 bytes at most */

enum { OPT_SCRIPT };
const struct cli_opt cmd_demo_opts[] = {
	[OPT_SCRIPT] = { "script", 0, NULL,
		N_("play the person too, although there is a terminal") },
	{ NULL, 0, NULL, NULL },
};

volatile sig_atomic_t demo_stopped;
static volatile sig_atomic_t hub_pid, agent_pid;

/* ---- children, and their end ---- */

/* When the hub is gone, everything that waits for it comes back with that. */
static void on_signal(int signo)
{
	int saved = errno;

	demo_stopped = signo;
	if (agent_pid > 0)
		kill((pid_t)agent_pid, SIGTERM);
	if (hub_pid > 0)
		kill((pid_t)hub_pid, SIGTERM);
	errno = saved;
}

static void catch_signals(void)
{
	static const int signos[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction sa = { .sa_handler = on_signal };

	sigemptyset(&sa.sa_mask);
	for (size_t i = 0; i < sizeof(signos) / sizeof(signos[0]); i++)
		sigaction(signos[i], &sa, NULL);
}

/* 0 in the child, which dies with its parent and hears no key of its
 * terminal. */
static pid_t child(void)
{
	pid_t parent = getpid(), pid;

	fflush(NULL);
	pid = fork();
	if (pid != 0)
		return pid;
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(1);
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	return 0;
}

static void to_null(int fd, int flags)
{
	int null = open("/dev/null", flags | O_CLOEXEC);

	if (null >= 0)
		dup2(null, fd);
}

static int start_hub(struct demo *d, struct err *e)
{
	uint64_t until = clock_boot_ms() + HUB_START_MS;

	d->hub = child();
	if (d->hub < 0)
		return err_sys(e, "fork", "fork");
	if (d->hub == 0) {
		struct hub_options o = { .paths = d->paths, .self = cli_self() };

		to_null(STDIN_FILENO, O_RDONLY);
		to_null(STDOUT_FILENO, O_WRONLY);
		_exit(hub_main(&o));
	}
	hub_pid = d->hub;
	while (clock_boot_ms() < until && !demo_stopped) {
		struct err none = ERR_INIT;
		int fd = sock_connect(d->agent_sock, &none);

		if (fd >= 0) {
			close(fd);
			return 0;
		}
		if (waitpid(d->hub, NULL, WNOHANG) == d->hub) {
			hub_pid = d->hub = 0;
			break;
		}
		poll(NULL, 0, 5);
	}
	return err_set(e, "hub_start", _("the demo's hub did not start; see %s/log"),
		d->paths.state);
}

static int start_agent(struct demo *d, struct err *e)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC) != 0)
		return err_sys(e, "pipe", "pipe");
	d->agent = child();
	if (d->agent == 0) {
		signal(SIGPIPE, SIG_IGN);
		to_null(STDIN_FILENO, O_RDONLY);
		to_null(STDOUT_FILENO, O_WRONLY);
		_exit(demo_agent_run(d->agent_sock, d->work, fds[1]));
	}
	close(fds[1]);
	d->answers = fds[0];
	if (d->agent < 0)
		return err_sys(e, "fork", "fork");
	agent_pid = d->agent;
	return 0;
}

/* What the agent was told, up to its end: which is made, when it does not come
 * by itself. */
static void hear_agent(struct demo *d)
{
	uint64_t until = clock_boot_ms() + HEAR_MS;
	char block[4096];
	ssize_t n = 1;

	while (d->answers >= 0 && n != 0) {
		struct pollfd p = { d->answers, POLLIN, 0 };
		uint64_t now = clock_boot_ms();

		if (now >= until)
			break;
		if (poll(&p, 1, (int)(until - now)) <= 0)
			continue;
		n = read(d->answers, block, sizeof(block));
		if (n > 0)
			buf_add(&d->told, block, (size_t)n);
	}
	if (d->answers >= 0)
		close(d->answers);
	d->answers = -1;
}

static void end_child(pid_t *pid, volatile sig_atomic_t *known)
{
	pid_t p = *pid;

	if (p <= 0)
		return;
	kill(p, SIGTERM);
	while (waitpid(p, NULL, 0) < 0 && errno == EINTR)
		;
	*known = 0;
	*pid = 0;
}

/* ---- the folder ---- */

static int put_file(const char *dir, const char *name, const char *text, struct err *e)
{
	char *path = xasprintf("%s/%s", dir, name);
	char *slash = strrchr(path, '/');
	int rc;

	*slash = '\0';
	rc = fs_mkdirs(path, 0700, e);
	*slash = '/';
	if (rc == 0)
		rc = fs_write_atomic(path, sv_of(text), 0644, e);
	free(path);
	return rc;
}

/* A work tree of git's without a commit: nothing in it can be got back. */
static int make_work(struct demo *d, struct err *e)
{
	char *objects = xasprintf("%s/.git/objects", d->work);
	char *refs = xasprintf("%s/.git/refs", d->work);
	int rc = 0;

	if (fs_mkdirs(objects, 0700, e) != 0 || fs_mkdirs(refs, 0700, e) != 0 ||
	    put_file(d->work, ".git/HEAD", "ref: refs/heads/main\n", e) != 0)
		rc = -1;
	for (size_t i = 0; rc == 0 && i < n_demo_files; i++)
		rc = put_file(d->work, demo_files[i].path, demo_files[i].text, e);
	free(objects);
	free(refs);
	return rc;
}

/* Not the user's home and not the machine's rules: only what is in here. */
static int make_paths(struct demo *d, struct err *e)
{
	char state[600], config[600];

	snprintf(state, sizeof(state), "%s/state", d->dir);
	snprintf(config, sizeof(config), "%s/config", d->dir);
	if (paths_get(&d->paths, state, config, e) != 0)
		return -1;
	d->paths.system_rules[0] = '\0';
	if (snprintf(d->paths.home, sizeof(d->paths.home), "%s/home", d->dir) >=
	    (int)sizeof(d->paths.home))
		return err_set(e, "path_long", _("the name of TMPDIR is too long"));
	if (fs_mkdirs(d->paths.home, 0700, e) != 0 ||
	    fs_mkdirs(config, 0700, e) != 0 ||
	    fs_write_atomic(d->paths.user_rules, sv_of(demo_rules), 0600, e) != 0)
		return -1;
	return paths_agent_sock(&d->paths, DEMO_AGENT, d->agent_sock,
		sizeof(d->agent_sock), e);
}

static int make_folder(struct demo *d, struct err *e)
{
	const char *tmp = getenv("TMPDIR");
	char name[TMPDIR_MAX + 32], *real;

	if (tmp == NULL || tmp[0] != '/' || strlen(tmp) > TMPDIR_MAX)
		tmp = "/tmp";
	snprintf(name, sizeof(name), "%s/obstat-demo-XXXXXX", tmp);
	if (mkdtemp(name) == NULL)
		return err_sys(e, "demo_dir", _("no folder could be made in %s"), tmp);
	real = realpath(name, NULL);
	snprintf(d->dir, sizeof(d->dir), "%s", real != NULL ? real : name);
	free(real);
	snprintf(d->work, sizeof(d->work), "%s/work", d->dir);
	return make_work(d, e) != 0 ? -1 : make_paths(d, e);
}

/* ---- with a terminal ---- */

/* False when the person would rather not. */
static bool intro(const struct demo *d)
{
	FILE *tty = fopen("/dev/tty", "r+e");
	int c;

	if (tty == NULL)
		return false;
	fprintf(tty, _("This is a demo. A scripted agent, \"%s\", asks for %zu things "
		"through a hub of its own.\nNothing that you approve is carried out. "
		"All of it lies in %s.\n\n"), DEMO_AGENT, n_demo_actions, d->dir);
	fputs(_("  Enter  opens an action       a  approves it, once you have seen it all\n"
		"  d      denies it             ?  lists all keys       q  ends the demo\n\n"
		"Deny the force-push and see how the agent tries again.\n"
		"Press Enter to open the console: "), tty);
	fflush(tty);
	do
		c = fgetc(tty);
	while (c != '\n' && c != EOF);
	fclose(tty);
	return c == '\n' && !demo_stopped;
}

static int with_terminal(struct demo *d, struct err *e)
{
	const char *no_colour = getenv("NO_COLOR");
	struct console_options o = { .socket = d->paths.console_sock,
		.no_colour = no_colour != NULL && no_colour[0] != '\0' };
	int rc;

	if (!intro(d))
		return err_set(e, "demo", _("the demo was ended"));
	if (start_hub(d, e) != 0 || start_agent(d, e) != 0)
		return -1;
	cli_speak_utf8();
	rc = console_main(&o);
	catch_signals();             /* the console gave them back */
	end_child(&d->agent, &agent_pid);
	hear_agent(d);
	end_child(&d->hub, &hub_pid);
	return rc == 0 ? 0 : err_set(e, "demo", _("the console ended with an error"));
}

static int with_terminal_end(const struct demo *d)
{
	struct cli_args a = { .value = { d->paths.state } };
	int rc;

	puts(_("What was asked, and how it ended:"));
	rc = cmd_log(&a);
	return rc == CLI_YES ? cmd_verify(&a) : rc;
}

/* ---- without one ---- */

static int scripted(struct demo *d, struct err *e)
{
	int rc;

	if (start_hub(d, e) != 0)
		return -1;
	printf(_("obstat demo: a scripted agent (\"%s\"), a scripted person, a real hub.\n"
		"DEMO stands for this run's folder. Nothing that is approved is carried "
		"out.\n"), DEMO_AGENT);
	if (start_agent(d, e) != 0)
		return -1;
	rc = demo_person_run(d, e);
	if (rc != 0)
		end_child(&d->agent, &agent_pid);
	hear_agent(d);
	end_child(&d->agent, &agent_pid);
	end_child(&d->hub, &hub_pid);
	return rc;
}

static int scripted_end(const struct demo *d)
{
	struct err e = ERR_INIT;
	struct reader *r;
	uint64_t n = 0, bad = 0;
	int rc;

	demo_print_told(d);
	if (demo_print_record(d, &e) != 0)
		return cli_fail_err(&e);
	r = reader_open(d->paths.state, &e);
	rc = r != NULL ? reader_verify(r, &n, &bad, &e) : -1;
	reader_close(&r);
	if (rc != 0)
		return cli_fail(_("the record does not hold: %s"), e.text);
	puts(_("\nThe record lies in DEMO/state and was verified: its chain holds."));
	return CLI_YES;
}

/* ---- the command ---- */

/* The space kept for a full disk is of no use to a record that is closed. */
static void drop_reserve(const struct demo *d)
{
	char path[600];

	snprintf(path, sizeof(path), "%s/reserve", d->paths.state);
	unlink(path);
}

int cmd_demo(const struct cli_args *a)
{
	struct demo d = { .answers = -1 };
	struct err e = ERR_INIT;
	int tty = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
	bool real = tty >= 0 && cli_is_tty() && a->value[OPT_SCRIPT] == NULL;
	int rc;

	if (tty >= 0)
		close(tty);
	buf_init(&d.told, 1u << 20);
	catch_signals();
	if (make_folder(&d, &e) != 0)
		return cli_fail_err(&e);
	rc = real ? with_terminal(&d, &e) : scripted(&d, &e);
	end_child(&d.agent, &agent_pid);
	hear_agent(&d);
	end_child(&d.hub, &hub_pid);
	drop_reserve(&d);
	if (demo_stopped)
		rc = cli_fail(_("the demo was ended"));
	else if (rc != 0)
		rc = cli_fail_err(&e);
	else
		rc = real ? with_terminal_end(&d) : scripted_end(&d);
	fflush(stdout);
	fprintf(stderr, _("To look at the record again: obstat log --state %s/state\n"
		"It is yours to keep, or to delete: rm -r %s\n"), d.dir, d.dir);
	buf_free(&d.told);
	return rc;
}
