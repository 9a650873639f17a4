/*
 * json_out.c - jansson behind json_out.h. A struct jv is a json_t under
 * another name; nothing is wrapped, so nothing is allocated twice.
 */
#include "base/json_out.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static struct jv *jv_of(json_t *j)
{
	if (j == NULL)
		fatal("out of memory (JSON)");
	return (struct jv *)j;
}

static json_t *jv_json(const struct jv *v)
{
	return (json_t *)(uintptr_t)v;
}

struct jv *jv_obj(void)
{
	return jv_of(json_object());
}

struct jv *jv_arr(void)
{
	return jv_of(json_array());
}

/* Escaped at most tenfold (base/text.h); the bound only has to be enough. */
static void jv_escape(struct sv s, struct buf *out)
{
	buf_init(out, s.n < SIZE_MAX / 32 ? s.n * 16 + 64 : SIZE_MAX);
	if (esc_line(s, ESC_PROSE, 0, out, NULL, NULL, NULL) != 0)
		fatal("a string of %zu bytes does not fit", s.n);
}

struct jv *jv_strv(struct sv s)
{
	struct buf b;
	struct jv *v;

	if (utf8_valid(s))
		return jv_of(json_stringn_nocheck(s.n > 0 ? s.p : "", s.n));
	jv_escape(s, &b);
	v = jv_of(json_stringn_nocheck(buf_sv(&b).p, b.n));
	buf_free(&b);
	return v;
}

struct jv *jv_int(int64_t v)
{
	return jv_of(json_integer(v));
}

struct jv *jv_boolean(bool v)
{
	return jv_of(json_boolean(v));
}

struct jv *jv_null(void)
{
	return jv_of(json_null());
}

void jv_free(struct jv **v)
{
	json_decref(jv_json(*v));
	*v = NULL;
}

void jv_put(struct jv *obj, const char *key, struct jv *owned)
{
	json_t *v = owned != NULL ? jv_json(owned) : json_null();
	struct sv k = sv_of(key);
	struct buf b;

	if (!json_is_object(jv_json(obj)))
		fatal("jv_put(\"%s\"): not an object", key);
	if (utf8_valid(k)) {
		if (json_object_set_new_nocheck(jv_json(obj), key, v) != 0)
			fatal("out of memory (JSON)");
		return;
	}
	jv_escape(k, &b);
	key = buf_steal(&b, NULL);
	if (json_object_set_new_nocheck(jv_json(obj), key, v) != 0)
		fatal("out of memory (JSON)");
	free((void *)(uintptr_t)key);
}

void jv_put_sv(struct jv *obj, const char *key, struct sv s)
{
	jv_put(obj, key, jv_strv(s));
}

void jv_put_s(struct jv *obj, const char *key, const char *s)
{
	jv_put(obj, key, s != NULL ? jv_strv(sv_of(s)) : jv_null());
}

void jv_put_sv_opt(struct jv *obj, const char *key, struct sv s)
{
	if (s.p != NULL)
		jv_put_sv(obj, key, s);
}

void jv_put_i(struct jv *obj, const char *key, int64_t v)
{
	jv_put(obj, key, jv_int(v));
}

void jv_put_b(struct jv *obj, const char *key, bool v)
{
	jv_put(obj, key, jv_boolean(v));
}

void jv_put_digest(struct jv *obj, const char *key, const struct digest *d)
{
	char text[DIGEST_TEXT_LEN + 1];

	digest_text(d, text);
	jv_put_s(obj, key, text);
}

void jv_add(struct jv *arr, struct jv *owned)
{
	json_t *v = owned != NULL ? jv_json(owned) : json_null();

	if (!json_is_array(jv_json(arr)))
		fatal("jv_add: not an array");
	if (json_array_append_new(jv_json(arr), v) != 0)
		fatal("out of memory (JSON)");
}

void jv_del(struct jv *obj, const char *key)
{
	json_object_del(jv_json(obj), key);
}

void jv_del_at(struct jv *arr, size_t i)
{
	json_array_remove(jv_json(arr), i);
}

struct jv *jv_copy(const struct jv *v)
{
	return jv_of(json_deep_copy(jv_json(v)));
}

bool jv_eq(const struct jv *a, const struct jv *b)
{
	return json_equal(jv_json(a), jv_json(b)) != 0;
}

/* ---- writing ---- */

static int jv_write_part(const char *p, size_t n, void *arg)
{
	return buf_add(arg, p, n);
}

static int jv_dump(const struct jv *v, size_t flags, struct buf *out)
{
	size_t from = out->n;

	if (json_dump_callback(jv_json(v), jv_write_part, out,
	    flags | JSON_ENCODE_ANY) == 0)
		return 0;
	if (!out->over)
		fatal("a JSON value cannot be written");
	out->n = from; /* no half a message */
	return -1;
}

int jv_write(const struct jv *v, struct buf *out)
{
	return jv_dump(v, JSON_COMPACT, out);
}

int jv_write_pretty(const struct jv *v, struct buf *out)
{
	return jv_dump(v, JSON_INDENT(2), out);
}

/* What is not plain ASCII in JSON stands inside strings, where every
 * character may be written as \uXXXX: nothing is lost. */
static int jv_clean_char(struct sv c, uint32_t cp, struct buf *out)
{
	if (esc_is_clean(c))
		return buf_addsv(out, c);
	if (cp < 0x10000)
		return buf_addf(out, "\\u%04x", cp);
	return buf_addf(out, "\\u%04x\\u%04x", 0xD800 + ((cp - 0x10000) >> 10),
		0xDC00 + ((cp - 0x10000) & 0x3FF));
}

int jv_write_clean(const struct jv *v, bool pretty, struct buf *out)
{
	size_t from = out->n;
	struct buf raw;
	int r = 0;

	buf_init(&raw, out->max);
	if ((pretty ? jv_write_pretty : jv_write)(v, &raw) != 0)
		r = -1;
	for (size_t i = 0; r == 0 && i < raw.n; ) {
		unsigned char b = (unsigned char)raw.p[i];
		uint32_t cp = b;
		size_t n = 1;

		if (b >= 0x80)
			n = utf8_decode(raw.p + i, raw.n - i, &cp);
		if (n == 0)
			fatal("jansson wrote invalid UTF-8");
		if ((b >= 0x20 && b < 0x7F) || b == '\n')
			r = buf_addc(out, (char)b);
		else
			r = jv_clean_char((struct sv){ raw.p + i, n }, cp, out);
		i += n;
	}
	buf_free(&raw);
	if (r != 0) {
		out->over = true;
		out->n = from;
	}
	return r;
}

/* ---- reading ---- */

struct jv *jv_read(struct sv bytes, struct err *e)
{
	json_error_t why;
	json_t *j = json_loadb(bytes.n > 0 ? bytes.p : "", bytes.n,
		JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL | JSON_DECODE_ANY, &why);

	if (j == NULL)
		err_set(e, "json_read", "not JSON at byte %d: %s", why.position, why.text);
	return (struct jv *)j;
}

struct jv *jv_get(const struct jv *obj, const char *key)
{
	return (struct jv *)json_object_get(jv_json(obj), key);
}

struct jv *jv_at(const struct jv *arr, size_t i)
{
	return (struct jv *)json_array_get(jv_json(arr), i);
}

size_t jv_len(const struct jv *arr)
{
	return json_array_size(jv_json(arr));
}

bool jv_is_obj(const struct jv *v)
{
	return json_is_object(jv_json(v));
}

bool jv_is_arr(const struct jv *v)
{
	return json_is_array(jv_json(v));
}

struct sv jv_sv(const struct jv *v)
{
	if (!json_is_string(jv_json(v)))
		return SV_NONE;
	return (struct sv){ json_string_value(jv_json(v)),
		json_string_length(jv_json(v)) };
}

struct sv jv_get_sv(const struct jv *obj, const char *key)
{
	return jv_sv(jv_get(obj, key));
}

int64_t jv_i(const struct jv *v, int64_t none)
{
	return json_is_integer(jv_json(v)) ? json_integer_value(jv_json(v)) : none;
}

int64_t jv_get_i(const struct jv *obj, const char *key, int64_t none)
{
	return jv_i(jv_get(obj, key), none);
}

bool jv_get_b(const struct jv *obj, const char *key, bool none)
{
	const json_t *v = jv_json(jv_get(obj, key));

	return json_is_boolean(v) ? json_is_true(v) : none;
}

bool jv_get_digest(const struct jv *obj, const char *key, struct digest *out)
{
	return digest_from_text(jv_get_sv(obj, key), out);
}
