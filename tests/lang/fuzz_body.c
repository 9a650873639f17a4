/*
 * fuzz_body.c - whatever comes: what is decoded stays under its limit, and
 * each part can be read. Three lines: type, coding, and the body.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "lang/body.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int ok)
{
	if (!ok)
		abort();
}

static void read_all(struct sv s)
{
	volatile unsigned char sum = 0;

	for (size_t i = 0; i < s.n; i++)
		sum = (unsigned char)(sum + (unsigned char)s.p[i]);
}

static struct sv line(struct sv *s)
{
	const char *nl = s->n > 0 ? memchr(s->p, '\n', s->n) : NULL;
	struct sv l = { s->p, nl != NULL ? (size_t)(nl - s->p) : s->n };

	s->p += l.n + (nl != NULL);
	s->n -= l.n + (nl != NULL);
	return l;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sv s = { (const char *)data, size }, type = line(&s), coding = line(&s);
	struct arena *a = arena_new(1 << 22);
	struct body out;

	body_parse(type, coding, s, a, &out);
	check(out.kind <= BODY_COMPRESSED);
	check(out.kind != BODY_COMPRESSED || out.why != NULL);
	check(out.kind == BODY_EMPTY || s.n > 0);
	check(out.n_parts <= BODY_MAX_PARTS && out.decoded.n <= BODY_MAX_DECODED + s.n);
	read_all(out.decoded);
	for (size_t i = 0; i < out.n_parts; i++) {
		read_all(out.parts[i].name);
		read_all(out.parts[i].filename);
		read_all(out.parts[i].type);
		read_all(out.parts[i].bytes);
	}
	check(text_looks_like(s) <= LOOKS_HTML);
	arena_free(&a);
	return 0;
}
