/*
 * facts.c - from an action and what was read of the world to the facts that
 * rules and the default look at.
 *
 * Everything that is not understood is irreversible.
 */
#include <string.h>

#include "base/i18n.h"
#include "base/text.h"
#include "lang/words.h"
#include "policy/control_paths.h"
#include "policy/policy.h"

/* As many as the evidence room looks at; an action with more asks. */
#define FACTS_MAX_PATHS 4096

static void worst(struct facts *f, enum reversibility rev, const char *why)
{
	if (rev > f->rev || f->why_rev == NULL) {
		f->rev = rev;
		f->why_rev = why;
	}
}

/* The first reason is the one that is said; a control path's beats others. */
static void never(struct facts *f, const char *why)
{
	if (!f->never_passes)
		f->never_why = why;
	f->never_passes = true;
}

static void control(struct facts *f, const struct control_path *c)
{
	if (c == NULL || f->control_path)
		return;
	f->control_path = true;
	f->control_why = c->why;
	f->never_passes = true;
	f->never_why = c->why;
}

struct gather {
	struct facts *f;
	const struct action *act;
	const struct evidence *ev;
	struct arena *a;
	const char *state_dir;
	struct fact_path *paths;
	size_t n, at;              /* at: where the next file of ev is likely */
	struct sv last;
	bool last_write;
};

/* What undoing a write to this file would take. */
static void judge_write(struct facts *f, const struct ev_file *file)
{
	switch (file->state) {
	case FILE_ABSENT:
		worst(f, REV_REVERSIBLE, N_("a new file in the workspace"));
		return;
	case FILE_REGULAR:
		break;
	case FILE_DIRECTORY:
	case FILE_SPECIAL:
		worst(f, REV_IRREVERSIBLE, N_("not a regular file"));
		return;
	case FILE_UNKNOWN:
		worst(f, REV_IRREVERSIBLE, N_("a file could not be read"));
		return;
	}
	if (file->nlink > 1) {
		worst(f, REV_IRREVERSIBLE, N_("a file with other hard links"));
		never(f, N_("a file with other hard links"));
	} else if (!file->has_digest)
		worst(f, REV_IRREVERSIBLE, N_("a file too large to read"));
	else if (file->git == GIT_CLEAN)
		worst(f, REV_REVERSIBLE, N_("tracked by git and unchanged"));
	else if (file->git == GIT_UNKNOWN)
		worst(f, REV_IRREVERSIBLE, N_("git's state could not be read"));
	else
		worst(f, REV_IRREVERSIBLE, N_("not saved in git as it stands"));
}

static void judge_read(struct facts *f, const struct ev_file *file)
{
	worst(f, REV_READ_ONLY, N_("reads in the workspace"));
	if (file->state == FILE_SPECIAL)
		never(f, N_("reads what is not a regular file"));
	else if (file->state == FILE_REGULAR && file->nlink > 1)
		never(f, N_("a file with other hard links"));
}

/* What a runtime may cut off the ends of a name: white space of Unicode and
 * of JavaScript, controls, invisible characters. */
static bool blank(uint32_t cp)
{
	return cp <= 0x20 || (cp >= 0x7f && cp <= 0xa0) || cp == 0x1680 ||
		cp == 0x180e || (cp >= 0x2000 && cp <= 0x200f) ||
		(cp >= 0x2028 && cp <= 0x202f) || (cp >= 0x205f && cp <= 0x206f) ||
		cp == 0x3000 || cp == 0xfeff;
}

/* A runtime may take this path for another one than the kernel does: some
 * expand a leading "~" and cut blanks off both ends. */
static bool odd(struct sv path)
{
	size_t at = path.n;
	uint32_t cp;

	if (path.n == 0 || path.p[0] == '~')
		return true;
	if (utf8_decode(path.p, path.n, &cp) == 0 || blank(cp))
		return true;
	do
		at--;
	while (at > 0 && path.n - at < 4 && ((unsigned char)path.p[at] & 0xc0) == 0x80);
	return utf8_decode(path.p + at, path.n - at, &cp) == 0 || blank(cp);
}

/* evidence_find(), beginning where the last one was: both are in one order. */
static const struct ev_file *file_of(struct gather *g, struct sv abs)
{
	size_t n = g->ev != NULL ? g->ev->n_files : 0;

	for (size_t i = 0; i < n && abs.n > 0; i++) {
		size_t k = g->at + i < n ? g->at + i : g->at + i - n;

		if (sv_eq(g->ev->files[k].path, abs)) {
			g->at = k;
			return &g->ev->files[k];
		}
	}
	return NULL;
}

static void unresolved(struct facts *f, bool write)
{
	f->understood = false;
	worst(f, write ? REV_IRREVERSIBLE : REV_READ_ONLY, N_("a file could not be opened"));
	never(f, N_("a file could not be opened"));
}

static void outside(struct facts *f, const struct ev_file *file, bool write)
{
	const char *why = file->via_link ? N_("a link leads out of the workspace") :
		N_("outside the workspace");

	worst(f, write ? REV_IRREVERSIBLE : REV_READ_ONLY, why);
	never(f, why);
}

static void add_path(struct gather *g, struct sv path, bool write)
{
	struct facts *f = g->f;
	const struct ev_file *file;
	struct fact_path *p;
	struct sv abs;

	/* Many changes of one file are one path. */
	if (g->n > 0 && write == g->last_write && sv_eq(path, g->last))
		return;
	if (g->n >= FACTS_MAX_PATHS) {
		unresolved(f, write);
		return;
	}
	g->last = path;
	g->last_write = write;
	p = &g->paths[g->n++];
	abs = action_abs_path(g->act, path, g->a);
	*p = (struct fact_path){ .real = abs, .named = abs, .write = write };
	file = odd(path) ? NULL : file_of(g, abs);
	if (file == NULL || file->state == FILE_UNKNOWN || file->real.n == 0) {
		unresolved(f, write);
	} else {
		p->real = file->real;
		p->resolved = true;
		if (!file->in_workspace)
			outside(f, file, write);
		else if (write)
			judge_write(f, file);
		else
			judge_read(f, file);
	}
	/* Both the name given and where it leads: either may be the point. */
	control(f, control_path_find(p->real, g->state_dir, write));
	if (!sv_eq(p->real, abs))
		control(f, control_path_find(abs, g->state_dir, write));
}

static void edit_facts(struct gather *g)
{
	const struct action *act = g->act;
	struct facts *f = g->f;

	f->understood = act->n_changes > 0;
	for (size_t i = 0; i < act->n_changes; i++) {
		const struct change *c = &act->changes[i];

		add_path(g, c->path, true);
		if (c->old_path.n > 0)
			add_path(g, c->old_path, true);
		/* A patch may name other files, or not apply as it reads; a mode
		 * and bytes that are not in the message are not in git either. */
		if (c->patch.n > 0 || c->mode.n > 0 || c->binary) {
			f->understood = false;
			worst(f, REV_IRREVERSIBLE, N_("more than a change of text"));
		}
	}
	if (act->n_changes == 0)
		worst(f, REV_IRREVERSIBLE, N_("names no file"));
}

/* A command by its words alone: no environment, no input, no other shell, no
 * sandbox switched off, nothing we have not heard of. */
static bool words_alone(const struct action *act)
{
	static const char *const known[] = { "command", "cwd", "timeout",
		"run_in_background" };

	for (size_t i = 0; i < act->n_leaves; i++) {
		const struct leaf *l = &act->leaves[i];
		bool ok = l->type == LEAF_NULL || l->type == LEAF_EMPTY ||
			(l->type == LEAF_BOOL && sv_eqs(l->value, "false")) ||
			sv_starts(l->path, "argv[");

		for (size_t k = 0; !ok && k < sizeof(known) / sizeof(known[0]); k++)
			ok = sv_eqs(l->path, known[k]);
		if (!ok)
			return false;
	}
	return true;
}

static void command_facts(struct gather *g)
{
	const struct action *act = g->act;
	struct facts *f = g->f;
	struct words w;
	const char *why = NULL;

	if (act->have_argv) {
		f->argv = act->argv;
		f->n_argv = act->n_argv;
	} else if (words_plain(act->command, g->a, &w, &why) == WORDS_PLAIN) {
		struct sv *argv = arena_alloc(g->a, w.n * sizeof(*argv));

		for (size_t i = 0; argv != NULL && i < w.n; i++)
			argv[i] = w.w[i].text;
		f->argv = argv;
		f->n_argv = argv != NULL ? w.n : 0;
	}
	f->understood = f->n_argv > 0 && words_alone(act);
	worst(f, REV_IRREVERSIBLE, f->understood ? N_("a command") : f->n_argv > 0 ?
		N_("a command with more than its words") :
		N_("a command that is not plain words"));
}

static void read_facts(struct gather *g)
{
	g->f->understood = true;
	for (size_t i = 0; i < g->act->n_read_paths; i++)
		add_path(g, g->act->read_paths[i], false);
	if (g->act->n_read_paths == 0)
		worst(g->f, REV_IRREVERSIBLE, N_("names no file"));
	if (g->act->deflt != TOOL_PASSES_IN_WORKSPACE) {
		g->f->understood = false;
		never(g->f, N_("a pattern that may leave its folder"));
	}
}

static void other_facts(struct gather *g)
{
	const struct leaf *path = g->act->kind == KIND_MEMORY ?
		action_leaf(g->act, "path") : NULL;

	g->f->understood = true;
	if (path != NULL && path->type == LEAF_STRING)
		add_path(g, path->value, true);
	if (g->act->deflt == TOOL_PASSES_READ_ONLY)
		worst(g->f, REV_READ_ONLY, N_("bookkeeping of the agent"));
	else
		worst(g->f, REV_IRREVERSIBLE, N_("what it does is not known"));
}

void facts_from(struct facts *f, const struct action *act,
	const struct evidence *ev, struct arena *a, const char *home,
	const char *state_dir)
{
	struct gather g = { .f = f, .act = act, .ev = ev, .a = a,
		.state_dir = state_dir };
	size_t n = act->n_changes * 2 + act->n_read_paths + 1;

	(void)home;
	f->tool = act->tool;
	f->kind = act->kind;
	f->host = act->host;
	f->deflt = act->deflt;
	if (f->workspace.n == 0 && ev != NULL)
		f->workspace = ev->workspace;
	f->rev = REV_READ_ONLY;
	f->why_rev = NULL;
	f->understood = f->control_path = f->never_passes = false;
	f->control_why = f->never_why = NULL;
	g.paths = arena_alloc(a, (n < FACTS_MAX_PATHS ? n : FACTS_MAX_PATHS) *
		sizeof(*g.paths));
	if (g.paths == NULL) {
		worst(f, REV_IRREVERSIBLE, N_("names too many files"));
		return;
	}
	if (act->kind == KIND_EDIT)
		edit_facts(&g);
	else if (act->kind == KIND_COMMAND)
		command_facts(&g);
	else if (act->n_read_paths > 0 || act->deflt == TOOL_PASSES_IN_WORKSPACE)
		read_facts(&g);
	else
		other_facts(&g);
	if (act->why_not != NULL) {
		f->understood = false;
		worst(f, REV_IRREVERSIBLE, N_("its payload could not be read"));
	}
	f->paths = g.paths;
	f->n_paths = g.n;
}
