/*
 * kind_command.c - a command: the line as given, its words where they are not
 * the line's own, what cannot be told, where it runs, and what else was said.
 */
#include "kinds/kinds_priv.h"

#include <string.h>

#include "base/i18n.h"
#include "lang/words.h"

/* words_plain()'s reasons in words for people. */
static const struct {
	const char *why, *text;
} reasons[] = {
	{ "limit", N_("it is too long") },
	{ "newline", N_("it has several lines") },
	{ "control", N_("it holds control characters") },
	{ "hidden", N_("it holds hidden or reordering characters") },
	{ "backslash", N_("it has backslashes") },
	{ "expansion", N_("it has expansions ($ or `)") },
	{ "glob", N_("it has file name patterns") },
	{ "brace", N_("it has braces") },
	{ "tilde", N_("it has a tilde") },
	{ "history", N_("it has a history character") },
	{ "operator", N_("it joins commands (; & |)") },
	{ "redirect", N_("it redirects input or output") },
	{ "subshell", N_("it has parentheses") },
	{ "comment", N_("it has a comment") },
	{ "job", N_("it names a job") },
	{ "equals", N_("a word begins with =") },
	{ "character", N_("it has an unusual character") },
	{ "quote", N_("a quote is not closed") },
	{ "assignment", N_("it sets a variable") },
	{ "name", N_("its first word is not a plain name") },
	{ "reserved", N_("it begins with a word of the shell's grammar") },
	{ "builtin", N_("it begins with a builtin that runs or changes others") },
	{ "subscript", N_("it has a subscript") },
};

static void word_row(struct view *v, size_t no, struct sv word)
{
	doc_line(v->d, LINE_PAYLOAD);
	doc_spanf(v->d, ROLE_NAME, _("word %zu"), no);
	doc_span(v->d, ROLE_CHROME, SV(": "));
	/* Where a word ends must be seen, if it has blanks or nothing in it. */
	doc_span_raw(v->d, ROLE_TEXT, word, ESC_STRICT, 0);
	if (word.n == 0)
		doc_span(v->d, ROLE_CHROME_DIM, sv_of(_("(empty)")));
	else if (word.p[word.n - 1] == ' ')
		doc_span(v->d, ROLE_CHROME_DIM, sv_of(_("(ends in a blank)")));
}

/* Leaves argv[i] are the words just drawn, when there are as many of them. */
static void argv_leaves_done(struct view *v)
{
	const struct action *a = v->a;
	size_t k = 0;

	for (size_t i = 0; i < a->n_leaves; i++)
		if (sv_starts(a->leaves[i].path, "argv[") && k < a->n_argv &&
		    sv_eq(a->leaves[i].value, a->argv[k])) {
			v->leaf_shown[i] = true;
			k++;
		}
}

static void argv_view(struct view *v)
{
	view_ours(v, ROLE_CHROME, _("run without a shell, these words:"));
	for (size_t i = 0; i < v->a->n_argv && !doc_over(v->d); i++)
		word_row(v, i + 1, v->a->argv[i]);
	argv_leaves_done(v);
}

static void plain_view(struct view *v, const struct words *w)
{
	struct sv cmd = v->a->command;
	bool as_seen = true;

	for (size_t i = 0; i < w->n; i++)
		as_seen = as_seen && sv_eq(w->w[i].text,
			(struct sv){ cmd.p + w->w[i].from, w->w[i].to - w->w[i].from });
	if (as_seen)
		return;
	view_ours(v, ROLE_CHROME, _("its words, without the quotes:"));
	for (size_t i = 0; i < w->n && !doc_over(v->d); i++)
		word_row(v, i + 1, w->w[i].text);
}

static void not_plain_view(struct view *v, const char *why)
{
	const char *text = why;

	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (strcmp(reasons[i].why, why) == 0)
			text = _(reasons[i].text);
	doc_line(v->d, LINE_OURS);
	doc_spanf(v->d, ROLE_WARN, _("not a plain command: %s"), text);
	view_ours(v, ROLE_WARN, _("what it runs cannot be told by its words"));
}

void kind_command_view(struct view *v)
{
	const struct action *a = v->a;
	struct words w;
	const char *why = NULL;

	if (a->have_argv) {
		argv_view(v);
	} else {
		view_text(v, ROLE_TEXT, a->command, ESC_STRICT);
		view_leaf_done(v, "command", a->command);
		if (words_plain(a->command, v->ar, &w, &why) == WORDS_PLAIN)
			plain_view(v, &w);
		else
			not_plain_view(v, why);
	}
	if (a->cwd.n > 0)
		view_field(v, LINE_PAYLOAD, _("in directory"), ROLE_TEXT, a->cwd);
	else
		view_ours(v, ROLE_WARN, _("in which directory is not said"));
	view_leaf_done(v, "cwd", a->cwd);
	view_leaves(v, NULL);
}
