/* stream.c - stdin whole, stdout whole, and what can be said on stderr. */
#include "gate/gate.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Descriptors 0 to 2 may be shared with the runtime, so O_NONBLOCK is not set
 * on them. A pipe or socket that poll() calls writable takes this much
 * without blocking (PIPE_BUF). */
#define CHUNK 4096

static unsigned char small[65536];

enum gate_code gate_read(struct gate *g)
{
	unsigned char *p = small;
	size_t cap = sizeof(small), n = 0;
	short got;

	for (;;) {
		if (n > FRAME_PAYLOAD_MAX)
			return GATE_TOO_LONG;
		if (n == sizeof(small) && p == small) {
			/* Pages are taken as they are filled. */
			cap = FRAME_PAYLOAD_MAX + 1;
			p = mmap(NULL, cap, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
			if (p == MAP_FAILED)
				return gate_fail(g, GATE_SYSTEM, "memory", errno);
			memcpy(p, small, n);
		}
		enum gate_code code = gate_wait(g, STDIN_FILENO, POLLIN, &got);
		if (code != GATE_OK)
			return code;
		ssize_t r = read(STDIN_FILENO, p + n, cap - n);
		if (r == 0)
			break;
		if (r > 0)
			n += (size_t)r;
		else if (errno != EINTR && errno != EAGAIN)
			return gate_fail(g, GATE_STDIN, "stdin", errno);
	}
	g->payload = p;
	g->payload_n = n;
	return GATE_OK;
}

enum gate_code gate_deliver(struct gate *g, const unsigned char *p, size_t n)
{
	short got;

	while (n > 0) {
		enum gate_code code = gate_wait(g, STDOUT_FILENO, POLLOUT, &got);
		if (code != GATE_OK)
			return code;
		ssize_t w = write(STDOUT_FILENO, p, n < CHUNK ? n : CHUNK);
		if (w > 0) {
			p += w;
			n -= (size_t)w;
		} else if (w == 0 || (errno != EINTR && errno != EAGAIN)) {
			return gate_fail(g, GATE_STDOUT, "stdout", w == 0 ? EIO : errno);
		}
	}
	return GATE_OK;
}

void gate_stderr(const struct gate *g, const unsigned char *p, size_t n)
{
	uint64_t end = gate_now() + GATE_STDERR_MS;

	/* An observation has one limit for everything. */
	if (g->mode == FRAME_OBSERVE && g->deadline != 0 && g->deadline < end)
		end = g->deadline;
	/* Past the limit, one more write that does not wait: "too late" itself
	 * is worth saying. */
	for (bool last = false; n > 0 && !last;) {
		uint64_t now = gate_now();
		struct pollfd e = { STDERR_FILENO, POLLOUT, 0 };
		last = now >= end;
		int ready = poll(&e, 1, last ? 0 : (int)(end - now));
		if (ready < 0 && errno == EINTR)
			continue;
		if (ready <= 0 || (e.revents & POLLOUT) == 0)
			return;
		ssize_t w = write(STDERR_FILENO, p, n < CHUNK ? n : CHUNK);
		if (w == 0 || (w < 0 && errno != EINTR && errno != EAGAIN))
			return;
		if (w > 0) {
			p += w;
			n -= (size_t)w;
		}
	}
}
