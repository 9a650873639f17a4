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

static void file_unmap(struct ev_file *f)
{
	/* An empty file has content, but no mapping. */
	if (f->has_content && f->content.n > 0)
		munmap((void *)(uintptr_t)f->content.p, f->content.n);
	f->has_content = false;
	f->content = SV_NONE;
}

void evidence_drop_last(struct evidence *e)
{
	if (e->n_files > 0)
		file_unmap(&e->files[--e->n_files]);
}

void evidence_free(struct evidence **ep)
{
	struct evidence *e = *ep;

	if (e == NULL)
		return;
	for (size_t i = 0; i < e->n_files; i++)
		file_unmap(&e->files[i]);
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
