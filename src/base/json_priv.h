/*
 * json_priv.h - what the files of the JSON scanner share.
 *
 * Hides nothing: only json_*.c, its tests and its fuzz target include it.
 * Must not include: anything above base/.
 *
 * A document of 16 MiB and 1,000,000 values needs 24 bits for an offset (25
 * for an end) and 20 for an index, so a node has 30 bits to spare. They hold
 * a slice of the keyed hash of a member's key: most keys are told apart
 * without looking at their bytes again.
 */
#ifndef OBSTAT_BASE_JSON_PRIV_H
#define OBSTAT_BASE_JSON_PRIV_H

#include "base/json.h"

struct json_node {
	uint32_t off : 24, h0 : 8;
	uint32_t end : 25, h1 : 7;      /* one past the value */
	uint32_t key : 24, h2 : 8;      /* past the key's quote; 0: has no key */
	uint32_t next : 20, type : 3, esc : 1, keyesc : 1, h3 : 7; /* next 0: last */
};
_Static_assert(sizeof(struct json_node) == 16, "16 bytes a value");
_Static_assert(JSON_MAX_BYTES <= 1u << 24, "offsets have 24 bits");
_Static_assert(JSON_MAX_VALUES < 1u << 20, "indices have 20 bits");
#define JSON_HASH_BITS 30

#define JSON_CHUNK 4096u          /* nodes in a full chunk */
#define JSON_CHUNK0 64u           /* the first chunk begins smaller */
#define JSON_STEP (16u << 10)     /* bytes of work between two looks at the clock */

/* What a part of the scanner answers: go on, time to look at the clock, the
 * end, an error (already noted in the document). */
enum json_run { RUN_GO, RUN_YIELD, RUN_DONE, RUN_BAD };

enum json_state { ST_VALUE, ST_ITEM_OR_END, ST_KEY, ST_KEY_OR_END, ST_KEY_TEXT,
	ST_KEY_HASH, ST_COLON, ST_TEXT, ST_NUMBER, ST_AFTER, ST_DUP, ST_DONE,
	ST_BAD, ST_N };

struct json_frame {
	uint32_t node, last, n; /* the container, its last child, how many */
	bool obj;
};

/* SipHash-1-3 over decoded key bytes. */
struct json_hash {
	uint64_t v[4];
	uint64_t n;
	uint8_t tail[8];
};

/* The decoded bytes of a string that was scanned, one at a time. */
struct json_bytes {
	const uint8_t *p;       /* next source byte */
	char out[4];            /* what an escape became */
	uint8_t n, at;
};

/* The duplicate check of one object, between two slices. */
struct json_dup {
	uint32_t *tab;          /* slot: 12 bits of hash, 20 of index; 0: empty */
	size_t cap;             /* slots allocated */
	uint32_t slots, parts, part;
	uint32_t cur, best;     /* member at hand; first duplicate so far, or 0 */
	uint32_t slot, probes;
	bool probing, comparing;
	struct json_bytes a, b;
};

struct json {
	const uint8_t *p;
	size_t n, pos, stop, step;
	enum json_state state;
	uint8_t number;         /* state of the number grammar */
	bool esc;               /* the string at hand has an escape */
	bool yield_always;      /* tests: ignore the clock, stop at every step */
	uint32_t count, depth;
	struct json_frame frames[JSON_MAX_DEPTH];
	struct json_node *chunks[JSON_MAX_VALUES / JSON_CHUNK + 1];
	uint32_t cap;           /* nodes allocated */

	uint32_t key, key_end, key_hash; /* the member's key at hand */
	bool keyesc, seeded;
	uint64_t seed[2];
	struct json_hash hash;
	struct json_bytes hash_at;
	struct json_dup dup;

	const char *bad_code, *bad_what;
	size_t bad_off;
	struct sv bad_key;
};

static inline struct json_node *json_node(const struct json *j, uint32_t i)
{
	return &j->chunks[i / JSON_CHUNK][i % JSON_CHUNK];
}

static inline uint32_t json_node_hash(const struct json_node *nd)
{
	return (uint32_t)nd->h0 | (uint32_t)nd->h1 << 8 | (uint32_t)nd->h2 << 15
		| (uint32_t)nd->h3 << 23;
}

/* Notes the error and returns RUN_BAD. code and what are literals. */
enum json_run json_fail(struct json *j, const char *code, size_t off,
	const char *what);

/* json_chars.c: on with the string (up to its closing quote) or the number
 * (up to the byte after it) at pos; at most to stop, give or take one
 * character. */
enum json_run json_text_run(struct json *j);
enum json_run json_number_run(struct json *j);

/* json_dup.c: the hash of the key at hand into key_hash, and the check of the
 * object on top of the stack. */
enum json_run json_key_hash(struct json *j);
enum json_run json_key_hash_run(struct json *j);
enum json_run json_dup_begin(struct json *j);
enum json_run json_dup_run(struct json *j);

/* json_read.c: the escape at p (checked before) as UTF-8; source bytes used.
 * json_byte: the next decoded byte, or -1 at the closing quote. */
size_t json_unescape(const uint8_t *p, char out[4], size_t *n);
int json_byte(struct json_bytes *s);

/* Tests: json_scan() returns JSON_MORE after every `step` bytes of work,
 * whatever the clock says. */
void json_slice_every(struct json *j, size_t step);

#endif
