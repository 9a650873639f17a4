/*
 * sql_where.c - does a WHERE hold anything back? Folds constants; what depends
 * on a row is "unknown". Recursion is bounded; what it cannot read whole is
 * said to be unclear.
 */
#include "lang/sql_fold.h"

static struct val fold_is(struct fold *f, struct val l)
{
	bool no = fold_eat_kw(f, K_NOT);
	struct val r;

	if (fold_eat_kw(f, K_DISTINCT)) {
		fold_eat_kw(f, K_FROM);
		r = fold_sum(f);
		if (l.k == V_NULL && r.k == V_NULL)
			return fold_negate(fold_truth(T_FALSE), no);
		return fold_negate(fold_compare(l, "<>", r), no);
	}
	r = fold_sum(f);
	if (r.k == V_NULL) {
		if (l.k == V_COL)
			return fold_truth(no ? T_NEARLY : T_UNKNOWN);
		if (l.k == V_OTHER)
			return fold_other;
		return fold_negate(fold_truth(l.k == V_NULL ? T_TRUE : T_FALSE), no);
	}
	if (r.k == V_TRUTH && (fold_truth_of(l) == T_TRUE || fold_truth_of(l) == T_FALSE))
		return fold_negate(fold_truth(fold_truth_of(l) == r.t ? T_TRUE : T_FALSE), no);
	if (l.k == V_COL && r.k == V_COL)
		return fold_negate(fold_compare(l, "=", r), no);
	return fold_other;
}

static struct val fold_like(struct fold *f, struct val l)
{
	struct val r = fold_sum(f);

	if (fold_eat_kw(f, K_ESCAPE))
		fold_sum(f);
	if (r.k == V_STR && r.s.n > 0) {
		size_t n = 0;
		while (n < r.s.n && r.s.p[n] == '%')
			n++;
		if (n == r.s.n)
			return fold_truth(l.k == V_STR || l.k == V_NUM ? T_TRUE : T_NEARLY);
	}
	return l.k == V_STR && r.k == V_STR && sv_eq(l.s, r.s) ? fold_truth(T_TRUE) : fold_other;
}

static struct val fold_in(struct fold *f, struct val l)
{
	bool hit = false, all = true;
	struct val r;

	if (!fold_is_punct(f, "(") || fold_is_query(sql_kw(f->c, f->i + 1)) ||
		f->depth >= FOLD_MAX_DEPTH) {
		if (fold_is_punct(f, "("))
			f->column = true, fold_skip(f);
		else
			fold_sum(f);
		return fold_other;
	}
	f->i++;
	do {
		r = fold_compare(l, "=", fold_or(f));
		hit |= r.t == T_TRUE;
		all &= r.t == T_FALSE;
	} while (fold_eat(f, ","));
	if (!fold_eat(f, ")"))
		f->unclear = true;
	return hit ? fold_truth(T_TRUE) : all ? fold_truth(T_FALSE) : fold_other;
}

static struct val fold_predicate(struct fold *f, struct val l, bool no, bool *any)
{
	struct val lo, hi;

	*any = true;
	switch (fold_kw(f)) {
	case K_IN:
		f->i++;
		return fold_negate(fold_in(f, l), no);
	case K_LIKE: case K_ILIKE: case K_GLOB: case K_REGEXP: case K_RLIKE: case K_MATCH:
		f->i++;
		return fold_negate(fold_like(f, l), no);
	case K_SIMILAR:
		f->i++;
		fold_eat_kw(f, K_TO);
		return fold_negate(fold_like(f, l), no);
	case K_BETWEEN:
		f->i++;
		lo = fold_compare(l, ">=", fold_sum(f));
		fold_eat_kw(f, K_AND);
		hi = fold_compare(l, "<=", fold_sum(f));
		return fold_negate(fold_truth(fold_truth_of(lo) < fold_truth_of(hi) ? fold_truth_of(lo) :
			fold_truth_of(hi)), no);
	case K_NULL:
		if (no) { /* SQLite's x NOT NULL */
			f->i++;
			return l.k == V_COL ? fold_truth(T_NEARLY) : fold_other;
		}
		break;
	default:
		break;
	}
	*any = false;
	return l;
}

static struct val fold_cmp(struct fold *f)
{
	static const char *const ops[] = { "=", "==", "<>", "!=", "<=", ">=", "<=>",
		"<", ">" };
	struct val l = fold_sum(f);

	for (;;) {
		size_t j, from = f->i;
		bool any, no;

		for (j = 0; j < sizeof(ops) / sizeof(ops[0]) && !fold_is_punct(f, ops[j]); j++)
			;
		if (j < sizeof(ops) / sizeof(ops[0])) {
			f->i++;
			if (fold_kw(f) == K_ANY || fold_kw(f) == K_ALL || fold_kw(f) == K_SOME)
				f->i++, f->column = true, fold_skip(f), l = fold_other;
			else
				l = fold_compare(l, ops[j], fold_sum(f));
			continue;
		}
		if (fold_eat_kw(f, K_IS)) {
			l = fold_is(f, l);
			continue;
		}
		if (fold_kw(f) == K_NOTNULL || fold_kw(f) == K_ISNULL) {
			no = fold_kw(f) == K_NOTNULL;
			f->i++;
			l = l.k == V_COL && no ? fold_truth(T_NEARLY) : fold_other;
			continue;
		}
		no = fold_eat_kw(f, K_NOT);
		l = fold_predicate(f, l, no, &any);
		if (!any) {
			f->i = from;
			return l;
		}
	}
}

static struct val fold_not(struct fold *f)
{
	bool no = false, any = false;
	struct val v;

	while (fold_eat_kw(f, K_NOT)) {
		no = !no;
		any = true;
	}
	v = fold_cmp(f);
	return any ? fold_negate(v, no) : v;
}

static struct val fold_and(struct fold *f)
{
	struct val v = fold_not(f);

	while (fold_eat_kw(f, K_AND) || fold_eat(f, "&&")) {
		enum truth a = fold_truth_of(v), b = fold_truth_of(fold_not(f));
		v = fold_truth(a < b ? a : b);
	}
	return v;
}

struct val fold_or(struct fold *f)
{
	struct val v;

	f->depth++;
	v = fold_and(f);
	for (;;) {
		bool is_xor = fold_kw(f) == K_XOR;
		enum truth a, b;
		if (!fold_eat_kw(f, K_OR) && !fold_eat(f, "||") && !fold_eat_kw(f, K_XOR))
			break;
		a = fold_truth_of(v);
		b = fold_truth_of(fold_and(f));
		if (is_xor)
			v = (a == T_TRUE || a == T_FALSE) && (b == T_TRUE || b == T_FALSE) ?
				fold_truth(a == b ? T_FALSE : T_TRUE) : fold_truth(T_UNKNOWN);
		else
			v = fold_truth(a > b ? a : b);
	}
	f->depth--;
	return v;
}

static void worst(struct sql_statement *s, enum sql_where w)
{
	if (s->where == SQL_WHERE_NA || w < s->where)
		s->where = w;
}

static size_t where_end(const struct sql_cur *c, size_t i, size_t end, uint32_t depth)
{
	for (; i < end && c->k[i].depth >= depth; i++) {
		enum sql_word w = sql_kw(c, i);
		if (c->k[i].depth == depth && (w == K_RETURNING || w == K_ORDER ||
			w == K_LIMIT || w == K_GROUP || w == K_UNION || w == K_OPTION ||
			w == K_WINDOW || sql_is(c, i, ";")))
			break;
		if (c->k[i].depth == depth && (c->k[i].flags & F_END))
			break;
	}
	return i;
}

void sql_where(struct sql_cur *c, size_t i, size_t end)
{
	uint32_t depth = c->k[i].depth;
	struct fold f = { .c = c };
	enum truth t;
	size_t w;

	for (w = i + 1; w < end; w++) {
		if (sql_kw(c, w) == K_WHERE && c->k[w].depth == depth &&
			!(c->k[w].flags & F_EXEC))
			break;
	}
	if (w >= end) {
		worst(c->out, SQL_WHERE_NONE);
		sql_judge(c->out, SQL_DESTRUCTIVE, "no_where");
		return;
	}
	f.i = w + 1;
	f.end = where_end(c, w + 1, end, depth);
	t = fold_truth_of(fold_or(&f));
	worst(c->out, t == T_TRUE ? SQL_WHERE_ALWAYS_TRUE : SQL_WHERE_PRESENT);
	if (t == T_TRUE)
		sql_judge(c->out, SQL_DESTRUCTIVE, "always_true");
	else if (t == T_NEARLY)
		sql_judge(c->out, SQL_DESTRUCTIVE, "nearly_always_true");
	else if (!f.column && t != T_FALSE && !f.unclear && f.i >= f.end)
		sql_judge(c->out, SQL_DESTRUCTIVE, "no_column");
	if (f.unclear || f.i < f.end)
		sql_judge(c->out, SQL_OPAQUE, "where_unclear");
}
