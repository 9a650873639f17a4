/*
 * mirror.c - see mirror.h.
 */
#include "console/mirror.h"

#include <stdlib.h>
#include <string.h>

void mirror_init(struct mirror *s)
{
	memset(s, 0, sizeof(*s));
}

static char **row_text(struct ui_row *r, size_t i)
{
	char **const all[] = { &r->kind, &r->channel, &r->session, &r->subagent, &r->tool,
		&r->text, &r->why, &r->rule, &r->why_not, &r->verb, &r->reason, &r->confirm,
		&r->outcome, &r->grade, &r->by_name, &r->by_console };

	return i < sizeof(all) / sizeof(all[0]) ? all[i] : NULL;
}

static void row_clear(struct ui_row *r)
{
	char **text;

	for (size_t i = 0; (text = row_text(r, i)) != NULL; i++)
		free(*text);
	memset(r, 0, sizeof(*r));
}

void mirror_rows_clear(struct mirror *s)
{
	for (size_t i = 0; i < s->n_rows; i++) {
		row_clear(s->rows[i]);
		free(s->rows[i]);
	}
	s->n_rows = 0;
}

void mirror_free(struct mirror *s)
{
	mirror_rows_clear(s);
	free(s->rows);
	mirror_sessions_clear(s);
	free(s->sessions);
	mirror_items_clear(s);
	free(s->hub.name);
	free(s->hub.setup);
	free(s->hub.console);
	free(s->hub.warning);
	free(s->hub.store);
	free(s->hub.text);
	memset(s, 0, sizeof(*s));
}

void mirror_set_text(char **to, char *owned)
{
	free(*to);
	*to = owned;
}

struct ui_row *mirror_row(const struct mirror *s, uint64_t id)
{
	for (size_t i = 0; id != 0 && i < s->n_rows; i++)
		if (s->rows[i]->id == id)
			return s->rows[i];
	return NULL;
}

void mirror_row_drop(struct mirror *s, uint64_t id)
{
	for (size_t i = 0; i < s->n_rows; i++)
		if (s->rows[i]->id == id) {
			row_clear(s->rows[i]);
			free(s->rows[i]);
			memmove(&s->rows[i], &s->rows[i + 1],
				(s->n_rows - i - 1) * sizeof(s->rows[0]));
			s->n_rows--;
			return;
		}
}

/* A console left alone for days must not grow: old closed rows go. */
static void make_room(struct mirror *s)
{
	if (s->n_rows < MIRROR_ROWS)
		return;
	for (size_t i = 0; i < s->n_rows; i++)
		if (s->rows[i]->state == ST_CLOSED) {
			mirror_row_drop(s, s->rows[i]->id);
			return;
		}
}

static struct ui_row *row_new(struct mirror *s, uint64_t id)
{
	struct ui_row *r = xcalloc(1, sizeof(*r));

	make_room(s);
	if (s->n_rows == s->cap_rows) {
		s->cap_rows = s->cap_rows == 0 ? 64 : s->cap_rows * 2;
		s->rows = xreallocarray(s->rows, s->cap_rows, sizeof(*s->rows));
	}
	s->rows[s->n_rows++] = r;
	r->id = id;
	return r;
}

static enum state state_from(struct sv name)
{
	for (int st = ST_RECEIVED; st <= ST_CLOSED; st++)
		if (sv_eqs(name, state_name((enum state)st)))
			return (enum state)st;
	return ST_ORPHANED; /* a word we do not know decides nothing */
}

static uint64_t u64_of(const struct jv *obj, const char *key)
{
	int64_t v = jv_get_i(obj, key, 0);

	return v > 0 ? (uint64_t)v : 0;
}

static void row_text_set(struct ui_row *r, const struct jv *j)
{
	const struct jv *by = jv_get(j, "by");

	r->kind = item_text(j, "kind");
	r->channel = item_text(j, "channel");
	r->session = item_text(j, "session");
	r->subagent = item_text(j, "subagent");
	r->tool = item_text(j, "tool");
	r->text = item_text(j, "text");
	r->why = item_text(j, "why");
	r->rule = item_text(j, "rule");
	r->why_not = item_text(j, "why_not");
	r->verb = item_text(j, "verb");
	r->reason = item_text(j, "reason");
	r->confirm = item_text(j, "confirm");
	r->outcome = item_text(j, "outcome");
	r->grade = item_text(j, "grade");
	r->by_name = item_text(by, "name");
	r->by_uid = jv_get_i(by, "uid", -1);
	r->by_console = item_text(by, "console");
}

struct ui_row *mirror_row_set(struct mirror *s, const struct jv *j, uint64_t now)
{
	uint64_t id = u64_of(j, "id"), age = u64_of(j, "age_ms"), since;
	struct ui_row *r;
	bool looked, expires = jv_get_i(j, "expires_ms", -1) >= 0;

	if (id == 0 || !jv_is_obj(j))
		return NULL;
	r = mirror_row(s, id);
	if (r == NULL)
		r = row_new(s, id);
	looked = r->looked;
	since = r->since;
	row_clear(r);
	r->id = id;
	row_text_set(r, j);
	r->state = state_from(jv_get_sv(j, "state"));
	if (!care_from_name(jv_get_sv(j, "care"), &r->care))
		r->care = CARE_LOCKED; /* unknown: the most careful */
	r->ready = jv_get_b(j, "ready", false);
	r->approvable = jv_get_b(j, "approvable", false);
	r->warn = jv_get_b(j, "warn", false);
	r->can_reason = jv_get_b(j, "can_reason", false);
	r->since = since != 0 ? since : now > age ? now - age : 1;
	r->expires_at = expires ? now + u64_of(j, "expires_ms") : 0;
	r->linked = u64_of(j, "linked");
	r->lines = (uint32_t)u64_of(j, "lines");
	r->mine = s->hub.console != NULL && r->by_console != NULL
		&& strcmp(r->by_console, s->hub.console) == 0;
	r->looked = looked && r->state == ST_CLOSED;
	return r;
}

static void session_clear(struct ui_session *x)
{
	free(x->channel);
	free(x->session);
	free(x->workspace);
	free(x->why);
	memset(x, 0, sizeof(*x));
}

void mirror_sessions_clear(struct mirror *s)
{
	for (size_t i = 0; i < s->n_sessions; i++)
		session_clear(&s->sessions[i]);
	s->n_sessions = 0;
}

static bool text_eq(const char *a, const char *b)
{
	return strcmp(a != NULL ? a : "", b != NULL ? b : "") == 0;
}

void mirror_session_set(struct mirror *s, const struct jv *j)
{
	struct ui_session x = {
		.channel = item_text(j, "channel"), .session = item_text(j, "session"),
		.workspace = item_text(j, "workspace"), .why = item_text(j, "why"),
		.red = jv_get_b(j, "red", false), .calls = (uint32_t)u64_of(j, "calls"),
		.passed = (uint32_t)u64_of(j, "passed"), .asked = (uint32_t)u64_of(j, "asked"),
	};

	for (size_t i = 0; i < s->n_sessions; i++)
		if (text_eq(s->sessions[i].channel, x.channel)
			&& text_eq(s->sessions[i].session, x.session)) {
			session_clear(&s->sessions[i]);
			s->sessions[i] = x;
			return;
		}
	if (s->n_sessions == MIRROR_SESSIONS) { /* the first that is not red goes */
		size_t k = 0;
		while (k + 1 < s->n_sessions && s->sessions[k].red)
			k++;
		session_clear(&s->sessions[k]);
		s->sessions[k] = x;
		return;
	}
	if (s->sessions == NULL)
		s->sessions = xcalloc(MIRROR_SESSIONS, sizeof(*s->sessions));
	s->sessions[s->n_sessions++] = x;
}

void mirror_hub_set(struct mirror *s, const struct jv *j)
{
	s->hub.hold = jv_get_b(j, "hold", s->hub.hold);
	if (jv_get(j, "store") != NULL)
		mirror_set_text(&s->hub.store, item_text(j, "store"));
	if (jv_get(j, "text") != NULL)
		mirror_set_text(&s->hub.text, item_text(j, "text"));
	s->hub.refused = (uint32_t)jv_get_i(j, "refused", s->hub.refused);
	if (jv_get(j, "warnings") != NULL)
		mirror_set_text(&s->hub.warning, item_text_of(jv_at(jv_get(j, "warnings"), 0)));
}

struct item *mirror_item(struct mirror *s, uint64_t id)
{
	for (int i = 0; i < MIRROR_ITEMS; i++)
		if (s->items[i] != NULL && s->items[i]->action.id == id) {
			s->items[i]->stamp = ++s->stamp;
			return s->items[i];
		}
	return NULL;
}

struct item *mirror_item_new(struct mirror *s, uint64_t id, uint64_t keep)
{
	int at = -1;

	for (int i = 0; i < MIRROR_ITEMS; i++) {
		if (s->items[i] == NULL) {
			at = i;
			break;
		}
		if (s->items[i]->action.id != keep
			&& (at < 0 || s->items[i]->stamp < s->items[at]->stamp))
			at = i;
	}
	if (s->items[at] != NULL)
		item_free(s->items[at]);
	else
		s->items[at] = xmalloc(sizeof(struct item));
	memset(s->items[at], 0, sizeof(struct item));
	s->items[at]->action.id = id;
	s->items[at]->stamp = ++s->stamp;
	return s->items[at];
}

void mirror_items_clear(struct mirror *s)
{
	for (int i = 0; i < MIRROR_ITEMS; i++)
		if (s->items[i] != NULL) {
			item_free(s->items[i]);
			free(s->items[i]);
			s->items[i] = NULL;
		}
}

unsigned mirror_waiting(const struct mirror *s)
{
	unsigned n = 0;

	for (size_t i = 0; i < s->n_rows; i++)
		n += s->rows[i]->state != ST_CLOSED;
	return n;
}
