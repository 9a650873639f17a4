/*
 * cli.h - what the subcommands of obstat share: a row a subcommand, a row an
 * option, and the ways out to a terminal.
 *
 * A new subcommand is a file cmd_NAME.c, its table of options and its run
 * function named here, and one row in cmds_table.c. Usage, help, "did you mean"
 * and obstat(1)'s list come from the rows.
 * Frees: see each function. Must not include: anything that is not public.
 *
 * Exit status: 0 yes; 1 no (not found, does not hold, refused); 2 could not
 * be done or was not understood.
 */
#ifndef OBSTAT_CLI_CLI_H
#define OBSTAT_CLI_CLI_H

#include <stdio.h>

#include "base/err.h"
#include "base/mem.h"

#define CLI_YES 0
#define CLI_NO 1
#define CLI_FAIL 2

/* An option: --NAME, and -LETTER unless 0. arg (N_(), NULL for a flag) names
 * its value in the usage text. A table ends with a row whose name is NULL. */
#define CLI_OPTS_MAX 16
struct cli_opt {
	const char *name;
	char letter;
	const char *arg;
	const char *help;          /* N_() */
};
/* Every command that touches the state directory begins its table with it. */
#define CLI_OPT_STATE { "state", 0, N_("DIR"), N_("the state directory") }
#define CLI_OPT_CONFIG { "config", 0, N_("DIR"), N_("the configuration directory") }

/* A parsed command line: value[i] belongs to row i of the command's options;
 * NULL when not given, "" for a flag that was. */
struct cli_args {
	const struct cli_cmd *cmd;
	const char *value[CLI_OPTS_MAX];
	char **rest;               /* what is not an option */
	int n_rest;
};
struct cli_cmd {
	const char *name;
	const char *args;          /* N_(), after the options; "" none */
	const char *help;          /* N_(), one line */
	const struct cli_opt *opts;
	int min_rest, max_rest;    /* how many args; max -1: any number */
	int (*run)(const struct cli_args *a);
};
extern const struct cli_cmd cli_cmds[];
extern const size_t n_cli_cmds;
/* args.c. CLI_YES: parsed, run it. Any other value is the exit status plus
 * one hundred: --help was printed, or an error was. */
#define CLI_STOP 100
int cli_parse(const struct cli_cmd *c, int argc, char **argv, struct cli_args *a);
void cli_usage(const struct cli_cmd *c, FILE *to);
/* "obstat: text" on stderr, escaped; returns CLI_FAIL. */
int cli_fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
int cli_fail_err(const struct err *e);
/* Usage error: the text, then where help is. */
int cli_misuse(const struct cli_cmd *c, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* out.c. Cells of the terminal on stdout; 0 when it is not one. */
size_t cli_width(void);
bool cli_is_tty(void);
/* Writes all of b, which must have passed the escaper, to stdout. */
void cli_put(const struct buf *b);
/* Outside bytes as one line, whole, escaped. */
void cli_add(struct buf *b, struct sv s);
/* A cell of a table: cut at w with a mark; padded unless last. */
void cli_cell(struct buf *b, struct sv s, size_t w, bool last);
/* "12s", "2m", "1h 4m", "3d 2h". */
void cli_span(int64_t ms, char *out, size_t n);
/* 0 if stdout took everything; to be the last thing a command does. */
int cli_finish(int status);

/* The commands: their tables of options and what runs them. */
extern const struct cli_opt cmd_log_opts[], cmd_show_opts[], cmd_verify_opts[];
int cmd_log(const struct cli_args *a);
int cmd_show(const struct cli_args *a);
int cmd_verify(const struct cli_args *a);
extern const struct cli_opt cmd_rules_opts[], cmd_setup_opts[], cmd_doctor_opts[];
extern const struct cli_opt cmd_console_opts[];
/* Before console_main(): the screen is UTF-8, or nothing can be shown
 * unambiguously. */
void cli_speak_utf8(void);
int cmd_console(const struct cli_args *a);
extern const struct cli_opt cmd_serve_opts[], cmd_status_opts[], cmd_ls_opts[],
	cmd_stop_opts[], cmd_reload_opts[];
int cmd_serve(const struct cli_args *a);
int cmd_status(const struct cli_args *a);
int cmd_ls(const struct cli_args *a);
int cmd_stop(const struct cli_args *a);
int cmd_reload(const struct cli_args *a);
int cmd_rules(const struct cli_args *a);
int cmd_setup(const struct cli_args *a);
int cmd_doctor(const struct cli_args *a);
extern const struct cli_opt cmd_demo_opts[];
int cmd_demo(const struct cli_args *a);

#endif
