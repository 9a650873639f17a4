#include <stdio.h>

#include "base/clock.h"
#include "cli/act.h"

void rec_value_text(enum rec_field f, struct sv val, struct buf *out)
{
	struct rd r = rd_of(val);
	struct digest d;
	char t[DIGEST_TEXT_LEN + 1];

	switch (rec_field_type(f)) {
	case RFT_TEXT:
		buf_addsv(out, val);
		return;
	case RFT_INT:
		if (val.n == 8) {
			buf_addf(out, "%llu", (unsigned long long)rd_u64(&r));
			return;
		}
		break;
	case RFT_DIGEST:
		if (val.n == DIGEST_LEN) {
			for (size_t i = 0; i < DIGEST_LEN; i++)
				d.b[i] = rd_u8(&r);
			digest_text(&d, t);
			buf_adds(out, t);
			return;
		}
		break;
	case RFT_HEX:
		break;
	}
	/* Not what its type says, or of a later obstat: its bytes. */
	for (size_t i = 0; i < val.n; i++)
		buf_addf(out, "%02x", (unsigned)rd_u8(&r));
}

static struct jv *value_json(enum rec_field f, struct sv val)
{
	struct rd r = rd_of(val);
	struct buf b;
	struct jv *v;

	if (rec_field_type(f) == RFT_INT && val.n == 8) {
		uint64_t n = rd_u64(&r);

		if (n <= INT64_MAX)
			return jv_int((int64_t)n);
	}
	buf_init(&b, 1 << 20);
	rec_value_text(f, val, &b);
	v = jv_strv(buf_sv(&b));
	buf_free(&b);
	return v;
}

static void field_name(enum rec_field f, char *out, size_t n)
{
	const char *name = rec_field_name(f);

	/* Two unknown fields must not become one. */
	if (sv_eqs(sv_of(name), "unknown"))
		snprintf(out, n, "field_%u", (unsigned)f);
	else
		snprintf(out, n, "%s", name);
}

/* A field that occurs once is its value; oftener, a list of them. */
static void field_put(struct jv *o, const struct rec_view *v, enum rec_field f,
	struct sv val)
{
	struct jv *list;
	enum rec_field g;
	size_t at = 0, times = 0;
	struct sv w;
	char name[32];

	field_name(f, name, sizeof(name));
	if (jv_get(o, name) != NULL)
		return;
	while (rec_view_next(v, &at, &g, &w))
		times += g == f;
	if (times == 1) {
		jv_put(o, name, value_json(f, val));
		return;
	}
	list = jv_arr();
	at = 0;
	while (rec_view_next(v, &at, &g, &w))
		if (g == f)
			jv_add(list, value_json(f, w));
	jv_put(o, name, list);
}

static struct jv *body_json(const struct rec_body *b)
{
	static const char *const states[] = { "stored", "no_space", "too_big" };
	struct jv *o = jv_obj();

	jv_put_sv(o, "name", b->name);
	jv_put_s(o, "state", states[b->state]);
	jv_put_i(o, "bytes", (int64_t)(b->full_len & INT64_MAX));
	if (b->state == BODY_STORED) {
		jv_put_digest(o, "stored_digest", &b->stored);
		jv_put_digest(o, "commitment", &b->commitment);
	}
	return o;
}

struct jv *rec_json(const struct rec_view *v)
{
	struct jv *o = jv_obj(), *fields = jv_obj(), *bodies = jv_arr();
	struct rec_body b;
	enum rec_field f;
	size_t at = 0;
	struct sv val;
	char t[40], hex[33];

	jv_put_i(o, "seq", (int64_t)v->seq);
	jv_put_s(o, "type", rec_type_name(v->type));
	clock_utc(v->real_ms, t, sizeof(t));
	jv_put_s(o, "at", t);
	jv_put_i(o, "at_ms", v->real_ms);
	jv_put_i(o, "boot_ms", (int64_t)(v->boot_ms & INT64_MAX));
	hex_of(v->boot_id, sizeof(v->boot_id), hex);
	jv_put_s(o, "boot_id", hex);
	jv_put_digest(o, "hash", &v->hash);
	while (rec_view_next(v, &at, &f, &val))
		field_put(fields, v, f, val);
	jv_put(o, "fields", fields);
	for (size_t i = 0; rec_view_body(v, i, &b); i++)
		jv_add(bodies, body_json(&b));
	jv_put(o, "bodies", bodies);
	return o;
}
