/*
 * hintbar.c - see hintbar.h. On a narrow screen hints of low weight go first;
 * the order stays.
 */
#include "ui/hintbar.h"

#include <stdio.h>

#include "base/i18n.h"
#include "base/text.h"

struct hint {
	char key[16], text[96];
	int cells, weight;
	bool on;
};

static void make(struct hint *h, enum cmd c, const struct hints *ctx)
{
	h->on = command_key(c, 0, h->key);
	h->weight = commands[c].weight;
	/* A word of one blank would not show what is meant. */
	if (c == CMD_APPROVE && ctx->approve != NULL)
		snprintf(h->text, sizeof(h->text), _("approve (type: %s)"), ctx->approve);
	else
		snprintf(h->text, sizeof(h->text), "%s", _(commands[c].hint));
	h->cells = (int)text_cells(sv_of(h->key)) + 1 + (int)text_cells(sv_of(h->text)) + 2;
}

void hintbar_draw(struct frame *f, int y, const struct hints *ctx)
{
	struct hint hint[CMD_N];
	int total = 1, x = 1;

	for (int c = 0; c < CMD_N; c++) {
		hint[c].on = false;
		if (commands[c].hint == NULL || (commands[c].views & ctx->view) == 0
			|| (ctx->off >> c & 1) != 0)
			continue;
		make(&hint[c], (enum cmd)c, ctx);
		total += hint[c].cells;
	}
	while (total > f->w + 2) {
		int low = -1;

		for (int c = 0; c < CMD_N; c++)
			if (hint[c].on && (low < 0 || hint[c].weight < hint[low].weight))
				low = c;
		if (low < 0)
			break;
		hint[low].on = false;
		total -= hint[low].cells;
	}
	for (int c = 0; c < CMD_N; c++) {
		if (!hint[c].on)
			continue;
		x += frame_s(f, x, y, f->w - x, ROLE_KEY, hint[c].key) + 1;
		x += frame_s(f, x, y, f->w - x, ROLE_CHROME, hint[c].text) + 2;
	}
}
