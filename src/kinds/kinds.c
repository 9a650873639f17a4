/*
 * kinds.c - the table of kinds, and what every document has.
 */
#include "kinds/kinds_priv.h"

#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"

/* One row a kind; a kind without one is shown raw. */
static void (*const builders[KIND_N])(struct view *) = {
	[KIND_EDIT] = kind_edit_view,
	[KIND_COMMAND] = kind_command_view,
	[KIND_TOOL] = kind_tool_view,
	[KIND_HTTP] = kind_raw_view,
	[KIND_SQL] = kind_raw_view,
	[KIND_MESSAGE] = kind_raw_view,
	[KIND_PAYMENT] = kind_raw_view,
	[KIND_MEMORY] = kind_raw_view,
	[KIND_QUESTION] = kind_raw_view,
	[KIND_GRANT] = kind_raw_view,
	[KIND_OTHER] = kind_raw_view,
};

static const struct {
	const char *word, *text;
} why_nots[] = {
	{ "empty", N_("cannot be approved: the payload is empty, or a part "
		"without which it says nothing is missing") },
	{ "unreadable", N_("cannot be approved: the payload is unreadable, or "
		"says two different things") },
	{ "over_limit", N_("cannot be approved: the payload is over a limit") },
};

/* What cannot be approved is shown as the bytes that came. */
static void why_not_view(struct view *v)
{
	const char *text = N_("cannot be approved");

	for (size_t i = 0; i < sizeof(why_nots) / sizeof(why_nots[0]); i++)
		if (strcmp(v->a->why_not, why_nots[i].word) == 0)
			text = why_nots[i].text;
	view_ours(v, ROLE_DANGER, _(text));
	if (v->a->raw.n == 0) {
		view_ours(v, ROLE_WARN, _("the bytes received are not kept"));
		return;
	}
	view_ours(v, ROLE_CHROME, _("the bytes as received:"));
	view_text(v, ROLE_TEXT, v->a->raw, ESC_CODE);
}

/* A path whose change later sessions, tools or log-ins obey. */
static void control_view(struct view *v)
{
	const char *why = v->f->control_why;

	doc_line(v->d, LINE_OURS);
	doc_span(v->d, ROLE_WARN, sv_of(_("a control path")));
	if (why != NULL)
		doc_spanf(v->d, ROLE_WARN, ": %s", _(why));
}

/* The agent's own prose: after the action, quoted, whole. */
static void prose(struct view *v, const char *label, struct sv text)
{
	if (text.n == 0)
		return;
	doc_line(v->d, LINE_WORDS);
	doc_span(v->d, ROLE_CHROME_DIM, sv_of(label));
	doc_span(v->d, ROLE_CHROME_DIM, SV(" \xE2\x80\x9C"));
	/* The label stands on a line of its own when the words have several. */
	if (memchr(text.p, '\n', text.n) == NULL) {
		doc_span_raw(v->d, ROLE_WORDS, text, ESC_PROSE, 0);
	} else {
		doc_text(v->d, LINE_WORDS, ROLE_WORDS, text, ESC_PROSE, false);
		view_last_newline(v, text);
	}
	doc_span(v->d, ROLE_CHROME_DIM, SV("\xE2\x80\x9D"));
}

struct doc *kinds_build(const struct action *a, const struct evidence *ev,
	const struct facts *f)
{
	struct view v = { .a = a, .ev = ev, .f = f };

	v.d = doc_new(DOC_MAX_BYTES);
	v.ar = arena_new((size_t)256 << 20);
	v.leaf_shown = xcalloc(a->n_leaves, sizeof(*v.leaf_shown));
	if (f != NULL && f->control_path)
		control_view(&v);
	if (a->why_not != NULL)
		why_not_view(&v);
	else if ((size_t)a->kind < KIND_N && builders[a->kind] != NULL)
		builders[a->kind](&v);
	else
		kind_raw_view(&v);
	prose(&v, _("title:"), a->title);
	prose(&v, _("agent's words:"), a->words);
	if (arena_over(v.ar))
		doc_set_over(v.d);
	free(v.leaf_shown);
	arena_free(&v.ar);
	doc_seal(v.d);
	return v.d;
}
