/*
 * view_help.c - see view_help.h.
 */
#include "ui/view_help.h"

#include <string.h>

#include "base/i18n.h"
#include "base/text.h"

static void row(struct lines *l, enum cmd c)
{
	char key[16];
	size_t cells = 0;

	lines_begin(l, LINE_OURS);
	for (unsigned i = 0; command_key(c, i, key); i++) {
		if (i > 0)
			lines_s(l, ROLE_CHROME_DIM, " ");
		lines_s(l, ROLE_KEY, key);
		cells += text_cells(sv_of(key)) + (i > 0);
	}
	for (; cells < 14; cells++)
		lines_s(l, ROLE_CHROME, " ");
	lines_s(l, ROLE_CHROME, " ");
	lines_s(l, ROLE_CHROME, _(commands[c].help));
}

static const char *const safety[] = {
	N_("Approving takes one a, typed by hand in the opened action, after every line of it has been on the screen and has stood there for a moment. Pasted text, mouse clicks and keys typed in a hurry approve nothing."),
	N_("After a you are back in the queue; any letter typed before the action is released takes it back."),
	N_("A hidden, control or reordering character is shown as <U+202E>, an invalid byte as <0xC0>, a run of blanks as <U+0020 x1842>, a tab as ⇥. What stands behind ▌ is the agent's; nothing the agent sends can draw that bar."),
};

void view_help_open(struct view_help *v, unsigned view)
{
	memset(v, 0, sizeof(*v));
	lines_begin(&v->lines, LINE_OURS);
	lines_s(&v->lines, ROLE_FILE, view == IN_QUEUE ? _("Keys in the queue")
		: _("Keys in an action"));
	for (int c = CMD_NONE + 1; c < CMD_N; c++)
		if ((commands[c].views & view) != 0)
			row(&v->lines, (enum cmd)c);
	for (size_t i = 0; i < sizeof(safety) / sizeof(safety[0]); i++) {
		lines_begin(&v->lines, LINE_OURS);
		lines_begin(&v->lines, LINE_OURS);
		lines_s(&v->lines, ROLE_CHROME, _(safety[i]));
	}
}

void view_help_close(struct view_help *v)
{
	lines_free(&v->lines);
	memset(v, 0, sizeof(*v));
}

void view_help_draw(struct view_help *v, struct frame *f, int bottom)
{
	struct line_source src = lines_source(&v->lines);

	v->body_h = f->h - bottom;
	pager_draw(&v->at, &src, f, 0, v->body_h, NULL);
}

bool view_help_cmd(struct view_help *v, int w, enum cmd c)
{
	struct line_source src = lines_source(&v->lines);
	int page = v->body_h > 1 ? v->body_h - 1 : 1;

	switch (c) {
	case CMD_DOWN: pager_move(&v->at, &src, w, 1); return true;
	case CMD_UP: pager_move(&v->at, &src, w, -1); return true;
	case CMD_PAGE_DOWN: pager_move(&v->at, &src, w, page); return true;
	case CMD_PAGE_UP: pager_move(&v->at, &src, w, -page); return true;
	case CMD_FIRST: pager_to(&v->at, 0); return true;
	case CMD_LAST: pager_end(&v->at, &src); return true;
	default: return false;
	}
}
