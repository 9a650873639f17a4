/*
 * app.h - the console without its descriptors: bytes typed, lines from the hub
 * and the time go in; lines for the hub and frames come out. All that decides
 * whether a key approves is here, and is tested without a terminal.
 *
 * Hides: nothing; the files app_*.c share this struct. Callers outside
 * console/ use console.h.
 * Frees: app_free().
 * Must not include: base/loop.h, ui/term.h.
 *
 * The road of an approval: a key event that is alone, not pasted, no half of a
 * sequence (keydec) -> in the opened view, or with care "glance" in the queue
 * when the preview holds the whole document, 300 ms after the last printable
 * key, 400 ms after a frame with this document, size and mode was completely
 * written (armed_at) -> the document covered (seen) -> the word, when care says
 * so -> action/decide. Back to the queue; until the hub says the hold is over,
 * any printable key sends action/take_back.
 */
#ifndef OBSTAT_CONSOLE_APP_H
#define OBSTAT_CONSOLE_APP_H

#include "console/kept.h"
#include "console/mirror.h"
#include "ui/hintbar.h"
#include "ui/prompt.h"
#include "ui/view_action.h"
#include "ui/view_help.h"
#include "ui/view_queue.h"

#define APP_ARM_MS 400        /* console.md, Input 1 */
#define APP_QUIET_MS 300      /* Input 2 */
#define APP_EXTEND_MS 600000
#define APP_REQUESTS 256

enum ask { ASK_HELLO, ASK_SUBSCRIBE, ASK_GET, ASK_LINES, ASK_RAW, ASK_DECIDE,
	ASK_TAKE_BACK, ASK_REASON, ASK_STOP_ALL, ASK_HOLD, ASK_EXTEND, ASK_OTHER };
struct request {
	uint64_t rpc;            /* 0: free */
	enum ask ask;
	uint64_t id;             /* action */
	uint32_t index;          /* piece */
	enum verb verb;
	enum state before;       /* of the row, when its decision was sent */
};

struct app {
	struct mirror st;
	struct keydec keys;
	struct prompt prompt;
	struct view_queue queue;
	struct view_action action;
	struct view_help help;
	unsigned view, under_help;
	uint64_t open_id;
	int w, h;
	uint64_t now;

	uint64_t armed_at;       /* 0: what is on the screen is not settled yet */
	char *drawn_key;         /* document, size, mode of the last drawn frame */
	char *shown_key;         /* of the last one completely written */
	struct shown drawn;      /* rows of drawn_id in the drawn frame: the open
	                          * action, or a preview that holds all of one */
	uint64_t drawn_id, drawn_cursor;
	int drawn_w;
	uint64_t opened_at;      /* or since when time is not reported yet */
	struct kept kept;        /* drawn, for a hub that comes after this one */
	uint64_t last_printable; /* 0: never */
	uint64_t hold_id;        /* our approval that can still be taken back */
	uint64_t swallow_until;  /* rest of a typed word after a take-back */
	uint64_t last_denied;
	uint64_t stopped_until;  /* the stop button was ours, and may be undone */

	bool dirty, quit, suspend, redraw, drop_input, dropping, bell;
	uint64_t minute_at;      /* next wake for ages and the clock; 0 none */
	char message[400];
	enum role message_role;

	char name[32];           /* of this console, told from others by the hub */
	void (*send)(void *arg, struct sv line); /* a whole line, LF included */
	void *arg;
	uint64_t rpc_next;
	struct request requests[APP_REQUESTS];
};

void app_init(struct app *a, void (*send)(void *, struct sv), void *arg);
void app_free(struct app *a);
void app_connected(struct app *a, uint64_t now);
void app_disconnected(struct app *a, uint64_t now);
void app_line(struct app *a, struct sv line, uint64_t now);   /* without LF */
void app_input(struct app *a, const char *p, size_t n, uint64_t now);
/* Input that waited since before a view opened: kept in step, carried out
 * not. */
void app_discard(struct app *a, const char *p, size_t n, uint64_t now);
void app_tick(struct app *a, uint64_t now);
uint64_t app_due(const struct app *a);  /* next app_tick() wanted; 0: none */
void app_size(struct app *a, int w, int h);
void app_draw(struct app *a, struct frame *f, uint64_t now);
void app_shown(struct app *a, uint64_t now); /* that frame is on the screen */

/* Between the files of console/. */
void app_say(struct app *a, enum role r, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void app_ask(struct app *a, const char *method, struct jv *owned, struct request rq);
void app_disarm(struct app *a);         /* until it has stood for a moment again */
struct jv *app_id(uint64_t id);         /* {id} */
struct item *app_item(struct app *a, uint64_t id); /* fetched if new */
void app_seen_again(struct app *a, struct item *it); /* what a new hub lacks */
void app_viewed(struct app *a, const struct item *it);
void app_refetch(struct app *a, struct item *it);
uint64_t app_target(const struct app *a); /* what a key would decide; 0: nothing */
struct ui_opened app_opened(struct app *a, struct line_source src[2]);
const char *app_blocked(struct app *a); /* why not approve; NULL: but for timing */
bool app_stands(struct app *a);         /* the screen shows just that, still */
struct ui_queue app_queue(struct app *a, struct line_source *preview);
void app_open(struct app *a, uint64_t id);
void app_to_queue(struct app *a);
void app_key(void *app, const struct key_event *ev);
void app_deny(struct app *a, enum verb v);
void app_approve(struct app *a, const struct key_event *ev);
void app_prompt_key(struct app *a, const struct key_event *ev);
void app_take_back(struct app *a);
void app_stop_all(struct app *a);
void app_decided(struct app *a, struct request rq, const struct jv *error);

#endif
