/*
 * Fuzz target: what a hub sends, as the gate reads it. Byte 0 chooses the size
 * of the pieces, byte 1 the mode; the rest is the stream. Whatever the pieces,
 * the events are the same; a verdict is one of the mode's, with a checksum
 * that a second, bitwise computation confirms.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gate/frame.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void *given[2];
static size_t given_n;

static void *give(size_t n)
{
	if (n > FRAME_TEXT_MAX || given_n == 2)
		abort();
	return given[given_n++] = malloc(n);
}

struct seen {
	uint64_t opens;          /* a digest of all of them, in order */
	enum frame_verdict verdict;
	bool done, bad;
	size_t out, err;
};

static void add(uint64_t *d, const void *p, size_t n)
{
	const unsigned char *c = p;
	while (n-- > 0)
		*d = (*d ^ *c++) * UINT64_C(1099511628211);
}

/* The whole frame, rebuilt from the texts, must have the checksum it came with. */
static void check_verdict(const struct frame_in *f, const uint8_t *end)
{
	uint32_t crc = 0xffffffff, n = 0;
	const unsigned char *part[2] = { f->out.p, f->err.p };
	size_t len[2] = { f->out.n, f->err.n };
	unsigned char *b = malloc(10 + len[0] + len[1]), *p = b;

	if (b == NULL)
		abort();
	*p++ = 'V';
	*p++ = (unsigned char)f->verdict;
	for (int i = 0; i < 2; i++) {
		for (int k = 0; k < 4; k++)
			*p++ = (unsigned char)(len[i] >> (8 * k));
		if (len[i] > 0)
			memcpy(p, part[i], len[i]);
		p += len[i];
	}
	for (const unsigned char *c = b; c < p; c++) {
		crc ^= *c;
		for (int k = 0; k < 8; k++)
			crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
	}
	for (int k = 0; k < 4; k++)
		n |= (uint32_t)end[k - 4] << (8 * k);
	if (n != ~crc)
		abort();
	free(b);
}

static struct seen run(const uint8_t *p, size_t n, size_t step, enum frame_mode mode)
{
	static struct frame_in f;
	struct seen s = { .opens = UINT64_C(14695981039346656037) };

	given_n = 0;
	frame_init(&f, mode, give);
	for (size_t at = 0; at < n && !s.bad; at += step) {
		const unsigned char *q = p + at;
		size_t k = n - at < step ? n - at : step;
		enum frame_event ev;
		while ((ev = frame_next(&f, &q, &k)) != FRAME_MORE) {
			if (ev == FRAME_BAD) {
				if (f.why == NULL || frame_next(&f, &q, &k) != FRAME_BAD)
					abort();
				s.bad = true;
				break;
			}
			if (ev == FRAME_OPEN) {
				size_t len = strlen(f.path);
				if (s.done || f.path[0] != '/' || len > FRAME_PATH_MAX)
					abort();
				add(&s.opens, &f.id, sizeof(f.id));
				add(&s.opens, &f.what, sizeof(f.what));
				add(&s.opens, f.path, len + 1);
				continue;
			}
			if (s.done || !frame_in_verdict(&f))
				abort();
			s.done = true;
			s.verdict = f.verdict;
			s.out = f.out.n;
			s.err = f.err.n;
			check_verdict(&f, q);
		}
	}
	if (s.done && (mode == FRAME_OBSERVE) != (s.verdict == FRAME_NOTED))
		abort();
	for (size_t i = 0; i < given_n; i++)
		free(given[i]);
	return s;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 3)
		return 0;
	enum frame_mode mode = data[1] & 1 ? FRAME_OBSERVE : FRAME_DECIDE;
	struct seen a = run(data + 2, size - 2, data[0] + 1u, mode);
	struct seen b = run(data + 2, size - 2, size, mode);
	if (a.opens != b.opens || a.done != b.done || a.bad != b.bad || a.verdict != b.verdict
		|| a.out != b.out || a.err != b.err)
		abort();
	return 0;
}
