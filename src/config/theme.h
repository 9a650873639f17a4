/*
 * theme.h - what each role looks like.
 *
 * A theme file has one line a role, `role = [COLOUR] [on COLOUR] [ATTR...]`,
 * `#` begins a comment line, and `inherit = NAME` (first) takes another theme
 * as the ground. COLOUR: default, black, red, green, yellow, blue, magenta,
 * cyan, white, the same with "bright-", a number 0..255, or #rrggbb. ATTR:
 * bold, dim, italic, underline, reverse. Unknown roles and words are errors.
 *
 * "mono" is built in: attributes only (NO_COLOR). Roles a theme does not name
 * look as in mono, so no theme can leave a role without a look.
 *
 * Hides: the files. Frees: nothing; struct theme is embedded.
 * Must not include: any library of a terminal.
 */
#ifndef OBSTAT_CONFIG_THEME_H
#define OBSTAT_CONFIG_THEME_H

#include "base/err.h"
#include "model/doc.h"

#define COLOUR_DEFAULT (-1)
#define COLOUR_RGB 0x1000000      /* | 0xrrggbb; below 256: an index */
enum style_attr { STYLE_BOLD = 1, STYLE_DIM = 2, STYLE_ITALIC = 4,
	STYLE_UNDERLINE = 8, STYLE_REVERSE = 16 };
struct style {
	int32_t fg, bg;
	uint8_t attrs;
};
struct theme {
	char name[32];
	struct style style[ROLE_N];
};

void theme_mono(struct theme *t);
extern const char theme_dark[]; /* the shipped dark.theme's bytes */
/* Reads one file's bytes over what t holds; its inherit line's name goes to
 * parent (32 bytes, "" none; may be NULL: then inherit is an error). -1 with
 * file:line in e, and t is as it was. */
int theme_parse(struct theme *t, struct sv bytes, const char *file, char *parent,
	struct err *e);
/* NAME.theme from the first of dirs (NULL-terminated list) that has it, with
 * what it inherits (at most four deep). "mono" needs no file, and "dark" has a
 * copy built in for when there is none. On error t is
 * mono. Names are [a-z0-9-]{1,31}; one with a '/' in it
 * is a file's path. */
int theme_load(struct theme *t, const char *name, const char *const *dirs,
	struct err *e);
/* A colour as fewer colours can show it (nearest, by eye's weights). */
int colour_to_rgb(int32_t c);     /* -1, 0..7, or 0xrrggbb */
int colour_to_256(int32_t c);     /* -1, or 0..255 */
int colour_to_16(int32_t c);      /* -1, or 0..15 */

#endif
