/*
 * dialect_rig.h - decode one message given as text.
 *
 * Frees: rig_clear() what rig_decode() gave.
 */
#ifndef OBSTAT_TESTS_DIALECT_RIG_H
#define OBSTAT_TESTS_DIALECT_RIG_H

#include "base/json_out.h"
#include "proto/dialect.h"
#include "tests/check.h"

/* 0 or -1 as decode(); e may be looked at either way. The message is dead when
 * this returns, as the hub's is: what the event holds must be its own. */
static inline int rig_decode(const char *dialect, struct sv text, bool decide,
	struct event *ev, struct err *e)
{
	char *copy = xmemdup0(text.p, text.n);
	struct sv raw = { copy, text.n };
	struct json *j;
	int r;

	*e = (struct err)ERR_INIT;
	*ev = (struct event){ 0 };
	j = json_parse(raw, e);
	if (j == NULL)
		fail_msg("not JSON: %s", e->text);
	r = dialect_find(sv_of(dialect))->decode(raw, j, decide, ev, e);
	json_free(&j);
	memset(copy, '#', text.n);
	free(copy);
	if (r != 0)
		assert_int_not_equal(e->code[0], '\0');
	return r;
}

/* Every leaf's range, cut out of raw, is its value as received. */
static inline void rig_check_leaves(const struct action *a)
{
	for (size_t i = 0; i < a->n_leaves; i++) {
		const struct leaf *l = &a->leaves[i];
		struct sv cut = { a->raw.p + l->raw_from, l->raw_to - l->raw_from };
		struct err e;
		struct json *j;
		struct arena *ar;

		assert_true(l->raw_from < l->raw_to && l->raw_to <= a->raw.n);
		if (l->type == LEAF_EMPTY) {
			assert_true(cut.p[0] == l->value.p[0]);
			continue;
		}
		if (l->type != LEAF_STRING) {
			assert_true(sv_eq(cut, l->value));
			continue;
		}
		j = json_parse(cut, &e);
		assert_non_null(j);
		ar = arena_new(32u << 20);
		assert_true(sv_eq(json_str(j, 0, ar), l->value));
		arena_free(&ar);
		json_free(&j);
	}
}

#endif
