/*
 * claude_settings.c - putting our hooks into a settings file, taking them out.
 */
#include "config/claude_settings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"

/* A day is how long a question may wait; the gate answers ten seconds before
 * Claude's own timeout, so that it is the gate that says why. */
const struct claude_hook claude_hooks[] = {
	{ "PreToolUse", true, "*", 86400, 86390 },
	{ "PostToolUse", false, "*", 10, 5 },
	{ "PostToolUseFailure", false, "*", 10, 5 },
	{ "Stop", false, NULL, 10, 5 },
	{ "SubagentStop", false, NULL, 10, 5 },
	{ "SessionStart", false, NULL, 10, 5 },
	{ "SessionEnd", false, NULL, 10, 5 },
};
const size_t n_claude_hooks = sizeof(claude_hooks) / sizeof(claude_hooks[0]);

struct jv *claude_settings_read(const char *path, struct err *e)
{
	struct jv *v = NULL;
	struct buf b;

	buf_init(&b, CLAUDE_SETTINGS_MAX);
	errno = 0;                 /* only an open says ENOENT: no older one */
	if (fs_read_owned(path, CLAUDE_SETTINGS_MAX, &b, e) != 0) {
		if (errno == ENOENT)
			err_set(e, "absent", "there is no %s", path);
	} else {
		v = jv_read(buf_sv(&b), e);
		if (v != NULL && !jv_is_obj(v)) {
			jv_free(&v);
			err_set(e, "settings", "%s is not a JSON object", path);
		}
	}
	buf_free(&b);
	return v;
}

struct jv *claude_settings_peek(const char *path)
{
	/* A FIFO or terminal in its place must not hold us up. */
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct err e = ERR_INIT;
	struct jv *v = NULL;
	struct stat st;
	struct buf b;
	ssize_t n;

	if (fd < 0)
		return NULL;
	buf_init(&b, CLAUDE_SETTINGS_MAX);
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
		char part[16384];

		do {
			n = read(fd, part, sizeof(part));
		} while ((n > 0 && buf_add(&b, part, (size_t)n) == 0) ||
			(n < 0 && errno == EINTR));
		if (n == 0)
			v = jv_read(buf_sv(&b), &e);
	}
	buf_free(&b);
	close(fd);
	return v;
}

static bool ours(const struct jv *hook)
{
	struct sv cmd = jv_get_sv(hook, "command");

	return sv_ends(cmd, "/obstat-gate");
}

/* Takes our hooks out of one event's list of groups. */
static void strip_event(struct jv *groups)
{
	for (size_t i = jv_len(groups); i-- > 0;) {
		struct jv *hooks = jv_get(jv_at(groups, i), "hooks");
		size_t had = jv_len(hooks);

		if (!jv_is_arr(hooks))
			continue;
		for (size_t k = had; k-- > 0;)
			if (ours(jv_at(hooks, k)))
				jv_del_at(hooks, k);
		if (had > 0 && jv_len(hooks) == 0)
			jv_del_at(groups, i);
	}
}

static bool empty_obj(const struct jv *v)
{
	struct jv *none = jv_obj();
	bool r = jv_eq(v, none);

	jv_free(&none);
	return r;
}

struct jv *claude_settings_without(const struct jv *settings)
{
	struct jv *s = settings != NULL ? jv_copy(settings) : jv_obj();
	struct jv *hooks = jv_get(s, "hooks");

	if (!jv_is_obj(hooks))
		return s;
	for (size_t i = 0; i < n_claude_hooks; i++) {
		struct jv *groups = jv_get(hooks, claude_hooks[i].event);
		size_t had = jv_len(groups);

		if (!jv_is_arr(groups))
			continue;
		strip_event(groups);
		if (had > 0 && jv_len(groups) == 0)
			jv_del(hooks, claude_hooks[i].event);
	}
	if (empty_obj(hooks))
		jv_del(s, "hooks");
	return s;
}

static struct jv *hook_entry(const struct claude_hook *h,
	const struct claude_place *place)
{
	struct jv *hook = jv_obj(), *args = jv_arr();
	char deadline[16];

	snprintf(deadline, sizeof(deadline), "%u", h->deadline);
	jv_put_s(hook, "type", "command");
	jv_put_s(hook, "command", place->gate);
	jv_add(args, jv_strv(sv_of(h->decide ? "decide" : "observe")));
	jv_add(args, jv_strv(SV("--socket")));
	jv_add(args, jv_strv(sv_of(place->socket)));
	jv_add(args, jv_strv(SV("--hub-uid")));
	jv_add(args, jv_strv(sv_of(place->hub_uid)));
	jv_add(args, jv_strv(SV("--deadline")));
	jv_add(args, jv_strv(sv_of(deadline)));
	jv_add(args, jv_strv(SV("--dialect")));
	jv_add(args, jv_strv(SV("claude")));
	jv_put(hook, "args", args);
	jv_put_i(hook, "timeout", h->timeout);
	if (h->decide) {
		jv_put_s(hook, "onFailure", "block");
		jv_put_s(hook, "statusMessage", "waiting for a person (obstat)");
	}
	return hook;
}

static int add_event(struct jv *hooks, const struct claude_hook *h,
	const struct claude_place *place, struct err *e)
{
	struct jv *groups = jv_get(hooks, h->event), *group, *list;

	if (groups == NULL) {
		jv_put(hooks, h->event, jv_arr());
		groups = jv_get(hooks, h->event);
	}
	if (!jv_is_arr(groups))
		return err_set(e, "settings", "hooks.%s is not a list: mend the file "
			"first", h->event);
	group = jv_obj();
	list = jv_arr();
	if (h->matcher != NULL)
		jv_put_s(group, "matcher", h->matcher);
	jv_add(list, hook_entry(h, place));
	jv_put(group, "hooks", list);
	jv_add(groups, group);
	return 0;
}

struct jv *claude_settings_with(const struct jv *settings,
	const struct claude_place *place, bool managed, struct err *e)
{
	struct jv *s = claude_settings_without(settings);
	struct jv *hooks;

	if (managed)
		jv_put_b(s, "allowManagedHooksOnly", true);
	if (jv_get(s, "hooks") == NULL)
		jv_put(s, "hooks", jv_obj());
	hooks = jv_get(s, "hooks");
	for (size_t i = 0; i < n_claude_hooks; i++) {
		if (!jv_is_obj(hooks) || add_event(hooks, &claude_hooks[i], place, e) != 0) {
			if (!jv_is_obj(hooks))
				err_set(e, "settings", "\"hooks\" is not an object: "
					"mend the file first");
			jv_free(&s);
			return NULL;
		}
	}
	return s;
}

void claude_settings_others(const struct jv *settings,
	void (*fn)(void *arg, struct sv event, struct sv what), void *arg)
{
	static const char *const events[] = { "PreToolUse", "PostToolUse",
		"PostToolUseFailure", "PermissionRequest", "PermissionDenied",
		"Notification", "UserPromptSubmit", "Stop", "SubagentStart",
		"SubagentStop", "SessionStart", "SessionEnd", "PreCompact",
		"PostCompact", "Elicitation", "ElicitationResult" };
	const struct jv *hooks = jv_get(settings, "hooks");

	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		const struct jv *groups = jv_get(hooks, events[i]);

		for (size_t g = 0; g < jv_len(groups); g++) {
			const struct jv *list = jv_get(jv_at(groups, g), "hooks");

			for (size_t k = 0; k < jv_len(list); k++) {
				const struct jv *h = jv_at(list, k);
				struct sv what = jv_get_sv(h, "command");

				if (what.n == 0)
					what = jv_get_sv(h, "url");
				if (what.n == 0)
					what = jv_get_sv(h, "type");
				if (!ours(h))
					fn(arg, sv_of(events[i]), what);
			}
		}
	}
}
