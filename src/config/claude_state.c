/*
 * claude_state.c - whether the hooks stand, in managed or user settings.
 */
#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/i18n.h"
#include "config/claude_settings.h"

/* The first fault is the one that is said. */
__attribute__((format(printf, 3, 4)))
static void fault(struct claude_state *st, unsigned which, const char *fmt, ...)
{
	va_list ap;
	int n = 0;

	if (st->faults == 0) {
		va_start(ap, fmt);
		n = vsnprintf(st->why, sizeof(st->why), fmt, ap);
		va_end(ap);
		va_start(ap, fmt);
		vsnprintf(st->said, sizeof(st->said), gettext(fmt), ap);
		va_end(ap);
	}
	if (n >= (int)sizeof(st->why))
		memcpy(st->why + sizeof(st->why) - 4, "...", 4);
	st->faults |= which;
}

/* The arguments that obstat gives, each once, and no others. */
static bool args_hold(const struct jv *hook, const struct claude_hook *h)
{
	const struct jv *args = jv_get(hook, "args");
	unsigned seen = 0;

	if (jv_len(args) != 9 ||
	    !sv_eqs(jv_sv(jv_at(args, 0)), h->decide ? "decide" : "observe"))
		return false;
	for (size_t i = 1; i + 1 < jv_len(args); i += 2) {
		struct sv name = jv_sv(jv_at(args, i)), v = jv_sv(jv_at(args, i + 1));
		uint64_t n;

		if (sv_eqs(name, "--socket") && sv_starts(v, "/"))
			seen |= 1;
		else if (sv_eqs(name, "--hub-uid") && (sv_eqs(v, "self") || sv_u64(v, &n)))
			seen |= 2;
		else if (sv_eqs(name, "--deadline") && sv_u64(v, &n) && n > 0 &&
		    (int64_t)n < jv_get_i(hook, "timeout", 0))
			seen |= 4;
		else if (sv_eqs(name, "--dialect") && sv_eqs(v, "claude"))
			seen |= 8;
	}
	return seen == 15;
}

/* Is there nothing in obj but these keys? */
static bool only(const struct jv *obj, const char *const *keys)
{
	struct jv *left = jv_copy(obj), *none = jv_obj();
	bool r;

	for (; *keys != NULL; keys++)
		jv_del(left, *keys);
	r = jv_eq(left, none);
	jv_free(&left);
	jv_free(&none);
	return r;
}

static void judge_hook(const struct jv *group, const struct jv *hook,
	const struct claude_hook *h, struct claude_state *st)
{
	static const char *const of_group[] = { "matcher", "hooks", NULL };
	static const char *const of_hook[] = { "type", "command", "args", "timeout",
		"onFailure", "statusMessage", NULL };
	struct sv m = jv_get_sv(group, "matcher"), gate = jv_get_sv(hook, "command");

	if ((jv_get(group, "matcher") != NULL && m.n > 0 && !sv_eqs(m, "*")) ||
	    (m.n == 0 && jv_get(group, "matcher") != NULL &&
	    jv_sv(jv_get(group, "matcher")).p == NULL))
		fault(st, CLAUDE_WEAK, N_("the hook for %s does not match every tool"),
			h->event);
	if (!args_hold(hook, h))
		fault(st, CLAUDE_WEAK, N_("the hook for %s has other arguments than "
			"obstat gives it"), h->event);
	if (h->decide && !sv_eqs(jv_get_sv(hook, "onFailure"), "block"))
		fault(st, CLAUDE_WEAK, N_("the hook for %s lets the tool run when the "
			"hook fails (onFailure)"), h->event);
	if (!sv_eqs(jv_get_sv(hook, "type"), "command") || !only(hook, of_hook) ||
	    !only(group, of_group))
		fault(st, CLAUDE_WEAK, N_("the hook for %s has settings that obstat does "
			"not know: it may not run each time"), h->event);
	if (st->gate[0] == '\0')
		snprintf(st->gate, sizeof(st->gate), "%.*s", SVFMT(gate));
	if (!sv_eqs(gate, st->gate))
		fault(st, CLAUDE_WEAK, N_("the hook for %s calls another gate: %.*s"),
			h->event, SVFMT(gate));
}

static void judge_event(const struct jv *settings, const struct claude_hook *h,
	struct claude_state *st)
{
	const struct jv *groups = jv_get(jv_get(settings, "hooks"), h->event);

	for (size_t g = 0; g < jv_len(groups); g++) {
		const struct jv *list = jv_get(jv_at(groups, g), "hooks");

		for (size_t k = 0; k < jv_len(list); k++) {
			const struct jv *hook = jv_at(list, k);

			if (sv_ends(jv_get_sv(hook, "command"), "/obstat-gate")) {
				judge_hook(jv_at(groups, g), hook, h, st);
				return;
			}
		}
	}
	fault(st, CLAUDE_NO_HOOKS, N_("no obstat hook for %s"), h->event);
}

static bool roots_alone(const char *path)
{
	struct stat s;

	return stat(path, &s) == 0 && s.st_uid == 0 && (s.st_mode & 022) == 0;
}

static void judge_owner(struct claude_state *st, const char *path)
{
	if (!roots_alone(path))
		fault(st, CLAUDE_OWNER, N_("%s can be changed by others than root"), path);
}

static bool gate_is_there(struct claude_state *st)
{
	struct stat s;

	if (st->gate[0] == '\0')
		return false;
	if (st->gate[0] == '/' && stat(st->gate, &s) == 0 && S_ISREG(s.st_mode) &&
	    (s.st_mode & 0111) != 0)
		return true;
	fault(st, CLAUDE_GATE, N_("%s is missing, not a program or not an absolute path"),
		st->gate);
	return false;
}

/* The gate and every directory above it must be root's to write alone. */
static void judge_gate(struct claude_state *st)
{
	char path[sizeof(st->gate)];
	char *slash;

	if (!gate_is_there(st))
		return;
	snprintf(path, sizeof(path), "%s", st->gate);
	for (;;) {
		/* A sticky directory (/tmp) still lets others add names. */
		if (!roots_alone(path)) {
			fault(st, CLAUDE_GATE, N_("%s can be changed by others than root"),
				path);
			return;
		}
		slash = strrchr(path, '/');
		if (slash == NULL || path[1] == '\0')
			return;
		*(slash == path ? slash + 1 : slash) = '\0';
	}
}

static void judge_file(const struct jv *settings, struct claude_state *st)
{
	for (size_t i = 0; i < n_claude_hooks; i++)
		judge_event(settings, &claude_hooks[i], st);
	if (jv_get(settings, "disableAllHooks") != NULL &&
	    jv_get_b(settings, "disableAllHooks", true))
		fault(st, CLAUDE_DISABLED, N_("disableAllHooks is set"));
}

static void judge_drop_ins(const char *managed_dir, struct claude_state *st)
{
	char dir[512], path[1024];
	struct dirent *d;
	DIR *dp;

	snprintf(dir, sizeof(dir), "%s/managed-settings.d", managed_dir);
	dp = opendir(dir);
	if (dp == NULL) {
		if (errno != ENOENT)
			fault(st, CLAUDE_BROKEN, N_("%s cannot be read"), dir);
		return;
	}
	judge_owner(st, dir);
	while ((d = readdir(dp)) != NULL) {
		struct err e = ERR_INIT;
		struct jv *v;

		if (!sv_ends(sv_of(d->d_name), ".json"))
			continue;
		snprintf(path, sizeof(path), "%s/%s", dir, d->d_name);
		v = claude_settings_read(path, &e);
		if (v == NULL)
			fault(st, CLAUDE_BROKEN, N_("%s cannot be read"), path);
		else if (jv_get(v, "disableAllHooks") != NULL &&
		    jv_get_b(v, "disableAllHooks", true))
			fault(st, CLAUDE_DISABLED, N_("disableAllHooks is set in %s"), path);
		if (v != NULL && !jv_get_b(v, "allowManagedHooksOnly", true))
			fault(st, CLAUDE_OTHERS_RUN, N_("allowManagedHooksOnly is off in %s"),
				path);
		judge_owner(st, path);
		jv_free(&v);
	}
	closedir(dp);
}

static struct jv *open_file(const char *path, struct claude_state *st)
{
	struct err e = ERR_INIT;
	struct jv *v = claude_settings_read(path, &e);

	if (v == NULL && strcmp(e.code, "absent") == 0)
		fault(st, CLAUDE_NO_FILE, N_("there is no %s"), path);
	else if (v == NULL)
		fault(st, CLAUDE_BROKEN, "%s", e.text);
	return v;
}

void claude_state_managed(const char *managed_dir, struct claude_state *out)
{
	char path[512];
	struct jv *v;

	*out = (struct claude_state){ 0 };
	snprintf(path, sizeof(path), "%s/managed-settings.json", managed_dir);
	v = open_file(path, out);
	if (v != NULL) {
		judge_file(v, out);
		if (!jv_get_b(v, "allowManagedHooksOnly", false))
			fault(out, CLAUDE_OTHERS_RUN, "%s", "allowManagedHooksOnly is not "
				"set: a project's own hooks run too");
		judge_gate(out);
		judge_owner(out, path);
		judge_owner(out, managed_dir);
		jv_free(&v);
	}
	judge_drop_ins(managed_dir, out);
}

void claude_state_user(const char *settings_path, struct claude_state *out)
{
	struct jv *v;

	*out = (struct claude_state){ 0 };
	v = open_file(settings_path, out);
	if (v == NULL)
		return;
	judge_file(v, out);
	gate_is_there(out);
	jv_free(&v);
}
