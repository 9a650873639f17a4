/*
 * sql_kind.c - what one SQL statement is and does (see sql.h).
 */
#include "lang/sql_priv.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

void sql_judge(struct sql_statement *s, enum sql_verdict v, const char *why)
{
	static const int rank[] = { [SQL_PLAIN] = 0, [SQL_OPAQUE] = 1, [SQL_DESTRUCTIVE] = 2 };

	if (rank[v] > rank[s->verdict] || (v == s->verdict && s->why == NULL)) {
		s->verdict = v;
		s->why = why;
	}
}

void sql_kind_add(struct sql_statement *s, const char *word)
{
	size_t n = strlen(s->kind), w = strlen(word);

	if (n + w + 2 > sizeof(s->kind))
		return;
	if (n > 0)
		s->kind[n++] = ' ';
	memcpy(s->kind + n, word, w + 1);
}

static bool has_word(const struct sql_cur *c, size_t i, enum sql_word w)
{
	for (; i < c->n; i++) {
		if (sql_kw(c, i) == w)
			return true;
	}
	return false;
}

/* Tables that the database keeps its own order in. */
static bool is_catalog(struct sv s)
{
	static const char *const fronts[] = { "pg_", "sqlite_", "mysql.", "sys.",
		"information_schema.", "main.sqlite_", "performance_schema." };

	for (size_t i = 0; i < sizeof(fronts) / sizeof(fronts[0]); i++) {
		size_t n = strlen(fronts[i]);
		if (s.n > n && strncasecmp(s.p, fronts[i], n) == 0)
			return true;
	}
	return false;
}

/* DELETE, UPDATE, INSERT, REPLACE or MERGE at i, up to end. */
static void write_verb(struct sql_cur *c, size_t i, size_t end)
{
	enum sql_word w = sql_kw(c, i);
	size_t had = c->n_names;

	c->named = false;
	sql_targets(c, i + 1);
	if (!c->named) {
		c->out->parsed = false;
		sql_judge(c->out, SQL_OPAQUE, "unknown_target");
	}
	if (is_catalog(c->n_names > had ? c->names[had] : SV_NONE))
		sql_judge(c->out, SQL_DESTRUCTIVE, "catalog");
	if (w == K_DELETE || w == K_UPDATE)
		sql_where(c, i, end);
	if (w == K_MERGE) {
		for (size_t j = i + 1; j < end; j++) {
			if (sql_kw(c, j) == K_DELETE)
				sql_judge(c->out, SQL_DESTRUCTIVE, "merge_delete");
		}
	}
}

static bool is_write(enum sql_word w)
{
	return w == K_DELETE || w == K_UPDATE || w == K_INSERT || w == K_MERGE ||
		w == K_REPLACE;
}

/* WITH x AS (DELETE ...): it writes, whatever the statement is called. */
static bool nested_writes(struct sql_cur *c, bool name_it)
{
	size_t any = 0;

	for (size_t i = 0; i + 2 < c->n; i++) {
		enum sql_word w = sql_kw(c, i + 1);
		if (!sql_is(c, i, "(") || !is_write(w) || sql_is(c, i + 2, "(") ||
			sql_is(c, i + 2, ",") || sql_is(c, i + 2, ")"))
			continue;
		if (any == 64) { /* each is read to its end */
			sql_judge(c->out, SQL_OPAQUE, "too_many");
			break;
		}
		if (any == 0 && name_it) {
			c->out->kind[0] = 0;
			sql_kind_add(c->out, "WITH");
			sql_kind_add(c->out, sql_word_names[w]);
		}
		write_verb(c, i + 1, sql_close(c, i));
		any++;
	}
	return any > 0;
}

/* A second verb without a ';' before it: T-SQL needs none. */
static void second_statement(struct sql_cur *c, size_t i)
{
	uint32_t depth = i < c->n ? c->k[i].depth : 0;

	for (i++; i + 1 < c->n; i++) {
		enum sql_word w = sql_kw(c, i), next = sql_kw(c, i + 1);
		if (c->k[i].depth != depth || w == K_NONE)
			continue;
		if ((w == K_DROP && next != K_NONE && (sql_word_flags[next] & W_OBJ)) ||
			(w == K_TRUNCATE && next == K_TABLE) || (w == K_DELETE && next == K_FROM &&
				sql_kw(c, i - 1) != K_THEN) ||
			(w == K_UPDATE && sql_kw(c, i + 2) == K_SET && sql_kw(c, i - 1) != K_FOR))
			sql_judge(c->out, SQL_DESTRUCTIVE, "second_statement");
		else if ((w == K_EXEC || w == K_EXECUTE) && c->k[i + 1].type == SQL_T_NAME)
			sql_judge(c->out, SQL_OPAQUE, "second_statement");
	}
}

/* SELECT, VALUES, TABLE at i. True when it only reads. */
static bool reads(struct sql_cur *c, size_t i)
{
	bool pure = true;

	for (size_t j = i; j < c->n; j++) {
		enum sql_word w = sql_kw(c, j), next = sql_kw(c, j + 1);
		if (w == K_INTO && (next == K_OUTFILE || next == K_DUMPFILE)) {
			sql_judge(c->out, SQL_DESTRUCTIVE, "file_access");
			pure = false;
		} else if (w == K_INTO) {
			if (j + 1 < c->n && c->k[j + 1].type != SQL_T_PARAM) {
				sql_kind_add(c->out, "INTO");
				sql_targets(c, j + 1);
			}
			pure = false;
		} else if ((w == K_FOR && (next == K_UPDATE || next == K_SHARE ||
			next == K_NO || next == K_KEY)) || (w == K_LOCK && next == K_IN)) {
			sql_judge(c->out, SQL_PLAIN, "row_lock");
			pure = false;
		}
	}
	sql_targets_from(c, i, c->n);
	if (sql_kw(c, i) == K_TABLE)
		sql_targets(c, i + 1);
	return pure;
}

static const struct sql_rule *rule_at(const struct sql_cur *c, size_t i)
{
	for (size_t r = 0; r < sql_n_rules; r++) {
		size_t j;
		for (j = 0; j < 3 && sql_rules[r].w[j] != K_NONE; j++) {
			if (sql_kw(c, i + j) != sql_rules[r].w[j])
				break;
		}
		if (j == 3 || sql_rules[r].w[j] == K_NONE)
			return &sql_rules[r];
	}
	return NULL;
}

/* EXPLAIN ... at i: the index of what is explained; *runs when it is run. */
static size_t explained(const struct sql_cur *c, size_t i, bool *runs)
{
	bool mariadb = sql_kw(c, i) == K_ANALYZE;

	*runs = mariadb;
	for (i++; i < c->n; i++) {
		enum sql_word w = sql_kw(c, i);
		if (sql_is(c, i, "(") && !mariadb) {
			size_t e = sql_close(c, i), j;
			if (is_write(sql_kw(c, i + 1)) || sql_kw(c, i + 1) == K_SELECT ||
				sql_kw(c, i + 1) == K_WITH)
				return i;
			for (j = i + 1; j < e; j++) {
				if (sql_kw(c, j) == K_ANALYZE && !sql_text_is(c, j + 1, "off") &&
					!sql_text_is(c, j + 1, "false") && !sql_text_is(c, j + 1, "0"))
					*runs = true;
			}
			i = e;
		} else if (w == K_ANALYZE || sql_text_is(c, i, "analyse")) {
			*runs = true;
		} else if (w != K_VERBOSE && w != K_QUERY && w != K_PLAN && w != K_FOR &&
			w != K_FORMAT && !sql_is(c, i, "=") && !sql_text_is(c, i, "json") &&
			!sql_text_is(c, i, "tree") && !sql_text_is(c, i, "traditional") &&
			!sql_text_is(c, i, "extended") && !sql_text_is(c, i, "partitions")) {
			return i;
		}
	}
	return i;
}

/* The verb behind WITH ...: the first at its depth after a ")". */
static size_t with_main(const struct sql_cur *c, size_t i)
{
	uint32_t depth = c->k[i].depth;

	for (i++; i < c->n; i++) {
		enum sql_word w = sql_kw(c, i);
		if (c->k[i].depth == depth && sql_is(c, i - 1, ")") && (is_write(w) ||
			w == K_SELECT || w == K_VALUES || w == K_TABLE))
			return i;
	}
	return i;
}

/* What a rule's row cannot say. True: still only reads. */
static bool special(struct sql_cur *c, size_t i, const struct sql_rule *r)
{
	bool ro = (r->flags & R_RO) != 0;

	if (r->flags & R_OBJ)
		sql_object(c, i);
	switch (sql_kw(c, i)) {
	case K_DELETE: case K_UPDATE: case K_INSERT: case K_REPLACE: case K_MERGE:
		write_verb(c, i, c->n);
		sql_targets_from(c, i + 2, c->n);
		break;
	case K_SELECT: case K_VALUES: case K_TABLE:
		ro = reads(c, i);
		break;
	case K_COPY:
		sql_copy(c, i, &ro);
		break;
	case K_SET:
		sql_set(c, i);
		break;
	case K_PRAGMA:
		sql_pragma(c, i, &ro);
		break;
	case K_BEGIN:
		sql_begin(c, i);
		break;
	case K_VACUUM:
		if (has_word(c, i, K_INTO))
			sql_judge(c->out, SQL_DESTRUCTIVE, "file_access");
		break;
	case K_ATTACH: case K_LOAD:
		for (size_t j = i + 1; j + 1 < c->n; j++) {
			if (sql_kw(c, j) == (sql_kw(c, i) == K_LOAD ? K_INTO : K_AS)) {
				sql_targets(c, j + 1);
				break;
			}
		}
		break;
	default:
		break;
	}
	return ro;
}

/* {x}, psql's :x: words that a program or client puts there as they are. */
static bool filled_in(const struct sql_cur *c)
{
	for (size_t i = 0; i < c->n; i++) {
		char first = c->t.p[c->k[i].from];
		if ((c->k[i].type == SQL_T_PUNCT && first == '{') ||
			(c->k[i].type == SQL_T_PARAM && first == ':' && c->d == SQL_POSTGRES))
			return true;
	}
	return false;
}

static void by_rule(struct sql_cur *c, size_t i)
{
	const struct sql_rule *r = rule_at(c, i);
	bool ro, code, writes;
	size_t j;

	if (r == NULL) {
		sql_kind_add(c->out, "?");
		c->out->parsed = false;
		sql_judge(c->out, SQL_OPAQUE, "unknown_kind");
		return;
	}
	for (j = 0; j < 3 && r->w[j] != K_NONE; j++)
		sql_kind_add(c->out, sql_word_names[r->w[j]]);
	sql_judge(c->out, r->verdict, r->why);
	/* What is changed comes first among the targets. */
	writes = sql_kw(c, i) != K_CREATE && nested_writes(c, (r->flags & R_RO) != 0);
	ro = special(c, i, r);
	if (r->flags & R_NEXT)
		sql_targets(c, i + j);
	for (; (r->flags & R_ON) && j + i < c->n; j++) {
		if (sql_kw(c, i + j) == K_ON || sql_kw(c, i + j) == K_TO ||
			sql_kw(c, i + j) == K_FROM)
			sql_targets(c, i + j + 1);
	}
	code = c->out->verdict == SQL_OPAQUE && c->out->why != NULL &&
		strcmp(c->out->why, "stored_code") == 0;
	if (!code && sql_kw(c, i) != K_ALTER && sql_kw(c, i) != K_GRANT &&
		sql_kw(c, i) != K_REVOKE)
		second_statement(c, i);
	sql_functions(c, ro && sql_kw(c, i) != K_PRAGMA);
	c->out->read_only = ro && !writes && !filled_in(c) && c->out->verdict == SQL_PLAIN &&
		(c->out->why == NULL || strcmp(c->out->why, "transaction") == 0);
}

/* Planned, not run: what its WHERE would have let through stays. */
static void planned(struct sql_statement *s)
{
	static const char *const by_where[] = { "no_where", "always_true",
		"nearly_always_true", "no_column", "where_unclear", "merge_delete",
		"row_lock" };

	for (size_t i = 0; i < sizeof(by_where) / sizeof(by_where[0]); i++) {
		if (s->why != NULL && strcmp(s->why, by_where[i]) == 0) {
			s->verdict = SQL_PLAIN;
			s->why = NULL;
		}
	}
	s->where = SQL_WHERE_NA;
	s->read_only = s->verdict == SQL_PLAIN && s->parsed;
}

void sql_classify(struct sql_cur *c)
{
	size_t i = 0, inner;
	bool runs = false, explain = false;
	enum sql_word w;

	while (sql_is(c, i, "("))
		i++;
	w = sql_kw(c, i);
	if (w == K_EXPLAIN || w == K_DESCRIBE || w == K_DESC || w == K_ANALYZE) {
		inner = explained(c, i, &runs);
		w = w == K_ANALYZE ? w : K_EXPLAIN;
		if ((rule_at(c, inner) != NULL || sql_kw(c, inner) == K_WITH) &&
			(w == K_EXPLAIN || sql_kw(c, inner) != K_TABLE)) {
			sql_kind_add(c->out, sql_word_names[w]);
			explain = true;
			i = inner;
		}
	}
	if (sql_kw(c, i) == K_WITH)
		i = with_main(c, i);
	by_rule(c, i);
	if (explain && !runs)
		planned(c->out);
}
