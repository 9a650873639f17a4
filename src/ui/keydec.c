/*
 * keydec.c - a byte-wise state machine in the manner of ECMA-48 5.4 (control
 * sequences) and of xterm's ctlseqs for the keys. See keydec.h.
 */
#include "ui/keydec.h"

#include <string.h>

#include "base/text.h"

struct out {
	struct keydec *k;
	key_fn fn;
	void *arg;
	uint64_t now;
};

void keydec_init(struct keydec *k)
{
	memset(k, 0, sizeof(*k));
}

bool key_is_printable(const struct key_event *ev)
{
	return ev->name == KEY_TEXT;
}

static void emit(struct out *o, enum key_name name, uint32_t cp, bool meta, unsigned bytes)
{
	struct key_event ev = {
		.name = name, .cp = cp, .pasted = o->k->pasting, .meta = meta,
		.alone = o->k->in_read == bytes && !o->k->pasting && !meta,
		.in_read = o->k->in_read, .at = o->now,
	};
	o->fn(o->arg, &ev);
}

/* CSI n ~ as sent by vt220 and its heirs; 0: not one of ours. */
static enum key_name tilde_key(unsigned n)
{
	static const enum key_name keys[] = {
		[1] = KEY_HOME, [2] = KEY_INSERT, [3] = KEY_DELETE, [4] = KEY_END,
		[5] = KEY_PGUP, [6] = KEY_PGDN, [7] = KEY_HOME, [8] = KEY_END,
	};
	return n < sizeof(keys) / sizeof(keys[0]) ? keys[n] : KEY_TEXT;
}

static enum key_name letter_key(char final)
{
	switch (final) {
	case 'A': return KEY_UP;
	case 'B': return KEY_DOWN;
	case 'C': return KEY_RIGHT;
	case 'D': return KEY_LEFT;
	case 'H': return KEY_HOME;
	case 'F': return KEY_END;
	case 'Z': return KEY_BACKTAB;
	default: return KEY_TEXT; /* none */
	}
}

/* A complete CSI. Inside a paste only the end mark means anything. */
static void csi_done(struct out *o, char final)
{
	struct keydec *k = o->k;
	unsigned first = k->n_params > 0 ? k->params[0] : 0;
	enum key_name name = KEY_TEXT;

	k->state = KD_GROUND;
	if (k->private_mark || k->intermediate)
		return;
	if (final == '~' && first == 201) {
		k->pasting = false;
		return;
	}
	if (k->pasting)
		return;
	if (final == '~' && first == 200) {
		k->pasting = true;
		return;
	}
	if (final == 'M' && k->n_params == 0) { /* X10 mouse: three raw bytes follow */
		k->state = KD_MOUSE;
		k->skip = 3;
		return;
	}
	name = final == '~' ? tilde_key(first) : letter_key(final);
	if (name != KEY_TEXT)
		emit(o, name, 0, false, k->in_read);
}

static void csi_begin(struct keydec *k)
{
	k->state = KD_CSI;
	k->n_params = 0;
	k->intermediate = false;
	k->private_mark = false;
	memset(k->params, 0, sizeof(k->params));
}

static void csi_byte(struct out *o, unsigned char c)
{
	struct keydec *k = o->k;

	if (c >= '0' && c <= '9') {
		if (k->n_params == 0)
			k->n_params = 1;
		unsigned i = k->n_params - 1;
		if (i < 4 && k->params[i] < 100000)
			k->params[i] = k->params[i] * 10 + (unsigned)(c - '0');
	} else if (c == ';' || c == ':') {
		k->n_params += k->n_params == 0 ? 2 : 1;
		if (k->n_params > 1000) /* only the first four are kept */
			k->n_params = 1000;
	} else if (c >= '<' && c <= '?') {
		k->private_mark = true;
	} else if (c >= 0x20 && c <= 0x2f) {
		k->intermediate = true;
	} else if (c == '[' && k->n_params == 0 && !k->private_mark && !k->intermediate) {
		k->state = KD_LINUX; /* the Linux console's F1..F5: ESC [ [ A */
	} else if (c >= 0x40 && c <= 0x7e) {
		csi_done(o, (char)c);
	}
	/* Other bytes inside a sequence are part of its damage: dropped. */
}

static void ctrl_byte(struct out *o, unsigned char c)
{
	switch (c) {
	case '\r': case '\n': emit(o, KEY_ENTER, 0, false, 1); break;
	case '\t': emit(o, KEY_TAB, 0, false, 1); break;
	case 0x7f: case '\b': emit(o, KEY_BACKSPACE, 0, false, 1); break;
	case 0: break;
	default:
		if (c <= 26)
			emit(o, KEY_CTRL, (uint32_t)('a' + c - 1), false, 1);
		break;
	}
}

static void utf8_flush(struct out *o)
{
	struct keydec *k = o->k;
	uint32_t cp = 0xfffd;
	unsigned used = k->utf8_have;

	if (utf8_decode(k->utf8, k->utf8_have, &cp) != used || (cp >= 0x80 && cp < 0xa0))
		cp = 0xfffd;
	k->utf8_have = 0;
	k->state = KD_GROUND;
	emit(o, KEY_TEXT, cp, false, used);
}

static void ground_byte(struct out *o, unsigned char c)
{
	struct keydec *k = o->k;

	if (c == 0x1b) {
		k->state = KD_ESC;
		k->esc_same_read = true;
	} else if (c < 0x20 || c == 0x7f) {
		ctrl_byte(o, c);
	} else if (c < 0x80) {
		emit(o, KEY_TEXT, c, false, 1);
	} else if (c >= 0xc2 && c <= 0xf4) {
		k->utf8[0] = (char)c;
		k->utf8_have = 1;
		k->utf8_want = c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
		k->state = KD_UTF8;
	} else {
		emit(o, KEY_TEXT, 0xfffd, false, 1);
	}
}

/*
 * The byte after an ESC. In the same read a letter is Alt and the letter; in a
 * later one a person pressed Esc and then a key, or a line stalled between
 * the two: Esc is delivered, and the key is marked so that it decides nothing.
 */
static void esc_byte(struct out *o, unsigned char c)
{
	struct keydec *k = o->k;

	k->state = KD_GROUND;
	if (k->pasting && c != '[') { /* a stray ESC in a paste begins nothing */
		ground_byte(o, c);
		return;
	}
	switch (c) {
	case '[': csi_begin(k); return;
	case 'O': k->state = KD_SS3; return;
	case ']': case 'P': case '_': case '^': case 'X': k->state = KD_STRING; return;
	default: break;
	}
	if (c == 0x1b) {
		emit(o, KEY_ESC, 0, false, 1);
		k->state = KD_ESC;
		k->esc_same_read = true;
		return;
	}
	if (!k->esc_same_read)
		emit(o, KEY_ESC, 0, false, 1);
	if (c >= 0x20 && c < 0x7f)
		emit(o, KEY_TEXT, c, true, 2);
	else if (!k->esc_same_read)
		ground_byte(o, c);
	/* Alt with a control key is no key of ours. */
}

static void byte(struct out *o, unsigned char c)
{
	struct keydec *k = o->k;

	/* CAN and SUB abort a sequence (ECMA-48); an ESC begins a new one. */
	bool in_seq = k->state == KD_CSI || k->state == KD_SS3 || k->state == KD_LINUX;
	if (in_seq && c == 0x1b) {
		k->state = KD_ESC;
		k->esc_same_read = true;
		return;
	}
	switch (k->state) {
	case KD_GROUND: ground_byte(o, c); break;
	case KD_ESC: esc_byte(o, c); break;
	case KD_CSI: csi_byte(o, c); break;
	case KD_SS3:
		k->state = KD_GROUND;
		if (!k->pasting && letter_key((char)c) != KEY_TEXT)
			emit(o, letter_key((char)c), 0, false, k->in_read);
		break;
	case KD_STRING:
		if (c == 0x07)
			k->state = KD_GROUND;
		else if (c == 0x1b)
			k->state = KD_STRING_ESC;
		break;
	case KD_STRING_ESC: k->state = c == '\\' ? KD_GROUND : KD_STRING; break;
	case KD_MOUSE:
		if (--k->skip == 0)
			k->state = KD_GROUND;
		break;
	case KD_LINUX: k->state = KD_GROUND; break;
	case KD_UTF8:
		if ((c & 0xc0) != 0x80) {
			utf8_flush(o); /* cut short: shown as U+FFFD */
			ground_byte(o, c);
			break;
		}
		k->utf8[k->utf8_have++] = (char)c;
		if (k->utf8_have == k->utf8_want)
			utf8_flush(o);
		break;
	}
}

/*
 * The tail of a sequence whose ESC came too long ago to wait for: '[' or 'O'
 * and at least one more byte in one read, at most 2 s after that ESC. No
 * person types these two within one read.
 */
static bool late_tail(const struct keydec *k, const char *p, size_t n, uint64_t now)
{
	return k->state == KD_GROUND && !k->pasting && k->esc_timed_out_at != 0 && n >= 2
		&& now - k->esc_timed_out_at <= KEYDEC_SEQ_MS && (p[0] == '[' || p[0] == 'O');
}

void keydec_feed(struct keydec *k, const char *p, size_t n, uint64_t now,
	key_fn fn, void *arg)
{
	struct out o = { k, fn, arg, now };

	keydec_tick(k, now, fn, arg);
	k->in_read = n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
	k->esc_same_read = false;
	if (late_tail(k, p, n, now)) {
		k->state = KD_ESC;
		k->esc_same_read = true;
	}
	for (size_t i = 0; i < n; i++)
		byte(&o, (unsigned char)p[i]);
	if (n > 0) {
		k->last_at = now;
		k->esc_timed_out_at = 0;
	}
}

uint64_t keydec_due(const struct keydec *k)
{
	if (k->state == KD_ESC)
		return k->last_at + (k->pasting ? KEYDEC_PASTE_MS : KEYDEC_ESC_MS);
	if (k->state != KD_GROUND)
		return k->last_at + KEYDEC_SEQ_MS;
	return k->pasting ? k->last_at + KEYDEC_PASTE_MS : 0;
}

void keydec_tick(struct keydec *k, uint64_t now, key_fn fn, void *arg)
{
	struct out o = { k, fn, arg, now };
	uint64_t due = keydec_due(k);

	if (due == 0 || now < due)
		return;
	k->in_read = 1;
	if (k->state == KD_ESC && !k->pasting) {
		k->state = KD_GROUND;
		k->esc_timed_out_at = now;
		emit(&o, KEY_ESC, 0, false, 1);
	} else if (k->state == KD_UTF8) {
		utf8_flush(&o);
	}
	/* A sequence begun and never ended is dropped whole. */
	k->state = KD_GROUND;
	if (k->pasting && now >= k->last_at + KEYDEC_PASTE_MS)
		k->pasting = false;
}
