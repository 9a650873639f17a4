/*
 * frame.c - see frame.h.
 */
#include "ui/frame.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

void frame_init(struct frame *f, int w, int h)
{
	memset(f, 0, sizeof(*f));
	frame_resize(f, w, h);
}

void frame_resize(struct frame *f, int w, int h)
{
	/* A terminal may report anything; 1000 x 1000 is past every screen. */
	w = w < 1 ? 1 : w > 1000 ? 1000 : w;
	h = h < 1 ? 1 : h > 1000 ? 1000 : h;
	if (w != f->w || h != f->h) {
		free(f->cells);
		f->cells = xcalloc((size_t)w * (size_t)h, sizeof(*f->cells));
		f->w = w;
		f->h = h;
	}
	frame_clear(f);
}

void frame_free(struct frame *f)
{
	free(f->cells);
	memset(f, 0, sizeof(*f));
}

static void cell_blank(struct cell *c, enum role r)
{
	c->g[0] = ' ';
	c->n = 1;
	c->w = 1;
	c->role = (uint8_t)r;
}

void frame_clear(struct frame *f)
{
	for (int i = 0; i < f->w * f->h; i++)
		cell_blank(&f->cells[i], ROLE_TEXT);
	f->cx = f->cy = -1;
}

struct cell *frame_at(struct frame *f, int x, int y)
{
	if (x < 0 || y < 0 || x >= f->w || y >= f->h)
		return NULL;
	return &f->cells[y * f->w + x];
}

/* Half of a wide glyph that is drawn over becomes a blank. */
static void unsplit(struct frame *f, int x, int y)
{
	struct cell *c = frame_at(f, x, y), *other;

	if (c == NULL)
		return;
	if (c->w == 0 && (other = frame_at(f, x - 1, y)) != NULL && other->w == 2)
		cell_blank(other, other->role);
	if (c->w == 2 && (other = frame_at(f, x + 1, y)) != NULL && other->w == 0)
		cell_blank(other, other->role);
}

static void put(struct frame *f, int x, int y, struct sv g, int w, enum role r)
{
	struct cell *c = frame_at(f, x, y);

	if (c == NULL || (w == 2 && x + 1 >= f->w))
		return;
	unsplit(f, x, y);
	if (w == 2)
		unsplit(f, x + 1, y);
	memcpy(c->g, g.p, g.n);
	c->n = (uint8_t)g.n;
	c->w = (uint8_t)w;
	c->role = (uint8_t)r;
	if (w == 2) {
		c[1].n = 0;
		c[1].w = 0;
		c[1].role = (uint8_t)r;
	}
}

/* Printable ASCII needs no questions, and is nearly all there is. */
static bool ascii_clean(struct sv g)
{
	return g.n == 1 && g.p[0] >= 0x20 && g.p[0] < 0x7f;
}

static int draw(struct frame *f, int x, int y, int max, enum role r, struct sv s, bool *cut)
{
	int used = 0, w;
	size_t at = 0, n;

	if (max > f->w - x)
		max = f->w - x;
	*cut = false;
	while (at < s.n && (n = grapheme_next(s, at, &w)) > 0) {
		struct sv g = { s.p + at, n };
		enum role role = r;

		at += n;
		if (!ascii_clean(g) && (g.n > CELL_BYTES || w < 1 || !esc_is_clean(g))) {
			g = SV("\xef\xbf\xbd"); /* as wide as wrap.c counts */
			w = 1;
			role = ROLE_ESCAPE;
		}
		if (used + w > max) {
			*cut = true;
			break;
		}
		put(f, x + used, y, g, w, role);
		used += w;
	}
	return used;
}

int frame_text(struct frame *f, int x, int y, int max, enum role r, struct sv s)
{
	bool cut;
	return draw(f, x, y, max, r, s, &cut);
}

int frame_label(struct frame *f, int x, int y, int max, enum role r, struct sv s)
{
	bool cut, cut2;
	int used;

	if (max > f->w - x)
		max = f->w - x;
	if (max <= 0)
		return 0;
	used = draw(f, x, y, max, r, s, &cut);
	if (!cut)
		return used;
	used = draw(f, x, y, max - 1, r, s, &cut2);
	return used + draw(f, x + used, y, 1, r, SV("…"), &cut2);
}

int frame_right(struct frame *f, int x_end, int y, int max, enum role r, struct sv s)
{
	size_t cells = text_cells(s);
	int n = cells > (size_t)max ? max : (int)cells;

	frame_label(f, x_end - n, y, n, r, s);
	return x_end - n;
}

int frame_s(struct frame *f, int x, int y, int max, enum role r, const char *s)
{
	return frame_label(f, x, y, max, r, sv_of(s));
}

void frame_fill(struct frame *f, int x, int y, int n, enum role r, const char *glyph)
{
	for (int i = 0; i < n; i++)
		put(f, x + i, y, sv_of(glyph), 1, r);
}

void frame_paint(struct frame *f, int x, int y, int n, enum role r)
{
	for (int i = 0; i < n; i++) {
		struct cell *c = frame_at(f, x + i, y);
		if (c != NULL)
			c->role = (uint8_t)r;
	}
}

static bool cell_eq(const struct cell *a, const struct cell *b)
{
	return a->n == b->n && a->w == b->w && a->role == b->role
		&& memcmp(a->g, b->g, a->n) == 0;
}

void frame_put(struct frame *to, int x, int y, const struct frame *from)
{
	int n = from->w < to->w - x ? from->w : to->w - x;

	for (int row = 0; n > 0 && row < from->h && y + row < to->h; row++)
		memcpy(&to->cells[(y + row) * to->w + x], &from->cells[row * from->w],
			(size_t)n * sizeof(*to->cells));
}

bool frame_eq(const struct frame *a, const struct frame *b)
{
	if (a->w != b->w || a->h != b->h || a->cx != b->cx || a->cy != b->cy)
		return false;
	for (int i = 0; i < a->w * a->h; i++)
		if (!cell_eq(&a->cells[i], &b->cells[i]))
			return false;
	return true;
}

void frame_copy(struct frame *to, const struct frame *from)
{
	frame_resize(to, from->w, from->h);
	memcpy(to->cells, from->cells,
		(size_t)from->w * (size_t)from->h * sizeof(*from->cells));
	to->cx = from->cx;
	to->cy = from->cy;
}

int frame_dump(const struct frame *f, struct buf *out)
{
	for (int y = 0; y < f->h; y++) {
		const struct cell *row = &f->cells[y * f->w];

		buf_addc(out, '|');
		for (int x = 0; x < f->w; x++)
			buf_add(out, row[x].g, row[x].n);
		buf_adds(out, "|\n|");
		for (int x = 0; x < f->w; x++)
			buf_addc(out, role_letter((enum role)row[x].role));
		buf_adds(out, "|\n");
	}
	if (f->cx >= 0)
		buf_addf(out, "cursor %d %d\n", f->cx, f->cy);
	return out->over ? -1 : 0;
}
