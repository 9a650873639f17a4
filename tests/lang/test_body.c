/*
 * test_body.c - HTTP bodies by type, what they pretend to be, and what unpacks
 * without end.
 */
#include "check.h"

#include <zlib.h>

#include "base/mem.h"
#include "lang/body.h"

static struct sv gzip(struct sv in, char *out, size_t cap)
{
	z_stream z = { .next_in = (unsigned char *)(uintptr_t)in.p, .avail_in = (unsigned)in.n,
		.next_out = (unsigned char *)out, .avail_out = (unsigned)cap };

	assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	deflateEnd(&z);
	return (struct sv){ out, cap - z.avail_out };
}

/* "kind coding graphql why mismatch [name:filename:type=bytes]..." */
static char *say(struct sv type, struct sv coding, struct sv bytes)
{
	static const char *const kinds[] = { "empty", "json", "form", "multipart", "graphql",
		"xml", "text", "binary", "compressed" };
	struct arena *a = arena_new(1 << 24);
	struct body out;
	struct buf b;
	char *s;
	size_t n;

	buf_init(&b, 1 << 16);
	body_parse(type, coding, bytes, a, &out);
	buf_addf(&b, "%s%s%s%s%s%s%s%s", kinds[out.kind], out.coding != NULL ? " of " : "",
		out.coding != NULL ? out.coding : "", out.graphql != NULL ? " " : "",
		out.graphql != NULL ? out.graphql : "", out.why != NULL ? " !! " : "",
		out.why != NULL ? out.why : "", out.mismatch ? " mismatch" : "");
	for (size_t i = 0; i < out.n_parts; i++) {
		const struct body_part *p = &out.parts[i];
		buf_addf(&b, " [%.*s:%.*s:%.*s=%.*s]", SVFMT(p->name), SVFMT(p->filename),
			SVFMT(p->type), SVFMT(p->bytes));
	}
	s = buf_steal(&b, &n);
	arena_free(&a);
	return s;
}

#define JSON "application/json"
#define FORM "application/x-www-form-urlencoded"
#define MULTI "multipart/form-data; boundary=XX"

static const struct {
	const char *name, *type;
	struct sv bytes;
	const char *want;
} rows[] = {
	{ "empty", JSON, SV(""), "empty" },
	{ "JSON", JSON, SV("{\"a\": 1}"), "json" },
	{ "JSON of a vendor", "application/vnd.x+json; charset=utf-8", SV("[1]"), "json" },
	{ "JSON not declared", "", SV(" {\"a\": 1}"), "json" },
	{ "JSON with a BOM", JSON, SV("\xEF\xBB\xBF[1]"), "json" },
	{ "JSON with duplicate keys", JSON, SV("{\"a\": 1, \"a\": 2}"), "json !! json" },
	{ "JSON said to be text", "text/plain", SV("{\"a\": 1}"), "json mismatch" },
	{ "JSON said to be a form", FORM, SV("{\"a\": 1}"), "json mismatch" },
	{ "said to be JSON", JSON, SV("a=1&b=2"), "text mismatch" },
	{ "broken JSON", JSON, SV("{\"a\": "), "text mismatch" },
	{ "form", FORM, SV("to=a%40b&amount=1+000"), "form [to::=a@b] [amount::=1 000]" },
	{ "form not declared", "", SV("a=1&b=2"), "form [a::=1] [b::=2]" },
	{ "XML", "application/xml", SV("<?xml version='1.0'?><a/>"), "xml" },
	{ "XML said to be a form", FORM, SV("<a>=</a>"), "xml mismatch" },
	{ "text", "text/plain", SV("hello"), "text" },
	{ "text not declared", "", SV("hello you"), "text" },
	{ "UTF-7", "text/plain; charset=utf-7", SV("+ADw-script"), "text !! charset" },
	{ "UTF-16", JSON "; charset=\"UTF-16\"", SV("[\0001\000]\000"), "binary mismatch" },
	{ "binary", "image/png", SV("\x89PNG\r\n\x1a\n"), "binary" },
	{ "binary said to be text", "text/plain", SV("a\0b"), "binary mismatch" },
	{ "GraphQL query", JSON, SV("{\"query\": \"{ me { id } }\"}"), "graphql query" },
	{ "GraphQL mutation", JSON,
	  SV("{\"query\": \"mutation M($id: ID!) { deleteUser(id: $id) { id } }\"}"),
	  "graphql mutation" },
	{ "GraphQL mutation behind a query", JSON,
	  SV("{\"query\": \"query Q { me } mutation M { wipe }\", \"operationName\": \"M\"}"),
	  "graphql mutation" },
	{ "GraphQL mutation behind a comment", JSON,
	  SV("{\"query\": \"# query { a }\\n mutation { wipe }\"}"), "graphql mutation" },
	{ "GraphQL: a carriage return ends the comment", JSON,
	  SV("{\"query\": \"# x\\r mutation { wipe } # y\\n query { a }\"}"),
	  "graphql mutation" },
	{ "GraphQL mutation in a string only", JSON,
	  SV("{\"query\": \"query { a(b: \\\"} mutation { wipe }\\\") }\"}"), "graphql query" },
	{ "GraphQL block string", JSON,
	  SV("{\"query\": \"query { a(b: \\\"\\\"\\\"} "
	  "\\\\\\\"\\\"\\\" mutation { x }\\\"\\\"\\\") }\"}"),
	  "graphql query" },
	{ "GraphQL batch", JSON,
	  SV("[{\"query\": \"{ a }\"}, {\"query\": \"mutation { wipe }\"}]"), "graphql mutation" },
	{ "GraphQL persisted query", JSON,
	  SV("{\"extensions\": {\"persistedQuery\": {\"version\": 1}}}"),
	  "graphql !! persisted_query" },
	{ "GraphQL as it is", "application/graphql", SV("subscription { a }"),
	  "graphql subscription" },
	{ "a search is no GraphQL", JSON, SV("{\"query\": \"mutation of cells\"}"), "json" },
	{ "multipart", MULTI,
	  SV("--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--XX\r\n"
	  "content-disposition: form-data; name=f; filename=\"x\\\"y.txt\"\r\n"
	  "Content-Type: text/plain\r\n\r\nline\r\n\r\n--XX--\r\n"),
	  "multipart [a::=1] [f:x\"y.txt:text/plain=line\r\n]" },
	{ "multipart without an end", MULTI,
	  SV("--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n"),
	  "multipart !! unterminated [a::=1\r\n]" },
	{ "multipart with bytes behind its end", MULTI,
	  SV("--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--XX--\r\nmore"),
	  "multipart !! stray_bytes [a::=1]" },
	{ "multipart with bytes before it", MULTI,
	  SV("hidden\r\n--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--XX--"),
	  "multipart !! stray_bytes [a::=1]" },
	{ "multipart with bare newlines", MULTI,
	  SV("--XX\nContent-Disposition: form-data; name=\"a\"\n\n1\n--XX--"),
	  "multipart !! bare_newline [a::=1]" },
	{ "multipart whose boundary is in the text", MULTI,
	  SV("--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n--XXX --XX\r\n--XX--"),
	  "multipart [a::=--XXX --XX]" },
	{ "multipart without a boundary", "multipart/form-data", SV("--XX--"),
	  "multipart !! no_boundary" },
	{ "multipart part without a name", MULTI, SV("--XX\r\n\r\n1\r\n--XX--"),
	  "multipart !! no_name [::=1]" },
};

static void bodies(void **state)
{
	int bad = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *got = say(sv_of(rows[i].type), SV_NONE, rows[i].bytes);
		if (strcmp(got, rows[i].want) != 0) {
			print_error("%s\n  want %s\n  got  %s\n", rows[i].name, rows[i].want, got);
			bad++;
		}
		free(got);
	}
	assert_int_equal(bad, 0);
}

static void expect(struct sv type, struct sv coding, struct sv bytes, const char *want)
{
	char *got = say(type, coding, bytes);
	assert_string_equal(got, want);
	free(got);
}

static void codings(void **state)
{
	char z[1 << 16], two[1 << 16];
	struct sv in = gzip(SV("{\"a\": 1}"), z, sizeof(z)), b;

	(void)state;
	expect(SV(JSON), SV("gzip"), in, "json of gzip");
	expect(SV(JSON), SV("X-GZIP"), in, "json of gzip");
	expect(SV(JSON), SV_NONE, in, "json of gzip");
	expect(SV(JSON), SV("identity"), in, "json of gzip");
	expect(SV(JSON), SV("gzip"), SV("{}"), "compressed of gzip !! corrupt mismatch");
	expect(SV(JSON), SV("gzip"), (struct sv){ in.p, in.n - 1 },
		"compressed of gzip !! corrupt");
	expect(SV(JSON), SV("br"), SV("x"), "compressed of br !! unknown_coding");
	expect(SV(JSON), SV("zstd"), SV("\x28\xb5\x2f\xfd" "x"),
		"compressed of zstd !! unknown_coding");
	expect(SV(JSON), SV("frob"), SV("x"), "compressed of other !! unknown_coding");
	expect(SV(JSON), SV("gzip, gzip"), in, "compressed of other !! nested_coding mismatch");
	expect(SV(JSON), SV("base64"), SV("eyJhIjogMX0="), "json of base64");
	expect(SV(JSON), SV("base64"), SV("eyJhIjogMX0=!"), "compressed of base64 !! base64");
	expect(SV("application/zip"), SV_NONE, SV("PK\x03\x04x"),
		"compressed of other !! unknown_coding");
	/* A second member, which not each reader reads. */
	memcpy(two, in.p, in.n);
	b = gzip(SV(" "), two + in.n, sizeof(two) - in.n);
	expect(SV(JSON), SV("gzip"), (struct sv){ two, in.n + b.n }, "json of gzip");
	two[in.n] = 'x';
	expect(SV(JSON), SV("gzip"), (struct sv){ two, in.n + b.n },
		"compressed of gzip !! trailing_bytes");
	/* gzip in gzip */
	b = gzip(in, two, sizeof(two));
	expect(SV(JSON), SV("gzip"), b, "compressed of gzip !! nested_coding");
}

/* 64 MiB of zeros in 64 KiB: stops at the limit, and shows nothing. */
static void gzip_bomb(void **state)
{
	size_t n = 64u << 20;
	char *zeros = calloc(1, n), *z = malloc(1 << 20);
	struct sv in = gzip((struct sv){ zeros, n }, z, 1 << 20);
	struct arena *a = arena_new(32u << 20);
	struct body out;

	(void)state;
	assert_true(in.n < 80000);
	body_parse(SV(JSON), SV("gzip"), in, a, &out);
	assert_int_equal(out.kind, BODY_COMPRESSED);
	assert_string_equal(out.why, "too_large");
	assert_ptr_equal(out.decoded.p, in.p);
	assert_true(arena_used(a) < 1 << 20);
	arena_free(&a);
	/* Within the limit, but the arena has no room: said, not a part. */
	in = gzip((struct sv){ zeros, 1 << 20 }, z, 1 << 20);
	a = arena_new(1 << 16);
	body_parse(SV(JSON), SV("gzip"), in, a, &out);
	assert_string_equal(out.why, "memory");
	arena_free(&a);
	free(zeros);
	free(z);
}

static void too_many_parts(void **state)
{
	size_t n = 100000;
	char *s = malloc(n);
	struct arena *a = arena_new(1 << 24);
	struct body out;

	(void)state;
	for (size_t i = 0; i < n; i++)
		s[i] = "a=&"[i % 3];
	body_parse(SV(FORM), SV_NONE, (struct sv){ s, n }, a, &out);
	assert_int_equal(out.n_parts, BODY_MAX_PARTS);
	assert_string_equal(out.why, "too_many");
	arena_free(&a);
	free(s);
}

static void looks(void **state)
{
	static const struct { const char *text; enum looks want; } list[] = {
		{ "", LOOKS_TEXT }, { "hello", LOOKS_TEXT }, { "Select one.", LOOKS_TEXT },
		{ "Select an option from the list below, please", LOOKS_TEXT },
		{ "update the readme", LOOKS_TEXT }, { "delete old files", LOOKS_TEXT },
		{ "Drop me a line", LOOKS_TEXT }, { "make sure that it works.", LOOKS_TEXT },
		{ "{\"a\": [1]}", LOOKS_JSON }, { "[]", LOOKS_JSON }, { "{a}", LOOKS_TEXT },
		{ "SELECT 1", LOOKS_SQL }, { "SELECT * FROM users WHERE id = 1", LOOKS_SQL },
		{ "-- all\nDELETE FROM t;", LOOKS_SQL }, { "UPDATE t SET a = 1", LOOKS_SQL },
		{ "INSERT INTO t (a) VALUES (1)", LOOKS_SQL }, { "DROP TABLE t", LOOKS_SQL },
		{ "with x as (select 1) select * from x", LOOKS_SQL },
		{ "CREATE UNIQUE INDEX i ON t (a)", LOOKS_SQL }, { "TRUNCATE t", LOOKS_SQL },
		{ "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", LOOKS_DIFF },
		{ "diff --git a/x b/x\n", LOOKS_DIFF }, { "*** Begin Patch\n", LOOKS_DIFF },
		{ "https://example.org/x?y", LOOKS_URL }, { "see https://example.org", LOOKS_TEXT },
		{ "<!DOCTYPE html><p>x</p>", LOOKS_HTML }, { "<div>x</div>", LOOKS_HTML },
		{ "rm -rf /tmp/x", LOOKS_SHELL }, { "#!/bin/sh\necho", LOOKS_SHELL },
		{ "git status", LOOKS_SHELL }, { "cd x && make", LOOKS_SHELL },
		{ "aGVsbG8gd29ybGQgdGhpcyBpcyBhIHRlc3Q=", LOOKS_BASE64 },
		{ "0123456789abcdef0123456789abcdef", LOOKS_TEXT },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		enum looks got = text_looks_like(sv_of(list[i].text));
		if (got != list[i].want)
			print_error("%s: %d, not %d\n", list[i].text, got, list[i].want);
		assert_int_equal(got, list[i].want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bodies), cmocka_unit_test(codings),
		cmocka_unit_test(gzip_bomb), cmocka_unit_test(too_many_parts),
		cmocka_unit_test(looks),
	};
	return cmocka_run_group_tests_name("body", tests, NULL, NULL);
}
