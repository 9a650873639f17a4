/*
 * app_decide.c - approving, denying, stopping, taking back.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "console/app.h"

static const char *const verbs[] = { [VERB_APPROVE] = "approve", [VERB_DENY] = "deny",
	[VERB_STOP] = "stop" };

/* Names what was on the screen: a decision binds to these digests. */
static void decide(struct app *a, struct ui_row *r, enum verb v, const char *typed)
{
	struct item *it = mirror_item(&a->st, r->id);
	struct jv *p = app_id(r->id);

	if (it != NULL && it->action.action_digest != NULL)
		jv_put_s(p, "action_digest", it->action.action_digest);
	if (it != NULL && it->action.doc_digest != NULL)
		jv_put_s(p, "doc_digest", it->action.doc_digest);
	app_viewed(a, it);
	jv_put_s(p, "outcome", verbs[v]);
	if (v != VERB_APPROVE)
		jv_put_b(p, "reason_open", true);
	if (typed != NULL)
		jv_put_s(p, "typed", typed);
	app_ask(a, "action/decide", p, (struct request){ .ask = ASK_DECIDE, .id = r->id,
		.verb = v, .before = r->state });
	/* Shown at once; the hub's word comes and wins. */
	r->state = ST_RELEASING;
	mirror_set_text(&r->verb, xstrdup(verbs[v]));
	r->mine = true;
}

static void approve_now(struct app *a, const char *typed)
{
	struct ui_row *r = mirror_row(&a->st, app_target(a));

	decide(a, r, VERB_APPROVE, typed);
	a->hold_id = r->id;
	app_to_queue(a); /* the next action is not opened by itself */
}

/* Why a key press does not approve although the action could be approved. */
static const char *timing(struct app *a, const struct key_event *ev)
{
	if (ev->pasted)
		return _("pasted text approves nothing");
	if (!ev->alone || ev->meta)
		return _("that came with other keys: press a by itself");
	if (!app_stands(a) || ev->at < a->armed_at)
		return _("look first: this has only just come up");
	if (a->last_printable != 0 && ev->at - a->last_printable < APP_QUIET_MS)
		return _("that was typed too fast: press a again");
	return NULL;
}

const char *app_blocked(struct app *a)
{
	const struct ui_row *r = mirror_row(&a->st, app_target(a));
	struct line_source src[2];
	struct ui_opened m;

	if (a->view == IN_QUEUE && r == NULL)
		return _("nothing is selected");
	if (a->view == IN_QUEUE && r->care != CARE_GLANCE)
		return _("open it first");
	if (a->view == IN_QUEUE && !a->queue.whole)
		return _("not all of it fits here: open it first");
	m = app_opened(a, src);
	return view_action_blocked(&a->action, &m, a->w, a->h);
}

void app_approve(struct app *a, const struct key_event *ev)
{
	const struct ui_row *r = mirror_row(&a->st, app_target(a));
	const char *why = app_blocked(a);

	if (why == NULL)
		why = timing(a, ev);
	if (why != NULL) {
		app_say(a, ROLE_WARN, _("Not approved: %s."), why);
		return;
	}
	if (r->care == CARE_CONFIRM) {
		if (r->confirm == NULL || strlen(r->confirm) >= sizeof(a->prompt.word)) {
			app_say(a, ROLE_DANGER, "%s",
				_("Not approved: the hub named no word to confirm it with."));
			return;
		}
		prompt_open(&a->prompt, PROMPT_CONFIRM, r->id);
		memcpy(a->prompt.word, r->confirm, strlen(r->confirm) + 1);
		return;
	}
	approve_now(a, NULL);
}

/* Enter in the confirm prompt: the same conditions, but for the letters. */
static void confirm_sent(struct app *a)
{
	const char *why = app_blocked(a);
	char *typed;

	if (why == NULL && a->prompt.id != app_target(a))
		why = _("it is closed");
	if (why == NULL && a->armed_at == 0)
		why = _("it changed while you typed: read it again");
	if (why == NULL && a->prompt.tainted)
		why = _("the word must be typed, not pasted");
	typed = xmemdup0(a->prompt.text.n > 0 ? a->prompt.text.p : "", a->prompt.text.n);
	if (why == NULL && strcmp(typed, a->prompt.word) != 0)
		why = _("that was another word");
	prompt_close(&a->prompt);
	if (why != NULL)
		app_say(a, ROLE_WARN, _("Not approved: %s."), why);
	else
		approve_now(a, typed);
	free(typed);
}

void app_deny(struct app *a, enum verb v)
{
	uint64_t id = a->view == IN_ACTION ? a->open_id : a->queue.cursor;
	struct ui_row *r = mirror_row(&a->st, id);

	if (r == NULL) {
		app_say(a, ROLE_WARN, "%s", _("Nothing is selected."));
		return;
	}
	if (r->state == ST_CLOSED) {
		app_say(a, ROLE_WARN, "%s", _("It is closed already."));
		return;
	}
	if (r->state == ST_ORPHANED) {
		app_say(a, ROLE_WARN, "%s", _("Its agent is gone: there is nobody to tell."));
		return;
	}
	if (a->hold_id == id)
		a->hold_id = 0;
	decide(a, r, v, NULL);
	a->last_denied = id;
	prompt_open(&a->prompt, PROMPT_REASON, id);
	a->prompt.carries = r->can_reason;
}

static void reason_done(struct app *a, bool send)
{
	struct jv *p = app_id(a->prompt.id);
	uint64_t id = a->prompt.id;

	if (send && a->prompt.text.n > 0)
		jv_put_sv(p, "reason", buf_sv(&a->prompt.text));
	app_ask(a, "action/reason", p, (struct request){ .ask = ASK_REASON, .id = id });
	prompt_close(&a->prompt);
	if (a->view == IN_ACTION)
		app_to_queue(a);
}

static void take_back_one(struct app *a, uint64_t id)
{
	app_ask(a, "action/take_back", app_id(id),
		(struct request){ .ask = ASK_TAKE_BACK, .id = id });
}

void app_prompt_key(struct app *a, const struct key_event *ev)
{
	enum prompt_kind kind = a->prompt.kind;

	switch (prompt_key(&a->prompt, ev)) {
	case PROMPT_GOES_ON: break;
	case PROMPT_SENT:
		if (kind == PROMPT_CONFIRM)
			confirm_sent(a);
		else
			reason_done(a, true);
		break;
	case PROMPT_LEFT:
		if (kind == PROMPT_REASON)
			reason_done(a, false);
		else
			prompt_close(&a->prompt);
		break;
	case PROMPT_TAKE_BACK:
		take_back_one(a, a->prompt.id);
		prompt_close(&a->prompt);
		break;
	}
}

void app_stop_all(struct app *a)
{
	app_ask(a, "hub/stop_all", jv_obj(), (struct request){ .ask = ASK_STOP_ALL });
	a->hold_id = 0;
	a->stopped_until = a->now + HOLD_DENY_MS;
	if (a->view == IN_ACTION)
		app_to_queue(a);
}

void app_take_back(struct app *a)
{
	uint64_t at = a->view == IN_ACTION ? a->open_id : a->queue.cursor;
	bool any = false;
	struct jv *p;

	if (a->now < a->stopped_until) { /* the stop button's whole work */
		a->stopped_until = 0;
		for (size_t i = 0; i < a->st.n_rows; i++)
			if (a->st.rows[i]->state == ST_RELEASING && a->st.rows[i]->mine) {
				take_back_one(a, a->st.rows[i]->id);
				any = true;
			}
		p = jv_obj();
		jv_put_b(p, "on", false);
		app_ask(a, "hub/hold", p, (struct request){ .ask = ASK_HOLD });
	} else {
		const struct ui_row *r = mirror_row(&a->st, at);
		if (r == NULL || r->state != ST_RELEASING)
			r = mirror_row(&a->st, a->last_denied);
		any = r != NULL && r->state == ST_RELEASING;
		if (any)
			take_back_one(a, r->id);
	}
	if (!any)
		app_say(a, ROLE_WARN, "%s", _("Nothing can be taken back any more."));
}

/* The hub's words for why a decision did not happen. */
static const char *error_words(const char *word)
{
	static const struct {
		const char *word, *text;
	} words[] = {
		{ "already", N_("it was decided already") },
		{ "changed", N_("it changed meanwhile: read it again") },
		{ "expired", N_("its time ran out") },
		{ "not_seen", N_("not all of it has been on the screen yet") },
		{ "not_ready", N_("it is still being read") },
		{ "locked", N_("it asks for a secret and is locked") },
		{ "typed_wrong", N_("that was another word") },
		{ "needs_second", N_("a second person must agree") },
		{ "not_allowed", N_("you may not decide this") },
		{ "not_pending", N_("it does not wait any more") },
		{ "unknown_id", N_("the hub no longer has it") },
		{ "store", N_("it could not be recorded, so nothing was released") },
	};

	for (size_t i = 0; word != NULL && i < sizeof(words) / sizeof(words[0]); i++)
		if (strcmp(words[i].word, word) == 0)
			return _(words[i].text);
	return _("the hub refused");
}

void app_decided(struct app *a, struct request rq, const struct jv *error)
{
	struct ui_row *r = mirror_row(&a->st, rq.id);
	const struct jv *data = jv_get(error, "data");
	struct item *it = mirror_item(&a->st, rq.id);
	char *word, *who;

	if (error == NULL)
		return;
	word = item_text(data, "error");
	who = item_text(jv_get(data, "by"), "name");
	if (a->hold_id == rq.id)
		a->hold_id = 0;
	if (a->prompt.kind != PROMPT_NONE && a->prompt.id == rq.id)
		prompt_close(&a->prompt);
	if (r != NULL && r->state == ST_RELEASING && r->mine) {
		r->state = rq.before;
		r->mine = false;
	}
	app_say(a, ROLE_DANGER, who != NULL ? _("#%" PRIu64 ": not %s: %s (%s).")
		: _("#%" PRIu64 ": not %s: %s."), rq.id,
		rq.verb == VERB_APPROVE ? _("approved") : _("denied"), error_words(word),
		who != NULL ? who : "");
	/* What the hub holds to be unseen is: its word counts. */
	if (it != NULL && word != NULL && strcmp(word, "not_seen") == 0) {
		kept_drop(&a->kept, rq.id);
		seen_reset(&it->seen);
		app_refetch(a, it);
	} else if (it != NULL && word != NULL && strcmp(word, "changed") == 0) {
		app_refetch(a, it);
	}
	free(word);
	free(who);
}
