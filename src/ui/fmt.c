/*
 * fmt.c - see fmt.h.
 */
#include "ui/fmt.h"

#include <stdio.h>
#include <string.h>

#include "base/i18n.h"

#define MINUTE 60000u
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)

void fmt_age(uint64_t ms, char *out, size_t n)
{
	if (ms < MINUTE)
		snprintf(out, n, "%s", _("<1m"));
	else if (ms < HOUR)
		snprintf(out, n, _("%um"), (unsigned)(ms / MINUTE));
	else if (ms < 2 * DAY)
		snprintf(out, n, _("%uh"), (unsigned)(ms / HOUR));
	else
		snprintf(out, n, _("%ud"), (unsigned)(ms / DAY));
}

void fmt_age_words(uint64_t ms, char *out, size_t n)
{
	if (ms < MINUTE)
		snprintf(out, n, "%s", _("under a minute"));
	else if (ms < HOUR)
		snprintf(out, n, _("%u min"), (unsigned)(ms / MINUTE));
	else if (ms < 2 * DAY)
		snprintf(out, n, _("%u h"), (unsigned)(ms / HOUR));
	else
		snprintf(out, n, P_("%u day", "%u days", ms / DAY), (unsigned)(ms / DAY));
}

void fmt_digest(const char *digest, char *out, size_t n)
{
	const char *hex = digest != NULL ? strchr(digest, ':') : NULL;
	size_t len;

	if (n > 0)
		out[0] = '\0';
	if (hex == NULL || (len = strlen(++hex)) < 8)
		return;
	snprintf(out, n, "%.6s…%s", hex, hex + len - 2);
}

const char *fmt_care(enum care c)
{
	static const char *const words[] = {
		[CARE_GLANCE] = N_("glance"), [CARE_READ] = N_("read"),
		[CARE_CONFIRM] = N_("confirm"), [CARE_TWO] = N_("two"),
		[CARE_LOCKED] = N_("locked"),
	};
	return _(words[c]);
}

const char *fmt_setup(const char *setup)
{
	if (setup != NULL && strcmp(setup, "split_user") == 0)
		return _("split user");
	if (setup != NULL && strcmp(setup, "same_user") == 0)
		return _("same user: advisory");
	return "";
}

static const struct {
	const char *outcome, *word, *why;
} outcomes[] = {
	{ "approved", N_("approved"), N_("It was approved; nothing is left to decide.") },
	{ "denied", N_("denied"), N_("It was denied; nothing is left to decide.") },
	{ "expired", N_("expired"), N_("Its time ran out; the agent was told that nobody answered.") },
	{ "withdrawn", N_("withdrawn"), N_("The agent took it back or went away.") },
	{ "superseded", N_("changed"), N_("It changed while it waited; the new one waits in the queue.") },
	{ "answered_elsewhere", N_("answered elsewhere"),
	  N_("Somebody answered in the agent's own window.") },
	{ "refused", N_("refused"), N_("It was refused: unreadable, or over a limit.") },
	{ "lost", N_("lost"), N_("The hub died while it waited, and its agent did not come back.") },
	{ "passed", N_("passed"), N_("It passed by default; it was not for you to decide.") },
};

void fmt_state(const struct ui_row *r, char *out, size_t n)
{
	const char *word = r->outcome != NULL ? r->outcome : "";

	out[0] = '\0';
	if (r->state == ST_RELEASING && r->verb != NULL && strcmp(r->verb, "approve") == 0) {
		snprintf(out, n, "%s", r->mine ? _("releasing: any letter takes it back")
			: _("releasing"));
		return;
	}
	if (r->state == ST_RELEASING) {
		snprintf(out, n, "%s", r->mine ? _("denied: u takes it back") : _("denying"));
		return;
	}
	if (r->state == ST_ORPHANED)
		snprintf(out, n, "%s", _("its agent is gone"));
	else if (r->state == ST_RECEIVED || !r->ready)
		snprintf(out, n, "%s", _("being read"));
	if (r->state != ST_CLOSED)
		return;
	for (size_t i = 0; i < sizeof(outcomes) / sizeof(outcomes[0]); i++)
		if (strcmp(outcomes[i].outcome, word) == 0)
			word = _(outcomes[i].word);
	if (r->by_name != NULL && r->by_name[0] != '\0' && !r->mine)
		snprintf(out, n, _("%s by %s"), word, r->by_name);
	else
		snprintf(out, n, "%s", word);
}

void fmt_why_closed(const struct ui_row *r, char *out, size_t n)
{
	char who[160] = "";

	out[0] = '\0';
	if (r->state == ST_RELEASING && r->verb != NULL && strcmp(r->verb, "approve") == 0)
		snprintf(out, n, "%s", _("Approved; it is being released."));
	else if (r->state == ST_RELEASING)
		snprintf(out, n, "%s", _("Denied; it can still be taken back."));
	if (r->state == ST_ORPHANED)
		snprintf(out, n, "%s", _("The hub was restarted and its agent has not come back yet."));
	if (r->state != ST_CLOSED)
		return;
	if (r->by_name != NULL && r->by_name[0] != '\0')
		snprintf(who, sizeof(who), " (%s)", r->by_name);
	for (size_t i = 0; i < sizeof(outcomes) / sizeof(outcomes[0]); i++)
		if (r->outcome != NULL && strcmp(outcomes[i].outcome, r->outcome) == 0)
			snprintf(out, n, "%s%s", _(outcomes[i].why), who);
	if (out[0] == '\0')
		snprintf(out, n, "%s", _("It is closed."));
}

const char *fmt_said(const char *english)
{
	return english != NULL && english[0] != '\0' ? gettext(english) : "";
}

void fmt_why_here(const struct ui_row *r, char *out, size_t n)
{
	if (r->rule != NULL && r->rule[0] != '\0')
		snprintf(out, n, _("rule “%s”"), r->rule);
	else
		snprintf(out, n, "%s", fmt_said(r->why));
}

const char *fmt_why_not(const char *word)
{
	static const struct {
		const char *word, *text;
	} words[] = {
		{ "empty", N_("the payload is empty or lacks what it needs") },
		{ "unreadable", N_("the payload cannot be read, or says two things") },
		{ "secret", N_("it asks for a secret") },
		{ "question", N_("a question can only be declined here") },
		{ "over_limit", N_("it is over a limit: not all of it can be shown") },
	};

	for (size_t i = 0; word != NULL && i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(words[i].word, word) == 0)
			return _(words[i].text);
	return fmt_said(word);
}
