/*
 * sql_say.h - what sql_parse() found, as one line, for tests.
 */
#ifndef OBSTAT_TESTS_SQL_SAY_H
#define OBSTAT_TESTS_SQL_SAY_H

#include "check.h"

#include "base/mem.h"
#include "lang/sql.h"

static inline enum sql_dialect dialect_of(char c)
{
	return c == 'p' ? SQL_POSTGRES : c == 'm' ? SQL_MYSQL : c == 's' ? SQL_SQLITE :
		SQL_UNKNOWN;
}

/* "kind | targets | where | verdict why", joined by " // "; then " !! reason"
 * when the text is opaque. The caller frees it. */
static inline char *sql_say(char dialect, struct sv text)
{
	static const char *const where[] = { "-", "none", "true", "some" };
	static const char *const verdict[] = { "plain", "destructive", "opaque" };
	struct arena *a = arena_new(1 << 24);
	struct sql out;
	struct buf b;
	char *s;
	size_t n;

	buf_init(&b, 1 << 20);
	sql_parse(text, dialect_of(dialect), a, &out);
	for (size_t i = 0; i < out.n_statements; i++) {
		const struct sql_statement *st = &out.statements[i];
		buf_addf(&b, "%s%s |", i > 0 ? " // " : "", st->kind);
		for (size_t j = 0; j < st->n_targets; j++)
			buf_addf(&b, " %.*s", SVFMT(st->targets[j]));
		buf_addf(&b, " | %s | %s %s%s%s", where[st->where], verdict[st->verdict],
			st->why != NULL ? st->why : "-", st->read_only ? " ro" : "",
			st->parsed ? "" : " ?");
	}
	if (out.opaque != NULL)
		buf_addf(&b, " !! %s", out.opaque);
	s = buf_steal(&b, &n);
	arena_free(&a);
	return s;
}

#endif
