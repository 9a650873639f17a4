/*
 * test_sql.c - SQL: a table of statements, each known way to hide one, spans
 * and tokens, and time on hostile text.
 */
#include "check.h"

#include <time.h>

#include "lang/sql_priv.h"
#include "sql_rows_table.h"
#include "sql_say.h"

static void table(void **state)
{
	int bad = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(sql_rows) / sizeof(sql_rows[0]); i++) {
		char *got = sql_say(sql_rows[i].dialect, sv_of(sql_rows[i].text));
		if (strcmp(got, sql_rows[i].want) != 0) {
			print_error("%c %s\n  want %s\n  got  %s\n", sql_rows[i].dialect,
				sql_rows[i].text, sql_rows[i].want, got);
			bad++;
		}
		free(got);
	}
	assert_true(sizeof(sql_rows) / sizeof(sql_rows[0]) >= 200);
	assert_int_equal(bad, 0);
}

static void words_are_sorted(void **state)
{
	(void)state;
	for (int i = 1; i < K_N; i++) {
		assert_int_equal(sql_word_find(sql_word_names[i], strlen(sql_word_names[i])), i);
		assert_true(i == 1 || strcmp(sql_word_names[i - 1], sql_word_names[i]) < 0);
	}
	assert_int_equal(sql_fn_find(SV("Pg_Read_File")), FN_FILE);
	assert_int_equal(sql_fn_find(SV("abs")), FN_PURE);
	assert_int_equal(sql_fn_find(SV("zeroblob")), FN_PURE);
	assert_int_equal(sql_fn_find(SV("xp_cmdshell")), FN_SHELL);
}

/* Each is a way to make a reader see another statement than the database. */
static const struct {
	const char *name;
	char dialect;
	struct sv text;
	const char *want;
} bypasses[] = {
	{ "comment-hidden WHERE", 'u', SV("DELETE FROM t /* WHERE id = 1 */;"),
	  "DELETE | t | none | destructive no_where" },
	{ "comment-hidden WHERE behind dashes", 'u', SV("DELETE FROM t -- WHERE id = 1\n;"),
	  "DELETE | t | none | destructive no_where" },
	{ "multi-statement, only the first is benign", 'u', SV("SELECT 1; DROP TABLE t"),
	  "SELECT | | - | plain - ro // DROP TABLE | t | - | destructive drop" },
	{ "CTE DELETE", 'p',
	  SV("WITH x AS MATERIALIZED (DELETE FROM t) SELECT count(*) FROM x"),
	  "WITH DELETE | t x | none | destructive no_where" },
	{ "MySQL executable comment", 'm', SV("SELECT 1 /*!50000 ; DROP TABLE t */"),
	  "SELECT | | - | opaque executable_comment // "
	  "DROP TABLE | t | - | destructive drop" },
	{ "MariaDB executable comment", 'm', SV("/*M!100000 DROP TABLE t */"),
	  "DROP TABLE | t | - | destructive drop" },
	{ "a WHERE in an executable comment may not run", 'm',
	  SV("DELETE FROM t /*!99999 WHERE id = 1 */"),
	  "DELETE | t | none | destructive no_where" },
	{ "executable comment, dialect unknown", 'u', SV("SELECT 1 /*! , 2 */"),
	  "SELECT | | - | opaque executable_comment !! executable_comment" },
	{ "MySQL needs a blank after --", 'm', SV("SELECT 5--1; DROP TABLE t"),
	  "SELECT | | - | plain - ro // DROP TABLE | t | - | destructive drop" },
	{ "-- without a blank is a comment in PostgreSQL", 'p',
	  SV("DELETE FROM t --x WHERE id = 1"), "DELETE | t | none | destructive no_where" },
	{ "-- without a blank, dialect unknown", 'u', SV("SELECT 5--1; DROP TABLE t"),
	  "SELECT | | - | opaque dash_comment !! dash_comment" },
	{ "nested comment in PostgreSQL", 'p',
	  SV("SELECT 1 /* /* */ ; DROP TABLE t; -- */"), "SELECT | | - | plain - ro" },
	{ "nested comment not in MySQL", 'm',
	  SV("SELECT 1 /* /* */ ; DROP TABLE t; -- */"),
	  "SELECT | | - | plain - ro // DROP TABLE | t | - | destructive drop // "
	  "COMMENT | | - | plain - ro" },
	{ "nested comment, dialect unknown", 'u',
	  SV("SELECT 1 /* /* */ ; DROP TABLE t; -- */"),
	  "SELECT | | - | opaque nested_comment !! nested_comment" },
	{ "a carriage return ends PostgreSQL's comment", 'p',
	  SV("SELECT 1 -- x\r; DROP TABLE t"),
	  "SELECT | | - | plain - ro // DROP TABLE | t | - | destructive drop" },
	{ "a carriage return does not end SQLite's comment", 's',
	  SV("SELECT 1 -- x\r; DROP TABLE t"), "SELECT | | - | plain - ro" },
	{ "carriage return, dialect unknown", 'u', SV("SELECT 1 -- x\r; DROP TABLE t"),
	  "SELECT | | - | opaque cr_ends_comment !! cr_ends_comment" },
	{ "CR LF is no doubt", 'u', SV("SELECT 1 -- x\r\n, 2"), "SELECT | | - | plain - ro" },
	{ "an open comment ends with the text in SQLite", 's',
	  SV("DELETE FROM t /* WHERE id = 1"), "DELETE | t | none | destructive no_where" },
	{ "an open comment elsewhere", 'p', SV("SELECT 1 /* x"),
	  "SELECT | | - | opaque unterminated ?" },
	{ "# is a comment in MySQL", 'm', SV("DELETE FROM t # WHERE id = 1"),
	  "DELETE | t | none | destructive no_where" },
	{ "#, dialect unknown", 'u', SV("SELECT 1 # ; DROP TABLE t"),
	  "SELECT | | - | opaque hash_comment !! hash_comment" },
	{ "dollar quotes", 'p', SV("SELECT $$; DROP TABLE t; $$"),
	  "SELECT | | - | plain - ro" },
	{ "dollar quotes with a tag", 'p', SV("SELECT $a$ $b$ ; $a $a$; DROP TABLE t"),
	  "SELECT | | - | plain - ro // DROP TABLE | t | - | destructive drop" },
	{ "dollar quotes are none in SQLite", 's', SV("SELECT $a$; DROP TABLE t"),
	  "SELECT | | - | plain - ro // DROP TABLE | t | - | destructive drop" },
	{ "dollar quotes, dialect unknown", 'u', SV("SELECT $$ ; DROP TABLE t; $$"),
	  "SELECT | | - | opaque dollar_quote !! dollar_quote" },
	{ "a dollar inside a name opens nothing", 'p', SV("SELECT a$$b; DROP TABLE t"),
	  "SELECT | | - | plain - ro // DROP TABLE | t | - | destructive drop" },
	{ "E'' escapes its quote", 'p', SV("SELECT E'\\'; DROP TABLE t; --'"),
	  "SELECT | | - | plain - ro" },
	{ "E'' goes on after a newline", 'p', SV("SELECT E'a'\n'\\'; DROP TABLE t; --'"),
	  "SELECT | | - | plain - ro" },
	{ "no escape in PostgreSQL's plain string", 'p', SV("SELECT '\\'; DROP TABLE t; --'"),
	  "SELECT | | - | plain - ro // DROP TABLE | t | - | destructive drop // "
	  "COMMENT | | - | plain - ro" },
	{ "an escape in MySQL's plain string", 'm', SV("SELECT '\\'; DROP TABLE t; -- '"),
	  "SELECT | | - | plain - ro" },
	{ "backslash before a quote, dialect unknown", 'u',
	  SV("SELECT '\\'; DROP TABLE t; --'"),
	  "SELECT | | - | opaque backslash_quote !! backslash_quote" },
	{ "two backslashes before a quote are no doubt", 'u', SV("SELECT 'a\\\\'"),
	  "SELECT | | - | plain - ro" },
	{ "U&'' has its own escapes, not of the quote", 'p',
	  SV("SELECT U&'\\0061\\'; DROP TABLE t; --'"),
	  "SELECT | | - | plain - ro // DROP TABLE | t | - | destructive drop // "
	  "COMMENT | | - | plain - ro" },
	{ "U&\"\" spells a name", 'p', SV("DELETE FROM U&\"\\0070\\+000067_class\" WHERE a = 1"),
	  "DELETE | pg_class | some | destructive catalog" },
	{ "UESCAPE spells it otherwise", 'p', SV("DELETE FROM U&\"!0070\" UESCAPE '!'"),
	  "DELETE | !0070 | none | destructive no_where" },
	{ "backtick hides in MySQL", 'm', SV("SELECT `; DROP TABLE t; -- `"),
	  "SELECT | | - | plain - ro" },
	{ "backtick is an operator in PostgreSQL", 'p', SV("SELECT ` ; DROP TABLE t; --`"),
	  "SELECT | | - | plain - ro // DROP TABLE | t | - | destructive drop // "
	  "COMMENT | | - | plain - ro" },
	{ "backtick, dialect unknown", 'u', SV("SELECT `; DROP TABLE t; -- `"),
	  "SELECT | | - | opaque backtick !! backtick" },
	{ "double quotes are a string in MySQL", 'm', SV("SELECT \"a\\\"; DROP TABLE t; -- \""),
	  "SELECT | | - | plain - ro" },
	{ "double quotes are a name elsewhere", 'p',
	  SV("DELETE FROM \"t WHERE id = 1\""),
	  "DELETE | t WHERE id = 1 | none | destructive no_where" },
	{ "brackets are a name in SQLite", 's', SV("SELECT [; DROP TABLE t; --]"),
	  "SELECT | | - | plain - ro" },
	{ "brackets, dialect unknown", 'u', SV("SELECT [; DROP TABLE t; --]"),
	  "SELECT | | - | opaque bracket !! bracket" },
	{ "a subscript is no doubt", 'u', SV("SELECT a[1], b[c[2]] FROM t"),
	  "SELECT | t | - | plain - ro" },
	{ "Oracle's q'[ ]'", 'u', SV("SELECT q'[it's; DROP TABLE t]'"),
	  "SELECT | | - | opaque q_quote // DROP TABLE | t | - | destructive drop ? !! q_quote" },
	{ "BOM", 'u', SV("\xEF\xBB\xBF" "DROP TABLE t"), "DROP TABLE | t | - | destructive drop" },
	{ "BOM inside is part of a name", 'p', SV("\xEF\xBB\xBF" "DROP\xEF\xBB\xBF TABLE t"),
	  "? | | - | opaque unknown_kind ?" },
	{ "no-break space is no blank", 'u', SV("DROP\xC2\xA0TABLE t"),
	  "? | | - | opaque unknown_kind ?" },
	{ "NUL ends it for C clients", 'u', SV("SELECT 1 \0; DROP TABLE t"),
	  "SELECT | | - | opaque bad_character // DROP TABLE | t | - | destructive drop !! nul" },
	{ "psql \\!", 'p', SV("SELECT 1;\n\\! rm -rf /\nSELECT 2"),
	  "SELECT | | - | plain - ro // \\! | | - | destructive shell // "
	  "SELECT | | - | plain - ro" },
	{ "psql \\! in the middle of a statement", 'p',
	  SV("DELETE FROM t \\! id\nWHERE id = 1"),
	  "DELETE | t | none | destructive no_where // \\! | | - | destructive shell // "
	  "? | | - | opaque unknown_kind ?" },
	{ "psql \\copy to a program", 'p', SV("\\copy t to program 'curl x'"),
	  "\\copy | | - | destructive copy_program" },
	{ "psql \\; is a semicolon to the server", 'p', SV("SELECT 1 \\; DROP TABLE t"),
	  "SELECT | | - | plain - ro // DROP TABLE | t | - | destructive drop" },
	{ "psql runs backticks", 'p', SV("\\echo `id`"), "\\echo | | - | destructive shell" },
	{ "mysql DELIMITER", 'm',
	  SV("DELIMITER //\nSELECT 1; DROP TABLE t//\nDELIMITER ;\nTRUNCATE u;"),
	  "DELIMITER | | - | plain - // SELECT | | - | destructive second_statement // "
	  "DELIMITER | | - | plain - // TRUNCATE | u | - | destructive truncate" },
	{ "DELIMITER, dialect unknown", 'u', SV("DELIMITER //\nSELECT 1//"),
	  "DELIMITER | | - | opaque delimiter // SELECT | | - | opaque delimiter !! delimiter" },
	{ "sqlite3 .shell", 's', SV("SELECT 1;\n.shell rm -rf /"),
	  "SELECT | | - | plain - ro // .shell | | - | destructive shell" },
	{ "go on its own line", 's', SV("DELETE FROM t\ngo\nWHERE id = 1"),
	  "DELETE | t | none | destructive no_where // ? | | - | opaque unknown_kind ? !! go_line" },
	{ "COPY FROM STDIN hides its data", 'p',
	  SV("COPY t FROM STDIN;\n1\t'; DROP TABLE t; --\n\\.\nTRUNCATE u;"),
	  "COPY | t | - | opaque copy_data // TRUNCATE | u | - | destructive truncate !! copy_data" },
	{ "a mode that changes how strings are read", 'p',
	  SV("SET standard_conforming_strings = off; SELECT '\\'; DROP TABLE t; --'"),
	  "SET | | - | plain - // SELECT | | - | opaque mode_change // "
	  "DROP TABLE | t | - | destructive drop // COMMENT | | - | opaque mode_change "
	  "!! mode_change" },
	{ "pg_dump's own setting is no doubt", 'p',
	  SV("SET standard_conforming_strings = on; SELECT 1"),
	  "SET | | - | plain - // SELECT | | - | plain - ro" },
	{ "a character set that swallows a backslash", 'm', SV("SET NAMES gbk; SELECT 1"),
	  "SET | | - | plain - // SELECT | | - | opaque mode_change !! mode_change" },
	{ "a trigger's body", 's',
	  SV("CREATE TRIGGER x AFTER INSERT ON t BEGIN SELECT 1; DELETE FROM u; END; SELECT 2"),
	  "CREATE TRIGGER | x | - | opaque stored_code // SELECT | | - | plain - ro" },
	{ "a body, which mysql cuts and its server does not", 'm',
	  SV("CREATE PROCEDURE p() BEGIN IF 1 THEN SELECT 1; END IF; DROP TABLE t; END; SELECT 1"),
	  "CREATE PROCEDURE | p | - | opaque stored_code // SELECT | | - | opaque body !! body" },
	{ "PostgreSQL's ATOMIC body", 'p',
	  SV("CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; END; SELECT 1"),
	  "CREATE FUNCTION | f | - | opaque stored_code // SELECT | | - | plain - ro" },
	{ "EXPLAIN ANALYZE runs it", 'p', SV("EXPLAIN (VERBOSE, ANALYZE true) UPDATE t SET a = 1"),
	  "EXPLAIN UPDATE | t | none | destructive no_where" },
	{ "SELECT INTO writes", 'p', SV("SELECT * INTO x FROM y"),
	  "SELECT INTO | x y | - | plain -" },
	{ "a quoted dangerous function", 'p', SV("SELECT \"lo_export\" (1, 'x')"),
	  "SELECT | | - | destructive file_access" },
	{ "psql puts a variable's words there", 'p', SV("SELECT 1 WHERE :cond"),
	  "SELECT | | - | plain -" },
	{ "a template's words", 'u', SV("SELECT * FROM {table}"), "SELECT | | - | plain -" },
	{ "a file as a table", 'u', SV("SELECT * FROM '/etc/passwd'"),
	  "SELECT | /etc/passwd | - | opaque file_access" },
	{ "a known name in another schema", 'p', SV("SELECT evil.count(1)"),
	  "SELECT | | - | opaque unknown_function" },
};

static void bypass(void **state)
{
	int bad = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(bypasses) / sizeof(bypasses[0]); i++) {
		char *got = sql_say(bypasses[i].dialect, bypasses[i].text);
		if (strcmp(got, bypasses[i].want) != 0) {
			print_error("%s\n  want %s\n  got  %s\n", bypasses[i].name,
				bypasses[i].want, got);
			bad++;
		}
		free(got);
	}
	assert_int_equal(bad, 0);
}

struct cover {
	size_t at;
	struct sv text;
};

static void covers(void *arg, enum sql_token t, size_t from, size_t to)
{
	struct cover *c = arg;

	assert_true(t <= SQL_T_META);
	assert_int_equal(from, c->at);
	assert_true(to > from && to <= c->text.n);
	c->at = to;
}

/* Tokens without gaps; statements in order, inside, with only blanks between. */
static void check_spans(struct sv text, enum sql_dialect d)
{
	struct cover c = { 0, text };
	struct arena *a = arena_new(1 << 24);
	struct sql out;
	size_t at = 0;

	sql_tokens(text, d, covers, &c);
	assert_int_equal(c.at, text.n);
	sql_parse(text, d, a, &out);
	assert_true(out.opaque == NULL || out.opaque_at <= text.n);
	for (size_t i = 0; i < out.n_statements; i++) {
		const struct sql_statement *s = &out.statements[i];
		assert_true(s->from >= at && s->from < s->to && s->to <= text.n);
		for (; at < s->from; at++)
			assert_true((unsigned char)text.p[at] <= ' ' ||
				(unsigned char)text.p[at] >= 0xBB);
		assert_true(s->kind[0] != 0 && memchr(s->kind, 0, sizeof(s->kind)) != NULL);
		assert_true(!s->read_only || s->verdict == SQL_PLAIN);
		assert_true(s->verdict == SQL_PLAIN || s->why != NULL);
		at = s->to;
	}
	for (; at < text.n && out.n_statements > 0; at++)
		assert_true((unsigned char)text.p[at] <= ' ' || (unsigned char)text.p[at] >= 0xBB);
	arena_free(&a);
}

static void spans(void **state)
{
	(void)state;
	for (int d = SQL_UNKNOWN; d <= SQL_SQLITE; d++) {
		for (size_t i = 0; i < sizeof(bypasses) / sizeof(bypasses[0]); i++) {
			for (size_t n = 0; n <= bypasses[i].text.n; n++)
				check_spans((struct sv){ bypasses[i].text.p, n },
					(enum sql_dialect)d);
		}
		for (size_t i = 0; i < sizeof(sql_rows) / sizeof(sql_rows[0]); i++)
			check_spans(sv_of(sql_rows[i].text), (enum sql_dialect)d);
	}
}

static double seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double time_of(const char *piece, size_t bytes, enum sql_dialect d)
{
	char *text = malloc(bytes);
	size_t n = strlen(piece), filled;
	struct arena *a = arena_new(64 << 20);
	struct sql out;
	double from;

	for (filled = 0; filled < bytes && filled < n; filled++)
		text[filled] = piece[filled];
	for (; filled < bytes; filled += n < bytes - filled ? n : bytes - filled)
		memcpy(text + filled, piece, n < bytes - filled ? n : bytes - filled);
	from = seconds();
	sql_parse((struct sv){ text, bytes }, d, a, &out);
	from = seconds() - from;
	assert_true(out.n_statements > 0);
	arena_free(&a);
	free(text);
	return from;
}

/* Four times the text takes about four times as long, whatever is in it. (A
 * quadratic reader takes 16 times; below 20 ms a clock says nothing.) */
static void linear(void **state)
{
	static const char *const pieces[] = { "'", "\"", "`", "/*", "/*!", "*/", "--",
		"$", "$a", "$a$", "$$'", "[", "[a", "[']", "\\", "#\n", "((((", "(DELETE FROM t ",
		"FROM ", "FROM a,", "f(1,", "E'a'\n", "a.b.", "NOT ", "CASE ", "WHERE ((", ";",
		"1 OR ", "SELECT 1;", "'a'\n", "SELECT U&\"\\", "go\n", "IN (1,", "EXISTS (SELECT ",
		"WITH a (b) AS (", "CREATE TRIGGER BEGIN;", "DELETE FROM t WHERE a IN (a,(",
		"x AS (", ",", "{", "/", "EXPLAIN (" };
	size_t big = 16u << 20, all = 1u << 20;

	(void)state;
#if defined(__SANITIZE_ADDRESS__)
	big = all = 1u << 20;
#endif
	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		for (int d = SQL_UNKNOWN; d <= SQL_SQLITE; d++) {
			size_t n = d == SQL_UNKNOWN && i % 6 == 0 ? big : all;
			double one = time_of(pieces[i], n / 4, (enum sql_dialect)d);
			double four = time_of(pieces[i], n, (enum sql_dialect)d);
			if (four > 0.02 && four > 9 * (one > 0.002 ? one : 0.002)) {
				print_error("'%s' in dialect %d: %f s, then %f s\n", pieces[i], d,
					one, four);
				fail();
			}
		}
	}
}

static void too_much(void **state)
{
	size_t n = (16u << 20) + 1;
	char *text = calloc(1, n);
	struct arena *a = arena_new(1 << 20);
	struct sql out;

	(void)state;
	memset(text, 'a', n);
	sql_parse((struct sv){ text, n }, SQL_POSTGRES, a, &out);
	assert_int_equal(out.n_statements, 1);
	assert_string_equal(out.opaque, "too_long");
	assert_int_equal(out.statements[0].to, n);
	for (size_t i = 0; i < 200000; i += 2)
		memcpy(text + i, "a;", 2);
	arena_free(&a);
	a = arena_new(8 << 20);
	sql_parse((struct sv){ text, 200000 }, SQL_POSTGRES, a, &out);
	assert_true(out.n_statements <= SQL_MAX_STATEMENTS);
	assert_string_equal(out.opaque, "too_many");
	assert_int_equal(out.statements[out.n_statements - 1].to, 200000);
	arena_free(&a);
	a = arena_new(64); /* no room: never a part */
	sql_parse((struct sv){ text, 2000 }, SQL_POSTGRES, a, &out);
	assert_int_equal(out.n_statements, 0);
	assert_string_equal(out.opaque, "memory");
	arena_free(&a);
	a = arena_new(1 << 20);
	sql_parse(SV(""), SQL_UNKNOWN, a, &out);
	assert_int_equal(out.n_statements, 0);
	assert_null(out.opaque);
	arena_free(&a);
	free(text);
}

static void dialects_told_apart(void **state)
{
	static const struct { const char *text; enum sql_dialect d; } rows[] = {
		{ "SELECT 1", SQL_UNKNOWN }, { "SELECT a::int", SQL_POSTGRES },
		{ "PRAGMA x", SQL_SQLITE }, { "SELECT /*! 1 */ 1", SQL_MYSQL },
		{ "SELECT * FROM sqlite_master", SQL_SQLITE },
		{ "CREATE TABLE t (a int) ENGINE=InnoDB", SQL_MYSQL },
	};
	struct arena *a = arena_new(1 << 20);
	struct sql out;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		sql_parse(sv_of(rows[i].text), SQL_UNKNOWN, a, &out);
		assert_int_equal(out.dialect, rows[i].d);
	}
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table), cmocka_unit_test(words_are_sorted),
		cmocka_unit_test(bypass), cmocka_unit_test(spans),
		cmocka_unit_test(linear), cmocka_unit_test(too_much),
		cmocka_unit_test(dialects_told_apart),
	};
	return cmocka_run_group_tests_name("sql", tests, NULL, NULL);
}
