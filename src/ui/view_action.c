/*
 * view_action.c - see view_action.h.
 */
#include "ui/view_action.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "base/text.h"
#include "ui/fmt.h"

static const char *str(const char *s)
{
	return s != NULL ? s : "";
}

void view_action_open(struct view_action *v)
{
	memset(v, 0, sizeof(*v));
}

void view_action_close(struct view_action *v)
{
	lines_free(&v->facts_lines);
	memset(v, 0, sizeof(*v));
}

static bool waits(const struct ui_opened *m)
{
	return m->hub->connected && m->row != NULL && m->row->state == ST_PENDING
		&& !m->action->gone;
}

const char *view_action_blocked(const struct view_action *v, const struct ui_opened *m,
	int w, int h)
{
	if (w < VIEW_MIN_W || h < VIEW_MIN_H)
		return _("the screen is too small to approve anything");
	if (!m->hub->connected)
		return _("the hub is gone");
	if (m->row == NULL || m->action->gone || m->row->state == ST_CLOSED)
		return _("it is closed");
	if (m->row->state == ST_ORPHANED)
		return _("its agent is gone");
	if (m->row->state == ST_RELEASING)
		return _("it is decided already");
	if (!m->row->ready || !m->action->loaded)
		return _("it is still being read");
	if (!m->row->approvable)
		return m->row->why_not != NULL && strcmp(m->row->why_not, "secret") == 0
			? _("it asks for a secret: decline it, and hand the secret over another way")
			: m->row->care == CARE_LOCKED ? _("a question can only be declined here")
			: _("this cannot be approved");
	if (m->row->kind != NULL && strcmp(m->row->kind, "question") == 0)
		return _("a question can only be declined here");
	if (v->mode != MODE_DOC)
		return _("go back to the action first");
	if (!m->covered)
		return _("not all of it has been on the screen yet");
	return NULL;
}

/* Parts of one line, joined by " · "; each with its own role. */
struct joiner {
	struct frame *f;
	int x, y, end;
	bool any;
};

static void part(struct joiner *j, enum role r, const char *s)
{
	if (s == NULL || s[0] == '\0' || j->x >= j->end)
		return;
	if (j->any)
		j->x += frame_s(j->f, j->x, j->y, j->end - j->x, ROLE_CHROME_DIM, " · ");
	j->x += frame_s(j->f, j->x, j->y, j->end - j->x, r, s);
	j->any = true;
}

static enum role rev_role(const char *rev)
{
	if (strcmp(rev, "irreversible") == 0)
		return ROLE_WARN;
	return strcmp(rev, "reversible") == 0 ? ROLE_CHROME : ROLE_OK;
}

static const char *rev_word(const char *rev)
{
	if (strcmp(rev, "irreversible") == 0)
		return _("irreversible");
	if (strcmp(rev, "reversible") == 0)
		return _("reversible");
	return strcmp(rev, "read_only") == 0 ? _("read only") : rev;
}

static void draw_who(const struct ui_opened *m, struct frame *f, int y)
{
	const struct ui_action *a = m->action;
	const char *kind = m->row != NULL ? m->row->kind : a->kind;
	char text[400], exe[100];
	const char *base = strrchr(str(a->exe), '/');
	int end = f->w - 1;

	snprintf(exe, sizeof(exe), "%s", base != NULL ? base + 1 : str(a->exe));
	if (f->w >= 70 && a->loaded) {
		snprintf(text, sizeof(text), "%s%spid %" PRId64 " uid %" PRId64, exe,
			exe[0] != '\0' ? " " : "", a->peer_pid, a->peer_uid);
		end = frame_right(f, end, y, f->w / 2, ROLE_CHROME_DIM, sv_of(text)) - 1;
	}
	struct joiner j = { f, 1, y, end, false };
	part(&j, ROLE_KIND, str(kind));
	if (m->row != NULL) {
		snprintf(text, sizeof(text), "%s%s%s", str(m->row->channel),
			str(m->row->subagent)[0] != '\0' ? "/" : "", str(m->row->subagent));
		part(&j, ROLE_AGENT, text);
	}
	if (str(a->session_title)[0] != '\0' || str(a->session)[0] != '\0') {
		snprintf(text, sizeof(text), "“%s”", str(a->session_title)[0] != '\0'
			? a->session_title : a->session);
		part(&j, ROLE_WORDS, text);
	}
	part(&j, ROLE_CHROME, a->workspace);
}

static void draw_target(const struct ui_opened *m, struct frame *f, int y)
{
	const struct ui_action *a = m->action;
	const char *target = str(a->target)[0] != '\0' ? a->target
		: m->row != NULL ? m->row->text : "";
	/* Not twice: "why here" stands below. */
	bool why = f->w >= 70 && str(a->why_rev)[0] != '\0'
		&& (m->row == NULL || strcmp(str(m->row->why), a->why_rev) != 0);
	char text[300];
	int end = f->w - 1;

	if (f->w >= 40 && str(a->reversibility)[0] != '\0') {
		snprintf(text, sizeof(text), "%s%s%s", rev_word(a->reversibility),
			why ? ": " : "", why ? fmt_said(a->why_rev) : "");
		end = frame_right(f, end, y, f->w * 2 / 5, rev_role(a->reversibility),
			sv_of(text)) - 2;
	}
	frame_s(f, 1, y, end - 1, ROLE_TITLE, target);
}

static void draw_notes(const struct ui_opened *m, struct frame *f, int y)
{
	struct joiner j = { f, 1, y, f->w - 1, false };
	char text[400];

	if (m->row != NULL && !m->row->approvable && m->row->ready) {
		snprintf(text, sizeof(text), _("CANNOT BE APPROVED: %s"),
			fmt_why_not(m->row->why_not));
		part(&j, ROLE_DANGER, text);
	}
	if (m->action->hidden > 0) {
		snprintf(text, sizeof(text), P_("%u hidden character", "%u hidden characters",
			m->action->hidden), m->action->hidden);
		if (str(m->action->hidden_text)[0] != '\0')
			snprintf(text + strlen(text), sizeof(text) - strlen(text), " (%s)",
				m->action->hidden_text);
		part(&j, ROLE_DANGER, text);
	}
	if (m->row != NULL && str(m->row->why)[0] != '\0') {
		char why[300];

		fmt_why_here(m->row, why, sizeof(why));
		snprintf(text, sizeof(text), _("why here: %s"), why);
		part(&j, ROLE_CHROME_DIM, text);
	}
	if (m->action->n_files > 1) {
		snprintf(text, sizeof(text), P_("%u file", "%u files", m->action->n_files),
			(unsigned)m->action->n_files);
		part(&j, ROLE_CHROME, text);
	}
}

static uint32_t below(const struct view_action *v, const struct ui_opened *m)
{
	uint32_t last = v->shown.n > 0 ? v->shown.lines[v->shown.n - 1].line + 1 : 0;

	return m->doc->total > last ? m->doc->total - last : 0;
}

static void draw_bar_open(const struct view_action *v, const struct ui_opened *m,
	struct joiner *j)
{
	char text[200], age[40];
	bool wide = j->f->w >= 60;
	uint32_t total = m->action->lines;

	if (!m->action->loaded || !m->row->ready) {
		part(j, ROLE_CHROME, _("being read …"));
		return;
	}
	if (m->covered)
		snprintf(text, sizeof(text), wide ? P_("all of %u line seen",
			"all %u lines seen", total) : P_("%u seen", "%u seen", total), total);
	else
		snprintf(text, sizeof(text), wide ? P_("%u of %u line seen",
			"%u of %u lines seen", total) : "%u/%u", m->seen, total);
	part(j, m->covered ? ROLE_OK : ROLE_WARN, text);
	if (below(v, m) > 0) {
		snprintf(text, sizeof(text), wide ? P_("%u below", "%u below", below(v, m))
			: "↓%u", below(v, m));
		part(j, ROLE_CHROME, text);
	}
	if (m->row->expires_at != 0) {
		fmt_age_words(m->row->expires_at > m->now ? m->row->expires_at - m->now : 0,
			age, sizeof(age));
		snprintf(text, sizeof(text), wide ? _("expires in %s") : "%s", age);
		part(j, m->row->warn ? ROLE_DANGER : ROLE_CHROME, text);
	}
	fmt_digest(m->action->doc_digest, text, sizeof(text));
	part(j, ROLE_CHROME_DIM, text);
}

static void draw_presence(const struct ui_opened *m, struct frame *f, int y, int from)
{
	char who[200];

	if (str(m->action->presence)[0] == '\0')
		return;
	snprintf(who, sizeof(who), _(" %s is looking at this too "), m->action->presence);
	if ((int)text_cells(sv_of(who)) > f->w - 2 - from)
		snprintf(who, sizeof(who), " %s ", m->action->presence);
	if ((int)text_cells(sv_of(who)) <= f->w - 2 - from)
		frame_right(f, f->w - 2, y, f->w - 2 - from, ROLE_AGENT, sv_of(who));
}

/* The decision bar: how much was seen, or why nothing can be decided. */
static void draw_bar(const struct view_action *v, const struct ui_opened *m,
	struct frame *f, int y)
{
	struct joiner j = { f, f->w >= 40 ? 3 : 1, y, f->w - 1, false };
	char why[300] = "";

	frame_fill(f, 0, y, f->w, ROLE_CHROME_DIM, "─");
	if (f->w >= 40)
		frame_s(f, 2, y, 1, ROLE_CHROME_DIM, " ");
	if (!m->hub->connected)
		snprintf(why, sizeof(why), "%s",
			_("The hub is gone; reconnecting. Nothing can be decided."));
	else if (m->row == NULL || (m->action->gone && m->row->state != ST_CLOSED))
		snprintf(why, sizeof(why), "%s", _("The hub no longer has this action."));
	else
		fmt_why_closed(m->row, why, sizeof(why));
	if (why[0] != '\0')
		part(&j, m->row != NULL && m->row->state == ST_RELEASING ? ROLE_WARN
			: ROLE_DANGER, why);
	else if (v->mode == MODE_RAW)
		part(&j, ROLE_CHROME, _("the exact bytes; x: back to the action"));
	else if (v->mode == MODE_FACTS)
		part(&j, ROLE_CHROME, _("all that is known; m: back to the action"));
	else
		draw_bar_open(v, m, &j);
	frame_s(f, j.x, y, 1, ROLE_CHROME_DIM, " ");
	draw_presence(m, f, y, j.x + 2);
}

static void draw_too_small(const struct ui_opened *m, struct frame *f)
{
	frame_s(f, 0, 0, f->w, ROLE_WARN, m->row != NULL ? str(m->row->text) : "");
	if (f->h > 1)
		frame_s(f, 0, 1, f->w, ROLE_DANGER, _("too small to approve"));
}

void view_action_draw(struct view_action *v, const struct ui_opened *m, struct frame *f,
	int bottom)
{
	int y = 0, end = f->h - bottom - 1;
	struct line_source facts;

	v->shown.n = 0;
	if (f->w < VIEW_MIN_W || f->h < VIEW_MIN_H) {
		draw_too_small(m, f);
		return;
	}
	if (f->h >= 10)
		draw_who(m, f, y++);
	draw_target(m, f, y++);
	if (f->h >= 12 || m->action->hidden > 0 || (m->row != NULL && !m->row->approvable
		&& m->row->ready))
		draw_notes(m, f, y++);
	v->body_h = end - y;
	switch (v->mode) {
	case MODE_DOC: pager_draw(&v->doc, m->doc, f, y, end - y, &v->shown); break;
	case MODE_RAW: pager_draw(&v->raw, m->raw, f, y, end - y, NULL); break;
	case MODE_FACTS:
		if (!v->facts_made)
			view_facts_make(&v->facts_lines, m->row, m->action);
		v->facts_made = true;
		facts = lines_source(&v->facts_lines);
		pager_draw(&v->facts, &facts, f, y, end - y, NULL);
		break;
	}
	draw_bar(v, m, f, end);
}

static void to_mark(struct view_action *v, const struct ui_mark *marks, size_t n, bool next)
{
	uint32_t at = v->doc.line;
	const struct ui_mark *best = NULL;

	for (size_t i = 0; i < n; i++) {
		if (next && marks[i].line > at && (best == NULL || marks[i].line < best->line))
			best = &marks[i];
		if (!next && (marks[i].line < at || (marks[i].line == at && v->doc.row > 0))
			&& (best == NULL || marks[i].line > best->line))
			best = &marks[i];
	}
	if (best != NULL)
		pager_to(&v->doc, best->line);
}

bool view_action_cmd(struct view_action *v, const struct ui_opened *m, int w, enum cmd c)
{
	struct line_source facts = lines_source(&v->facts_lines);
	struct pager *p = v->mode == MODE_DOC ? &v->doc : v->mode == MODE_RAW ? &v->raw
		: &v->facts;
	const struct line_source *src = v->mode == MODE_DOC ? m->doc
		: v->mode == MODE_RAW ? m->raw : &facts;
	/* A page keeps no row of the last one: each row is new. */
	int page = v->body_h > 1 ? v->body_h : 1;
	bool doc = v->mode == MODE_DOC;

	switch (c) {
	case CMD_DOWN: pager_move(p, src, w, 1); return true;
	case CMD_UP: pager_move(p, src, w, -1); return true;
	case CMD_PAGE_DOWN: pager_move(p, src, w, page); return true;
	case CMD_PAGE_UP: pager_move(p, src, w, -page); return true;
	case CMD_FIRST: pager_to(p, 0); return true;
	case CMD_LAST: pager_end(p, src); return true;
	case CMD_NEXT_HUNK: case CMD_PREV_HUNK:
		if (doc)
			to_mark(v, m->action->hunks, m->action->n_hunks, c == CMD_NEXT_HUNK);
		return true;
	case CMD_NEXT_FILE: case CMD_PREV_FILE:
		if (doc)
			to_mark(v, m->action->files, m->action->n_files, c == CMD_NEXT_FILE);
		return true;
	case CMD_RAW: v->mode = v->mode == MODE_RAW ? MODE_DOC : MODE_RAW; return true;
	case CMD_FACTS:
		v->mode = v->mode == MODE_FACTS ? MODE_DOC : MODE_FACTS;
		v->facts_made = false;
		return true;
	default: return false;
	}
}

uint64_t view_action_off(const struct view_action *v, const struct ui_opened *m, int w, int h)
{
	uint64_t off = 0;
#define OFF(c) (off |= UINT64_C(1) << (c))
	const char *why = view_action_blocked(v, m, w, h);

	/* Unread is no reason to hide the key; the bar says what is missing. */
	if (why != NULL && !(waits(m) && m->row->ready && m->row->approvable
		&& m->row->care != CARE_LOCKED && v->mode == MODE_DOC
		&& strcmp(str(m->row->kind), "question") != 0))
		OFF(CMD_APPROVE);
	if (!waits(m)) {
		OFF(CMD_DENY);
		OFF(CMD_DENY_STOP);
	}
	if (!m->hub->connected)
		OFF(CMD_STOP_ALL);
	if (m->row == NULL || m->row->state != ST_RELEASING)
		OFF(CMD_TAKE_BACK);
	if (m->row == NULL || m->row->linked == 0 || m->row->state != ST_CLOSED)
		OFF(CMD_OPEN);
	if (v->mode == MODE_DOC && v->shown.at_end && v->shown.lines[0].line == 0
		&& v->shown.lines[0].row_from == 0)
		OFF(CMD_PAGE_DOWN); /* there is only this one */
	if (m->action->n_hunks < 2 || v->mode != MODE_DOC)
		OFF(CMD_NEXT_HUNK);
	if (m->action->n_files < 2 || v->mode != MODE_DOC)
		OFF(CMD_NEXT_FILE);
	return off;
#undef OFF
}
