/*
 * doc_code.c - the stored form of a document, and its digest.
 *
 * Layout, little endian: "obstat doc 1\0"; u32 lines, spans, text bytes, label
 * bytes, marks of each sort; u32 counts[ESC_N]; then the tables: spans (u32
 * end, src_from, src_to, role), lines (u32 spans_end, old_no, new_no, kind),
 * marks (u32 line, label_from, label_to), text, labels.
 */
#include <string.h>

#include "model/doc_priv.h"

static const char magic[] = "obstat doc 1";

/* Feeds the encoding piece by piece to add; both the digest and the stored
 * bytes come from here, so they cannot differ. */
static int code(const struct doc *d, int (*add)(void *, const void *, size_t),
	void *arg)
{
	uint32_t head[4 + MARK_N + ESC_N];
	size_t n = 0;
	int bad;

	head[n++] = (uint32_t)d->n_lines;
	head[n++] = (uint32_t)d->n_spans;
	head[n++] = (uint32_t)d->text.n;
	head[n++] = (uint32_t)d->labels.n;
	for (size_t m = 0; m < MARK_N; m++)
		head[n++] = (uint32_t)d->n_marks[m];
	for (size_t i = 0; i < ESC_N; i++)
		head[n++] = d->counts.n[i];
	bad = add(arg, magic, sizeof(magic));
	bad |= add(arg, head, n * sizeof(head[0]));
	bad |= add(arg, d->spans, d->n_spans * sizeof(*d->spans));
	bad |= add(arg, d->lines, d->n_lines * sizeof(*d->lines));
	for (size_t m = 0; m < MARK_N; m++)
		bad |= add(arg, d->marks[m], d->n_marks[m] * sizeof(**d->marks));
	bad |= add(arg, d->text.p, d->text.n);
	bad |= add(arg, d->labels.p, d->labels.n);
	return bad;
}

/* The tables are u32 arrays written as they stand: little-endian machines
 * only, which is checked when compiling. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "little endian only");
_Static_assert(sizeof(struct span_rec) == 16 && sizeof(struct line_rec) == 16 &&
	sizeof(struct mark_rec) == 12, "no padding in stored tables");

static int add_hash(void *arg, const void *p, size_t n)
{
	if (n > 0)
		hasher_add(arg, p, n);
	return 0;
}

static int add_buf(void *arg, const void *p, size_t n)
{
	return n > 0 ? buf_add(arg, p, n) : 0;
}

void doc_seal(struct doc *d)
{
	struct hasher *h = hasher_new();

	code(d, add_hash, h);
	d->digest = hasher_final(&h);
	d->sealed = true;
	doc_fit(d);
}

struct digest doc_digest(const struct doc *d)
{
	return d->digest;
}

int doc_encode(const struct doc *d, struct buf *out)
{
	return code(d, add_buf, out) != 0 ? -1 : 0;
}

static void *table(struct rd *r, size_t n, size_t size)
{
	struct sv bytes = rd_bytes(r, n * size);
	void *p;

	if (r->bad || n == 0)
		return NULL;
	p = xcalloc(n, size);
	memcpy(p, bytes.p, bytes.n);
	return p;
}

/* Offsets in a stored document are as hostile as any other bytes. */
static bool tables_hold(const struct doc *d)
{
	uint32_t end = 0;

	for (size_t i = 0; i < d->n_spans; i++) {
		if (d->spans[i].end < end || d->spans[i].end > d->text.n ||
		    d->spans[i].role >= ROLE_N ||
		    d->spans[i].src_from > d->spans[i].src_to)
			return false;
		end = d->spans[i].end;
	}
	/* Nothing lies in the store that no line shows. */
	if (end != d->text.n || (d->n_lines == 0 && d->n_spans > 0))
		return false;
	end = 0;
	for (size_t i = 0; i < d->n_lines; i++) {
		if (d->lines[i].spans_end < end || d->lines[i].spans_end > d->n_spans ||
		    d->lines[i].kind > LINE_WORDS)
			return false;
		end = d->lines[i].spans_end;
	}
	if (end != d->n_spans)
		return false;
	for (size_t m = 0; m < MARK_N; m++)
		for (size_t i = 0; i < d->n_marks[m]; i++)
			if (d->marks[m][i].line >= d->n_lines ||
			    d->marks[m][i].label_from > d->marks[m][i].label_to ||
			    d->marks[m][i].label_to > d->labels.n)
				return false;
	return true;
}

static bool spans_clean(const struct doc *d)
{
	uint32_t from = 0;

	for (size_t i = 0; i < d->n_spans; i++) {
		struct sv t = { d->text.p + from, d->spans[i].end - from };

		if (!esc_is_clean(t))
			return false;
		from = d->spans[i].end;
	}
	for (size_t m = 0; m < MARK_N; m++)
		for (uint32_t i = 0; i < d->n_marks[m]; i++)
			if (!esc_is_clean(doc_mark_label(d, (enum doc_mark)m, i)))
				return false;
	return true;
}

static void read_tables(struct doc *d, struct rd *r)
{
	uint32_t n_text, n_labels;
	struct sv text, labels;

	d->n_lines = rd_u32(r);
	d->n_spans = rd_u32(r);
	n_text = rd_u32(r);
	n_labels = rd_u32(r);
	for (size_t m = 0; m < MARK_N; m++)
		d->n_marks[m] = rd_u32(r);
	for (size_t i = 0; i < ESC_N; i++)
		d->counts.n[i] = rd_u32(r);
	d->spans = table(r, d->n_spans, sizeof(*d->spans));
	d->lines = table(r, d->n_lines, sizeof(*d->lines));
	for (size_t m = 0; m < MARK_N; m++)
		d->marks[m] = table(r, d->n_marks[m], sizeof(**d->marks));
	text = rd_bytes(r, n_text);
	labels = rd_bytes(r, n_labels);
	if (!rd_done(r))
		return;
	if (buf_addsv(&d->text, text) != 0 || buf_addsv(&d->labels, labels) != 0)
		r->bad = true;
}

struct doc *doc_decode(struct sv bytes, struct err *e)
{
	struct rd r = rd_of(bytes);
	struct sv m = rd_bytes(&r, sizeof(magic));
	struct doc *d;

	if (r.bad || memcmp(m.p, magic, sizeof(magic)) != 0) {
		err_set(e, "doc_version", "not a document this obstat can read");
		return NULL;
	}
	d = doc_new(bytes.n + (32u << 20));
	read_tables(d, &r);
	if (!rd_done(&r) || !tables_hold(d) || !spans_clean(d)) {
		err_set(e, "doc_bad", "the stored document is damaged");
		if (r.bad)
			d->n_spans = d->n_lines = 0;
		doc_free(&d);
		return NULL;
	}
	d->sealed = true;
	d->digest = sha256(bytes);
	return d;
}
