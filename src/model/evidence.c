/*
 * evidence.c - the container of what was read of the world.
 */
#include "model/evidence.h"

#include <stdlib.h>
#include <sys/mman.h>

/* Paths and resolved paths of EVIDENCE_FILES_MAX files, 4 KiB each, twice. */
#define EVIDENCE_ARENA_MAX (64u << 20)

struct evidence *evidence_new(void)
{
	struct evidence *e = xcalloc(1, sizeof(*e));

	e->arena = arena_new(EVIDENCE_ARENA_MAX);
	return e;
}

void evidence_free(struct evidence **ep)
{
	struct evidence *e = *ep;

	if (e == NULL)
		return;
	for (size_t i = 0; i < e->n_files; i++) {
		struct sv c = e->files[i].content;

		/* An empty file has content, but no mapping. */
		if (e->files[i].has_content && c.n > 0)
			munmap((void *)(uintptr_t)c.p, c.n);
	}
	arena_free(&e->arena);
	free(e);
	*ep = NULL;
}

const struct ev_file *evidence_find(const struct evidence *e, struct sv path)
{
	if (e == NULL)
		return NULL;
	for (size_t i = 0; i < e->n_files; i++)
		if (sv_eq(e->files[i].path, path))
			return &e->files[i];
	return NULL;
}
