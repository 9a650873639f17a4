/*
 * docgen.c - fills the generated parts of a manual page from the tables that
 * the program itself uses.
 *
 *	docgen PAGE >NEW
 *
 * copies PAGE, with everything between a line
 *	.\" begin generated NAME
 * and the next
 *	.\" end generated
 * written anew. To add a part: its function and a row in parts[]. The test
 * doc.sh fails when a page differs from what this makes of it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "config/rules_keys.h"
#include "model/doc.h"
#include "policy/control_paths.h"
#include "proto/claude_tools.h"
#include "ui/commands.h"

/* Text for roff: nothing in it is a request, an escape or a macro's quote. */
static void put(const char *s)
{
	static const struct {
		char c;
		const char *as;
	} chars[] = { { '\\', "\\e" }, { '-', "\\-" }, { '\'', "\\(aq" },
		{ '^', "\\(ha" }, { '~', "\\(ti" }, { '`', "\\(ga" }, { '"', "\\(dq" } };

	if (*s == '.')
		fputs("\\&", stdout);
	for (; *s != '\0'; s++) {
		const char *as = NULL;

		for (size_t i = 0; i < sizeof(chars) / sizeof(chars[0]); i++)
			if (chars[i].c == *s)
				as = chars[i].as;
		if (as != NULL)
			fputs(as, stdout);
		else
			putchar(*s);
	}
}

static void bold(const char *s)
{
	fputs("\\fB", stdout);
	put(s);
	fputs("\\fR", stdout);
}

/* A row's help as a sentence. */
static void sentence(const char *s)
{
	size_t n = strlen(s);
	char first[2] = { s[0], '\0' };

	if (s[0] >= 'a' && s[0] <= 'z')
		first[0] = (char)(s[0] - 'a' + 'A');
	put(first);
	put(s + 1);
	puts(n > 0 && s[n - 1] == '.' ? "" : ".");
}

/* ---- subcommands ---- */

static bool common(const struct cli_opt *o)
{
	return strcmp(o->name, "state") == 0 || strcmp(o->name, "config") == 0;
}

/* Words in capitals stand for something; the rest is typed as it is. */
static void put_args(const char *args)
{
	while (*args != '\0') {
		size_t n = strspn(args, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
		bool name = n > 1;
		char word[64];

		if (!name)
			n = strcspn(args, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
		if (n == 0)
			n = 1;
		snprintf(word, sizeof(word), "%.*s", (int)n, args);
		fputs(name ? "\\fI" : "\\fB", stdout);
		put(word);
		fputs("\\fR", stdout);
		args += n;
	}
}

static void put_option(const struct cli_opt *o)
{
	char s[64];

	puts(".TP");
	if (o->letter != 0) {
		snprintf(s, sizeof(s), "-%c", o->letter);
		bold(s);
		fputs(", ", stdout);
	}
	snprintf(s, sizeof(s), "--%s", o->name);
	bold(s);
	if (o->arg != NULL) {
		fputs(" \\fI", stdout);
		put(o->arg);
		fputs("\\fR", stdout);
	}
	putchar('\n');
	sentence(o->help);
}

static void gen_commands(void)
{
	for (size_t i = 0; i < n_cli_cmds; i++) {
		const struct cli_cmd *c = &cli_cmds[i];
		bool state = false, config = false;

		printf(".SS \"obstat %s", c->name);
		if (c->args[0] != '\0') {
			putchar(' ');
			put_args(c->args);
		}
		puts("\"");
		sentence(c->help);
		for (const struct cli_opt *o = c->opts; o->name != NULL; o++) {
			state |= strcmp(o->name, "state") == 0;
			config |= strcmp(o->name, "config") == 0;
		}
		if (state)
			printf("Takes \\fB\\-\\-state\\fR%s.\n",
				config ? " and \\fB\\-\\-config\\fR" : "");
		for (const struct cli_opt *o = c->opts; o->name != NULL; o++)
			if (!common(o))
				put_option(o);
	}
}

/* ---- the console ---- */

static void gen_keys(void)
{
	static const struct {
		unsigned view;
		const char *name;
	} views[] = { { IN_QUEUE, "queue" }, { IN_ACTION, "action" },
		{ IN_HELP, "help" } };

	for (int c = CMD_NONE + 1; c < CMD_N; c++) {
		const struct command *k = &commands[c];
		const char *key = k->keys, *sep = " (";

		if (key == NULL)
			continue;
		puts(".TP");
		while (*key != '\0') {
			size_t n = strcspn(key, " ");
			char one[32];

			snprintf(one, sizeof(one), "%.*s", (int)n, key);
			if (key != k->keys)
				fputs(", ", stdout);
			bold(one);
			key += n;
			key += strspn(key, " ");
		}
		for (size_t i = 0; i < 3 && (k->views & IN_ALL) != IN_ALL; i++) {
			if ((k->views & views[i].view) == 0)
				continue;
			printf("%s%s", sep, views[i].name);
			sep = ", ";
		}
		puts((k->views & IN_ALL) != IN_ALL ? ")" : "");
		sentence(k->help);
	}
}

/* ---- rules, themes, what asks ---- */

static void gen_rules_keys(void)
{
	for (const struct rules_key *k = rules_keys; k->name != NULL; k++) {
		puts(".TP");
		bold(k->name);
		fputs(" = \\fI", stdout);
		put(k->args);
		fputs("\\fR\n", stdout);
		sentence(k->help);
	}
}

/* A row a reason, in the order of its first path. */
static void gen_control_paths(void)
{
	for (size_t i = 0; i < n_control_paths; i++) {
		const char *why = control_paths[i].why, *sep = "";
		size_t k = 0;

		while (strcmp(control_paths[k].why, why) != 0)
			k++;
		if (k < i)
			continue;
		puts(".TP");
		bold(why);
		putchar('\n');
		for (; k < n_control_paths; k++) {
			if (strcmp(control_paths[k].why, why) != 0)
				continue;
			printf("%s\\%%", sep);   /* not hyphenated */
			put(control_paths[k].pattern);
			if (control_paths[k].reads_too)
				fputs("\\ (r)", stdout);
			sep = ",\n";
		}
		puts(".");
	}
}

static void gen_claude_tools(void)
{
	static const struct {
		enum tool_default deflt;
		const char *says;
	} groups[] = {
		{ TOOL_ASKS, "By what it does" },
		{ TOOL_PASSES_IN_WORKSPACE, "Passes within the workspace" },
		{ TOOL_PASSES_READ_ONLY, "Passes (bookkeeping)" },
		{ TOOL_NO_OPINION, "Recorded only, asks in Claude's own window" },
	};

	for (size_t g = 0; g < sizeof(groups) / sizeof(groups[0]); g++) {
		const char *sep = "";

		printf(".TP\n%s\n", groups[g].says);
		for (size_t i = 0; i < n_claude_tools; i++) {
			if (claude_tools[i].deflt != groups[g].deflt)
				continue;
			printf("%s\\%%", sep);
			put(claude_tools[i].name);
			printf("\\ (%s)", kind_name(claude_tools[i].kind));
			sep = ",\n";
		}
		puts(".");
	}
}

static void gen_roles(void)
{
	for (int r = 0; r < ROLE_N; r++) {
		put(role_name((enum role)r));
		puts(r + 1 < ROLE_N ? "," : ".");
	}
}

/* ---- the page ---- */

static const struct part {
	const char *name;
	void (*gen)(void);
} parts[] = {
	{ "commands", gen_commands },
	{ "keys", gen_keys },
	{ "rules-keys", gen_rules_keys },
	{ "control-paths", gen_control_paths },
	{ "claude-tools", gen_claude_tools },
	{ "roles", gen_roles },
};
#define BEGIN ".\\\" begin generated "
#define END ".\\\" end generated"

/* A part that nobody makes here (another test does) stays as it is. */
static bool part_made(const char *line)
{
	const char *name = line + strlen(BEGIN);

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		size_t n = strlen(parts[i].name);

		if (strncmp(name, parts[i].name, n) == 0 && name[n] == '\n') {
			parts[i].gen();
			return true;
		}
	}
	return false;
}

int main(int argc, char **argv)
{
	FILE *f = argc == 2 ? fopen(argv[1], "r") : NULL;
	bool skip = false;
	char *line = NULL;
	size_t cap = 0;

	if (f == NULL) {
		fputs("usage: docgen PAGE\n", stderr);
		return 2;
	}
	while (getline(&line, &cap, f) > 0) {
		if (strncmp(line, END, strlen(END)) == 0)
			skip = false;
		if (!skip)
			fputs(line, stdout);
		if (strncmp(line, BEGIN, strlen(BEGIN)) == 0)
			skip = part_made(line);
	}
	free(line);
	fclose(f);
	return skip || fflush(stdout) != 0;
}
