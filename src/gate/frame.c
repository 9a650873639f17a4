/* frame.c - see frame.h. */
#include "gate/frame.h"

#include <string.h>

enum {
	ST_TYPE,        /* 'O' or 'V' */
	ST_OPEN,        /* u32 id, u8 what, u16 n */
	ST_PATH,
	ST_VERDICT,     /* u8 */
	ST_OUT_N,       /* u32 */
	ST_OUT,
	ST_ERR_N,       /* u32 */
	ST_ERR,
	ST_CRC,         /* u32 */
	ST_DONE,
	ST_BAD,
};

/* CRC-32 of IEEE 802.3, four bits a step: an answer is small, and 64 bytes of
 * table are one cache line where 1 KiB would be sixteen to load. */
static const uint32_t crc_nibble[16] = {
	0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac,
	0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
	0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
	0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
};

/* Works on the inverted value; frame_next() inverts at the ends. */
static uint32_t crc_more(uint32_t crc, const unsigned char *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		crc ^= p[i];
		crc = (crc >> 4) ^ crc_nibble[crc & 15];
		crc = (crc >> 4) ^ crc_nibble[crc & 15];
	}
	return crc;
}

static uint32_t le(const unsigned char *p, size_t n)
{
	uint32_t v = 0;
	while (n > 0)
		v = v << 8 | p[--n];
	return v;
}

static unsigned char *put_le(unsigned char *p, uint64_t v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		*p++ = (unsigned char)(v >> (8 * i));
	return p;
}

static void expect(struct frame_in *f, int state, size_t want)
{
	f->state = state;
	f->have = 0;
	f->want = want;
}

void frame_init(struct frame_in *f, enum frame_mode mode, void *(*alloc)(size_t n))
{
	/* Field by field: the buffers need no clearing, and clearing them would
	 * touch four pages. */
	f->mode = mode;
	f->alloc = alloc;
	f->why = NULL;
	f->out.p = f->err.p = NULL;
	f->out.n = f->out.have = f->err.n = f->err.have = 0;
	expect(f, ST_TYPE, 1);
}

bool frame_in_verdict(const struct frame_in *f)
{
	return f->state >= ST_VERDICT;
}

static enum frame_event bad(struct frame_in *f, const char *why)
{
	f->state = ST_BAD;
	f->why = why;
	return FRAME_BAD;
}

static enum frame_event on_type(struct frame_in *f)
{
	if (f->head[0] == 'O') {
		expect(f, ST_OPEN, 7);
		return FRAME_MORE;
	}
	if (f->head[0] != 'V')
		return bad(f, "unknown frame");
	f->crc = crc_more(0xffffffff, f->head, 1);
	expect(f, ST_VERDICT, 1);
	return FRAME_MORE;
}

static enum frame_event on_open(struct frame_in *f)
{
	unsigned what = f->head[4];

	f->id = le(f->head, 4);
	f->path_n = le(f->head + 5, 2);
	if (what != FRAME_FILE && what != FRAME_DIR)
		return bad(f, "open of unknown kind");
	if (f->path_n == 0 || f->path_n > FRAME_PATH_MAX)
		return bad(f, "path of a length that is not allowed");
	f->what = (enum frame_what)what;
	expect(f, ST_PATH, f->path_n);
	return FRAME_MORE;
}

static enum frame_event on_path(struct frame_in *f)
{
	f->path[f->path_n] = '\0';
	if (f->path[0] != '/' || memchr(f->path, 0, f->path_n) != NULL)
		return bad(f, "path that is not absolute or holds a NUL");
	expect(f, ST_TYPE, 1);
	return FRAME_OPEN;
}

static enum frame_event on_verdict(struct frame_in *f)
{
	unsigned v = f->head[0];
	bool fits = f->mode == FRAME_OBSERVE ? v == FRAME_NOTED
		: v == FRAME_ALLOW || v == FRAME_DENY || v == FRAME_NO_OPINION;

	if (!fits)
		return bad(f, "verdict that is no answer here");
	f->crc = crc_more(f->crc, f->head, 1);
	f->verdict = (enum frame_verdict)v;
	expect(f, ST_OUT_N, 4);
	return FRAME_MORE;
}

static enum frame_event on_text_n(struct frame_in *f, struct frame_text *t, int next)
{
	f->crc = crc_more(f->crc, f->head, 4);
	t->n = le(f->head, 4);
	if (t->n > FRAME_TEXT_MAX)
		return bad(f, "text over 1 MiB");
	t->p = t->n <= sizeof(t->small) ? t->small : f->alloc(t->n);
	if (t->p == NULL)
		return bad(f, "no memory for the text");
	expect(f, next, t->n);
	return FRAME_MORE;
}

static enum frame_event on_crc(struct frame_in *f)
{
	if (le(f->head, 4) != (f->crc ^ 0xffffffff))
		return bad(f, "checksum does not fit");
	f->state = ST_DONE;
	return FRAME_VERDICT;
}

/* All bytes that the state wanted are there. */
static enum frame_event complete(struct frame_in *f)
{
	switch (f->state) {
	case ST_TYPE:
		return on_type(f);
	case ST_OPEN:
		return on_open(f);
	case ST_PATH:
		return on_path(f);
	case ST_VERDICT:
		return on_verdict(f);
	case ST_OUT_N:
		return on_text_n(f, &f->out, ST_OUT);
	case ST_OUT:
		f->crc = crc_more(f->crc, f->out.p, f->out.n);
		expect(f, ST_ERR_N, 4);
		return FRAME_MORE;
	case ST_ERR_N:
		return on_text_n(f, &f->err, ST_ERR);
	case ST_ERR:
		f->crc = crc_more(f->crc, f->err.p, f->err.n);
		expect(f, ST_CRC, 4);
		return FRAME_MORE;
	default:
		return on_crc(f);
	}
}

static unsigned char *target(struct frame_in *f)
{
	switch (f->state) {
	case ST_PATH:
		return (unsigned char *)f->path;
	case ST_OUT:
		return f->out.p;
	case ST_ERR:
		return f->err.p;
	default:
		return f->head;
	}
}

enum frame_event frame_next(struct frame_in *f, const unsigned char **p, size_t *n)
{
	for (;;) {
		if (f->state == ST_BAD)
			return FRAME_BAD;
		if (f->state == ST_DONE)
			return *n == 0 ? FRAME_MORE : bad(f, "bytes after the verdict");
		size_t k = f->want - f->have;
		if (k > *n)
			k = *n;
		if (k > 0)
			memcpy(target(f) + f->have, *p, k);
		f->have += k;
		*p += k;
		*n -= k;
		if (f->have < f->want)
			return FRAME_MORE;
		enum frame_event ev = complete(f);
		if (ev != FRAME_MORE)
			return ev;
	}
}

size_t frame_header(unsigned char to[FRAME_HEADER_MAX], enum frame_mode mode,
	const char *dialect, const unsigned char key[16], uint64_t ms_left, uint32_t n)
{
	unsigned char *p = to;
	size_t d = strlen(dialect);

	memcpy(p, "OBG1", 4);
	p += 4;
	*p++ = (unsigned char)mode;
	*p++ = (unsigned char)d;
	memcpy(p, dialect, d);
	p += d;
	memcpy(p, key, 16);
	p = put_le(p + 16, ms_left, 8);
	p = put_le(p, n, 4);
	return (size_t)(p - to);
}

void frame_opened(unsigned char to[FRAME_OPENED_LEN], uint32_t id, int open_errno)
{
	to[0] = 'F';
	put_le(put_le(to + 1, id, 4), (uint32_t)open_errno, 4);
}
