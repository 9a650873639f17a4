/*
 * sql_quote.c - where SQL's quoted runs and comments end (see sql.h), and
 * whether dialects agree on it.
 */
#include "lang/sql_priv.h"

#include <string.h>

void sql_disagree(struct sql_lex *x, const char *why, size_t i)
{
	if (x->why == NULL) {
		x->why = why;
		x->why_at = i;
	}
}

/* Bytes that the reading of a quoted run decides about. */
static bool matters(struct sv s)
{
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] != 0 && strchr("'\"`;#$\\[]", s.p[i]) != NULL)
			return true;
		if (i + 1 < s.n && ((s.p[i] == '-' && s.p[i + 1] == '-') ||
			(s.p[i] == '/' && s.p[i + 1] == '*') ||
			(s.p[i] == '*' && s.p[i + 1] == '/')))
			return true;
	}
	return false;
}

size_t sql_line_end(struct sv t, size_t i)
{
	const char *e = i < t.n ? memchr(t.p + i, '\n', t.n - i) : NULL;
	return e != NULL ? (size_t)(e - t.p) : t.n;
}

size_t sql_dash_end(struct sql_lex *x, size_t i)
{
	size_t end = sql_line_end(x->t, i), j = i;

	if (x->d != SQL_POSTGRES && x->d != SQL_UNKNOWN)
		return end;
	while (j < end) {
		const char *cr = memchr(x->t.p + j, '\r', end - j);
		if (cr == NULL)
			break;
		j = (size_t)(cr - x->t.p);
		if (x->d == SQL_POSTGRES)
			return j;
		if (j + 1 != end || end == x->t.n) /* not of a CR LF */
			sql_disagree(x, "cr_ends_comment", i);
		j++;
	}
	return end;
}

/* i: after the opening. PostgreSQL's comments nest. */
size_t sql_comment_end(struct sql_lex *x, size_t i, bool *open)
{
	bool nests = x->d == SQL_POSTGRES || x->d == SQL_UNKNOWN;
	size_t depth = 1, from = i, plain = 0;

	for (; i + 1 < x->t.n; i++) {
		if (x->t.p[i] == '*' && x->t.p[i + 1] == '/') {
			i++;
			depth--;
			plain = plain == 0 ? i + 1 : plain;
			if (depth == 0 || !nests)
				break;
		} else if (nests && x->t.p[i] == '/' && x->t.p[i + 1] == '*') {
			i++;
			depth++;
		}
	}
	*open = plain == 0 || (nests && depth > 0);
	i = *open ? x->t.n : i + 1;
	if (x->d == SQL_UNKNOWN && plain != 0 && plain != i)
		sql_disagree(x, "nested_comment", from);
	if (x->d == SQL_SQLITE)
		*open = false; /* the end of the text ends it: not an error there */
	return i;
}

/* i: after the opening quote. */
static size_t quote_end(struct sv t, size_t i, char q, bool backslash, bool *open)
{
	*open = false;
	for (; i < t.n; i++) {
		if (backslash && t.p[i] == '\\') {
			i++;
		} else if (t.p[i] == q) {
			if (i + 1 >= t.n || t.p[i + 1] != q)
				return i + 1;
			i++;
		}
	}
	*open = true;
	return t.n;
}

/* PostgreSQL goes on with a string after a line's end, in the same escapes:
 * E'a'<newline>'b\''. Returns where the next piece opens, or 0. */
static size_t continues(struct sv t, size_t i)
{
	bool newline = false;

	while (i < t.n) {
		if (sql_is_blank((unsigned char)t.p[i])) {
			newline |= t.p[i] == '\n' || t.p[i] == '\r';
			i++;
		} else if (t.p[i] == '-' && i + 1 < t.n && t.p[i + 1] == '-') {
			while (i < t.n && t.p[i] != '\n' && t.p[i] != '\r')
				i++;
		} else {
			return newline && t.p[i] == '\'' ? i : 0;
		}
	}
	return 0;
}

/* i: at the quote; escapes: a prefix says that backslashes escape. */
size_t sql_lex_quote(struct sql_lex *x, size_t i, bool escapes, struct sql_tok *k)
{
	char q = x->t.p[i];
	size_t end, other;
	bool open, other_open, back = escapes;

	if (x->d == SQL_MYSQL && q != '`')
		back = true;
	end = quote_end(x->t, i + 1, q, back, &open);
	if (x->d == SQL_UNKNOWN && q != '`') {
		other = quote_end(x->t, i + 1, q, !back, &other_open);
		if (other != end || other_open != open)
			sql_disagree(x, "backslash_quote", i);
		if (other > end || (other == end && other_open)) {
			end = other;
			open = other_open;
		}
	} else if (x->d == SQL_UNKNOWN && !open) {
		struct sv in = { x->t.p + i + 1, end - i - 2 };
		if (matters(in))
			sql_disagree(x, "backtick", i);
	}
	while (x->d == SQL_POSTGRES && escapes && !open &&
		(other = continues(x->t, end)) != 0)
		end = quote_end(x->t, other + 1, q, true, &open);
	if (open) {
		k->flags |= F_OPEN;
		if (x->d == SQL_UNKNOWN && q == '`')
			sql_disagree(x, "backtick", i);
	}
	return end;
}

/* $$...$$ and $tag$...$tag$; 0 when none begins at i. A tag holds no '$', so
 * that each failed comparison ends at or before the next one begins. */
size_t sql_lex_dollar(struct sql_lex *x, size_t i, struct sql_tok *k)
{
	size_t tag = i + 1, len, j;

	if (sql_is_start(sql_at(x, tag))) {
		while (sql_is_start(sql_at(x, tag)) || sql_is_digit(sql_at(x, tag)))
			tag++;
	}
	if (sql_at(x, tag) != '$')
		return 0;
	len = tag + 1 - i;
	for (j = i + len; j < x->t.n;) {
		const char *p = memchr(x->t.p + j, '$', x->t.n - j);
		if (p == NULL)
			break;
		j = (size_t)(p - x->t.p);
		if (x->t.n - j >= len && memcmp(p, x->t.p + i, len) == 0) {
			struct sv in = { x->t.p + i + len, j - i - len };
			if (x->d == SQL_UNKNOWN && matters(in))
				sql_disagree(x, "dollar_quote", i);
			return j + len;
		}
		j++;
	}
	if (x->d == SQL_UNKNOWN)
		sql_disagree(x, "dollar_quote", i);
	k->flags |= F_OPEN;
	return x->t.n;
}

/* True when what a '[' of unknown dialect opens reads the same as a name and as
 * a subscript: plain characters to the ']' or to the next '['. */
static bool bracket_plain(const struct sql_lex *x, size_t i, size_t *end)
{
	size_t from = i + 1, e;

	for (e = from; e < x->t.n && e - from < 256; e++) {
		char c = x->t.p[e];
		if (c == ']' || c == '[')
			break;
	}
	*end = e;
	return sql_at(x, e) == '[' ? !matters((struct sv){ x->t.p + from, e - from }) :
		sql_at(x, e) == ']' && !matters((struct sv){ x->t.p + from, e - from });
}

/* A name of SQLite's and T-SQL's, or PostgreSQL's subscript. */
size_t sql_lex_bracket(struct sql_lex *x, size_t i, struct sql_tok *k)
{
	unsigned char before = i > 0 ? (unsigned char)x->t.p[i - 1] : 0;
	bool name = x->d == SQL_SQLITE;
	const char *e;
	size_t end;

	k->type = SQL_T_PUNCT;
	if (x->d == SQL_UNKNOWN && bracket_plain(x, i, &end)) {
		name = sql_at(x, end) == ']' && sql_is_start(sql_at(x, i + 1)) &&
			!sql_is_start(before) && !sql_is_digit(before) &&
			before != ']' && before != ')';
		if (name && sql_at(x, end + 1) == ']')
			sql_disagree(x, "bracket", i); /* T-SQL doubles it */
	} else if (x->d == SQL_UNKNOWN) {
		name = x->why == NULL; /* later ones are opaque already: no search */
		sql_disagree(x, "bracket", i);
	}
	if (!name)
		return i + 1;
	e = memchr(x->t.p + i, ']', x->t.n - i);
	k->type = SQL_T_NAME;
	k->flags |= F_QUOTED;
	if (e == NULL)
		k->flags |= F_OPEN;
	return e != NULL ? (size_t)(e - x->t.p) + 1 : x->t.n;
}
