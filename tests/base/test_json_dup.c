/* test_json_dup.c - the same key twice, in objects of any size. */
#include "json_check.h"

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

/* A key spelled plainly and with an escape hashes the same at every length,
 * near the end of the input too. */
static void every_length(void **state)
{
	static const char k[] = "abcdefghijklmnopqrstuvwxyz0123456789";
	struct buf b;

	(void)state;
	buf_init(&b, 4096);
	for (int n = 1; n < (int)sizeof(k); n++) {
		buf_clear(&b);
		buf_addf(&b, "{\"%.*s\":1,\"\\u0061%.*s\":2}", n, k, n - 1, k + 1);
		check_bad(buf_sv(&b), "json_dup", 6 + (size_t)n);
		buf_clear(&b);
		buf_addf(&b, "{\"\\u0061%.*s\":1,\"%.*s\":2}", n - 1, k + 1, n, k);
		check_bad(buf_sv(&b), "json_dup", 11 + (size_t)n);
		buf_clear(&b);
		buf_addf(&b, "{\"%.*s\":1,\"%.*s\":2}", n, k, n - 1, k);
		check_sliced(buf_sv(&b), 3);
		struct json *j = good(buf_sv(&b));
		json_free(&j);
	}
	buf_free(&b);
}

/* Many pairs: the first in the text that repeats another is named, whatever
 * the hash key; the message quotes it, cut and escaped. */
static void first_duplicate(void **state)
{
	static const unsigned halves[] = { 4, 8, 9, 16, 100, 5000, 100000, 300000 };
	struct buf b;
	size_t off = 0;
	struct err e = ERR_INIT;

	(void)state;
	buf_init(&b, JSON_MAX_BYTES);
	for (size_t k = 0; k < LEN(halves); k++) {
		unsigned half = halves[k];
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

/* The keys of inner objects are not the outer one's, in a table of several
 * parts too; and the table goes when the scan is over. */
static void inner_keys(void **state)
{
	static const unsigned n[] = { 3, 20, 3000, 300000 };
	struct buf b;
	size_t off;

	(void)state;
	buf_init(&b, JSON_MAX_BYTES);
	for (size_t k = 0; k < LEN(n); k++) {
		buf_clear(&b);
		for (unsigned i = 0; i < n[k]; i++)
			buf_addf(&b, "%s\"k%u\":{\"k1\":0}", i ? "," : "{", i);
		buf_adds(&b, "}");
		struct json *j = good(buf_sv(&b));
		assert_int_equal(json_len(j, 0), n[k]);
		assert_true(json_memory(j) <= 16 * json_count(j) + (128u << 10));
		json_free(&j);
		off = b.n--;
		buf_addf(&b, ",\"k%u\":1}", n[k] / 2);
		check_bad(buf_sv(&b), "json_dup", off);
	}
	buf_free(&b);
}

/* Each object is checked anew, whatever the one before needed. */
static void second_object(void **state)
{
	static const unsigned n[] = { 2, 17, 500, 200000 };
	struct buf b, one;
	size_t off = 0;

	(void)state;
	buf_init(&b, JSON_MAX_BYTES);
	buf_init(&one, JSON_MAX_BYTES);
	for (size_t k = 0; k < LEN(n) * LEN(n); k++) {
		buf_clear(&b);
		make_members(&one, n[k % LEN(n)], 0, 0, &off);
		buf_adds(&b, "[");
		buf_addsv(&b, buf_sv(&one));
		buf_adds(&b, ",");
		make_members(&one, n[k / LEN(n)], 0, n[k / LEN(n)] - 1, &off);
		off += b.n;
		buf_addsv(&b, buf_sv(&one));
		buf_adds(&b, "]");
		check_bad(buf_sv(&b), "json_dup", off);
	}
	buf_free(&b);
	buf_free(&one);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(duplicates),
		cmocka_unit_test(every_length),
		cmocka_unit_test(first_duplicate),
		cmocka_unit_test(inner_keys),
		cmocka_unit_test(second_object),
		cmocka_unit_test(duplicate_slices),
		cmocka_unit_test(equal_hashes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
