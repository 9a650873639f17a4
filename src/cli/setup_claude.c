/*
 * setup_claude.c - the change to Claude Code's settings, shown before made.
 */
#include "cli/setup_claude.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/i18n.h"
#include "base/text.h"
#include "cli/cli.h"
#include "diff/diff.h"

int setup_plan(struct setup_plan *pl, const struct paths *p, const char *gate_dir,
	bool managed, struct err *e)
{
	*pl = (struct setup_plan){ .managed = managed };
	snprintf(pl->gate, sizeof(pl->gate), "%s/obstat-gate", gate_dir);
	if (access(pl->gate, X_OK) != 0)
		return err_set(e, "no_gate", _("%s is missing: install obstat first (make "
			"install)"), pl->gate);
	if (managed) {
		snprintf(pl->file, sizeof(pl->file), "%s", CLAUDE_MANAGED_FILE);
		snprintf(pl->socket, sizeof(pl->socket), "%s/%%U", CLAUDE_LINK_DIR);
		snprintf(pl->hub_uid, sizeof(pl->hub_uid), "self");
	} else {
		snprintf(pl->file, sizeof(pl->file), "%s/.claude/settings.json", p->home);
		if (paths_agent_sock(p, "claude", pl->socket, sizeof(pl->socket), e) != 0)
			return -1;
		snprintf(pl->hub_uid, sizeof(pl->hub_uid), "%u", (unsigned)geteuid());
	}
	snprintf(pl->backup, sizeof(pl->backup), "%s.before-obstat", pl->file);
	return 0;
}

static int read_or_none(const char *path, struct buf *out, bool *there, struct err *e)
{
	*there = true;
	if (fs_read_owned(path, CLAUDE_SETTINGS_MAX, out, e) == 0)
		return 0;
	if (errno != ENOENT)
		return -1;
	*there = false;
	return 0;
}

static int pretty(struct jv *v, struct buf *out)
{
	struct jv *none = jv_obj();
	int rc = 0;

	/* A file that would hold nothing need not be there. */
	if (!jv_eq(v, none))
		rc = jv_write_pretty(v, out) != 0 ? -1 : buf_addc(out, '\n');
	jv_free(&none);
	return rc;
}

/* Our hooks taken out. What was there before us is put back to the byte when
 * nobody else has touched the file since. */
static int undone(const struct setup_plan *pl, struct jv *now, struct buf *after,
	struct err *e)
{
	struct jv *without = claude_settings_without(now), *old = NULL, *again;
	struct buf was;
	bool had;
	int rc = -1;

	buf_init(&was, CLAUDE_SETTINGS_MAX);
	if (read_or_none(pl->backup, &was, &had, e) != 0)
		goto out;
	if (had && was.n > 0)
		old = jv_read(buf_sv(&was), e);
	again = claude_settings_without(old);
	/* allowManagedHooksOnly is ours unless it stood there before. */
	if (pl->managed && jv_get(again, "allowManagedHooksOnly") == NULL)
		jv_del(without, "allowManagedHooksOnly");
	if (had && jv_eq(without, again))
		rc = buf_addsv(after, buf_sv(&was));
	else
		rc = pretty(without, after);
	jv_free(&again);
out:
	if (old != NULL)
		jv_free(&old);
	jv_free(&without);
	buf_free(&was);
	return rc;
}

int setup_texts(const struct setup_plan *pl, bool undo, struct buf *before,
	struct buf *after, struct err *e)
{
	struct claude_place place = { pl->gate, pl->socket, pl->hub_uid };
	struct jv *now = NULL, *then;
	bool there;
	int rc;

	if (read_or_none(pl->file, before, &there, e) != 0)
		return -1;
	if (before->n > 0) {
		now = jv_read(buf_sv(before), e);
		if (now == NULL || !jv_is_obj(now)) {
			if (now != NULL)
				jv_free(&now);
			return err_set(e, "settings", _("%s is not a JSON object: mend it "
				"first"), pl->file);
		}
	}
	if (undo) {
		rc = now != NULL ? undone(pl, now, after, e) : 0;
	} else {
		then = claude_settings_with(now, &place, pl->managed, e);
		rc = then != NULL ? pretty(then, after) : -1;
		if (then != NULL)
			jv_free(&then);
	}
	if (now != NULL)
		jv_free(&now);
	return rc;
}

static void show_line(char sign, struct sv text)
{
	struct buf b;

	buf_init(&b, text.n * 16 + 64);
	buf_addc(&b, sign);
	esc_line(text, ESC_CODE, 1, &b, NULL, NULL, NULL);
	buf_addc(&b, '\n');
	cli_put(&b);
	buf_free(&b);
}

void setup_show(const struct setup_plan *pl, struct sv before, struct sv after)
{
	struct err e = ERR_INIT;
	struct diff *d = diff_new(before, after, 3, SIZE_MAX, &e);

	if (d == NULL)
		return;
	printf("--- %s\n+++ %s\n", before.n > 0 ? pl->file : "/dev/null",
		after.n > 0 ? pl->file : "/dev/null");
	for (size_t h = 0; h < d->n_hunks; h++) {
		const struct diff_hunk *k = &d->hunks[h];

		printf("@@ -%u,%u +%u,%u @@\n", (unsigned)k->old_start,
			(unsigned)k->old_count, (unsigned)k->new_start,
			(unsigned)k->new_count);
		for (uint32_t i = 0; i < k->n_lines; i++)
			show_line(d->lines[k->first_line + i].origin,
				diff_text(d, &d->lines[k->first_line + i]));
	}
	diff_free(&d);
}

static int parent_dir(const char *file, struct err *e)
{
	char dir[640];

	snprintf(dir, sizeof(dir), "%s", file);
	*strrchr(dir, '/') = '\0';
	return fs_mkdirs(dir, 0755, e);
}

int setup_write(const struct setup_plan *pl, bool undo, struct sv before,
	struct sv after, struct err *e)
{
	mode_t mode = pl->managed ? 0644 : 0600;
	struct stat st;

	if (stat(pl->file, &st) == 0)
		mode = st.st_mode & 0777;
	if (parent_dir(pl->file, e) != 0)
		return -1;
	/* The first set-up keeps what was there; a second one must not. */
	if (!undo && stat(pl->backup, &st) != 0 &&
	    fs_write_atomic(pl->backup, before, mode, e) != 0)
		return -1;
	if (after.n > 0) {
		if (fs_write_atomic(pl->file, after, mode, e) != 0)
			return -1;
	} else if (unlink(pl->file) != 0 && errno != ENOENT) {
		return err_sys(e, "unlink", "%s", pl->file);
	}
	if (undo)
		unlink(pl->backup);
	return 0;
}

struct others {
	const char *file;
	size_t n;
};

static void on_other(void *arg, struct sv event, struct sv what)
{
	struct others *o = arg;
	struct buf b;

	buf_init(&b, 1u << 20);
	if (o->n++ == 0) {
		cli_add(&b, sv_of(o->file));
		buf_adds(&b, ":\n");
	}
	buf_adds(&b, "  ");
	cli_add(&b, event);
	buf_adds(&b, ": ");
	cli_add(&b, what);
	buf_addc(&b, '\n');
	cli_put(&b);
	buf_free(&b);
}

size_t setup_others(const char *home, const char *project)
{
	static const char *const names[] = { "settings.json", "settings.local.json" };
	const char *const dirs[] = { home, project };
	size_t n = 0;

	for (size_t d = 0; d < 2; d++) {
		for (size_t i = 0; i < 2 && dirs[d] != NULL; i++) {
			char path[1024];
			struct others o = { path, 0 };
			struct jv *v;

			snprintf(path, sizeof(path), "%s/.claude/%s", dirs[d], names[i]);
			v = claude_settings_peek(path);
			if (v == NULL)
				continue;
			claude_settings_others(v, on_other, &o);
			jv_free(&v);
			n += o.n;
		}
	}
	return n;
}

int setup_link_of(const char *user, uid_t *uid, char *socket, size_t n,
	struct err *e)
{
	const struct passwd *pw = getpwnam(user);

	if (pw == NULL)
		return err_set(e, "no_user", _("there is no user %s"), user);
	*uid = pw->pw_uid;
	if ((size_t)snprintf(socket, n, "%s/.local/state/obstat/agent/claude/sock",
	    pw->pw_dir) >= n)
		return err_set(e, "long", _("the home of %s has too long a name"), user);
	return 0;
}

int setup_link(uid_t uid, const char *socket, struct err *e)
{
	char link[128], tmp[160], now[600];
	ssize_t n;

	if (fs_mkdirs(CLAUDE_LINK_DIR, 0755, e) != 0)
		return -1;
	snprintf(link, sizeof(link), "%s/%u", CLAUDE_LINK_DIR, (unsigned)uid);
	n = readlink(link, now, sizeof(now) - 1);
	if (n > 0 && (now[n] = '\0', strcmp(now, socket) == 0))
		return 0;
	snprintf(tmp, sizeof(tmp), "%s.new", link);
	unlink(tmp);
	if (symlink(socket, tmp) != 0 || rename(tmp, link) != 0)
		return err_sys(e, "link", "%s", link);
	return 0;
}

void setup_unlink(void)
{
	static const char *const dirs[] = { CLAUDE_LINK_DIR, CLAUDE_LINK_ROOT };
	DIR *d = opendir(CLAUDE_LINK_DIR);
	struct dirent *de;

	while (d != NULL && (de = readdir(d)) != NULL)
		if (de->d_type == DT_LNK || de->d_type == DT_UNKNOWN)
			unlinkat(dirfd(d), de->d_name, 0);
	if (d != NULL)
		closedir(d);
	for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++)
		rmdir(dirs[i]);
}
