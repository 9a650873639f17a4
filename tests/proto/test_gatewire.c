/* The hub's side of the gate's framing: every boundary, every refusal. */
#include "../check.h"

#include "base/crc.h"
#include "proto/gatewire.h"

static void header(struct buf *b, uint8_t mode, const char *dialect, const char *payload,
	uint32_t n)
{
	buf_adds(b, "OBG1");
	buf_u8(b, mode);
	buf_u8(b, (uint8_t)strlen(dialect));
	buf_adds(b, dialect);
	buf_add(b, "0123456789abcdef", 16);
	buf_u64(b, 0x0102030405060708u);
	buf_u32(b, n);
	buf_add(b, payload, strlen(payload));
}

static void opened(struct buf *b, uint32_t id, uint32_t eno)
{
	buf_u8(b, 'F');
	buf_u32(b, id);
	buf_u32(b, eno);
}

static enum gatewire_type feed(struct gatewire_in *in, struct sv s, size_t fds,
	struct gatewire_event *ev)
{
	gatewire_feed(in, s, fds);
	return gatewire_next(in, ev);
}

/* A connection whose request is read and which asked for opens 1 .. asks. */
static void ready(struct gatewire_in *in, uint8_t mode, uint32_t asks)
{
	struct gatewire_event ev;
	struct buf b, out;

	buf_init(&b, 4096);
	buf_init(&out, 4096);
	gatewire_init(in);
	header(&b, mode, "claude", "{}", 2);
	assert_int_equal(feed(in, buf_sv(&b), 0, &ev), GATEWIRE_HEADER);
	assert_int_equal(gatewire_next(in, &ev), GATEWIRE_REQUEST);
	assert_int_equal(gatewire_next(in, &ev), GATEWIRE_MORE);
	for (uint32_t id = 1; id <= asks; id++)
		assert_int_equal(gatewire_open(in, &out, id, GATEWIRE_FILE, SV("/x"), NULL), 0);
	buf_free(&b);
	buf_free(&out);
}

static void test_whole(void **state)
{
	struct gatewire_in in;
	struct gatewire_event ev;
	struct buf b;

	(void)state;
	buf_init(&b, 4096);
	gatewire_init(&in);
	header(&b, GATEWIRE_DECIDE, "claude_code-1", "{\"a\":1}", 7);
	assert_true(gatewire_looks_like(buf_sv(&b)));
	assert_false(gatewire_looks_like(SV("{\"jsonrpc\"")));
	assert_false(gatewire_looks_like(SV_NONE));
	assert_int_equal(feed(&in, buf_sv(&b), 0, &ev), GATEWIRE_HEADER);
	assert_int_equal(in.mode, GATEWIRE_DECIDE);
	assert_string_equal(in.dialect, "claude_code-1");
	assert_memory_equal(in.key, "0123456789abcdef", 16);
	assert_true(in.ms_left == 0x0102030405060708u);
	assert_int_equal(in.payload_n, 7);
	assert_int_equal(gatewire_next(&in, &ev), GATEWIRE_REQUEST);
	assert_true(sv_eqs(buf_sv(&in.payload), "{\"a\":1}"));
	assert_int_equal(gatewire_next(&in, &ev), GATEWIRE_MORE);
	gatewire_free(&in);
	buf_free(&b);
}

/* The same events whatever the pieces, with the descriptor on its 'F'. */
static void test_every_boundary(void **state)
{
	struct buf b;

	(void)state;
	buf_init(&b, 4096);
	header(&b, GATEWIRE_DECIDE, "claude", "payload", 7);
	size_t request = b.n;
	for (size_t step = 1; step <= request; step++) {
		struct gatewire_in in;
		struct gatewire_event ev;
		int headers = 0, requests = 0;
		gatewire_init(&in);
		for (size_t at = 0; at < request; at += step) {
			size_t n = request - at < step ? request - at : step;
			gatewire_feed(&in, (struct sv){ b.p + at, n }, 0);
			while (gatewire_next(&in, &ev) != GATEWIRE_MORE) {
				assert_int_not_equal(ev.type, GATEWIRE_ERROR);
				headers += ev.type == GATEWIRE_HEADER;
				requests += ev.type == GATEWIRE_REQUEST;
			}
		}
		assert_int_equal(headers, 1);
		assert_int_equal(requests, 1);
		assert_true(sv_eqs(buf_sv(&in.payload), "payload"));
		gatewire_free(&in);
	}
	buf_free(&b);
}

static void test_opened_every_cut(void **state)
{
	struct buf b;

	(void)state;
	buf_init(&b, 4096);
	opened(&b, 2, 0);
	opened(&b, 1, 13);
	for (size_t cut = 1; cut < b.n; cut++) {
		struct gatewire_in in;
		struct gatewire_event ev;
		uint32_t got[2], n = 0;
		ready(&in, GATEWIRE_DECIDE, 2);
		for (int part = 0; part < 2; part++) {
			size_t from = part == 0 ? 0 : cut, to = part == 0 ? cut : b.n;
			gatewire_feed(&in, (struct sv){ b.p + from, to - from },
				part == 0 ? 1 : 0);
			while (gatewire_next(&in, &ev) == GATEWIRE_OPENED) {
				assert_int_equal(ev.open_errno, ev.id == 2 ? 0 : 13);
				got[n++] = ev.id;
			}
			assert_int_equal(ev.type, GATEWIRE_MORE);
		}
		assert_int_equal(n, 2);
		assert_int_equal(got[0], 2);
		assert_int_equal(got[1], 1);
		gatewire_free(&in);
	}
	buf_free(&b);
}

/* One bad run of 'F' frames: fed in two pieces cut at cut with fds each. */
struct bad_fd {
	const char *what;
	uint32_t id[2], eno[2];
	size_t frames, cut, fds[2];
	const char *code;
};
static const struct bad_fd bad_fds[] = {
	{ "missing", { 1 }, { 0 }, 1, 9, { 0, 0 }, "gate_fd" },
	{ "with an errno", { 1 }, { 2 }, 1, 9, { 1, 0 }, "gate_fd" },
	{ "two on one", { 1 }, { 0 }, 1, 9, { 2, 0 }, "gate_fd" },
	{ "after its F", { 1 }, { 0 }, 1, 3, { 0, 1 }, "gate_fd" },
	{ "on a cut frame that failed", { 1, 2 }, { 5, 0 }, 2, 3, { 1, 0 }, "gate_fd" },
	{ "one for two", { 1, 2 }, { 0, 0 }, 2, 18, { 1, 0 }, "gate_fd" },
	{ "unasked", { 3 }, { 0 }, 1, 9, { 1, 0 }, "gate_unasked" },
	{ "answered twice", { 1, 1 }, { 2, 2 }, 2, 18, { 0, 0 }, "gate_unasked" },
	{ "negative errno", { 1 }, { 0xfffffffe }, 1, 9, { 0, 0 }, "gate_errno" },
};

static void test_bad_descriptors(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(bad_fds) / sizeof(bad_fds[0]); i++) {
		const struct bad_fd *t = &bad_fds[i];
		struct gatewire_in in;
		struct gatewire_event ev = { GATEWIRE_MORE, 0, 0 };
		struct buf b;
		buf_init(&b, 4096);
		ready(&in, GATEWIRE_DECIDE, 2);
		for (size_t k = 0; k < t->frames; k++)
			opened(&b, t->id[k], t->eno[k]);
		for (int part = 0; part < 2 && ev.type != GATEWIRE_ERROR; part++) {
			size_t from = part == 0 ? 0 : t->cut, to = part == 0 ? t->cut : b.n;
			gatewire_feed(&in, (struct sv){ b.p + from, to - from }, t->fds[part]);
			while (gatewire_next(&in, &ev) == GATEWIRE_OPENED)
				;
		}
		if (ev.type != GATEWIRE_ERROR || strcmp(in.err.code, t->code) != 0)
			fail_msg("%s: event %d, code %s", t->what, ev.type, in.err.code);
		assert_int_equal(gatewire_next(&in, &ev), GATEWIRE_ERROR);
		assert_int_equal(gatewire_refusal(&in), GATEWIRE_DENY);
		gatewire_free(&in);
		buf_free(&b);
	}
}

static void refused(struct sv bytes, size_t fds, const char *code, int refusal)
{
	struct gatewire_in in;
	struct gatewire_event ev;

	gatewire_init(&in);
	gatewire_feed(&in, bytes, fds);
	while (gatewire_next(&in, &ev) != GATEWIRE_ERROR)
		if (ev.type == GATEWIRE_MORE)
			fail_msg("not refused: %s", code);
	assert_string_equal(in.err.code, code);
	assert_true(in.err.text[0] != '\0');
	assert_int_equal(gatewire_refusal(&in), refusal);
	gatewire_free(&in);
}

static void test_refusals(void **state)
{
	struct buf b;

	(void)state;
	buf_init(&b, 4096);
	refused(SV("OBG2"), 0, "gate_magic", 0);
	refused(SV("O\0\0\0\0"), 0, "gate_magic", 0);
	refused(SV("OBG1\0\6"), 0, "gate_mode", GATEWIRE_DENY);
	refused(SV("OBG1\3\6"), 0, "gate_mode", GATEWIRE_DENY);
	refused(SV("OBG1\1\0"), 0, "gate_dialect", GATEWIRE_DENY);
	refused(SV("OBG1\2\0"), 0, "gate_dialect", GATEWIRE_NOTED);
	refused(SV("OBG1\1\6clAude"), 0, "gate_dialect", GATEWIRE_DENY);
	refused(SV("OBG1\1\6cl/ude"), 0, "gate_dialect", GATEWIRE_DENY);
	refused(SV("OBG1\1\3a\0b"), 0, "gate_dialect", GATEWIRE_DENY);
	refused(SV("OBG1\1"), 1, "gate_fd", GATEWIRE_DENY);
	header(&b, GATEWIRE_DECIDE, "claude", "", GATEWIRE_PAYLOAD_MAX + 1);
	refused(buf_sv(&b), 0, "gate_size", GATEWIRE_DENY);
	buf_clear(&b);
	header(&b, GATEWIRE_OBSERVE, "claude", "", UINT32_MAX);
	refused(buf_sv(&b), 0, "gate_size", GATEWIRE_NOTED);
	buf_clear(&b);
	header(&b, GATEWIRE_DECIDE, "claude", "{}F", 2);
	refused(buf_sv(&b), 0, "gate_unasked", GATEWIRE_DENY);
	buf_clear(&b);
	header(&b, GATEWIRE_DECIDE, "claude", "{}x", 2);
	refused(buf_sv(&b), 0, "gate_frame", GATEWIRE_DENY);
	buf_free(&b);
}

static void test_memory_follows_bytes(void **state)
{
	struct gatewire_in in;
	struct gatewire_event ev;
	struct buf b;

	(void)state;
	buf_init(&b, 4096);
	gatewire_init(&in);
	header(&b, GATEWIRE_DECIDE, "claude", "only this", GATEWIRE_PAYLOAD_MAX);
	assert_int_equal(feed(&in, buf_sv(&b), 0, &ev), GATEWIRE_HEADER);
	assert_int_equal(gatewire_next(&in, &ev), GATEWIRE_MORE);
	assert_true(in.payload.cap <= 4096);
	gatewire_free(&in);

	/* The largest payload there may be. */
	char *big = xcalloc(1, 1 << 20);
	gatewire_init(&in);
	buf_clear(&b);
	header(&b, GATEWIRE_DECIDE, "claude", "", GATEWIRE_PAYLOAD_MAX);
	assert_int_equal(feed(&in, buf_sv(&b), 0, &ev), GATEWIRE_HEADER);
	for (int i = 0; i < 16; i++) {
		assert_int_equal(gatewire_next(&in, &ev), GATEWIRE_MORE);
		gatewire_feed(&in, (struct sv){ big, 1 << 20 }, 0);
	}
	assert_int_equal(gatewire_next(&in, &ev), GATEWIRE_REQUEST);
	assert_true(in.payload.n == GATEWIRE_PAYLOAD_MAX);
	assert_int_equal(gatewire_next(&in, &ev), GATEWIRE_MORE);
	gatewire_free(&in);
	free(big);
	buf_free(&b);
}

static void test_open(void **state)
{
	struct gatewire_in in;
	struct gatewire_event ev;
	struct err e = ERR_INIT;
	struct buf out, b;
	char path[GATEWIRE_PATH_MAX + 1];

	(void)state;
	buf_init(&out, 1 << 20);
	buf_init(&b, 4096);
	gatewire_init(&in);
	assert_int_equal(gatewire_open(&in, &out, 1, GATEWIRE_FILE, SV("/x"), &e), -1);
	assert_string_equal(e.code, "gate_order");
	gatewire_free(&in);

	ready(&in, GATEWIRE_DECIDE, 0);
	memset(path, '/', sizeof(path));
	static const struct sv bad[] = { { "", 0 }, { "x", 1 }, { "/a\0b", 4 }, { NULL, 0 } };
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(gatewire_open(&in, &out, 1, GATEWIRE_FILE, bad[i], &e), -1);
		assert_string_equal(e.code, "gate_path");
	}
	assert_int_equal(gatewire_open(&in, &out, 1, GATEWIRE_FILE,
		(struct sv){ path, sizeof(path) }, &e), -1);
	assert_int_equal(out.n, 0);
	assert_int_equal(gatewire_open(&in, &out, 1, GATEWIRE_DIR,
		(struct sv){ path, GATEWIRE_PATH_MAX }, &e), 0);
	assert_int_equal(out.n, 8 + GATEWIRE_PATH_MAX);
	assert_memory_equal(out.p, "O\1\0\0\0\2\0\x10/", 9);
	assert_int_equal(gatewire_open(&in, &out, 1, GATEWIRE_FILE, SV("/x"), &e), -1);
	assert_string_equal(e.code, "gate_busy");
	for (uint32_t id = 2; id <= GATEWIRE_OPENS_WAITING; id++)
		assert_int_equal(gatewire_open(&in, &out, id, GATEWIRE_FILE, SV("/x"), &e), 0);
	assert_int_equal(gatewire_open(&in, &out, 99, GATEWIRE_FILE, SV("/x"), &e), -1);
	assert_string_equal(e.code, "gate_busy");

	/* Answers make room, up to the limit of one request. */
	uint32_t asked = GATEWIRE_OPENS_WAITING, answered = 0;
	while (asked < GATEWIRE_OPENS_MAX) {
		buf_clear(&b);
		buf_clear(&out);
		opened(&b, ++answered, 2);
		assert_int_equal(feed(&in, buf_sv(&b), 0, &ev), GATEWIRE_OPENED);
		assert_int_equal(ev.id, answered);
		assert_int_equal(gatewire_next(&in, &ev), GATEWIRE_MORE);
		assert_int_equal(gatewire_open(&in, &out, ++asked, GATEWIRE_FILE, SV("/x"), &e), 0);
	}
	assert_int_equal(gatewire_open(&in, &out, 9999, GATEWIRE_FILE, SV("/x"), &e), -1);
	assert_string_equal(e.code, "gate_opens");
	gatewire_free(&in);
	buf_free(&out);
	buf_free(&b);
}

static void test_verdict_bytes(void **state)
{
	struct gatewire_in in;
	struct err e = ERR_INIT;
	struct buf out;
	static const char want[] = "V\1\3\0\0\0out\2\0\0\0er";

	(void)state;
	buf_init(&out, 4096);
	ready(&in, GATEWIRE_DECIDE, 1);
	assert_int_equal(gatewire_verdict(&in, &out, GATEWIRE_NOTED, SV(""), SV(""), &e), -1);
	assert_string_equal(e.code, "gate_verdict");
	assert_int_equal(gatewire_verdict(&in, &out, GATEWIRE_ALLOW, SV("out"), SV("er"), &e), 0);
	assert_int_equal(out.n, sizeof(want) - 1 + 4);
	assert_memory_equal(out.p, want, sizeof(want) - 1);
	struct rd r = rd_of((struct sv){ out.p + sizeof(want) - 1, 4 });
	assert_int_equal(rd_u32(&r), crc32_ieee(0, want, sizeof(want) - 1));
	assert_int_equal(gatewire_verdict(&in, &out, GATEWIRE_DENY, SV(""), SV(""), &e), -1);
	assert_string_equal(e.code, "gate_order");
	assert_int_equal(gatewire_open(&in, &out, 7, GATEWIRE_FILE, SV("/x"), &e), -1);
	assert_string_equal(e.code, "gate_order");
	gatewire_free(&in);
	buf_free(&out);
}

/* An allow cannot be written for a request that was not read whole. */
static void test_verdict_fits(void **state)
{
	struct gatewire_in in;
	struct gatewire_event ev;
	struct err e = ERR_INIT;
	struct buf out, small;

	(void)state;
	buf_init(&out, 4096);
	buf_init(&small, 10);
	gatewire_init(&in);
	assert_int_equal(gatewire_verdict(&in, &out, GATEWIRE_DENY, SV(""), SV(""), &e), -1);
	assert_int_equal(feed(&in, SV("OBG1\1\6cla"), 0, &ev), GATEWIRE_MORE);
	assert_int_equal(gatewire_verdict(&in, &out, GATEWIRE_ALLOW, SV(""), SV(""), &e), -1);
	assert_int_equal(gatewire_verdict(&in, &out, GATEWIRE_NO_OPINION, SV(""), SV(""), &e), -1);
	assert_int_equal(out.n, 0);
	assert_int_equal(gatewire_verdict(&in, &small, GATEWIRE_DENY, SV(""), SV(""), &e), -1);
	assert_string_equal(e.code, "gate_buffer");
	assert_false(small.over);
	assert_int_equal(gatewire_verdict(&in, &out, GATEWIRE_DENY, SV(""), SV("no"), &e), 0);
	gatewire_free(&in);

	ready(&in, GATEWIRE_OBSERVE, 0);
	assert_int_equal(gatewire_verdict(&in, &out, GATEWIRE_ALLOW, SV(""), SV(""), &e), -1);
	assert_int_equal(gatewire_verdict(&in, &out, GATEWIRE_DENY, SV(""), SV(""), &e), -1);
	assert_int_equal(gatewire_verdict(&in, &out, GATEWIRE_NOTED, SV(""), SV(""), &e), 0);
	gatewire_free(&in);

	gatewire_init(&in);
	assert_int_equal(feed(&in, SV("OBG1\1\0"), 0, &ev), GATEWIRE_ERROR);
	assert_int_equal(gatewire_verdict(&in, &out, GATEWIRE_ALLOW, SV(""), SV(""), &e), -1);
	assert_int_equal(gatewire_verdict(&in, &out, GATEWIRE_DENY, SV(""), SV("no"), &e), 0);
	assert_int_equal(gatewire_refusal(&in), 0);
	gatewire_free(&in);

	char *big = xcalloc(1, GATEWIRE_TEXT_MAX + 1);
	ready(&in, GATEWIRE_DECIDE, 0);
	assert_int_equal(gatewire_verdict(&in, &out, GATEWIRE_DENY, SV(""),
		(struct sv){ big, GATEWIRE_TEXT_MAX + 1 }, &e), -1);
	assert_string_equal(e.code, "gate_text");
	gatewire_free(&in);
	free(big);
	buf_free(&out);
	buf_free(&small);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_every_boundary),
		cmocka_unit_test(test_opened_every_cut),
		cmocka_unit_test(test_bad_descriptors),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_memory_follows_bytes),
		cmocka_unit_test(test_open),
		cmocka_unit_test(test_verdict_bytes),
		cmocka_unit_test(test_verdict_fits),
	};
	return cmocka_run_group_tests_name("gatewire", tests, NULL, NULL);
}
