/*
 * json_check.h - what the tests of the scanner share: one pass and slices
 * compared, refusals checked.
 *
 * Must not include: anything above base/.
 */
#ifndef OBSTAT_TESTS_JSON_CHECK_H
#define OBSTAT_TESTS_JSON_CHECK_H

#include "../check.h"

#include "base/json_priv.h"

#define LEN(a) (sizeof(a) / sizeof((a)[0]))
#define SLACK ((size_t)1 << 20)

/* All the same but the hash, whose key is drawn anew for each document. */
static inline bool same_node(const struct json *a, const struct json *b, uint32_t i)
{
	const struct json_node *x = json_node(a, i), *y = json_node(b, i);

	return x->off == y->off && x->end == y->end && x->key == y->key
		&& x->next == y->next && x->type == y->type && x->esc == y->esc
		&& x->keyesc == y->keyesc;
}

static inline enum json_status scan_sliced(struct json *j, size_t step, size_t *slices,
	struct err *e)
{
	enum json_status st;

	*slices = 0;
	json_slice_every(j, step);
	do {
		size_t before = j->pos;
		st = json_scan(j, 1, e);
		++*slices;
		/* A slice ends at most one character or word later. */
		assert_true(st == JSON_BAD || j->pos - before <= step + 12);
		assert_true(json_memory(j) <= 16 * json_count(j) + SLACK);
	} while (st == JSON_MORE);
	return st;
}

/* One pass and slices of `step` agree on everything. */
static inline void check_sliced(struct sv s, size_t step)
{
	struct err e1 = ERR_INIT, e2 = ERR_INIT;
	struct json *a = json_new(s), *b = json_new(s);
	size_t slices;
	enum json_status st = json_scan(a, 0, &e1);

	assert_int_not_equal(st, JSON_MORE);
	assert_int_equal(scan_sliced(b, step, &slices, &e2), st);
	assert_int_equal(json_offset(a), json_offset(b));
	assert_int_equal(json_count(a), json_count(b));
	for (uint32_t i = 0; i < json_count(a); i++)
		assert_true(same_node(a, b, i));
	assert_string_equal(e1.code, e2.code);
	assert_string_equal(e1.text, e2.text);
	json_free(&a);
	json_free(&b);
}

static inline void check_bad(struct sv s, const char *code, size_t off)
{
	struct err e = ERR_INIT, again = ERR_INIT;
	struct json *j = json_new(s);
	char want[64];

	assert_int_equal(json_scan(j, 0, &e), JSON_BAD);
	assert_string_equal(e.code, code);
	assert_int_equal(json_offset(j), off);
	snprintf(want, sizeof(want), "JSON, byte %zu: ", off);
	assert_int_equal(strncmp(e.text, want, strlen(want)), 0);
	/* It stays refused, and nothing of it can be read. */
	assert_int_equal(json_scan(j, 1000, &again), JSON_BAD);
	assert_string_equal(again.text, e.text);
	assert_null(json_raw(j, 0).p);
	assert_int_equal(json_first(j, 0), JSON_NO);
	json_free(&j);
	assert_null(json_parse(s, &e));
	assert_null(json_parse(s, NULL));
}

static inline struct json *good(struct sv s)
{
	struct err e = ERR_INIT;
	struct json *j = json_parse(s, &e);

	if (j == NULL)
		print_error("%s\n", e.text);
	assert_non_null(j);
	return j;
}

#endif
