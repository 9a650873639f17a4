/*
 * sql_fold.c - operands and comparisons of a WHERE, folded where they are
 * constant.
 */
#include "lang/sql_fold.h"

#include <math.h>
#include <string.h>
#include <strings.h>

/* Reads a number at the front of s, not by strtod(): that follows the locale.
 * Bytes used, 0 when none is there. */
static size_t read_number(struct sv s, double *out)
{
	size_t i = 0, digits = 0, e;
	double d = 0, scale = 1;
	int sign = 1, exp = 0, esign = 1;

	while (i < s.n && s.p[i] == ' ')
		i++;
	if (i < s.n && (s.p[i] == '-' || s.p[i] == '+'))
		sign = s.p[i++] == '-' ? -1 : 1;
	for (; i < s.n && s.p[i] >= '0' && s.p[i] <= '9'; i++, digits++)
		d = d * 10 + (s.p[i] - '0');
	if (i < s.n && s.p[i] == '.') {
		for (i++; i < s.n && s.p[i] >= '0' && s.p[i] <= '9'; i++, digits++) {
			scale /= 10;
			d += scale * (s.p[i] - '0');
		}
	}
	if (digits == 0)
		return 0;
	if (i + 1 < s.n && (s.p[i] | 0x20) == 'e') {
		e = i + 1;
		if (s.p[e] == '-' || s.p[e] == '+')
			esign = s.p[e++] == '-' ? -1 : 1;
		for (; e < s.n && s.p[e] >= '0' && s.p[e] <= '9' && exp < 400; e++) {
			exp = exp * 10 + (s.p[e] - '0');
			i = e + 1;
		}
	}
	for (; exp > 0; exp--)
		d = esign > 0 ? d * 10 : d / 10;
	*out = sign * d;
	return isfinite(*out) ? i : 0;
}

/* s as a number, as far as it is one. */
static bool as_number(struct sv s, double *out, bool *all)
{
	size_t used = s.n < 64 ? read_number(s, out) : 0;

	*all = used == s.n;
	return used > 0;
}

enum truth fold_truth_of(struct val v)
{
	static const char *const yes[] = { "t", "true", "y", "yes", "on" };
	double d;
	bool all;

	switch (v.k) {
	case V_TRUTH:
		return v.t;
	case V_NUM:
		return v.num != 0 ? T_TRUE : T_FALSE;
	case V_NULL:
		return T_FALSE;
	case V_STR:
		if (as_number(v.s, &d, &all))
			return d != 0 ? T_TRUE : T_FALSE;
		for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++) {
			if (v.s.n == strlen(yes[i]) && strncasecmp(v.s.p, yes[i], v.s.n) == 0)
				return T_TRUE;
		}
		return T_UNKNOWN;
	default:
		return T_UNKNOWN;
	}
}

/* Names inside [i, e): whether the condition depends on the row at all. */
static void note_columns(struct fold *f, size_t i, size_t e)
{
	for (; i < e && i < f->end; i++) {
		if (f->c->k[i].type == SQL_T_NAME && !sql_is(f->c, i + 1, "("))
			f->column = true;
	}
}

struct val fold_skip(struct fold *f)
{
	size_t e = sql_close(f->c, f->i);

	note_columns(f, f->i, e);
	f->i = e < f->end ? e + 1 : f->end;
	return fold_other;
}

/* A subquery without FROM or WHERE has one row. */
static bool one_row(const struct fold *f, size_t open)
{
	size_t e = sql_close(f->c, open);

	if (sql_kw(f->c, open + 1) == K_VALUES)
		return true;
	for (size_t i = open + 1; i < e && i < f->end; i++) {
		enum sql_word w = sql_kw(f->c, i);
		if (w == K_FROM || w == K_WHERE || w == K_LIMIT || w == K_HAVING)
			return false;
	}
	return sql_kw(f->c, open + 1) == K_SELECT;
}

bool fold_is_query(enum sql_word w)
{
	return w == K_SELECT || w == K_WITH || w == K_VALUES || w == K_TABLE;
}

static struct val fold_paren(struct fold *f)
{
	struct val v;
	size_t open = f->i;

	if (fold_is_query(sql_kw(f->c, f->i + 1))) {
		if (sql_kw(f->c, open + 1) == K_SELECT && one_row(f, open) &&
			sql_close(f->c, open) == open + 3) { /* (SELECT 1) */
			f->i += 2;
			v = fold_or(f);
			fold_eat(f, ")");
			return v;
		}
		f->column = true;
		return fold_skip(f);
	}
	if (f->depth >= FOLD_MAX_DEPTH) {
		f->unclear = true;
		return fold_skip(f);
	}
	f->i++;
	v = fold_or(f);
	if (fold_is_punct(f, ",")) { /* a row */
		f->i = open;
		return fold_skip(f);
	}
	if (!fold_eat(f, ")")) {
		f->unclear = true;
		f->i = open;
		return fold_skip(f);
	}
	return v;
}

static struct val fold_case(struct fold *f)
{
	unsigned open = 0;
	size_t from = f->i;

	for (; f->i < f->end; f->i++) {
		open += fold_kw(f) == K_CASE;
		if (fold_kw(f) == K_END && --open == 0)
			break;
	}
	note_columns(f, from, f->i);
	if (!fold_eat_kw(f, K_END))
		f->unclear = true;
	return fold_other;
}

/* a, t.a, f(x), DATE '...' */
static struct val fold_name(struct fold *f)
{
	const struct sql_tok *k = f->c->k;
	size_t first = f->i++, last = first;

	while (fold_is_punct(f, ".") && f->i + 1 < f->end && (k[f->i + 1].type == SQL_T_NAME ||
		k[f->i + 1].type == SQL_T_KEYWORD)) {
		last = f->i + 1;
		f->i += 2;
	}
	if (fold_is_punct(f, "("))
		return fold_skip(f);
	if (f->i < f->end && k[f->i].type == SQL_T_STRING && last == first) {
		f->i++;
		return fold_other;
	}
	f->column = true;
	return (struct val){ .k = V_COL, .s = sql_text(f->c, last),
		.table = last > first ? sql_text(f->c, last - 2) : SV_NONE };
}

static struct val fold_string(struct fold *f)
{
	struct sv s = sql_text(f->c, f->i++);
	const char *q = memchr(s.p, '\'', s.n);

	if (q == NULL || s.p[s.n - 1] != '\'' || q == s.p + s.n - 1)
		q = s.p[0] == '"' ? s.p : NULL;
	if (q == NULL) /* $$...$$ */
		return (struct val){ .k = V_STR, .s = s };
	return (struct val){ .k = V_STR,
		.s = { q + 1, (size_t)(s.p + s.n - q) - 2 } };
}

static struct val fold_number(struct fold *f)
{
	struct sv s = sql_text(f->c, f->i++);
	double d = 0;
	bool all;

	if (s.n > 2 && s.n <= 14 && (s.p[1] | 0x20) == 'x') {
		for (size_t i = 2; i < s.n; i++) {
			int c = s.p[i] | 0x20;
			if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f')))
				return fold_other;
			d = d * 16 + (c <= '9' ? c - '0' : c - 'a' + 10);
		}
		return fold_num(d);
	}
	return as_number(s, &d, &all) && all ? fold_num(d) : fold_other;
}

static struct val fold_word(struct fold *f)
{
	size_t at = f->i;

	switch (fold_kw(f)) {
	case K_TRUE:
		f->i++;
		return fold_truth(T_TRUE);
	case K_FALSE:
		f->i++;
		return fold_truth(T_FALSE);
	case K_NULL: case K_UNKNOWN:
		f->i++;
		return (struct val){ .k = V_NULL };
	case K_CASE:
		return fold_case(f);
	case K_EXISTS:
		f->i++;
		if (!fold_is_punct(f, "(")) {
			f->unclear = true;
			return fold_other;
		}
		at = f->i;
		fold_skip(f);
		if (one_row(f, at))
			return fold_truth(T_TRUE);
		f->column = true;
		return fold_other;
	case K_AND: case K_OR: case K_NOT: case K_IN: case K_IS: case K_WHEN:
	case K_THEN: case K_ELSE: case K_END:
		f->unclear = true;
		return fold_other;
	case K_CURRENT: /* WHERE CURRENT OF cursor */
		f->column = true;
		f->i = f->end;
		return fold_other;
	default:
		return fold_name(f);
	}
}

/* %s, {x}, :'x': what a program puts there. */
static struct val fold_placeholder(struct fold *f)
{
	unsigned n = 0;

	if (fold_eat(f, ":")) {
		f->i += f->i < f->end;
		return fold_other;
	}
	if (fold_eat(f, "%")) {
		if (fold_is_punct(f, "("))
			fold_skip(f);
		f->i += f->i < f->end;
		return fold_other;
	}
	for (; f->i < f->end && fold_is_any(f, "{$#"); f->i++)
		;
	for (; f->i < f->end && !fold_is_punct(f, "}") && n < 16; f->i++, n++)
		;
	while (fold_eat(f, "}"))
		n = 0;
	f->unclear = true; /* it may hold any words */
	f->column = true;
	return fold_other;
}

/* ::type, COLLATE x, [1] */
static struct val fold_postfix(struct fold *f, struct val v)
{
	for (;;) {
		if (fold_eat(f, "::") || fold_eat_kw(f, K_COLLATE)) {
			f->i += f->i < f->end;
			if (fold_is_punct(f, "(")) {
				size_t e = sql_close(f->c, f->i);
				f->i = e < f->end ? e + 1 : f->end;
			}
		} else if (fold_is_punct(f, "[")) {
			while (f->i < f->end && !fold_eat(f, "]"))
				f->i++;
			v = fold_other;
		} else {
			return v;
		}
	}
}

static struct val fold_primary(struct fold *f)
{
	bool minus = false, sign = false, bang = false;
	struct val v;

	for (; fold_is_any(f, "-+~!"); f->i++) {
		minus ^= fold_is_punct(f, "-");
		bang ^= fold_is_punct(f, "!");
		sign = true;
	}
	if (f->i >= f->end) {
		f->unclear = true;
		return fold_other;
	}
	switch ((enum sql_token)f->c->k[f->i].type) {
	case SQL_T_NUMBER:
		v = fold_number(f);
		break;
	case SQL_T_STRING:
		v = fold_string(f);
		break;
	case SQL_T_KEYWORD:
		v = fold_word(f);
		break;
	case SQL_T_NAME:
		v = fold_name(f);
		break;
	case SQL_T_PARAM:
		f->i++;
		v = fold_other;
		break;
	default:
		if (fold_is_punct(f, "("))
			v = fold_paren(f);
		else if (fold_is_any(f, ":%{$#"))
			v = fold_placeholder(f);
		else {
			f->unclear = true;
			return fold_other;
		}
	}
	v = fold_postfix(f, v);
	if (!sign)
		return v;
	if (bang)
		return fold_truth(fold_truth_of(v) == T_TRUE ? T_FALSE :
			fold_truth_of(v) == T_FALSE ? T_TRUE : T_UNKNOWN);
	return v.k == V_NUM ? fold_num(minus ? -v.num : v.num) : fold_other;
}

/* Arithmetic from left to right, which is enough for constants: a wrong order
 * gives another number, so it is only folded when all operators are alike. */
struct val fold_sum(struct fold *f)
{
	struct val v = fold_primary(f), r;
	char first = 0, op;
	bool mixed = false;

	while (f->i < f->end && (f->c->k[f->i].type == SQL_T_PUNCT ||
		sql_is(f->c, f->i, "?") || f->c->k[f->i].type == SQL_T_PARAM)) {
		struct sv s = sql_text(f->c, f->i);
		if (strchr("),;", s.p[0]) != NULL || memchr("=<>!", s.p[0], 4) != NULL ||
			sv_eqs(s, "&&") || (sv_eqs(s, "||") && (f->c->d == SQL_MYSQL ||
			f->c->d == SQL_UNKNOWN)))
			break;
		op = s.n == 1 ? s.p[0] : 0;
		mixed |= first != 0 && op != first;
		first = op;
		f->i++;
		while (fold_is_any(f, "<>@?|*&"))
			f->i++; /* an operator of many characters */
		r = fold_primary(f);
		if (v.k != V_NUM || r.k != V_NUM || mixed)
			v = fold_other;
		else if (op == '+' || op == '-')
			v = fold_num(op == '+' ? v.num + r.num : v.num - r.num);
		else if (op == '*')
			v = fold_num(v.num * r.num);
		else
			v = fold_other;
	}
	return v;
}

static bool same_name(struct sv a, struct sv b)
{
	for (int i = 0; i < 2; i++) {
		struct sv *s = i == 0 ? &a : &b;
		if (s->n > 2 && strchr("\"`[", s->p[0]) != NULL)
			*s = (struct sv){ s->p + 1, s->n - 2 };
	}
	return a.n == b.n && a.n > 0 && strncasecmp(a.p, b.p, a.n) == 0;
}

/* a.id = b.id joins; t.id = id and id = id hold for each row. */
static bool same_column(const struct val *a, const struct val *b)
{
	return same_name(a->s, b->s) && (a->table.n == 0 || b->table.n == 0 ||
		same_name(a->table, b->table));
}

/* id > 0, id <> 0, id >= 1: every row, where ids count from one. */
static bool any_id(struct val c, const char *op, struct val n)
{
	struct sv s = c.s;
	bool id = s.n >= 2 && strncasecmp(s.p + s.n - 2, "id", 2) == 0 &&
		(s.n == 2 || s.p[s.n - 3] == '_');

	if (!id || n.k != V_NUM || n.num > 1)
		return false;
	if (n.num == 1)
		return strcmp(op, ">=") == 0;
	return strcmp(op, ">") == 0 || strcmp(op, ">=") == 0 || strcmp(op, "<>") == 0 ||
		strcmp(op, "!=") == 0;
}

struct val fold_compare(struct val l, const char *op, struct val r)
{
	bool eq = op[0] == '=' || strcmp(op, "<=>") == 0, ne = op[0] == '!' ||
		strcmp(op, "<>") == 0;
	double d, a, b;
	bool all = true;

	if (l.k == V_COL && r.k == V_COL && same_column(&l, &r))
		return fold_truth(eq || strcmp(op, "<=") == 0 || strcmp(op, ">=") == 0 ?
			T_TRUE : T_FALSE);
	if (l.k == V_COL && any_id(l, op, r))
		return fold_truth(T_NEARLY);
	if (l.k == V_NULL || r.k == V_NULL)
		return fold_truth(strcmp(op, "<=>") == 0 && l.k == r.k ? T_TRUE : T_FALSE);
	if (l.k == V_TRUTH && (l.t == T_TRUE || l.t == T_FALSE))
		l = fold_num(l.t == T_TRUE);
	if (r.k == V_TRUTH && (r.t == T_TRUE || r.t == T_FALSE))
		r = fold_num(r.t == T_TRUE);
	if (l.k == V_STR && r.k == V_STR) {
		d = sv_cmp(l.s, r.s);
	} else {
		a = l.num;
		b = r.num;
		if ((l.k == V_STR && (!as_number(l.s, &a, &all) || !all)) ||
			(r.k == V_STR && (!as_number(r.s, &b, &all) || !all)) ||
			(l.k != V_NUM && l.k != V_STR) || (r.k != V_NUM && r.k != V_STR))
			return fold_other;
		d = a - b;
	}
	if (eq || ne)
		return fold_truth((d == 0) == eq ? T_TRUE : T_FALSE);
	if (op[0] == '<')
		return fold_truth(d < 0 || (d == 0 && op[1] == '=') ? T_TRUE : T_FALSE);
	return fold_truth(d > 0 || (d == 0 && op[1] == '=') ? T_TRUE : T_FALSE);
}

struct val fold_negate(struct val v, bool no)
{
	enum truth t = fold_truth_of(v);

	if (!no)
		return fold_truth(t);
	return fold_truth(t == T_TRUE ? T_FALSE : t == T_FALSE ? T_TRUE : T_UNKNOWN);
}

