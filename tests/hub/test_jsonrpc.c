/*
 * test_jsonrpc.c - envelopes and lines.
 */
#include "tests/check.h"

#include "proto/jsonrpc.h"

static int read_rpc(const char *text, struct rpc *m, struct err *e)
{
	static struct json *j;
	static struct arena *a;

	json_free(&j);
	arena_free(&a);
	a = arena_new(4096);
	j = json_parse(sv_of(text), e);
	assert_non_null(j);
	return rpc_read(j, a, m, e);
}

static void test_envelopes(void **state)
{
	static const struct {
		const char *text;
		int want;
		enum rpc_type type;
		const char *id;
	} rows[] = {
		{ "{\"id\":1,\"method\":\"m\"}", 0, RPC_REQUEST, "1" },
		{ "{\"id\":\"a\\n\",\"method\":\"m\",\"params\":{}}", 0, RPC_REQUEST,
			"\"a\\n\"" },
		{ "{\"method\":\"m\",\"params\":[]}", 0, RPC_NOTE, "" },
		{ "{\"id\":null,\"method\":\"m\"}", 0, RPC_NOTE, "" },
		{ "{\"id\":1.5e3,\"result\":null}", 0, RPC_RESULT, "1.5e3" },
		{ "{\"id\":2,\"error\":{}}", 0, RPC_ERROR, "2" },
		{ "[]", -1, RPC_NOTE, "" },
		{ "{\"id\":[],\"method\":\"m\"}", -1, RPC_NOTE, "" },
		{ "{\"id\":3,\"method\":\"\"}", -1, RPC_NOTE, "3" },
		{ "{\"id\":3,\"method\":\"m\",\"params\":1}", -1, RPC_NOTE, "3" },
		{ "{\"id\":3}", -1, RPC_NOTE, "3" },
		{ "{\"id\":3,\"result\":1,\"error\":{}}", -1, RPC_NOTE, "3" },
		{ "{\"result\":1}", -1, RPC_NOTE, "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct err e = ERR_INIT;
		struct rpc m;

		assert_int_equal(read_rpc(rows[i].text, &m, &e), rows[i].want);
		assert_true(sv_eqs(m.id, rows[i].id));
		if (rows[i].want == 0)
			assert_int_equal(m.type, rows[i].type);
		else
			assert_string_equal(e.code, "rpc_invalid");
	}
}

static void expect(struct buf *b, const char *want)
{
	assert_int_equal(b->n, strlen(want));
	assert_memory_equal(b->p, want, b->n);
	buf_clear(b);
}

static void test_building(void **state)
{
	struct jv *o = jv_obj();
	struct buf b;

	(void)state;
	buf_init(&b, 4096);
	jv_put_i(o, "a", 1);
	assert_int_equal(rpc_put_result(&b, SV("\"x\""), o), 0);
	expect(&b, "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"result\":{\"a\":1}}\n");
	rpc_put_error(&b, SV_NONE, RPC_APP, "word", "a \"text\"", NULL);
	expect(&b, "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32000,"
		"\"message\":\"a \\\"text\\\"\",\"data\":{\"error\":\"word\"}}}\n");
	rpc_put_request(&b, 7, "m", jv_obj());
	expect(&b, "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"m\",\"params\":{}}\n");
	rpc_put_note(&b, "m", NULL);
	expect(&b, "{\"jsonrpc\":\"2.0\",\"method\":\"m\"}\n");
	buf_free(&b);
	/* A line is added whole or not at all. */
	buf_init(&b, 30);
	assert_int_equal(rpc_put_result(&b, SV("1"), jv_obj()), -1);
	assert_int_equal(b.n, 0);
	buf_free(&b);
}

/* Fed byte by byte: the same lines. */
static void test_lines(void **state)
{
	static const char text[] = "{}\r\n\nab\ncd";
	static const char *const want[] = { "{}", "", "ab" };
	struct sv line;
	struct buf b;
	size_t looked = 0, used, got = 0;

	(void)state;
	buf_init(&b, 64);
	for (size_t i = 0; i < sizeof text - 1; i++) {
		buf_addc(&b, text[i]);
		while (ndjson_line(buf_sv(&b), &looked, &line, &used) == 1) {
			assert_true(got < 3);
			assert_true(sv_eqs(line, want[got++]));
			buf_drop_front(&b, used);
		}
	}
	assert_int_equal(got, 3);
	assert_true(sv_eqs(buf_sv(&b), "cd"));
	buf_free(&b);
}

static void test_line_limit(void **state)
{
	char *p = xmalloc((size_t)NDJSON_LINE_MAX + 3);
	size_t looked = 0, used;
	struct sv line;

	(void)state;
	memset(p, ' ', (size_t)NDJSON_LINE_MAX + 3);
	p[NDJSON_LINE_MAX] = '\n';
	assert_int_equal(ndjson_line((struct sv){ p, (size_t)NDJSON_LINE_MAX + 1 },
		&looked, &line, &used), 1);
	assert_int_equal(line.n, NDJSON_LINE_MAX);
	p[NDJSON_LINE_MAX] = ' ';
	p[NDJSON_LINE_MAX + 1] = '\n';
	looked = 0;
	assert_int_equal(ndjson_line((struct sv){ p, (size_t)NDJSON_LINE_MAX + 2 },
		&looked, &line, &used), -1);
	free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_envelopes),
		cmocka_unit_test(test_building),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_line_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
