/*
 * fuzz_keydec.c - any bytes, cut into any reads at any times.
 *
 * Input: pairs of a length (1 to 16) and a pause, each followed by that many
 * bytes. Held: no event carries a control character or a broken code point; a
 * pasted or meta key is never alone; an alone letter was a read of its own.
 */
#include <stdlib.h>

#include "ui/keydec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(void *arg, const struct key_event *ev)
{
	const size_t *read_n = arg;

	if (ev->name >= KEY_N)
		abort();
	if (ev->alone && (ev->pasted || ev->meta))
		abort();
	if (ev->name == KEY_TEXT) {
		if (ev->cp < 0x20 || ev->cp == 0x7f || (ev->cp >= 0x80 && ev->cp < 0xa0)
			|| ev->cp > 0x10ffff || (ev->cp >= 0xd800 && ev->cp < 0xe000))
			abort();
		if (ev->alone && ev->cp < 0x80 && *read_n != 1)
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct keydec k;
	uint64_t now = 1;
	size_t at = 0, n = 0;

	keydec_init(&k);
	while (at + 2 <= size) {
		now += (uint64_t)data[at + 1] * 20;
		n = (data[at] & 15u) + 1u;
		at += 2;
		if (n > size - at)
			n = size - at;
		keydec_feed(&k, (const char *)data + at, n, now, check, &n);
		at += n;
		if (k.state == KD_UTF8 && (k.utf8_have == 0 || k.utf8_have >= k.utf8_want))
			abort();
	}
	/* Silence always brings it back to the ground. */
	for (int i = 0; i < 4 && keydec_due(&k) != 0; i++) {
		now = keydec_due(&k);
		keydec_tick(&k, now, check, &n);
	}
	if (keydec_due(&k) != 0 || k.pasting || k.state != KD_GROUND)
		abort();
	return 0;
}
