/*
 * fake_hub.h - the hub's side of the console protocol, as far as a console
 * can see it, with fixtures for documents. No socket: lines in, lines out.
 */
#ifndef OBSTAT_TESTS_FAKE_HUB_H
#define OBSTAT_TESTS_FAKE_HUB_H

#include "console/app.h"
#include "model/doc.h"

#define FAKE_ROWS 400
struct fake_row {
	uint64_t id;
	char kind[16], channel[32], session[32], text[300], care[16], state[16],
		outcome[32], verb[16], by[32], confirm[64], why_not[32];
	bool by_console;         /* us */
	uint64_t since, expires_at, linked;
	bool ready, can_reason, warn;
	struct doc *doc;
	struct cover *seen;
	uint32_t big;            /* not 0: this many made-up lines, no doc */
};
struct fake_hub {
	struct app *app;
	struct fake_row rows[FAKE_ROWS];
	size_t n;
	bool hold, up, short_answers;
	uint64_t now;
	struct buf in;           /* lines from the console, not answered yet */
	struct buf log;          /* "method {params}\n" of all requests */
	unsigned approved;       /* action/decide approve that was accepted */
	unsigned max_lines;      /* most lines asked for in one doc/lines */
};
void fake_init(struct fake_hub *h, struct app *a);
void fake_free(struct fake_hub *h);
void fake_send(void *hub, struct sv line); /* for app_init() */
/* Answers all that waits. */
void fake_pump(struct fake_hub *h, uint64_t now);
/* fixture: lines:N, edit, hidden, tool, long, big:N, notready. */
struct fake_row *fake_row(struct fake_hub *h, uint64_t id, const char *kind,
	const char *care, const char *fixture, const char *text);
struct fake_row *fake_find(struct fake_hub *h, uint64_t id);
void fake_forget(struct fake_hub *h);  /* as if killed and started again */
void fake_tell(struct fake_hub *h, const char *method, const struct fake_row *r);
void fake_hub_state(struct fake_hub *h, const char *store, const char *text, int refused);
void fake_warning(struct fake_hub *h, const char *text); /* "": mended */
void fake_session(struct fake_hub *h, const char *channel, const char *session, bool red);
void fake_presence(struct fake_hub *h, uint64_t id, const char *name);

#endif
