/*
 * bench_json.c - throughput, memory and slice length of the JSON scanner.
 *
 * Each case is one generated document; the best of several runs counts, in
 * processor time, so that a busy machine does not blur it. The memory is the
 * largest seen between slices of 1 ms; the longest slice, by the clock, says
 * how late the event loop could be. Exit status 1 when a goal is missed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/json.h"

#define RUNS 7

struct bench_case {
	const char *name;
	void (*make)(struct buf *b);
	double goal;            /* MB/s; 0: none */
};

static void fill(struct buf *b, const char *piece, const char *close)
{
	size_t n = strlen(piece);

	while (b->n + n + 16 <= JSON_MAX_BYTES)
		buf_add(b, piece, n);
	buf_adds(b, close);
}

static void make_ascii(struct buf *b)
{
	buf_adds(b, "\"");
	fill(b, "The quick brown fox jumps over the lazy dog. ", "\"");
}

static void make_cjk(struct buf *b)
{
	buf_adds(b, "\"");
	fill(b, "\xe6\xbc\xa2\xe5\xad\x97\xe3\x81\x8b", "\"");
}

static void make_mixed(struct buf *b)
{
	buf_adds(b, "\"");
	fill(b, "Gr\xc3\xb6\xc3\x9f" "e, \xe2\x82\xac 12, caf\xc3\xa9; plain words follow. ", "\"");
}

static void make_source(struct buf *b)
{
	buf_adds(b, "\"");
	fill(b, "\\tif (x == \\\"a\\\") {\\n\\t\\treturn compute(x, 12, y);\\n\\t}\\n", "\"");
}

static void make_numbers(struct buf *b)
{
	buf_adds(b, "[0");
	for (unsigned i = 1; i < JSON_MAX_VALUES - 1; i++)
		buf_addf(b, ",%u", i % 1000);
	buf_adds(b, "]");
}

static void make_empty(struct buf *b)
{
	buf_adds(b, "[[]");
	for (unsigned i = 2; i < JSON_MAX_VALUES; i++)
		buf_adds(b, ",[]");
	buf_adds(b, "]");
}

static void make_words(struct buf *b)
{
	buf_adds(b, "[null");
	for (unsigned i = 2; i < JSON_MAX_VALUES; i++)
		buf_adds(b, i % 2 ? ",true" : ",\"x\"");
	buf_adds(b, "]");
}

static void make_objects(struct buf *b)
{
	buf_adds(b, "[0");
	for (unsigned i = 0; i < 160000; i++)
		buf_addf(b, ",{\"id\":%u,\"ok\":true,\"name\":\"n%u\",\"size\":%u.5,\"tag\":null}",
			i, i, i % 977);
	buf_adds(b, "]");
}

static void make_pretty(struct buf *b)
{
	buf_adds(b, "[0");
	for (unsigned i = 0; i < 80000; i++)
		buf_addf(b, ",\n        {\n            \"path\": \"src/file%u.c\",\n"
			"            \"line\": %u,\n            \"text\": \"int value = %u;\"\n        }",
			i, i, i);
	buf_adds(b, "\n]");
}

static void make_members(struct buf *b, unsigned n)
{
	buf_adds(b, "{");
	for (unsigned i = 0; i < n; i++)
		buf_addf(b, "%s\"k%06x\":%u", i ? "," : "", i * 7u, i % 10);
	buf_adds(b, "}");
}

static void make_members_400k(struct buf *b)
{
	make_members(b, 400000);
}

static void make_members_max(struct buf *b)
{
	make_members(b, JSON_MAX_VALUES - 1);
}

static const struct bench_case cases[] = {
	{ .name = "one string, ASCII", .make = make_ascii, .goal = 500 },
	{ .name = "one string, CJK", .make = make_cjk, .goal = 500 },
	{ .name = "one string, mixed", .make = make_mixed, .goal = 500 },
	{ .name = "one string, source text", .make = make_source },
	{ .name = "array of small numbers", .make = make_numbers, .goal = 100 },
	{ .name = "array of []", .make = make_empty, .goal = 100 },
	{ .name = "array of true and \"x\"", .make = make_words, .goal = 100 },
	{ .name = "small objects", .make = make_objects, .goal = 100 },
	{ .name = "small objects, indented", .make = make_pretty, .goal = 100 },
	{ .name = "one object, 400,000 members", .make = make_members_400k, .goal = 100 },
	{ .name = "one object, 999,999 members", .make = make_members_max, .goal = 100 },
};

static double now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void check(enum json_status s, const struct err *e)
{
	if (s == JSON_BAD) {
		fprintf(stderr, "bench_json: %s\n", e->text);
		exit(2);
	}
}

/* In slices of 1 ms: the longest slice in ms, the most memory, the values. */
static double sliced(struct sv s, size_t *memory, size_t *values)
{
	struct err e = ERR_INIT;
	struct json *j = json_new(s);
	enum json_status st;
	double longest = 0;

	*memory = 0;
	do {
		double t = now(CLOCK_MONOTONIC);
		st = json_scan(j, 1000, &e);
		t = now(CLOCK_MONOTONIC) - t;
		check(st, &e);
		longest = t > longest ? t : longest;
		*memory = json_memory(j) > *memory ? json_memory(j) : *memory;
	} while (st == JSON_MORE);
	*values = json_count(j);
	json_free(&j);
	return longest * 1e3;
}

static bool run(const struct bench_case *c)
{
	struct err e = ERR_INIT;
	struct buf b;
	size_t memory, values;
	double best = 1e9;

	buf_init(&b, JSON_MAX_BYTES);
	c->make(&b);
	for (int i = 0; i < RUNS; i++) {
		struct json *j = json_new(buf_sv(&b));
		double t = now(CLOCK_PROCESS_CPUTIME_ID);
		check(json_scan(j, 0, &e), &e);
		t = now(CLOCK_PROCESS_CPUTIME_ID) - t;
		best = t < best ? t : best;
		json_free(&j);
	}
	double slice = sliced(buf_sv(&b), &memory, &values);
	double rate = (double)b.n / best / 1e6;
	bool fits = memory <= 16 * values + (1u << 20);
	bool ok = rate >= c->goal && fits;
	printf("%-28s %6.1f MB %8zu values  goal >= %3.0f MB/s measured %6.0f MB/s  "
		"goal <= 1024 KiB + 16 B/value measured %4.0f KiB  slice %.2f ms  %s\n",
		c->name, (double)b.n / 1e6, values, c->goal, rate,
		((double)memory - 16 * (double)values) / 1024, slice,
		ok ? "ok" : "MISSED");
	buf_free(&b);
	return ok;
}

/* What the hub reads all day: short requests, each a document of its own. */
static void run_short(void)
{
	static const char text[] = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":"
		"\"approval/request\",\"params\":{\"key\":\"00112233445566778899aabbccddeeff\","
		"\"kind\":\"command\",\"tool\":\"Bash\",\"action\":{\"command\":\"make -j2\","
		"\"cwd\":\"/home/u/w\"}}}";
	struct err e = ERR_INIT;
	unsigned n = 200000;
	double t = now(CLOCK_PROCESS_CPUTIME_ID);

	for (unsigned i = 0; i < n; i++) {
		struct json *j = json_parse(SV(text), &e);
		check(j != NULL ? JSON_DONE : JSON_BAD, &e);
		json_free(&j);
	}
	t = now(CLOCK_PROCESS_CPUTIME_ID) - t;
	printf("%-28s %6zu B  %7.0f ns each, %.0f MB/s\n", "short requests", sizeof(text) - 1,
		t / n * 1e9, (double)(sizeof(text) - 1) * n / t / 1e6);
}

int main(void)
{
	bool ok = true;

	run_short();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ok = run(&cases[i]) && ok;
	return ok ? 0 : 1;
}
