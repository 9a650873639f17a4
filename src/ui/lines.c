/*
 * lines.c - see lines.h.
 */
#include "ui/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINES_MAX_BYTES (256u << 20)

void lines_free(struct lines *l)
{
	for (size_t i = 0; i < l->n; i++) {
		wrap_free(&l->line[i].wrap);
		free(l->line[i].spans);
	}
	free(l->line);
	arena_free(&l->arena);
	memset(l, 0, sizeof(*l));
}

void lines_begin(struct lines *l, enum doc_line_kind kind)
{
	if (l->arena == NULL)
		l->arena = arena_new(LINES_MAX_BYTES);
	if (l->n == l->cap) {
		l->cap = l->cap == 0 ? 32 : l->cap * 2;
		l->line = xreallocarray(l->line, l->cap, sizeof(*l->line));
	}
	memset(&l->line[l->n], 0, sizeof(l->line[0]));
	l->line[l->n++].kind = kind;
}

void lines_span(struct lines *l, enum role r, struct sv text)
{
	struct ui_line *line = &l->line[l->n - 1];

	line->spans = xreallocarray(line->spans, line->n_spans + 1, sizeof(*line->spans));
	line->spans[line->n_spans++] = (struct span){ arena_sv(l->arena, text), r };
}

void lines_s(struct lines *l, enum role r, const char *text)
{
	lines_span(l, r, sv_of(text));
}

bool lines_over(const struct lines *l)
{
	return l->arena != NULL && arena_over(l->arena);
}

static struct ui_line *get(void *arg, uint32_t i)
{
	struct lines *l = arg;

	return i < l->n ? &l->line[i] : NULL;
}

struct line_source lines_source(struct lines *l)
{
	return (struct line_source){ (uint32_t)l->n, 0, get, l };
}

unsigned hex_per_row(int w)
{
	return w >= 80 ? 16 : w >= 47 ? 8 : w >= 30 ? 4 : 2;
}

/* Bytes outside 0x20..0x7e stand as '.' in role "escape": the hex is exact,
 * and a '.' of the text itself has the text's role. */
void hex_line(struct lines *l, uint64_t offset, const uint8_t *p, size_t n, unsigned per_row)
{
	char hex[8];

	lines_begin(l, LINE_PAYLOAD);
	snprintf(hex, sizeof(hex), "%06x", (unsigned)(offset & 0xffffff));
	lines_s(l, ROLE_LINENO, hex);
	for (unsigned i = 0; i < per_row; i++) {
		lines_s(l, ROLE_TEXT, i == 8 ? "  " : " ");
		if (i < n)
			snprintf(hex, sizeof(hex), "%02x", p[i]);
		else
			snprintf(hex, sizeof(hex), "  ");
		lines_s(l, ROLE_TEXT, hex);
	}
	lines_s(l, ROLE_TEXT, "  ");
	for (size_t i = 0; i < n; i++) {
		bool plain = p[i] >= 0x20 && p[i] < 0x7f;
		char c = plain ? (char)p[i] : '.';
		lines_span(l, plain ? ROLE_TEXT : ROLE_ESCAPE, (struct sv){ &c, 1 });
	}
}
