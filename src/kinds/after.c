/*
 * after.c - the document of an action that replaces another: what differs from
 * what was shown stands first, so that it is covered, stored and digested with
 * the rest. See kinds.h.
 */
#include "kinds/kinds_priv.h"

#include "base/err.h"
#include "base/i18n.h"
#include "diff/diff.h"

#define COMPARE_BYTES (64u << 20)
#define COMPARE_LINES 1000000u

/* The lines from from on as text: no clean text has a newline in it. False
 * when they are too many. */
static bool as_text(const struct doc *d, uint32_t from, struct buf *out)
{
	for (uint32_t i = from; i < doc_lines(d); i++) {
		for (uint32_t k = 0; k < doc_line_spans(d, i); k++)
			if (buf_addsv(out, doc_line_span(d, i, k).text) != 0)
				return false;
		if (buf_addc(out, '\n') != 0)
			return false;
	}
	return true;
}

/* A line of either document, behind a word of ours; notation keeps its role. */
static void line_of(struct doc *out, const struct doc *d, uint32_t line, bool was)
{
	uint32_t old_no, new_no;

	if (line >= doc_lines(d))
		return;
	doc_line(out, doc_line_kind(d, line));
	doc_line_nos(d, line, &old_no, &new_no);
	doc_lineno(out, was ? old_no : 0, was ? 0 : new_no);
	doc_span(out, ROLE_NAME, sv_of(was ? _("then: ") : _("now: ")));
	for (uint32_t k = 0; k < doc_line_spans(d, line); k++) {
		struct doc_span s = doc_line_span(d, line, k);

		doc_span(out, s.role == ROLE_ESCAPE ? s.role : was ? ROLE_DEL : ROLE_ADD,
			s.text);
	}
}

static void ours(struct doc *out, enum role r, const char *text)
{
	doc_line(out, LINE_OURS);
	doc_span(out, r, sv_of(text));
}

static void lines_that_differ(struct doc *out, const struct doc *d,
	const struct doc *before, const struct diff *x)
{
	uint32_t skip = doc_preface(before), shown = 0, more = 0;

	ours(out, ROLE_CHROME, _("what differs from what was shown then:"));
	for (size_t i = 0; i < x->n_lines; i++) {
		const struct diff_line *l = &x->lines[i];

		if (l->origin == ' ')
			continue;
		if (shown == AFTER_MAX_SHOWN) {
			more++;
			continue;
		}
		shown++;
		if (l->origin == '-')
			line_of(out, before, l->old_no - 1 + skip, true);
		else
			line_of(out, d, l->new_no - 1, false);
	}
	if (more == 0)
		return;
	doc_line(out, LINE_OURS);
	doc_spanf(out, ROLE_WARN, P_("and %u more line that differs",
		"and %u more lines that differ", more), more);
}

static void compare(struct doc *out, const struct doc *d, const struct doc *before)
{
	struct err e = ERR_INIT;
	struct diff *x = NULL;
	struct buf old, now;

	buf_init(&old, COMPARE_BYTES);
	buf_init(&now, COMPARE_BYTES);
	if (as_text(before, doc_preface(before), &old) && as_text(d, 0, &now))
		x = diff_new(buf_sv(&old), buf_sv(&now), 0, COMPARE_LINES, &e);
	if (x == NULL)
		ours(out, ROLE_WARN, _("the two are too long to be compared: read all of it"));
	else if (x->same || x->added + x->deleted == 0)
		ours(out, ROLE_CHROME, _("nothing that is shown differs from what was shown then"));
	else
		lines_that_differ(out, d, before, x);
	diff_free(&x);
	buf_free(&old);
	buf_free(&now);
}

struct doc *kinds_build_after(const struct action *a, const struct evidence *ev,
	const struct facts *f, uint64_t id, const struct doc *before)
{
	struct doc *d = kinds_build(a, ev, f), *out = doc_new(DOC_MAX_BYTES);

	doc_line(out, LINE_OURS);
	doc_spanf(out, ROLE_WARN, _("this replaces #%llu, which changed while it waited"),
		(unsigned long long)id);
	if (before != NULL)
		compare(out, d, before);
	else
		ours(out, ROLE_WARN, _("what was shown then is no longer here: read all of it"));
	ours(out, ROLE_CHROME, "");
	doc_preface_end(out);
	doc_append(out, d);
	doc_free(&d);
	doc_seal(out);
	return out;
}
