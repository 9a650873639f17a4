/*
 * fuzz_sql.c - whatever comes: tokens without gaps, statements inside the text
 * and in order, and nothing is read-only that is not plain. The first byte
 * chooses the dialect.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "lang/body.h"
#include "lang/sql.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int ok)
{
	if (!ok)
		abort();
}

static void covers(void *arg, enum sql_token t, size_t from, size_t to)
{
	size_t *at = arg;

	check(t <= SQL_T_META && from == *at && to > from);
	*at = to;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sv text = { (const char *)data, size };
	enum sql_dialect d = SQL_UNKNOWN;
	struct arena *a = arena_new(1 << 22);
	struct sql out;
	size_t at = 0;

	if (size > 0) {
		d = (enum sql_dialect)(data[0] & 3);
		text = (struct sv){ text.p + 1, size - 1 };
	}
	sql_tokens(text, d, covers, &at);
	check(at == text.n);
	sql_parse(text, d, a, &out);
	check(d == SQL_UNKNOWN || out.dialect == d);
	at = 0;
	for (size_t i = 0; i < out.n_statements; i++) {
		const struct sql_statement *s = &out.statements[i];
		check(s->from >= at && s->from < s->to && s->to <= text.n);
		check(s->kind[0] != 0 && memchr(s->kind, 0, sizeof(s->kind)) != NULL);
		check(s->verdict == SQL_PLAIN || (s->why != NULL && !s->read_only));
		check(out.opaque == NULL || s->to <= out.opaque_at || !s->read_only);
		for (size_t j = 0; j < s->n_targets; j++)
			check(s->targets[j].n <= text.n + 3);
		at = s->to;
	}
	check(text_looks_like(text) <= LOOKS_HTML);
	arena_free(&a);
	return 0;
}
