/* test_json_out.c - what we send is valid JSON whatever it is built from. */
#include "tests/check.h"

#include "base/json_out.h"
#include "base/text.h"

static char *text_of(const struct jv *v)
{
	struct buf b;

	buf_init(&b, 1 << 20);
	assert_int_equal(jv_write(v, &b), 0);
	return buf_steal(&b, NULL);
}

static void test_build(void **state)
{
	struct jv *o = jv_obj(), *a = jv_arr();
	struct digest d = { { 0xab } };
	char *s;

	(void)state;
	jv_put_sv(o, "z", SV("first"));
	jv_put_s(o, "a", NULL);
	jv_put_sv_opt(o, "left_out", SV_NONE);
	jv_put_sv_opt(o, "empty", SV(""));
	jv_put_i(o, "n", INT64_MIN);
	jv_put_b(o, "b", true);
	jv_add(a, jv_int(INT64_MAX));
	jv_add(a, jv_null());
	jv_add(a, NULL);
	jv_add(a, jv_boolean(false));
	jv_put(o, "list", a);
	jv_put(o, "nothing", NULL);
	jv_put_sv(o, "z", SV("again")); /* stays where it was */
	s = text_of(o);
	assert_string_equal(s, "{\"z\":\"again\",\"a\":null,\"empty\":\"\","
		"\"n\":-9223372036854775808,\"b\":true,"
		"\"list\":[9223372036854775807,null,null,false],\"nothing\":null}");
	free(s);
	jv_free(&o);
	assert_null(o);
	o = jv_obj();
	jv_put_digest(o, "d", &d);
	s = text_of(o);
	assert_string_equal(s, "{\"d\":\"sha256:ab000000000000000000000000000000"
		"00000000000000000000000000000000\"}");
	memset(&d, 0, sizeof d);
	assert_true(jv_get_digest(o, "d", &d));
	assert_int_equal(d.b[0], 0xab);
	assert_false(jv_get_digest(o, "e", &d));
	free(s);
	jv_free(&o);
}

static void test_hostile_text(void **state)
{
	struct jv *o = jv_obj(), *back;
	struct err e;
	char *s;

	(void)state;
	jv_put_sv(o, "bad", SV("a\xC0\xFF" "b"));
	jv_put_sv(o, "nul", SV("a\0b"));
	jv_put_sv(o, "k\xFF", SV("\xF4\x90\x80\x80"));
	jv_put_sv(o, "ctl", SV("\x01\"\\\n"));
	s = text_of(o);
	assert_string_equal(s, "{\"bad\":\"a<0xC0><0xFF>b\",\"nul\":\"a\\u0000b\","
		"\"k<0xFF>\":\"<0xF4><0x90><0x80><0x80>\",\"ctl\":\"\\u0001\\\"\\\\\\n\"}");
	back = jv_read(sv_of(s), &e);
	assert_non_null(back);
	assert_true(sv_eq(jv_get_sv(back, "nul"), SV("a\0b")));
	assert_true(sv_eq(jv_get_sv(back, "ctl"), SV("\x01\"\\\n")));
	free(s);
	jv_free(&o);
	jv_free(&back);
}

static void test_write_max(void **state)
{
	struct jv *v = jv_strv(SV("0123456789"));
	struct buf b;

	(void)state;
	buf_init(&b, 14);
	assert_int_equal(buf_adds(&b, "ab"), 0);
	assert_int_equal(jv_write(v, &b), 0);
	assert_true(sv_eqs(buf_sv(&b), "ab\"0123456789\""));
	buf_free(&b);
	buf_init(&b, 13);
	assert_int_equal(buf_adds(&b, "ab"), 0);
	assert_int_equal(jv_write(v, &b), -1);
	assert_true(b.over);
	assert_true(sv_eqs(buf_sv(&b), "ab"));
	buf_clear(&b);
	assert_int_equal(buf_adds(&b, "ab"), 0);
	assert_int_equal(jv_write_clean(v, false, &b), -1);
	assert_true(b.over);
	assert_true(sv_eqs(buf_sv(&b), "ab"));
	buf_free(&b);
	jv_free(&v);
}

static void test_clean(void **state)
{
	static const char hidden[] = "gr\xC3\xBC\xC3\x9F \xE2\x80\xAE" "x\x7F \xF3\xA0\x81\x81"
		" \xC2\x85";
	struct jv *o = jv_obj(), *back;
	struct buf b;
	struct err e;

	(void)state;
	jv_put_s(o, "t", hidden);
	buf_init(&b, 4096);
	assert_int_equal(jv_write_clean(o, false, &b), 0);
	assert_true(esc_is_clean(buf_sv(&b)));
	assert_true(sv_eqs(buf_sv(&b), "{\"t\":\"gr\xC3\xBC\xC3\x9F \\u202ex\\u007f "
		"\\udb40\\udc41 \\u0085\"}"));
	back = jv_read(buf_sv(&b), &e);
	assert_non_null(back);
	assert_true(sv_eqs(jv_get_sv(back, "t"), hidden));
	jv_free(&back);
	buf_clear(&b);
	assert_int_equal(jv_write_clean(o, true, &b), 0);
	assert_true(sv_starts(buf_sv(&b), "{\n  \"t\": \"gr"));
	buf_free(&b);
	jv_free(&o);
}

static void test_read(void **state)
{
	static const char *const bad[] = { "", "{", "{}x", "{\"a\":1,\"a\":2}", "\"\xFF\"",
		"[1,]", "9223372036854775808", "nul", "\"\\ud800\"" };
	struct jv *v;
	struct err e;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		assert_null(jv_read(sv_of(bad[i]), &e));
		assert_string_equal(e.code, "json_read");
	}
	v = jv_read(SV(" {\"a\":[1,\"x\",true,1.5],\"n\":null,\"b\":false,\"i\":-3} "), &e);
	assert_true(jv_is_obj(v));
	assert_true(jv_is_arr(jv_get(v, "a")));
	assert_int_equal(jv_len(jv_get(v, "a")), 4);
	assert_int_equal(jv_i(jv_at(jv_get(v, "a"), 0), -9), 1);
	assert_int_equal(jv_i(jv_at(jv_get(v, "a"), 3), -9), -9);
	assert_true(sv_eqs(jv_sv(jv_at(jv_get(v, "a"), 1)), "x"));
	assert_null(jv_at(jv_get(v, "a"), 4));
	assert_int_equal(jv_get_i(v, "i", 0), -3);
	assert_int_equal(jv_get_i(v, "a", 8), 8);
	assert_false(jv_get_b(v, "b", true));
	assert_true(jv_get_b(v, "i", true));
	/* Wrong types and nothing at all answer the same way. */
	assert_null(jv_get(NULL, "x"));
	assert_null(jv_get(jv_get(v, "a"), "x"));
	assert_null(jv_at(v, 0));
	assert_int_equal(jv_len(NULL), 0);
	assert_null(jv_get_sv(v, "i").p);
	assert_false(jv_is_obj(NULL));
	jv_free(&v);
	jv_free(&v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_build),
		cmocka_unit_test(test_hostile_text),
		cmocka_unit_test(test_write_max),
		cmocka_unit_test(test_clean),
		cmocka_unit_test(test_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
