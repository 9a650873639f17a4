/*
 * doc_text.c - whole texts as lines, marks, counters, and reading back.
 */
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

static bool blank(const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i] != ' ')
			return false;
	return true;
}

/* How many whole lines from at on are blank; *end is where they stop. */
static uint32_t blank_lines(struct sv raw, size_t at, size_t *end)
{
	uint32_t n = 0;

	while (at < raw.n) {
		const char *nl = memchr(raw.p + at, '\n', raw.n - at);
		size_t len = nl != NULL ? (size_t)(nl - (raw.p + at)) : raw.n - at;

		if (nl == NULL || !blank(raw.p + at, len))
			break;
		at += len + 1;
		n++;
	}
	*end = at;
	return n;
}

void doc_text(struct doc *d, enum doc_line_kind k, enum role r, struct sv raw,
	enum esc_context ctx, bool number)
{
	size_t at = 0, end;
	uint32_t no = 1, run;

	while (at < raw.n && !d->over) {
		const char *nl;
		size_t len;

		run = blank_lines(raw, at, &end);
		if (run >= 3) {
			doc_line(d, k);
			doc_spanf(d, ROLE_ESCAPE, "<U+000A x%u>", (unsigned)run);
			no += run;
			at = end;
			continue;
		}
		nl = memchr(raw.p + at, '\n', raw.n - at);
		len = nl != NULL ? (size_t)(nl - (raw.p + at)) : raw.n - at;
		doc_line(d, k);
		if (number)
			doc_lineno(d, 0, no);
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
