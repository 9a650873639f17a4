/*
 * cmd_console.c - obstat alone: starts a hub when none runs, and attaches.
 */
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/i18n.h"
#include "cli/cli.h"
#include "cli/hubline.h"
#include "cli/self.h"
#include "console/console.h"

enum { O_STATE, O_CONFIG, O_THEME };
const struct cli_opt cmd_console_opts[] = {
	CLI_OPT_STATE, CLI_OPT_CONFIG,
	{ "theme", 0, N_("NAME"), N_("the theme's name or file") },
	{ NULL, 0, NULL, NULL },
};

void cli_speak_utf8(void)
{
	if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
		setlocale(LC_CTYPE, "C.UTF-8");
}

int cmd_console(const struct cli_args *a)
{
	const char *no_color = getenv("NO_COLOR");
	struct console_options o = { .theme = a->value[O_THEME] };
	char themes[600];
	struct err e = ERR_INIT;
	struct paths p;

	if (paths_get(&p, a->value[O_STATE], a->value[O_CONFIG], &e) != 0)
		return cli_fail_err(&e);
	if (!isatty(STDOUT_FILENO))
		return cli_fail(_("the console needs a terminal; to list what waits: "
			"obstat ls"));
	if (hub_start(&p, cli_self(), &e) != 0)
		return cli_fail_err(&e);
	cli_speak_utf8();
	snprintf(themes, sizeof(themes), "%s/themes", p.config);
	o.socket = p.console_sock;
	o.theme_dir = themes;
	o.no_colour = no_color != NULL && no_color[0] != '\0';
	return console_main(&o) == 0 ? CLI_YES : CLI_FAIL;
}
