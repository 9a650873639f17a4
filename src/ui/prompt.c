/*
 * prompt.c - see prompt.h.
 */
#include "ui/prompt.h"

#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "base/text.h"

static const char *const quick[] = {
	N_("not what I asked for"),
	N_("wrong target"),
	N_("find a way that can be undone"),
	N_("explain first why this is needed"),
	N_("not now"),
};
#define N_QUICK (sizeof(quick) / sizeof(quick[0]))

void prompt_open(struct prompt *p, enum prompt_kind kind, uint64_t id)
{
	memset(p, 0, sizeof(*p));
	p->kind = kind;
	p->id = id;
	p->carries = true;
	buf_init(&p->text, PROMPT_MAX);
}

void prompt_close(struct prompt *p)
{
	if (p->kind != PROMPT_NONE)
		buf_free(&p->text);
	memset(p, 0, sizeof(*p));
}

static void insert(struct prompt *p, const char *s, size_t n)
{
	size_t old = p->text.n;

	if (old + n > PROMPT_MAX || buf_add(&p->text, s, n) != 0)
		return;
	memmove(p->text.p + p->at + n, p->text.p + p->at, old - p->at);
	memcpy(p->text.p + p->at, s, n);
	p->at += n;
}

static void erase(struct prompt *p, size_t from, size_t to)
{
	memmove(p->text.p + from, p->text.p + to, p->text.n - to);
	p->text.n -= to - from;
	p->at = from;
}

/* Where the grapheme before the caret begins. */
static size_t before(const struct prompt *p)
{
	size_t at = 0, from = 0;

	while (at < p->at) {
		size_t n = grapheme_next(buf_sv(&p->text), at, NULL);
		from = at;
		if (n == 0)
			break;
		at += n;
	}
	return from;
}

static void text_key(struct prompt *p, const struct key_event *ev)
{
	char s[4];
	size_t n = utf8_encode(ev->cp, s);
	const char *words;

	if (ev->pasted || ev->in_read >= PROMPT_BURST)
		p->tainted = true;
	if (!esc_is_clean((struct sv){ s, n }))
		n = cell_width(ev->cp) == 0 && ev->cp >= 0x300 ? n : 0; /* accents join */
	if (n == 0)
		return;
	if (p->kind == PROMPT_REASON && p->text.n == 0 && !ev->pasted && ev->cp >= '1'
		&& ev->cp < '1' + N_QUICK) {
		words = _(quick[ev->cp - '1']);
		insert(p, words, strlen(words));
		return;
	}
	insert(p, s, n);
}

static void edit_key(struct prompt *p, const struct key_event *ev)
{
	size_t from = before(p);

	switch (ev->name) {
	case KEY_BACKSPACE: erase(p, from, p->at); break;
	case KEY_DELETE:
		erase(p, p->at, p->at + grapheme_next(buf_sv(&p->text), p->at, NULL));
		break;
	case KEY_LEFT: p->at = from; break;
	case KEY_RIGHT: p->at += grapheme_next(buf_sv(&p->text), p->at, NULL); break;
	case KEY_HOME: p->at = 0; break;
	case KEY_END: p->at = p->text.n; break;
	default: break;
	}
}

enum prompt_did prompt_key(struct prompt *p, const struct key_event *ev)
{
	switch (ev->name) {
	case KEY_ENTER:
		if (ev->pasted) { /* a line break in a paste sends nothing */
			p->tainted = true;
			return PROMPT_GOES_ON;
		}
		if (!ev->alone)
			p->tainted = true;
		return PROMPT_SENT;
	case KEY_ESC: return PROMPT_LEFT;
	case KEY_TEXT:
		if (!(ev->meta && ev->in_read > 1))
			text_key(p, ev);
		return PROMPT_GOES_ON;
	case KEY_CTRL:
		if (ev->pasted)
			return PROMPT_GOES_ON;
		if (ev->cp == 'c')
			return PROMPT_LEFT;
		if (ev->cp == 'r')
			return p->kind == PROMPT_REASON ? PROMPT_TAKE_BACK : PROMPT_GOES_ON;
		if (ev->cp == 'u')
			erase(p, 0, p->at);
		return PROMPT_GOES_ON;
	default: edit_key(p, ev); return PROMPT_GOES_ON;
	}
}

int prompt_rows(const struct prompt *p, int h)
{
	if (p->kind == PROMPT_NONE)
		return 1;
	return h >= 10 ? 2 : 1;
}

static void draw_help(const struct prompt *p, struct frame *f, int y)
{
	char line[600];
	int n = 0;

	if (p->kind == PROMPT_CONFIRM) {
		snprintf(line, sizeof(line),
			_("To approve, type %s and press Enter. Esc: not now."), p->word);
		frame_s(f, 1, y, f->w - 1, ROLE_PROMPT, line);
		return;
	}
	n = snprintf(line, sizeof(line), "%s", p->carries ? _("Denied. Why? ")
		: _("Denied. Why? (kept in the record; this runtime cannot pass it on) "));
	n = frame_s(f, 1, y, f->w - 1, ROLE_PROMPT, line) + 1;
	for (size_t i = 0; i < N_QUICK; i++) {
		char key[4];

		snprintf(key, sizeof(key), "%u", (unsigned)(i + 1));
		/* One that is cut says something else. */
		if (n + 2 + (int)text_cells(sv_of(_(quick[i]))) > f->w)
			break;
		n += frame_s(f, n, y, f->w - n, ROLE_KEY, key) + 1;
		n += frame_s(f, n, y, f->w - n, ROLE_CHROME, _(quick[i])) + 2;
	}
}

void prompt_draw(const struct prompt *p, struct frame *f)
{
	int y = f->h - 1, x, room, caret;
	struct sv s = buf_sv(&p->text);
	size_t from = 0;
	char label[160];

	if (prompt_rows(p, f->h) == 2)
		draw_help(p, f, y - 1);
	if (p->kind == PROMPT_CONFIRM)
		snprintf(label, sizeof(label), f->w >= 40 ? _("type %s:") : "%s:", p->word);
	else
		snprintf(label, sizeof(label), "%s", _("reason:"));
	x = 1 + frame_s(f, 1, y, f->w / 2, ROLE_PROMPT, label) + 1;
	room = f->w - x - 1;
	if (p->kind == PROMPT_REASON && f->w >= 70) {
		const char *keys = _("Enter send · Esc none · ^R take back");
		room -= (int)text_cells(sv_of(keys)) + 2;
		frame_right(f, f->w - 1, y, f->w / 2, ROLE_CHROME_DIM, sv_of(keys));
	}
	/* The caret stays in sight: what stands left of it scrolls out. */
	while (text_cells(sv_sub(s, from, p->at)) > (size_t)(room - 1)) {
		size_t n = grapheme_next(s, from, NULL);
		if (n == 0)
			break;
		from += n;
	}
	for (int i = 0; i < room; i++)
		frame_s(f, x + i, y, 1, ROLE_INPUT, " ");
	frame_text(f, x, y, room, ROLE_INPUT, sv_sub(s, from, s.n));
	caret = (int)text_cells(sv_sub(s, from, p->at));
	f->cx = x + caret;
	f->cy = y;
}
