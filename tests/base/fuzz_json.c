/*
 * fuzz_json.c - any bytes: the scanner keeps its promises.
 *
 * Whole and sliced scans agree; what was accepted is a tree of slices that
 * nest, come in order and stay inside the input; each slice parses alone;
 * decoded text is valid UTF-8 and compares equal to itself.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_priv.h"
#include "base/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(x) do { \
	if (!(x)) { \
		fprintf(stderr, "fuzz_json: line %d: %s\n", __LINE__, #x); \
		abort(); \
	} \
} while (0)

static void check_same(const struct json *a, const struct json *b)
{
	MUST(json_offset(a) == json_offset(b));
	MUST(json_count(a) == json_count(b));
	for (uint32_t i = 0; i < json_count(a); i++) {
		const struct json_node *x = json_node(a, i), *y = json_node(b, i);
		MUST(x->off == y->off && x->end == y->end && x->key == y->key);
		MUST(x->next == y->next && x->type == y->type);
		MUST(x->esc == y->esc && x->keyesc == y->keyesc);
	}
}

static void check_sliced(struct sv s, const struct json *whole, enum json_status st,
	const struct err *e, size_t step)
{
	struct err e2 = ERR_INIT;
	struct json *j = json_new(s);
	enum json_status st2;

	json_slice_every(j, step);
	while ((st2 = json_scan(j, 1, &e2)) == JSON_MORE)
		MUST(json_memory(j) <= 16 * json_count(j) + (1u << 20));
	MUST(st2 == st);
	MUST(strcmp(e->code, e2.code) == 0 && strcmp(e->text, e2.text) == 0);
	check_same(whole, j);
	json_free(&j);
}

/* Strings compare as C text only when they hold no NUL. */
static void check_text(const struct json *j, json_ref v, struct arena *a)
{
	struct sv t = json_str(j, v, a), k = json_key(j, v, a);

	if (t.p != NULL) {
		MUST(utf8_valid(t));
		MUST(json_str_is(j, v, arena_strz(a, t)) == (memchr(t.p, 0, t.n) == NULL));
	}
	if (k.p != NULL) {
		MUST(utf8_valid(k));
		MUST(json_key_raw(j, v).n >= k.n);
		MUST(json_key_is(j, v, arena_strz(a, k)) == (memchr(k.p, 0, k.n) == NULL));
	}
}

static void check_tree(const struct json *j, struct sv s, struct arena *a)
{
	for (json_ref v = 0; v < json_count(j); v++) {
		struct sv raw = json_raw(j, v);
		size_t at = json_pos(j, v) + 1, end = json_pos(j, v) + raw.n;
		MUST(raw.n > 0 && raw.p >= s.p && raw.p + raw.n <= s.p + s.n);
		for (json_ref c = json_first(j, v); c != JSON_NO; c = json_next(j, c)) {
			MUST(c > v && json_pos(j, c) >= at);
			at = json_pos(j, c) + json_raw(j, c).n;
			MUST(at < end);
			MUST((json_key_raw(j, c).p != NULL) == json_is(j, v, JSON_OBJECT));
			MUST(json_key_raw(j, c).p == NULL
				|| json_key_raw(j, c).p[json_key_raw(j, c).n] == '"');
		}
		check_text(j, v, a);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sv s = { (const char *)data, size };
	struct err e = ERR_INIT;
	struct json *j = json_new(s);
	enum json_status st = json_scan(j, 0, &e);
	struct arena *a = arena_new(8u << 20);

	MUST(st != JSON_MORE);
	MUST((st == JSON_BAD) == (e.code[0] != '\0'));
	MUST(json_offset(j) <= size);
	check_sliced(s, j, st, &e, 1);
	check_sliced(s, j, st, &e, 7 + size % 31);
	if (st == JSON_DONE) {
		check_tree(j, s, a);
		json_ref v = (json_ref)(json_count(j) / 2);
		struct json *k = json_parse(json_raw(j, v), NULL);
		MUST(k != NULL && json_typeof(k, 0) == json_typeof(j, v));
		json_free(&k);
	}
	json_free(&j);
	arena_free(&a);
	return 0;
}
