/*
 * hash.h - SHA-256, HMAC-SHA-256 and random bytes (libcrypto's only user).
 *
 * Frees: a struct hasher is freed by hasher_final().
 * Must not include: anything above base/.
 */
#ifndef OBSTAT_BASE_HASH_H
#define OBSTAT_BASE_HASH_H

#include "base/mem.h"

#define DIGEST_LEN 32
struct digest {
	uint8_t b[DIGEST_LEN];
};
#define DIGEST_HEX_LEN 64

struct hasher;
struct hasher *hasher_new(void);
void hasher_add(struct hasher *h, const void *p, size_t n);
void hasher_u8(struct hasher *h, uint8_t v);
void hasher_u32(struct hasher *h, uint32_t v);   /* little endian */
void hasher_u64(struct hasher *h, uint64_t v);
void hasher_lp(struct hasher *h, struct sv s);   /* u64 length, then bytes */
struct digest hasher_final(struct hasher **h);   /* frees h */

struct digest sha256(struct sv s);
struct digest hmac_sha256(struct sv key, struct sv data);
bool digest_eq(const struct digest *a, const struct digest *b);
bool digest_is_zero(const struct digest *d);
void digest_hex(const struct digest *d, char out[DIGEST_HEX_LEN + 1]);
bool digest_from_hex(struct sv hex, struct digest *out); /* 64 lower-case hex */
/* "sha256:" and the hex: the one spelling in JSON and on the screen. */
#define DIGEST_TEXT_LEN (7 + DIGEST_HEX_LEN)
void digest_text(const struct digest *d, char out[DIGEST_TEXT_LEN + 1]);
bool digest_from_text(struct sv text, struct digest *out);
void hex_of(const uint8_t *p, size_t n, char *out);      /* 2n + NUL */
bool hex_to(struct sv hex, uint8_t *out, size_t n);
void random_bytes(void *p, size_t n);                    /* fatal on failure */

#endif
