/*
 * test_hostile_gate.c - hostile bytes and descriptors in the gate's framing:
 * named cases, then mutations of good requests from a seed. Whatever comes,
 * nothing is allowed, and no descriptor stays.
 */
#include "tests/hostile/frames.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- headers and payloads ---- */

static const struct {
	const char *name;
	struct frame f;
	const char *payload;
	int verdict;
} cases[] = {
	{ "magic of tomorrow", { "OBG2", "claude", 1, 0, -1 }, "{}", 0 },
	{ "magic cut", { "OBG", "", 1, 0, -1 }, "", 0 },
	{ "mode 0", { "OBG1", "claude", 0, 0, -1 }, "{}", 2 },
	{ "mode 3", { "OBG1", "claude", 3, 0, -1 }, "{}", 2 },
	{ "mode 255", { "OBG1", "claude", 255, 0, -1 }, "{}", 2 },
	{ "no dialect", { "OBG1", "", 1, 0, -1 }, "{}", 2 },
	{ "dialect with a slash", { "OBG1", "../claude", 1, 0, -1 }, "{}", 2 },
	{ "dialect in capitals", { "OBG1", "CLAUDE", 1, 0, -1 }, "{}", 2 },
	{ "dialect with ESC", { "OBG1", "cl\x1b[2J", 1, 0, -1 }, "{}", 2 },
	{ "unknown dialect", { "OBG1", "zzz", 1, 0, -1 }, "{}", 2 },
	{ "unknown dialect, observing", { "OBG1", "zzz", 2, 0, -1 }, "{}", 4 },
	{ "native by the gate", { "OBG1", "native", 1, 0, -1 }, "{}", 2 },
	{ "announces 16 MiB and one", { "OBG1", "claude", 1, 0, (16 << 20) + 1 }, "{}", 2 },
	{ "announces 4 GiB", { "OBG1", "claude", 1, 0, UINT32_MAX }, "{}", 2 },
	{ "announces 16 MiB and sends nothing", { "OBG1", "claude", 1, 0, 16 << 20 }, "", 0 },
	{ "announces more than it sends", { "OBG1", "claude", 1, 0, 3 }, "{}", 0 },
	{ "announces less than it sends", { "OBG1", "claude", 1, 0, 1 }, "{}", 2 },
	{ "no payload", { "OBG1", "claude", 1, 0, -1 }, "", 2 },
	{ "not JSON", { "OBG1", "claude", 1, 0, -1 }, "hello", 2 },
	{ "an array", { "OBG1", "claude", 1, 0, -1 }, "[]", 2 },
	{ "duplicate key", { "OBG1", "claude", 1, 0, -1 },
		"{\"hook_event_name\":\"Stop\",\"hook_event_name\":\"PreToolUse\"}", 2 },
	{ "no event", { "OBG1", "claude", 1, 0, -1 }, "{}", 2 },
	{ "event of a number", { "OBG1", "claude", 1, 0, -1 }, "{\"hook_event_name\":1}", 2 },
	{ "unknown event", { "OBG1", "claude", 1, 0, -1 }, "{\"hook_event_name\":\"X\"}", 2 },
	{ "session of a number", { "OBG1", "claude", 1, 0, -1 },
		"{\"hook_event_name\":\"PreToolUse\",\"session_id\":1,\"tool_name\":\"Read\","
		"\"tool_input\":{}}", 2 },
	{ "no tool", { "OBG1", "claude", 1, 0, -1 },
		"{\"hook_event_name\":\"PreToolUse\",\"tool_input\":{}}", 2 },
	{ "tool of an object", { "OBG1", "claude", 1, 0, -1 },
		"{\"hook_event_name\":\"PreToolUse\",\"tool_name\":{},\"tool_input\":{}}", 2 },
	{ "trailing bytes in the payload", { "OBG1", "claude", 1, 0, -1 }, "{}{}", 2 },
	{ "a request, observing", { "OBG1", "claude", 2, 0, -1 }, PRE("Bash", "{}"), 4 },
	{ "not JSON, observing", { "OBG1", "claude", 2, 0, -1 }, "\xff", 4 },
};

static void test_headers(void **state)
{
	struct host h;
	struct back b;
	struct buf bytes;

	(void)state;
	host_begin(&h, NULL);
	buf_init(&bytes, (size_t)32 << 20);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		buf_clear(&bytes);
		put(&bytes, &cases[i].f, 1, sv_of(cases[i].payload));
		attack(&h, &bytes, &b);
		if (b.verdict != cases[i].verdict)
			fail_msg("%s: verdict %d %s", cases[i].name, b.verdict, b.err);
		host_check(&h, 64);
	}
	/* Cut after each byte. */
	buf_clear(&bytes);
	put(&bytes, &usual, 2, sv_of(PRE("Bash", "{\"command\":\"ls\"}")));
	for (size_t n = bytes.n; n > 0; n -= n > 5 ? 5 : n) {
		bytes.n = n;
		attack(&h, &bytes, &b);
		/* Whole, it asks; then the end withdraws it. */
		assert_int_equal(b.verdict, 0);
	}
	host_check(&h, 64);
	buf_free(&bytes);
	host_end(&h);
}

static void test_slow(void **state)
{
	struct host h;
	struct back b;
	struct buf bytes;
	int fd;

	(void)state;
	host_begin(&h, NULL);
	buf_init(&bytes, 1u << 20);
	put(&bytes, &usual, 1, sv_of(PRE("Bash", "{\"command\":\"\\ud800\"}")));
	fd = raw_connect(h.r.agent);
	for (size_t i = 0; i < bytes.n; i++) {
		raw_send(fd, bytes.p + i, 1, false);
		if (i % 16 == 0)
			host_probe(&h);
	}
	take_back(&h, fd, &b);
	assert_int_equal(b.verdict, 2);
	buf_free(&bytes);
	host_check(&h, 64);
	host_end(&h);
}

/* ---- descriptors ---- */

enum fd_kind { FD_NONE, FD_PIPE, FD_SOCKET, FD_HUB, FD_DIR, FD_MEM, FD_FILE, FD_NULL,
	FD_PATH, FD_KINDS };

static int fd_make(struct host *h, enum fd_kind k)
{
	int p[2];

	switch (k) {
	case FD_PIPE:
		assert_int_equal(pipe(p), 0);
		close(p[1]);
		return p[0];
	case FD_SOCKET:
		assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, p), 0);
		close(p[1]);
		return p[0];
	case FD_HUB:
		return raw_connect(h->r.agent);
	case FD_DIR:
		return open("/", O_RDONLY | O_DIRECTORY);
	case FD_MEM:
		return memfd_create("x", 0);
	case FD_NULL:
		return open("/dev/zero", O_RDONLY);
	case FD_PATH:
		return open("/etc/passwd", O_PATH);
	default:
		return open("/etc/passwd", O_RDONLY);
	}
}

/* Asks for an edit and returns the connection once the first open came. */
static int ask_edit(struct host *h, uint8_t key, uint32_t *id)
{
	struct back b = { 0 };
	struct buf bytes;
	int fd = raw_connect(h->r.agent);

	buf_init(&bytes, 1u << 20);
	put(&bytes, &usual, key, sv_of(PRE("Write",
		"{\"file_path\":\"/srv/none/x\",\"content\":\"y\"}")));
	raw_send(fd, bytes.p, bytes.n, false);
	buf_free(&bytes);
	assert_true(take_frame(fd, &b, id));
	assert_int_equal(b.opens, 1);
	return fd;
}

static void frame_f(char out[9], uint32_t id, int32_t error)
{
	out[0] = 'F';
	for (int i = 0; i < 4; i++) {
		out[1 + i] = (char)(id >> 8 * i);
		out[5 + i] = (char)((uint32_t)error >> 8 * i);
	}
}

/* One 'F' with n descriptors of a kind on its first byte. */
static void send_f(struct host *h, int fd, uint32_t id, int32_t error,
	enum fd_kind k, size_t n)
{
	int fds[64];
	char f[9];

	frame_f(f, id, error);
	for (size_t i = 0; i < n; i++)
		fds[i] = fd_make(h, k);
	if (n == 0)
		raw_send(fd, f, 1, false);
	else
		raw_send_fds(fd, f[0], fds, n);
	raw_send(fd, f + 1, 8, false);
	for (size_t i = 0; i < n; i++)
		close(fds[i]);
}

static const struct {
	const char *name;
	uint32_t more_id;          /* added to the id that was asked */
	int32_t error;
	enum fd_kind kind;
	size_t n;
	unsigned times;
	bool refused;              /* else the request goes on */
} answers[] = {
	{ "another id", 1000, 0, FD_FILE, 1, 1, true },
	{ "no descriptor", 0, 0, FD_NONE, 0, 1, true },
	{ "a descriptor with an errno", 0, ENOENT, FD_FILE, 1, 1, true },
	{ "two descriptors", 0, 0, FD_FILE, 2, 1, true },
	{ "64 pipes", 0, 0, FD_PIPE, 64, 1, true },
	{ "errno -1", 0, -1, FD_NONE, 0, 1, true },
	{ "errno of no kernel", 0, 100000, FD_NONE, 0, 1, true },
	{ "the same answer twice", 0, EACCES, FD_NONE, 0, 2, true },
	{ "a pipe", 0, 0, FD_PIPE, 1, 1, false },
	{ "a socket", 0, 0, FD_SOCKET, 1, 1, false },
	{ "a connection to the hub itself", 0, 0, FD_HUB, 1, 1, false },
	{ "a directory", 0, 0, FD_DIR, 1, 1, false },
	{ "memory", 0, 0, FD_MEM, 1, 1, false },
	{ "another file", 0, 0, FD_FILE, 1, 1, false },
	{ "/dev/zero", 0, 0, FD_NULL, 1, 1, false },
	{ "a path only", 0, 0, FD_PATH, 1, 1, false },
};

static void test_opens(void **state)
{
	struct host h;

	(void)state;
	host_begin(&h, NULL);
	for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
		struct back b = { 0 };
		uint32_t id;
		int fd = ask_edit(&h, (uint8_t)i, &id);

		for (unsigned k = 0; k < answers[i].times; k++)
			send_f(&h, fd, id + answers[i].more_id, answers[i].error,
				answers[i].kind, answers[i].n);
		if (!answers[i].refused)
			shutdown(fd, SHUT_WR);
		take_back(&h, fd, &b);
		if ((b.verdict == 2) != answers[i].refused)
			fail_msg("%s: verdict %d %s", answers[i].name, b.verdict, b.err);
		host_check(&h, 64);
	}
	host_end(&h);
}

/* Descriptors where none belong: on the first byte, in the header, in the
 * payload, behind the verdict; on the native framing too. */
static void test_unasked(void **state)
{
	static const char hello[] = "{\"id\":\"h\",\"method\":\"hello\",\"params\":"
		"{\"protocol\":1,\"files\":true}}\n";
	struct host h;
	struct buf bytes;
	int fds[64];

	(void)state;
	host_begin(&h, NULL);
	buf_init(&bytes, 1u << 20);
	put(&bytes, &usual, 1, sv_of(PRE("Bash", "{\"command\":\"ls\"}")));
	for (unsigned i = 0; i < 64; i++)
		fds[i] = fd_make(&h, 1 + i % (FD_KINDS - 1));
	for (size_t at = 0; at < bytes.n; at += 13) {
		struct back b;
		int fd = raw_connect(h.r.agent);

		raw_send(fd, bytes.p, at, false);
		raw_send_fds(fd, bytes.p[at], fds, at % 3 == 0 ? 1 : 64);
		raw_send(fd, bytes.p + at + 1, bytes.n - at - 1, false);
		take_back(&h, fd, &b);
		/* Before the mode is read there is nobody to deny. */
		assert_true(b.verdict == 2 || at < 6);
	}
	for (unsigned i = 0; i < 40; i++) {
		struct got g;
		struct cl c;

		cl_open(&c, i % 2 != 0 ? h.r.agent : h.r.console);
		for (unsigned k = 0; k < strlen(hello); k++)
			raw_send_fds(c.fd, hello[k], fds, 1 + k % 64);
		got_until(&c, "h", &g);
		assert_int_equal(g.results, 1);
		cl_close(&c);
	}
	for (unsigned i = 0; i < 64; i++)
		close(fds[i]);
	buf_free(&bytes);
	host_check(&h, 64);
	host_end(&h);
}

/* ---- the same key ---- */

/* Until the next one waits for a person. */
static void waits(struct host *h)
{
	struct jv *v = cl_note(&h->con, "queue/added");

	assert_true(jv_get_i(jv_get(jv_get(v, "params"), "row"), "expires_ms", 0) >= 0);
	jv_free(&v);
}

static void test_keys(void **state)
{
	struct frame f = usual;
	struct host h;
	struct back b;
	struct buf bytes;
	int one, two;

	(void)state;
	host_begin(&h, NULL);
	buf_init(&bytes, 1u << 20);
	/* Deadlines that overflow. */
	for (unsigned i = 0; i < 4; i++) {
		static const uint64_t ms[] = { UINT64_MAX, UINT64_MAX - 1000001,
			INT64_MAX, UINT64_C(1) << 62 };

		f.ms = ms[i];
		buf_clear(&bytes);
		put(&bytes, &f, (uint8_t)i, sv_of(BARE("ls")));
		one = raw_connect(h.r.agent);
		raw_send(one, bytes.p, bytes.n, false);
		waits(&h);
		shutdown(one, SHUT_WR);
		take_back(&h, one, &b);
	}
	host_check(&h, 64);
	/* Other bytes under a key: the first is superseded, not allowed. */
	f.ms = 0;
	buf_clear(&bytes);
	put(&bytes, &f, 9, sv_of(BARE("ls")));
	one = raw_connect(h.r.agent);
	raw_send(one, bytes.p, bytes.n, false);
	waits(&h);
	buf_clear(&bytes);
	put(&bytes, &f, 9, sv_of(BARE("rm -rf /")));
	two = raw_connect(h.r.agent);
	raw_send(two, bytes.p, bytes.n, false);
	take_back(&h, one, &b);
	assert_int_equal(b.verdict, 2);
	assert_non_null(strstr(b.err, "newer request"));
	/* The same bytes again: the older connection is let go. */
	one = raw_connect(h.r.agent);
	raw_send(one, bytes.p, bytes.n, false);
	take_back(&h, two, &b);
	assert_int_equal(b.verdict, 0);
	shutdown(one, SHUT_WR);
	take_back(&h, one, &b);
	buf_free(&bytes);
	host_check(&h, 64);
	host_end(&h);
}

/* ---- mutations ---- */

static void mutate(struct dice *d, struct buf *b)
{
	unsigned n = 1 + dice_to(d, 5);

	while (n-- > 0 && b->n > 8) {
		size_t at = dice_to(d, 4) == 0 ? dice_to(d, 40) : dice_to(d, (uint32_t)b->n);

		if (at >= b->n)
			continue;
		switch (dice_to(d, 4)) {
		case 0:
			b->p[at] = (char)dice_next(d);
			break;
		case 1:
			b->p[at] ^= (char)(1u << dice_to(d, 8));
			break;
		case 2:
			b->n = at + 1;
			break;
		default:
			buf_add(b, b->p, 1);
			memmove(b->p + at + 1, b->p + at, b->n - 1 - at);
		}
	}
}

static void test_mutations(void **state)
{
	static const char *const payloads[] = {
		PRE("Bash", "{\"command\":\"ls -l /tmp\",\"description\":\"look\"}"),
		PRE("Edit", "{\"file_path\":\"/tmp/x/../y\",\"old_string\":\"a\","
			"\"new_string\":\"b\",\"replace_all\":true}"),
		PRE("mcp__a__b", "{\"x\":[1,{\"y\":null}],\"z\":\"\\u202e\"}"),
		"{\"hook_event_name\":\"PostToolUse\",\"session_id\":\"g\",\"tool_use_id\":"
		"\"t9\",\"cwd\":\"/\",\"tool_name\":\"Bash\",\"tool_input\":{}}",
		"{\"hook_event_name\":\"Stop\",\"session_id\":\"g\",\"last_assistant_message\":"
		"\"done\"}",
	};
	unsigned n = host_quick() ? 150 : 700;
	struct dice d = { 2 };
	struct host h;
	struct buf b;

	(void)state;
	host_begin(&h, NULL);
	buf_init(&b, 1u << 20);
	for (unsigned i = 0; i < n; i++) {
		struct frame f = usual;
		struct back back;

		buf_clear(&b);
		f.mode = i % 7 < 5 ? 1 : 2;
		put(&b, &f, (uint8_t)i, sv_of(payloads[i % 5]));
		mutate(&d, &b);
		attack(&h, &b, &back);
		if (i % 50 == 49)
			host_check(&h, 64);
	}
	buf_free(&b);
	host_check(&h, 64);
	host_end(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_headers),
		cmocka_unit_test(test_slow),
		cmocka_unit_test(test_opens),
		cmocka_unit_test(test_unasked),
		cmocka_unit_test(test_keys),
		cmocka_unit_test(test_mutations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
