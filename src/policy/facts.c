/*
 * facts.c - from an action and what was read of the world to the facts that
 * rules and the default look at.
 *
 * Everything that is not understood is irreversible.
 */
#include <string.h>

#include "lang/words.h"
#include "policy/control_paths.h"
#include "policy/policy.h"

static void worst(struct facts *f, enum reversibility rev, const char *why)
{
	if (rev > f->rev || f->why_rev == NULL) {
		f->rev = rev;
		f->why_rev = why;
	}
}

struct gather {
	struct facts *f;
	const struct action *act;
	const struct evidence *ev;
	struct arena *a;
	const char *state_dir;
	struct fact_path *paths;
	size_t n;
};

/* What undoing a write to this file would take. */
static void judge_write(struct facts *f, const struct ev_file *file)
{
	switch (file->state) {
	case FILE_ABSENT:
		worst(f, REV_REVERSIBLE, "a new file in the workspace");
		return;
	case FILE_REGULAR:
		break;
	case FILE_DIRECTORY:
	case FILE_SPECIAL:
		worst(f, REV_IRREVERSIBLE, "not a regular file");
		return;
	case FILE_UNKNOWN:
		worst(f, REV_IRREVERSIBLE, "a file could not be read");
		return;
	}
	if (file->nlink > 1)
		worst(f, REV_IRREVERSIBLE, "a file with other hard links");
	else if (!file->has_digest)
		worst(f, REV_IRREVERSIBLE, "a file too large to read");
	else if (file->git == GIT_CLEAN)
		worst(f, REV_REVERSIBLE, "tracked by git and unchanged");
	else if (file->git == GIT_UNKNOWN)
		worst(f, REV_IRREVERSIBLE, "git's state could not be read");
	else
		worst(f, REV_IRREVERSIBLE, "not saved in git as it stands");
}

static void add_path(struct gather *g, struct sv path, bool write)
{
	struct facts *f = g->f;
	struct sv abs = action_abs_path(g->act, path, g->a);
	const struct ev_file *file = evidence_find(g->ev, abs);
	struct fact_path *p = &g->paths[g->n++];
	const struct control_path *c;

	*p = (struct fact_path){ .real = abs, .write = write };
	if (file == NULL || file->state == FILE_UNKNOWN || file->real.n == 0) {
		f->understood = false;
		worst(f, REV_IRREVERSIBLE, "a file could not be opened");
	} else {
		p->real = file->real;
		p->resolved = true;
		if (!file->in_workspace)
			worst(f, REV_IRREVERSIBLE, file->via_link ?
				"a link leads out of the workspace" :
				"outside the workspace");
		else if (write)
			judge_write(f, file);
		else
			worst(f, REV_READ_ONLY, "reads in the workspace");
	}
	/* Both the name given and where it leads: either may be the point. */
	c = control_path_find(p->real, g->state_dir, write);
	if (c == NULL)
		c = control_path_find(abs, g->state_dir, write);
	if (c != NULL && !f->control_path) {
		f->control_path = true;
		f->control_why = c->why;
	}
}

static void edit_facts(struct gather *g)
{
	const struct action *act = g->act;

	g->f->understood = act->n_changes > 0;
	for (size_t i = 0; i < act->n_changes; i++) {
		add_path(g, act->changes[i].path, true);
		if (act->changes[i].old_path.n > 0)
			add_path(g, act->changes[i].old_path, true);
	}
	if (act->n_changes == 0)
		worst(g->f, REV_IRREVERSIBLE, "names no file");
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
	f->understood = f->n_argv > 0;
	worst(f, REV_IRREVERSIBLE, f->understood ? "a command" :
		"a command that is not plain words");
}

static void read_facts(struct gather *g)
{
	g->f->understood = true;
	for (size_t i = 0; i < g->act->n_read_paths; i++)
		add_path(g, g->act->read_paths[i], false);
	if (g->act->n_read_paths == 0)
		worst(g->f, REV_IRREVERSIBLE, "names no file");
}

void facts_from(struct facts *f, const struct action *act,
	const struct evidence *ev, struct arena *a, const char *home,
	const char *state_dir)
{
	struct gather g = { f, act, ev, a, state_dir, NULL, 0 };
	size_t n = act->n_changes * 2 + act->n_read_paths;

	(void)home;
	f->tool = act->tool;
	f->kind = act->kind;
	f->host = act->host;
	f->deflt = act->deflt;
	f->workspace = ev != NULL ? ev->workspace : SV_NONE;
	f->rev = REV_READ_ONLY;
	f->why_rev = NULL;
	g.paths = n > 0 ? arena_alloc(a, n * sizeof(*g.paths)) : NULL;
	if (n > 0 && g.paths == NULL) {
		worst(f, REV_IRREVERSIBLE, "names too many files");
		return;
	}
	if (act->kind == KIND_EDIT)
		edit_facts(&g);
	else if (act->kind == KIND_COMMAND)
		command_facts(&g);
	else if (act->deflt == TOOL_PASSES_IN_WORKSPACE)
		read_facts(&g);
	else if (act->deflt == TOOL_PASSES_READ_ONLY)
		worst(f, REV_READ_ONLY, "bookkeeping of the agent");
	else
		worst(f, REV_IRREVERSIBLE, "what it does is not known");
	if (act->kind != KIND_EDIT && act->kind != KIND_COMMAND)
		f->understood = act->deflt != TOOL_PASSES_IN_WORKSPACE ||
			f->understood;
	if (act->why_not != NULL) {
		f->understood = false;
		worst(f, REV_IRREVERSIBLE, "its payload could not be read");
	}
	f->paths = g.paths;
	f->n_paths = g.n;
}
