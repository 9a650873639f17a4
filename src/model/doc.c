/*
 * doc.c - building and reading documents.
 */
#include "model/doc_priv.h"

#include <stdarg.h>
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
	buf_init(&d->scratch, d->max);
	return d;
}

void doc_free(struct doc **dp)
{
	struct doc *d = *dp;

	if (d == NULL)
		return;
	buf_free(&d->text);
	buf_free(&d->labels);
	buf_free(&d->scratch);
	free(d->pieces);
	free(d->spans);
	free(d->lines);
	for (size_t m = 0; m < MARK_N; m++)
		free(d->marks[m]);
	free(d);
	*dp = NULL;
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
}

void doc_lineno(struct doc *d, uint32_t old_no, uint32_t new_no)
{
	if (!building(d) || d->n_lines == 0)
		return;
	d->lines[d->n_lines - 1].old_no = old_no;
	d->lines[d->n_lines - 1].new_no = new_no;
}

/* The text of the span has been appended already. Neighbours of one role and
 * adjoining source become one span. */
static void span_close(struct doc *d, enum role r, uint32_t src_from,
	uint32_t src_to)
{
	struct line_rec *line = &d->lines[d->n_lines - 1];
	uint32_t first = d->n_lines > 1 ? d->lines[d->n_lines - 2].spans_end : 0;
	struct span_rec *last;

	if (line->spans_end > first) {
		last = &d->spans[d->n_spans - 1];
		if (last->role == (uint32_t)r && last->src_to == src_from &&
		    (src_to != 0) == (last->src_to != 0) && r != ROLE_ESCAPE) {
			last->end = (uint32_t)d->text.n;
			last->src_to = src_to;
			return;
		}
	}
	if (!doc_room(d, (void **)&d->spans, d->n_spans, &d->cap_spans,
	    sizeof(*d->spans)))
		return;
	d->spans[d->n_spans++] = (struct span_rec){ (uint32_t)d->text.n,
		src_from, src_to, (uint32_t)r };
	line->spans_end = (uint32_t)d->n_spans;
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
	d->col += text_cells(clean);
	span_close(d, r, 0, 0);
}

void doc_spanf(struct doc *d, enum role r, const char *fmt, ...)
{
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
	doc_span_raw(d, r, (struct sv){ stack, (size_t)n }, ESC_PROSE, 0);
}

static void piece_note(void *arg, const struct esc_piece *p)
{
	struct doc *d = arg;

	if (p->out_to == p->out_from)
		return;
	if (d->n_pieces == d->cap_pieces) {
		d->cap_pieces = d->cap_pieces != 0 ? d->cap_pieces * 2 : 64;
		d->pieces = xreallocarray(d->pieces, d->cap_pieces,
			sizeof(*d->pieces));
	}
	d->pieces[d->n_pieces++] = *p;
}

void doc_span_raw(struct doc *d, enum role r, struct sv raw,
	enum esc_context ctx, size_t src_base)
{
	if (!building(d) || d->n_lines == 0 || raw.n == 0)
		return;
	buf_clear(&d->scratch);
	d->n_pieces = 0;
	if (esc_line(raw, ctx, d->col, &d->scratch, piece_note, d,
	    &d->counts) != 0) {
		d->over = true;
		return;
	}
	for (size_t i = 0; i < d->n_pieces && !d->over; i++) {
		const struct esc_piece *p = &d->pieces[i];

		if (buf_add(&d->text, d->scratch.p + p->out_from,
		    p->out_to - p->out_from) != 0) {
			d->over = true;
			return;
		}
		span_close(d, p->notation ? ROLE_ESCAPE : r,
			(uint32_t)(src_base + p->from), (uint32_t)(src_base + p->to));
	}
	d->col += text_cells(buf_sv(&d->scratch));
}
