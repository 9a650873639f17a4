/*
 * test_keydec.c - a table: reads and pauses in, events out as text.
 *
 * Script: bytes stand for themselves; "\x01" ends a read; "\x02" is a pause
 * of 100 ms, "\x03" of 1,000 ms (both end the read too). An event is written
 * as its name; text as the character; then ! alone, ~ meta, p pasted.
 */
#include "tests/check.h"

#include "base/text.h"
#include "ui/keydec.h"

struct log {
	char text[512];
	size_t n;
};

static void note(void *arg, const struct key_event *ev)
{
	static const char *const names[KEY_N] = { "", "Enter", "Tab", "Bs", "Esc", "Up",
		"Down", "Left", "Right", "Home", "End", "PgUp", "PgDn", "Ins", "Del",
		"Backtab", "^" };
	struct log *l = arg;
	char cp[5] = "";

	if (ev->name == KEY_TEXT || ev->name == KEY_CTRL)
		cp[utf8_encode(ev->cp, cp)] = '\0';
	l->n += (size_t)snprintf(l->text + l->n, sizeof(l->text) - l->n, "%s%s%s%s%s%s",
		l->n > 0 ? " " : "", names[ev->name], cp, ev->alone ? "!" : "",
		ev->meta ? "~" : "", ev->pasted ? "p" : "");
	assert_true(l->n < sizeof(l->text));
}

struct row {
	const char *script, *events;
};
static const struct row rows[] = {
	{ "a", "a!" },
	{ "ab", "a b" },
	{ "a\x01" "b", "a! b!" },
	{ "\r", "Enter!" },
	{ "\n\t\x7f", "Enter Tab Bs" },
	{ "\x1a", "^z!" },
	/* arrows: both modes, with modifiers, and the Linux console's F1 */
	{ "\033[A", "Up!" },
	{ "\033OA", "Up!" },
	{ "\033[1;5B", "Down!" },
	{ "\033[5~\033[6~\033[H\033[4~", "PgUp! PgDn! Home! End!" },
	{ "\033[[A", "" },
	/* split: the letter never comes out */
	{ "\033\x02[A", "Up!" },
	{ "\033\x02[\x02" "A", "Up!" },
	{ "\033[\x02\x02\x02\x02\x02\x02\x02" "A", "Up!" },
	{ "\033\x01O\x01" "D", "Left!" },
	/* later than ESC is waited for: still no letters when the rest is one read */
	{ "\033\x03[A", "Esc! Up!" },
	{ "\033\x03OA", "Esc! Up!" },
	/* lone ESC, and keys after it */
	{ "\033\x02", "" },
	{ "\033\x03", "Esc!" },
	{ "\033\x02" "a", "Esc! a~" },
	{ "\033" "a", "a~" },
	{ "\033\033\x03", "Esc Esc!" },
	{ "\033\x03" "a", "Esc! a!" },
	/* unknown sequences go whole */
	{ "\033[99;1u", "" },
	{ "\033[?2026;2$y" "x", "x" },
	{ "\033[97u", "" },
	{ "\033[>1;10;0c", "" },
	{ "\033]11;rgb:0000/aaaa/aaaa\033\\", "" },
	{ "\033]0;aaa\007", "" },
	{ "\033Paaaa\033\\", "" },
	{ "\033OP\033[15~", "" },
	{ "\033[1;2;3;4;5;6;7a", "" },
	{ "\033[\x03\x03" "a", "a!" }, /* begun, never ended: dropped */
	{ "\033[12\033[A", "Up!" },
	{ "\033[I\033[O", "" },         /* focus reports */
	/* mouse: SGR, X10, urxvt */
	{ "\033[<0;33;12M\033[<0;33;12m", "" },
	{ "\033[M aa", "" },
	{ "\033[M a\x01" "ab", "b" },
	{ "\033[0;97;97M", "" },
	/* paste: all inside is marked, the end mark ends it once */
	{ "\033[200~a\033[201~", "ap" },
	{ "\033[200~a\x01" "a\x01\033[201~\x01" "a", "ap ap a!" },
	{ "\033[200~a\033[Ab\r\033[201~", "ap bp Enterp" },
	{ "\033[200~a\033[201~a\033[201~", "ap a" },
	{ "\033[200~\033]a\033[201~\x01" "d", "]p ap d!" },
	{ "\033[200~a\x03" "a", "ap ap" },
	{ "\033[200~a\x03\x03\x03\x03\x03" "a", "ap a!" }, /* no end mark came */
	/* UTF-8: whole, in pieces, broken */
	{ "\xc3\xa9", "é!" },
	{ "\xe2\x82\x01\xac", "€" },
	{ "\xe2\x82" "a", "� a" },
	{ "\xff\xc0\xaf", "� � �" },
	{ "\xc3\x03\x03", "�!" },
	{ "\xc2\x9b" "A", "� A" },      /* C1 CSI is no sequence and no letter */
};

static void run(struct keydec *k, const char *s, struct log *l)
{
	uint64_t now = 1000;
	const char *from = s;

	for (;; s++) {
		if (*s > 3 || *s < 0)
			continue;
		if (s > from)
			keydec_feed(k, from, (size_t)(s - from), now, note, l);
		if (*s == '\0')
			break;
		now += *s == 2 ? 100 : *s == 3 ? 1000 : 1;
		if (keydec_due(k) != 0 && keydec_due(k) <= now)
			keydec_tick(k, now, note, l);
		from = s + 1;
	}
}

static void table(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct keydec k;
		struct log l = { "", 0 };

		keydec_init(&k);
		run(&k, rows[i].script, &l);
		if (strcmp(l.text, rows[i].events) != 0)
			fail_msg("row %zu: \"%s\", not \"%s\"", i, l.text, rows[i].events);
	}
}

/* An ESC that waits for the rest delivers nothing before its time is over. */
static void waits(void **state)
{
	struct keydec k;
	struct log l = { "", 0 };

	(void)state;
	keydec_init(&k);
	assert_int_equal(keydec_due(&k), 0);
	keydec_feed(&k, "\033", 1, 100, note, &l);
	assert_int_equal(keydec_due(&k), 100 + KEYDEC_ESC_MS);
	keydec_tick(&k, 99 + KEYDEC_ESC_MS, note, &l);
	assert_string_equal(l.text, "");
	keydec_tick(&k, 100 + KEYDEC_ESC_MS, note, &l);
	assert_string_equal(l.text, "Esc!");
	assert_int_equal(keydec_due(&k), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table),
		cmocka_unit_test(waits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
