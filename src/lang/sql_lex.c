/*
 * sql_lex.c - SQL's tokens in four dialects (see sql.h).
 *
 * Sources of the rules: PostgreSQL's manual 4.1 (comments nest and end at CR
 * or LF, dollar quotes, E'' and U&''), MySQL's manual 11.7 ("--" needs a blank,
 * "#", executable comments) and its mysql client's, SQLite's
 * tokenizer ([name], an open comment ends with the text).
 */
#include "lang/sql_priv.h"

#include <string.h>
#include <strings.h>

/* The rest of a line that starts at i, for a client's own command. */
static size_t lex_meta(struct sql_lex *x, size_t i, struct sql_tok *k)
{
	k->type = SQL_T_META;
	k->flags |= F_END;
	return sql_line_end(x->t, i);
}

static bool line_start(const struct sql_lex *x, size_t i)
{
	return i == 0 || x->t.p[i - 1] == '\n' ||
		(i == 3 && memcmp(x->t.p, "\xEF\xBB\xBF", 3) == 0);
}

static size_t lex_backslash(struct sql_lex *x, size_t i, struct sql_tok *k)
{
	unsigned char c = sql_at(x, i + 1);

	if (x->d == SQL_SQLITE || c == 0) {
		k->type = SQL_T_BAD;
		return i + 1;
	}
	if (x->d == SQL_MYSQL && c == 'N') {
		k->type = SQL_T_KEYWORD;
		k->kw = K_NULL;
		return i + 2;
	}
	if ((x->d != SQL_MYSQL && c == ';') ||
		(x->d == SQL_MYSQL && (c == 'g' || c == 'G'))) {
		k->type = SQL_T_PUNCT;
		k->flags |= F_END;
		return i + 2;
	}
	if (x->d == SQL_MYSQL && strchr("cehpqstnwWrx", c) != NULL) {
		k->type = SQL_T_META;
		k->flags |= F_END;
		return i + 2;
	}
	return lex_meta(x, i, k);
}

/* DELIMITER xx, a line of the mysql client's. */
static void set_delimiter(struct sql_lex *x, size_t i, size_t end)
{
	size_t from;

	while (i < end && sql_is_blank(sql_at(x, i)))
		i++;
	for (from = i; i < end && !sql_is_blank(sql_at(x, i)); i++)
		;
	x->ndelim = 0;
	if (i - from >= sizeof(x->delim) || i == from)
		sql_disagree(x, "delimiter", from);
	else if (i - from != 1 || x->t.p[from] != ';') {
		x->ndelim = i - from;
		memcpy(x->delim, x->t.p + from, x->ndelim);
	}
	if (x->d == SQL_UNKNOWN)
		sql_disagree(x, "delimiter", from);
}

static bool word_is(struct sv w, const char *s)
{
	return w.n == strlen(s) && strncasecmp(w.p, s, w.n) == 0;
}

/* Words that mysql takes for itself at a statement's start. */
static bool client_word(const struct sql_lex *x, size_t i, struct sv w)
{
	return (x->d == SQL_MYSQL || x->d == SQL_UNKNOWN) && x->fresh && !x->exec &&
		line_start(x, i) && (sql_is_blank(sql_at(x, i + w.n)) || i + w.n == x->t.n) &&
		(word_is(w, "delimiter") || word_is(w, "source") ||
		word_is(w, "system") || word_is(w, "tee") || word_is(w, "pager"));
}

/* "go" or "/" alone on its line: the sqlite3 shell and others end there. */
static bool go_line(struct sql_lex *x, size_t i, size_t end)
{
	size_t j = i, e = end;

	if (x->fresh || (x->d != SQL_SQLITE && x->d != SQL_UNKNOWN))
		return false;
	while (j > 0 && (x->t.p[j - 1] == ' ' || x->t.p[j - 1] == '\t') && i - j < 64)
		j--;
	while (e < x->t.n && (sql_at(x, e) == ' ' || sql_at(x, e) == '\t' ||
		sql_at(x, e) == '\r') && e - end < 64)
		e++;
	if (!line_start(x, j) || (e < x->t.n && x->t.p[e] != '\n'))
		return false;
	sql_disagree(x, "go_line", i);
	return true;
}

/* i: a name's first byte. Letters directly before a quote are a string's. */
static size_t lex_word(struct sql_lex *x, size_t i, struct sql_tok *k)
{
	size_t e = i;
	struct sv w;
	char c;

	while (sql_is_start(sql_at(x, e)) || sql_is_digit(sql_at(x, e)) || sql_at(x, e) == '$')
		e++;
	w = (struct sv){ x->t.p + i, e - i };
	c = (char)(x->t.p[i] | 0x20);
	if (w.n == 1 && sql_at(x, e) == '\'' && strchr("enxb", c) != NULL) {
		k->type = SQL_T_STRING;
		return sql_lex_quote(x, e, c == 'e' && x->d != SQL_SQLITE, k);
	}
	if (w.n == 1 && c == 'u' && sql_at(x, e) == '&' && x->d != SQL_MYSQL &&
		(sql_at(x, e + 1) == '\'' || sql_at(x, e + 1) == '"')) {
		k->type = sql_at(x, e + 1) == '"' ? SQL_T_NAME : SQL_T_STRING;
		k->flags |= F_UNI | F_QUOTED;
		return sql_lex_quote(x, e + 1, false, k);
	}
	if (x->d == SQL_UNKNOWN && sql_at(x, e) == '\'' &&
		(word_is(w, "q") || word_is(w, "nq")))
		sql_disagree(x, "q_quote", i);
	if (client_word(x, i, w)) {
		if (word_is(w, "delimiter"))
			set_delimiter(x, e, sql_line_end(x->t, e));
		return lex_meta(x, i, k);
	}
	k->type = SQL_T_NAME;
	if (word_is(w, "go") && go_line(x, i, e)) {
		k->type = SQL_T_PUNCT;
		k->flags |= F_END;
		return e;
	}
	k->kw = (uint16_t)sql_word_find(w.p, w.n);
	if (k->kw != K_NONE)
		k->type = SQL_T_KEYWORD;
	return e;
}

static size_t lex_number(struct sql_lex *x, size_t i, struct sql_tok *k)
{
	bool hex = sql_at(x, i) == '0' && (sql_at(x, i + 1) | 0x20) == 'x';

	k->type = SQL_T_NUMBER;
	for (; i < x->t.n; i++) {
		unsigned char c = sql_at(x, i);
		if (!hex && (c == '+' || c == '-') && (sql_at(x, i - 1) | 0x20) == 'e' &&
			sql_is_digit(sql_at(x, i + 1)))
			continue;
		if (!sql_is_digit(c) && !sql_is_start(c) && c != '.')
			break;
	}
	return i;
}

static size_t lex_param(struct sql_lex *x, size_t i, struct sql_tok *k)
{
	size_t e = i + 1;

	while (sql_at(x, i) == '@' && sql_at(x, e) == '@')
		e++;
	while (sql_is_start(sql_at(x, e)) || sql_is_digit(sql_at(x, e)))
		e++;
	k->type = e > i + 1 || sql_at(x, i) == '?' ? SQL_T_PARAM : SQL_T_PUNCT;
	return e;
}

static size_t lex_punct(struct sql_lex *x, size_t i, struct sql_tok *k)
{
	static const char pairs[][3] = { "::", ":=", "<=", ">=", "<>", "!=", "==",
		"||", "&&", "->" };
	unsigned char c = sql_at(x, i);

	k->type = SQL_T_PUNCT;
	if (c == ';' && x->ndelim == 0)
		k->flags |= F_END;
	if (x->d == SQL_MYSQL && x->t.n - i >= 3 && memcmp(x->t.p + i, "<=>", 3) == 0)
		return i + 3;
	for (size_t j = 0; j < sizeof(pairs) / sizeof(pairs[0]); j++) {
		if (c == (unsigned char)pairs[j][0] &&
			sql_at(x, i + 1) == (unsigned char)pairs[j][1])
			return i + 2;
	}
	if (c == '/' && go_line(x, i, i + 1))
		k->flags |= F_END;
	if (c == ':' || c == '@' || c == '?' || (c == '$' && sql_is_digit(sql_at(x, i + 1))) ||
		(c == '$' && x->d == SQL_SQLITE))
		return lex_param(x, i, k);
	if (c < ' ' || c == 0x7f) {
		k->type = SQL_T_BAD;
		if (c == 0)
			sql_disagree(x, "nul", i); /* C clients end there */
	}
	return i + 1;
}

/* Comments; 0 when none begins at i. */
static size_t lex_comment(struct sql_lex *x, size_t i, struct sql_tok *k)
{
	unsigned char c = sql_at(x, i), d = sql_at(x, i + 1), e = sql_at(x, i + 2);
	bool open = false;
	size_t end;

	k->type = SQL_T_COMMENT;
	if (c == '-' && d == '-') {
		bool blank = i + 2 >= x->t.n || e <= ' ' || e == 0x7f;
		if (x->d == SQL_MYSQL && !blank)
			return 0;
		if (x->d == SQL_UNKNOWN && !blank)
			sql_disagree(x, "dash_comment", i);
		return sql_dash_end(x, i);
	}
	if (c == '#' && (x->d == SQL_MYSQL || x->d == SQL_UNKNOWN)) {
		if (x->d == SQL_UNKNOWN)
			sql_disagree(x, "hash_comment", i);
		return sql_line_end(x->t, i);
	}
	if (x->exec && c == '*' && d == '/') {
		k->flags |= F_EXEC;
		x->exec = false;
		return i + 2;
	}
	if (c != '/' || d != '*' || (x->d == SQL_SQLITE && i + 2 >= x->t.n))
		return 0;
	if ((x->d == SQL_MYSQL || x->d == SQL_UNKNOWN) && !x->exec &&
		(e == '!' || (e == 'M' && sql_at(x, i + 3) == '!'))) {
		if (x->d == SQL_UNKNOWN)
			sql_disagree(x, "executable_comment", i);
		x->exec = true;
		k->flags |= F_EXEC;
		for (end = i + 3 + (e == 'M'); sql_is_digit(sql_at(x, end)) && end < i + 10; end++)
			;
		return end;
	}
	end = sql_comment_end(x, i + 2, &open);
	if (open)
		k->flags |= F_OPEN;
	return end;
}

static size_t lex_blank(struct sql_lex *x, size_t i)
{
	for (;;) {
		if (sql_is_blank(sql_at(x, i)) && i < x->t.n)
			i++;
		else if ((i == 0 || x->d == SQL_SQLITE) && x->t.n - i >= 3 &&
			memcmp(x->t.p + i, "\xEF\xBB\xBF", 3) == 0)
			i += 3; /* a byte order mark */
		else
			return i;
	}
}

/* mysql ends a statement at its delimiter wherever that stands outside of
 * quotes and comments, inside a word too. */
static void cut_at_delimiter(struct sql_lex *x, struct sql_tok *k)
{
	const char *p;

	if (x->ndelim == 0 || k->type == SQL_T_STRING || k->type == SQL_T_COMMENT ||
		k->type == SQL_T_META || k->type == SQL_T_BLANK || (k->flags & F_QUOTED))
		return;
	if (x->t.n - k->from >= x->ndelim &&
		memcmp(x->t.p + k->from, x->delim, x->ndelim) == 0) {
		*k = (struct sql_tok){ .from = k->from, .type = SQL_T_PUNCT,
			.to = k->from + (uint32_t)x->ndelim, .flags = F_END };
		return;
	}
	p = memmem(x->t.p + k->from, k->to - k->from, x->delim, x->ndelim);
	if (p != NULL) {
		k->to = (uint32_t)(p - x->t.p);
		k->kw = K_NONE;
		if (k->type == SQL_T_KEYWORD)
			k->type = SQL_T_NAME;
	}
}

static size_t lex_any(struct sql_lex *x, size_t i, struct sql_tok *k)
{
	unsigned char c = sql_at(x, i);
	size_t end = lex_blank(x, i);

	k->type = SQL_T_BLANK;
	if (end > i)
		return end;
	if ((end = lex_comment(x, i, k)) > 0)
		return end;
	if (c == '\'' || c == '"' || (c == '`' && x->d != SQL_POSTGRES)) {
		bool name = c == '`' || (c == '"' && x->d != SQL_MYSQL);
		k->type = name ? SQL_T_NAME : SQL_T_STRING;
		if (name)
			k->flags |= F_QUOTED;
		return sql_lex_quote(x, i, false, k);
	}
	if (c == '$' && (x->d == SQL_POSTGRES || x->d == SQL_UNKNOWN)) {
		k->type = SQL_T_STRING;
		if ((end = sql_lex_dollar(x, i, k)) > 0)
			return end;
	}
	if (c == '\\')
		return lex_backslash(x, i, k);
	if (c == '[')
		return sql_lex_bracket(x, i, k);
	if (c == '.' && x->fresh && line_start(x, i) && sql_is_start(sql_at(x, i + 1)) &&
		(x->d == SQL_SQLITE || x->d == SQL_UNKNOWN))
		return lex_meta(x, i, k);
	if (sql_is_start(c) || (c == '$' && x->d == SQL_MYSQL))
		return lex_word(x, i, k);
	if (sql_is_digit(c) || (c == '.' && sql_is_digit(sql_at(x, i + 1))))
		return lex_number(x, i, k);
	return lex_punct(x, i, k);
}

void sql_lex_init(struct sql_lex *x, struct sv t, enum sql_dialect d)
{
	*x = (struct sql_lex){ .t = t, .d = d, .fresh = true };
}

bool sql_lex_next(struct sql_lex *x, struct sql_tok *k)
{
	if (x->at >= x->t.n)
		return false;
	*k = (struct sql_tok){ .from = (uint32_t)x->at };
	if (x->exec)
		k->flags |= F_EXEC;
	k->to = (uint32_t)lex_any(x, x->at, k);
	cut_at_delimiter(x, k);
	x->at = k->to;
	return true;
}
