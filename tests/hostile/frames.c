/*
 * frames.c - see frames.h.
 */
#include "tests/hostile/frames.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/text.h"

const struct frame usual = { "OBG1", "claude", 1, 0, -1 };

void put(struct buf *b, const struct frame *f, uint8_t key, struct sv payload)
{
	buf_adds(b, f->magic);
	buf_u8(b, f->mode);
	buf_u8(b, (uint8_t)strlen(f->dialect));
	buf_adds(b, f->dialect);
	for (unsigned i = 0; i < 16; i++)
		buf_u8(b, key);
	buf_u64(b, f->ms);
	buf_u32(b, f->n < 0 ? (uint32_t)payload.n : (uint32_t)f->n);
	buf_addsv(b, payload);
}

/* ---- what comes back ---- */

static bool take(int fd, void *p, size_t n)
{
	char *at = p;

	while (n > 0) {
		struct pollfd w = { .fd = fd, .events = POLLIN };
		ssize_t k = recv(fd, at, n, MSG_DONTWAIT);

		if (k > 0) {
			at += k;
			n -= (size_t)k;
		} else if (k == 0 || (errno != EAGAIN && errno != EINTR)) {
			return false;
		} else if (poll(&w, 1, 60000) == 0) {
			fail_msg("the hub says nothing");
		}
	}
	return true;
}

static uint32_t take_u32(int fd)
{
	uint8_t b[4];

	assert_true(take(fd, b, 4));
	return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static void take_text(int fd, char *out, size_t room)
{
	uint32_t n = take_u32(fd);
	char *p = xmalloc(n + 1);

	assert_true(n <= 1u << 20);
	assert_true(take(fd, p, n));
	p[n] = '\0';
	assert_true(esc_is_clean((struct sv){ p, n }));
	snprintf(out, room, "%s", p);
	free(p);
}

bool take_frame(int fd, struct back *b, uint32_t *id)
{
	char c, out[8192], path[4097];
	uint8_t h[3], v;

	if (!take(fd, &c, 1))
		return false;
	if (c == 'O') {
		*id = take_u32(fd);
		assert_true(take(fd, h, 3));
		assert_true(take(fd, path, h[1] | (size_t)h[2] << 8));
		b->opens++;
		return true;
	}
	if (c == '{')              /* not even the framing: a line says so */
		return false;
	assert_int_equal(c, 'V');
	assert_true(take(fd, &v, 1));
	take_text(fd, out, sizeof out);
	take_text(fd, b->err, sizeof b->err);
	take_u32(fd);
	b->verdict = v;
	assert_int_not_equal(v, 1);
	if (v == 2)
		assert_true(b->err[0] != '\0');
	return true;
}

void take_back(struct host *h, int fd, struct back *b)
{
	uint32_t id;

	memset(b, 0, sizeof *b);
	while (take_frame(fd, b, &id))
		;
	raw_eof(fd);
	if (b->verdict == 2 && strstr(b->err, "refused this request") != NULL)
		h->errors++;
	close(fd);
}

void attack(struct host *h, const struct buf *bytes, struct back *b)
{
	int fd = raw_connect(h->r.agent);

	raw_send(fd, bytes->p, bytes->n, false);
	shutdown(fd, SHUT_WR);
	take_back(h, fd, b);
}
