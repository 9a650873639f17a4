/*
 * hash.c - libcrypto behind hash.h. A failure of libcrypto here is either no
 * memory or a broken installation: nothing may be recorded or released
 * without digests, so all of them are fatal.
 */
#include "base/hash.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include "base/err.h"

struct hasher {
	EVP_MD_CTX *ctx;
};

/* Fetched once: an implicit fetch a digest costs more than a short digest. */
static EVP_MD *hash_md;
static pthread_once_t hash_once = PTHREAD_ONCE_INIT;

static void hash_fetch(void)
{
	hash_md = EVP_MD_fetch(NULL, "SHA256", NULL);
}

static const EVP_MD *hash_sha256(void)
{
	pthread_once(&hash_once, hash_fetch);
	if (hash_md == NULL)
		fatal("libcrypto has no SHA-256");
	return hash_md;
}

struct hasher *hasher_new(void)
{
	struct hasher *h = xcalloc(1, sizeof *h);

	h->ctx = EVP_MD_CTX_new();
	if (h->ctx == NULL || EVP_DigestInit_ex2(h->ctx, hash_sha256(), NULL) != 1)
		fatal("libcrypto: cannot start SHA-256");
	return h;
}

void hasher_add(struct hasher *h, const void *p, size_t n)
{
	if (n > 0 && EVP_DigestUpdate(h->ctx, p, n) != 1)
		fatal("libcrypto: SHA-256 update");
}

static void hasher_le(struct hasher *h, uint64_t v, size_t n)
{
	uint8_t le[8];

	for (size_t i = 0; i < n; i++)
		le[i] = (uint8_t)(v >> (8 * i));
	hasher_add(h, le, n);
}

void hasher_u8(struct hasher *h, uint8_t v)
{
	hasher_le(h, v, 1);
}

void hasher_u32(struct hasher *h, uint32_t v)
{
	hasher_le(h, v, 4);
}

void hasher_u64(struct hasher *h, uint64_t v)
{
	hasher_le(h, v, 8);
}

void hasher_lp(struct hasher *h, struct sv s)
{
	hasher_u64(h, s.n);
	hasher_add(h, s.p, s.n);
}

struct digest hasher_final(struct hasher **h)
{
	struct digest d;
	unsigned n = 0;

	if (EVP_DigestFinal_ex((*h)->ctx, d.b, &n) != 1 || n != DIGEST_LEN)
		fatal("libcrypto: SHA-256 final");
	EVP_MD_CTX_free((*h)->ctx);
	free(*h);
	*h = NULL;
	return d;
}

struct digest sha256(struct sv s)
{
	struct digest d;
	unsigned n = 0;

	if (EVP_Digest(s.n > 0 ? s.p : "", s.n, d.b, &n, hash_sha256(), NULL) != 1 ||
	    n != DIGEST_LEN)
		fatal("libcrypto: SHA-256");
	return d;
}

struct digest hmac_sha256(struct sv key, struct sv data)
{
	struct digest d;
	unsigned n = 0;

	if (key.n > INT_MAX)
		fatal("HMAC key of %zu bytes", key.n);
	if (HMAC(hash_sha256(), key.n > 0 ? key.p : "", (int)key.n,
	    (const unsigned char *)(data.n > 0 ? data.p : ""), data.n, d.b, &n) == NULL ||
	    n != DIGEST_LEN)
		fatal("libcrypto: HMAC-SHA-256");
	return d;
}

bool digest_eq(const struct digest *a, const struct digest *b)
{
	return CRYPTO_memcmp(a->b, b->b, DIGEST_LEN) == 0;
}

bool digest_is_zero(const struct digest *d)
{
	static const struct digest zero;

	return digest_eq(d, &zero);
}

void digest_hex(const struct digest *d, char out[DIGEST_HEX_LEN + 1])
{
	hex_of(d->b, DIGEST_LEN, out);
}

bool digest_from_hex(struct sv hex, struct digest *out)
{
	return hex_to(hex, out->b, DIGEST_LEN);
}

void digest_text(const struct digest *d, char out[DIGEST_TEXT_LEN + 1])
{
	memcpy(out, "sha256:", 7);
	digest_hex(d, out + 7);
}

bool digest_from_text(struct sv text, struct digest *out)
{
	if (!sv_starts(text, "sha256:"))
		return false;
	return digest_from_hex((struct sv){ text.p + 7, text.n - 7 }, out);
}

void hex_of(const uint8_t *p, size_t n, char *out)
{
	static const char digit[] = "0123456789abcdef";

	for (size_t i = 0; i < n; i++) {
		*out++ = digit[p[i] >> 4];
		*out++ = digit[p[i] & 15];
	}
	*out = '\0';
}

/* Lower case only: one value has one spelling. */
static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

bool hex_to(struct sv hex, uint8_t *out, size_t n)
{
	if (n > SIZE_MAX / 2 || hex.n != 2 * n)
		return false;
	for (size_t i = 0; i < hex.n; i++)
		if (hex_digit(hex.p[i]) < 0)
			return false;
	for (size_t i = 0; i < n; i++)
		out[i] = (uint8_t)(hex_digit(hex.p[2 * i]) << 4 |
			hex_digit(hex.p[2 * i + 1]));
	return true;
}

void random_bytes(void *p, size_t n)
{
	unsigned char *u = p;

	while (n > 0) {
		int part = n > INT_MAX ? INT_MAX : (int)n;

		if (RAND_bytes(u, part) != 1)
			fatal("libcrypto: no random bytes");
		u += part;
		n -= (size_t)part;
	}
}
