/* json_read.c - reading a scanned document: lookups, raw bytes, decoding. */
#include "base/json_priv.h"

#include <string.h>

#include "base/text.h"

size_t json_memory(const struct json *j)
{
	return sizeof(*j) + (size_t)j->cap * sizeof(struct json_node)
		+ j->dup.cap * sizeof(*j->dup.tab);
}

size_t json_offset(const struct json *j)
{
	return j->state == ST_BAD ? j->bad_off : j->pos;
}

size_t json_count(const struct json *j)
{
	return j->count;
}

/* NULL for what is not there, and in a document that is not (yet) whole: its
 * ends and its duplicates are not known. */
static const struct json_node *node_at(const struct json *j, json_ref v)
{
	if (j == NULL || j->state != ST_DONE || v >= j->count)
		return NULL;
	return json_node(j, v);
}

enum json_type json_typeof(const struct json *j, json_ref v)
{
	const struct json_node *nd = node_at(j, v);

	return nd != NULL ? (enum json_type)nd->type : JSON_NULL;
}

bool json_is(const struct json *j, json_ref v, enum json_type t)
{
	const struct json_node *nd = node_at(j, v);

	return nd != NULL && (enum json_type)nd->type == t;
}

/* Values stand in the order of their bytes: a first child comes right after
 * its container and begins inside it. */
json_ref json_first(const struct json *j, json_ref container)
{
	const struct json_node *nd = node_at(j, container);
	const struct json_node *child = nd != NULL ? node_at(j, container + 1) : NULL;

	return child != NULL && child->off < nd->end ? container + 1 : JSON_NO;
}

json_ref json_next(const struct json *j, json_ref child)
{
	const struct json_node *nd = node_at(j, child);

	return nd != NULL && nd->next != 0 ? nd->next : JSON_NO;
}

size_t json_len(const struct json *j, json_ref container)
{
	size_t n = 0;

	for (json_ref c = json_first(j, container); c != JSON_NO; c = json_next(j, c))
		n++;
	return n;
}

json_ref json_get(const struct json *j, json_ref obj, const char *key)
{
	if (!json_is(j, obj, JSON_OBJECT))
		return JSON_NO;
	for (json_ref c = json_first(j, obj); c != JSON_NO; c = json_next(j, c)) {
		if (json_key_is(j, c, key))
			return c;
	}
	return JSON_NO;
}

struct sv json_raw(const struct json *j, json_ref v)
{
	const struct json_node *nd = node_at(j, v);

	if (nd == NULL)
		return SV_NONE;
	return (struct sv){ (const char *)j->p + nd->off, nd->end - nd->off };
}

size_t json_pos(const struct json *j, json_ref v)
{
	const struct json_node *nd = node_at(j, v);

	return nd != NULL ? nd->off : 0;
}

static bool white(uint8_t c)
{
	return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

struct sv json_key_raw(const struct json *j, json_ref v)
{
	const struct json_node *nd = node_at(j, v);

	if (nd == NULL || nd->key == 0)
		return SV_NONE;
	/* Backwards from the value: white space, colon, white space, quote. */
	size_t end = nd->off - 1u;
	while (white(j->p[end]))
		end--;
	do
		end--;
	while (white(j->p[end]));
	return (struct sv){ (const char *)j->p + nd->key, end - nd->key };
}

static uint32_t hex4(const uint8_t *p)
{
	uint32_t v = 0;

	for (int i = 0; i < 4; i++) {
		uint32_t c = p[i];
		v = v << 4 | (c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
	}
	return v;
}

size_t json_unescape(const uint8_t *p, char out[4], size_t *n)
{
	static const char single[256] = {
		['"'] = '"', ['\\'] = '\\', ['/'] = '/', ['b'] = '\b', ['f'] = '\f',
		['n'] = '\n', ['r'] = '\r', ['t'] = '\t',
	};

	if (p[1] != 'u') {
		out[0] = single[p[1]];
		*n = 1;
		return 2;
	}
	uint32_t u = hex4(p + 2);
	size_t used = 6;
	if (u >= 0xd800 && u <= 0xdbff) {
		u = 0x10000 + ((u - 0xd800) << 10) + (hex4(p + 8) - 0xdc00);
		used = 12;
	}
	*n = utf8_encode(u, out);
	return used;
}

int json_byte(struct json_bytes *s)
{
	if (s->at < s->n)
		return (uint8_t)s->out[s->at++];
	if (*s->p == '"')
		return -1;
	if (*s->p != '\\')
		return *s->p++;
	size_t n;
	s->p += json_unescape(s->p, s->out, &n);
	s->n = (uint8_t)n;
	s->at = 1;
	return (uint8_t)s->out[0];
}

/* How long a checked string is once decoded. */
static size_t decoded_len(struct sv raw)
{
	const uint8_t *p = (const uint8_t *)raw.p, *end = p + raw.n;
	size_t len = raw.n;
	char out[4];

	while ((p = memchr(p, '\\', (size_t)(end - p))) != NULL) {
		size_t n, used = json_unescape(p, out, &n);
		len -= used - n;
		p += used;
	}
	return len;
}

static struct sv decode(struct sv raw, bool esc, struct arena *a)
{
	if (!esc)
		return raw;
	size_t len = decoded_len(raw);
	char *to = a != NULL ? arena_alloc(a, len) : NULL;
	if (to == NULL)
		return SV_NONE;
	const uint8_t *p = (const uint8_t *)raw.p, *end = p + raw.n;
	size_t at = 0;
	while (p < end) {
		const uint8_t *q = memchr(p, '\\', (size_t)(end - p));
		size_t run = (size_t)((q != NULL ? q : end) - p);
		char out[4];
		memcpy(to + at, p, run);
		at += run;
		p += run;
		if (q != NULL) {
			p += json_unescape(p, out, &run);
			memcpy(to + at, out, run);
			at += run;
		}
	}
	return (struct sv){ to, len };
}

struct sv json_str(const struct json *j, json_ref v, struct arena *a)
{
	if (!json_is(j, v, JSON_STRING))
		return SV_NONE;
	struct sv raw = json_raw(j, v);
	return decode((struct sv){ raw.p + 1, raw.n - 2 }, json_node(j, v)->esc, a);
}

struct sv json_key(const struct json *j, json_ref v, struct arena *a)
{
	struct sv raw = json_key_raw(j, v);

	return raw.p == NULL ? SV_NONE : decode(raw, json_node(j, v)->keyesc, a);
}

/* Does the string that begins at off (past its quote) say text? */
static bool says(const struct json *j, size_t off, const char *text)
{
	struct json_bytes s = { .p = j->p + off };

	for (;; text++) {
		int c = json_byte(&s);
		if (c < 0)
			return *text == '\0';
		if (*text == '\0' || (uint8_t)*text != c)
			return false;
	}
}

bool json_key_is(const struct json *j, json_ref v, const char *key)
{
	const struct json_node *nd = node_at(j, v);

	return nd != NULL && nd->key != 0 && says(j, nd->key, key);
}

bool json_str_is(const struct json *j, json_ref v, const char *text)
{
	return json_is(j, v, JSON_STRING) && says(j, json_pos(j, v) + 1, text);
}

bool json_u64(const struct json *j, json_ref v, uint64_t *out)
{
	return json_is(j, v, JSON_NUMBER) && sv_u64(json_raw(j, v), out);
}

bool json_bool(const struct json *j, json_ref v, bool *out)
{
	if (!json_is(j, v, JSON_TRUE) && !json_is(j, v, JSON_FALSE))
		return false;
	*out = json_is(j, v, JSON_TRUE);
	return true;
}
