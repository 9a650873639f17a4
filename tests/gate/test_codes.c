/* The gate's messages: stable, and the manual page says the same. */
#include "../check.h"

#include "gate/codes.h"

static char *page(void)
{
	FILE *f = fopen(SRCDIR "/doc/obstat-gate.1", "r");
	char *p = calloc(1, 1 << 20);

	assert_non_null(f);
	assert_non_null(p);
	assert_true(fread(p, 1, (1 << 20) - 1, f) > 0);
	fclose(f);
	return p;
}

static void test_manual_page(void **state)
{
	char *p = page(), want[256];
	size_t rows = 0;

	(void)state;
	for (int i = 1; i < GATE_CODES; i++) {
		snprintf(want, sizeof(want), ".TP\n.B %s %s\n", gate_codes[i].code,
			gate_codes[i].text);
		if (strstr(p, want) == NULL)
			fail_msg("obstat-gate.1 lacks: %s", want);
	}
	for (char *at = p; (at = strstr(at, ".B OBSTAT-E")) != NULL; at++)
		rows++;
	assert_int_equal(rows, GATE_CODES - 1);
	free(p);
}

/* The numbers never move: people search for them. */
static void test_stable(void **state)
{
	(void)state;
	for (int i = 1; i < GATE_CODES; i++) {
		char want[32];
		snprintf(want, sizeof(want), "OBSTAT-E%02d", i);
		assert_string_equal(gate_codes[i].code, want);
	}
	assert_string_equal(gate_codes[GATE_NO_HUB].code, "OBSTAT-E03");
	assert_string_equal(gate_codes[GATE_FAULT].code, "OBSTAT-E17");
}

static const char *text(enum gate_code code, const char *detail)
{
	static struct gate_line l;
	struct gate_line d = { .n = 0 };

	gate_adds(&d, detail);
	gate_message(&l, code, &d);
	assert_true(l.n < sizeof(l.p) || l.p[l.n - 1] == '\n');
	if (l.n < sizeof(l.p))
		l.p[l.n] = '\0';
	return l.p;
}

static void test_message(void **state)
{
	(void)state;
	assert_string_equal(text(GATE_NO_HUB, "/run/x"),
		"OBSTAT-E03 no hub at /run/x; start it with: obstat serve\n");
	assert_string_equal(text(GATE_TOO_LONG, ""),
		"OBSTAT-E07 the request is over 16 MiB\n");
	assert_string_equal(text(GATE_ANSWER, "a\nOBSTAT-E99 b\x7f\x1b"),
		"OBSTAT-E08 the hub's answer is broken: a?OBSTAT-E99 b??\n");

	char big[3000];
	memset(big, 'x', sizeof(big));
	big[sizeof(big) - 1] = '\0';
	struct gate_line l, d = { .n = 0 };
	gate_adds(&d, big);
	gate_message(&l, GATE_ANSWER, &d);
	assert_int_equal(l.n, sizeof(l.p));
	assert_int_equal(l.p[l.n - 1], '\n');
}

static void test_numbers(void **state)
{
	struct gate_line l = { .n = 0 };

	(void)state;
	gate_addu(&l, 0);
	gate_adds(&l, " ");
	gate_addu(&l, UINT64_MAX);
	gate_adderrno(&l, 2);
	gate_adderrno(&l, 3999);
	assert_int_equal(l.n, strlen("0 18446744073709551615: ENOENT: errno 3999"));
	assert_memory_equal(l.p, "0 18446744073709551615: ENOENT: errno 3999", l.n);
}

static void test_clean(void **state)
{
	char s[] = "a\tb\nc\r\x1b[0m\x7f \xc2\x80\xc2\x9f\xc2\xa0\xc3\xbc\xc2";

	(void)state;
	gate_clean((unsigned char *)s, sizeof(s) - 1);
	assert_string_equal(s, "a?b\nc??[0m? ????\xc2\xa0\xc3\xbc\xc2");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_manual_page),
		cmocka_unit_test(test_stable),
		cmocka_unit_test(test_message),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_clean),
	};
	return cmocka_run_group_tests_name("gate_codes", tests, NULL, NULL);
}
