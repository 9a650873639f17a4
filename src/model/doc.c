/*
 * doc.c - building and reading documents.
 */
#include "model/doc_priv.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "model/names.h"

static const char *const role_names[ROLE_N] = {
#define ROLE(id, name, letter) [ROLE_##id] = name,
#include "model/roles.def"
#undef ROLE
};
static const char role_letters[ROLE_N] = {
#define ROLE(id, name, letter) [ROLE_##id] = letter,
#include "model/roles.def"
#undef ROLE
};

const char *role_name(enum role r)
{
	return name_of(role_names, ROLE_N, (size_t)r);
}

char role_letter(enum role r)
{
	return (size_t)r < ROLE_N ? role_letters[r] : '?';
}

bool role_from_name(struct sv name, enum role *out)
{
	int i = name_find(role_names, ROLE_N, name);

	if (i < 0)
		return false;
	*out = (enum role)i;
	return true;
}

struct doc *doc_new(size_t max_bytes)
{
	struct doc *d = xcalloc(1, sizeof(*d));

	/* Offsets are 32 bits wide. */
	d->max = max_bytes < UINT32_MAX / 2 ? max_bytes : UINT32_MAX / 2;
	buf_init(&d->text, d->max);
	buf_init(&d->labels, 16u << 20);
	return d;
}

void doc_free(struct doc **dp)
{
	struct doc *d = *dp;

	if (d == NULL)
		return;
	*dp = NULL;
	/* Owners may be on two threads: the last one, whichever, frees. */
	if (atomic_fetch_sub(&d->more_owners, 1) > 0)
		return;
	buf_free(&d->text);
	buf_free(&d->labels);
	free(d->spans);
	free(d->lines);
	for (size_t m = 0; m < MARK_N; m++)
		free(d->marks[m]);
	free(d);
}

struct doc *doc_ref(struct doc *d)
{
	if (!d->sealed)
		fatal("doc: shared while it is being built");
	atomic_fetch_add(&d->more_owners, 1);
	return d;
}

size_t doc_memory(const struct doc *d)
{
	size_t n = d->text.cap + d->labels.cap + d->cap_spans * sizeof(*d->spans) +
		d->cap_lines * sizeof(*d->lines);

	for (size_t m = 0; m < MARK_N; m++)
		n += d->cap_marks[m] * sizeof(**d->marks);
	return n;
}

bool doc_room(struct doc *d, void **p, size_t n, size_t *cap, size_t size)
{
	size_t want;

	if (n < *cap)
		return true;
	want = *cap + *cap / 2 + 64;
	if (doc_memory(d) + (want - *cap) * size > d->max) {
		d->over = true;
		return false;
	}
	*p = xreallocarray(*p, want, size);
	*cap = want;
	return true;
}

static void fit(void **p, size_t n, size_t *cap, size_t size)
{
	if (n == *cap || n == 0)
		return;
	*p = xreallocarray(*p, n, size);
	*cap = n;
}

void doc_fit(struct doc *d)
{
	fit((void **)&d->spans, d->n_spans, &d->cap_spans, sizeof(*d->spans));
	fit((void **)&d->lines, d->n_lines, &d->cap_lines, sizeof(*d->lines));
	fit((void **)&d->text.p, d->text.n, &d->text.cap, 1);
	fit((void **)&d->labels.p, d->labels.n, &d->labels.cap, 1);
	for (size_t m = 0; m < MARK_N; m++)
		fit((void **)&d->marks[m], d->n_marks[m], &d->cap_marks[m],
			sizeof(**d->marks));
}

static bool building(const struct doc *d)
{
	if (d->sealed)
		fatal("doc: changed after it was sealed");
	return !d->over;
}

void doc_line(struct doc *d, enum doc_line_kind k)
{
	if (!building(d) || !doc_room(d, (void **)&d->lines, d->n_lines,
	    &d->cap_lines, sizeof(*d->lines)))
		return;
	d->lines[d->n_lines++] = (struct line_rec){
		.spans_end = (uint32_t)d->n_spans, .kind = (uint32_t)k };
	d->col = 0;
	d->col_at = d->text.n;
}

void doc_lineno(struct doc *d, uint32_t old_no, uint32_t new_no)
{
	if (!building(d) || d->n_lines == 0)
		return;
	d->lines[d->n_lines - 1].old_no = old_no;
	d->lines[d->n_lines - 1].new_no = new_no;
}

/* The text of the span has been appended already, up to end. Neighbours of one
 * role and adjoining source become one span. */
static void span_close(struct doc *d, enum role r, size_t end, size_t src_from,
	size_t src_to)
{
	struct line_rec *line = &d->lines[d->n_lines - 1];
	uint32_t first = d->n_lines > 1 ? d->lines[d->n_lines - 2].spans_end : 0;
	struct span_rec *last;

	if (line->spans_end > first) {
		last = &d->spans[d->n_spans - 1];
		if (last->role == (uint32_t)r && last->src_to == src_from &&
		    (src_to != 0) == (last->src_to != 0) && r != ROLE_ESCAPE) {
			last->end = (uint32_t)end;
			last->src_to = (uint32_t)src_to;
			return;
		}
	}
	if (!doc_room(d, (void **)&d->spans, d->n_spans, &d->cap_spans,
	    sizeof(*d->spans)))
		return;
	d->spans[d->n_spans++] = (struct span_rec){ (uint32_t)end,
		(uint32_t)src_from, (uint32_t)src_to, (uint32_t)r };
	line->spans_end = (uint32_t)d->n_spans;
}

/* Text whose span found no room is not kept: what is stored is what is drawn. */
static void text_trim(struct doc *d)
{
	if (d->over)
		d->text.n = d->n_spans > 0 ? d->spans[d->n_spans - 1].end : 0;
}

void doc_span(struct doc *d, enum role r, struct sv clean)
{
	if (!building(d) || d->n_lines == 0 || clean.n == 0)
		return;
	if (!esc_is_clean(clean))
		fatal("doc: unescaped text in a span");
	if (buf_addsv(&d->text, clean) != 0) {
		d->over = true;
		return;
	}
	span_close(d, r, d->text.n, 0, 0);
	text_trim(d);
}

void doc_notation_add(struct doc *d, struct sv clean, size_t from, size_t to)
{
	if (!building(d) || d->n_lines == 0)
		return;
	if (buf_addsv(&d->text, clean) != 0) {
		d->over = true;
		return;
	}
	span_close(d, ROLE_ESCAPE, d->text.n, from, to);
	text_trim(d);
}

/* Outside bytes on their way into the text. */
struct runs {
	struct doc *d;
	const struct role_run *runs;
	size_t n, i;               /* i: the run that piece bytes fall into */
	size_t end;                /* where it ends within raw */
	struct sv raw;
	size_t src_base;
	bool ours;                 /* no source */
};

/* Where run i ends, moved past the rest of a character and the marks that
 * combine with it: a span may not begin with either. */
static size_t run_end(const struct runs *c)
{
	size_t at = c->i + 1 < c->n ? c->runs[c->i].to : c->raw.n;
	uint32_t cp;

	while (at < c->raw.n && ((unsigned char)c->raw.p[at] & 0xC0) == 0x80)
		at++;
	while (at < c->raw.n && (unsigned char)c->raw.p[at] >= 0x80) {
		size_t n = utf8_decode(c->raw.p + at, c->raw.n - at, &cp);

		if (n == 0 || cell_width(cp) != 0)
			break;
		at += n;
	}
	return at < c->raw.n ? at : c->raw.n;
}

static void run_span(const struct runs *c, enum role r, size_t end, size_t from,
	size_t to)
{
	if (!c->d->over)
		span_close(c->d, r, end, c->ours ? 0 : c->src_base + from,
			c->ours ? 0 : c->src_base + to);
}

/* The piece's text has just been added to the document's. */
static void on_piece(void *arg, const struct esc_piece *p)
{
	struct runs *c = arg;
	size_t at = p->from;

	if (p->out_to == p->out_from)
		return;
	if (p->notation) {
		run_span(c, ROLE_ESCAPE, p->out_to, p->from, p->to);
		return;
	}
	/* Plain text stands as it is, byte for byte. */
	while (at < p->to) {
		size_t end;

		while (c->i + 1 < c->n && at >= c->end) {
			c->i++;
			c->end = run_end(c);
		}
		end = c->end < p->to && c->i + 1 < c->n ? c->end : p->to;
		run_span(c, c->runs[c->i].role, p->out_from + (end - p->from), at, end);
		at = end;
	}
}

static void runs_add(struct runs *c, enum esc_context ctx)
{
	struct doc *d = c->d;

	if (!building(d) || d->n_lines == 0 || c->raw.n == 0 || c->n == 0)
		return;
	if (d->col_at < d->text.n)
		d->col += text_cells((struct sv){ d->text.p + d->col_at,
			d->text.n - d->col_at });
	d->col_at = d->text.n;
	c->end = run_end(c);
	if (esc_line(c->raw, ctx, d->col, &d->text, on_piece, c,
	    c->ours ? NULL : &d->counts) != 0)
		d->over = true;
	text_trim(d);
}

void doc_span_runs(struct doc *d, const struct role_run *runs, size_t n,
	struct sv raw, enum esc_context ctx, size_t src_base)
{
	struct runs c = { .d = d, .runs = runs, .n = n, .raw = raw,
		.src_base = src_base };

	runs_add(&c, ctx);
}

void doc_span_raw(struct doc *d, enum role r, struct sv raw,
	enum esc_context ctx, size_t src_base)
{
	struct role_run all = { raw.n, r };

	doc_span_runs(d, &all, 1, raw, ctx, src_base);
}

void doc_spanf(struct doc *d, enum role r, const char *fmt, ...)
{
	struct role_run all = { SIZE_MAX, r };
	struct runs c = { .d = d, .runs = &all, .n = 1, .ours = true };
	char stack[512];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(stack, sizeof(stack), fmt, ap);
	va_end(ap);
	if (n < 0)
		return;
	if ((size_t)n >= sizeof(stack))
		n = (int)sizeof(stack) - 1;
	/* Cut inside a character is an invalid byte, which the escaper shows. */
	c.raw = (struct sv){ stack, (size_t)n };
	runs_add(&c, ESC_PROSE);
}

static void append_line(struct doc *d, const struct doc *from, size_t i)
{
	const struct line_rec *line = &from->lines[i];
	size_t k = i > 0 ? from->lines[i - 1].spans_end : 0;

	doc_line(d, (enum doc_line_kind)line->kind);
	doc_lineno(d, line->old_no, line->new_no);
	for (; k < line->spans_end && !d->over; k++) {
		const struct span_rec *s = &from->spans[k];
		size_t at = k > 0 ? from->spans[k - 1].end : 0;

		if (buf_add(&d->text, from->text.p + at, s->end - at) != 0)
			d->over = true;
		else
			span_close(d, (enum role)s->role, d->text.n, s->src_from,
				s->src_to);
		text_trim(d);
	}
}

void doc_append(struct doc *d, const struct doc *from)
{
	size_t mark[MARK_N] = { 0 };

	for (size_t i = 0; i < from->n_lines && building(d); i++) {
		append_line(d, from, i);
		for (size_t m = 0; m < MARK_N; m++)
			for (; mark[m] < from->n_marks[m] &&
			    from->marks[m][mark[m]].line == i; mark[m]++)
				doc_mark(d, (enum doc_mark)m,
					doc_mark_label(from, (enum doc_mark)m,
					(uint32_t)mark[m]));
	}
	if (building(d))
		doc_counts_add(d, &from->counts);
	if (from->over)
		d->over = true;
}

void doc_preface_end(struct doc *d)
{
	d->preface = (uint32_t)d->n_lines;
}

uint32_t doc_preface(const struct doc *d)
{
	return d->preface;
}
