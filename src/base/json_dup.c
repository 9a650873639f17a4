/*
 * json_dup.c - are two keys of one object equal, once unescaped?
 *
 * Each member's node holds 30 bits of a keyed hash (SipHash-1-3, a key drawn
 * for each document: nobody can choose keys that collide). An object closes
 * with a look at those bits; only where they agree are bytes compared.
 *
 * A table of at most 512 KiB serves objects of any size: the members are
 * divided by hash into parts that fit, and the list is walked once a part.
 * The member reported is the first in the text that repeats an earlier one,
 * whatever the hash key was.
 */
#include "base/json_priv.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

#define SLOTS_MAX (1u << 17)            /* of 4 bytes: 512 KiB */
#define FEW 16u                         /* members compared without a table */
#define INDEX_MASK 0xfffffu
#define HASH_MASK ((1u << JSON_HASH_BITS) - 1)
#define TAG_SHIFT 17u                   /* low hash bits choose the slot, */
#define PART_BITS 7u                    /* the highest ones, h3, the part */
#define MEMBER_WORK 16u                 /* what a member costs, in scanned bytes */
/* In a table two thirds full a run of used slots is some hundreds at most; more
 * means that the hash failed, and then the object is refused. */
#define PROBES_MAX 1024u

static uint64_t rotl(uint64_t x, unsigned n)
{
	return x << n | x >> (64 - n);
}

static inline void sip_round(uint64_t v[4])
{
	v[0] += v[1];
	v[2] += v[3];
	v[1] = rotl(v[1], 13) ^ v[0];
	v[3] = rotl(v[3], 16) ^ v[2];
	v[0] = rotl(v[0], 32);
	v[2] += v[1];
	v[0] += v[3];
	v[1] = rotl(v[1], 17) ^ v[2];
	v[3] = rotl(v[3], 21) ^ v[0];
	v[2] = rotl(v[2], 32);
}

static inline void sip_word(uint64_t v[4], uint64_t m)
{
	v[3] ^= m;
	sip_round(v);
	v[0] ^= m;
}

static void hash_begin(struct json *j)
{
	if (!j->seeded) {
		random_bytes(j->seed, sizeof(j->seed));
		j->seeded = true;
	}
	j->hash.v[0] = j->seed[0] ^ UINT64_C(0x736f6d6570736575);
	j->hash.v[1] = j->seed[1] ^ UINT64_C(0x646f72616e646f6d);
	j->hash.v[2] = j->seed[0] ^ UINT64_C(0x6c7967656e657261);
	j->hash.v[3] = j->seed[1] ^ UINT64_C(0x7465646279746573);
	j->hash.n = 0;
}

static inline void hash_byte(struct json_hash *h, uint8_t c)
{
	h->tail[h->n++ & 7] = c;
	if ((h->n & 7) == 0) {
		uint64_t m;
		memcpy(&m, h->tail, 8);
		sip_word(h->v, m);
	}
}

static inline uint32_t hash_close(struct json_hash *h, uint64_t last)
{
	sip_word(h->v, last ^ h->n << 56);
	h->v[2] ^= 0xff;
	sip_round(h->v);
	sip_round(h->v);
	sip_round(h->v);
	return (uint32_t)(h->v[0] ^ h->v[1] ^ h->v[2] ^ h->v[3]) & HASH_MASK;
}

static uint32_t hash_end(struct json_hash *h)
{
	uint64_t m;

	memset(h->tail + (h->n & 7), 0, 8 - (h->n & 7));
	memcpy(&m, h->tail, 8);
	return hash_close(h, m);
}

/* A key without escapes at once; the same result as byte by byte. room: bytes
 * that may be read at p, its closing quote and what follows included. */
static uint32_t hash_plain(struct json_hash state, const uint8_t *p, size_t n, size_t room)
{
	struct json_hash *h = &state;
	uint64_t m = 0;

	h->n = n;
	for (; n >= 8; p += 8, n -= 8, room -= 8) {
		memcpy(&m, p, 8);
		sip_word(h->v, m);
	}
	m = 0;
	if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && room >= 8) {
		memcpy(&m, p, 8);
		m &= (UINT64_C(1) << 8 * n) - 1;
	} else {
		memcpy(&m, p, n);
	}
	return hash_close(h, m);
}

enum json_run json_key_hash(struct json *j)
{
	size_t n = j->key_end - j->key;

	hash_begin(j);
	if (!j->keyesc && n <= j->step) {
		j->key_hash = hash_plain(j->hash, j->p + j->key, n, j->n - j->key);
		return RUN_GO;
	}
	j->hash_at = (struct json_bytes){ .p = j->p + j->key };
	j->state = ST_KEY_HASH;
	return RUN_GO;
}

enum json_run json_key_hash_run(struct json *j)
{
	for (size_t work = j->step; work > 0; work--) {
		int c = json_byte(&j->hash_at);
		if (c < 0) {
			j->key_hash = hash_end(&j->hash);
			return RUN_GO;
		}
		hash_byte(&j->hash, (uint8_t)c);
	}
	return RUN_YIELD;
}

/* True if no two of the few members have the same hash. */
static bool few_differ(const struct json *j, const struct json_frame *f)
{
	uint32_t h[FEW], n = 0;

	for (uint32_t i = f->node + 1; i != 0; i = json_node(j, i)->next) {
		uint32_t mine = json_node_hash(json_node(j, i));
		for (uint32_t k = 0; k < n; k++) {
			if (h[k] == mine)
				return false;
		}
		h[n++] = mine;
	}
	return true;
}

static void part_begin(struct json_dup *d, uint32_t first)
{
	memset(d->tab, 0, d->slots * sizeof(*d->tab));
	d->cur = first;
	d->probing = false;
}

enum json_run json_dup_begin(struct json *j)
{
	const struct json_frame *f = &j->frames[j->depth - 1];
	struct json_dup *d = &j->dup;

	d->part = d->parts = d->best = 0;
	if (f->n <= FEW && few_differ(j, f))
		return RUN_GO;
	/* At most two thirds full. */
	d->slots = 64;
	while (d->slots < SLOTS_MAX && d->slots / 3 * 2 < f->n)
		d->slots *= 2;
	d->parts = 1 + (f->n - 1) / (d->slots / 3 * 2);
	if (d->cap < d->slots) {
		free(d->tab);
		d->tab = xcalloc(d->slots, sizeof(*d->tab));
		d->cap = d->slots;
	}
	d->comparing = false;
	part_begin(d, f->node + 1);
	return RUN_GO;
}

/* Compares on: RUN_DONE equal, RUN_GO different. */
static enum json_run compare(struct json_dup *d, size_t *work)
{
	for (; *work > 0; --*work) {
		int a = json_byte(&d->a), b = json_byte(&d->b);
		if (a != b)
			return RUN_GO;
		if (a < 0)
			return RUN_DONE;
	}
	return RUN_YIELD;
}

/* From slot on: is the member at hand in the table? It is put in if not.
 * RUN_GO: it is new; RUN_DONE: it repeats another. */
static enum json_run probe(struct json *j, size_t *work)
{
	struct json_dup *d = &j->dup;
	const struct json_node *me = json_node(j, d->cur), *other;
	uint32_t h = json_node_hash(me), tag = h >> TAG_SHIFT << 20;

	for (; d->tab[d->slot] != 0; d->slot = (d->slot + 1) & (d->slots - 1)) {
		uint32_t t = d->tab[d->slot];
		if (!d->comparing) {
			if (d->probes++ == PROBES_MAX)
				return json_fail(j, "json_dup", me->key - 1u,
					"the keys of this object cannot be told apart");
			other = json_node(j, t & INDEX_MASK);
			if ((t & ~INDEX_MASK) != tag || json_node_hash(other) != h)
				continue;
			d->a = (struct json_bytes){ .p = j->p + me->key };
			d->b = (struct json_bytes){ .p = j->p + other->key };
			d->comparing = true;
		}
		enum json_run r = compare(d, work);
		if (r == RUN_YIELD)
			return r;
		d->comparing = false;
		if (r == RUN_DONE)
			return r;
	}
	d->tab[d->slot] = tag | d->cur;
	return RUN_GO;
}

/*
 * On to the next member of this part that could be the first duplicate. In a
 * flat object the next member is the next node: to guess that, and check it,
 * is faster than to wait for the index.
 */
static enum json_run seek(struct json *j, size_t *work)
{
	struct json_dup *d = &j->dup;
	uint32_t cur = d->cur, end = d->best != 0 ? d->best : UINT32_MAX;
	uint32_t parts = d->parts, part = d->part;
	size_t left = *work;
	enum json_run r = RUN_YIELD;

	while (left > 0 && r == RUN_YIELD) {
		if (cur == 0 || cur >= end) {
			r = RUN_DONE;
			break;
		}
		const struct json_node *nd = json_node(j, cur);
		uint32_t guess = cur, stop = cur | (JSON_CHUNK - 1);
		for (;; nd++, guess++, left--) {
			if (((uint32_t)nd->h3 * parts) >> PART_BITS == part) {
				cur = guess;
				r = guess < end ? RUN_GO : RUN_DONE;
				break;
			}
			if (nd->next != guess + 1 || guess == stop || left == 1) {
				cur = nd->next;
				left--;
				break;
			}
		}
	}
	*work = left;
	d->cur = cur;
	return r;
}

/* One member; RUN_DONE: the part's walk is over. */
static enum json_run member(struct json *j, size_t *work)
{
	struct json_dup *d = &j->dup;
	enum json_run r;

	if (!d->probing) {
		r = seek(j, work);
		if (r != RUN_GO)
			return r;
		d->slot = json_node_hash(json_node(j, d->cur)) & (d->slots - 1);
		d->probes = 0;
		d->probing = true;
	}
	r = probe(j, work);
	if (r == RUN_YIELD || r == RUN_BAD)
		return r;
	d->probing = false;
	if (r == RUN_DONE)
		d->best = d->cur; /* later members of this part cannot be earlier */
	d->cur = json_node(j, d->cur)->next;
	return r;
}

static enum json_run finish(struct json *j)
{
	struct json_dup *d = &j->dup;

	if (d->best == 0)
		return RUN_GO;
	const struct json_node *nd = json_node(j, d->best);
	const uint8_t *p = j->p + nd->key, *q = p;
	while (*q != '"' && q - p < 1000) /* enough to quote; ends in the input */
		q += *q == '\\' ? 2 : 1;
	j->bad_key = (struct sv){ (const char *)p, (size_t)(q - p) };
	return json_fail(j, "json_dup", nd->key - 1u, "a key that this object has already");
}

enum json_run json_dup_run(struct json *j)
{
	struct json_dup *d = &j->dup;
	size_t work = j->step;

	while (d->part < d->parts) {
		enum json_run r = member(j, &work);
		if (r == RUN_YIELD || r == RUN_BAD)
			return r;
		if (r == RUN_DONE && ++d->part < d->parts)
			part_begin(d, j->frames[j->depth - 1].node + 1);
		if (work <= MEMBER_WORK)
			return RUN_YIELD;
		work -= MEMBER_WORK;
	}
	return finish(j);
}
