/*
 * test_theme.c - the shipped themes resolve every role, mono has no colour,
 * and a broken file is refused with its line.
 */
#include "tests/check.h"

#include "config/theme.h"

static const char *const dirs[] = { SRCDIR "/themes", NULL };

static void shipped(void **state)
{
	struct theme t;
	struct err e = ERR_INIT;

	(void)state;
	if (theme_load(&t, "dark", dirs, &e) != 0)
		fail_msg("%s", e.text);
	assert_string_equal(t.name, "dark");
	/* every role has a line of its own but plain text */
	for (int r = 0; r < ROLE_N; r++)
		if (r != ROLE_TEXT && t.style[r].fg == COLOUR_DEFAULT)
			fail_msg("dark does not name %s", role_name((enum role)r));
}

/* The built-in copy is the file, and is used when there is none. */
static void built_in(void **state)
{
	static const char *const nowhere[] = { SRCDIR "/nosuch", NULL };
	struct theme t;
	char file[8192];
	FILE *f = fopen(SRCDIR "/themes/dark.theme", "re");
	size_t n;

	(void)state;
	assert_non_null(f);
	n = fread(file, 1, sizeof(file) - 1, f);
	file[n] = '\0';
	fclose(f);
	assert_string_equal(file, theme_dark);
	assert_int_equal(theme_load(&t, "dark", nowhere, NULL), 0);
	assert_true(t.style[ROLE_DANGER].bg != COLOUR_DEFAULT);
}

static void mono(void **state)
{
	static const enum role loud[] = { ROLE_WARN, ROLE_DANGER, ROLE_ADD, ROLE_DEL,
		ROLE_ESCAPE, ROLE_CURSOR, ROLE_KEY };
	struct theme t;

	(void)state;
	assert_int_equal(theme_load(&t, "mono", dirs, NULL), 0);
	for (int r = 0; r < ROLE_N; r++) {
		assert_int_equal(t.style[r].fg, COLOUR_DEFAULT);
		assert_int_equal(t.style[r].bg, COLOUR_DEFAULT);
	}
	for (size_t i = 0; i < sizeof(loud) / sizeof(loud[0]); i++)
		assert_true(t.style[loud[i]].attrs != 0);
}

static int parse(struct theme *t, const char *text, struct err *e)
{
	char parent[32];

	return theme_parse(t, sv_of(text), "f", parent, e);
}

static void parsing(void **state)
{
	struct theme t;
	struct err e = ERR_INIT;

	(void)state;
	theme_mono(&t);
	assert_int_equal(parse(&t, "# c\n\nadd = bright-green on #102030 bold\ndel=9", &e), 0);
	assert_int_equal(t.style[ROLE_ADD].fg, 10);
	assert_int_equal(t.style[ROLE_ADD].bg, COLOUR_RGB | 0x102030);
	assert_int_equal(t.style[ROLE_ADD].attrs, STYLE_BOLD);
	assert_int_equal(t.style[ROLE_DEL].fg, 9);
	assert_int_equal(parse(&t, "add = red\nbanana = red\n", &e), -1);
	assert_non_null(strstr(e.text, "f:2"));
	assert_int_equal(t.style[ROLE_ADD].fg, 10); /* refused whole */
	static const char *const bad[] = { "add", "add = 256", "add = #12345", "add = red blue",
		"add = on", "add = red on", "inherit = ", "add = \033" };
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (parse(&t, bad[i], &e) == 0)
			fail_msg("accepted: %s", bad[i]);
	assert_int_equal(theme_load(&t, ".dark", dirs, &e), -1);
	assert_int_equal(theme_load(&t, SRCDIR "/themes/dark.theme", dirs, &e), 0);
	assert_int_equal(theme_load(&t, SRCDIR "/themes/nosuch", dirs, &e), -1);
	assert_int_equal(theme_load(&t, "nosuch", dirs, &e), -1);
	assert_string_equal(t.name, "mono");
}

static void fewer_colours(void **state)
{
	(void)state;
	assert_int_equal(colour_to_256(COLOUR_RGB | 0xff0000), 196);
	assert_int_equal(colour_to_256(COLOUR_RGB | 0x080808), 232);
	assert_int_equal(colour_to_256(-1), -1);
	assert_int_equal(colour_to_16(196), 9);
	assert_int_equal(colour_to_16(7), 7);
	assert_int_equal(colour_to_rgb(196), 0xff0000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shipped),
		cmocka_unit_test(built_in),
		cmocka_unit_test(mono),
		cmocka_unit_test(parsing),
		cmocka_unit_test(fewer_colours),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
