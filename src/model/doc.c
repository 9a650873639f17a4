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

struct runs {
	struct doc *d;
	const struct role_run *runs;
	size_t n, i;               /* i: the run that piece bytes fall into */
	struct sv raw;
	size_t src_base;
};

static void append(struct runs *c, const char *p, size_t n, enum role r,
	size_t from, size_t to)
{
	struct doc *d = c->d;

	if (d->over || n == 0)
		return;
	if (buf_add(&d->text, p, n) != 0) {
		d->over = true;
		return;
	}
	span_close(d, r, (uint32_t)(c->src_base + from), (uint32_t)(c->src_base + to));
}

/* Where the current run ends within raw, moved past the rest of a character
 * and the marks that combine with it. */
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
	return at;
}

static enum role run_role(struct runs *c, size_t at)
{
	while (c->i + 1 < c->n && at >= run_end(c))
		c->i++;
	return c->runs[c->i].role;
}

static void on_piece(void *arg, const struct esc_piece *p)
{
	struct runs *c = arg;
	const char *out = c->d->scratch.p + p->out_from;
	size_t at = p->from;

	if (p->notation) {
		append(c, out, p->out_to - p->out_from, ROLE_ESCAPE, p->from, p->to);
		return;
	}
	/* Plain text stands as it is, byte for byte. */
	while (at < p->to && !c->d->over) {
		enum role r = run_role(c, at);
		size_t end = run_end(c);

		if (end > p->to)
			end = p->to;
		append(c, out + (at - p->from), end - at, r, at, end);
		at = end;
	}
}

void doc_span_runs(struct doc *d, const struct role_run *runs, size_t n,
	struct sv raw, enum esc_context ctx, size_t src_base)
{
	struct runs c = { d, runs, n, 0, raw, src_base };

	if (!building(d) || d->n_lines == 0 || raw.n == 0 || n == 0)
		return;
	buf_clear(&d->scratch);
	if (esc_line(raw, ctx, d->col, &d->scratch, on_piece, &c, &d->counts) != 0)
		d->over = true;
	else
		d->col += text_cells(buf_sv(&d->scratch));
}

void doc_span_raw(struct doc *d, enum role r, struct sv raw,
	enum esc_context ctx, size_t src_base)
{
	struct role_run all = { raw.n, r };

	doc_span_runs(d, &all, 1, raw, ctx, src_base);
}
