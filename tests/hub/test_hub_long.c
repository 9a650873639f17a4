/*
 * test_hub_long.c - long messages, which a worker decodes: those of one
 * connection stay in their order, others are served meanwhile, and a peer
 * may go at any moment.
 */
#include "tests/check.h"

#include <sys/socket.h>
#include <unistd.h>

#include "tests/hub/rig.h"

#define LONG ((size_t)2 << 20)

/* A request whose command is LONG bytes, under the key of n. */
static char *long_request(uint64_t id, unsigned n)
{
	char *body = xcalloc(LONG + 1, 1);
	char *line;

	memset(body, 'a', LONG);
	line = xasprintf("{\"jsonrpc\":\"2.0\",\"id\":%llu,\"method\":\"approval/request\","
		"\"params\":{\"key\":\"%032x\",\"kind\":\"command\",\"tool\":\"Bash\","
		"\"action\":{\"command\":\"echo %s\",\"cwd\":\"/\"}}}",
		(unsigned long long)id, n, body);
	free(body);
	return line;
}

static char *withdrawal(uint64_t id, unsigned n)
{
	return xasprintf("{\"jsonrpc\":\"2.0\",\"id\":%llu,\"method\":\"approval/withdraw\","
		"\"params\":{\"key\":\"%032x\"}}", (unsigned long long)id, n);
}

static void test_order(void **state)
{
	struct rig r;
	struct cl rt;

	(void)state;
	rig_start(&r);
	rig_hub(&r, NULL);
	native_open_rig(&rt, &r, "s1");
	for (unsigned i = 1; i <= 10; i++) {
		char *a = long_request(1000 + i, i), *b = withdrawal(2000 + i, i);
		char *both = xasprintf("%s\n%s", a, b);
		struct jv *v;

		cl_send(&rt, both);
		v = cl_response(&rt, 2000 + i);   /* the key was known by then */
		assert_non_null(v);
		assert_string_equal(error_word(v), "");
		jv_free(&v);
		v = cl_response(&rt, 1000 + i);
		assert_non_null(v);
		assert_true(sv_eqs(jv_get_sv(jv_get(v, "result"), "outcome"),
			"withdrawn"));
		jv_free(&v);
		free(both);
		free(b);
		free(a);
	}
	cl_close(&rt);
	rig_term(&r);
	rig_end(&r);
}

/* Two peers at once, and the hub ends in good order with work under way. */
static void test_gone(void **state)
{
	struct rig r;
	struct cl rt, other;

	(void)state;
	rig_start(&r);
	rig_hub(&r, NULL);
	native_open_rig(&other, &r, "other");
	for (unsigned i = 1; i <= 10; i++) {
		char *a = long_request(1, i);
		struct jv *v;

		native_open_rig(&rt, &r, "s1");
		cl_send(&rt, a);
		if (i % 2 == 0)
			shutdown(rt.fd, SHUT_WR);
		cl_close(&rt);
		v = cl_call(&other, "approval/withdraw", "{\"key\":\"%032x\"}", 77);
		assert_string_equal(error_word(v), "unknown_key");
		jv_free(&v);
		free(a);
	}
	cl_close(&other);
	rig_term(&r);
	rig_end(&r);
}

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define SLOW 6
#else
#define SLOW 1
#endif
/* What a status call may wait for another peer, at most. */
#define WAIT_US (16000 * SLOW)
#define VALUES 980000u

/* 15.7 MB, nearly as many values as are allowed. */
static char *many_values(void)
{
	struct buf b;

	buf_init(&b, (size_t)17 << 20);
	buf_adds(&b, "{\"jsonrpc\":\"2.0\",\"id\":3000,\"method\":\"approval/request\","
		"\"params\":{\"key\":\"00000000000000000000000000000abc\",\"kind\":"
		"\"tool\",\"tool\":\"t\",\"action\":{\"name\":\"t\",\"arguments\":[\"\"");
	for (unsigned i = 0; i < VALUES; i++)
		buf_addf(&b, ",\"%012u\"", i);
	buf_adds(&b, "]}}}");
	return buf_steal(&b, NULL);
}

/* From its first byte to its answer, with all that a console asks on the way,
 * such a request lets the loop go on. */
static void test_others(void **state)
{
	struct rig r;
	struct cl rt, con;
	struct pinger p;
	struct shown s;
	struct jv *v;
	char *line = many_values();
	unsigned n;
	int64_t worst;

	(void)state;
	rig_start(&r);
	rig_hub(&r, NULL);
	native_open_rig(&rt, &r, "s1");
	console_open(&con, &r, "one");
	pinger_start(&p, &r);
	cl_send(&rt, line);
	look(&con, wait_ready(&con), &s);
	assert_true(s.lines > 0);
	v = cl_call(&con, "doc/lines", "{\"id\":%llu,\"from\":0,\"to\":2000}",
		(unsigned long long)s.id);
	assert_string_equal(error_word(v), "");
	jv_free(&v);
	see_all(&con, &s);
	v = decide(&con, &s, "deny", "");
	assert_string_equal(error_word(v), "");
	jv_free(&v);
	advance(&con, 2000);
	v = cl_response(&rt, 3000);
	assert_non_null(v);
	assert_true(sv_eqs(jv_get_sv(jv_get(v, "result"), "outcome"), "denied"));
	jv_free(&v);
	cl_close(&rt);
	worst = pinger_end(&p, &n);
	if (worst > WAIT_US || n < 10)
		fail_msg("the loop worked %lld us at once (%u calls)", (long long)worst, n);
	jv_free(&s.root);
	free(line);
	cl_close(&con);
	rig_term(&r);
	rig_end(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_gone),
		cmocka_unit_test(test_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
