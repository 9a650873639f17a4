#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/rec.h"

#define FIELDS_MAX (8u << 20)

struct rec *rec_new(enum rec_type t, int64_t real_ms, uint64_t boot_ms)
{
	struct rec *r = xcalloc(1, sizeof(*r));

	r->type = t;
	r->real_ms = real_ms;
	r->boot_ms = boot_ms;
	buf_init(&r->fields, FIELDS_MAX);
	return r;
}

void rec_free(struct rec **r)
{
	if (*r == NULL)
		return;
	for (size_t i = 0; i < (*r)->n_bodies; i++) {
		free((*r)->bodies[i].full);
		free((*r)->bodies[i].packed);
	}
	buf_free(&(*r)->fields);
	free(*r);
	*r = NULL;
}

static void field_put(struct rec *r, enum rec_field f, struct sv v)
{
	/* A field that no longer fits is left out whole: a half one would make
	 * the record unreadable. */
	if (r->fields.n + 6 + v.n > r->fields.max) {
		log_warn("record: a field %s was left out: too many", rec_field_name(f));
		return;
	}
	buf_u16(&r->fields, (uint16_t)f);
	buf_lp(&r->fields, v);
}

void rec_add(struct rec *r, enum rec_field f, struct sv v)
{
	if (v.n == 0)
		return;
	if (v.n > REC_VALUE_MAX) {
		field_put(r, f, (struct sv){ v.p, REC_VALUE_MAX });
		field_put(r, RF_CUT, sv_of(rec_field_name(f)));
		return;
	}
	field_put(r, f, v);
}

void rec_add_u64(struct rec *r, enum rec_field f, uint64_t v)
{
	char b[8];

	for (unsigned i = 0; i < 8; i++)
		b[i] = (char)(unsigned char)(v >> (8 * i));
	field_put(r, f, (struct sv){ b, 8 });
}

void rec_add_digest(struct rec *r, enum rec_field f, const struct digest *d)
{
	field_put(r, f, (struct sv){ (const char *)d->b, DIGEST_LEN });
}

struct body *rec_body_slot(struct rec *r)
{
	if (r->n_bodies == REC_BODIES_MAX)
		fatal("record: over %d bodies", REC_BODIES_MAX);
	return &r->bodies[r->n_bodies++];
}

void body_init(struct body *b, const char *name, struct sv bytes)
{
	size_t n = strlen(name);

	if (n >= BODY_NAME_MAX)
		fatal("record: bad body \"%s\"", name);
	memcpy(b->name, name, n + 1);
	b->full_len = bytes.n;
	if (bytes.n <= BODY_MAX)
		b->full = xmemdup0(bytes.p, bytes.n);
}

void rec_add_body(struct rec *r, const char *name, struct sv bytes)
{
	body_init(rec_body_slot(r), name, bytes);
}

void boot_id_read(uint8_t out[16])
{
	char t[37] = { 0 }, hex[33];
	size_t n = 0;
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);

	memset(out, 0, 16);
	if (fd < 0)
		return;
	if (read(fd, t, 36) == 36) {
		for (size_t i = 0; i < 36 && n < 32; i++)
			if (t[i] != '-')
				hex[n++] = t[i];
		if (!hex_to((struct sv){ hex, n }, out, 16))
			memset(out, 0, 16);
	}
	close(fd);
}

/* ---- encoding ---- */

static void body_encode(const struct body *b, bool no_bodies, struct buf *out)
{
	static const struct digest none;
	enum body_state st = !body_here(b) ? BODY_TOO_BIG :
		no_bodies ? BODY_NO_SPACE : BODY_STORED;
	bool here = st == BODY_STORED;

	buf_u8(out, (uint8_t)st);
	buf_u8(out, here && b->packed != NULL ? BODY_ZSTD : BODY_PLAIN);
	buf_lp(out, sv_of(b->name));
	buf_u64(out, b->full_len);
	buf_u64(out, here ? body_stored(b).n : 0);
	buf_add(out, here ? b->stored.b : none.b, DIGEST_LEN);
	buf_add(out, here ? b->commitment.b : none.b, DIGEST_LEN);
}

void rec_encode(struct rec *r, const struct chain *c, const uint8_t boot_id[16],
	bool no_bodies, struct buf *out)
{
	buf_clear(out);
	buf_add(out, REC_TAG, REC_TAG_LEN);
	buf_u64(out, r->seq);
	buf_add(out, c->head.b, DIGEST_LEN);
	buf_u64(out, (uint64_t)r->real_ms);
	buf_u64(out, r->boot_ms);
	buf_add(out, boot_id, 16);
	buf_u16(out, (uint16_t)r->type);
	buf_lp(out, buf_sv(&r->fields));
	buf_u8(out, (uint8_t)r->n_bodies);
	for (size_t i = 0; i < r->n_bodies; i++)
		body_encode(&r->bodies[i], no_bodies, out);
	if (out->over)
		fatal("record: encoding over its maximum");
}

/* ---- reading ---- */

static struct digest rd_digest(struct rd *r)
{
	struct digest d = { { 0 } };
	struct sv s = rd_bytes(r, DIGEST_LEN);

	if (s.n == DIGEST_LEN)
		memcpy(d.b, s.p, DIGEST_LEN);
	return d;
}

static void body_read(struct rd *r, struct rec_body *b)
{
	uint8_t st = rd_u8(r), codec = rd_u8(r);

	b->name = rd_lp(r);
	b->full_len = rd_u64(r);
	b->stored_len = rd_u64(r);
	b->stored = rd_digest(r);
	b->commitment = rd_digest(r);
	if (st > BODY_TOO_BIG || codec > BODY_ZSTD ||
	    b->name.n >= BODY_NAME_MAX)
		r->bad = true;
	b->state = (enum body_state)st;
	b->codec = (enum body_codec)codec;
}

static bool fields_ok(struct sv fields)
{
	struct rd r = rd_of(fields);

	while (!r.bad && r.p < r.end) {
		rd_u16(&r);
		rd_lp(&r);
	}
	return !r.bad;
}

int rec_parse(struct sv rec, struct rec_view *out, struct err *e)
{
	struct rd r = rd_of(rec);
	struct sv tag = rd_bytes(&r, REC_TAG_LEN), id;
	struct rec_body b;
	const char *from;

	memset(out, 0, sizeof(*out));
	if (tag.n != REC_TAG_LEN || memcmp(tag.p, REC_TAG, REC_TAG_LEN) != 0)
		return err_set(e, "record", "it does not begin as a record does");
	out->seq = rd_u64(&r);
	out->prev = rd_digest(&r);
	out->real_ms = (int64_t)rd_u64(&r);
	out->boot_ms = rd_u64(&r);
	id = rd_bytes(&r, 16);
	if (id.n == 16)
		memcpy(out->boot_id, id.p, 16);
	out->type = (enum rec_type)rd_u16(&r);
	out->fields = rd_lp(&r);
	out->n_bodies = rd_u8(&r);
	from = (const char *)r.p;
	if (out->n_bodies > REC_BODIES_MAX)
		r.bad = true;
	for (unsigned i = 0; i < out->n_bodies && !r.bad; i++)
		body_read(&r, &b);
	if (!rd_done(&r) || !fields_ok(out->fields))
		return err_set(e, "record", "its lengths do not add up");
	out->bodies = (struct sv){ from, (size_t)((const char *)r.p - from) };
	out->hash = sha256(rec);
	return 0;
}

bool rec_view_body(const struct rec_view *v, size_t i, struct rec_body *out)
{
	struct rd r = rd_of(v->bodies);

	if (i >= v->n_bodies)
		return false;
	for (size_t k = 0; k <= i; k++)
		body_read(&r, out);
	return !r.bad;
}

bool rec_view_next(const struct rec_view *v, size_t *at, enum rec_field *f,
	struct sv *value)
{
	struct rd r;

	if (*at >= v->fields.n)
		return false;
	r = rd_of((struct sv){ v->fields.p + *at, v->fields.n - *at });
	*f = (enum rec_field)rd_u16(&r);
	*value = rd_lp(&r);
	*at = (size_t)((const char *)r.p - v->fields.p);
	return !r.bad;
}

struct sv rec_view_get(const struct rec_view *v, enum rec_field f)
{
	size_t at = 0;
	enum rec_field g;
	struct sv val;

	while (rec_view_next(v, &at, &g, &val))
		if (g == f)
			return val;
	return SV_NONE;
}

bool rec_view_u64(const struct rec_view *v, enum rec_field f, uint64_t *out)
{
	struct sv s = rec_view_get(v, f);
	struct rd r = rd_of(s);

	if (s.n != 8)
		return false;
	*out = rd_u64(&r);
	return true;
}

bool rec_view_digest(const struct rec_view *v, enum rec_field f, struct digest *out)
{
	struct sv s = rec_view_get(v, f);

	if (s.n != DIGEST_LEN)
		return false;
	memcpy(out->b, s.p, DIGEST_LEN);
	return true;
}

/* ---- the chain ---- */

bool chain_seq_ok(const struct chain *c, const struct rec_view *v)
{
	uint64_t first, last;

	if (v->seq == c->seq + 1)
		return true;
	return v->seq > c->seq && v->type == REC_DISK_FULL &&
		rec_view_u64(v, RF_SEQ_FIRST, &first) && first == c->seq + 1 &&
		rec_view_u64(v, RF_SEQ_LAST, &last) && last == v->seq;
}

int chain_follows(const struct chain *c, const struct rec_view *v, struct err *e)
{
	if (!chain_seq_ok(c, v))
		return err_set(e, "gap", "record %llu is missing",
			(unsigned long long)(c->seq + 1));
	if (!digest_eq(&c->head, &v->prev))
		return err_set(e, "chain", "record %llu does not follow from %llu",
			(unsigned long long)v->seq, (unsigned long long)c->seq);
	return 0;
}
