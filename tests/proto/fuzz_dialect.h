/*
 * fuzz_dialect.h - the body of the dialects' fuzz targets; FUZZ_DIALECT names
 * the dialect.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "proto/dialect.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void need(bool ok)
{
	if (!ok)
		abort();
}

static void check(const struct action *a)
{
	need(a->kind < KIND_N);
	for (size_t i = 0; i < a->n_leaves; i++) {
		const struct leaf *l = &a->leaves[i];

		need(l->raw_from < l->raw_to && l->raw_to <= a->raw.n);
		for (size_t k = i < 50 ? 0 : i - 50; k < i; k++)
			need(!sv_eq(a->leaves[k].path, l->path));
		if (l->type == LEAF_STRING)
			need(a->raw.p[l->raw_from] == '"' && a->raw.p[l->raw_to - 1] == '"');
	}
	for (size_t i = 0; i < a->n_changes; i++)
		need(a->why_not != NULL || a->changes[i].path.n > 0);
	for (size_t i = 0; i < a->n_argv; i++)
		need(a->argv[i].n <= a->raw.n);
	/* What cannot be shown is never approvable. */
	if (a->kind == KIND_COMMAND && a->command.n == 0 && !a->have_argv)
		need(a->why_not != NULL);
	if (a->kind == KIND_EDIT && a->n_changes == 0)
		need(a->why_not != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct dialect *d = dialect_find(SV(FUZZ_DIALECT));
	struct sv text = { (const char *)data, size };
	struct err e = ERR_INIT;
	struct json *j = json_parse(text, &e);

	if (j == NULL)
		return 0;
	for (int decide = 0; decide < 2; decide++) {
		struct event ev;

		e = (struct err)ERR_INIT;
		if (d->decode(text, j, decide != 0, &ev, &e) != 0)
			need(e.code[0] != '\0');
		else if (ev.action != NULL)
			check(ev.action);
		event_clear(&ev);
	}
	json_free(&j);
	return 0;
}
