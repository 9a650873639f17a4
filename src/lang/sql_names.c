/*
 * sql_names.c - names in SQL: quotes taken off, lists of targets.
 */
#include "lang/sql_priv.h"

#include <string.h>
#include <strings.h>

#include "base/text.h"

bool sql_is(const struct sql_cur *c, size_t i, const char *punct)
{
	return i < c->n && c->k[i].type == SQL_T_PUNCT && sv_eqs(sql_text(c, i), punct);
}

struct sv sql_text(const struct sql_cur *c, size_t i)
{
	if (i >= c->n)
		return SV_NONE;
	return (struct sv){ c->t.p + c->k[i].from, c->k[i].to - c->k[i].from };
}

bool sql_text_is(const struct sql_cur *c, size_t i, const char *word)
{
	struct sv s = sql_text(c, i);
	return s.n == strlen(word) && s.n > 0 && strncasecmp(s.p, word, s.n) == 0;
}

size_t sql_close(const struct sql_cur *c, size_t i)
{
	return i < c->n && c->k[i].match < c->n ? c->k[i].match : c->n;
}

static int hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* \XXXX or \+XXXXXX of U&"..." at s.p[i]; 0 when it is none. */
static size_t unicode_escape(struct sv s, size_t i, uint32_t *cp)
{
	size_t n = i + 1 < s.n && s.p[i + 1] == '+' ? 6 : 4, j = i + (n == 6 ? 2 : 1);

	*cp = 0;
	if (s.n - i < n + (j - i))
		return 0;
	for (size_t e = j + n; j < e; j++) {
		if (hex(s.p[j]) < 0)
			return 0;
		*cp = *cp * 16 + (uint32_t)hex(s.p[j]);
	}
	return *cp <= 0x10ffff && (*cp < 0xd800 || *cp > 0xdfff) ? j - i : 0;
}

struct sv sql_name(struct sql_cur *c, size_t i)
{
	struct sv s = sql_text(c, i);
	bool uni = (c->k[i].flags & F_UNI) != 0;
	size_t n = 0, used;
	uint32_t cp;
	char q, *out;

	if (uni)
		s = (struct sv){ s.p + 2, s.n - 2 };
	if (s.n == 0 || strchr("'\"`[", s.p[0]) == NULL || s.p[0] == 0)
		return s;
	q = s.p[0] == '[' ? ']' : s.p[0];
	s = (struct sv){ s.p + 1, s.n - 1 - ((c->k[i].flags & F_OPEN) == 0) };
	if (!uni && memchr(s.p, q, s.n) == NULL)
		return s;
	out = arena_alloc(c->a, s.n + 4);
	if (out == NULL)
		return SV_NONE;
	for (size_t j = 0; j < s.n; j++) {
		if (s.p[j] == q && j + 1 < s.n && s.p[j + 1] == q)
			j++;
		else if (uni && s.p[j] == '\\' && (used = unicode_escape(s, j, &cp)) > 0) {
			n += utf8_encode(cp, out + n); /* never longer than it was */
			j += used - 1;
			continue;
		}
		out[n++] = s.p[j];
	}
	return (struct sv){ out, n };
}

static bool is_name(const struct sql_cur *c, size_t i)
{
	if (i >= c->n)
		return false;
	if (c->k[i].type == SQL_T_NAME || c->k[i].type == SQL_T_STRING)
		return true; /* SQLite takes 'name' too */
	if (c->k[i].type == SQL_T_PARAM)
		return sql_text(c, i).p[0] == '@' && sql_text(c, i).n > 1;
	return c->k[i].type == SQL_T_KEYWORD &&
		(sql_word_flags[c->k[i].kw] & (W_STOP | W_SYN)) == 0;
}

/* Reads a.b.c at i; the index after it, or i when no name is there. */
static size_t target(struct sql_cur *c, size_t i)
{
	size_t first = i, last;
	struct sv s, part;
	struct buf b;

	if (!is_name(c, i))
		return i;
	c->named = true;
	for (last = i++; sql_is(c, i, ".") && (is_name(c, i + 1) || sql_is(c, i + 1, "*") ||
		sql_kw(c, i + 1) != K_NONE); i += 2)
		last = i + 1;
	if (sql_kw(c, i) == K_UESCAPE)
		sql_judge(c->out, SQL_OPAQUE, "unknown_target");
	if (c->n_names == SQL_MAX_TARGETS)
		return i;
	if (first == last) {
		s = sql_name(c, first);
	} else {
		buf_init(&b, 4096);
		for (size_t j = first; j <= last; j += 2) {
			part = sql_name(c, j);
			buf_adds(&b, j == first ? "" : ".");
			buf_addsv(&b, part);
		}
		if (b.over)
			sql_judge(c->out, SQL_OPAQUE, "unknown_target");
		s = arena_sv(c->a, buf_sv(&b));
		buf_free(&b);
	}
	for (size_t j = 0; j < c->n_names; j++) {
		if (sv_eq(c->names[j], s))
			return i;
	}
	c->names[c->n_names++] = s;
	return i;
}

static bool is_skip(const struct sql_cur *c, size_t i)
{
	return sql_kw(c, i) != K_NONE && (sql_word_flags[sql_kw(c, i)] & W_SKIP) != 0;
}

size_t sql_targets(struct sql_cur *c, size_t i)
{
	size_t from;

	/* Bounded, as it is called at each FROM. */
	for (size_t n = 0; n < 2 * SQL_MAX_TARGETS; n++) {
		for (from = i; i < from + 32 && is_skip(c, i) && !sql_is(c, i + 1, "."); i++)
			;
		from = i;
		if (sql_kw(c, i) == K_LATERAL)
			return i;
		i = target(c, i);
		if (i == from)
			return i;
		if (sql_is(c, i, "(")) /* a function's types, or columns */
			i = sql_close(c, i) + 1;
		if (sql_is(c, i, "*"))
			i++;
		if (sql_kw(c, i) == K_AS)
			i++;
		if (!sql_is(c, i, ",") && is_name(c, i))
			i++; /* an alias */
		if (!sql_is(c, i, ","))
			return i;
		i++;
	}
	return i;
}

void sql_targets_from(struct sql_cur *c, size_t i, size_t end)
{
	static const char *const from_inside[] = { "extract", "trim", "substring",
		"overlay", "position" };
	size_t skip_to = 0;
	uint32_t skip_depth = 0;

	for (; i < end && c->n_names < SQL_MAX_TARGETS; i++) {
		enum sql_word w = sql_kw(c, i);
		if (i > 0 && sql_is(c, i, "(") && skip_to <= i) {
			for (size_t j = 0; j < sizeof(from_inside) / sizeof(from_inside[0]); j++) {
				if (sql_text_is(c, i - 1, from_inside[j])) {
					skip_to = sql_close(c, i);
					skip_depth = c->k[i].depth + 1;
				}
			}
		}
		if ((w != K_FROM && w != K_JOIN && w != K_APPLY) ||
			(i > 0 && sql_kw(c, i - 1) == K_DISTINCT) ||
			(i < skip_to && c->k[i].depth == skip_depth))
			continue;
		if (i + 1 < end && c->k[i + 1].type == SQL_T_STRING && c->d == SQL_UNKNOWN)
			sql_judge(c->out, SQL_OPAQUE, "file_access"); /* DuckDB reads it */
		if (!sql_is(c, i + 1, "("))
			sql_targets(c, i + 1);
	}
}
