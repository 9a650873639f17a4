/* test_json.c - the scanner: what it takes, what it refuses, in any slices. */
#include "json_check.h"

#include "base/text.h"
#include "json_cases.h"

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
		make_sized(&b, c[i].before, c[i].piece, c[i].after, 5000);
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

/* Strict UTF-8 is what text.h says it is: all of 2 bytes, then the edges. */
static void utf8_agrees(void **state)
{
	static const uint8_t edge[] = { 0x20, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0,
		0xbf, 0xc0, 0xc2, 0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xff };
	const size_t n = LEN(edge);
	char text[] = "\"....\"";

	(void)state;
	for (size_t k = 0; k < 128 * 256 + 128 * n * n * n; k++) {
		size_t m = k - 128 * 256;
		bool all = k < 128 * 256;
		text[1] = (char)(0x80 + k % 128);
		text[2] = (char)(all ? k / 128 : edge[m / 128 % n]);
		text[3] = (char)(all ? 'x' : edge[m / 128 / n % n]);
		text[4] = (char)(all ? 'y' : edge[m / 128 / n / n]);
		if (text[2] == '"' || text[2] == '\\' || (text[2] >= 0 && text[2] < ' '))
			continue; /* not a question of UTF-8 */
		struct json *j = json_parse((struct sv){ text, 6 }, NULL);
		assert_int_equal(j != NULL, utf8_valid((struct sv){ text + 1, 4 }));
		json_free(&j);
	}
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
		cmocka_unit_test(utf8_agrees),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
