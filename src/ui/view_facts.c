/*
 * view_facts.c - all that is known of an action, a name and a value a line:
 * what the header has no room for. See view_action.h.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "ui/fmt.h"
#include "ui/view_action.h"

static void fact(struct lines *l, const char *name, const char *value)
{
	if (value == NULL || value[0] == '\0')
		return;
	lines_begin(l, LINE_OURS);
	lines_s(l, ROLE_NAME, name);
	lines_s(l, ROLE_CHROME, ": ");
	lines_s(l, ROLE_TEXT, value);
}

static void quoted(struct lines *l, const char *name, const char *value)
{
	if (value == NULL || value[0] == '\0')
		return;
	lines_begin(l, LINE_OURS);
	lines_s(l, ROLE_NAME, name);
	lines_s(l, ROLE_CHROME, ": ");
	lines_s(l, ROLE_WORDS, "“");
	lines_s(l, ROLE_WORDS, value);
	lines_s(l, ROLE_WORDS, "”");
}

static void heading(struct lines *l, const char *text)
{
	lines_begin(l, LINE_OURS);
	lines_begin(l, LINE_OURS);
	lines_s(l, ROLE_FILE, text);
}

static void evidence(struct lines *l, const struct ui_evidence *e)
{
	char size[40];

	lines_begin(l, LINE_OURS);
	lines_s(l, ROLE_TEXT, e->path != NULL ? e->path : "");
	if (e->real != NULL && e->path != NULL && strcmp(e->real, e->path) != 0) {
		lines_s(l, ROLE_WARN, " → ");
		lines_s(l, ROLE_WARN, e->real);
	}
	snprintf(size, sizeof(size), _(" · %" PRId64 " bytes"), e->size);
	lines_s(l, ROLE_CHROME_DIM, " · ");
	lines_s(l, ROLE_CHROME_DIM, e->state != NULL ? e->state : "");
	if (e->size >= 0)
		lines_s(l, ROLE_CHROME_DIM, size);
	if (e->git != NULL) {
		lines_s(l, ROLE_CHROME_DIM, " · git ");
		lines_s(l, ROLE_CHROME_DIM, e->git);
	}
	if (e->digest != NULL) {
		lines_begin(l, LINE_OURS);
		lines_s(l, ROLE_CHROME_DIM, "  ");
		lines_s(l, ROLE_CHROME_DIM, e->digest);
	}
}

void view_facts_make(struct lines *l, const struct ui_row *r, const struct ui_action *a)
{
	char text[200];

	lines_free(l);
	snprintf(text, sizeof(text), "#%" PRIu64, a->id);
	fact(l, _("number"), text);
	fact(l, _("kind"), a->kind);
	fact(l, _("tool"), a->tool);
	fact(l, _("target"), a->target);
	fact(l, _("folder"), a->cwd);
	fact(l, _("workspace"), a->workspace);
	fact(l, _("reversibility"), a->reversibility);
	fact(l, _("because"), fmt_said(a->why_rev));
	if (r != NULL) {
		fmt_why_here(r, text, sizeof(text));
		fact(l, _("why here"), text);
		fact(l, _("rule"), r->rule);
		fact(l, _("care"), fmt_care(r->care));
		fact(l, _("cannot be approved"), fmt_why_not(r->why_not));
	}
	fact(l, _("hidden"), a->hidden_text);
	heading(l, _("Who asks"));
	snprintf(text, sizeof(text), "pid %" PRId64 ", uid %" PRId64, a->peer_pid, a->peer_uid);
	fact(l, _("agent"), r != NULL ? r->channel : NULL);
	fact(l, _("peer"), text);
	fact(l, _("program"), a->exe);
	fact(l, _("dialect"), a->dialect);
	fact(l, _("grade"), a->grade);
	fact(l, _("set-up"), a->setup);
	quoted(l, _("session"), a->session);
	quoted(l, _("session's title"), a->session_title);
	quoted(l, _("title"), a->title);
	quoted(l, _("turn"), a->turn);
	quoted(l, _("subagent"), a->subagent);
	quoted(l, _("task"), a->task);
	quoted(l, _("agent's words"), a->words);
	heading(l, _("Digests"));
	fact(l, _("as received"), a->raw_digest);
	fact(l, _("action"), a->action_digest);
	fact(l, _("as shown"), a->doc_digest);
	if (a->n_evidence > 0)
		heading(l, _("What was read"));
	for (size_t i = 0; i < a->n_evidence; i++)
		evidence(l, &a->evidence[i]);
}
