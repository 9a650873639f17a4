/*
 * app_hub.c - what the hub says: answers, errors and notifications.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/i18n.h"
#include "console/app.h"

static const char *str(const char *s)
{
	return s != NULL ? s : "";
}

void app_connected(struct app *a, uint64_t now)
{
	struct jv *p = jv_obj(), *c = jv_obj();
	const char *tty = ttyname(0), *ssh = getenv("SSH_CONNECTION"), *tmux = getenv("TMUX");

	a->now = now;
	memset(a->requests, 0, sizeof(a->requests));
	jv_put_i(p, "protocol", 1);
	jv_put_s(c, "name", a->name[0] != '\0' ? a->name : "obstat");
	jv_put_s(c, "version", PACKAGE_VERSION);
	if (tty != NULL)
		jv_put_s(c, "tty", tty);
	if (ssh != NULL)
		jv_put_s(c, "ssh", ssh);
	if (tmux != NULL)
		jv_put_s(c, "tmux", tmux);
	jv_put(p, "console", c);
	app_ask(a, "hello", p, (struct request){ .ask = ASK_HELLO });
	app_ask(a, "queue/subscribe", jv_obj(), (struct request){ .ask = ASK_SUBSCRIBE });
	a->dirty = true;
}

void app_disconnected(struct app *a, uint64_t now)
{
	a->now = now;
	a->st.hub.connected = false;
	app_disarm(a);
	a->hold_id = 0;
	a->stopped_until = 0;
	prompt_close(&a->prompt);
	for (int i = 0; i < MIRROR_ITEMS; i++)
		if (a->st.items[i] != NULL)
			a->st.items[i]->asked = false;
	a->dirty = true;
}

static void on_hello(struct app *a, const struct jv *r)
{
	struct ui_hub *h = &a->st.hub;
	const struct jv *you = jv_get(r, "you");

	h->uid = (uint32_t)jv_get_i(you, "uid", 0);
	mirror_set_text(&h->console, item_text(you, "console"));
	mirror_set_text(&h->name, item_text(you, "name"));
	mirror_set_text(&h->setup, item_text(r, "setup"));
	mirror_hub_set(&a->st, r); /* its warnings */
}

static void on_subscribe(struct app *a, const struct jv *r)
{
	const struct jv *rows = jv_get(r, "rows"), *sessions = jv_get(r, "sessions");
	struct item *it;

	mirror_rows_clear(&a->st);
	mirror_sessions_clear(&a->st);
	mirror_items_clear(&a->st); /* what was seen, the hub tells again, or we do */
	if (a->st.hub.ever)
		a->message[0] = '\0'; /* that the hub is gone */
	a->st.hub.connected = a->st.hub.ever = true;
	a->st.hub.hold = jv_get_b(r, "hold", false);
	for (size_t i = 0; i < jv_len(rows); i++)
		(void)mirror_row_set(&a->st, jv_at(rows, i), a->now);
	for (size_t i = 0; i < jv_len(sessions); i++)
		mirror_session_set(&a->st, jv_at(sessions, i));
	if (a->view == IN_ACTION || (a->view == IN_HELP && a->under_help == IN_ACTION)) {
		it = app_item(a, a->open_id);
		it->action.gone = mirror_row(&a->st, a->open_id) == NULL;
		app_disarm(a);
	}
}

/* A row we hold or type a reason for, or look at, has changed. */
static void row_news(struct app *a, const struct ui_row *r, enum state before)
{
	struct item *it = NULL;

	if (r->id == a->hold_id && r->state != ST_RELEASING)
		a->hold_id = 0;
	if (a->prompt.kind != PROMPT_NONE && a->prompt.id == r->id
		&& (r->state == ST_CLOSED || (r->state == ST_PENDING && before == ST_RELEASING
		&& a->prompt.kind == PROMPT_REASON))) {
		prompt_close(&a->prompt);
		app_say(a, ROLE_WARN, "%s", r->state == ST_CLOSED
			? _("It was closed meanwhile.") : _("It was taken back."));
	}
	for (int i = 0; i < MIRROR_ITEMS; i++)
		if (a->st.items[i] != NULL && a->st.items[i]->action.id == r->id)
			it = a->st.items[i];
	/* Its document may have been built, or be another one. */
	if (it != NULL && r->state != ST_CLOSED && (!it->action.loaded
		|| (r->ready && r->lines != 0 && r->lines != it->action.lines)))
		app_refetch(a, it);
	if (app_target(a) == r->id && r->state != before)
		app_disarm(a);
}

static void on_row(struct app *a, const struct jv *row, bool added)
{
	struct ui_row *r = mirror_row(&a->st, (uint64_t)jv_get_i(row, "id", 0));
	enum state before = r != NULL ? r->state : ST_RECEIVED;
	bool was_mine = r != NULL && r->mine;

	r = mirror_row_set(&a->st, row, a->now);
	if (r == NULL)
		return;
	if (added && r->state != ST_CLOSED)
		a->bell = true;
	if (r->state == ST_CLOSED)
		kept_drop(&a->kept, r->id);
	row_news(a, r, before);
	/* Our own decision needs no looking at again. */
	if (r->state == ST_CLOSED && (r->mine || was_mine) && r->outcome != NULL
		&& (strcmp(r->outcome, "approved") == 0 || strcmp(r->outcome, "denied") == 0)) {
		r->mine = true;
		r->looked = true;
		if (a->prompt.kind == PROMPT_NONE && a->message[0] == '\0')
			app_say(a, ROLE_OK, strcmp(r->outcome, "approved") == 0
				? _("#%" PRIu64 " approved: on record, and its agent was told.")
				: _("#%" PRIu64 " denied: on record, and its agent was told."), r->id);
	}
}

static void on_presence(struct app *a, const struct jv *p)
{
	struct item *it = mirror_item(&a->st, (uint64_t)jv_get_i(p, "id", 0));

	if (it != NULL)
		item_presence(it, jv_get(p, "people"));
}

static void on_note(struct app *a, struct sv method, const struct jv *p)
{
	if (sv_eqs(method, "queue/added"))
		on_row(a, jv_get(p, "row"), true);
	else if (sv_eqs(method, "queue/changed") || sv_eqs(method, "queue/closed"))
		on_row(a, jv_get(p, "row"), false);
	else if (sv_eqs(method, "session/changed"))
		mirror_session_set(&a->st, jv_get(p, "session"));
	else if (sv_eqs(method, "hub/state"))
		mirror_hub_set(&a->st, p);
	else if (sv_eqs(method, "presence"))
		on_presence(a, p);
}

static void on_get(struct app *a, const struct request *rq, const struct jv *r,
	const struct jv *error)
{
	struct item *it = mirror_item(&a->st, rq->id);

	if (it == NULL)
		return;
	it->asked = false;
	it->action.gone = error != NULL;
	if (error != NULL)
		return;
	if (item_set(it, r) && rq->id == a->open_id) {
		app_disarm(a);
		pager_to(&a->action.doc, 0);
	}
	app_seen_again(a, it);
	a->action.facts_made = false;
	if (jv_is_obj(jv_get(r, "row")))
		(void)mirror_row_set(&a->st, jv_get(r, "row"), a->now);
}

/* Errors of small requests, in words. */
static void on_error(struct app *a, const struct request *rq, const struct jv *error)
{
	char *word = item_text(jv_get(error, "data"), "error");
	char *text = item_text(error, "message");

	if (rq->ask == ASK_TAKE_BACK)
		app_say(a, ROLE_DANGER, "%s", _("Too late to take it back: it was released."));
	else if (rq->ask == ASK_HELLO || rq->ask == ASK_SUBSCRIBE)
		app_say(a, ROLE_DANGER, _("The hub refused this console: %s"), str(text));
	else if (rq->ask != ASK_OTHER && rq->ask != ASK_REASON)
		app_say(a, ROLE_WARN, _("The hub says: %s"), text != NULL ? text : str(word));
	free(word);
	free(text);
}

static void on_result(struct app *a, const struct request *rq, const struct jv *r)
{
	struct item *it = mirror_item(&a->st, rq->id);

	switch (rq->ask) {
	case ASK_HELLO: on_hello(a, r); break;
	case ASK_SUBSCRIBE: on_subscribe(a, r); break;
	case ASK_LINES:
		if (it != NULL)
			item_doc_put(it, rq->index, r);
		break;
	case ASK_RAW:
		if (it != NULL)
			item_raw_put(it, rq->index, r);
		break;
	case ASK_TAKE_BACK: app_say(a, ROLE_OK, "%s", _("Taken back: it waits again.")); break;
	case ASK_STOP_ALL:
		app_say(a, ROLE_WARN, P_("Stopped: %d denied, new requests are held. u takes it back.",
			"Stopped: %d denied, new requests are held. u takes it back.",
			jv_get_i(r, "denied", 0)), (int)jv_get_i(r, "denied", 0));
		break;
	case ASK_HOLD: a->st.hub.hold = jv_get_b(r, "hold", a->st.hub.hold); break;
	case ASK_EXTEND: app_say(a, ROLE_OK, "%s", _("Ten more minutes.")); break;
	case ASK_GET: case ASK_DECIDE: case ASK_REASON: case ASK_OTHER: break;
	}
}

static void on_answer(struct app *a, const struct jv *m)
{
	uint64_t rpc = (uint64_t)jv_get_i(m, "id", 0);
	struct request *slot = &a->requests[rpc % APP_REQUESTS], rq = *slot;
	const struct jv *error = jv_get(m, "error"), *result = jv_get(m, "result");
	struct item *it;

	if (rpc == 0 || rq.rpc != rpc)
		return;
	slot->rpc = 0;
	if (!jv_is_obj(error))
		error = NULL;
	if (rq.ask == ASK_GET) {
		on_get(a, &rq, result, error);
	} else if (rq.ask == ASK_DECIDE) {
		app_decided(a, rq, error);
	} else if (error != NULL && (rq.ask == ASK_LINES || rq.ask == ASK_RAW)) {
		it = mirror_item(&a->st, rq.id);
		if (it != NULL)
			chunks_fail(rq.ask == ASK_LINES ? &it->doc : &it->raw, rq.index);
	} else if (error != NULL) {
		on_error(a, &rq, error);
	} else {
		on_result(a, &rq, result);
	}
}

void app_line(struct app *a, struct sv line, uint64_t now)
{
	struct jv *m = jv_read(line, NULL);
	struct sv method;

	a->now = now;
	if (m == NULL)
		return; /* not ours to judge: a line we cannot read changes nothing */
	method = jv_get_sv(m, "method");
	if (method.p != NULL)
		on_note(a, method, jv_get(m, "params"));
	else
		on_answer(a, m);
	jv_free(&m);
	a->dirty = true;
}
