/*
 * screen.c - see screen.h.
 */
#include "console/screen.h"

#include <string.h>

void screen_init(struct screen *s, struct app *a, struct term *t)
{
	int w, h;

	memset(s, 0, sizeof(*s));
	s->app = a;
	s->term = t;
	term_size(t, &w, &h);
	frame_init(&s->frame, w, h);
	app_size(a, w, h);
}

void screen_free(struct screen *s)
{
	frame_free(&s->frame);
}

/* Input that was there before a view opened is read and carried out not. */
static int drop_waiting(struct screen *s, uint64_t now)
{
	char b[65536];
	ssize_t n;

	s->app->drop_input = false;
	while ((n = term_read(s->term, b, sizeof(b))) > 0)
		app_discard(s->app, b, (size_t)n, now);
	return n < 0 ? -1 : 0;
}

int screen_read(struct screen *s, uint64_t now)
{
	char b[65536];
	ssize_t n;

	while ((n = term_read(s->term, b, sizeof(b))) > 0) {
		app_input(s->app, b, (size_t)n, now);
		if (s->app->drop_input && drop_waiting(s, now) != 0)
			return -1;
		if (s->app->quit || s->app->suspend)
			break;
	}
	return n < 0 ? -1 : 0;
}

int screen_turn(struct screen *s, uint64_t now)
{
	struct app *a = s->app;

	for (int rounds = 0; rounds < 4; rounds++) {
		int rc = term_flush(s->term);

		if (rc <= 0)
			return rc;
		if (s->out) {
			s->out = false;
			app_shown(a, now);
		}
		if (a->redraw) {
			a->redraw = false;
			a->dirty = true;
			term_resized(s->term);
		}
		if (!a->dirty)
			return 1;
		app_draw(a, &s->frame, now);
		if (a->bell)
			term_bell(s->term);
		a->bell = false;
		term_draw(s->term, &s->frame);
		s->out = true;
	}
	return 1; /* the rest with the next turn */
}
