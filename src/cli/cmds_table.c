/*
 * cmds_table.c - the subcommands: one row each, in the order help shows them.
 */
#include "base/i18n.h"
#include "cli/cli.h"

const struct cli_cmd cli_cmds[] = {
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
const size_t n_cli_cmds = sizeof(cli_cmds) / sizeof(cli_cmds[0]);
