/*
 * cmd_rules.c - obstat rules check [FILE] | list
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "base/text.h"
#include "cli/cli.h"
#include "config/paths.h"
#include "config/rules.h"

const struct cli_opt cmd_rules_opts[] = {
	CLI_OPT_STATE, CLI_OPT_CONFIG,
	{ "workspace", 0, NULL, N_("check FILE as a workspace's own rules (ask and "
		"deny only)") },
	{ NULL, 0, NULL, NULL },
};

static const char *decide_word(enum decide d)
{
	static const char *const words[] = { "care", "deny", "ask", "allow" };

	return words[d];
}

static void put_field(struct buf *b, const char *name, const char *value)
{
	if (value == NULL)
		return;
	buf_addf(b, " %s=", name);
	cli_add(b, sv_of(value));
}

static void put_rule(struct buf *b, const struct rule *r)
{
	char when[32];

	cli_cell(b, sv_of(decide_word(r->decide)), 6, false);
	cli_cell(b, sv_of(r->name), 24, false);
	put_field(b, "tool", r->tool);
	put_field(b, "kind", r->has_kind ? kind_name(r->kind) : NULL);
	put_field(b, "path", r->path);
	for (size_t i = 0; i < r->n_arg; i++)
		put_field(b, "arg", r->arg[i]);
	put_field(b, "more", r->more_any ? "any" : NULL);
	put_field(b, "host", r->host);
	put_field(b, "channel", r->channel);
	put_field(b, "session", r->session);
	put_field(b, "task", r->task);
	put_field(b, "subagent", r->subagent);
	put_field(b, "care", r->has_care ? care_name(r->care) : NULL);
	if (r->uses > 0)
		buf_addf(b, " uses=%u", (unsigned)r->uses);
	if (r->expires_ms != 0) {
		clock_utc(r->expires_ms, when, sizeof(when));
		buf_addf(b, " expires=%s%s", when,
			r->expires_ms <= clock_real_ms() ? _(" (over)") : "");
	}
	buf_addc(b, '\n');
}

static int load(const char *path, enum rules_source src, struct ruleset **set)
{
	struct err e = ERR_INIT;

	if (rules_load(path, src, set, &e) == 0)
		return 0;
	cli_fail_err(&e);
	return -1;
}

static int check(const struct cli_args *a, const struct paths *p)
{
	const char *files[] = { p->system_rules, p->user_rules };
	enum rules_source src[] = { RULES_SYSTEM, RULES_USER };
	struct ruleset *set = NULL;
	int rc = CLI_YES;

	if (a->n_rest == 2) {
		/* A rules file need not be there, but this one was named. */
		if (access(a->rest[1], F_OK) != 0)
			return cli_fail("%s: %s", a->rest[1], strerror(errno));
		if (load(a->rest[1], a->value[2] != NULL ? RULES_WORKSPACE : RULES_USER,
		    &set) != 0)
			return CLI_NO;
		printf(_("%zu rules, no fault found\n"), set->n);
		ruleset_free(&set);
		return CLI_YES;
	}
	for (size_t i = 0; i < 2; i++) {
		if (load(files[i], src[i], &set) != 0) {
			rc = CLI_NO;
			continue;
		}
		printf(_("%s: %zu rules, no fault found\n"), files[i], set->n);
		ruleset_free(&set);
	}
	return rc;
}

static int list(const struct paths *p)
{
	struct ruleset *sys = NULL, *user = NULL;
	struct buf b;

	if (load(p->system_rules, RULES_SYSTEM, &sys) != 0)
		return CLI_NO;
	if (load(p->user_rules, RULES_USER, &user) != 0) {
		ruleset_free(&sys);
		return CLI_NO;
	}
	ruleset_join(sys, &user);
	buf_init(&b, 64u << 20);
	for (size_t i = 0; i < sys->n; i++)
		put_rule(&b, &sys->rules[i]);
	buf_addf(&b, _("otherwise: ask = %s\n"),
		sys->ask[0] != '\0' ? sys->ask : "irreversible");
	cli_put(&b);
	buf_free(&b);
	ruleset_free(&sys);
	return CLI_YES;
}

int cmd_rules(const struct cli_args *a)
{
	struct err e = ERR_INIT;
	struct paths p;

	if (paths_get(&p, a->value[0], a->value[1], &e) != 0)
		return cli_fail_err(&e);
	if (strcmp(a->rest[0], "check") == 0)
		return check(a, &p);
	if (strcmp(a->rest[0], "list") == 0 && a->n_rest == 1)
		return list(&p);
	return cli_misuse(a->cmd, _("rules takes \"check [FILE]\" or \"list\""));
}
