/*
 * commands.c - keys to commands. See commands.h.
 */
#include "ui/commands.h"

#include <string.h>

static const struct {
	const char *name;
	enum key_name key;
} names[] = { { "Enter", KEY_ENTER }, { "Tab", KEY_TAB }, { "Esc", KEY_ESC },
	{ "Up", KEY_UP }, { "Down", KEY_DOWN }, { "Left", KEY_LEFT },
	{ "Right", KEY_RIGHT }, { "Home", KEY_HOME }, { "End", KEY_END },
	{ "PgUp", KEY_PGUP }, { "PgDn", KEY_PGDN } };

static bool key_is(struct sv spec, const struct key_event *ev)
{
	if (spec.n == 1)
		return ev->name == KEY_TEXT && ev->cp == (unsigned char)spec.p[0];
	if (spec.n == 2 && spec.p[0] == '^')
		return ev->name == KEY_CTRL && ev->cp == (unsigned char)(spec.p[1] | 0x20);
	if (sv_eqs(spec, "Space"))
		return ev->name == KEY_TEXT && ev->cp == ' ';
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (sv_eqs(spec, names[i].name))
			return ev->name == names[i].key;
	return false;
}

/* The i-th blank-separated word of keys. */
static struct sv nth_key(const char *keys, unsigned i)
{
	for (;; keys++) {
		size_t n = strcspn(keys, " ");

		if (i-- == 0)
			return (struct sv){ keys, n };
		keys += n;
		if (*keys == '\0')
			return SV_NONE;
	}
}

enum cmd command_for(unsigned view, const struct key_event *ev)
{
	/* A pasted letter means nothing; nor does Alt and a letter. */
	if (ev->pasted || (ev->meta && !ev->alone && ev->in_read > 1))
		return CMD_NONE;
	for (int c = CMD_NONE + 1; c < CMD_N; c++) {
		struct sv key;

		if ((commands[c].views & view) == 0 || (ev->meta && commands[c].flags != 0))
			continue;
		for (unsigned i = 0; (key = nth_key(commands[c].keys, i)).n > 0; i++)
			if (key_is(key, ev))
				return (enum cmd)c;
	}
	return CMD_NONE;
}

bool command_key(enum cmd c, unsigned i, char out[16])
{
	struct sv key = nth_key(commands[c].keys, i);

	if (key.n == 0 || key.n > 15)
		return false;
	memcpy(out, key.p, key.n);
	out[key.n] = '\0';
	return true;
}
