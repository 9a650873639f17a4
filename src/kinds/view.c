/*
 * view.c - rows that every kind is made of.
 */
#include "kinds/kinds_priv.h"

#include <string.h>

#include "base/i18n.h"

void view_ours(struct view *v, enum role r, const char *text)
{
	doc_line(v->d, LINE_OURS);
	doc_span(v->d, r, sv_of(text));
}

void view_field(struct view *v, enum doc_line_kind k, const char *name,
	enum role r, struct sv value)
{
	doc_line(v->d, k);
	doc_span(v->d, ROLE_NAME, sv_of(name));
	doc_span(v->d, ROLE_CHROME, SV(": "));
	doc_span_raw(v->d, r, value, ESC_STRICT, 0);
}

void view_last_newline(struct view *v, struct sv text)
{
	uint32_t line = doc_lines(v->d) - 1, n = doc_line_spans(v->d, line);
	struct doc_span last;

	if (text.n == 0 || text.p[text.n - 1] != '\n')
		return;
	if (n > 0) {
		last = doc_line_span(v->d, line, n - 1);
		if (doc_folded(&last) > 0)
			return;
	}
	doc_span(v->d, ROLE_ESCAPE, SV("<U+000A>"));
}

static bool has_lines(struct sv text)
{
	const char *nl = text.n > 0 ? memchr(text.p, '\n', text.n) : NULL;

	return nl != NULL && nl + 1 < text.p + text.n;
}

void view_text(struct view *v, enum role r, struct sv text,
	enum esc_context ctx)
{
	struct sv line = text;

	if (text.n == 0 || has_lines(text)) {
		doc_text(v->d, LINE_PAYLOAD, r, text, ctx, true);
	} else {
		line.n -= text.p[text.n - 1] == '\n';
		doc_line(v->d, LINE_PAYLOAD);
		doc_span_raw(v->d, r, line, ctx, 0);
	}
	view_last_newline(v, text);
}

/* A name that could be taken for more than a name is quoted. */
static bool plain_name(struct sv s)
{
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
		    (c >= '0' && c <= '9') || (c != 0 && strchr("_.-[]$", c) != NULL)))
			return false;
	}
	return s.n > 0;
}

static void leaf_name(struct view *v, struct sv path)
{
	bool plain = plain_name(path);

	doc_line(v->d, LINE_PAYLOAD);
	if (!plain)
		doc_span(v->d, ROLE_CHROME, SV("\""));
	doc_span_raw(v->d, ROLE_NAME, path, ESC_STRICT, 0);
	doc_span(v->d, ROLE_CHROME, plain ? SV(": ") : SV("\": "));
}

/* True if an unquoted string would read as something else: a number, true,
 * null, nothing, a quoted string; or has blanks at its ends that are not seen. */
static bool needs_quotes(struct sv s)
{
	size_t i = 0;

	if (s.n == 0 || s.p[0] == ' ' || s.p[s.n - 1] == ' ' || s.p[0] == '"')
		return true;
	if (sv_eqs(s, "true") || sv_eqs(s, "false") || sv_eqs(s, "null") ||
	    sv_eqs(s, "{}") || sv_eqs(s, "[]"))
		return true;
	while (i < s.n && s.p[i] != 0 && strchr("0123456789+-.eE", s.p[i]) != NULL)
		i++;
	return i == s.n;
}

static enum esc_context leaf_context(struct sv value)
{
	/* Values may be names, addresses or commands: the strict notation; but a
	 * sentence in Arabic or Hebrew must be readable. */
	return text_has_rtl(value) ? ESC_PROSE : ESC_STRICT;
}

void view_leaf(struct view *v, size_t i)
{
	const struct leaf *l = &v->a->leaves[i];
	bool quote = l->type == LEAF_STRING && needs_quotes(l->value);
	struct sv line = l->value;

	v->leaf_shown[i] = true;
	leaf_name(v, l->path);
	if (l->type == LEAF_STRING && has_lines(l->value)) {
		doc_spanf(v->d, ROLE_CHROME_DIM, P_("%zu byte in lines",
			"%zu bytes in lines", l->value.n), l->value.n);
		view_text(v, ROLE_TEXT, l->value, ESC_CODE);
		return;
	}
	if (quote)
		doc_span(v->d, ROLE_CHROME, SV("\""));
	if (line.n > 0 && line.p[line.n - 1] == '\n')
		line.n--;
	doc_span_raw(v->d, ROLE_TEXT, line, leaf_context(l->value), 0);
	if (l->type == LEAF_STRING)
		view_last_newline(v, l->value);
	if (quote)
		doc_span(v->d, ROLE_CHROME, SV("\""));
}

void view_leaf_done(struct view *v, const char *path, struct sv value)
{
	for (size_t i = 0; i < v->a->n_leaves; i++)
		if (sv_eqs(v->a->leaves[i].path, path) &&
		    sv_eq(v->a->leaves[i].value, value)) {
			v->leaf_shown[i] = true;
			return;
		}
}

void view_leaves(struct view *v, const char *heading)
{
	for (size_t i = 0; i < v->a->n_leaves && !doc_over(v->d); i++) {
		if (v->leaf_shown[i])
			continue;
		if (heading != NULL)
			view_ours(v, ROLE_CHROME, heading);
		heading = NULL;
		view_leaf(v, i);
	}
}
