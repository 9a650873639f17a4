/*
 * view_queue_draw.c - how the queue looks. On narrow screens the agent and the
 * age go first, then the word for care (its mark stays).
 */
#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "base/text.h"
#include "ui/fmt.h"
#include "ui/pager.h"
#include "ui/view_queue.h"

static const char *str(const char *s)
{
	return s != NULL ? s : "";
}

struct counts {
	unsigned waiting, agents;
	uint64_t oldest;
};

static struct counts count(const struct ui_queue *m)
{
	struct counts c = { 0, 0, 0 };

	for (size_t i = 0; i < m->n; i++) {
		const struct ui_row *r = m->rows[i];
		bool first = true;

		if (r->state == ST_CLOSED)
			continue;
		c.waiting++;
		if (c.oldest == 0 || r->since < c.oldest)
			c.oldest = r->since;
		for (size_t k = 0; k < i; k++)
			if (m->rows[k]->state != ST_CLOSED
				&& strcmp(str(m->rows[k]->channel), str(r->channel)) == 0)
				first = false;
		c.agents += first;
	}
	return c;
}

static void draw_header(const struct ui_queue *m, struct frame *f)
{
	struct counts c = count(m);
	char line[200], age[40], right[200];
	int x = 1, end = f->w - 1;

	x += frame_s(f, x, 0, f->w, ROLE_TITLE, "obstat") + 2;
	snprintf(right, sizeof(right), "%s (%u)%s%s", fmt_setup(m->hub->setup), m->hub->uid,
		c.waiting > 0 ? "  " : "", c.waiting > 0 ? str(m->clock) : "");
	if (m->hub->connected && f->w >= 70)
		end = frame_right(f, end, 0, f->w * 3 / 5, ROLE_CHROME_DIM, sv_of(right)) - 2;
	if (c.waiting == 0) {
		frame_s(f, x, 0, end - x, ROLE_CHROME, _("nothing waits"));
		return;
	}
	snprintf(line, sizeof(line), P_("%u waiting", "%u waiting", c.waiting), c.waiting);
	x += frame_s(f, x, 0, end - x, ROLE_CHROME, line);
	if (f->w < 40)
		return;
	fmt_age_words(m->now - c.oldest, age, sizeof(age));
	snprintf(line, sizeof(line), P_("%u agent", "%u agents", c.agents), c.agents);
	x += frame_s(f, x, 0, end - x, ROLE_CHROME_DIM, " · ");
	x += frame_s(f, x, 0, end - x, ROLE_CHROME, line);
	snprintf(line, sizeof(line), _("oldest %s"), age);
	if (x + 3 + (int)text_cells(sv_of(line)) > end)
		return; /* left out rather than cut */
	x += frame_s(f, x, 0, end - x, ROLE_CHROME_DIM, " · ");
	frame_s(f, x, 0, end - x, ROLE_CHROME, line);
}

/* What must not be overlooked stands under the header, one line each. */
static int draw_banners(const struct ui_queue *m, struct frame *f, int y, int max)
{
	int from = y;
	char line[400];

#define BANNER(role, ...) do { \
	if (y - from < max) { \
		snprintf(line, sizeof(line), __VA_ARGS__); \
		frame_fill(f, 0, y, f->w, (role), " "); \
		frame_s(f, 1, y++, f->w - 2, (role), line); \
	} } while (0)
	if (!m->hub->connected)
		BANNER(ROLE_DANGER, "%s", m->hub->ever
			? _("The hub is gone; reconnecting. Nothing can be decided.")
			: _("No hub yet; connecting."));
	if (m->hub->hold)
		BANNER(ROLE_WARN, "%s", _("HOLD: new requests wait undecided. H lets them go on."));
	if (str(m->hub->store)[0] != '\0' && strcmp(m->hub->store, "ok") != 0)
		BANNER(ROLE_DANGER, _("The record cannot be written (%s): nothing is released."),
			m->hub->text != NULL && m->hub->text[0] != '\0' ? m->hub->text
			: m->hub->store);
	if (str(m->hub->warning)[0] != '\0')
		BANNER(ROLE_WARN, "%s", m->hub->warning);
	for (size_t i = 0; i < m->n_sessions; i++)
		if (m->sessions[i].red)
			BANNER(ROLE_DANGER, _("%s “%s” runs past the gate: %s"),
				str(m->sessions[i].channel), str(m->sessions[i].session),
				fmt_said(m->sessions[i].why));
	if (m->hub->refused > 0)
		BANNER(ROLE_WARN, P_("%u request was refused: over a limit, or unreadable.",
			"%u requests were refused: over a limit, or unreadable.",
			m->hub->refused), m->hub->refused);
#undef BANNER
	return y;
}

static const char *mark_of(const struct ui_row *r, enum role *role)
{
	*role = ROLE_WARN;
	if (r->state == ST_CLOSED || r->state == ST_ORPHANED) {
		*role = ROLE_DIM;
		return r->state == ST_CLOSED ? "×" : "…";
	}
	if (r->warn)
		return "!";
	if (r->care == CARE_LOCKED) {
		*role = ROLE_DANGER;
		return "?";
	}
	if (r->care >= CARE_CONFIRM)
		return "!";
	*role = ROLE_CHROME;
	return r->ready ? " " : "…";
}

static enum role care_role(enum care c)
{
	return c == CARE_LOCKED ? ROLE_DANGER : c >= CARE_CONFIRM ? ROLE_WARN : ROLE_CHROME_DIM;
}

/* The words differ in length from language to language. */
static int care_width(void)
{
	int w = 0;

	for (int c = CARE_GLANCE; c <= CARE_LOCKED; c++) {
		int n = (int)text_cells(sv_of(fmt_care((enum care)c)));
		w = n > w ? n : w;
	}
	return w;
}

/* The right end: a state in words, or age and care. Returns where it begins. */
static int draw_right(const struct ui_row *r, const struct ui_queue *m, struct frame *f,
	int y)
{
	char text[200], age[16];
	int end = f->w - 1;
	enum role role = r->state == ST_RELEASING ? ROLE_WARN : ROLE_DIM;

	fmt_state(r, text, sizeof(text));
	if (text[0] != '\0')
		return frame_right(f, end, y, f->w / 2, role, sv_of(text)) - 2;
	if (f->w < 40)
		return end;
	frame_s(f, end - care_width(), y, care_width(), care_role(r->care),
		fmt_care(r->care));
	end -= care_width() + 2;
	if (f->w >= 70) {
		fmt_age(m->now - r->since, age, sizeof(age));
		frame_right(f, end, y, 4, r->warn ? ROLE_WARN : ROLE_CHROME_DIM, sv_of(age));
		end -= 6;
	}
	return end;
}

static void agent_of(const struct ui_row *r, char *out, size_t n)
{
	snprintf(out, n, "%s%s%s", str(r->channel), str(r->subagent)[0] != '\0' ? "/" : "",
		str(r->subagent));
}

/* As wide as the names are, that the actions have the rest. */
static int agent_width(const struct view_queue *v, const struct frame *f)
{
	int max = f->w >= 120 ? 20 : 12, w = 0;
	char agent[200];

	for (size_t i = 0; f->w >= 70 && i < v->n && w < max; i++) {
		int n = 0;

		if (v->entries[i].row != NULL) {
			agent_of(v->entries[i].row, agent, sizeof(agent));
			n = (int)text_cells(sv_of(agent));
		}
		w = n > w ? n : w;
	}
	return w < max ? w : max;
}

static void draw_row(const struct ui_row *r, const struct ui_queue *m, struct frame *f,
	int y, bool cursor, int agent_w)
{
	bool dim = r->state == ST_CLOSED || r->state == ST_ORPHANED;
	enum role mark_role;
	const char *mark = mark_of(r, &mark_role);
	int x = 0, end, kind_w = f->w >= 40 ? 8 : 4;

	if (cursor)
		frame_s(f, 0, y, 1, ROLE_CURSOR, "▸");
	frame_s(f, 1, y, 1, mark_role, mark);
	x = 3;
	end = draw_right(r, m, f, y);
	frame_text(f, x, y, kind_w, dim ? ROLE_DIM : ROLE_KIND, sv_of(str(r->kind)));
	x += kind_w + 1;
	if (agent_w > 0) {
		char agent[200];

		agent_of(r, agent, sizeof(agent));
		frame_s(f, x, y, agent_w, dim ? ROLE_DIM : ROLE_AGENT, agent);
		x += agent_w + 2;
	}
	frame_s(f, x, y, end - x, dim ? ROLE_DIM : ROLE_TEXT, str(r->text));
	for (int i = 0; cursor && i < f->w; i++) {
		enum role role = (enum role)frame_at(f, i, y)->role;
		if (role != ROLE_WARN && role != ROLE_DANGER)
			frame_paint(f, i, y, 1, ROLE_CURSOR);
	}
}

static void draw_fold(const struct queue_entry *e, struct frame *f, int y)
{
	char line[120];

	if (e->past)
		snprintf(line, sizeof(line), P_("+ %u more that is closed (c puts it away)",
			"+ %u more that are closed (c puts them away)", e->folded), e->folded);
	else
		snprintf(line, sizeof(line), P_("+ %u more of this session (Tab)",
			"+ %u more of this session (Tab)", e->folded), e->folded);
	frame_s(f, 3, y, f->w - 4, ROLE_CHROME_DIM, line);
}

static void draw_list(struct view_queue *v, const struct ui_queue *m, struct frame *f,
	int y, int h)
{
	int agent_w = agent_width(v, f);

	v->page = h;
	if (v->top + (size_t)h > v->n)
		v->top = v->n > (size_t)h ? v->n - (size_t)h : 0;
	if (v->cursor != 0 && v->pos < v->top)
		v->top = v->pos;
	if (v->cursor != 0 && v->pos >= v->top + (size_t)h)
		v->top = v->pos - (size_t)h + 1;
	for (int i = 0; i < h && v->top + (size_t)i < v->n; i++) {
		size_t k = v->top + (size_t)i;
		const struct queue_entry *e = &v->entries[k];

		if (e->row != NULL)
			draw_row(e->row, m, f, y + i, e->row->id == v->cursor,
				agent_w);
		else
			draw_fold(e, f, y + i);
	}
}

#define WORDS_MIN 10      /* cells */
#define BESIDE_MIN_W 150   /* list and preview side by side from here */
#define LIST_MAX_W 100

/* "why here: rule “prod” asks · agent's words: “...”", below the preview. */
static void draw_why(const struct ui_row *r, const struct ui_queue *m, struct frame *f,
	int y, bool whole)
{
	int x = 1, label;
	char why[300];

	fmt_why_here(r, why, sizeof(why));
	x += frame_s(f, x, y, f->w - x, ROLE_CHROME_DIM, _("why here:")) + 1;
	x += frame_s(f, x, y, f->w - x, ROLE_CHROME, why);
	label = (int)text_cells(sv_of(_("agent's words:")));
	/* A few of them say less than none; and the document ends with them. */
	if (whole || str(m->words)[0] == '\0' || f->w - x < label + 6 + WORDS_MIN)
		return;
	x += frame_s(f, x, y, f->w - x, ROLE_CHROME_DIM, " · ");
	x += frame_s(f, x, y, f->w - x, ROLE_CHROME_DIM, _("agent's words:")) + 1;
	x += frame_s(f, x, y, f->w - x, ROLE_WORDS, "“");
	x += frame_s(f, x, y, f->w - x - 1, ROLE_WORDS, m->words);
	frame_s(f, x, y, f->w - x, ROLE_WORDS, "”");
}

/* Rows y to y + h - 1: what the action under the cursor does, and why it is here. */
static void draw_preview(struct view_queue *v, const struct ui_queue *m,
	struct frame *f, int y, int h)
{
	const struct ui_row *r = view_queue_row(v);
	struct pager top = { 0, 0 };

	if (r == NULL) {
		frame_s(f, 1, y, f->w - 2, ROLE_CHROME_DIM,
			_("Nothing is selected. j selects a row, Enter opens it."));
		return;
	}
	if (m->preview != NULL)
		pager_draw(&top, m->preview, f, y, h - 1, &v->preview);
	else if (!r->ready)
		frame_s(f, 1, y, f->w - 2, ROLE_CHROME_DIM, _("being read …"));
	v->whole = v->preview.at_end && !v->preview.missing && top.line == 0
		&& top.row == 0;
	draw_why(r, m, f, y + h - 1, v->whole);
}

static void draw_empty(const struct ui_queue *m, struct frame *f, int y, int h)
{
	char line[200];
	int at = y + (h > 6 ? h / 3 : 0);

	frame_s(f, 2, at++, f->w - 3, ROLE_CHROME,
		_("Nothing waits. What cannot be undone will stop here and ask you."));
	for (size_t i = 0; i < m->n_sessions && ++at < y + h; i++) {
		const struct ui_session *s = &m->sessions[i];

		snprintf(line, sizeof(line), P_("%s: %u call, %u passed, %u asked",
			"%s: %u calls, %u passed, %u asked", s->calls), str(s->channel),
			s->calls, s->passed, s->asked);
		int x = 2 + frame_s(f, 2, at, f->w - 3, s->red ? ROLE_DANGER : ROLE_CHROME_DIM,
			line);
		if (str(s->workspace)[0] != '\0' && x + 4 < f->w)
			frame_s(f, x + 2, at, f->w - x - 3, ROLE_CHROME_DIM, s->workspace);
	}
}

/* On the rule below the list: how much of it is above and below. */
static void draw_more(const struct view_queue *v, struct frame *f, int y)
{
	size_t last = v->top + (size_t)v->page;
	char text[60], *p = text;

	if (v->top == 0 && last >= v->n)
		return;
	if (v->top > 0)
		p += snprintf(p, 24, " ↑%zu", v->top);
	if (last < v->n)
		p += snprintf(p, 24, " ↓%zu", v->n - last);
	memcpy(p, " ", 2);
	frame_right(f, f->w - 2, y, f->w - 4, ROLE_CHROME, sv_of(text));
}

/* A wide screen has the list on the left and the preview beside it, each in a
 * frame of its own: what one draws cannot reach into the other. */
static void draw_beside(struct view_queue *v, const struct ui_queue *m, struct frame *f,
	int y, int h)
{
	int left = f->w * 9 / 20 > LIST_MAX_W ? LIST_MAX_W : f->w * 9 / 20;
	struct frame part;

	frame_init(&part, left, h);
	draw_list(v, m, &part, 0, h);
	frame_put(f, 0, y, &part);
	frame_resize(&part, f->w - left - 2, h);
	draw_preview(v, m, &part, 0, h);
	frame_put(f, left + 2, y, &part);
	frame_free(&part);
	for (int i = 0; i < h; i++)
		frame_s(f, left, y + i, 1, ROLE_CHROME_DIM, "│");
}

static int preview_rows(const struct view_queue *v, const struct frame *f, int h)
{
	int n, room;

	if (f->h < 14)
		return 0;
	n = h / 2 > 12 ? h * 2 / 5 : h / 2;
	room = h - (int)v->n - 1; /* a short list leaves its room to the preview */
	if (f->h >= 20 && room > n)
		n = room;
	return n < 4 ? 0 : n;
}

void view_queue_draw(struct view_queue *v, const struct ui_queue *m, struct frame *f,
	int bottom)
{
	int y = 1, end = f->h - bottom, preview;

	view_queue_layout(v, m);
	memset(&v->preview, 0, sizeof(v->preview));
	v->whole = false;
	draw_header(m, f);
	y = draw_banners(m, f, y, f->h >= 12 ? 4 : 1);
	if (v->n == 0) {
		draw_empty(m, f, y, end - y);
		return;
	}
	if (f->w >= BESIDE_MIN_W && f->h >= 14) {
		draw_beside(v, m, f, y, end - y);
		return;
	}
	preview = preview_rows(v, f, end - y);
	draw_list(v, m, f, y, end - y - preview);
	if (preview == 0)
		return;
	frame_fill(f, 0, end - preview, f->w, ROLE_CHROME_DIM, "─");
	draw_more(v, f, end - preview);
	draw_preview(v, m, f, end - preview + 1, preview - 1);
}
