/*
 * app_keys.c - from a key to what it does.
 */
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"
#include "console/app.h"

static void put_away(struct app *a, bool all)
{
	for (size_t i = 0; i < a->st.n_rows;) {
		const struct ui_row *r = a->st.rows[i];

		if (r->state == ST_CLOSED && r->id != a->open_id
			&& (all || r->mine || (r->looked && r->id != a->queue.cursor)))
			mirror_row_drop(&a->st, r->id);
		else
			i++;
	}
}

static void open_cursor(struct app *a)
{
	struct line_source preview;
	struct ui_queue m = app_queue(a, &preview);

	view_queue_layout(&a->queue, &m);
	if (a->queue.cursor != 0)
		app_open(a, a->queue.cursor);
	else /* on nothing: Enter only puts the cursor somewhere */
		(void)view_queue_cmd(&a->queue, &m, CMD_DOWN);
}

static void open_linked(struct app *a)
{
	const struct ui_row *r = mirror_row(&a->st, a->open_id);

	if (r != NULL && r->state == ST_CLOSED && r->linked != 0
		&& mirror_row(&a->st, r->linked) != NULL)
		app_open(a, r->linked);
}

static void open_help(struct app *a)
{
	a->under_help = a->view;
	view_help_open(&a->help, a->view);
	a->view = IN_HELP;
	app_disarm(a);
}

static void back(struct app *a)
{
	if (a->view == IN_HELP) {
		view_help_close(&a->help);
		a->view = a->under_help;
	} else if (a->action.mode != MODE_DOC) {
		a->action.mode = MODE_DOC;
	} else {
		app_to_queue(a);
		put_away(a, false);
	}
}

static void toggle_hold(struct app *a)
{
	struct jv *p = jv_obj();

	jv_put_b(p, "on", !a->st.hub.hold);
	app_ask(a, "hub/hold", p, (struct request){ .ask = ASK_HOLD });
}

static void extend(struct app *a)
{
	uint64_t id = a->view == IN_ACTION ? a->open_id : a->queue.cursor;
	struct jv *p;

	if (id == 0)
		return;
	p = app_id(id);
	jv_put_i(p, "ms", APP_EXTEND_MS);
	app_ask(a, "action/extend", p, (struct request){ .ask = ASK_EXTEND, .id = id });
}

/* What only moves, folds or changes what is shown. */
static void move(struct app *a, enum cmd c)
{
	struct line_source src[2], preview;

	if (a->view == IN_QUEUE) {
		struct ui_queue m = app_queue(a, &preview);
		(void)view_queue_cmd(&a->queue, &m, c);
		put_away(a, false);
	} else if (a->view == IN_ACTION) {
		struct ui_opened m = app_opened(a, src);
		(void)view_action_cmd(&a->action, &m, a->w, c);
	} else {
		(void)view_help_cmd(&a->help, a->w, c);
	}
}

static void carry_out(struct app *a, enum cmd c, const struct key_event *ev)
{
	if ((commands[c].flags & (CMD_DENIES | CMD_CHANGES)) != 0 && !a->st.hub.connected) {
		app_say(a, ROLE_DANGER, "%s", _("The hub is gone; nothing can be decided."));
		return;
	}
	switch (c) {
	case CMD_OPEN:
		if (a->view == IN_QUEUE)
			open_cursor(a);
		else
			open_linked(a);
		break;
	case CMD_APPROVE: app_approve(a, ev); break;
	case CMD_DENY: app_deny(a, VERB_DENY); break;
	case CMD_DENY_STOP: app_deny(a, VERB_STOP); break;
	case CMD_STOP_ALL: app_stop_all(a); break;
	case CMD_TAKE_BACK: app_take_back(a); break;
	case CMD_EXTEND: extend(a); break;
	case CMD_HOLD: toggle_hold(a); break;
	case CMD_CLEAR: put_away(a, true); break;
	case CMD_HELP: open_help(a); break;
	case CMD_BACK: back(a); break;
	case CMD_DETACH: a->quit = true; break;
	case CMD_SUSPEND: a->suspend = true; break;
	case CMD_REDRAW: a->redraw = true; break;
	default: move(a, c); break;
	}
}

/* A printable key while our approval is held takes it back: Input 2. */
static bool takes_back(struct app *a, const struct key_event *ev)
{
	uint64_t id = a->hold_id;

	if (id == 0 || !key_is_printable(ev))
		return false;
	a->hold_id = 0;
	a->swallow_until = ev->at + APP_QUIET_MS;
	app_ask(a, "action/take_back", app_id(id), (struct request){ .ask = ASK_TAKE_BACK,
		.id = id });
	app_say(a, ROLE_WARN, "%s", _("Taking it back …"));
	return true;
}

void app_key(void *app, const struct key_event *ev)
{
	struct app *a = app;
	bool swallow;
	enum cmd c;

	if (a->dropping) {
		if (key_is_printable(ev))
			a->last_printable = ev->at;
		return;
	}
	a->dirty = true;
	if (a->prompt.kind != PROMPT_NONE) {
		a->message[0] = '\0';
		if (ev->name == KEY_CTRL && ev->cp == 'z' && !ev->pasted)
			a->suspend = true;
		else
			app_prompt_key(a, ev);
		return;
	}
	put_away(a, false); /* our own decisions, with the next key */
	c = command_for(a->view, ev);
	if (takes_back(a, ev)) {
		a->last_printable = ev->at;
		/* Denying works at once, whatever else the key does. */
		if ((commands[c].flags & CMD_DENIES) != 0)
			carry_out(a, c, ev);
		return;
	}
	swallow = key_is_printable(ev) && ev->at < a->swallow_until && c != CMD_STOP_ALL;
	if (swallow)
		a->swallow_until = ev->at + APP_QUIET_MS;
	else
		a->message[0] = '\0';
	if (c != CMD_NONE && !swallow)
		carry_out(a, c, ev);
	if (key_is_printable(ev))
		a->last_printable = ev->at;
}
