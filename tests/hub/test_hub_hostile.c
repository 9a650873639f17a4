/*
 * test_hub_hostile.c - bytes nobody should send, into all three kinds of
 * socket: the hub lives, says what was wrong, has it on record, and serves
 * the next one.
 */
#include "tests/check.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/sock.h"
#include "store/store.h"
#include "tests/hub/rig.h"

/* A small generator of our own: the same inputs on every run. */
static uint64_t seed = 1;

static uint32_t rnd(uint32_t n)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(seed >> 33) % n;
}

static const char *const lines[] = {
	"{", "}", "{}", "[]", "null", "1", "\"x\"", "{\"id\":1}", "{\"id\":{},\"method\":\"hello\"}",
	"{\"id\":1,\"method\":7}", "{\"id\":1,\"method\":\"hello\",\"params\":[]}",
	"{\"id\":1,\"method\":\"hello\",\"params\":3}",
	"{\"id\":1,\"method\":\"hello\",\"params\":{\"protocol\":99}}",
	"{\"id\":1,\"id\":2,\"method\":\"hello\"}",
	"{\"id\":1,\"method\":\"no/such\",\"params\":{}}",
	"{\"id\":1,\"method\":\"approval/request\",\"params\":{}}",
	"{\"id\":1,\"method\":\"approval/request\",\"params\":{\"key\":\"zz\",\"kind\":\"edit\"}}",
	("{\"method\":\"approval/request\",\"params\":{\"key\":"
		"\"00000000000000000000000000000000\",\"kind\":\"edit\"}}"),
	"{\"id\":1,\"method\":\"approval/withdraw\",\"params\":{\"key\":1}}",
	"{\"id\":1,\"method\":\"approval/result\",\"params\":{\"key\":\"\"}}",
	"{\"id\":5,\"result\":{}}", "{\"id\":5,\"error\":{\"code\":1}}",
	"{\"id\":1,\"method\":\"action/decide\",\"params\":{\"id\":-1}}",
	"{\"id\":1,\"method\":\"action/decide\",\"params\":{\"id\":1e99,\"outcome\":\"approve\"}}",
	"{\"id\":1,\"method\":\"doc/lines\",\"params\":{\"id\":1,\"from\":9,\"to\":1}}",
	"{\"id\":1,\"method\":\"action/seen\",\"params\":{\"id\":1,\"ranges\":[[1]]}}",
	"\xff\xfe\xfd", "{\"a\":\"\\ud800\"}", "{\"id\":1,\"method\":\"hello\"} x", "\x1b[2J",
};

/* Until all is sent, or the hub has closed. sink: what it says meanwhile is
 * thrown away; else its first word ends the sending. */
static void send_until(int fd, const void *p, size_t n, bool sink_it)
{
	const char *at = p;

	/* The hub may have closed: that is an answer too. */
	while (n > 0) {
		ssize_t k = sock_send_fd(fd, at, n, -1);
		struct pollfd pf = { .fd = fd, .events = POLLOUT };
		char sink[4096];

		if (k > 0) {
			at += k;
			n -= (size_t)k;
			continue;
		}
		if (k < 0 && errno != EAGAIN)
			return;
		/* Read too, or both would wait for each other. */
		pf.events |= POLLIN;
		if (poll(&pf, 1, 30000) <= 0)
			fail_msg("the hub takes no bytes");
		if ((pf.revents & POLLIN) != 0 && !sink_it)
			return;
		if ((pf.revents & POLLIN) != 0 &&
		    recv(fd, sink, sizeof sink, MSG_DONTWAIT) == 0)
			return;
	}
}

static void send_some(int fd, const void *p, size_t n)
{
	send_until(fd, p, n, true);
}

/* Waits until the hub has closed or has said something. */
static void hear(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	if (poll(&p, 1, 30000) <= 0)
		fail_msg("no answer");
}

/* Most wait until the hub has closed too, so that it is never asked to hold
 * more of them than it allows; some just go. */
static void hang_up(int fd, bool at_once)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	char sink[4096];

	shutdown(fd, SHUT_WR);
	while (!at_once) {
		if (poll(&p, 1, 30000) <= 0)
			fail_msg("the hub does not close");
		if (recv(fd, sink, sizeof sink, MSG_DONTWAIT) <= 0)
			break;
	}
	close(fd);
}

static int dial(const char *path)
{
	struct err e = ERR_INIT;
	int fd = sock_connect(path, &e);

	if (fd < 0)
		fail_msg("%s", e.text);
	return fd;
}

/* Still there, and quick to say so. */
static void alive(struct rig *r)
{
	struct cl c;

	console_open(&c, r, "alive");
	cl_close(&c);
}

static void test_lines(void **state)
{
	struct rig r;
	const char *paths[2];

	(void)state;
	rig_start(&r);
	rig_hub(&r, NULL);
	paths[0] = r.agent;
	paths[1] = r.console;
	for (unsigned i = 0; i < 1000; i++) {
		int fd = dial(paths[i % 2]);
		unsigned n = 1 + rnd(8);

		for (unsigned k = 0; k < n; k++) {
			const char *l = lines[rnd(sizeof lines / sizeof lines[0])];
			size_t len = strlen(l);

			if (rnd(10) == 0 && len > 1)
				len = 1 + rnd((uint32_t)len - 1);    /* torn */
			send_some(fd, l, len);
			send_some(fd, rnd(20) == 0 ? "" : "\n", rnd(20) == 0 ? 0 : 1);
		}
		hang_up(fd, rnd(8) == 0);
	}
	alive(&r);
	rig_term(&r);
	rig_end(&r);
}

static void test_gate_frames(void **state)
{
	static const char good[] = "{\"session_id\":\"s\",\"cwd\":\"/\","
		"\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\","
		"\"tool_input\":{\"command\":\"ls\"},\"tool_use_id\":\"c\"}";
	struct rig r;

	(void)state;
	rig_start(&r);
	rig_hub(&r, NULL);
	for (unsigned i = 0; i < 1000; i++) {
		char frame[1024];
		size_t n = 0, len = strlen(good);
		int fd = dial(r.agent);

		memcpy(frame, "OBG1\x01\x06" "claude", 12);
		n = 12;
		for (int k = 0; k < 16; k++)
			frame[n++] = (char)rnd(256);
		memset(frame + n, 0, 8);
		n += 8;
		for (int k = 0; k < 4; k++)
			frame[n++] = (char)(len >> (8 * k));
		memcpy(frame + n, good, len);
		n += len;
		/* Most have one byte or more wrong, or are cut or too long. */
		for (uint32_t k = rnd(6); k > 0; k--)
			frame[rnd((uint32_t)n)] = (char)rnd(256);
		if (rnd(3) == 0)
			n = 1 + rnd((uint32_t)n - 1);
		send_some(fd, frame, n);
		if (rnd(4) == 0)
			send_some(fd, "FFFFFFFFFFFFFFFF", 16);
		hang_up(fd, rnd(8) == 0);
	}
	alive(&r);
	rig_term(&r);
	rig_end(&r);
}

/* Depth, width, size: each refused with the word that says which. */
static void test_limits(void **state)
{
	struct rig r;
	struct cl rt;
	struct jv *v;
	char *big;

	(void)state;
	rig_start(&r);
	rig_hub(&r, NULL);
	native_open_rig(&rt, &r, "s");
	big = xmalloc((size_t)17 << 20);
	memset(big, '[', 200);
	big[0] = '{';
	memcpy(big, "{\"a\":", 5);
	big[200] = '\0';
	cl_send(&rt, big);
	v = cl_response(&rt, UINT64_MAX);
	assert_string_equal(error_word(v), "json_depth");
	jv_free(&v);
	/* 16 MiB of "[],": more than a million values. */
	memcpy(big, "{\"a\":[", 6);
	for (size_t i = 6; i + 3 < ((size_t)16 << 20) - 4; i += 3)
		memcpy(big + i, "[],", 4);
	cl_send(&rt, big);
	v = cl_response(&rt, UINT64_MAX);
	assert_string_equal(error_word(v), "json_values");
	jv_free(&v);
	/* A line without an end. */
	memset(big, ' ', ((size_t)17 << 20) - 1);
	big[0] = '{';
	send_until(rt.fd, big, ((size_t)16 << 20) + 200000, false);
	hear(rt.fd);
	v = cl_response(&rt, UINT64_MAX);
	assert_string_equal(error_word(v), "json_size");
	jv_free(&v);
	assert_true(cl_eof(&rt));
	cl_close(&rt);
	free(big);
	alive(&r);
	rig_term(&r);
	rig_end(&r);
}

struct count {
	uint64_t single, many, sum;
};

static bool count_refused(void *arg, const struct rec_view *v)
{
	struct count *c = arg;
	uint64_t n = 0;

	if (v->type == REC_REFUSED)
		c->single++;
	if (v->type == REC_REFUSED_MANY && rec_view_u64(v, RF_COUNT, &n)) {
		c->many++;
		c->sum += n;
	}
	return true;
}

/* Ten thousand requests from one peer: 256 wait, the rest is refused, counted
 * and recorded in few records, and another agent is served meanwhile. */
static void test_flood(void **state)
{
	struct rig r;
	struct cl rt, other, con;
	struct count c = { 0 };
	struct err e = ERR_INIT;
	struct reader *rd;
	struct jv *v;
	char path[160];
	unsigned refused = 0;
	uint64_t rpc;

	(void)state;
	rig_start(&r);
	rig_rules(&r, "[rule \"ok\"]\n\ttool = Bash\n\targ = true\n\tdecide = allow\n");
	rig_hub(&r, NULL);
	native_open_rig(&rt, &r, "s");
	for (unsigned i = 0; i < 10000; i++) {
		rpc = cl_request(&rt, "approval/request", "{\"key\":\"%032x\","
			"\"kind\":\"command\",\"tool\":\"Bash\","
			"\"action\":{\"command\":\"rm %u\"}}", i, i);
		if (i < 256)
			continue;
		v = cl_response(&rt, rpc);
		assert_string_equal(error_word(v), "over_limit");
		refused++;
		jv_free(&v);
	}
	assert_int_equal(refused, 10000 - 256);
	snprintf(path, sizeof path, "%s/agent/claude/sock", r.state);
	memcpy(r.agent, path, sizeof r.agent);
	native_open_rig(&other, &r, "t");
	v = cl_call(&other, "approval/request", "{\"key\":\"%032x\",\"kind\":\"command\","
		"\"tool\":\"Bash\",\"action\":{\"command\":\"true\"}}", 1);
	assert_true(sv_eqs(jv_get_sv(jv_get(v, "result"), "outcome"), "approved"));
	jv_free(&v);
	cl_close(&other);
	console_open(&con, &r, "one");
	v = cl_call(&con, "hub/status", "{}");
	assert_int_equal(jv_get_i(jv_get(v, "result"), "waiting", 0), 256);
	assert_int_equal(jv_get_i(jv_get(v, "result"), "refused", 0), refused);
	jv_free(&v);
	cl_close(&con);
	cl_close(&rt);
	rig_term(&r);
	rd = reader_open(r.state, &e);
	assert_non_null(rd);
	assert_int_equal(reader_each(rd, 0, count_refused, &c, &e), 0);
	reader_close(&rd);
	assert_int_equal(c.single, 20);
	assert_int_equal(c.single + c.sum, refused);
	assert_true(c.many <= 2);
	rig_end(&r);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_gate_frames),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_flood),
	};

	if (argc > 1)
		cmocka_set_test_filter(argv[1]);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
