/*
 * call.h - one method call from a console.
 *
 * Frees: json and arena live for the call only; a method that answers later
 * keeps the connection's serial and the id (call_later()).
 * Must not include: ui, console, cli.
 */
#ifndef OBSTAT_HUB_CALL_H
#define OBSTAT_HUB_CALL_H

#include "hub/ndjson.h"

struct console {
	bool hello, subscribed;
	struct by who;             /* uid from the socket; names as claimed */
	char ssh[64], tmux[64];
	uint64_t viewing;          /* the action it has open, 0 none */
};
struct call {
	struct hub *hub;
	struct conn *conn;
	struct console *con;
	const struct json *json;
	json_ref params;
	struct sv id;
	struct arena *arena;
	bool answered;
};
/* An answer; a second one to the same call is ignored. */
void call_ok(struct call *c, struct jv *owned);
void call_ok_text(struct call *c, struct sv json);  /* the result's own text */
void call_error(struct call *c, const char *word, const char *text,
	struct jv *owned_data);
/* Answer later: by call_reply(), which frees. */
struct later {
	uint64_t conn;
	char *id;
};
struct later *call_later(struct call *c);
void later_ok(struct hub *h, struct later *l, struct jv *owned);
void later_error(struct hub *h, struct later *l, const char *word,
	const char *text, struct jv *owned_data);
void later_text(struct hub *h, struct later *l, struct sv json);

json_ref call_arg(const struct call *c, const char *key);
bool call_u64(const struct call *c, const char *key, uint64_t *out);
bool call_bool(const struct call *c, const char *key);  /* absent: false */
struct sv call_str(const struct call *c, const char *key);
bool call_digest(const struct call *c, const char *key, struct digest *out);
/* params.id's request; answers unknown_id itself when there is none. */
struct req *call_req(struct call *c);

struct method {
	const char *name;
	void (*fn)(struct call *c);
};
/* One row a method. console_peer.c dispatches; ends with name NULL. */
extern const struct method console_action_methods[], console_hub_methods[];

/* Who looks at an action, but for one console: [{name, console}]. */
struct jv *console_presence(struct hub *h, uint64_t id, const struct conn *but);
void console_presence_note(struct hub *h, uint64_t id);

#endif
