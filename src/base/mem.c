/*
 * mem.c - see mem.h. Every size that could overflow is checked before it is
 * computed, and no memcpy is ever given a NULL pointer.
 */
#include "base/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"

/* ---- allocation ---- */

void *xmalloc(size_t n)
{
	void *p = malloc(n > 0 ? n : 1);

	if (p == NULL)
		fatal("out of memory (%zu bytes)", n);
	return p;
}

void *xcalloc(size_t n, size_t size)
{
	void *p;

	if (n == 0 || size == 0)
		n = size = 1;
	p = calloc(n, size);
	if (p == NULL)
		fatal("out of memory (%zu x %zu bytes)", n, size);
	return p;
}

void *xreallocarray(void *p, size_t n, size_t size)
{
	if (n == 0 || size == 0)
		n = size = 1;
	p = reallocarray(p, n, size);
	if (p == NULL)
		fatal("out of memory (%zu x %zu bytes)", n, size);
	return p;
}

char *xstrdup(const char *s)
{
	return xmemdup0(s, strlen(s));
}

char *xmemdup0(const void *p, size_t n)
{
	char *d;

	if (n == SIZE_MAX)
		fatal("copy of %zu bytes", n);
	d = xmalloc(n + 1);
	if (n > 0)
		memcpy(d, p, n);
	d[n] = '\0';
	return d;
}

char *xasprintf(const char *fmt, ...)
{
	va_list ap;
	char *s = NULL;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&s, fmt, ap);
	va_end(ap);
	if (n < 0)
		fatal("cannot format \"%s\"", fmt);
	return s;
}

/* ---- growing buffers ---- */

void buf_init(struct buf *b, size_t max)
{
	/* One byte more than max must be possible: buf_steal() adds a NUL. */
	*b = (struct buf){ .max = max < SIZE_MAX ? max : SIZE_MAX - 1 };
}

void buf_free(struct buf *b)
{
	free(b->p);
	*b = (struct buf){ .max = b->max };
}

void buf_clear(struct buf *b)
{
	b->n = 0;
	b->over = false;
}

/* Makes cap at least want; doubling, so that many small adds stay linear. */
static void buf_grow(struct buf *b, size_t want)
{
	size_t cap = b->cap > 0 ? b->cap : 64;

	while (cap < want)
		cap = cap > SIZE_MAX / 2 ? want : cap * 2;
	if (cap > b->max && want <= b->max)
		cap = b->max;
	b->p = xreallocarray(b->p, cap, 1);
	b->cap = cap;
}

int buf_reserve(struct buf *b, size_t more)
{
	if (b->over || more > b->max - b->n) {
		b->over = true;
		return -1;
	}
	if (b->n + more > b->cap)
		buf_grow(b, b->n + more);
	return 0;
}

int buf_add(struct buf *b, const void *p, size_t n)
{
	if (buf_reserve(b, n) != 0)
		return -1;
	if (n > 0)
		memcpy(b->p + b->n, p, n);
	b->n += n;
	return 0;
}

int buf_addsv(struct buf *b, struct sv s)
{
	return buf_add(b, s.p, s.n);
}

int buf_adds(struct buf *b, const char *cstr)
{
	return buf_add(b, cstr, strlen(cstr));
}

int buf_addc(struct buf *b, char c)
{
	return buf_add(b, &c, 1);
}

int buf_addf(struct buf *b, const char *fmt, ...)
{
	char tmp[256];
	va_list ap;
	char *s = tmp;
	int n, r;

	va_start(ap, fmt);
	n = vsnprintf(tmp, sizeof tmp, fmt, ap);
	va_end(ap);
	if (n < 0)
		fatal("cannot format \"%s\"", fmt);
	if ((size_t)n >= sizeof tmp) {
		s = xmalloc((size_t)n + 1);
		va_start(ap, fmt);
		vsnprintf(s, (size_t)n + 1, fmt, ap);
		va_end(ap);
	}
	r = buf_add(b, s, (size_t)n);
	if (s != tmp)
		free(s);
	return r;
}

void buf_drop_front(struct buf *b, size_t n)
{
	if (n > b->n)
		fatal("buf_drop_front: %zu of %zu", n, b->n);
	b->n -= n;
	if (b->n > 0 && n > 0)
		memmove(b->p, b->p + n, b->n);
}

struct sv buf_sv(const struct buf *b)
{
	return (struct sv){ b->p != NULL ? b->p : "", b->n };
}

char *buf_steal(struct buf *b, size_t *n)
{
	char *p;

	if (b->n == b->cap)
		buf_grow(b, b->n + 1);
	p = b->p;
	p[b->n] = '\0';
	if (n != NULL)
		*n = b->n;
	*b = (struct buf){ .max = b->max };
	return p;
}

static int buf_le(struct buf *b, uint64_t v, size_t n)
{
	uint8_t le[8];

	for (size_t i = 0; i < n; i++)
		le[i] = (uint8_t)(v >> (8 * i));
	return buf_add(b, le, n);
}

int buf_u8(struct buf *b, uint8_t v)
{
	return buf_le(b, v, 1);
}

int buf_u16(struct buf *b, uint16_t v)
{
	return buf_le(b, v, 2);
}

int buf_u32(struct buf *b, uint32_t v)
{
	return buf_le(b, v, 4);
}

int buf_u64(struct buf *b, uint64_t v)
{
	return buf_le(b, v, 8);
}

int buf_lp(struct buf *b, struct sv s)
{
	/* Both or neither: half a field would shift all that follows. */
	if (s.n > UINT32_MAX || s.n > SIZE_MAX - 4 || buf_reserve(b, s.n + 4) != 0) {
		b->over = true;
		return -1;
	}
	buf_u32(b, (uint32_t)s.n);
	return buf_addsv(b, s);
}

/* ---- bounded reader ---- */

struct rd rd_of(struct sv s)
{
	const uint8_t *p = (const uint8_t *)(s.p != NULL ? s.p : "");

	return (struct rd){ .p = p, .end = p + s.n };
}

static uint64_t rd_le(struct rd *r, size_t n)
{
	uint64_t v = 0;

	if (r->bad || (size_t)(r->end - r->p) < n) {
		r->bad = true;
		return 0;
	}
	for (size_t i = 0; i < n; i++)
		v |= (uint64_t)r->p[i] << (8 * i);
	r->p += n;
	return v;
}

uint8_t rd_u8(struct rd *r)
{
	return (uint8_t)rd_le(r, 1);
}

uint16_t rd_u16(struct rd *r)
{
	return (uint16_t)rd_le(r, 2);
}

uint32_t rd_u32(struct rd *r)
{
	return (uint32_t)rd_le(r, 4);
}

uint64_t rd_u64(struct rd *r)
{
	return rd_le(r, 8);
}

struct sv rd_bytes(struct rd *r, size_t n)
{
	struct sv s;

	if (r->bad || (size_t)(r->end - r->p) < n) {
		r->bad = true;
		return SV_NONE;
	}
	s = (struct sv){ (const char *)r->p, n };
	r->p += n;
	return s;
}

struct sv rd_lp(struct rd *r)
{
	uint32_t n = rd_u32(r);

	return rd_bytes(r, n);
}

bool rd_done(const struct rd *r)
{
	return !r->bad && r->p == r->end;
}

/* ---- arenas ---- */

#define ARENA_ALIGN _Alignof(max_align_t)
#define ARENA_FIRST 1024u
#define ARENA_LARGEST 65536u

struct arena_chunk {
	struct arena_chunk *next;
	size_t used, cap;
	_Alignas(max_align_t) unsigned char data[];
};

struct arena {
	struct arena_chunk *head;  /* the one being filled */
	size_t next_cap;
	size_t used, max;
	bool over;
};

struct arena *arena_new(size_t max)
{
	struct arena *a = xcalloc(1, sizeof *a);

	a->max = max;
	a->next_cap = ARENA_FIRST;
	return a;
}

void arena_free(struct arena **a)
{
	struct arena_chunk *c, *next;

	if (*a == NULL)
		return;
	for (c = (*a)->head; c != NULL; c = next) {
		next = c->next;
		free(c);
	}
	free(*a);
	*a = NULL;
}

static struct arena_chunk *arena_chunk_new(size_t cap)
{
	/* calloc: fresh large chunks come zeroed from the kernel for free. */
	struct arena_chunk *c = xcalloc(1, sizeof *c + cap);

	c->cap = cap;
	return c;
}

void *arena_alloc(struct arena *a, size_t n)
{
	struct arena_chunk *c = a->head;
	size_t need;
	void *p;

	if (n == 0)
		n = 1;
	if (a->over || n > SIZE_MAX / 2) {
		a->over = true;
		return NULL;
	}
	need = (n + (ARENA_ALIGN - 1)) & ~(size_t)(ARENA_ALIGN - 1);
	if (need > a->max - a->used) {
		a->over = true;
		return NULL;
	}
	if (c == NULL || need > c->cap - c->used) {
		if (need > a->next_cap / 4) {
			/* A chunk of its own, behind the one being filled. */
			c = arena_chunk_new(need);
			if (a->head != NULL) {
				c->next = a->head->next;
				a->head->next = c;
			} else {
				a->head = c;
			}
		} else {
			c = arena_chunk_new(a->next_cap);
			c->next = a->head;
			a->head = c;
			if (a->next_cap < ARENA_LARGEST)
				a->next_cap *= 2;
		}
	}
	p = c->data + c->used;
	c->used += need;
	a->used += need;
	return p;
}

struct sv arena_sv(struct arena *a, struct sv s)
{
	char *p;

	if (s.p == NULL)
		return SV_NONE;
	p = arena_alloc(a, s.n);
	if (p == NULL)
		return SV_NONE;
	if (s.n > 0)
		memcpy(p, s.p, s.n);
	return (struct sv){ p, s.n };
}

char *arena_strz(struct arena *a, struct sv s)
{
	char *p;

	if (s.n == SIZE_MAX) {
		a->over = true;
		return NULL;
	}
	p = arena_alloc(a, s.n + 1);
	if (p != NULL && s.n > 0)
		memcpy(p, s.p, s.n);
	return p;
}

bool arena_over(const struct arena *a)
{
	return a->over;
}

size_t arena_used(const struct arena *a)
{
	return a->used;
}
