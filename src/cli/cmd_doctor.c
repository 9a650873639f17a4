/*
 * cmd_doctor.c - obstat doctor: what is missing or weak, and what mends it.
 *
 * To add a check: one row in checks[] and its function.
 */
#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/i18n.h"
#include "cli/cli.h"
#include "cli/hubline.h"
#include "cli/self.h"
#include "config/claude_settings.h"
#include "config/rules.h"
#include "store/store.h"

const struct cli_opt cmd_doctor_opts[] = {
	CLI_OPT_STATE, CLI_OPT_CONFIG,
	{ NULL, 0, NULL, NULL },
};

enum found { FOUND_OK, FOUND_WEAK, FOUND_MISSING };
struct check_out {
	char text[1400];
	char mend[700];
};
struct check {
	const char *name;
	enum found (*run)(const struct paths *p, struct check_out *out);
};
#define SAY(...) snprintf(out->text, sizeof(out->text), __VA_ARGS__)
#define MEND(...) snprintf(out->mend, sizeof(out->mend), __VA_ARGS__)

static enum found check_gate(const struct paths *p, struct check_out *out)
{
	char gate[600];
	struct stat st;

	(void)p;
	snprintf(gate, sizeof(gate), "%s/obstat-gate", cli_self_dir());
	if (stat(gate, &st) != 0 || (st.st_mode & 0111) == 0) {
		SAY(_("%s is missing"), gate);
		MEND("make install");
		return FOUND_MISSING;
	}
	if (st.st_uid != 0 || (st.st_mode & 022) != 0) {
		SAY(_("%s can be changed by others than root: an agent of this user "
			"could replace it"), gate);
		MEND("sudo make install");
		return FOUND_WEAK;
	}
	SAY("%s", gate);
	return FOUND_OK;
}

static enum found check_managed(const struct paths *p, struct check_out *out)
{
	struct claude_state st, user;
	char path[600];

	claude_state_managed(CLAUDE_MANAGED_DIR, &st);
	if (st.faults == 0) {
		SAY(_("held: %s"), CLAUDE_MANAGED_FILE);
		return FOUND_OK;
	}
	SAY("%s", st.said);
	MEND("sudo obstat setup claude");
	if (st.faults & CLAUDE_NO_FILE) {
		snprintf(path, sizeof(path), "%s/.claude/settings.json", p->home);
		claude_state_user(path, &user);
		if (user.faults == 0) {
			SAY(_("advisory: only your own settings, which an agent can "
				"switch off"));
			return FOUND_WEAK;
		}
		return FOUND_MISSING;
	}
	return FOUND_WEAK;
}

/* Root does not know of another state directory than the usual one. */
static void mend_link(const struct paths *p, struct check_out *out)
{
	char usual[600];

	snprintf(usual, sizeof(usual), "%s/.local/state/obstat", p->home);
	if (strcmp(usual, p->state) == 0)
		MEND("sudo obstat setup claude --link-user \"$USER\"");
	else
		MEND("sudo obstat setup claude --link-user \"$USER\" --state '%s'",
			p->state);
}

static enum found check_link(const struct paths *p, struct check_out *out)
{
	char link[128], have[600], want[600];
	struct claude_state st;
	struct err e = ERR_INIT;
	ssize_t n;

	claude_state_managed(CLAUDE_MANAGED_DIR, &st);
	if (st.faults & (CLAUDE_NO_FILE | CLAUDE_NO_HOOKS)) {
		SAY(_("not needed without managed settings"));
		return FOUND_OK;
	}
	snprintf(link, sizeof(link), "%s/%u", CLAUDE_LINK_DIR, (unsigned)getuid());
	n = readlink(link, have, sizeof(have) - 1);
	have[n > 0 ? n : 0] = '\0';
	if (paths_agent_sock(p, "claude", want, sizeof(want), &e) == 0 &&
	    strcmp(have, want) == 0) {
		SAY("%s", link);
		return FOUND_OK;
	}
	SAY(n > 0 ? _("%s leads elsewhere: to another state directory") :
		_("%s is missing: Claude Code's tools are denied"), link);
	mend_link(p, out);
	return FOUND_MISSING;
}

static enum found check_disabled(const struct paths *p, struct check_out *out)
{
	static const char *const names[] = { "settings.json", "settings.local.json" };
	char cwd[600];
	const char *const dirs[] = { p->home, getcwd(cwd, sizeof(cwd)) };

	for (size_t d = 0; d < 2; d++) {
		for (size_t i = 0; i < 2 && dirs[d] != NULL; i++) {
			struct err e = ERR_INIT;
			char path[700];
			struct jv *v;
			bool off;

			snprintf(path, sizeof(path), "%s/.claude/%s", dirs[d], names[i]);
			v = claude_settings_read(path, &e);
			off = v != NULL && jv_get_b(v, "disableAllHooks", false);
			if (v != NULL)
				jv_free(&v);
			if (off) {
				SAY(_("%s sets disableAllHooks: user hooks are off"), path);
				MEND("sudo obstat setup claude");
				return FOUND_WEAK;
			}
		}
	}
	SAY(_("no settings here switch hooks off"));
	return FOUND_OK;
}

static enum found check_hub(const struct paths *p, struct check_out *out)
{
	struct err e = ERR_INIT;
	struct hubline *h = hubline_open(p, &e);

	if (h == NULL) {
		SAY("%s", e.text);
		MEND("obstat serve --detach");
		return FOUND_MISSING;
	}
	SAY(_("pid %lld"), (long long)jv_get_i(jv_get(hubline_hello(h), "hub"), "pid", 0));
	hubline_close(&h);
	return FOUND_OK;
}

static enum found check_state(const struct paths *p, struct check_out *out)
{
	struct stat st;

	if (stat(p->state, &st) != 0) {
		SAY(_("%s is not there yet"), p->state);
		MEND("obstat serve --detach");
		return FOUND_MISSING;
	}
	if (st.st_uid != geteuid() || (st.st_mode & 077) != 0) {
		SAY(_("%s can be entered by others"), p->state);
		MEND("chmod 700 %s", p->state);
		return FOUND_WEAK;
	}
	SAY("%s", p->state);
	return FOUND_OK;
}

static enum found check_rules(const struct paths *p, struct check_out *out)
{
	struct ruleset *sys = NULL, *user = NULL;
	struct err e = ERR_INIT;
	size_t n;

	if (rules_load(p->system_rules, RULES_SYSTEM, &sys, &e) != 0 ||
	    rules_load(p->user_rules, RULES_USER, &user, &e) != 0) {
		ruleset_free(&sys);
		SAY("%s", e.text);
		MEND("obstat rules check");
		return FOUND_WEAK;
	}
	n = sys->n + user->n;
	ruleset_free(&sys);
	ruleset_free(&user);
	SAY(P_("%zu rule", "%zu rules", n), n);
	return FOUND_OK;
}

static enum found check_terminal(const struct paths *p, struct check_out *out)
{
	const char *term = getenv("TERM");

	(void)p;
	if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0) {
		SAY(_("the locale is not UTF-8: the console cannot draw other letters "
			"than ASCII"));
		MEND("export LC_ALL=C.UTF-8");
		return FOUND_WEAK;
	}
	SAY("%s, UTF-8", term != NULL ? term : "dumb");
	return FOUND_OK;
}

static enum found check_setup(const struct paths *p, struct check_out *out)
{
	(void)p;
	SAY(_("same user: agent, hub and you share uid %u. Advisory against an agent "
		"that attacks obstat itself; it still stops accidents, haste and "
		"deception"), (unsigned)getuid());
	return FOUND_WEAK;
}

static const struct check checks[] = {
	{ N_("gate"), check_gate },
	{ N_("Claude Code"), check_managed },
	{ N_("link"), check_link },
	{ N_("hooks on"), check_disabled },
	{ N_("hub"), check_hub },
	{ N_("state"), check_state },
	{ N_("rules"), check_rules },
	{ N_("terminal"), check_terminal },
	{ N_("set-up"), check_setup },
};

/* 0: nothing missing; 1: something is. */
int cmd_doctor(const struct cli_args *a)
{
	static const char *const words[] = { N_("ok"), N_("weak"), N_("MISSING") };
	struct err e = ERR_INIT;
	struct paths p;
	struct buf b;
	int rc = CLI_YES;

	if (paths_get(&p, a->value[0], a->value[1], &e) != 0)
		return cli_fail_err(&e);
	buf_init(&b, 1u << 20);
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		struct check_out out = { "", "" };
		enum found f = checks[i].run(&p, &out);

		cli_cell(&b, sv_of(_(words[f])), 8, false);
		cli_cell(&b, sv_of(_(checks[i].name)), 12, false);
		cli_add(&b, sv_of(out.text));
		if (out.mend[0] != '\0') {
			buf_addf(&b, "\n%*s-> ", 22, "");
			cli_add(&b, sv_of(out.mend));
		}
		buf_addc(&b, '\n');
		if (f == FOUND_MISSING)
			rc = CLI_NO;
	}
	cli_put(&b);
	buf_free(&b);
	return rc;
}
