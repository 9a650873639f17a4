/*
 * sql_funcs.c - the functions one SQL statement calls, and the client's own
 * commands.
 */
#include "lang/sql_priv.h"

#include <string.h>
#include <strings.h>

static const struct {
	enum sql_verdict verdict;
	const char *why;
} effects[] = {
	[FN_UNKNOWN] = { SQL_OPAQUE, "unknown_function" },
	[FN_PURE] = { SQL_PLAIN, NULL },
	[FN_WRITES] = { SQL_DESTRUCTIVE, "function_writes" },
	[FN_FILE] = { SQL_DESTRUCTIVE, "file_access" },
	[FN_SHELL] = { SQL_DESTRUCTIVE, "shell" },
	[FN_DYNAMIC] = { SQL_OPAQUE, "dynamic" },
	[FN_KILL] = { SQL_DESTRUCTIVE, "kill" },
	[FN_SETTING] = { SQL_OPAQUE, "setting" },
	[FN_EXTENSION] = { SQL_DESTRUCTIVE, "shell" },
	[FN_LOCK] = { SQL_PLAIN, "locks" },
};

/* x AS (...), x (a, b) AS (...): not a call. */
static bool defines_cte(const struct sql_cur *c, size_t i)
{
	enum sql_word w = i > 0 ? sql_kw(c, i - 1) : K_NONE;

	return (w == K_WITH || w == K_RECURSIVE || (i > 0 && sql_is(c, i - 1, ","))) &&
		sql_kw(c, sql_close(c, i + 1) + 1) == K_AS &&
		(sql_is(c, sql_close(c, i + 1) + 2, "(") ||
		sql_kw(c, sql_close(c, i + 1) + 2) == K_NOT ||
		sql_kw(c, sql_close(c, i + 1) + 2) == K_MATERIALIZED);
}

/* A type, a list of columns, or an alias with one. */
static bool not_a_call(const struct sql_cur *c, size_t i)
{
	enum sql_word w = i > 0 ? sql_kw(c, i - 1) : K_NONE;

	if (w == K_INTO || w == K_TABLE || w == K_REFERENCES || w == K_AS || w == K_JOIN)
		return w != K_JOIN;
	return i > 0 && (sql_is(c, i - 1, "::") || sql_is(c, i - 1, ")"));
}

static enum sql_fn_class class_of(struct sql_cur *c, size_t i)
{
	enum sql_fn_class f = sql_fn_find(sql_name(c, i));

	if (f != FN_PURE || i < 2 || !sql_is(c, i - 1, "."))
		return f;
	return sql_text_is(c, i - 2, "pg_catalog") ? f : FN_UNKNOWN;
}

static bool procedure(struct sv s)
{
	return s.n > 3 && (strncasecmp(s.p, "xp_", 3) == 0 ||
		strncasecmp(s.p, "sp_", 3) == 0);
}

void sql_functions(struct sql_cur *c, bool strict)
{
	for (size_t i = 0; i < c->n; i++) {
		enum sql_word w = sql_kw(c, i);
		enum sql_fn_class f;
		bool call = sql_is(c, i + 1, "(");

		if (c->k[i].type != SQL_T_NAME && (w == K_NONE || !call))
			continue;
		if (w != K_NONE && (sql_word_flags[w] & W_SYN) != 0 &&
			!(i > 0 && sql_is(c, i - 1, ".")))
			continue;
		f = class_of(c, i);
		if (!call && (f != FN_SHELL || !procedure(sql_name(c, i))))
			continue; /* SQL Server's need no parentheses */
		if (call && (not_a_call(c, i) || ((f == FN_UNKNOWN) && defines_cte(c, i))))
			continue;
		if (f == FN_SETTING && (sql_text_is(c, i + 2, "'standard_conforming_strings'") ||
			sql_text_is(c, i + 2, "'backslash_quote'")))
			c->mode_change = true;
		if (f == FN_UNKNOWN && !strict)
			continue;
		sql_judge(c->out, effects[f].verdict, effects[f].why);
	}
}

/* psql's, mysql's and sqlite3's commands that only show. */
static const char *const shows[] = {
	"\\?", "\\c", "\\conninfo", "\\d", "\\encoding", "\\errverbose", "\\h", "\\l",
	"\\p", "\\pset", "\\q", "\\r", "\\s", "\\timing", "\\x", "\\z", "\\t", "\\a",
	".databases", ".echo", ".exit", ".headers", ".header", ".help", ".indexes",
	".indices", ".mode", ".quit", ".schema", ".show", ".tables", ".timer", ".width",
	".fullschema", ".changes", ".eqp", ".stats", ".nullvalue", ".separator",
};

static bool only_shows(struct sv cmd, struct sv rest)
{
	bool any = false;

	for (size_t i = 0; i < sizeof(shows) / sizeof(shows[0]); i++)
		any |= sv_eqs(cmd, shows[i]);
	if (cmd.n > 2 && cmd.p[0] == '\\' && cmd.p[1] == 'd')
		any = true; /* \dt, \d+, \du ... */
	if (sv_eqs(cmd, "\\c") || sv_eqs(cmd, "\\s") || sv_eqs(cmd, "\\pset"))
		any = any && rest.n == 0; /* else: connects, or writes a file */
	/* psql runs what stands in backticks by the shell, and a second
	 * backslash begins a second command. */
	return any && memchr(rest.p, '`', rest.n) == NULL &&
		memchr(rest.p, '\\', rest.n) == NULL && memchr(rest.p, '|', rest.n) == NULL;
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

void sql_classify_meta(struct sql_cur *c, struct sv line)
{
	struct sql_statement *s = c->out;
	struct sv cmd = line, rest;
	size_t n = line.p[0] == '\\' || line.p[0] == '.' ? 1 : 0;

	if (n < line.n && !is_letter(line.p[n]))
		n += line.p[n] > ' ' && line.p[n] < 0x7f;
	else
		for (; n < line.n && (is_letter(line.p[n]) || line.p[n] == '+' ||
			line.p[n] == '_'); n++)
			;
	cmd.n = n;
	rest = (struct sv){ line.p + n, line.n - n };
	while (rest.n > 0 && (unsigned char)rest.p[rest.n - 1] <= ' ')
		rest.n--;
	memcpy(s->kind, cmd.p, n < sizeof(s->kind) ? n : sizeof(s->kind) - 1);
	if (only_shows(cmd, rest)) {
		s->read_only = true;
		return;
	}
	sql_judge(s, SQL_OPAQUE, "meta_command");
	if (sv_eqs(cmd, "\\!") || sv_eqs(cmd, ".shell") || sv_eqs(cmd, ".system") ||
		(cmd.n == 6 && strncasecmp(cmd.p, "system", 6) == 0) ||
		memchr(rest.p, '`', rest.n) != NULL || memmem(rest.p, rest.n, "\\!", 2) != NULL)
		sql_judge(s, SQL_DESTRUCTIVE, "shell");
	for (size_t i = 0; i + 7 <= rest.n && sv_starts(cmd, "\\copy"); i++) {
		if (strncasecmp(rest.p + i, "program", 7) == 0)
			sql_judge(s, SQL_DESTRUCTIVE, "copy_program");
	}
	if (cmd.n == 9 && strncasecmp(cmd.p, "delimiter", 9) == 0)
		s->verdict = SQL_PLAIN, s->why = NULL;
}
