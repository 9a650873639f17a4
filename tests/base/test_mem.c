/* test_mem.c - byte strings, bounded buffers and readers, arenas. */
#include "tests/check.h"

#include "base/mem.h"

static void test_sv(void **state)
{
	uint64_t v = 7;

	(void)state;
	assert_true(sv_eq(SV_NONE, SV("")));
	assert_true(sv_eqs(SV("abc"), "abc"));
	assert_false(sv_eqs(SV("abc\0"), "abc"));
	assert_true(sv_starts(SV("abc"), "ab"));
	assert_true(sv_starts(SV_NONE, ""));
	assert_false(sv_starts(SV("a"), "ab"));
	assert_true(sv_ends(SV("abc"), "bc"));
	assert_false(sv_ends(SV("c"), "bc"));
	assert_int_equal(sv_cmp(SV("a"), SV("ab")), -1);
	assert_int_equal(sv_cmp(SV("b"), SV("ab")), 1);
	assert_int_equal(sv_cmp(SV("\xff"), SV("a")), 1); /* bytes, not chars */
	assert_int_equal(sv_cmp(SV_NONE, SV("")), 0);
	assert_true(sv_u64(SV("18446744073709551615"), &v));
	assert_true(v == UINT64_MAX);
	assert_false(sv_u64(SV("18446744073709551616"), &v));
	assert_false(sv_u64(SV("99999999999999999999"), &v));
	assert_false(sv_u64(SV(""), &v));
	assert_false(sv_u64(SV("-1"), &v));
	assert_false(sv_u64(SV("1 "), &v));
	assert_true(v == UINT64_MAX); /* untouched by failures */
	assert_true(sv_u64(SV("007"), &v));
	assert_true(v == 7);
}

static void test_buf_max(void **state)
{
	struct buf b;
	size_t n;
	char *s;

	(void)state;
	buf_init(&b, 5);
	assert_int_equal(buf_adds(&b, "abc"), 0);
	assert_int_equal(buf_adds(&b, "def"), -1);
	assert_true(b.over);
	assert_true(sv_eqs(buf_sv(&b), "abc")); /* nothing changed */
	assert_int_equal(buf_addc(&b, 'd'), -1); /* and stays over */
	buf_clear(&b);
	assert_int_equal(buf_addf(&b, "%d-%s", 12, "ab"), 0);
	assert_int_equal(buf_reserve(&b, 1), -1);
	buf_clear(&b);
	assert_int_equal(buf_adds(&b, "12345"), 0);
	s = buf_steal(&b, &n); /* the NUL fits although max is reached */
	assert_int_equal(n, 5);
	assert_string_equal(s, "12345");
	free(s);
	assert_int_equal(buf_adds(&b, "x"), 0); /* usable again */
	buf_free(&b);
	s = buf_steal(&b, NULL);
	assert_string_equal(s, "");
	free(s);
	buf_init(&b, 0);
	assert_int_equal(buf_add(&b, NULL, 0), 0);
	assert_int_equal(buf_addc(&b, 'x'), -1);
	assert_int_equal(buf_reserve(&b, SIZE_MAX), -1);
	buf_free(&b);
}

static void test_buf_grows(void **state)
{
	struct buf b;
	char big[1000];

	(void)state;
	memset(big, 'y', sizeof big - 1);
	big[sizeof big - 1] = '\0';
	buf_init(&b, 100000);
	for (int i = 0; i < 100; i++) {
		assert_int_equal(buf_addf(&b, "%s!", big), 0);
		assert_true(b.cap <= b.max);
	}
	assert_int_equal(b.n, 100000);
	assert_int_equal(b.p[999], '!');
	buf_drop_front(&b, 999);
	assert_int_equal(b.n, 99001);
	assert_int_equal(b.p[0], '!');
	buf_drop_front(&b, b.n);
	assert_int_equal(b.n, 0);
	buf_free(&b);
}

static void test_wire(void **state)
{
	static const unsigned char want[] = { 1, 3, 2, 7, 6, 5, 4, 0xf, 0xe, 0xd, 0xc,
		0xb, 0xa, 9, 8, 2, 0, 0, 0, 'h', 0 };
	struct buf b;
	struct rd r;
	struct sv s;

	(void)state;
	buf_init(&b, 64);
	buf_u8(&b, 1);
	buf_u16(&b, 0x0203);
	buf_u32(&b, 0x04050607);
	buf_u64(&b, UINT64_C(0x08090a0b0c0d0e0f));
	buf_lp(&b, SV("h\0"));
	assert_int_equal(b.n, sizeof want);
	assert_memory_equal(b.p, want, sizeof want);
	r = rd_of(buf_sv(&b));
	assert_int_equal(rd_u8(&r), 1);
	assert_int_equal(rd_u16(&r), 0x0203);
	assert_int_equal(rd_u32(&r), 0x04050607);
	assert_true(rd_u64(&r) == UINT64_C(0x08090a0b0c0d0e0f));
	assert_false(rd_done(&r));
	s = rd_lp(&r);
	assert_true(sv_eq(s, SV("h\0")));
	assert_true(rd_done(&r));
	assert_int_equal(rd_u8(&r), 0);
	assert_true(r.bad);
	assert_false(rd_done(&r));
	buf_free(&b);
}

static void test_rd_hostile(void **state)
{
	/* A length of 4 GiB - 1 with three bytes behind it. */
	struct rd r = rd_of(SV("\xff\xff\xff\xff" "abc"));
	struct buf b;

	(void)state;
	assert_null(rd_lp(&r).p);
	assert_true(r.bad);
	assert_null(rd_bytes(&r, 0).p); /* bad is for good */
	r = rd_of(SV("abc"));
	assert_null(rd_bytes(&r, SIZE_MAX).p);
	r = rd_of(SV_NONE);
	assert_true(rd_done(&r));
	/* A field that does not fit leaves no length behind. */
	buf_init(&b, 6);
	assert_int_equal(buf_lp(&b, SV("abc")), -1);
	assert_int_equal(b.n, 0);
	buf_free(&b);
}

static void test_arena(void **state)
{
	struct arena *a = arena_new(100000);
	size_t used = 0;
	unsigned char *p;

	(void)state;
	for (size_t n = 0; n < 300; n++) {
		p = arena_alloc(a, n);
		assert_non_null(p);
		assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
		for (size_t i = 0; i < n; i++)
			assert_int_equal(p[i], 0);
		memset(p, 0xff, n);
		assert_true(arena_used(a) >= used + n);
		used = arena_used(a);
	}
	p = arena_alloc(a, 40000);
	assert_non_null(p);
	memset(p, 0xff, 40000);
	assert_false(arena_over(a));
	assert_null(arena_alloc(a, 100000));
	assert_true(arena_over(a));
	assert_null(arena_alloc(a, 1)); /* over is for good */
	assert_null(arena_sv(a, SV("x")).p);
	assert_null(arena_strz(a, SV("x")));
	arena_free(&a);
	assert_null(a);
	arena_free(&a);
}

static void test_arena_copies(void **state)
{
	struct arena *a = arena_new(64);

	(void)state;
	assert_true(sv_eq(arena_sv(a, SV("a\0b")), SV("a\0b")));
	assert_non_null(arena_sv(a, SV("")).p);
	assert_null(arena_sv(a, SV_NONE).p);
	assert_string_equal(arena_strz(a, SV("abc")), "abc");
	assert_null(arena_alloc(a, SIZE_MAX));
	assert_true(arena_over(a));
	arena_free(&a);
}

static void test_x(void **state)
{
	char *s = xasprintf("%d/%s", 3, "x");
	char *d = xmemdup0("a\0b", 3);
	int *v = xcalloc(0, 4);

	(void)state;
	assert_string_equal(s, "3/x");
	assert_memory_equal(d, "a\0b", 4);
	free(s);
	free(d);
	v = xreallocarray(v, 3, sizeof *v);
	v[2] = 1;
	free(v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sv),
		cmocka_unit_test(test_buf_max),
		cmocka_unit_test(test_buf_grows),
		cmocka_unit_test(test_wire),
		cmocka_unit_test(test_rd_hostile),
		cmocka_unit_test(test_arena),
		cmocka_unit_test(test_arena_copies),
		cmocka_unit_test(test_x),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
