/*
 * sql_fold.h - constant folding for sql_where.c; its values and its reader of
 * operands are sql_fold.c.
 */
#ifndef OBSTAT_LANG_SQL_FOLD_H
#define OBSTAT_LANG_SQL_FOLD_H

#include <string.h>

#include "lang/sql_priv.h"

#define FOLD_MAX_DEPTH 128u

/* OR takes the greater, AND the lesser. NEARLY: for all rows but those with a
 * NULL or the like. */
enum truth { T_FALSE, T_UNKNOWN, T_NEARLY, T_TRUE };
enum val_kind { V_OTHER, V_NULL, V_NUM, V_STR, V_COL, V_TRUTH };
struct val {
	enum val_kind k;
	double num;
	struct sv s;           /* a string's bytes; a column's name */
	struct sv table;       /* what stands before a column's name, or none */
	enum truth t;
};
struct fold {
	const struct sql_cur *c;
	size_t i, end;
	unsigned depth;
	bool unclear, column;
};


#define fold_other ((struct val){ .k = V_OTHER, .t = T_UNKNOWN })
static inline struct val fold_truth(enum truth t)
{
	return (struct val){ .k = V_TRUTH, .t = t };
}

static inline struct val fold_num(double d)
{
	return (struct val){ .k = V_NUM, .num = d };
}

static inline enum sql_word fold_kw(const struct fold *f)
{
	return f->i < f->end ? sql_kw(f->c, f->i) : K_NONE;
}

static inline bool fold_is_punct(const struct fold *f, const char *punct)
{
	return f->i < f->end && sql_is(f->c, f->i, punct);
}

/* One punctuation mark, of any in set. */
static inline bool fold_is_any(const struct fold *f, const char *set)
{
	struct sv s = f->i < f->end ? sql_text(f->c, f->i) : SV_NONE;
	return s.n == 1 && s.p[0] != 0 && strchr(set, s.p[0]) != NULL;
}

static inline bool fold_eat(struct fold *f, const char *punct)
{
	bool yes = fold_is_punct(f, punct);
	f->i += yes;
	return yes;
}

static inline bool fold_eat_kw(struct fold *f, enum sql_word w)
{
	bool yes = fold_kw(f) == w;
	f->i += yes;
	return yes;
}

enum truth fold_truth_of(struct val v);
struct val fold_compare(struct val l, const char *op, struct val r);
struct val fold_negate(struct val v, bool no);
bool fold_is_query(enum sql_word w);
struct val fold_skip(struct fold *f);      /* what stands in parentheses */
struct val fold_sum(struct fold *f);       /* an operand, with arithmetic */
struct val fold_or(struct fold *f);        /* a condition (sql_where.c) */

#endif
