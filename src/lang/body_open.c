/*
 * body_open.c - takes codings off a body, with limits: a small one may
 * unpack to a thousand times its size.
 */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "lang/body_priv.h"

/* All members: what unpacks a file reads them all (RFC 1952, 2.2). */
static const char *inflate_all(z_stream *z, struct buf *out)
{
	for (;;) {
		int r;
		if (out->n == out->max)
			return "too_large";
		if (out->n == out->cap && buf_reserve(out, out->max - out->n < 65536 ?
			out->max - out->n : 65536) != 0)
			return "too_large";
		z->next_out = (unsigned char *)out->p + out->n;
		z->avail_out = (unsigned)(out->cap - out->n < out->max - out->n ?
			out->cap - out->n : out->max - out->n);
		r = inflate(z, Z_NO_FLUSH);
		out->n = (size_t)((char *)z->next_out - out->p);
		if (r == Z_STREAM_END) {
			if (z->avail_in == 0)
				return NULL;
			if (z->avail_in < 2 || z->next_in[0] != 0x1f || z->next_in[1] != 0x8b)
				return "trailing_bytes";
			if (inflateReset(z) != Z_OK)
				return "corrupt";
		} else if (r != Z_OK || (z->avail_in == 0 && z->avail_out > 0)) {
			return "corrupt";
		}
	}
}

const char *body_gunzip(struct sv in, struct arena *a, struct sv *out)
{
	z_stream z = { .next_in = (unsigned char *)(uintptr_t)in.p,
		.avail_in = (unsigned)in.n };
	struct buf b;
	const char *why;

	if (in.n > UINT32_MAX)
		return "too_large";
	if (inflateInit2(&z, 15 + 16) != Z_OK)
		return "memory";
	buf_init(&b, BODY_MAX_DECODED);
	why = inflate_all(&z, &b);
	inflateEnd(&z);
	if (why == NULL || strcmp(why, "trailing_bytes") == 0) {
		*out = b.n > 0 ? arena_sv(a, buf_sv(&b)) : (struct sv){ "", 0 };
		if (b.n > 0 && out->p == NULL)
			why = "memory";
	}
	buf_free(&b);
	return why;
}

static int digit64(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

const char *body_base64(struct sv in, struct arena *a, struct sv *out)
{
	char *p = arena_alloc(a, in.n / 4 * 3 + 4);
	uint32_t acc = 0;
	size_t n = 0, bits = 0, pad = 0;

	if (p == NULL)
		return "memory";
	for (size_t i = 0; i < in.n; i++) {
		int d = digit64(in.p[i]);
		if (in.p[i] == '\r' || in.p[i] == '\n')
			continue;
		if (in.p[i] == '=' && ++pad <= 2)
			continue;
		if (d < 0 || pad > 0)
			return "base64";
		acc = acc << 6 | (uint32_t)d;
		bits += 6;
		if (bits >= 8) {
			bits -= 8;
			p[n++] = (char)(acc >> bits & 0xff);
		}
	}
	*out = (struct sv){ p, n };
	return bits >= 6 ? "base64" : NULL;
}
