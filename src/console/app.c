/*
 * app.c - the console's life, requests to the hub, and drawing. See app.h.
 */
#include "console/app.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/i18n.h"

#define LINE_MAX_BYTES (1u << 20)

void app_init(struct app *a, void (*send)(void *, struct sv), void *arg)
{
	memset(a, 0, sizeof(*a));
	mirror_init(&a->st);
	keydec_init(&a->keys);
	a->send = send;
	a->arg = arg;
	a->view = IN_QUEUE;
	a->rpc_next = 1;
	a->w = 80;
	a->h = 24;
	a->dirty = true;
}

void app_free(struct app *a)
{
	mirror_free(&a->st);
	kept_free(&a->kept);
	prompt_close(&a->prompt);
	view_queue_free(&a->queue);
	view_action_close(&a->action);
	view_help_close(&a->help);
	free(a->drawn_key);
	free(a->shown_key);
	memset(a, 0, sizeof(*a));
}

void app_say(struct app *a, enum role r, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(a->message, sizeof(a->message), fmt, ap);
	va_end(ap);
	a->message_role = r;
	a->dirty = true;
}

void app_disarm(struct app *a)
{
	a->armed_at = 0;
	free(a->shown_key);
	a->shown_key = NULL;
}

struct jv *app_id(uint64_t id)
{
	struct jv *p = jv_obj();

	jv_put_i(p, "id", (int64_t)id);
	return p;
}

/* {"jsonrpc":"2.0","id":N,"method":M,"params":P}; owned is freed. */
void app_ask(struct app *a, const char *method, struct jv *owned, struct request rq)
{
	struct jv *m = jv_obj();
	struct request *slot = &a->requests[a->rpc_next % APP_REQUESTS];
	struct buf b;

	rq.rpc = a->rpc_next++;
	*slot = rq; /* one so old that its slot is taken again is not missed */
	jv_put_s(m, "jsonrpc", "2.0");
	jv_put_i(m, "id", (int64_t)rq.rpc);
	jv_put_s(m, "method", method);
	jv_put(m, "params", owned);
	buf_init(&b, LINE_MAX_BYTES);
	if (jv_write(m, &b) == 0 && buf_addc(&b, '\n') == 0)
		a->send(a->arg, buf_sv(&b));
	buf_free(&b);
	jv_free(&m);
}

static void fetch_doc(void *arg, uint32_t index)
{
	struct item *it = arg;
	struct app *a = it->owner;
	struct jv *p = app_id(it->action.id);
	uint32_t to = (index + 1) * ITEM_DOC_LINES;
	uint32_t from = index * ITEM_DOC_LINES + chunks_have(&it->doc, index);

	jv_put_i(p, "from", from);
	jv_put_i(p, "to", to < it->doc.total ? to : it->doc.total);
	app_ask(a, "doc/lines", p, (struct request){ .ask = ASK_LINES,
		.id = it->action.id, .index = index });
}

static void fetch_raw(void *arg, uint32_t index)
{
	struct item *it = arg;
	struct app *a = it->owner;
	struct jv *p = app_id(it->action.id);
	uint64_t from = (uint64_t)index * ITEM_RAW_BYTES, to = from + ITEM_RAW_BYTES;

	if (to > it->raw_total)
		to = it->raw_total;
	jv_put_i(p, "from", (int64_t)from);
	jv_put_i(p, "to", (int64_t)to);
	app_ask(a, "raw/bytes", p, (struct request){ .ask = ASK_RAW,
		.id = it->action.id, .index = index });
}

void app_refetch(struct app *a, struct item *it)
{
	if (it->asked || !a->st.hub.connected)
		return;
	it->asked = true;
	app_ask(a, "action/get", app_id(it->action.id),
		(struct request){ .ask = ASK_GET, .id = it->action.id });
}

struct item *app_item(struct app *a, uint64_t id)
{
	struct item *it = mirror_item(&a->st, id);

	if (it == NULL) {
		it = mirror_item_new(&a->st, id, a->open_id);
		item_init(it, id, fetch_doc, fetch_raw, a);
		app_refetch(a, it);
	}
	return it;
}

static void viewing(struct app *a, uint64_t id, bool on)
{
	struct jv *p = app_id(id);

	jv_put_b(p, "on", on);
	if (!on)
		app_viewed(a, mirror_item(&a->st, id));
	if (a->st.hub.connected)
		app_ask(a, "action/viewing", p, (struct request){ .ask = ASK_OTHER, .id = id });
	else
		jv_free(&p);
}

void app_open(struct app *a, uint64_t id)
{
	struct item *it;

	if (a->view == IN_ACTION)
		viewing(a, a->open_id, false);
	view_action_close(&a->action);
	view_action_open(&a->action);
	a->open_id = id;
	a->view = IN_ACTION;
	app_disarm(a);
	a->opened_at = a->now;
	it = app_item(a, id);
	if (!it->action.loaded)
		app_refetch(a, it);
	viewing(a, id, true);
	/* What was typed before this was on the screen was not meant for it. */
	a->drop_input = a->dropping = true;
	a->dirty = true;
}

void app_to_queue(struct app *a)
{
	if (a->view == IN_ACTION) {
		viewing(a, a->open_id, false);
		a->queue.cursor = a->open_id;
	}
	view_action_close(&a->action);
	a->view = IN_QUEUE;
	a->open_id = 0;
	app_disarm(a);
	a->dirty = true;
}

uint64_t app_target(const struct app *a)
{
	return a->view == IN_ACTION ? a->open_id : a->view == IN_QUEUE ? a->queue.cursor : 0;
}

/* Not to be called without a target. */
struct ui_opened app_opened(struct app *a, struct line_source src[2])
{
	struct item *it = app_item(a, app_target(a));

	src[0] = chunks_source(&it->doc);
	src[1] = chunks_source(&it->raw);
	return (struct ui_opened){ .row = mirror_row(&a->st, app_target(a)),
		.action = &it->action, .hub = &a->st.hub, .doc = &src[0], .raw = &src[1],
		.seen = cover_count(it->seen.lines), .covered = item_covered(it),
		.now = a->now };
}

struct ui_queue app_queue(struct app *a, struct line_source *preview)
{
	struct ui_row *r = mirror_row(&a->st, a->queue.cursor);
	struct item *it = r != NULL ? mirror_item(&a->st, r->id) : NULL;
	bool have = it != NULL && it->action.loaded;

	if (have)
		*preview = chunks_source(&it->doc);
	return (struct ui_queue){ .rows = (const struct ui_row *const *)a->st.rows,
		.n = a->st.n_rows, .sessions = a->st.sessions,
		.n_sessions = a->st.n_sessions, .hub = &a->st.hub, .now = a->now,
		.preview = have ? preview : NULL, .words = have ? it->action.words : NULL };
}

/* Pages of the document around a line that is on the screen. */
static void want_doc(struct item *it, uint32_t line, int h)
{
	uint32_t back = (uint32_t)h * 2;

	if (it->action.loaded)
		chunks_want(&it->doc, line > back ? line - back : 0, line + (uint32_t)h * 4);
}

static void want_raw(struct app *a, struct item *it)
{
	uint32_t line = a->action.raw.line, h = (uint32_t)a->h;

	item_raw_width(it, a->w);
	chunks_want(&it->raw, line > h ? line - h : 0, line + 2 * h);
}

/* What stands on the screen, as far as it matters to an approval. */
static char *stand_key(struct app *a)
{
	uint64_t id = app_target(a);
	struct item *it = mirror_item(&a->st, id);
	const char *digest = it != NULL ? it->action.doc_digest : NULL;

	return xasprintf("%" PRIu64 " %s %dx%d %u %d", id, digest != NULL ? digest : "-",
		a->w, a->h, a->view, a->view == IN_ACTION ? (int)a->action.mode
		: (int)a->queue.whole);
}

bool app_stands(struct app *a)
{
	char *now = stand_key(a);
	bool same = a->shown_key != NULL && strcmp(now, a->shown_key) == 0;

	free(now);
	return same && a->armed_at != 0;
}

/* Only what may be approved at a glance is reported as seen from here. */
static void preview_drawn(struct app *a, const struct ui_row *r)
{
	if (r == NULL || r->care != CARE_GLANCE || !a->queue.whole)
		return;
	a->drawn_id = r->id;
	a->drawn = a->queue.preview;
}

static void draw_queue(struct app *a, struct frame *f, int bottom)
{
	struct ui_row *r = mirror_row(&a->st, a->queue.cursor);
	struct line_source preview;
	struct ui_queue m;
	char clock[32] = "";

	if (r != NULL && a->h >= 14 && a->st.hub.connected)
		want_doc(app_item(a, r->id), 0, a->h);
	m = app_queue(a, &preview);
	clock_local(clock_real_ms(), clock, sizeof(clock));
	clock[16] = '\0'; /* "2026-11-30 15:02" */
	m.clock = clock + 11;
	view_queue_draw(&a->queue, &m, f, bottom);
	a->drawn_cursor = a->queue.cursor;
	preview_drawn(a, view_queue_row(&a->queue));
}

static void draw_action(struct app *a, struct frame *f, int bottom)
{
	struct line_source src[2];
	struct ui_opened m;
	struct item *it = app_item(a, a->open_id);

	if (a->action.mode == MODE_RAW)
		want_raw(a, it);
	want_doc(it, a->action.doc.line, a->h);
	m = app_opened(a, src);
	view_action_draw(&a->action, &m, f, bottom);
	/* The top may have moved, to the end of a long document say. */
	want_doc(it, a->action.doc.line, a->h);
	a->drawn_id = a->open_id;
	a->drawn = a->action.shown;
}

static uint64_t queue_off(struct app *a)
{
	const struct ui_row *r = view_queue_row(&a->queue);
	uint64_t off = 0;
	bool waits = r != NULL && (r->state == ST_PENDING || r->state == ST_RECEIVED);

#define OFF(c) (off |= UINT64_C(1) << (c))
	if (r == NULL)
		OFF(CMD_OPEN);
	if (!waits || !a->st.hub.connected) {
		OFF(CMD_DENY);
		OFF(CMD_DENY_STOP);
	}
	if (!a->st.hub.connected || mirror_waiting(&a->st) == 0)
		OFF(CMD_STOP_ALL);
	if (r == NULL || app_blocked(a) != NULL)
		OFF(CMD_APPROVE);
	if (!(r != NULL && r->state == ST_RELEASING) && a->now >= a->stopped_until)
		OFF(CMD_TAKE_BACK);
	OFF(CMD_PAGE_DOWN);
	return off;
#undef OFF
}

static void draw_bottom(struct app *a, struct frame *f)
{
	struct line_source src[2];
	struct hints h = { .view = a->view, .off = 0, .approve = NULL };
	int y = f->h - 1;

	if (a->prompt.kind != PROMPT_NONE) {
		prompt_draw(&a->prompt, f);
		return;
	}
	if (a->message[0] != '\0') {
		frame_s(f, 1, y, f->w - 1, a->message_role, a->message);
		return;
	}
	if (a->view == IN_QUEUE) {
		h.off = queue_off(a);
	} else if (a->view == IN_ACTION) {
		struct ui_opened m = app_opened(a, src);
		if (f->w < VIEW_MIN_W || f->h < VIEW_MIN_H)
			return;
		h.off = view_action_off(&a->action, &m, f->w, f->h);
		if (m.row != NULL && m.row->care == CARE_CONFIRM)
			h.approve = m.row->confirm;
	}
	hintbar_draw(f, y, &h);
}

void app_draw(struct app *a, struct frame *f, uint64_t now)
{
	int bottom;

	a->now = now;
	if (f->w != a->w || f->h != a->h)
		frame_resize(f, a->w, a->h);
	frame_clear(f);
	a->drawn_id = a->drawn_cursor = 0;
	a->drawn.n = 0;
	bottom = prompt_rows(&a->prompt, f->h);
	if (a->view == IN_QUEUE)
		draw_queue(a, f, bottom);
	else if (a->view == IN_ACTION)
		draw_action(a, f, bottom);
	else
		view_help_draw(&a->help, f, bottom);
	a->drawn_w = f->w;
	free(a->drawn_key);
	a->drawn_key = stand_key(a);
	draw_bottom(a, f);
	a->dirty = false;
}

/* Lines that have stood on the screen for ms, to the hub. */
static void report(struct app *a, const struct item *it, const struct seen_ranges *r, uint64_t ms)
{
	struct jv *p = app_id(it->action.id), *list = jv_arr();

	jv_put_s(p, "doc_digest", it->action.doc_digest);
	for (size_t i = 0; i < r->n; i++) {
		struct jv *pair = jv_arr();
		jv_add(pair, jv_int(r->r[i].from));
		jv_add(pair, jv_int(r->r[i].to));
		jv_add(list, pair);
	}
	jv_put(p, "ranges", list);
	jv_put_i(p, "cols", a->w);
	jv_put_i(p, "rows", a->h);
	jv_put_i(p, "ms", (int64_t)ms);
	app_ask(a, "action/seen", p, (struct request){ .ask = ASK_OTHER, .id = it->action.id });
	a->dirty = true; /* the bar says so */
}

/* How long it was looked at since the last lines came up is told too, before a
 * decision and when the view is left. */
void app_viewed(struct app *a, const struct item *it)
{
	struct seen_ranges none = { 0 };

	if (it == NULL || it->action.id != a->drawn_id || !it->action.loaded
		|| !a->st.hub.connected || a->now <= a->opened_at)
		return;
	report(a, it, &none, a->now - a->opened_at);
	a->opened_at = a->now;
}

void app_seen_again(struct app *a, struct item *it)
{
	struct seen_ranges r;

	while (it->action.loaded && kept_missing(&a->kept, it->action.id,
		it->action.doc_digest, it->seen.lines, &r)) {
		for (size_t i = 0; i < r.n; i++)
			seen_add(&it->seen, r.r[i].from, r.r[i].to);
		report(a, it, &r, 0);
	}
}

void app_shown(struct app *a, uint64_t now)
{
	struct ui_row *r = mirror_row(&a->st, a->drawn_cursor);
	struct seen_ranges ranges;
	struct item *it;

	a->now = now;
	if (r != NULL && r->state == ST_CLOSED)
		r->looked = true;
	if (a->drawn_id == 0 || a->drawn_id != app_target(a)) {
		app_disarm(a);
		return;
	}
	it = app_item(a, a->drawn_id);
	if (a->shown_key == NULL || strcmp(a->shown_key, a->drawn_key) != 0) {
		free(a->shown_key);
		a->shown_key = xstrdup(a->drawn_key);
		a->armed_at = it->action.loaded ? now + APP_ARM_MS : 0;
		if (a->view == IN_QUEUE)
			a->opened_at = now;
	}
	if (!it->action.loaded || !a->st.hub.connected)
		return;
	seen_note(&it->seen, &a->drawn, a->drawn_w, &ranges);
	if (ranges.n == 0)
		return;
	kept_add(&a->kept, a->drawn_id, it->action.doc_digest, &ranges);
	report(a, it, &ranges, now - a->opened_at);
	a->opened_at = now; /* the hub adds them up */
}

void app_size(struct app *a, int w, int h)
{
	if (w != a->w || h != a->h)
		app_disarm(a);
	a->w = w;
	a->h = h;
	a->dirty = true;
}

void app_tick(struct app *a, uint64_t now)
{
	a->now = now;
	keydec_tick(&a->keys, now, app_key, a);
	if (a->minute_at != 0 && now >= a->minute_at) {
		a->dirty = true;
		a->minute_at = 0;
	}
	if (mirror_waiting(&a->st) == 0 && a->view == IN_QUEUE)
		a->minute_at = 0;
	else if (a->minute_at == 0) /* with the wall clock's minute */
		a->minute_at = now + 60000 - (uint64_t)(clock_real_ms() % 60000);
}

uint64_t app_due(const struct app *a)
{
	uint64_t k = keydec_due(&a->keys);

	return k != 0 && (a->minute_at == 0 || k < a->minute_at) ? k : a->minute_at;
}

void app_input(struct app *a, const char *p, size_t n, uint64_t now)
{
	a->now = now;
	a->dropping = false;
	keydec_feed(&a->keys, p, n, now, app_key, a);
	a->dropping = false;
}

void app_discard(struct app *a, const char *p, size_t n, uint64_t now)
{
	a->now = now;
	a->dropping = true;
	keydec_feed(&a->keys, p, n, now, app_key, a);
	a->dropping = false;
}
