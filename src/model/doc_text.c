/*
 * doc_text.c - whole texts as lines, marks, counters, and reading back.
 */
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "model/doc_priv.h"

void doc_mark(struct doc *d, enum doc_mark m, struct sv clean_label)
{
	size_t from = d->labels.n;

	/* Marks are a convenience of jumping; past the limit they are left
	 * out, the lines they would point to are not. */
	if (d->sealed || d->over || d->n_lines == 0 || d->n_marks[m] >= DOC_MAX_MARKS)
		return;
	if (!esc_is_clean(clean_label))
		fatal("doc: unescaped text in a mark");
	if (buf_addsv(&d->labels, clean_label) != 0)
		return;
	if (!doc_room(d, (void **)&d->marks[m], d->n_marks[m], &d->cap_marks[m],
	    sizeof(**d->marks)))
		return;
	d->marks[m][d->n_marks[m]++] = (struct mark_rec){
		(uint32_t)d->n_lines - 1, (uint32_t)from, (uint32_t)d->labels.n };
}

/* Notation no source bytes can produce: an LF stands in no line. */
#define FOLD_HEAD "<U+000A x"

void doc_text_fold(struct doc *d, uint32_t n, size_t src)
{
	char text[32];

	snprintf(text, sizeof(text), FOLD_HEAD "%u>", (unsigned)n);
	doc_notation_add(d, sv_of(text), src, src + n);
}

uint32_t doc_folded(const struct doc_span *s)
{
	struct sv t = s->text;
	uint64_t n;
	size_t head = sizeof(FOLD_HEAD) - 1;

	if (s->role != ROLE_ESCAPE || !sv_starts(t, FOLD_HEAD) || t.n < head + 2 ||
	    !sv_u64((struct sv){ t.p + head, t.n - head - 1 }, &n) || n > UINT32_MAX)
		return 0;
	return (uint32_t)n;
}

void doc_text(struct doc *d, enum doc_line_kind k, enum role r, struct sv raw,
	enum esc_context ctx, bool number)
{
	size_t at = 0, len, run;
	uint32_t no = 1;

	while (at < raw.n && !d->over) {
		const char *nl;

		doc_line(d, k);
		if (number)
			doc_lineno(d, 0, no);
		for (run = 0; at + run < raw.n && raw.p[at + run] == '\n'; run++)
			;
		if (run >= 3) {
			doc_text_fold(d, (uint32_t)run, at);
			no += (uint32_t)run;
			at += run;
			continue;
		}
		nl = memchr(raw.p + at, '\n', raw.n - at);
		len = nl != NULL ? (size_t)(nl - (raw.p + at)) : raw.n - at;
		doc_span_raw(d, r, (struct sv){ raw.p + at, len }, ctx, at);
		at += len + (nl != NULL ? 1 : 0);
		no++;
	}
}

void doc_counts_add(struct doc *d, const struct esc_counts *c)
{
	for (size_t i = 0; i < ESC_N; i++)
		d->counts.n[i] += c->n[i];
}

void doc_set_over(struct doc *d)
{
	d->over = true;
}

bool doc_over(const struct doc *d)
{
	return d->over;
}

uint32_t doc_lines(const struct doc *d)
{
	return (uint32_t)d->n_lines;
}

enum doc_line_kind doc_line_kind(const struct doc *d, uint32_t line)
{
	return line < d->n_lines ? (enum doc_line_kind)d->lines[line].kind :
		LINE_OURS;
}

void doc_line_nos(const struct doc *d, uint32_t line, uint32_t *old_no,
	uint32_t *new_no)
{
	*old_no = line < d->n_lines ? d->lines[line].old_no : 0;
	*new_no = line < d->n_lines ? d->lines[line].new_no : 0;
}

static uint32_t first_span(const struct doc *d, uint32_t line)
{
	return line > 0 ? d->lines[line - 1].spans_end : 0;
}

uint32_t doc_line_spans(const struct doc *d, uint32_t line)
{
	if (line >= d->n_lines)
		return 0;
	return d->lines[line].spans_end - first_span(d, line);
}

struct doc_span doc_line_span(const struct doc *d, uint32_t line, uint32_t i)
{
	struct doc_span s = { SV_NONE, ROLE_TEXT, 0, 0 };
	const struct span_rec *r;
	uint32_t at, from;

	if (i >= doc_line_spans(d, line))
		return s;
	at = first_span(d, line) + i;
	r = &d->spans[at];
	from = at > 0 ? d->spans[at - 1].end : 0;
	s.text = (struct sv){ d->text.p + from, r->end - from };
	s.role = (enum role)r->role;
	s.src_from = r->src_from;
	s.src_to = r->src_to;
	return s;
}

uint32_t doc_marks(const struct doc *d, enum doc_mark m)
{
	return (uint32_t)d->n_marks[m];
}

uint32_t doc_mark_line(const struct doc *d, enum doc_mark m, uint32_t i)
{
	return i < d->n_marks[m] ? d->marks[m][i].line : 0;
}

struct sv doc_mark_label(const struct doc *d, enum doc_mark m, uint32_t i)
{
	const struct mark_rec *r;

	if (i >= d->n_marks[m])
		return SV_NONE;
	r = &d->marks[m][i];
	return (struct sv){ d->labels.p + r->label_from, r->label_to - r->label_from };
}

const struct esc_counts *doc_counts(const struct doc *d)
{
	return &d->counts;
}
