/*
 * keydec.h - bytes from a terminal and the time in, key events out.
 *
 * Hides: the escape sequences of terminals, bracketed paste, UTF-8 that
 * arrives in pieces, and the ambiguity of a lone ESC.
 * Frees: nothing; struct keydec is embedded.
 * Must not include: any library of a terminal. Pure: no I/O, no clock.
 *
 * Why not curses' getch(): it blocks on a lone ESC and hands the tail of an
 * unknown or split sequence on as letters, and a letter may approve.
 *
 * Rules: a whole unknown sequence vanishes; between an ESC and the rest of
 * its sequence nothing is delivered; what stood in a paste is marked so; a
 * mouse report is no key. Every doubt makes an event weaker, never stronger.
 */
#ifndef OBSTAT_UI_KEYDEC_H
#define OBSTAT_UI_KEYDEC_H

#include "base/mem.h"

#define KEYDEC_ESC_MS 500    /* a lone ESC is the Esc key after this */
#define KEYDEC_SEQ_MS 2000   /* silence that ends a sequence begun (dropped) */
#define KEYDEC_PASTE_MS 5000 /* silence that ends a paste without its end mark */

enum key_name { KEY_TEXT, KEY_ENTER, KEY_TAB, KEY_BACKSPACE, KEY_ESC, KEY_UP,
	KEY_DOWN, KEY_LEFT, KEY_RIGHT, KEY_HOME, KEY_END, KEY_PGUP, KEY_PGDN,
	KEY_INSERT, KEY_DELETE, KEY_BACKTAB, KEY_CTRL /* cp: 'a'..'z' */, KEY_N };

struct key_event {
	enum key_name name;
	uint32_t cp;       /* KEY_TEXT: a code point above 0x1f; KEY_CTRL: letter */
	bool pasted;       /* stood inside a bracketed paste */
	bool alone;        /* the whole read was this one key */
	bool meta;         /* Alt, or a key so soon after ESC that it may be half of
	                    * a sequence: moves, but neither approves nor denies */
	uint32_t in_read;  /* bytes of the read it came in */
	uint64_t at;       /* when it was read, ms */
};

enum keydec_state { KD_GROUND, KD_ESC, KD_CSI, KD_SS3, KD_STRING, KD_STRING_ESC,
	KD_MOUSE, KD_LINUX, KD_UTF8 };
struct keydec {
	enum keydec_state state;
	bool pasting;
	bool esc_same_read;        /* the ESC came in the read now being decoded */
	bool intermediate;         /* CSI held a byte 0x20..0x2f */
	bool private_mark;         /* CSI began with '<', '=', '>' or '?' */
	unsigned params[4], n_params;
	unsigned skip;             /* bytes of an X10 mouse report still to come */
	char utf8[4];
	unsigned utf8_have, utf8_want;
	uint64_t last_at;          /* time of the last byte */
	uint64_t esc_timed_out_at; /* a lone ESC was delivered then; 0 never */
	uint32_t in_read;
};

typedef void (*key_fn)(void *arg, const struct key_event *ev);

void keydec_init(struct keydec *k);
/* One read's bytes, all of them: "alone" is judged by this n. */
void keydec_feed(struct keydec *k, const char *p, size_t n, uint64_t now,
	key_fn fn, void *arg);
/* The moment at which keydec_tick() has something to do; 0: none. */
uint64_t keydec_due(const struct keydec *k);
void keydec_tick(struct keydec *k, uint64_t now, key_fn fn, void *arg);
/* True for what counts as typed text: letters, digits, blank, pasted or not. */
bool key_is_printable(const struct key_event *ev);

#endif
