/*
 * claude_state.c - whether the hooks stand, in managed or user settings.
 */
#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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
	}
	if (n >= (int)sizeof(st->why))
		memcpy(st->why + sizeof(st->why) - 4, "...", 4);
	st->faults |= which;
}

static bool args_hold(const struct jv *hook, const struct claude_hook *h)
{
	const struct jv *args = jv_get(hook, "args");
	bool sock = false, uid = false, deadline = !h->decide;

	if (!sv_eqs(jv_sv(jv_at(args, 0)), h->decide ? "decide" : "observe"))
		return false;
	for (size_t i = 1; i + 1 < jv_len(args); i += 2) {
		struct sv name = jv_sv(jv_at(args, i)), v = jv_sv(jv_at(args, i + 1));
		uint64_t n;

		if (sv_eqs(name, "--socket"))
			sock = sv_starts(v, "/");
		else if (sv_eqs(name, "--hub-uid"))
			uid = sv_eqs(v, "self") || sv_u64(v, &n);
		else if (sv_eqs(name, "--deadline"))
			deadline = sv_u64(v, &n) && n > 0 &&
				(int64_t)n < jv_get_i(hook, "timeout", 0);
	}
	return sock && uid && deadline;
}

static void judge_hook(const struct jv *group, const struct jv *hook,
	const struct claude_hook *h, struct claude_state *st)
{
	struct sv m = jv_get_sv(group, "matcher");

	if (h->matcher != NULL && m.n > 0 && !sv_eqs(m, "*"))
		fault(st, CLAUDE_WEAK, "the hook for %s does not match every tool",
			h->event);
	if (!args_hold(hook, h))
		fault(st, CLAUDE_WEAK, "the hook for %s has other arguments than "
			"obstat gives it", h->event);
	if (h->decide && !sv_eqs(jv_get_sv(hook, "onFailure"), "block"))
		fault(st, CLAUDE_WEAK, "the hook for %s lets the tool run when the "
			"hook fails (onFailure)", h->event);
	if (jv_get(hook, "if") != NULL || jv_get_b(hook, "async", false) ||
	    jv_get_b(hook, "once", false))
		fault(st, CLAUDE_WEAK, "the hook for %s does not run each time",
			h->event);
	snprintf(st->gate, sizeof(st->gate), "%.*s", SVFMT(jv_get_sv(hook, "command")));
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
	fault(st, CLAUDE_NO_HOOKS, "no obstat hook for %s", h->event);
}

/* The gate and every directory above it must be root's to write alone. */
static void judge_gate(struct claude_state *st)
{
	char path[sizeof(st->gate)];
	struct stat s;
	char *slash;

	if (st->gate[0] != '/') {
		if ((st->faults & CLAUDE_NO_HOOKS) == 0)
			fault(st, CLAUDE_GATE, "%s", "the gate has no absolute path");
		return;
	}
	snprintf(path, sizeof(path), "%s", st->gate);
	if (stat(path, &s) != 0 || !S_ISREG(s.st_mode) || (s.st_mode & 0111) == 0) {
		fault(st, CLAUDE_GATE, "%s is missing or not a program", path);
		return;
	}
	for (;;) {
		if (stat(path, &s) != 0 || s.st_uid != 0 || (s.st_mode & 022) != 0) {
			/* A sticky directory (/tmp) still lets others add names. */
			fault(st, CLAUDE_GATE, "%s can be changed by others than root",
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
	if (jv_get_b(settings, "disableAllHooks", false))
		fault(st, CLAUDE_DISABLED, "%s", "disableAllHooks is set");
}

static void judge_drop_ins(const char *managed_dir, struct claude_state *st)
{
	char dir[512], path[1024];
	struct dirent *d;
	DIR *dp;

	snprintf(dir, sizeof(dir), "%s/managed-settings.d", managed_dir);
	dp = opendir(dir);
	if (dp == NULL)
		return;
	while ((d = readdir(dp)) != NULL) {
		struct err e = ERR_INIT;
		struct jv *v;

		if (!sv_ends(sv_of(d->d_name), ".json"))
			continue;
		snprintf(path, sizeof(path), "%s/%s", dir, d->d_name);
		v = claude_settings_read(path, &e);
		if (v == NULL)
			fault(st, CLAUDE_BROKEN, "%s cannot be read", path);
		else if (jv_get_b(v, "disableAllHooks", false))
			fault(st, CLAUDE_DISABLED, "disableAllHooks is set in %s", path);
		if (v != NULL)
			jv_free(&v);
	}
	closedir(dp);
}

static struct jv *open_file(const char *path, struct claude_state *st)
{
	struct err e = ERR_INIT;
	struct jv *v = claude_settings_read(path, &e);

	if (v == NULL && strcmp(e.code, "absent") == 0)
		fault(st, CLAUDE_NO_FILE, "there is no %s", path);
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
	jv_free(&v);
}
