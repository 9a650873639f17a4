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

/* What "obstat" alone does. */
static const char default_command[] = "console";

static const struct cli_cmd *find(const char *name)
{
	for (size_t i = 0; i < n_cli_cmds; i++)
		if (strcmp(cli_cmds[i].name, name) == 0)
			return &cli_cmds[i];
	return NULL;
}

static void usage(FILE *to)
{
	fputs(_("usage: obstat COMMAND [OPTION]... [ARGUMENT]...\n\n"), to);
	for (size_t i = 0; i < n_cli_cmds; i++)
		fprintf(to, "  %-10s %s\n", cli_cmds[i].name, _(cli_cmds[i].help));
	fputs(_("\n\"obstat COMMAND --help\" shows its options; obstat(1) has all.\n"), to);
}

/* The name that has most of its beginning in common with what was typed. */
static const char *nearest(const char *typed)
{
	const char *best = NULL;
	size_t most = 0;

	for (size_t i = 0; i < n_cli_cmds; i++) {
		size_t n = 0;

		while (typed[n] != '\0' && typed[n] == cli_cmds[i].name[n])
			n++;
		if (n > most) {
			most = n;
			best = cli_cmds[i].name;
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
