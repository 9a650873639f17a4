/* test_json_read.c - reading a scanned document: decoding and lookups. */
#include "json_check.h"

#include "base/text.h"

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
	assert_false(json_str_is(j, nul, "n\0")); /* the literal has two NULs */
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
		cmocka_unit_test(decodes),
		cmocka_unit_test(lookups),
		cmocka_unit_test(integers),
		cmocka_unit_test(nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
