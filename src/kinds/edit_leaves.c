/*
 * edit_leaves.c - which leaves of an edit its sections have shown. What they
 * have not is drawn as it came: a field nobody knows is not left out.
 */
#include <string.h>

#include "kinds/edit_priv.h"

/* The number in "changes[N]." or "edits[N]." and the field after it; without
 * such a head, the whole path is a field of the first change. */
static bool split(struct sv path, size_t *index, struct sv *field)
{
	static const char *const heads[] = { "changes[", "edits[" };
	const char *end;
	uint64_t n;

	*index = 0;
	*field = path;
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		size_t h = strlen(heads[i]);

		if (!sv_starts(path, heads[i]))
			continue;
		end = memchr(path.p + h, ']', path.n - h);
		if (end == NULL || end + 1 >= path.p + path.n || end[1] != '.' ||
		    !sv_u64((struct sv){ path.p + h, (size_t)(end - path.p) - h }, &n))
			return false;
		*index = (size_t)n;
		*field = (struct sv){ end + 2, path.n - (size_t)(end + 2 - path.p) };
		return true;
	}
	return memchr(path.p != NULL ? path.p : "", '.', path.n) == NULL;
}

enum field { F_PATH, F_OLD_PATH, F_OLD, F_NEW, F_PATCH, F_MODE, F_NOTE,
	F_ALL, F_FRAGMENT, F_BINARY, F_OP };
static const struct {
	const char *name;
	enum field field;
} fields[] = {
	{ "file_path", F_PATH }, { "notebook_path", F_PATH }, { "path", F_PATH },
	{ "old_path", F_OLD_PATH }, { "old_string", F_OLD }, { "old_text", F_OLD },
	{ "new_string", F_NEW }, { "new_text", F_NEW }, { "content", F_NEW },
	{ "new_source", F_NEW }, { "patch", F_PATCH }, { "mode", F_MODE },
	{ "cell_id", F_NOTE }, { "replace_all", F_ALL },
	{ "fragment", F_FRAGMENT }, { "binary", F_BINARY }, { "op", F_OP },
};
static const char *const op_names[] = {
	[CHANGE_ADD] = "add", [CHANGE_MODIFY] = "modify",
	[CHANGE_DELETE] = "delete", [CHANGE_MOVE] = "move",
	[CHANGE_WRITE] = "write",
};

static bool says(const struct leaf *l, bool value)
{
	return l->type == LEAF_BOOL && sv_eqs(l->value, value ? "true" : "false");
}

/* The replaced text is in the document when it was found in the file, drawn by
 * itself, or is what the difference is drawn against. */
static bool old_shown(const struct edit_sect *s, const struct change *c)
{
	if (s->show == EDIT_SHOW_PARTS || c->old_text.n == 0)
		return true;
	if (s->show != EDIT_SHOW_DIFF)
		return false;
	return c->fragment || sv_eq(c->old_text, s->old);
}

static bool new_shown(const struct edit_sect *s)
{
	return s->show == EDIT_SHOW_DIFF || s->show == EDIT_SHOW_NEW ||
		s->show == EDIT_SHOW_PARTS;
}

static bool shown(const struct edit_sect *s, const struct change *c,
	const struct edit_part *part, enum field f, const struct leaf *l)
{
	bool same = false;

	if (f < F_ALL && l->type != LEAF_STRING)
		return false;
	switch (f) {
	case F_PATH:
		return sv_eq(l->value, c->path);
	case F_OLD_PATH:
		return sv_eq(l->value, c->old_path);
	case F_OLD:
		same = sv_eq(l->value, c->old_text);
		return same && !part->overwritten && old_shown(s, c);
	case F_NEW:
		same = sv_eq(l->value, c->new_text);
		return same && !part->overwritten && c->has_new && new_shown(s);
	case F_PATCH:
		return sv_eq(l->value, c->patch) && s->show == EDIT_SHOW_PATCH;
	case F_MODE:
		/* Only the first change's mode stands in the heading. */
		return sv_eq(l->value, s->c->mode);
	case F_NOTE:
		return sv_eq(l->value, c->note) && s->show == EDIT_SHOW_PARTS;
	case F_ALL:
		return says(l, c->replace_all);
	case F_FRAGMENT:
		return says(l, c->fragment);
	case F_BINARY:
		return says(l, false) && !c->binary;
	case F_OP:
		return sv_eqs(l->value, op_names[c->op]);
	}
	return false;
}

void edit_leaves_done(struct edit_plan *p)
{
	const struct action *a = p->v->a;
	const struct edit_sect **of = arena_alloc(p->v->ar,
		a->n_changes * sizeof(struct edit_sect *));

	if (of == NULL)
		return;
	for (size_t s = 0; s < p->n_sects; s++)
		for (size_t i = 0; i < p->sects[s].n; i++)
			of[p->order[p->sects[s].first + i]] = &p->sects[s];
	for (size_t i = 0; i < a->n_leaves; i++) {
		const struct leaf *l = &a->leaves[i];
		struct sv field;
		size_t n;

		if (!split(l->path, &n, &field) || n >= a->n_changes)
			continue;
		for (size_t k = 0; k < sizeof(fields) / sizeof(fields[0]); k++)
			if (sv_eqs(field, fields[k].name))
				p->v->leaf_shown[i] = shown(of[n], &a->changes[n],
					&p->parts[n], fields[k].field, l);
	}
}
