/*
 * body.c - what an HTTP body is (see body.h).
 */
#include "lang/body.h"

#include <string.h>
#include <strings.h>

#include "base/json.h"
#include "base/text.h"
#include "lang/body_priv.h"

static const struct { const char *name, *coding; } codings[] = {
	{ "gzip", "gzip" }, { "x-gzip", "gzip" }, { "deflate", "deflate" },
	{ "br", "br" }, { "zstd", "zstd" }, { "compress", "compress" },
	{ "x-compress", "compress" }, { "base64", "base64" },
};

static const struct { const char *type; enum body_kind kind; } types[] = {
	{ "application/json", BODY_JSON }, { "text/json", BODY_JSON },
	{ "application/x-ndjson", BODY_TEXT },
	{ "application/x-www-form-urlencoded", BODY_FORM },
	{ "multipart/form-data", BODY_MULTIPART }, { "multipart/mixed", BODY_MULTIPART },
	{ "multipart/related", BODY_MULTIPART },
	{ "application/graphql", BODY_GRAPHQL }, { "application/graphql+json", BODY_JSON },
	{ "application/xml", BODY_XML }, { "text/xml", BODY_XML },
	{ "application/soap+xml", BODY_XML }, { "application/octet-stream", BODY_BINARY },
	{ "application/gzip", BODY_COMPRESSED }, { "application/zip", BODY_COMPRESSED },
	{ "application/zstd", BODY_COMPRESSED },
};

static bool starts(struct sv s, const char *bytes, size_t n)
{
	return s.n >= n && memcmp(s.p, bytes, n) == 0;
}

/* What the first bytes say is packed; NULL when they do not. */
static const char *packed(struct sv s)
{
	if (starts(s, "\x1f\x8b", 2))
		return "gzip";
	if (starts(s, "\x28\xb5\x2f\xfd", 4))
		return "zstd";
	if (starts(s, "PK\x03\x04", 4) || starts(s, "BZh", 3) ||
		starts(s, "\xfd" "7zXZ", 5) || starts(s, "7z\xbc\xaf", 4))
		return "other";
	return NULL;
}

static void open_coding(struct sv encoding, struct sv bytes, struct arena *a,
	struct body *b)
{
	const char *by_bytes = packed(bytes);

	encoding = body_trim(encoding);
	b->decoded = bytes;
	if (encoding.n > 0 && !body_is(encoding, "identity")) {
		b->coding = "other";
		for (size_t i = 0; i < sizeof(codings) / sizeof(codings[0]); i++) {
			if (body_is(encoding, codings[i].name))
				b->coding = codings[i].coding;
		}
		if (memchr(encoding.p, ',', encoding.n) != NULL)
			b->why = "nested_coding";
	} else {
		b->coding = by_bytes;
	}
	if (b->coding == NULL)
		return;
	b->mismatch = strcmp(b->coding, "base64") != 0 &&
		((by_bytes == NULL && (strcmp(b->coding, "gzip") == 0 ||
		strcmp(b->coding, "zstd") == 0)) ||
		(by_bytes != NULL && strcmp(by_bytes, b->coding) != 0));
	if (b->why == NULL && strcmp(b->coding, "gzip") == 0)
		b->why = body_gunzip(bytes, a, &b->decoded);
	else if (b->why == NULL && strcmp(b->coding, "base64") == 0)
		b->why = body_base64(bytes, a, &b->decoded);
	else if (b->why == NULL)
		b->why = "unknown_coding";
	if (b->why == NULL && packed(b->decoded) != NULL)
		b->why = "nested_coding";
	if (b->why != NULL)
		b->kind = BODY_COMPRESSED;
}

static struct sv essence(struct sv type)
{
	const char *semi = type.n > 0 ? memchr(type.p, ';', type.n) : NULL;
	if (semi != NULL)
		type.n = (size_t)(semi - type.p);
	return body_trim(type);
}

/* BODY_EMPTY: not said. */
static enum body_kind declared(struct sv type)
{
	struct sv e = essence(type);

	if (e.n == 0)
		return BODY_EMPTY;
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (body_is(e, types[i].type))
			return types[i].kind;
	}
	if (e.n > 5 && strncasecmp(e.p + e.n - 5, "+json", 5) == 0)
		return BODY_JSON;
	if (e.n > 4 && strncasecmp(e.p + e.n - 4, "+xml", 4) == 0)
		return BODY_XML;
	if (e.n > 10 && strncasecmp(e.p, "multipart/", 10) == 0)
		return BODY_MULTIPART;
	if (e.n > 5 && strncasecmp(e.p, "text/", 5) == 0)
		return BODY_TEXT;
	return BODY_BINARY; /* image/..., application/pdf: nothing to check */
}

static struct sv no_bom(struct sv s)
{
	if (starts(s, "\xEF\xBB\xBF", 3))
		return (struct sv){ s.p + 3, s.n - 3 };
	return s;
}

static bool is_text(struct sv s)
{
	return utf8_valid(s) && (s.n == 0 || memchr(s.p, 0, s.n) == NULL);
}

/* {"query": "mutation ..."}; the most that it may run. */
static const char *json_graphql(const struct json *j, json_ref obj, struct arena *a,
	struct body *b)
{
	json_ref q = json_get(j, obj, "query");
	json_ref ext = json_get(j, json_get(j, obj, "extensions"), "persistedQuery");
	const char *op = json_is(j, q, JSON_STRING) ? body_graphql(json_str(j, q, a)) : NULL;

	if (op == NULL && json_is(j, ext, JSON_OBJECT)) {
		b->kind = BODY_GRAPHQL;
		b->why = "persisted_query"; /* the server knows what it is */
	}
	return op;
}

/* True when it is JSON (also JSON that our scanner refuses for its keys). */
static bool as_json(struct arena *a, struct body *b)
{
	struct sv s = no_bom(b->decoded);
	struct err e = ERR_INIT;
	struct json *j = json_parse(s, &e);
	const char *op = NULL;
	json_ref root = 0;

	if (j == NULL) {
		if (strcmp(e.code, "json_dup") != 0 && strcmp(e.code, "json_depth") != 0 &&
			strcmp(e.code, "json_values") != 0 &&
			strcmp(e.code, "json_surrogate") != 0)
			return false;
		b->kind = BODY_JSON;
		b->why = "json";
		return true;
	}
	b->kind = BODY_JSON;
	if (json_is(j, root, JSON_OBJECT)) {
		op = json_graphql(j, root, a, b);
	} else if (json_is(j, root, JSON_ARRAY)) { /* a batch */
		for (json_ref v = json_first(j, root); v != JSON_NO; v = json_next(j, v))
			op = body_graphql_more(op, json_graphql(j, v, a, b));
	}
	if (op != NULL) {
		b->kind = BODY_GRAPHQL;
		b->graphql = op;
	}
	json_free(&j);
	return true;
}

static bool opens_json(struct sv s)
{
	s = body_trim(no_bom(s));
	return s.n > 0 && (s.p[0] == '{' || s.p[0] == '[');
}

static bool looks_xml(struct sv s)
{
	s = body_trim(no_bom(s));
	return s.n > 3 && s.p[0] == '<' && s.p[s.n - 1] == '>' &&
		(s.p[1] == '?' || s.p[1] == '!' || (s.p[1] | 0x20) >= 'a');
}

/* name=value&..., nothing that a form would have encoded. */
static bool looks_form(struct sv s)
{
	bool eq = false;

	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];
		if (c <= ' ' || c >= 0x7f || strchr("\"<>\\^`{|}", c) != NULL)
			return false;
		eq |= c == '=';
	}
	return eq;
}

static void charset(struct sv type, struct arena *a, struct body *b)
{
	static const char *const same[] = { "utf-8", "utf8", "us-ascii", "ascii",
		"iso-8859-1", "latin1", "windows-1252" };
	struct sv c = body_param(type, "charset", a);

	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
		if (c.n == 0 || body_is(c, same[i]))
			return;
	}
	b->why = "charset"; /* UTF-7, UTF-16: what is drawn is not what is read */
}

static enum body_kind plain_kind(struct sv s, enum body_kind said)
{
	if (!is_text(s))
		return BODY_BINARY;
	if (looks_xml(s))
		return BODY_XML;
	if (said == BODY_EMPTY && looks_form(s))
		return BODY_FORM;
	return BODY_TEXT;
}

static void by_content(struct sv type, enum body_kind said, struct arena *a,
	struct body *b)
{
	if ((said == BODY_JSON || opens_json(b->decoded)) && as_json(a, b)) {
		b->mismatch |= said != BODY_JSON && said != BODY_EMPTY &&
			said != BODY_GRAPHQL;
	} else if (said == BODY_FORM && is_text(b->decoded) && !looks_xml(b->decoded)) {
		b->kind = BODY_FORM;
	} else if (said == BODY_MULTIPART) {
		b->kind = BODY_MULTIPART;
	} else if (said == BODY_GRAPHQL && is_text(b->decoded)) {
		b->kind = BODY_GRAPHQL;
		b->graphql = body_graphql(b->decoded);
		b->mismatch |= b->graphql == NULL;
	} else {
		b->kind = plain_kind(b->decoded, said);
		b->mismatch |= said != BODY_EMPTY && said != b->kind &&
			said != BODY_COMPRESSED && said != BODY_BINARY &&
			!(said == BODY_TEXT && b->kind == BODY_XML);
	}
	if (b->kind == BODY_FORM)
		body_form(a, b);
	else if (b->kind == BODY_MULTIPART)
		body_multipart(type, a, b);
	if (b->why == NULL && b->kind != BODY_BINARY)
		charset(type, a, b);
}

void body_parse(struct sv content_type, struct sv content_encoding, struct sv bytes,
	struct arena *a, struct body *out)
{
	enum body_kind said = declared(content_type);

	memset(out, 0, sizeof(*out));
	out->decoded = bytes;
	if (bytes.n == 0)
		return;
	open_coding(content_encoding, bytes, a, out);
	if (out->kind != BODY_COMPRESSED && out->decoded.n > 0)
		by_content(content_type, said, a, out);
}
