/* test_hash.c - digests against published vectors, CRC, hex, clock texts. */
#include "tests/check.h"

#include <time.h>

#include "base/clock.h"
#include "base/crc.h"
#include "base/hash.h"

static void test_sha256(void **state)
{
	struct digest d, e;
	struct hasher *h = hasher_new();
	char hex[DIGEST_HEX_LEN + 1];

	(void)state;
	d = sha256(SV("abc")); /* FIPS 180-4 */
	digest_hex(&d, hex);
	assert_string_equal(hex,
		"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	hasher_add(h, "a", 1);
	hasher_add(h, NULL, 0);
	hasher_add(h, "bc", 2);
	e = hasher_final(&h);
	assert_null(h);
	assert_true(digest_eq(&d, &e));
	d = sha256(SV_NONE);
	digest_hex(&d, hex);
	assert_string_equal(hex,
		"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	assert_false(digest_eq(&d, &e));
}

/* The integers' bytes are the format of every digest of ours. */
static void test_hasher_ints(void **state)
{
	static const unsigned char bytes[] = { 1, 5, 4, 3, 2, 0xd, 0xc, 0xb, 0xa, 9, 8,
		7, 6, 2, 0, 0, 0, 0, 0, 0, 0, 'h', 'i' };
	struct hasher *h = hasher_new();
	struct digest d, e;

	(void)state;
	hasher_u8(h, 1);
	hasher_u32(h, 0x02030405);
	hasher_u64(h, UINT64_C(0x060708090a0b0c0d));
	hasher_lp(h, SV("hi"));
	d = hasher_final(&h);
	e = sha256((struct sv){ (const char *)bytes, sizeof bytes });
	assert_true(digest_eq(&d, &e));
}

static void test_hmac(void **state)
{
	/* RFC 4231, test case 2. */
	struct digest d = hmac_sha256(SV("Jefe"), SV("what do ya want for nothing?"));
	char hex[DIGEST_HEX_LEN + 1];

	(void)state;
	digest_hex(&d, hex);
	assert_string_equal(hex,
		"5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
	d = hmac_sha256(SV_NONE, SV_NONE);
	digest_hex(&d, hex);
	assert_string_equal(hex,
		"b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad");
}

static void test_hex(void **state)
{
	struct digest d = sha256(SV("x")), e;
	char hex[DIGEST_HEX_LEN + 1], text[DIGEST_TEXT_LEN + 1];
	uint8_t two[2] = { 9, 9 };

	(void)state;
	digest_hex(&d, hex);
	assert_true(digest_from_hex(sv_of(hex), &e));
	assert_true(digest_eq(&d, &e));
	digest_text(&d, text);
	assert_int_equal(strlen(text), DIGEST_TEXT_LEN);
	memset(&e, 0, sizeof e);
	assert_true(digest_is_zero(&e));
	assert_true(digest_from_text(sv_of(text), &e));
	assert_true(digest_eq(&d, &e));
	assert_false(digest_is_zero(&e));
	assert_false(digest_from_text(sv_of(hex), &e));
	assert_false(digest_from_hex((struct sv){ hex, DIGEST_HEX_LEN - 1 }, &e));
	hex[3] = 'G';
	assert_false(digest_from_hex(sv_of(hex), &e));
	assert_false(hex_to(SV("00FF"), two, 2)); /* one spelling only */
	assert_int_equal(two[0], 9);
	assert_true(hex_to(SV("00ff"), two, 2));
	assert_int_equal(two[1], 0xff);
}

static void test_random(void **state)
{
	uint8_t a[32] = { 0 }, b[32] = { 0 };

	(void)state;
	random_bytes(a, sizeof a);
	random_bytes(b, sizeof b);
	assert_memory_not_equal(a, b, sizeof a);
	random_bytes(NULL, 0);
}

static void test_crc(void **state)
{
	char all[256];
	uint32_t c = 0;

	(void)state;
	assert_int_equal(crc32_ieee(0, "", 0), 0);
	assert_int_equal(crc32_ieee(0, "123456789", 9), 0xCBF43926u);
	c = crc32_ieee(c, "1234", 4);
	c = crc32_ieee(c, "56789", 5);
	assert_int_equal(c, 0xCBF43926u);
	for (size_t i = 0; i < sizeof all; i++)
		all[i] = (char)i;
	assert_int_equal(crc32_ieee(0, all, sizeof all), 0x29058C73u);
}

static void test_clock_text(void **state)
{
	char s[40];

	(void)state;
	clock_utc(INT64_C(1796047327123), s, sizeof s);
	assert_string_equal(s, "2026-11-30T14:02:07.123Z");
	clock_utc(-1, s, sizeof s);
	assert_string_equal(s, "1969-12-31T23:59:59.999Z");
	clock_utc(INT64_MAX, s, sizeof s); /* a year that no calendar holds */
	assert_true(s[0] != '\0' && strlen(s) < sizeof s);
	setenv("TZ", "XYZ-1", 1);
	tzset();
	clock_local(INT64_C(1796047327123), s, sizeof s);
	assert_string_equal(s, "2026-11-30 15:02:07 +0100");
}

static void test_clock_real(void **state)
{
	uint64_t a = clock_boot_ms();
	int64_t real = clock_real_ms();

	(void)state;
	assert_false(clock_is_test());
	assert_true(clock_boot_ms() >= a);
	assert_true(real > INT64_C(1700000000000));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sha256),
		cmocka_unit_test(test_hasher_ints),
		cmocka_unit_test(test_hmac),
		cmocka_unit_test(test_hex),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_crc),
		cmocka_unit_test(test_clock_text),
		cmocka_unit_test(test_clock_real),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
