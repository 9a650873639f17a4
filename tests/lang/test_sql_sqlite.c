/*
 * test_sql_sqlite.c - where a statement ends, asked of SQLite itself:
 * sqlite3_complete() for any text, sqlite3_prepare()'s tail for statements it
 * can prepare.
 */
#include "check.h"

#include <sqlite3.h>

#include "base/mem.h"
#include "lang/sql.h"

static uint64_t rng = 88172645463325252u;

static size_t rnd(size_t below)
{
	rng ^= rng << 13;
	rng ^= rng >> 7;
	rng ^= rng << 17;
	return (size_t)(rng % below);
}

/* No byte order mark: sqlite3_complete() takes it for a letter, the parser for
 * a blank. */
static const char *const soup[] = { "'", "\"", "`", "[", "]", "/*", "*/", "--", "\n", "\r",
	";", ";", ";", " ", "a", "END", "CREATE", "TEMP", "TRIGGER", "EXPLAIN", "BEGIN", "$a$",
	"$$", "\\", "#", "E'", "x'", "(", ")", "1", ".", "-", "/", "*", "\xc3\xa9",
	"CREATE TRIGGER a ", ";END;", "/*!", "@a", ":b", "?" };

/* -1: nothing but comments and ';', which the two count otherwise. */
static int ours_complete(struct sv text)
{
	struct arena *a = arena_new(1 << 22);
	struct sql out;
	int yes = -1;

	sql_parse(text, SQL_SQLITE, a, &out);
	/* Comments alone behind the last ';' leave it complete. */
	for (size_t i = out.n_statements; i > 0; i--) {
		if (strcmp(out.statements[i - 1].kind, "COMMENT") != 0) {
			yes = out.statements[i - 1].terminated;
			break;
		}
	}
	if (out.n_statements > 0) { /* an open comment: complete to us, not to it */
		const struct sql_statement *s = &out.statements[out.n_statements - 1];
		struct sv c = { text.p + s->from, s->to - s->from };
		if (strcmp(s->kind, "COMMENT") == 0 && memmem(c.p, c.n, "/*", 2) != NULL &&
			!sv_ends(c, "*/"))
			yes = -1;
	}
	if (out.opaque != NULL && strcmp(out.opaque, "go_line") == 0)
		yes = -1; /* the shell's own, and said to be in doubt */
	arena_free(&a);
	return yes;
}

static void complete(void **state)
{
	int checked = 0, ends = 0;

	(void)state;
	for (int i = 0; i < 60000; i++) {
		char s[512] = "w ";
		const char *t = i % 2 == 0 ? s : s + 2;
		int theirs, ours;
		for (size_t k = rnd(24) + 1; k > 0; k--) {
			strncat(s, soup[rnd(sizeof(soup) / sizeof(soup[0]))],
				sizeof(s) - strlen(s) - 1);
			if (rnd(2))
				strncat(s, " ", sizeof(s) - strlen(s) - 1);
		}
		/* The shell's own lines are no SQL; see test_sql.c. */
		if (t[0] == '.' || strstr(s, "\n.") != NULL)
			continue;
		theirs = sqlite3_complete(t) != 0;
		ours = ours_complete(sv_of(t));
		if (ours >= 0 && theirs != ours) {
			print_error("%s: %d, not %d\n", t, ours, theirs);
			fail();
		}
		checked++;
		ends += theirs;
	}
	assert_true(checked > 20000 && ends > 2000);
}

static const char *const whole[] = {
	"SELECT 1", "SELECT a, 'x;y' FROM t", "SELECT \"a\" FROM [t] WHERE `b` = 1",
	"INSERT INTO t VALUES (1, ';', x'00')", "DELETE FROM t WHERE a = ';'",
	"UPDATE t SET a = '--' WHERE b = '/*'", "SELECT 1 /* ; */ + 2", "SELECT 1 -- ;\n",
	"SELECT 'it''s; '''", "SELECT $a + @b + :c + ?1", "DROP TABLE IF EXISTS zz",
	"CREATE TRIGGER IF NOT EXISTS tr AFTER INSERT ON t BEGIN SELECT ';'; DELETE FROM t; END",
	("CREATE TEMP TRIGGER IF NOT EXISTS t2 AFTER INSERT ON t BEGIN SELECT CASE WHEN 1 THEN "
	"2 END; END"), "WITH x AS (SELECT 1) SELECT * FROM x", "PRAGMA table_info(t)", "BEGIN",
	"SELECT '\\'", "SELECT 1 \xEF\xBB\xBF", "SELECT [a;b] FROM (SELECT 1 AS [a;b])",
	"SELECT 1 /* /* */", "SELECT 1 --x\r;y\n", "VACUUM",
};
static const char *const between[] = { ";", " ; ", ";\n", "; -- x;\n", ";/* ; */", ";;",
	";\xEF\xBB\xBF" };

static void tails(void **state)
{
	sqlite3 *db;
	int checked = 0;

	(void)state;
	assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "CREATE TABLE t (a, b, c)", NULL, NULL, NULL), 0);
	for (int i = 0; i < 3000; i++) {
		char s[4096] = "";
		struct arena *a = arena_new(1 << 22);
		struct sql out;
		const char *at = s;
		size_t n = 0;

		for (size_t k = rnd(5) + 1; k > 0; k--) {
			strncat(s, whole[rnd(sizeof(whole) / sizeof(whole[0]))], 600);
			strncat(s, between[rnd(sizeof(between) / sizeof(between[0]))], 600);
		}
		sql_parse(sv_of(s), SQL_SQLITE, a, &out);
		while (*at != 0) {
			sqlite3_stmt *st = NULL;
			const char *tail = NULL;
			assert_int_equal(sqlite3_prepare_v2(db, at, -1, &st, &tail), SQLITE_OK);
			if (st != NULL) {
				size_t end = (size_t)(tail - s);
				while (n < out.n_statements && strcmp(out.statements[n].kind,
					"COMMENT") == 0)
					n++;
				assert_true(n < out.n_statements);
				/* ";;" is one end to us, two to SQLite. */
				if (out.statements[n].to != end && s[end] != ';') {
					print_error("%s: statement %zu ends at %zu, not %zu\n", s, n,
						out.statements[n].to, end);
					fail();
				}
				n++;
				checked++;
			}
			sqlite3_finalize(st);
			at = tail;
		}
		while (n < out.n_statements && strcmp(out.statements[n].kind, "COMMENT") == 0)
			n++;
		assert_int_equal(n, out.n_statements);
		arena_free(&a);
	}
	sqlite3_close(db);
	assert_true(checked > 5000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(complete), cmocka_unit_test(tails),
	};
	return cmocka_run_group_tests_name("sql_sqlite", tests, NULL, NULL);
}
