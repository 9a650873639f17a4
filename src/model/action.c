/*
 * action.c - actions, their names and their digest.
 */
#include "model/action.h"

#include <stdlib.h>
#include <string.h>

#include "model/names.h"

static const char *const kind_names[KIND_N] = {
	[KIND_EDIT] = "edit",       [KIND_COMMAND] = "command",
	[KIND_HTTP] = "http",       [KIND_SQL] = "sql",
	[KIND_TOOL] = "tool",       [KIND_MESSAGE] = "message",
	[KIND_PAYMENT] = "payment", [KIND_MEMORY] = "memory",
	[KIND_QUESTION] = "question", [KIND_GRANT] = "grant",
	[KIND_OTHER] = "other",
};

const char *kind_name(enum kind k)
{
	return name_of(kind_names, KIND_N, (size_t)k);
}

bool kind_from_name(struct sv name, enum kind *out)
{
	int i = name_find(kind_names, KIND_N, name);

	if (i < 0)
		return false;
	*out = (enum kind)i;
	return true;
}

struct action *action_new(size_t arena_max)
{
	struct action *a = xcalloc(1, sizeof(*a));

	a->arena = arena_new(arena_max);
	a->kind = KIND_OTHER;
	return a;
}

void action_free(struct action **ap)
{
	struct action *a = *ap;

	if (a == NULL)
		return;
	arena_free(&a->arena);
	free(a);
	*ap = NULL;
}

const struct leaf *action_leaf(const struct action *a, const char *path)
{
	for (size_t i = 0; i < a->n_leaves; i++)
		if (sv_eqs(a->leaves[i].path, path))
			return &a->leaves[i];
	return NULL;
}

struct sv action_abs_path(const struct action *a, struct sv path,
	struct arena *ar)
{
	struct sv out = SV_NONE;
	bool rel = path.n == 0 || path.p[0] != '/';
	size_t n = path.n + (rel ? a->cwd.n + 1 : 0);
	char *p;

	if (path.n == 0 || n > 4095 || memchr(path.p, 0, path.n) != NULL)
		return out;
	if (!rel)
		return arena_sv(ar, path);
	if (a->cwd.n == 0 || a->cwd.p[0] != '/' || memchr(a->cwd.p, 0, a->cwd.n) != NULL)
		return out;
	p = arena_alloc(ar, n + 1);
	if (p == NULL)
		return out;
	memcpy(p, a->cwd.p, a->cwd.n);
	p[a->cwd.n] = '/';
	memcpy(p + a->cwd.n + 1, path.p, path.n);
	out.p = p;
	out.n = n;
	return out;
}

/* Every part is length-prefixed, so that no two actions share an encoding. */
struct digest action_digest(const struct action *a, const struct digest *files,
	size_t n_files)
{
	struct hasher *h = hasher_new();

	hasher_add(h, "obstat action 1", sizeof("obstat action 1"));
	hasher_lp(h, sv_of(kind_name(a->kind)));
	hasher_lp(h, a->tool);
	hasher_lp(h, a->cwd);
	hasher_lp(h, a->target);
	hasher_u64(h, a->n_leaves);
	for (size_t i = 0; i < a->n_leaves; i++) {
		hasher_lp(h, a->leaves[i].path);
		hasher_u8(h, (uint8_t)a->leaves[i].type);
		hasher_lp(h, a->leaves[i].value);
	}
	hasher_u64(h, n_files);
	for (size_t i = 0; i < n_files; i++)
		hasher_add(h, files[i].b, DIGEST_LEN);
	return hasher_final(&h);
}
