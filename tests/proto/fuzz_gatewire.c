/*
 * Fuzz target: what a gate sends. Byte 0 chooses the size of the pieces, byte 1
 * the bits of which pieces bring a descriptor; the rest is the stream. After a
 * request, three opens are asked. Whole or in pieces, the request must be the
 * same.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "proto/gatewire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct seen {
	bool request, error;
	size_t payload, opened, fds;
};

static struct seen run(const uint8_t *p, size_t n, size_t step, unsigned fd_bits)
{
	struct gatewire_in in;
	struct gatewire_event ev;
	struct seen s = { 0 };
	struct buf out;

	buf_init(&out, 1 << 16);
	gatewire_init(&in);
	for (size_t at = 0, piece = 0; at < n && !s.error; at += step, piece++) {
		size_t k = n - at < step ? n - at : step;
		size_t fds = fd_bits >> (piece % 8) & 1;
		s.fds += fds;
		gatewire_feed(&in, (struct sv){ (const char *)p + at, k }, fds);
		while (gatewire_next(&in, &ev) != GATEWIRE_MORE) {
			if (ev.type == GATEWIRE_ERROR) {
				s.error = true;
				break;
			}
			if (ev.type == GATEWIRE_OPENED) {
				s.opened++;
				if (ev.open_errno == 0 && s.fds-- == 0)
					abort();
			}
			if (ev.type != GATEWIRE_REQUEST)
				continue;
			s.request = true;
			s.payload = in.payload.n;
			for (uint32_t id = 1; id <= 3; id++)
				if (gatewire_open(&in, &out, id, GATEWIRE_FILE, SV("/x"), NULL))
					abort();
		}
	}
	if (s.opened > 3 || (s.error && in.err.code[0] == '\0')
		|| (s.request && s.payload != in.payload_n)
		|| in.payload.cap > 2 * n + 64)
		abort();
	if (s.error && gatewire_refusal(&in) != 0 && gatewire_verdict(&in, &out,
			(enum gatewire_verdict)gatewire_refusal(&in), SV(""), SV("no"), NULL))
		abort();
	gatewire_free(&in);
	buf_free(&out);
	return s;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 3)
		return 0;
	struct seen a = run(data + 2, size - 2, data[0] % 67 + 1u, data[1]);
	struct seen b = run(data + 2, size - 2, size, 0);
	if (data[1] == 0 && (a.request != b.request || a.error != b.error
			|| a.payload != b.payload || a.opened != b.opened))
		abort();
	return 0;
}
