/*
 * sql_priv.h - shared by sql*.c only: tokens, words, and the statement that is
 * being looked at.
 */
#ifndef OBSTAT_LANG_SQL_PRIV_H
#define OBSTAT_LANG_SQL_PRIV_H

#include "lang/sql.h"

/* The words the classifier knows: K_NONE, then sql_words.def in order. */
enum sql_word {
	K_NONE,
#define SQL_WORD(name, flags) K_##name,
#include "lang/sql_words.def"
#undef SQL_WORD
	K_N
};
enum { W_OBJ = 1,   /* a kind of object: CREATE x, DROP x, ALTER x */
	W_SYN = 2,  /* before "(" it is syntax, not a function's name */
	W_SKIP = 4, /* stands between a verb and its target */
	W_STOP = 8  /* ends a WHERE or a list of targets */ };
extern const uint8_t sql_word_flags[K_N];
extern const char *const sql_word_names[K_N];
enum sql_word sql_word_find(const char *p, size_t n);

enum { F_EXEC = 1,    /* inside an executable comment: may or may not run */
	F_END = 2,    /* ends a statement */
	F_QUOTED = 4, /* a quoted name */
	F_UNI = 8,    /* U&"..." or U&'...' */
	F_OPEN = 16   /* not terminated */ };
struct sql_tok {
	uint32_t from, to;
	uint32_t depth;    /* parentheses around it */
	uint32_t match;    /* of a parenthesis: its partner's index, or UINT32_MAX */
	uint16_t kw;       /* enum sql_word, of KEYWORD */
	uint8_t type;      /* enum sql_token */
	uint8_t flags;
};

struct sql_lex {
	struct sv t;
	enum sql_dialect d;
	size_t at;
	bool exec;             /* inside an executable comment */
	bool fresh;            /* no word of a statement yet: the reader sets it */
	char delim[16];        /* mysql's DELIMITER; n 0: ";" */
	size_t ndelim;
	const char *why;       /* the first disagreement between dialects */
	size_t why_at;
};
void sql_lex_init(struct sql_lex *x, struct sv t, enum sql_dialect d);
bool sql_lex_next(struct sql_lex *x, struct sql_tok *k);
void sql_disagree(struct sql_lex *x, const char *why, size_t at);
static inline bool sql_is_blank(unsigned char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline bool sql_is_digit(unsigned char c)
{
	return c >= '0' && c <= '9';
}

static inline bool sql_is_start(unsigned char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
		c >= 0x80;
}

static inline unsigned char sql_at(const struct sql_lex *x, size_t i)
{
	return i < x->t.n ? (unsigned char)x->t.p[i] : 0;
}

/* Where a quoted run or comment that begins at i ends. */
size_t sql_line_end(struct sv t, size_t i);
size_t sql_dash_end(struct sql_lex *x, size_t i);
size_t sql_comment_end(struct sql_lex *x, size_t i, bool *open);
size_t sql_lex_quote(struct sql_lex *x, size_t i, bool escapes, struct sql_tok *k);
size_t sql_lex_dollar(struct sql_lex *x, size_t i, struct sql_tok *k);
size_t sql_lex_bracket(struct sql_lex *x, size_t i, struct sql_tok *k);

/* One statement's words, blanks and comments left out. */
struct sql_cur {
	struct sv t;
	enum sql_dialect d;
	const struct sql_tok *k;
	size_t n;
	struct arena *a;
	struct sql_statement *out;
	bool mode_change;      /* it changes how strings are read from here on */
	bool named;            /* sql_targets() found a name */
	bool copy_data;        /* psql reads lines of data after it */
	struct sv names[SQL_MAX_TARGETS];
	size_t n_names;
};
static inline enum sql_word sql_kw(const struct sql_cur *c, size_t i)
{
	return i < c->n ? (enum sql_word)c->k[i].kw : K_NONE;
}
bool sql_is(const struct sql_cur *c, size_t i, const char *punct);
struct sv sql_text(const struct sql_cur *c, size_t i);
bool sql_text_is(const struct sql_cur *c, size_t i, const char *word); /* any case */
/* A name without its quotes; SV_NONE when the arena is over. */
struct sv sql_name(struct sql_cur *c, size_t i);
/* Reads a list of names at i into c->names; the index after it. */
size_t sql_targets(struct sql_cur *c, size_t i);
/* The tables that words from i to end read: after FROM and JOIN. */
void sql_targets_from(struct sql_cur *c, size_t i, size_t end);
/* The index of the ")" of the "(" at i, or n. */
size_t sql_close(const struct sql_cur *c, size_t i);
/* Worse wins; of equals the first. */
void sql_judge(struct sql_statement *s, enum sql_verdict v, const char *why);

void sql_kind_add(struct sql_statement *s, const char *word);

/* Verbs at i; *ro: set when it only reads. */
void sql_copy(struct sql_cur *c, size_t i, bool *ro);
void sql_object(struct sql_cur *c, size_t i);   /* CREATE, ALTER, DROP x */
void sql_set(struct sql_cur *c, size_t i);
void sql_pragma(struct sql_cur *c, size_t i, bool *ro);
void sql_begin(struct sql_cur *c, size_t i);

void sql_classify(struct sql_cur *c);
void sql_classify_meta(struct sql_cur *c, struct sv line);
/* strict: what is not known to only compute is opaque. */
void sql_functions(struct sql_cur *c, bool strict);
/* The WHERE of the verb at i, looked for up to end. */
void sql_where(struct sql_cur *c, size_t i, size_t end);

enum sql_fn_class { FN_UNKNOWN, FN_PURE, FN_WRITES, FN_FILE, FN_SHELL, FN_DYNAMIC,
	FN_KILL, FN_SETTING, FN_EXTENSION, FN_LOCK };
enum sql_fn_class sql_fn_find(struct sv name);

struct sql_rule {
	uint16_t w[3];
	enum sql_verdict verdict;
	const char *why;
	unsigned flags;
};
enum { R_RO = 1,      /* reads */
	R_NEXT = 2,   /* targets follow */
	R_ON = 4,     /* targets follow ON */
	R_OBJ = 8     /* the kind goes on with a kind of object, then targets */ };
extern const struct sql_rule sql_rules[];
extern const size_t sql_n_rules;

#endif
