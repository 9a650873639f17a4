/* test_json.c - the scanner: what it takes, what it refuses, in any slices. */
#include "../check.h"

#include "base/json_priv.h"
#include "base/text.h"
#include "json_cases.h"

#define LEN(a) (sizeof(a) / sizeof((a)[0]))
#define SLACK ((size_t)1 << 20)

/* All the same but the hash, whose key is drawn anew for each document. */
static bool same_node(const struct json *a, const struct json *b, uint32_t i)
{
	const struct json_node *x = json_node(a, i), *y = json_node(b, i);

	return x->off == y->off && x->end == y->end && x->key == y->key
		&& x->next == y->next && x->type == y->type && x->esc == y->esc
		&& x->keyesc == y->keyesc;
}

static enum json_status scan_sliced(struct json *j, size_t step, size_t *slices,
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
static void check_sliced(struct sv s, size_t step)
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

static void check_bad(struct sv s, const char *code, size_t off)
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

static struct json *good(struct sv s)
{
	struct err e = ERR_INIT;
	struct json *j = json_parse(s, &e);

	if (j == NULL)
		print_error("%s\n", e.text);
	assert_non_null(j);
	return j;
}

static void accepts(void **state)
{
	(void)state;
	for (size_t i = 0; i < LEN(json_good); i++) {
		const struct json_case *c = &json_good[i];
		struct sv s = { c->p, c->n };
		struct json *j = good(s);
		assert_int_equal(json_count(j), c->count);
		assert_int_equal(json_offset(j), c->n);
		json_free(&j);
		for (size_t step = 1; step < 20; step++)
			check_sliced(s, step);
	}
}

static void refuses(void **state)
{
	(void)state;
	assert_true(LEN(json_good) + LEN(json_wrong) >= 120);
	for (size_t i = 0; i < LEN(json_wrong); i++) {
		const struct json_case *c = &json_wrong[i];
		struct sv s = { c->p, c->n };
		check_bad(s, c->code, c->off);
		for (size_t step = 1; step < 20; step++)
			check_sliced(s, step);
	}
	check_bad(SV_NONE, "json_empty", 0);
}

/* Every prefix of a good object or array is refused: nothing is accepted
 * that was cut off. The exact block shows a read past the end to ASan. */
static void refuses_prefixes(void **state)
{
	(void)state;
	for (size_t i = 0; i < LEN(json_good); i++) {
		const struct json_case *c = &json_good[i];
		if (c->p[0] != '[' && c->p[0] != '{' && c->p[0] != '"')
			continue;
		for (size_t n = 0; n < c->n && c->p[n] != '\0'; n++) {
			struct err e = ERR_INIT;
			char *cut = malloc(n > 0 ? n : 1);
			assert_non_null(cut);
			memcpy(cut, c->p, n);
			struct json *j = json_parse((struct sv){ cut, n }, &e);
			assert_true(j == NULL || json_raw(j, 0).n <= n);
			assert_true(j == NULL || c->p[n] == ' ');
			json_free(&j);
			free(cut);
		}
	}
}

/* Each value's bytes, parsed alone, give the same tree. */
static void check_slices_of(struct sv s)
{
	struct json *j = good(s);

	for (json_ref v = 0; v < json_count(j); v++) {
		struct sv raw = json_raw(j, v);
		assert_true(raw.p >= s.p && raw.p + raw.n <= s.p + s.n);
		assert_int_equal(json_pos(j, v), (size_t)(raw.p - s.p));
		struct json *k = good(raw);
		assert_int_equal(json_typeof(k, 0), json_typeof(j, v));
		assert_int_equal(json_len(k, 0), json_len(j, v));
		assert_int_equal(json_raw(k, 0).n, raw.n);
		for (json_ref w = 0; w < json_count(k); w++) {
			assert_true(sv_eq(json_raw(k, w), json_raw(j, v + w)));
			if (w > 0)
				assert_true(sv_eq(json_key_raw(k, w), json_key_raw(j, v + w)));
		}
		json_free(&k);
	}
	json_free(&j);
}

static void values_are_slices(void **state)
{
	(void)state;
	for (size_t i = 0; i < LEN(json_good); i++)
		check_slices_of((struct sv){ json_good[i].p, json_good[i].n });
}

/* A nest of n levels: arrays, or arrays and objects by turns. */
static void make_nest(struct buf *b, unsigned n, bool mixed)
{
	buf_clear(b);
	for (unsigned i = 0; i < n; i++)
		buf_adds(b, mixed && i % 2 ? "{\"k\":" : "[");
	for (unsigned i = n; i > 0; i--) {
		if (mixed && i == n && (i - 1) % 2)
			buf_adds(b, "0");
		buf_adds(b, mixed && (i - 1) % 2 ? "}" : "]");
	}
}

static void depth(void **state)
{
	struct buf b;

	(void)state;
	buf_init(&b, 4096);
	for (int mixed = 0; mixed < 2; mixed++) {
		make_nest(&b, JSON_MAX_DEPTH, mixed);
		struct json *j = good(buf_sv(&b));
		json_free(&j);
		check_sliced(buf_sv(&b), 1);
		check_slices_of(buf_sv(&b));
		make_nest(&b, JSON_MAX_DEPTH + 1, mixed);
		check_bad(buf_sv(&b), "json_depth", mixed ? 64 + 64 * 5 : 128);
		check_sliced(buf_sv(&b), 1);
	}
	buf_free(&b);
}

static void make_values(struct buf *b, size_t values)
{
	buf_clear(b);
	buf_adds(b, "[");
	for (size_t i = 1; i < values; i++)
		buf_adds(b, i == 1 ? "1" : ",1");
	buf_adds(b, "]");
}

static void values(void **state)
{
	struct buf b;

	(void)state;
	buf_init(&b, JSON_MAX_BYTES);
	make_values(&b, JSON_MAX_VALUES);
	struct json *j = good(buf_sv(&b));
	assert_int_equal(json_count(j), JSON_MAX_VALUES);
	assert_int_equal(json_len(j, 0), JSON_MAX_VALUES - 1);
	assert_true(json_memory(j) <= 16 * (size_t)JSON_MAX_VALUES + SLACK);
	assert_true(json_memory(j) >= 16 * (size_t)JSON_MAX_VALUES);
	json_free(&j);
	check_sliced(buf_sv(&b), JSON_STEP);
	make_values(&b, JSON_MAX_VALUES + 1);
	check_bad(buf_sv(&b), "json_values", 2 * (size_t)JSON_MAX_VALUES - 1);
	check_sliced(buf_sv(&b), 1000);
	buf_free(&b);
}

/* A document of exactly n bytes: before, then the piece again and again. */
static void make_sized(struct buf *b, const char *before, const char *piece,
	const char *after, size_t n)
{
	size_t len = strlen(piece);

	buf_clear(b);
	buf_adds(b, before);
	while (b->n + len + strlen(after) <= n)
		buf_add(b, piece, len);
	while (b->n + strlen(after) < n)
		buf_addc(b, ' ');
	buf_adds(b, after);
}

static void sizes(void **state)
{
	struct buf b;

	(void)state;
	buf_init(&b, JSON_MAX_BYTES + 1);
	make_sized(&b, "\"", "x", "\"", JSON_MAX_BYTES);
	struct json *j = good(buf_sv(&b));
	assert_int_equal(json_str(j, 0, NULL).n, JSON_MAX_BYTES - 2);
	json_free(&j);
	make_sized(&b, "\"", "x", "\"", JSON_MAX_BYTES + 1);
	check_bad(buf_sv(&b), "json_size", JSON_MAX_BYTES);
	make_sized(&b, "1", " ", "", JSON_MAX_BYTES);
	j = good(buf_sv(&b));
	assert_int_equal(json_raw(j, 0).n, 1);
	json_free(&j);
	make_sized(&b, "1", " ", "", JSON_MAX_BYTES + 1);
	check_bad(buf_sv(&b), "json_size", JSON_MAX_BYTES);
	/* The last value's end is the highest offset there is. */
	make_sized(&b, "[", "[\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"],", "0]", JSON_MAX_BYTES);
	j = good(buf_sv(&b));
	assert_int_equal(json_raw(j, 0).n, JSON_MAX_BYTES);
	assert_int_equal(json_pos(j, (json_ref)json_count(j) - 1), JSON_MAX_BYTES - 2);
	json_free(&j);
	buf_free(&b);
}

static void floods(void **state)
{
	struct buf b;

	(void)state;
	buf_init(&b, JSON_MAX_BYTES);
	make_sized(&b, "", "[],", "[]", JSON_MAX_BYTES);
	check_bad(buf_sv(&b), "json_trailing", 2);
	make_sized(&b, "[", "[],", "[]]", JSON_MAX_BYTES);
	check_bad(buf_sv(&b), "json_values", 1 + 3 * (size_t)(JSON_MAX_VALUES - 1));
	check_sliced(buf_sv(&b), JSON_STEP);
	make_sized(&b, "", "[", "", JSON_MAX_BYTES);
	check_bad(buf_sv(&b), "json_depth", JSON_MAX_DEPTH);
	make_sized(&b, "[", "{},", "{}]", JSON_MAX_BYTES);
	check_bad(buf_sv(&b), "json_values", 1 + 3 * (size_t)(JSON_MAX_VALUES - 1));
	make_sized(&b, "", " ", "", JSON_MAX_BYTES);
	check_bad(buf_sv(&b), "json_empty", JSON_MAX_BYTES);
	make_sized(&b, "\"", "\\", "", JSON_MAX_BYTES);
	check_bad(buf_sv(&b), "json_syntax", JSON_MAX_BYTES - 1);
	buf_free(&b);
}

/* Whatever is long can be interrupted: in slices of `step` it takes at least
 * n / (step + 12) of them. check_sliced() shows that the result is the same. */
static void interruptible(void **state)
{
	static const struct { const char *before, *piece, *after; } c[] = {
		{ "\"", "x", "\"" }, { "\"", "\xe6\xbc\xa2", "\"" }, { "\"", "\\n", "\"" },
		{ "\"", "\\ud83d\\ude00", "\"" }, { "[", " ", "]" }, { "[1", "0", "]" },
		{ "[1.", "0", "]" }, { "[1e", "0", "]" }, { "{\"", "k", "\":1}" },
		{ "{\"", "\\u0061", "\":1}" }, { "{\"a\"", " ", ":1}" },
		{ "{\"a\":1", "\n", "}" }, { "0", " ", "" }, { "[", "[],", "1]" },
		{ "[", "{\"a\":1,\"b\":\"c\"},", "1]" },
	};
	struct buf b;
	size_t slices, step = 1000, n = 300000;

	(void)state;
	buf_init(&b, 1u << 20);
	for (size_t i = 0; i < LEN(c); i++) {
		make_sized(&b, c[i].before, c[i].piece, c[i].after, n);
		struct json *j = json_new(buf_sv(&b));
		assert_int_equal(scan_sliced(j, step, &slices, NULL), JSON_DONE);
		assert_true(slices >= n / (step + 12));
		json_free(&j);
		check_sliced(buf_sv(&b), 777);
		check_sliced(buf_sv(&b), 1);
	}
	/* By the clock too: 1 us is over long before 16 MiB are. */
	buf_free(&b);
	buf_init(&b, JSON_MAX_BYTES);
	make_sized(&b, "\"", "x", "\"", JSON_MAX_BYTES);
	struct json *j = json_new(buf_sv(&b));
	assert_int_equal(json_scan(j, 1, NULL), JSON_MORE);
	assert_true(json_offset(j) < JSON_MAX_BYTES / 2);
	assert_int_equal(json_scan(j, 0, NULL), JSON_DONE);
	json_free(&j);
	buf_free(&b);
}

/* {"k0":0,...}: n members; number `twin` (if not 0) has the key of number
 * `first`, spelled with an escape. *off: where that key is. */
static void make_members(struct buf *b, unsigned n, unsigned first, unsigned twin,
	size_t *off)
{
	buf_clear(b);
	buf_adds(b, "{");
	for (unsigned i = 0; i < n; i++) {
		buf_adds(b, i ? "," : "");
		if (twin != 0 && i == twin) {
			*off = b->n;
			buf_addf(b, "\"\\u006b%u\":[%u]", first, i);
		} else {
			buf_addf(b, "\"%s%u\":%u", i % 5 == 4 ? "\\u006B" : "k", i, i);
		}
	}
	buf_adds(b, "}");
}

static void duplicates(void **state)
{
	static const struct { unsigned n, first, twin; } c[] = {
		{ 2, 0, 1 }, { 9, 0, 8 }, { 9, 3, 5 }, { 16, 0, 15 }, { 17, 0, 16 },
		{ 17, 15, 16 }, { 1000, 0, 999 }, { 1000, 4, 500 }, { 1000, 998, 999 },
		{ 80000, 0, 79999 }, { 100000, 99998, 99999 }, { 400000, 0, 399999 },
		{ 400000, 4, 200000 }, { 400000, 399998, 399999 },
	};
	struct buf b;
	size_t off = 0, slices;

	(void)state;
	buf_init(&b, JSON_MAX_BYTES);
	for (size_t i = 0; i < LEN(c); i++) {
		size_t step = c[i].n > 1000 ? JSON_STEP : 1;
		make_members(&b, c[i].n, 0, 0, &off);
		struct json *j = json_new(buf_sv(&b));
		assert_int_equal(scan_sliced(j, step, &slices, NULL), JSON_DONE);
		assert_int_equal(json_len(j, 0), c[i].n);
		json_free(&j);
		make_members(&b, c[i].n, c[i].first, c[i].twin, &off);
		check_bad(buf_sv(&b), "json_dup", off);
		check_sliced(buf_sv(&b), step);
	}
	buf_free(&b);
}

/* Many pairs: the first in the text that repeats another is named, whatever
 * the hash key; the message quotes it, cut and escaped. */
static void first_duplicate(void **state)
{
	struct buf b;
	size_t off = 0;
	struct err e = ERR_INIT;

	(void)state;
	buf_init(&b, JSON_MAX_BYTES);
	for (unsigned half = 4; half <= 200000; half = half < 200 ? half * 2 : half * 10) {
		buf_clear(&b);
		for (unsigned i = 0; i < 2 * half; i++) {
			if (i == half)
				off = b.n + 1;
			buf_addf(&b, "%s\"%u\":0", i ? "," : "{", (i % half) * 7 % half);
		}
		buf_adds(&b, "}");
		for (int again = 0; again < 4; again++)
			check_bad(buf_sv(&b), "json_dup", off);
	}
	buf_free(&b);
	assert_null(json_parse(SV("{\"a\xe2\x80\xae\":1,\"a\xe2\x80\xae\":2}"), &e));
	assert_non_null(strstr(e.text, "a<U+202E>"));
	static const char long_key[] = "{\"0123456789012345678901234567890123456789"
		"012345678901234567\xe6\xbc\xa2\xe6\xbc\xa2\":1,\"01234567890123456789"
		"01234567890123456789012345678901234567\xe6\xbc\xa2\xe6\xbc\xa2\":2}";
	assert_null(json_parse(SV(long_key), &e));
	assert_non_null(strstr(e.text, "4567\xe2\x80\xa6\""));
}

/* The check of one huge object yields too, and long keys are compared in
 * slices. */
static void duplicate_slices(void **state)
{
	struct buf b;
	size_t off = 0, in_dup = 0;
	enum json_status st;

	(void)state;
	buf_init(&b, JSON_MAX_BYTES);
	make_members(&b, 100000, 0, 0, &off);
	struct json *j = json_new(buf_sv(&b));
	json_slice_every(j, JSON_STEP);
	while ((st = json_scan(j, 1, NULL)) == JSON_MORE)
		in_dup += j->state == ST_DUP;
	assert_int_equal(st, JSON_DONE);
	assert_true(in_dup >= 100000 / (JSON_STEP / 16));
	json_free(&j);

	buf_clear(&b);
	buf_adds(&b, "{\"");
	for (size_t i = 0; i < 300000; i++)
		buf_addc(&b, 'x');
	buf_adds(&b, "\":1,\"");
	off = b.n - 1;
	for (size_t i = 0; i < 300000; i++)
		buf_adds(&b, "\\u0078");
	buf_adds(&b, "\":2}");
	check_bad(buf_sv(&b), "json_dup", off);
	check_sliced(buf_sv(&b), 1000);
	j = json_new(buf_sv(&b));
	json_slice_every(j, 1000);
	for (in_dup = 0; json_scan(j, 1, NULL) == JSON_MORE;)
		in_dup += j->state == ST_DUP;
	assert_true(in_dup >= 300);
	json_free(&j);
	buf_free(&b);
}

/* As if the hash had failed: all members of the object alike. */
static enum json_status scan_alike(struct sv s, struct err *e)
{
	struct json *j = json_new(s);
	enum json_status st;
	bool done = false;

	json_slice_every(j, 1);
	while ((st = json_scan(j, 1, e)) == JSON_MORE) {
		if (done || j->pos + 1 < s.n)
			continue;
		for (uint32_t i = 1; i < j->count; i++) {
			struct json_node *nd = json_node(j, i);
			nd->h0 = nd->h2 = 1;
			nd->h1 = nd->h3 = 1;
		}
		done = true;
		json_slice_every(j, JSON_STEP);
	}
	assert_true(done);
	json_free(&j);
	return st;
}

static void equal_hashes(void **state)
{
	struct buf b;
	size_t off = 0;

	(void)state;
	buf_init(&b, JSON_MAX_BYTES);
	/* Bytes decide, not the hash. */
	make_members(&b, 10, 0, 0, &off);
	assert_int_equal(scan_alike(buf_sv(&b), NULL), JSON_DONE);
	make_members(&b, 1000, 0, 0, &off);
	assert_int_equal(scan_alike(buf_sv(&b), NULL), JSON_DONE);
	struct err e = ERR_INIT;
	make_members(&b, 1000, 998, 999, &off);
	assert_int_equal(scan_alike(buf_sv(&b), &e), JSON_BAD);
	assert_string_equal(e.code, "json_dup");
	/* But no quadratic time: refused instead. */
	make_members(&b, 5000, 0, 0, &off);
	assert_int_equal(scan_alike(buf_sv(&b), &e), JSON_BAD);
	assert_string_equal(e.code, "json_dup");
	assert_non_null(strstr(e.text, "cannot be told apart"));
	buf_free(&b);
}

static void check_text(struct sv json, struct sv want)
{
	struct json *j = good(json);
	struct arena *a = arena_new(1u << 20);
	struct sv got = json_str(j, 0, a);

	assert_int_equal(got.n, want.n);
	assert_memory_equal(got.p, want.p, want.n);
	arena_free(&a);
	json_free(&j);
}

static void decodes(void **state)
{
	(void)state;
	check_text(SV("\"\""), SV(""));
	check_text(SV("\"plain\""), SV("plain"));
	check_text(SV("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\""), SV("\"\\/\b\f\n\r\t"));
	check_text(SV("\"a\\u0000b\""), SV("a\0b"));
	check_text(SV("\"\\ud83d\\ude00!\""), SV("\xf0\x9f\x98\x80!"));
	check_text(SV("\"x\\u00e9\\u6f22y\""), SV("x\xc3\xa9\xe6\xbc\xa2y"));
	check_text(SV("\"\\\\u0041\\u005cn\""), SV("\\u0041\\n"));
	/* Every code point, spelled as an escape in lower and upper case. */
	for (uint32_t cp = 0; cp <= 0x10ffff; cp += cp < 0x10000 ? 1 : 251) {
		char text[64], want[4];
		uint32_t hi = 0xd800 + ((cp - 0x10000) >> 10), lo = 0xdc00 + (cp & 0x3ff);
		if (cp == 0xd800)
			cp = 0xe000;
		int n = cp < 0x10000 ? snprintf(text, sizeof(text), "\"\\u%04x\"", cp)
			: snprintf(text, sizeof(text), "\"\\u%04x\\u%04X\"", hi, lo);
		struct sv s = { text, (size_t)n }, w = { want, utf8_encode(cp, want) };
		check_text(s, w);
	}
}

/* Strict UTF-8 is what text.h says it is: all of 1 and 2 bytes, and the
 * edges of 3 and 4. */
static void utf8_agrees(void **state)
{
	static const uint8_t edge[] = { 0x00, 0x20, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f,
		0xa0, 0xbf, 0xc0, 0xc2, 0xe0, 0xed, 0xf0, 0xf4, 0xff };
	char text[8];

	(void)state;
	for (unsigned a = 0x80; a < 0x100; a++) {
		for (unsigned b = 0; b < 0x100; b++) {
			for (size_t k = 0; k < LEN(edge) * LEN(edge); k++) {
				text[0] = '"';
				text[1] = (char)a;
				text[2] = (char)b;
				text[3] = (char)edge[k % LEN(edge)];
				text[4] = (char)edge[k / LEN(edge)];
				text[5] = '"';
				if (memchr(text + 1, '\0', 4) != NULL)
					continue;
				struct json *j = json_parse((struct sv){ text, 6 }, NULL);
				assert_int_equal(j != NULL, utf8_valid((struct sv){ text + 1, 4 }));
				json_free(&j);
			}
		}
	}
}

static void lookups(void **state)
{
	struct json *j = good(SV("{\"a\" : 1, \"b\\n\": \"x\\u0079\", \"c\":[true,false,null],"
		"\"nul\\u0000x\":\"n\\u0000\", \"d\":{}, \"big\":18446744073709551615 }"));
	struct arena *a = arena_new(4096);
	struct arena *tiny = arena_new(1);
	uint64_t u;
	bool t;

	(void)state;
	assert_int_equal(json_len(j, 0), 6);
	json_ref b = json_get(j, 0, "b\n"), c = json_get(j, 0, "c");
	assert_true(json_str_is(j, b, "xy"));
	assert_false(json_str_is(j, b, "x"));
	assert_false(json_str_is(j, b, "xyz"));
	assert_true(sv_eqs(json_key_raw(j, b), "b\\n"));
	assert_true(sv_eqs(json_key(j, b, a), "b\n"));
	assert_null(json_key(j, b, NULL).p);
	assert_null(json_str(j, b, tiny).p);
	assert_true(sv_eqs(json_key_raw(j, json_get(j, 0, "a")), "a"));
	assert_true(sv_eqs(json_raw(j, c), "[true,false,null]"));
	assert_true(json_bool(j, json_first(j, c), &t) && t);
	assert_true(json_bool(j, json_next(j, json_first(j, c)), &t) && !t);
	assert_null(json_key_raw(j, json_first(j, c)).p);
	assert_int_equal(json_get(j, 0, "nul"), JSON_NO);
	json_ref nul = json_next(j, c);
	assert_false(json_str_is(j, nul, "n"));
	assert_true(sv_eq(json_key(j, nul, a), SV("nul\0x")));
	assert_int_equal(json_first(j, json_get(j, 0, "d")), JSON_NO);
	assert_true(json_u64(j, json_get(j, 0, "big"), &u) && u == UINT64_MAX);
	assert_int_equal(json_get(j, 0, "B"), JSON_NO);
	assert_int_equal(json_get(j, c, "a"), JSON_NO);
	arena_free(&a);
	arena_free(&tiny);
	json_free(&j);
}

static void integers(void **state)
{
	static const char *const no[] = { "-1", "-0", "1.0", "1e3", "0.0", "\"1\"", "true",
		"18446744073709551616", "99999999999999999999999", "[]", "null" };
	uint64_t u = 7;

	(void)state;
	for (size_t i = 0; i < LEN(no); i++) {
		struct json *j = good(sv_of(no[i]));
		assert_false(json_u64(j, 0, &u));
		json_free(&j);
	}
	struct json *j = good(SV(" 0 "));
	assert_true(json_u64(j, 0, &u) && u == 0);
	json_free(&j);
}

/* Nothing is there: no crash, and the answers say so. */
static void nothing(void **state)
{
	struct json *j = good(SV("[1]")), *half = json_new(SV("[1,2,\"aaaaaaaaaaaaaaa\"]"));
	const struct { const struct json *j; json_ref v; } c[] = {
		{ j, JSON_NO }, { j, 2 }, { j, 1u << 20 }, { half, 0 }, { half, 1 }, { NULL, 0 } };
	uint64_t u;
	bool t;

	(void)state;
	json_slice_every(half, 4);
	assert_int_equal(json_scan(half, 1, NULL), JSON_MORE);
	for (size_t i = 0; i < LEN(c); i++) {
		const struct json *d = c[i].j;
		json_ref v = c[i].v;
		assert_int_equal(json_typeof(d, v), JSON_NULL);
		assert_false(json_is(d, v, JSON_NULL));
		assert_int_equal(json_get(d, v, "a"), JSON_NO);
		assert_int_equal(json_first(d, v), JSON_NO);
		assert_int_equal(json_next(d, v), JSON_NO);
		assert_int_equal(json_len(d, v), 0);
		assert_int_equal(json_pos(d, v), 0);
		assert_null(json_raw(d, v).p);
		assert_null(json_key_raw(d, v).p);
		assert_null(json_str(d, v, NULL).p);
		assert_null(json_key(d, v, NULL).p);
		assert_false(json_key_is(d, v, ""));
		assert_false(json_str_is(d, v, ""));
		assert_false(json_u64(d, v, &u));
		assert_false(json_bool(d, v, &t));
	}
	json_free(&j);
	json_free(&j);
	json_free(&half);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(accepts),
		cmocka_unit_test(refuses),
		cmocka_unit_test(refuses_prefixes),
		cmocka_unit_test(values_are_slices),
		cmocka_unit_test(depth),
		cmocka_unit_test(values),
		cmocka_unit_test(sizes),
		cmocka_unit_test(floods),
		cmocka_unit_test(interruptible),
		cmocka_unit_test(duplicates),
		cmocka_unit_test(first_duplicate),
		cmocka_unit_test(duplicate_slices),
		cmocka_unit_test(equal_hashes),
		cmocka_unit_test(decodes),
		cmocka_unit_test(utf8_agrees),
		cmocka_unit_test(lookups),
		cmocka_unit_test(integers),
		cmocka_unit_test(nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
