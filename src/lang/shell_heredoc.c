/*
 * shell_heredoc.c - the bodies of heredocs, which begin after the newline of
 * their command, and what reads them.
 */
#include "lang/shell_priv.h"

#include <string.h>

/* A line of a body: without its newline, and, for <<-, its tabs. */
static struct sv body_line(const struct sp *p, bool tabs)
{
	const char *at = p->s.p + p->s.i;
	const char *lf = memchr(at, '\n', p->s.n - p->s.i);
	struct sv line = { at, lf == NULL ? p->s.n - p->s.i : (size_t)(lf - at) };

	while (tabs && line.n > 0 && line.p[0] == '\t') {
		line.p++;
		line.n--;
	}
	return line;
}

/* Does the next line belong to this one? */
static bool continued(struct sv line)
{
	size_t n = 0;

	while (n < line.n && line.p[line.n - 1 - n] == '\\')
		n++;
	return n % 2 == 1;
}

static bool ends_with(struct sv delim, struct sv line)
{
	return line.n <= delim.n &&
		memcmp(delim.p + (delim.n - line.n), line.p, line.n) == 0;
}

/* Moves s.i behind the line that ends the body, which is [*from, *to), or, of
 * <<-, is put on the stack of bytes. */
static void find_end(struct sp *p, const struct sp_heredoc *doc, size_t *to)
{
	bool cont = false;

	for (;;) {
		struct sv line;

		*to = p->s.i;
		if (p->s.i >= p->s.n) {
			sp_row_opaque(p, doc->row, "unterminated_heredoc");
			sp_stop(p, "unterminated_heredoc", p->s.i);
			return;
		}
		line = body_line(p, doc->tabs);
		p->s.i = (size_t)(line.p - p->s.p) + line.n;
		p->s.i += p->s.i < p->s.n ? 1 : 0;
		if (!cont && sv_eq(line, doc->delim))
			return;
		/* "EO\" and "F", and "EOF)" in $(..): shells disagree */
		if ((cont && ends_with(doc->delim, line)) || (p->at.depth > 0 &&
		    line.n > doc->delim.n && line.p[doc->delim.n] == ')' &&
		    memcmp(line.p, doc->delim.p, doc->delim.n) == 0)) {
			sp_row_opaque(p, doc->row, "syntax");
			sp_stop(p, "syntax", p->s.i);
			return;
		}
		cont = !doc->quoted && continued(line);
		if (doc->tabs) {
			buf_addsv(&p->bytes, line);
			buf_addc(&p->bytes, '\n');
		}
	}
}

static void run_body(struct sp *p, const struct sp_heredoc *doc,
	const struct shell_redirect *r, size_t from, size_t to)
{
	if (doc->lang != NULL) {
		struct shell_code *code = &p->rows[doc->reader].code;

		if (code->lang == NULL)
			*code = (struct shell_code){ .lang = doc->lang,
				.text = r->body, .literal = r->body_literal,
				.from = from, .to = to };
		sp_row_opaque(p, doc->reader, "interpreter_stdin");
	} else if (r->body_literal) {
		sp_script(p, doc->reader, doc->via, r->body, from, to);
	} else {
		sp_row_opaque(p, doc->reader, "interpreter_stdin");
	}
}

static void read_doc(struct sp *p, const struct sp_heredoc *doc)
{
	struct shell_redirect *r = &p->rows[doc->row].redirects[doc->redirect];
	size_t from = p->s.i, to = from, mark = p->bytes.n, after;
	struct sv raw;
	bool ended;

	find_end(p, doc, &to);
	ended = !p->stop;
	raw = (struct sv){ p->s.p + from, to - from };
	if (doc->tabs)
		raw = arena_sv(p->a, (struct sv){ p->bytes.p + mark, p->bytes.n - mark });
	if (raw.n == 0)
		raw = SV("");
	p->bytes.n = mark;
	r->body = raw;
	r->body_literal = doc->quoted;
	if (!ended)
		return;
	after = p->s.i;
	if (!doc->quoted)
		sp_heredoc_body(p, doc->row, r, raw, p->s.base + from, doc->tabs,
			p->s.base + to);
	p->s.i = after;
	if (doc->reader != SP_NO_ROW && !p->stop && !p->stop_all)
		run_body(p, doc, &p->rows[doc->row].redirects[doc->redirect],
			p->s.fixed ? p->s.base : p->s.base + from,
			p->s.fixed ? p->s.end : p->s.base + to);
}

void sp_newline(struct sp *p)
{
	if (p->docs_outer && p->n_docs > 0) {
		/* whose lines come first, ours or those around us? */
		sp_row_opaque(p, p->docs[p->n_docs - 1].row, "syntax");
		sp_stop(p, "syntax", p->s.i);
		return;
	}
	p->s.i++;
	for (size_t i = p->docs_from; i < p->n_docs && !p->stop && !p->stop_all; i++) {
		struct sp_heredoc doc = p->docs[i];

		if (p->rows[doc.row].redirects == NULL ||
		    doc.redirect >= p->rows[doc.row].n_redirects) {
			sp_stop(p, "syntax", p->s.i);
			return;
		}
		read_doc(p, &doc);
	}
	if (!p->stop && !p->stop_all)
		p->n_docs = p->docs_from;
}
