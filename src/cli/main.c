/*
 * main.c - obstat: finds the subcommand's row and runs it.
 */
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "cli/cli.h"
#include "config.h"
#include "evidence/evidence.h"

/* One row a subcommand, in the order help shows them. */
static const struct cli_cmd commands[] = {
	{ "console", "", N_("open the console (what \"obstat\" alone does)"),
		cmd_console_opts, 0, 0, cmd_console },
	{ "status", "", N_("say whether a hub runs and what waits"),
		cmd_status_opts, 0, 0, cmd_status },
	{ "ls", "", N_("list what waits"), cmd_ls_opts, 0, 0, cmd_ls },
	{ "serve", "", N_("run the hub"), cmd_serve_opts, 0, 0, cmd_serve },
	{ "stop", "", N_("end the hub; what waits comes back to the next one"),
		cmd_stop_opts, 0, 0, cmd_stop },
	{ "reload", "", N_("read the rules files again"), cmd_reload_opts, 0, 0,
		cmd_reload },
	{ "log", "", N_("list what was asked and how it ended"),
		cmd_log_opts, 0, 0, cmd_log },
	{ "show", N_("ID"), N_("show one action: facts, life, and what was drawn"),
		cmd_show_opts, 1, 1, cmd_show },
	{ "verify", "", N_("check that the record was not changed"),
		cmd_verify_opts, 0, 0, cmd_verify },
	{ "rules", N_("check [FILE] | list"), N_("check rules files, list what holds"),
		cmd_rules_opts, 1, 2, cmd_rules },
	{ "setup", N_("claude"), N_("put obstat's hooks into a runtime's settings"),
		cmd_setup_opts, 1, 1, cmd_setup },
	{ "demo", "", N_("see it at work, in a folder of its own"), cmd_demo_opts, 0, 0,
		cmd_demo },
	{ "doctor", "", N_("say what is missing or weak, and what mends it"),
		cmd_doctor_opts, 0, 0, cmd_doctor },
};
#define N_COMMANDS (sizeof(commands) / sizeof(commands[0]))

/* What "obstat" alone does. */
static const char default_command[] = "console";

static const struct cli_cmd *find(const char *name)
{
	for (size_t i = 0; i < N_COMMANDS; i++)
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	return NULL;
}

static void usage(FILE *to)
{
	fputs(_("usage: obstat COMMAND [OPTION]... [ARGUMENT]...\n\n"), to);
	for (size_t i = 0; i < N_COMMANDS; i++)
		fprintf(to, "  %-10s %s\n", commands[i].name, _(commands[i].help));
	fputs(_("\n\"obstat COMMAND --help\" shows its options; obstat(1) has all.\n"), to);
}

/* The name that has most of its beginning in common with what was typed. */
static const char *nearest(const char *typed)
{
	const char *best = NULL;
	size_t most = 0;

	for (size_t i = 0; i < N_COMMANDS; i++) {
		size_t n = 0;

		while (typed[n] != '\0' && typed[n] == commands[i].name[n])
			n++;
		if (n > most) {
			most = n;
			best = commands[i].name;
		}
	}
	return best;
}

static int unknown(const char *typed)
{
	const char *near = nearest(typed);

	if (near != NULL)
		cli_fail(_("there is no command \"%.64s\"; did you mean \"%s\"?"), typed,
			near);
	else
		cli_fail(_("there is no command \"%.64s\""), typed);
	return cli_fail(_("try \"obstat --help\""));
}

static void speak(void)
{
	/* Not LC_NUMERIC: JSON and the record know one decimal point. */
	setlocale(LC_CTYPE, "");
	setlocale(LC_MESSAGES, "");
	setlocale(LC_TIME, "");
	bindtextdomain("obstat", LOCALEDIR);
	bind_textdomain_codeset("obstat", "UTF-8");
	textdomain("obstat");
}

int main(int argc, char **argv)
{
	const struct cli_cmd *c;
	struct cli_args a;
	int rc;

	/* The hub's own child; not a command for people. */
	if (argc == 2 && strcmp(argv[1], "evidence-process") == 0)
		return evidence_child_main();
	speak();
	if (argc > 1 && strcmp(argv[1], "--help") == 0) {
		usage(stdout);
		return cli_finish(CLI_YES);
	}
	if (argc > 1 && strcmp(argv[1], "--version") == 0) {
		puts(PACKAGE_STRING);
		return cli_finish(CLI_YES);
	}
	/* "obstat --state DIR" is the console with an option. */
	if (argc < 2 || argv[1][0] == '-') {
		c = find(default_command);
		if (c == NULL && argc > 1)
			return unknown(argv[1]);
		if (c == NULL) {
			usage(stderr);
			return CLI_FAIL;
		}
		rc = cli_parse(c, argc - 1, argv + 1, &a);
	} else {
		c = find(argv[1]);
		if (c == NULL)
			return unknown(argv[1]);
		rc = cli_parse(c, argc - 2, argv + 2, &a);
	}
	if (rc != CLI_YES)
		return cli_finish(rc - CLI_STOP);
	return cli_finish(c->run(&a));
}
