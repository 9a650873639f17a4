/*
 * rig_gate.c - the gate, played by the test; see rig.h.
 */
#include "tests/hub/rig_priv.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/sock.h"
#include "tests/check.h"

/* The gate that opens files while a test waits for something else. */
static int live_gate = -1;
static unsigned live_opens;

char *hook_payload(const struct rig *r, const char *event, const char *tool,
	const char *input, const char *call)
{
	return xasprintf("{\"session_id\":\"sess\",\"cwd\":\"%s\","
		"\"hook_event_name\":\"%s\",\"tool_name\":\"%s\",\"tool_input\":%s,"
		"\"tool_use_id\":\"%s\"}", r->work, event, tool, input, call);
}

static void put_le(struct buf *b, uint64_t v, int n)
{
	for (int i = 0; i < n; i++)
		buf_addc(b, (char)(v >> (8 * i)));
}

int gate_connect(struct rig *r, const char *dialect, int mode, const uint8_t key[16],
	uint64_t ms, const char *payload)
{
	struct err e = ERR_INIT;
	int fd = sock_connect(r->agent, &e);
	struct buf b;

	if (fd < 0)
		fail_msg("%s", e.text);
	buf_init(&b, (size_t)32 << 20);
	buf_adds(&b, "OBG1");
	put_le(&b, (uint64_t)mode, 1);
	put_le(&b, strlen(dialect), 1);
	buf_adds(&b, dialect);
	buf_add(&b, key, 16);
	put_le(&b, ms, 8);
	put_le(&b, strlen(payload), 4);
	buf_adds(&b, payload);
	rig_send_all(fd, b.p, b.n);
	buf_free(&b);
	return fd;
}

/* n bytes or false at EOF. */
static bool read_n(int fd, void *p, size_t n)
{
	char *at = p;

	while (n > 0) {
		ssize_t k = read(fd, at, n);

		if (k < 0 && (errno == EAGAIN || errno == EINTR)) {
			rig_wait_fd(fd, POLLIN);
			continue;
		}
		if (k <= 0)
			return false;
		at += k;
		n -= (size_t)k;
	}
	return true;
}

static uint32_t le32(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void gate_opens_one(int fd)
{
	uint8_t h[7], f[9] = { 'F' };
	char path[5000];
	size_t n;
	int file, error;

	if (!read_n(fd, h, sizeof h))
		return;
	n = h[5] | (size_t)h[6] << 8;
	assert_true(n < sizeof path);
	if (!read_n(fd, path, n))
		return;
	path[n] = '\0';
	file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY |
		(h[4] == 2 ? O_DIRECTORY : 0));
	error = file < 0 ? errno : 0;
	memcpy(f + 1, h, 4);
	f[5] = (uint8_t)error;
	(void)!sock_send_fd(fd, f, sizeof f, file);  /* a dead hub: seen later */
	if (file >= 0)
		close(file);
}

static void gate_text(int fd, char *out, size_t n)
{
	uint8_t h[4];
	size_t k;

	assert_true(read_n(fd, h, 4));
	k = le32(h);
	assert_true(k < n);
	assert_true(read_n(fd, out, k));
	out[k] = '\0';
}

int gate_lives(void)
{
	return live_gate;
}

/* One 'O' answered; a verdict stays for gate_serve(). */
void gate_live_serve(void)
{
	char c = 0;

	if (recv(live_gate, &c, 1, MSG_PEEK | MSG_DONTWAIT) != 1 || c != 'O') {
		live_gate = -1;
		return;
	}
	(void)!read(live_gate, &c, 1);
	live_opens++;
	gate_opens_one(live_gate);
}

void gate_await(int fd)
{
	while (live_gate == fd) {
		rig_wait_fd(fd, POLLIN);
		gate_live_serve();
	}
}

void gate_live(int fd)
{
	live_gate = fd;
	live_opens = 0;
}

unsigned gate_opened(void)
{
	return live_opens;
}

/* stdout and stderr come one after the other: 'V' verdict n out n err crc. */
void gate_serve(int fd, struct gate_answer *a)
{
	char c;
	uint8_t v, crc[4];

	live_gate = -1;
	memset(a, 0, sizeof *a);
	while (read_n(fd, &c, 1)) {
		if (c == 'O') {
			a->opens++;
			gate_opens_one(fd);
			continue;
		}
		assert_int_equal(c, 'V');
		assert_true(read_n(fd, &v, 1));
		gate_text(fd, a->out, sizeof a->out);
		gate_text(fd, a->err, sizeof a->err);
		assert_true(read_n(fd, crc, 4));
		a->verdict = v;
		assert_false(read_n(fd, &c, 1));
		break;
	}
	close(fd);
}
