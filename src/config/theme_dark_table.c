/*
 * theme_dark_table.c - themes/dark.theme, for a console that runs where nothing
 * is installed. A test holds the two to be the same.
 */
#include "config/theme.h"

const char theme_dark[] =
	"# dark - for light text on a dark ground. 256 colours; fewer are matched.\n"
	"# Red is kept for what cannot be undone, yellow for what asks for care.\n"
	"text = default\n"
	"chrome = 250\n"
	"chrome-dim = 243\n"
	"title = 255 bold\n"
	"key = 117 bold\n"
	"bar = 67\n"
	"lineno = 240\n"
	"kind = 117\n"
	"agent = 183\n"
	"name = 152\n"
	"escape = 16 on 215 bold\n"
	"words = 246 italic\n"
	"add = 114\n"
	"del = 210\n"
	"add-word = 157 on 22 bold\n"
	"del-word = 217 on 52 bold\n"
	"context = 248\n"
	"hunk = 109\n"
	"file = 229 bold\n"
	"warn = 221 bold\n"
	"danger = 231 on 124 bold\n"
	"ok = 114\n"
	"dim = 241\n"
	"cursor = 255 on 238 bold\n"
	"prompt = 221 bold\n"
	"input = 255 on 236\n";
