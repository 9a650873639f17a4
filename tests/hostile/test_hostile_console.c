/*
 * test_hostile_console.c - a console that lies, asks for what is not there
 * and says it in every wrong way: each call has its answer, and nothing is
 * approved that was not shown.
 */
#include "tests/hostile/host.h"

#include <unistd.h>

#include "base/json_out.h"

#define ZERO "sha256:00000000000000000000000000000000" \
	"00000000000000000000000000000000"
#define ID(more) "{\"id\":%llu" more "}"

/* One row: a call, and the word of its error ("": it succeeds). %llu is the
 * waiting action's id, %s its document's digest, in this order. */
static const struct {
	const char *method, *params, *word;
} calls[] = {
	{ "action/get", "{}", "unknown_id" },
	{ "action/get", "{\"id\":-1}", "unknown_id" },
	{ "action/get", "{\"id\":0}", "unknown_id" },
	{ "action/get", "{\"id\":1.5}", "unknown_id" },
	{ "action/get", "{\"id\":1e300}", "unknown_id" },
	{ "action/get", "{\"id\":\"1\"}", "unknown_id" },
	{ "action/get", "{\"id\":[1]}", "unknown_id" },
	{ "action/get", "{\"id\":18446744073709551616}", "unknown_id" },
	{ "action/get", "[1]", "unknown_id" },
	{ "doc/lines", ID(""), "bad_request" },
	{ "doc/lines", ID(",\"from\":5,\"to\":1"), "bad_request" },
	{ "doc/lines", ID(",\"from\":-5,\"to\":1"), "bad_request" },
	{ "doc/lines", ID(",\"from\":\"0\",\"to\":1"), "bad_request" },
	{ "doc/lines", ID(",\"from\":0,\"to\":18446744073709551615"), "" },
	{ "doc/lines", ID(",\"from\":18446744073709551615,\"to\":18446744073709551615"), "" },
	{ "raw/bytes", ID(",\"from\":9,\"to\":1"), "bad_request" },
	{ "raw/bytes", ID(",\"from\":0,\"to\":18446744073709551615"), "" },
	{ "raw/bytes", ID(",\"from\":18446744073709551614,\"to\":18446744073709551615"), "" },
	{ "action/seen", ID(""), "changed" },
	{ "action/seen", ID(",\"doc_digest\":\"" ZERO "\",\"ranges\":[[0,1]]"), "changed" },
	{ "action/seen", ID(",\"doc_digest\":\"%s\",\"ranges\":[[0,0]]"), "bad_request" },
	{ "action/seen", ID(",\"doc_digest\":\"%s\",\"ranges\":[[3,1]]"), "bad_request" },
	{ "action/seen", ID(",\"doc_digest\":\"%s\",\"ranges\":[[-1,1]]"), "bad_request" },
	{ "action/seen", ID(",\"doc_digest\":\"%s\",\"ranges\":[[0]]"), "bad_request" },
	{ "action/seen", ID(",\"doc_digest\":\"%s\",\"ranges\":[0,1]"), "bad_request" },
	{ "action/seen", ID(",\"doc_digest\":\"%s\",\"ranges\":[{\"a\":0,\"b\":1}]"),
		"bad_request" },
	{ "action/seen", ID(",\"doc_digest\":\"%s\",\"ranges\":[[0,4294967296]]"),
		"bad_request" },
	{ "action/seen", ID(",\"doc_digest\":\"%s\",\"ranges\":[[4294967296,4294967297]]"),
		"bad_request" },
	{ "action/seen", ID(",\"doc_digest\":\"%s\",\"ranges\":\"all\""), "bad_request" },
	{ "action/seen", ID(",\"doc_digest\":\"%s\",\"ms\":18446744073709551615"), "" },
	{ "action/decide", ID(""), "bad_request" },
	{ "action/decide", ID(",\"outcome\":\"passed\""), "bad_request" },
	{ "action/decide", ID(",\"outcome\":\"approved\""), "bad_request" },
	{ "action/decide", ID(",\"outcome\":1"), "bad_request" },
	{ "action/decide", ID(",\"outcome\":\"approve\""), "changed" },
	{ "action/decide", ID(",\"outcome\":\"approve\",\"action_digest\":\"" ZERO "\","
		"\"doc_digest\":\"" ZERO "\""), "changed" },
	{ "action/decide", ID(",\"outcome\":\"approve\",\"doc_digest\":\"%s\""), "changed" },
	{ "action/decide", "{\"id\":99999,\"outcome\":\"approve\"}", "unknown_id" },
	{ "action/take_back", ID(""), "not_pending" },
	{ "action/take_back", "{}", "unknown_id" },
	{ "action/reason", ID(",\"reason\":\"x\""), "not_pending" },
	{ "action/extend", ID(""), "bad_request" },
	{ "action/extend", ID(",\"ms\":-1"), "bad_request" },
	{ "action/extend", ID(",\"ms\":18446744073709551615"), "bad_request" },
	{ "action/extend", ID(",\"ms\":86400001"), "bad_request" },
	{ "action/extend", ID(",\"ms\":86400000"), "not_pending" },
	{ "action/viewing", ID(",\"on\":\"yes\""), "" },
	{ "approval/request", ID(""), "no_method" },
	{ "approval/withdraw", ID(""), "no_method" },
	{ "Action/get", ID(""), "no_method" },
	{ "\\u001b[2J", ID(""), "no_method" },
	{ "hello", "{\"protocol\":0}", "version" },
	{ "hello", "{\"protocol\":18446744073709551615}", "version" },
	{ "hello", "{\"protocol\":1,\"console\":[]}", "" },
	{ "hello", "{\"protocol\":1,\"console\":{\"name\":\"\\u202e\\u001b[2J\",\"tty\":7}}",
		"" },
};

struct waiting {
	struct cl rt;
	struct shown s;
};

static void ask(struct host *h, struct waiting *w, unsigned key, uint64_t deadline)
{
	struct jv *o = jv_obj();
	struct buf b;
	char *line;

	native_open_rig(&w->rt, &h->r, "victim");
	buf_init(&b, (size_t)1 << 20);
	for (unsigned i = 0; i < 3000; i++)
		buf_addf(&b, "echo %u\n", i);
	jv_put_sv(o, "command", buf_sv(&b));
	buf_free(&b);
	line = jv_text(o);
	jv_free(&o);
	buf_init(&b, (size_t)1 << 20);
	buf_addf(&b, "{\"id\":\"ask\",\"method\":\"approval/request\",\"params\":{\"key\":"
		"\"%032x\",\"kind\":\"command\",\"deadline\":{\"ms\":%llu},\"action\":%s}}\n",
		key, (unsigned long long)deadline, line);
	raw_send(w->rt.fd, b.p, b.n, false);
	buf_free(&b);
	free(line);
	look(&h->con, wait_ready(&h->con), &w->s);
	assert_true(w->s.lines >= 3000);
}

static void withdrawn(struct waiting *w)
{
	static const char hello[] =
		"{\"id\":\"q\",\"method\":\"hello\",\"params\":{\"protocol\":1}}\n";
	struct got g;

	/* Nothing was answered in all that time. */
	raw_send(w->rt.fd, hello, sizeof hello - 1, false);
	got_until(&w->rt, "q", &g);
	assert_int_equal(g.results, 1);
	jv_free(&w->s.root);
	cl_close(&w->rt);
}

static char *filled(const char *params, const struct shown *s)
{
	char id[24], *out = xstrdup("");
	const char *p = params;

	snprintf(id, sizeof id, "%llu", (unsigned long long)s->id);
	while (*p != '\0') {
		const char *pct = strchr(p, '%');
		size_t n = pct != NULL ? (size_t)(pct - p) : strlen(p);
		char *more = xasprintf("%s%.*s%s", out, (int)n, p, pct == NULL ? "" :
			pct[1] == 'l' ? id : s->doc);

		free(out);
		out = more;
		p += n;
		if (pct != NULL)
			p += pct[1] == 'l' ? 4 : 2;
	}
	return out;
}

static void test_calls(void **state)
{
	struct waiting w;
	struct host h;
	struct cl c;

	(void)state;
	host_begin(&h, NULL);
	ask(&h, &w, 1, 0);
	for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
		char *params = filled(calls[i].params, &w.s);
		struct jv *v;

		cl_open(&c, h.r.console);
		v = cl_call(&c, calls[i].method, "%s", params);
		if (strcmp(calls[i].method, "hello") != 0)
			assert_true(strcmp(error_word(v), "hello_first") == 0 ||
				strcmp(error_word(v), "no_method") == 0);
		jv_free(&v);
		v = cl_call(&c, "hello", "{\"protocol\":1}");
		assert_string_equal(error_word(v), "");
		jv_free(&v);
		v = cl_call(&c, calls[i].method, "%s", params);
		if (strcmp(error_word(v), calls[i].word) != 0)
			fail_msg("%s %s: %s", calls[i].method, params, jv_text(v));
		jv_free(&v);
		cl_close(&c);
		free(params);
	}
	withdrawn(&w);
	host_check(&h, 64);
	host_end(&h);
}

/* Ranges without number, and those that hide a line between them. */
static void test_ranges(void **state)
{
	struct waiting w;
	struct host h;
	struct buf b;
	struct got g;
	struct jv *v;
	struct cl c;

	(void)state;
	host_begin(&h, NULL);
	ask(&h, &w, 1, 0);
	console_open(&c, &h.r, "liar");
	buf_init(&b, (size_t)4 << 20);
	buf_addf(&b, "{\"id\":\"r\",\"method\":\"action/seen\",\"params\":{\"id\":%llu,"
		"\"doc_digest\":\"%s\",\"ranges\":[", (unsigned long long)w.s.id, w.s.doc);
	for (unsigned i = 0; i < 100000; i++)
		buf_addf(&b, "%s[0,1]", i > 0 ? "," : "");
	buf_adds(&b, "]}}\n");
	raw_send(c.fd, b.p, b.n, false);
	got_until(&c, "r", &g);
	assert_string_equal(g.word, "bad_request");
	/* All but one line. */
	buf_clear(&b);
	buf_addf(&b, "{\"id\":\"r\",\"method\":\"action/seen\",\"params\":{\"id\":%llu,"
		"\"doc_digest\":\"%s\",\"ranges\":[[0,1500],[1501,%u]]}}\n",
		(unsigned long long)w.s.id, w.s.doc, w.s.lines);
	raw_send(c.fd, b.p, b.n, false);
	got_until(&c, "r", &g);
	assert_int_equal(g.errors, 0);
	for (unsigned i = 0; i < 3; i++) {
		static const char *const more[] = { "", ",\"unread\":0", ",\"unread\":2" };

		v = decide(&c, &w.s, "approve", more[i]);
		assert_string_equal(error_word(v), "not_seen");
		jv_free(&v);
	}
	buf_free(&b);
	cl_close(&c);
	withdrawn(&w);
	host_check(&h, 64);
	host_end(&h);
}

/* Decided, taken back, decided again, by two who quarrel; closed, then. */
static void test_quarrel(void **state)
{
	struct waiting w;
	struct host h;
	struct cl c;
	struct jv *v;

	(void)state;
	host_begin(&h, NULL);
	ask(&h, &w, 1, UINT64_C(1) << 63);
	console_open(&c, &h.r, "other");
	for (unsigned i = 0; i < 500; i++) {
		v = decide(i % 2 != 0 ? &c : &h.con, &w.s, i % 3 != 0 ? "deny" : "stop",
			",\"reason_open\":true");
		assert_string_equal(error_word(v), "");
		jv_free(&v);
		v = decide(&c, &w.s, "approve", "");
		assert_string_equal(error_word(v), "already");
		jv_free(&v);
		v = cl_call(i % 5 != 0 ? &c : &h.con, "action/take_back", "{\"id\":%llu}",
			(unsigned long long)w.s.id);
		assert_string_equal(error_word(v), "");
		jv_free(&v);
		v = cl_call(&c, "action/extend", "{\"id\":%llu,\"ms\":86400000}",
			(unsigned long long)w.s.id);
		assert_string_equal(error_word(v), "not_allowed");  /* as long as it can */
		jv_free(&v);
		if (i % 100 == 0)
			host_probe(&h);
	}
	see_all(&h.con, &w.s);
	v = decide(&h.con, &w.s, "deny", "");
	assert_string_equal(error_word(v), "");
	jv_free(&v);
	advance(&h.con, 2000);
	v = cl_note(&h.con, "queue/closed");
	jv_free(&v);
	for (unsigned i = 0; i < 3; i++) {
		static const char *const verbs[] = { "approve", "deny", "stop" };

		v = decide(&c, &w.s, verbs[i], "");
		assert_string_equal(error_word(v), "already");
		jv_free(&v);
	}
	v = cl_call(&c, "action/take_back", "{\"id\":%llu}", (unsigned long long)w.s.id);
	assert_string_equal(error_word(v), "already");
	jv_free(&v);
	v = cl_call(&c, "action/extend", "{\"id\":%llu,\"ms\":1}", (unsigned long long)w.s.id);
	assert_string_equal(error_word(v), "not_pending");
	jv_free(&v);
	v = cl_next(&w.rt);
	assert_true(sv_eqs(jv_get_sv(jv_get(v, "result"), "outcome"), "denied"));
	jv_free(&v);
	jv_free(&w.s.root);
	cl_close(&w.rt);
	cl_close(&c);
	host_check(&h, 64);
	host_end(&h);
}

/* ---- mutations ---- */

static void mutate(struct dice *d, struct buf *b)
{
	static const char set[] = "{}[]\",:\\0123456789-.eEtfn\n \x01\x7f\xff\xc2";
	unsigned n = 1 + dice_to(d, 4);

	while (n-- > 0 && b->n > 2) {
		size_t at = dice_to(d, (uint32_t)b->n);

		if (dice_to(d, 3) == 0)
			b->n = at + 1;
		else
			b->p[at] = set[dice_to(d, sizeof set - 1)];
	}
	buf_addc(b, '\n');
}

static void test_mutations(void **state)
{
	unsigned n = host_quick() ? 150 : 700;
	struct dice d = { 3 };
	struct waiting w;
	struct host h;
	struct buf b;

	(void)state;
	host_begin(&h, NULL);
	ask(&h, &w, 1, 0);
	buf_init(&b, (size_t)1 << 20);
	for (unsigned i = 0; i < n; i++) {
		char *params = filled(calls[i % 50].params, &w.s);
		struct got g;
		struct cl c;

		cl_open(&c, h.r.console);
		buf_adds(&b, "{\"id\":\"h\",\"method\":\"hello\",\"params\":{\"protocol\":1}}\n");
		raw_send(c.fd, b.p, b.n, false);
		buf_clear(&b);
		buf_addf(&b, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}",
			calls[i % 50].method, params);
		free(params);
		mutate(&d, &b);
		buf_adds(&b, "{\"id\":\"last\",\"method\":\"hub/status\"}\n");
		raw_send(c.fd, b.p, b.n, false);
		buf_clear(&b);
		got_until(&c, "last", &g);
		assert_false(g.eof);
		cl_close(&c);
		if (i % 100 == 99)
			host_probe(&h);
	}
	buf_free(&b);
	withdrawn(&w);
	host_check(&h, 64);
	host_end(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_calls),
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_quarrel),
		cmocka_unit_test(test_mutations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
