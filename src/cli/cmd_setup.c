/*
 * cmd_setup.c - obstat setup claude
 */
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/i18n.h"
#include "cli/cli.h"
#include "cli/self.h"
#include "cli/setup_claude.h"

enum { O_STATE, O_CONFIG, O_USER, O_UNDO, O_YES, O_DRY, O_LINK };
const struct cli_opt cmd_setup_opts[] = {
	CLI_OPT_STATE, CLI_OPT_CONFIG,
	{ "user", 0, NULL, N_("your own settings only: advisory, an agent can undo "
		"it") },
	{ "undo", 0, NULL, N_("take it out again") },
	{ "yes", 'y', NULL, N_("do not ask") },
	{ "dry-run", 'n', NULL, N_("show the change, make none") },
	{ "link-user", 0, N_("NAME"), N_("only make the link to NAME's hub (root)") },
	{ NULL, 0, NULL, NULL },
};

static bool yes(const struct cli_args *a, const char *question)
{
	char line[16];

	if (a->value[O_YES] != NULL)
		return true;
	if (!isatty(STDIN_FILENO)) {
		cli_fail(_("nothing was changed: answer on a terminal, or use --yes"));
		return false;
	}
	printf("%s [y/N] ", question);
	fflush(stdout);
	return fgets(line, sizeof(line), stdin) != NULL &&
		(line[0] == 'y' || line[0] == 'Y' || line[0] == _("yes")[0]);
}

/* Whose hub the managed hooks shall find first: the person behind sudo. */
static const char *person(void)
{
	const char *sudo = getenv("SUDO_USER");
	const struct passwd *pw;

	if (sudo != NULL && sudo[0] != '\0')
		return sudo;
	pw = getpwuid(getuid());
	return pw != NULL ? pw->pw_name : "root";
}

static int link_user(const struct cli_args *a, const struct paths *p,
	const char *user, bool say)
{
	struct err e = ERR_INIT;
	char socket[600];
	uid_t uid;

	if (setup_link_of(user, &uid, socket, sizeof(socket), &e) != 0)
		return cli_fail_err(&e);
	/* Our own, or told: wherever this command line puts the state. */
	if ((uid == getuid() || a->value[O_STATE] != NULL) && paths_agent_sock(p, "claude", socket, sizeof(socket),
	    &e) != 0)
		return cli_fail_err(&e);
	if (a->value[O_DRY] != NULL)
		return CLI_YES;
	if (setup_link(uid, socket, &e) != 0)
		return cli_fail_err(&e);
	if (say)
		printf("%s/%u -> %s\n", CLAUDE_LINK_DIR, (unsigned)uid, socket);
	return CLI_YES;
}

static void say_advisory(void)
{
	puts(_("\nADVISORY: with your own settings an agent can switch these hooks off "
		"(disableAllHooks,\n--settings, its own HOME). For hooks that hold: sudo "
		"obstat setup claude"));
}

static void say_done(const struct setup_plan *pl)
{
	struct claude_state st;

	claude_state_managed(CLAUDE_MANAGED_DIR, &st);
	if (pl->managed && st.faults != 0)
		cli_fail(_("this set-up does not hold yet: %s"), st.said);
	if (pl->managed)
		printf(_("done: %s\nEvery user of this machine needs a hub and a link: "
			"\"obstat\" starts the hub, and as root\n\"obstat setup claude "
			"--link-user NAME\" makes the link. Without them Claude Code's "
			"tools are denied.\n"), pl->file);
	else
		printf(_("done: %s\n"), pl->file);
	puts(_("Sessions that already run keep their old hooks: start them again."));
}

static int others(const struct cli_args *a, const struct setup_plan *pl)
{
	char cwd[600];
	const struct passwd *pw = getpwnam(person());
	size_t n;

	if (!pl->managed || a->value[O_UNDO] != NULL)
		return 0;
	n = setup_others(pw != NULL ? pw->pw_dir : NULL,
		getcwd(cwd, sizeof(cwd)) != NULL ? cwd : NULL);
	if (n == 0)
		return 0;
	printf(P_("allowManagedHooksOnly switches off the hook above.\n",
		"allowManagedHooksOnly switches off the %zu hooks above.\n", n), n);
	return 0;
}

static int apply(const struct cli_args *a, const struct setup_plan *pl)
{
	bool undo = a->value[O_UNDO] != NULL;
	struct err e = ERR_INIT;
	struct buf before, after;
	int rc = CLI_FAIL;

	buf_init(&before, CLAUDE_SETTINGS_MAX);
	buf_init(&after, 2 * CLAUDE_SETTINGS_MAX);
	if (setup_texts(pl, undo, &before, &after, &e) != 0) {
		cli_fail_err(&e);
		goto out;
	}
	rc = CLI_YES;
	if (sv_eq(buf_sv(&before), buf_sv(&after))) {
		puts(undo ? _("there is nothing of obstat's to take out") :
			_("nothing to change"));
		goto out;
	}
	setup_show(pl, buf_sv(&before), buf_sv(&after));
	others(a, pl);
	if (!pl->managed && !undo)
		say_advisory();
	if (a->value[O_DRY] != NULL)
		goto out;
	rc = CLI_NO;
	if (!yes(a, _("Make this change?")))
		goto out;
	rc = CLI_YES;
	if (setup_write(pl, undo, buf_sv(&before), buf_sv(&after), &e) != 0)
		rc = cli_fail_err(&e);
	else if (!undo)
		say_done(pl);
out:
	buf_free(&before);
	buf_free(&after);
	return rc;
}

int cmd_setup(const struct cli_args *a)
{
	bool managed = a->value[O_USER] == NULL;
	struct err e = ERR_INIT;
	struct setup_plan pl;
	struct paths p;
	int rc;

	if (strcmp(a->rest[0], "claude") != 0)
		return cli_misuse(a->cmd, _("setup knows \"claude\""));
	if (paths_get(&p, a->value[O_STATE], a->value[O_CONFIG], &e) != 0)
		return cli_fail_err(&e);
	if (managed && geteuid() != 0 && a->value[O_UNDO] != NULL && a->value[O_DRY] == NULL)
		return cli_fail(_("managed settings are root's: run \"sudo obstat setup "
			"claude --undo\" (or add --user for your own)"));
	if (managed && geteuid() != 0 && a->value[O_DRY] == NULL)
		return cli_fail(_("managed settings are root's: run \"sudo obstat setup "
			"claude\" (or --user for an advisory set-up)"));
	if (a->value[O_LINK] != NULL)
		return link_user(a, &p, a->value[O_LINK], true);
	if (setup_plan(&pl, &p, cli_self_dir(), managed, &e) != 0)
		return cli_fail_err(&e);
	rc = apply(a, &pl);
	if (rc == CLI_YES && managed && a->value[O_UNDO] == NULL)
		rc = link_user(a, &p, person(), true);
	else if (rc == CLI_YES && managed && a->value[O_DRY] == NULL)
		setup_unlink();
	return rc;
}
