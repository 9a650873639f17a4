/*
 * mem.h - memory, byte strings and growing buffers.
 *
 * Hides: the allocator, and the rule that running out of memory is fatal.
 * Frees: the caller frees what x*() returned with free(); an arena frees all
 * it gave out at once; a buf frees its bytes in buf_free().
 * Must not include: anything above base/.
 *
 * A growing buffer cannot exist without a maximum: bytes from outside never
 * decide how much memory we take.
 */
#ifndef OBSTAT_BASE_MEM_H
#define OBSTAT_BASE_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A borrowed run of bytes: may hold NUL, is not NUL-terminated. */
struct sv {
	const char *p;
	size_t n;
};
#define SV(lit) ((struct sv){ (lit), sizeof(lit) - 1 })
#define SV_NONE ((struct sv){ NULL, 0 })
/* For printf's "%.*s". The length is clipped to INT_MAX. */
#define SVFMT(s) ((s).n > 0x7fffffff ? 0x7fffffff : (int)(s).n), \
	((s).p != NULL ? (s).p : "")

struct sv sv_of(const char *cstr); /* NULL gives SV_NONE */
bool sv_eq(struct sv a, struct sv b);
bool sv_eqs(struct sv a, const char *cstr);
bool sv_starts(struct sv a, const char *cstr);
bool sv_ends(struct sv a, const char *cstr);
/* Bytes [from, to) of s, cut to what there is; SV_NONE when that is nothing (an
 * empty s has no address to count from). */
struct sv sv_sub(struct sv s, size_t from, size_t to);
int sv_cmp(struct sv a, struct sv b); /* memcmp order, shorter first */
/* Parse all of s as an unsigned decimal number; false on anything else. */
bool sv_u64(struct sv s, uint64_t *out);

/* All of these call fatal() rather than return NULL; n*size is checked. */
void *xmalloc(size_t n);
void *xcalloc(size_t n, size_t size);
void *xreallocarray(void *p, size_t n, size_t size);
char *xstrdup(const char *s);
char *xmemdup0(const void *p, size_t n); /* n bytes and a NUL */
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * A growing buffer with a maximum. Past the maximum an add changes nothing,
 * returns -1 and sets over; later adds fail too. Readers look at p and n.
 */
struct buf {
	char *p;
	size_t n, cap, max;
	bool over;
};
void buf_init(struct buf *b, size_t max);
void buf_free(struct buf *b);           /* frees the bytes; b may be init again */
void buf_clear(struct buf *b);          /* n = 0, keeps memory, clears over */
int buf_add(struct buf *b, const void *p, size_t n);
int buf_addsv(struct buf *b, struct sv s);
int buf_adds(struct buf *b, const char *cstr);
int buf_addc(struct buf *b, char c);
int buf_addf(struct buf *b, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
int buf_reserve(struct buf *b, size_t more); /* room for more bytes at p+n */
void buf_drop_front(struct buf *b, size_t n);
struct sv buf_sv(const struct buf *b);
char *buf_steal(struct buf *b, size_t *n);   /* NUL-terminated; caller frees */
/* Little-endian integers, for wire and record formats. */
int buf_u8(struct buf *b, uint8_t v);
int buf_u16(struct buf *b, uint16_t v);
int buf_u32(struct buf *b, uint32_t v);
int buf_u64(struct buf *b, uint64_t v);
int buf_lp(struct buf *b, struct sv s);      /* u32 length, then the bytes */

/*
 * A bounded reader over borrowed bytes (the other side of buf_u8 .. buf_lp).
 * A read past the end returns zero or SV_NONE and sets bad, for good.
 */
struct rd {
	const uint8_t *p, *end;
	bool bad;
};
struct rd rd_of(struct sv s);
uint8_t rd_u8(struct rd *r);
uint16_t rd_u16(struct rd *r);
uint32_t rd_u32(struct rd *r);
uint64_t rd_u64(struct rd *r);
struct sv rd_bytes(struct rd *r, size_t n);
struct sv rd_lp(struct rd *r);
bool rd_done(const struct rd *r);            /* all read and not bad */

/* An arena: many small allocations, one death. Past max: fatal is wrong here
 * (the bytes come from outside), so arena_alloc returns NULL and over is set. */
struct arena;
struct arena *arena_new(size_t max);
void arena_free(struct arena **a);
void *arena_alloc(struct arena *a, size_t n);  /* zeroed, max_align_t aligned */
/* Copies; SV_NONE when over (test arena_over(), not the pointer). */
struct sv arena_sv(struct arena *a, struct sv s);
char *arena_strz(struct arena *a, struct sv s); /* NUL-terminated copy */
bool arena_over(const struct arena *a);
size_t arena_used(const struct arena *a);

#endif
