/*
 * test_hostile_native.c - hostile bytes on the agent socket: named cases, then
 * mutations of good messages from a seed.
 */
#include "tests/hostile/host.h"

#include <sys/socket.h>
#include <unistd.h>

#define HELLO "{\"id\":\"h\",\"method\":\"hello\",\"params\":{\"protocol\":1," \
	"\"agent\":{\"name\":\"x\"},\"session\":{\"id\":\"s\"}}}\n"
#define LAST "{\"id\":\"last\",\"method\":\"hello\",\"params\":{\"protocol\":1}}\n"
#define KEY "00000000000000000000000000000001"
#define ASK(params) "{\"id\":1,\"method\":\"approval/request\",\"params\":" params "}\n"

enum want {
	SAID_NO,      /* an error, and the connection goes on */
	CUT_OFF,      /* an error, then the end */
	NOTHING,      /* no error; the connection goes on */
};
struct text_case {
	const char *name, *text;
	size_t n;                  /* 0: strlen */
	enum want want;
	bool no_hello;
};
#define T(name, text, want) { name, text, sizeof(text) - 1, want, false }
#define R(name, text, want) { name, text, sizeof(text) - 1, want, true }

/* One row adds one input; an input that once broke the hub stays here. */
static const struct text_case cases[] = {
	R("not JSON", "GET / HTTP/1.1\r\n\r\n", CUT_OFF),
	R("a NUL first", "\0{}\n", CUT_OFF),
	R("an array first", "[]\n", CUT_OFF),
	R("a byte order mark", "\xEF\xBB\xBF{}\n", CUT_OFF),
	R("ESC first", "\x1b]0;x\a\n", CUT_OFF),
	R("request before hello", ASK("{\"key\":\"" KEY "\",\"kind\":\"tool\"}"), SAID_NO),
	R("event before hello", "{\"id\":1,\"method\":\"event\",\"params\":{}}\n", SAID_NO),
	R("wrong version", "{\"id\":1,\"method\":\"hello\",\"params\":{\"protocol\":2}}\n",
		SAID_NO),
	R("version of a string",
		"{\"id\":1,\"method\":\"hello\",\"params\":{\"protocol\":\"1\"}}\n", SAID_NO),
	T("empty object", "{}\n", SAID_NO),
	T("array", "[]\n", SAID_NO),
	T("number", "1\n", SAID_NO),
	T("blank lines", "\n\r\n\n", NOTHING),
	T("blanks", "   \t\n", SAID_NO),
	T("two values", "{} {}\n", SAID_NO),
	T("cut off value", "{\"id\":1,\n", SAID_NO),
	T("duplicate key", "{\"id\":1,\"id\":2,\"method\":\"event\"}\n", SAID_NO),
	T("duplicate key, escaped", "{\"id\":1,\"\\u0069d\":2,\"method\":\"event\"}\n",
		SAID_NO),
	T("duplicate key, deep", ASK("{\"key\":\"" KEY "\",\"kind\":\"tool\",\"action\":"
		"{\"name\":\"x\",\"arguments\":{\"a\":1,\"a\":2}}}"), SAID_NO),
	T("NUL inside", "{\"id\":1,\"method\":\"ev\0ent\"}\n", SAID_NO),
	T("control inside", "{\"id\":1,\"method\":\"ev\x01\"}\n", SAID_NO),
	T("invalid UTF-8", "{\"id\":1,\"method\":\"\xff\xfe\"}\n", SAID_NO),
	T("overlong UTF-8", "{\"id\":1,\"method\":\"\xc0\xaf\"}\n", SAID_NO),
	T("surrogate in UTF-8", "{\"id\":1,\"method\":\"\xed\xa0\x80\"}\n", SAID_NO),
	T("lone surrogate", ASK("{\"key\":\"" KEY "\",\"kind\":\"tool\",\"tool\":\"\\ud800\"}"),
		SAID_NO),
	T("surrogates swapped", "{\"id\":1,\"method\":\"\\udc00\\ud800\"}\n", SAID_NO),
	T("NaN", "{\"id\":NaN}\n", SAID_NO),
	T("leading zero", "{\"id\":01,\"method\":\"event\"}\n", SAID_NO),
	T("comment", "{/**/\"id\":1}\n", SAID_NO),
	T("trailing comma", "{\"id\":1,}\n", SAID_NO),
	T("no method", "{\"id\":1}\n", SAID_NO),
	T("id of an object", "{\"id\":{},\"method\":\"event\",\"params\":{}}\n", SAID_NO),
	T("id of true", "{\"id\":true,\"method\":\"event\",\"params\":{}}\n", SAID_NO),
	T("unknown method", "{\"id\":1,\"method\":\"approval/Request\",\"params\":{}}\n",
		SAID_NO),
	T("console method", "{\"id\":1,\"method\":\"action/decide\",\"params\":{\"id\":1,"
		"\"outcome\":\"approve\"}}\n", SAID_NO),
	T("test method", "{\"id\":1,\"method\":\"test/advance\",\"params\":{\"ms\":99999}}\n",
		SAID_NO),
	T("method of a number", "{\"id\":1,\"method\":5}\n", SAID_NO),
	T("method with ESC", "{\"id\":1,\"method\":\"\\u001b[2J\",\"params\":{}}\n", SAID_NO),
	T("params of a string", "{\"id\":1,\"method\":\"event\",\"params\":\"x\"}\n", SAID_NO),
	T("params of an array", "{\"id\":1,\"method\":\"event\",\"params\":[1]}\n", SAID_NO),
	T("no params", "{\"id\":1,\"method\":\"event\"}\n", SAID_NO),
	T("request as a note", "{\"method\":\"approval/request\",\"params\":{}}\n", SAID_NO),
	T("no key", ASK("{\"kind\":\"tool\"}"), SAID_NO),
	T("short key", ASK("{\"key\":\"00\",\"kind\":\"tool\"}"), SAID_NO),
	T("key in upper case", ASK("{\"key\":\"0000000000000000000000000000000G\","
		"\"kind\":\"tool\"}"), SAID_NO),
	T("key of a number", ASK("{\"key\":1,\"kind\":\"tool\"}"), SAID_NO),
	T("kind of an array", ASK("{\"key\":\"" KEY "\",\"kind\":[]}"), SAID_NO),
	T("label of an object", ASK("{\"key\":\"" KEY "\",\"kind\":\"tool\",\"origin\":"
		"{\"session\":{\"a\":1}}}"), SAID_NO),
	T("withdraw without key", "{\"id\":1,\"method\":\"approval/withdraw\",\"params\":{}}\n",
		SAID_NO),
	T("withdraw of nothing", "{\"id\":1,\"method\":\"approval/withdraw\",\"params\":"
		"{\"key\":\"ffffffffffffffffffffffffffffffff\"}}\n", SAID_NO),
	T("result of nothing", "{\"id\":1,\"method\":\"approval/result\",\"params\":"
		"{\"key\":\"ffffffffffffffffffffffffffffffff\",\"status\":\"ok\"}}\n", SAID_NO),
	T("result without status", "{\"id\":1,\"method\":\"approval/result\",\"params\":"
		"{\"key\":\"" KEY "\"}}\n", SAID_NO),
	T("response nobody asked for", "{\"id\":77,\"result\":{}}\n", NOTHING),
	T("error nobody asked for", "{\"id\":77,\"error\":{\"code\":1}}\n", NOTHING),
	T("response with a huge id", "{\"id\":99999999999999999999999,\"result\":{}}\n",
		NOTHING),
	T("result and error", "{\"id\":1,\"result\":{},\"error\":{}}\n", SAID_NO),
	T("event without id", "{\"method\":\"event\",\"params\":{\"kind\":\"message\"}}\n",
		NOTHING),
	T("event of an unknown kind", "{\"method\":\"event\",\"params\":{\"kind\":\"\\u202e\"}}\n",
		NOTHING),
	T("numbers beyond all bounds", "{\"id\":1,\"method\":\"event\",\"params\":"
		"{\"kind\":1e999999,\"deadline\":{\"ms\":1e400}}}\n", NOTHING),
};

static void attack(struct host *h, const struct text_case *c, size_t n)
{
	struct got g;
	struct cl cl;
	bool open;

	cl_open(&cl, h->r.agent);
	if (!c->no_hello) {
		raw_send(cl.fd, HELLO, strlen(HELLO), false);
		got_until(&cl, "h", &g);
		assert_int_equal(g.results, 1);
	}
	open = raw_send(cl.fd, c->text, n, false) &&
		raw_send(cl.fd, LAST, strlen(LAST), false);
	got_until(&cl, "last", &g);
	h->errors += g.errors;
	if (g.eof != (c->want == CUT_OFF) || (g.errors == 0) != (c->want == NOTHING))
		fail_msg("%s: %u errors (%s), %s", c->name, g.errors, g.word,
			g.eof ? "cut off" : "goes on");
	(void)open;
	cl_close(&cl);
}

static void test_named(void **state)
{
	struct host h;

	(void)state;
	host_begin(&h, NULL);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		attack(&h, &cases[i], cases[i].n);
		host_check(&h, 64);
	}
	host_end(&h);
}

/* ---- made ones ---- */

static void attack_buf(struct host *h, const char *name, const struct buf *b,
	enum want want)
{
	struct text_case c = { name, b->p, b->n, want, false };

	attack(h, &c, b->n);
	host_check(h, 64);
}

static void repeat(struct buf *b, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		buf_adds(b, text);
}

static void test_big(void **state)
{
	struct host h;
	struct buf b;

	(void)state;
	host_begin(&h, NULL);
	buf_init(&b, (size_t)40 << 20);
	repeat(&b, "[", 129);
	buf_addc(&b, '\n');
	attack_buf(&h, "nested 129 deep", &b, SAID_NO);
	buf_clear(&b);
	repeat(&b, "{\"a\":", 100000);
	buf_addc(&b, '\n');
	attack_buf(&h, "nested 100,000 deep", &b, SAID_NO);
	buf_clear(&b);
	buf_addc(&b, '[');
	repeat(&b, "[],", (16u << 20) / 3 - 2);
	buf_adds(&b, "[]]\n");
	attack_buf(&h, "16 MiB of [],[]", &b, SAID_NO);
	buf_clear(&b);
	buf_adds(&b, "{\"id\":1,\"method\":\"event\",\"params\":{\"x\":\"");
	repeat(&b, "\\ud83d\\ude00", 1000000);
	buf_adds(&b, "\"}}\n");
	attack_buf(&h, "12 MB of escapes", &b, NOTHING);
	buf_clear(&b);
	buf_adds(&b, "{\"id\":1,\"method\":\"event\",\"params\":{");
	for (unsigned i = 0; i < 400000; i++)
		buf_addf(&b, "%s\"k%u\":%u", i > 0 ? "," : "", i, i);
	buf_adds(&b, "}}\n");
	attack_buf(&h, "an object of 400,000 members", &b, NOTHING);
	buf_clear(&b);
	repeat(&b, "0123456789abcdef", (17u << 20) / 16);
	attack_buf(&h, "an endless line", &b, CUT_OFF);
	buf_clear(&b);
	buf_adds(&b, "{\"id\":\"");
	repeat(&b, "i", 1000);
	buf_adds(&b, "\",\"method\":\"event\",\"params\":{\"kind\":\"message\"}}\n");
	attack_buf(&h, "an id of 1,000 bytes", &b, SAID_NO);
	buf_clear(&b);
	buf_adds(&b, "{\"id\":1,\"method\":\"");
	repeat(&b, "m", 100000);
	buf_adds(&b, "\",\"params\":{}}\n");
	attack_buf(&h, "a method of 100,000 bytes", &b, SAID_NO);
	for (size_t n = 4096; n <= 4097; n++) {
		buf_clear(&b);
		buf_adds(&b, "{\"id\":1,\"method\":\"event\",\"params\":{\"kind\":\"message\","
			"\"origin\":{\"session\":\"");
		repeat(&b, "s", n);
		buf_adds(&b, "\"}}}\n");
		attack_buf(&h, "a session of 4,096 or 4,097 bytes", &b,
			n > 4096 ? SAID_NO : NOTHING);
		buf_clear(&b);
		buf_adds(&b, "{\"id\":1,\"method\":\"hello\",\"params\":{\"protocol\":1,"
			"\"session\":{\"id\":\"");
		repeat(&b, "s", n);
		buf_adds(&b, "\"}}}\n");
		attack_buf(&h, "the same in hello", &b, n > 4096 ? SAID_NO : NOTHING);
	}
	buf_free(&b);
	host_end(&h);
}

/* ---- half lines, and ends in all the wrong places ---- */

static void test_ends(void **state)
{
	static const char line[] = ASK("{\"key\":\"" KEY "\",\"kind\":\"command\","
		"\"action\":{\"command\":\"ls\"}}");
	struct host h;
	struct got g;
	struct cl c;
	size_t step = host_quick() ? 9 : 3;

	(void)state;
	host_begin(&h, NULL);
	/* Cut after each byte: then half closed, closed, or one byte at a time. */
	for (size_t n = 0; n <= sizeof line - 1; n += step) {
		cl_open(&c, h.r.agent);
		raw_send(c.fd, HELLO, strlen(HELLO), false);
		raw_send(c.fd, line, n, false);
		shutdown(c.fd, SHUT_WR);
		got_until(&c, NULL, &g);
		assert_int_equal(g.errors, 0);
		cl_close(&c);
		cl_open(&c, h.r.agent);
		raw_send(c.fd, HELLO, n % (sizeof HELLO - 1), false);
		cl_close(&c);
	}
	host_check(&h, 64);
	cl_open(&c, h.r.agent);
	for (size_t i = 0; i < strlen(HELLO); i++)
		raw_send(c.fd, &HELLO[i], 1, false);
	got_until(&c, "h", &g);
	assert_int_equal(g.results, 1);
	for (size_t i = 0; i < sizeof line - 1; i++) {
		raw_send(c.fd, line + i, 1, false);
		if (i % 16 == 0)
			host_probe(&h);     /* slow peers hold nobody up */
	}
	cl_close(&c);
	host_check(&h, 64);
	host_end(&h);
}

/* ---- mutations ---- */

static const char *const good[] = {
	HELLO,
	ASK("{\"key\":\"" KEY "\",\"kind\":\"command\",\"tool\":\"Bash\",\"title\":\"t\","
	    "\"words\":\"w\",\"action\":{\"argv\":[\"ls\",\"-l\"],\"cwd\":\"/\",\"env\":{\"A\":"
	    "\"b\"}},\"origin\":{\"session\":\"s\",\"turn\":\"1\",\"call\":\"c\"},\"options\":"
	    "[{\"id\":\"y\",\"label\":\"Y\",\"verdict\":\"allow\",\"scope\":\"once\"}],"
	    "\"deadline\":{\"ms\":5000,\"then\":\"deny\"}}"),
	ASK("{\"key\":\"" KEY "\",\"kind\":\"edit\",\"action\":{\"changes\":[{\"path\":"
	    "\"/etc/hosts\",\"op\":\"modify\",\"old_text\":\"a\",\"new_text\":\"b\"},{\"path\":"
	    "\"x/../y\",\"op\":\"move\",\"old_path\":\"z\",\"new_text\":\"\"}]}}"),
	ASK("{\"key\":\"" KEY "\",\"kind\":\"http\",\"action\":{\"method\":\"POST\",\"url\":"
	    "\"https://a@b:1/c?d=e\",\"headers\":[[\"A\",\"b\"]],\"body\":\"{}\"}}"),
	"{\"id\":2,\"method\":\"event\",\"params\":{\"kind\":\"tool_ok\",\"origin\":"
	"{\"session\":\"s\",\"call\":\"c\"},\"text\":\"x\"}}\n",
	"{\"id\":3,\"method\":\"approval/withdraw\",\"params\":{\"key\":\"" KEY "\"}}\n",
	"{\"id\":4,\"method\":\"approval/result\",\"params\":{\"key\":\"" KEY "\",\"status\":"
	"\"ok\",\"excerpt\":\"x\"}}\n",
};
static const char *const pieces[] = {
	"\"", "\\", "{", "}", "[", "]", ",", ":", "\n", "\r", " ", "\t", "0", "-1", "1e9",
	"null", "true", "\"\"", "{}", "[]", "\\u0000", "\\ud800", "\xe2\x80\xae", "\xff",
	"18446744073709551615", "18446744073709551616", "-9223372036854775809", "0.1",
	"\x1b[2J", "\"id\":1,", "\"params\":{},", "..", "/", "\x7f",
};

static void mutate(struct dice *d, const char *text, struct buf *b)
{
	unsigned n = 1 + dice_to(d, 4);
	size_t len = strlen(text);

	buf_clear(b);
	buf_adds(b, text);
	while (n-- > 0 && b->n > 1) {
		size_t at = dice_to(d, (uint32_t)b->n);
		const char *piece = pieces[dice_to(d, sizeof pieces / sizeof pieces[0])];
		char *rest = xmemdup0(b->p + at, b->n - at);
		size_t rest_n = b->n - at;
		size_t skip = dice_to(d, 3) == 0 ? 0 : dice_to(d, 12);

		b->n = at;
		if (dice_to(d, 4) != 0)
			buf_adds(b, piece);
		else if (dice_to(d, 2) != 0)
			buf_add(b, text, dice_to(d, (uint32_t)len));
		if (skip < rest_n)
			buf_add(b, rest + skip, rest_n - skip);
		free(rest);
	}
	buf_addc(b, '\n');
}

static void test_mutations(void **state)
{
	unsigned n = host_quick() ? 150 : 800;
	struct dice d = { 1 };
	struct host h;
	struct buf b;

	(void)state;
	host_begin(&h, NULL);
	buf_init(&b, (size_t)1 << 20);
	for (unsigned i = 0; i < n; i++) {
		struct got g;
		struct cl c;

		cl_open(&c, h.r.agent);
		if (i % 4 != 0)
			raw_send(c.fd, HELLO, strlen(HELLO), false);
		mutate(&d, good[i % (sizeof good / sizeof good[0])], &b);
		raw_send(c.fd, b.p, b.n, false);
		raw_send(c.fd, LAST, strlen(LAST), false);
		got_until(&c, "last", &g);
		h.errors += g.errors;
		if (g.eof)
			assert_true(g.errors > 0);
		cl_close(&c);
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
		cmocka_unit_test(test_named),
		cmocka_unit_test(test_big),
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_mutations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
