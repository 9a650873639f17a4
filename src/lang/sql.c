/*
 * sql.c - splits SQL into statements (see sql.h).
 */
#include "lang/sql.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lang/sql_priv.h"

struct split {
	struct sql_lex x;
	struct arena *a;
	struct sql_statement *s;   /* the statements so far */
	size_t n, cap;
	struct sql_tok *k;         /* the words of the one being read */
	size_t nk, capk, open;     /* open: the innermost "(", or SIZE_MAX */
	size_t from, last;         /* its first byte, and the end of its last word */
	bool any, many, comment, exec, bad, unended;
	bool create, routine, body; /* CREATE ... BEGIN ...; ...; END */
	size_t begins;             /* blocks open in its body */
	enum trigger { TR_START, TR_NORMAL, TR_EXPLAIN, TR_CREATE, TR_BODY, TR_SEMI,
		TR_END } trigger;
	const char *opaque;
	size_t opaque_at;
};

static void add_token(struct split *p, const struct sql_tok *k)
{
	size_t i = p->nk;
	uint32_t before;

	if (p->nk == SQL_MAX_TOKENS) {
		p->many = true;
		return;
	}
	if (p->nk == p->capk) {
		p->capk = p->capk > 0 ? 2 * p->capk : 256;
		p->k = xreallocarray(p->k, p->capk, sizeof(*p->k));
	}
	p->k[i] = *k;
	p->k[i].match = UINT32_MAX;
	p->k[i].depth = i > 0 ? p->k[i - 1].depth : 0;
	if (i > 0 && p->k[i - 1].type == SQL_T_PUNCT && p->x.t.p[p->k[i - 1].from] == '(')
		p->k[i].depth++;
	p->nk++;
	if (k->type != SQL_T_PUNCT)
		return;
	if (p->x.t.p[k->from] == '(') {
		/* While it is open, match holds the one outside of it. */
		p->k[i].match = (uint32_t)p->open;
		p->open = i;
	} else if (p->x.t.p[k->from] == ')') {
		if (p->k[i].depth > 0)
			p->k[i].depth--;
		if (p->open < i) {
			before = p->k[p->open].match;
			p->k[p->open].match = (uint32_t)i;
			p->k[i].match = (uint32_t)p->open;
			p->open = before == UINT32_MAX ? SIZE_MAX : before;
		}
	}
}

/* What is still open has no partner. */
static void close_open(struct split *p)
{
	while (p->open < p->nk) {
		uint32_t before = p->k[p->open].match;
		p->k[p->open].match = UINT32_MAX;
		p->open = before == UINT32_MAX ? SIZE_MAX : before;
	}
}

static struct sql_statement *new_statement(struct split *p)
{
	if (p->n == p->cap) {
		p->cap = p->cap > 0 ? 2 * p->cap : 16;
		p->s = xreallocarray(p->s, p->cap, sizeof(*p->s));
	}
	p->s[p->n] = (struct sql_statement){ .from = p->from, .to = p->last,
		.parsed = true, .has_comment = p->comment,
		.has_executable_comment = p->exec };
	return &p->s[p->n++];
}

static void restart(struct split *p)
{
	p->any = p->many = p->comment = p->exec = p->bad = p->unended = false;
	p->create = p->routine = p->body = false;
	p->trigger = TR_START;
	p->begins = p->nk = 0;
	p->open = SIZE_MAX;
	p->x.fresh = true;
}

static void doubt(struct split *p, struct sql_statement *s)
{
	if (p->many)
		sql_judge(s, SQL_OPAQUE, "too_long");
	if (p->exec)
		sql_judge(s, SQL_OPAQUE, "executable_comment");
	if (p->unended)
		sql_judge(s, SQL_OPAQUE, "unterminated");
	if (p->bad)
		sql_judge(s, SQL_OPAQUE, "bad_character");
	if (p->many || p->unended)
		s->parsed = false;
	if (s->verdict != SQL_PLAIN)
		s->read_only = false;
}

static void keep_targets(struct split *p, struct sql_cur *c, struct sql_statement *s)
{
	size_t bytes = c->n_names * sizeof(struct sv);

	if (c->n_names == 0)
		return;
	s->targets = arena_alloc(p->a, bytes);
	if (s->targets == NULL)
		return;
	memcpy(s->targets, c->names, bytes);
	s->n_targets = c->n_names;
}

static void set_opaque(struct split *p, const char *why, size_t at)
{
	if (p->opaque == NULL) {
		p->opaque = why;
		p->opaque_at = at;
	}
}

/* The lines that psql sends after COPY ... FROM STDIN, to "\.". */
static void copy_data(struct split *p, struct sql_statement *s)
{
	size_t i = sql_line_end(p->x.t, p->x.at), e;
	bool any = false;

	if (i >= p->x.t.n)
		return;
	for (i++; i < p->x.t.n; i = e + 1) {
		struct sv line;
		e = sql_line_end(p->x.t, i);
		line = (struct sv){ p->x.t.p + i, e - i };
		any = any || line.n > 0;
		if (sv_eqs(line, "\\.") || sv_eqs(line, "\\.\r"))
			break;
	}
	if (!any)
		return;
	set_opaque(p, "copy_data", p->x.at);
	p->x.at = s->to = i < p->x.t.n ? e : p->x.t.n;
}

static void finish(struct split *p, bool terminated)
{
	struct sql_statement *s;
	struct sql_cur c = { .t = p->x.t, .d = p->x.d, .k = p->k, .n = p->nk, .a = p->a };

	if (!p->any)
		return;
	close_open(p);
	c.out = s = new_statement(p);
	s->terminated = terminated;
	if (p->nk == 0) {
		memcpy(s->kind, "COMMENT", 8);
		s->read_only = true;
	} else {
		sql_classify(&c);
		if (c.mode_change)
			set_opaque(p, "mode_change", s->to);
	}
	doubt(p, s);
	keep_targets(p, &c, s);
	if (c.copy_data && terminated && p->x.d != SQL_MYSQL && p->x.d != SQL_SQLITE)
		copy_data(p, s);
	restart(p);
}

/* SQLite's own rule, of sqlite3_complete(): a trigger ends at ";", END, ";". */
static enum trigger trigger_next(enum trigger s, enum sql_word w, bool end)
{
	switch (s) {
	case TR_START:
		return w == K_EXPLAIN ? TR_EXPLAIN : w == K_CREATE ? TR_CREATE : TR_NORMAL;
	case TR_EXPLAIN: /* EXPLAIN QUERY PLAN */
		return w == K_CREATE ? TR_CREATE : w == K_TEMP || w == K_TEMPORARY ||
			w == K_TRIGGER || w == K_END || w == K_EXPLAIN ? TR_NORMAL : TR_EXPLAIN;
	case TR_CREATE:
		return w == K_TRIGGER ? TR_BODY : w == K_TEMP || w == K_TEMPORARY ?
			TR_CREATE : TR_NORMAL;
	case TR_BODY: case TR_SEMI: case TR_END:
		return end ? TR_SEMI : s == TR_SEMI && w == K_END ? TR_END : TR_BODY;
	default:
		return TR_NORMAL;
	}
}

/* Whether ";" is inside the body of what CREATE makes, elsewhere: BEGIN and
 * CASE open, END closes, but END IF and the like. */
static void follow_body(struct split *p, const struct sql_tok *k)
{
	enum sql_word w = (enum sql_word)k->kw, last = p->nk > 1 ?
		(enum sql_word)p->k[p->nk - 2].kw : K_NONE;
	bool named = p->nk > 1 && p->x.t.p[p->k[p->nk - 2].from] == '.';

	p->trigger = trigger_next(p->trigger, w, (k->flags & F_END) != 0);
	if (p->nk == 1)
		p->create = w == K_CREATE;
	if (!p->create || p->many || named || p->x.d == SQL_SQLITE)
		return;
	if (p->nk < 24 && !p->body)
		p->routine |= w == K_FUNCTION || w == K_PROCEDURE || w == K_TRIGGER ||
			w == K_EVENT || w == K_PACKAGE;
	if (!p->routine)
		return;
	if (w == K_BEGIN) {
		p->body = true;
		p->begins++;
	} else if (p->body && w == K_CASE && last != K_END) {
		p->begins++;
	} else if (p->body && p->begins > 0 && w == K_END) {
		p->begins--;
	} else if (p->body && last == K_END && (w == K_IF || w == K_LOOP || w == K_WHILE ||
		w == K_REPEAT)) {
		p->begins++; /* END IF closes no block that was counted */
	}
}

static bool ends(struct split *p, const struct sql_tok *k)
{
	if (!(k->flags & F_END))
		return false;
	if (p->x.d == SQL_SQLITE)
		return p->trigger != TR_BODY && p->trigger != TR_SEMI;
	if (p->body && p->begins > 0 && p->x.ndelim == 0) {
		/* mysql ends here, its server does not. */
		if (p->x.d != SQL_POSTGRES)
			set_opaque(p, "body", k->from);
		return false;
	}
	return true;
}

static void meta(struct split *p, const struct sql_tok *k)
{
	struct sql_cur c = { .t = p->x.t, .d = p->x.d, .a = p->a };
	struct sv line = { p->x.t.p + k->from, k->to - k->from };

	finish(p, false);
	p->from = k->from;
	p->last = k->to;
	c.out = new_statement(p);
	c.out->terminated = true;
	sql_classify_meta(&c, line);
	restart(p);
}

static void word(struct split *p, const struct sql_tok *k)
{
	bool lone = !p->any && (k->flags & F_END) && k->type == SQL_T_PUNCT;

	if (lone && p->n > 0) { /* ";;" */
		p->s[p->n - 1].to = k->to;
		return;
	}
	if (!p->any)
		p->from = k->from;
	p->any = true;
	p->last = k->to;
	p->bad |= k->type == SQL_T_BAD;
	p->unended |= (k->flags & F_OPEN) != 0;
	p->exec |= (k->flags & F_EXEC) != 0;
	if (k->type == SQL_T_COMMENT) {
		p->comment = true;
		return;
	}
	if (lone)
		return; /* belongs to what follows it */
	p->x.fresh = false;
	if (k->flags & F_END) {
		if (ends(p, k)) {
			finish(p, true);
			return;
		}
	}
	add_token(p, k);
	follow_body(p, k);
}

static void rest(struct split *p, const char *why)
{
	restart(p);
	p->last = p->x.t.n;
	if (p->from >= p->last)
		return;
	new_statement(p);
	p->s[p->n - 1].kind[0] = '?';
	p->s[p->n - 1].parsed = false;
	sql_judge(&p->s[p->n - 1], SQL_OPAQUE, why);
	set_opaque(p, why, p->from);
}

static void split_all(struct split *p)
{
	struct sql_tok k;

	restart(p);
	if (p->x.t.n > SQL_MAX_BYTES) {
		rest(p, "too_long");
		return;
	}
	while (sql_lex_next(&p->x, &k)) {
		if (k.type == SQL_T_BLANK)
			continue;
		if (p->n >= SQL_MAX_STATEMENTS - 2 && !p->any) {
			p->from = k.from;
			rest(p, "too_many");
			return;
		}
		if (k.type == SQL_T_META)
			meta(p, &k);
		else
			word(p, &k);
	}
	p->unended |= p->x.exec || p->begins > 0;
	finish(p, false);
}

/* A label from words and quotes that only one dialect has. */
static enum sql_dialect tell(const struct split *p)
{
	static const struct { const char *word; enum sql_dialect d; } tells[] = {
		{ "PRAGMA", SQL_SQLITE }, { "AUTOINCREMENT", SQL_SQLITE },
		{ "sqlite_master", SQL_SQLITE }, { "sqlite_schema", SQL_SQLITE },
		{ "ILIKE", SQL_POSTGRES }, { "SERIAL", SQL_POSTGRES },
		{ "pg_catalog", SQL_POSTGRES }, { "JSONB", SQL_POSTGRES },
		{ "ENGINE", SQL_MYSQL }, { "AUTO_INCREMENT", SQL_MYSQL },
		{ "STRAIGHT_JOIN", SQL_MYSQL }, { "LOW_PRIORITY", SQL_MYSQL },
	};
	struct sql_lex x;
	struct sql_tok k;
	size_t n = 0;

	sql_lex_init(&x, p->x.t, SQL_UNKNOWN);
	while (n++ < 4096 && sql_lex_next(&x, &k)) {
		struct sv s = { p->x.t.p + k.from, k.to - k.from };
		if (k.type == SQL_T_PUNCT && sv_eqs(s, "::"))
			return SQL_POSTGRES;
		if (k.type == SQL_T_STRING && s.p[0] == '$')
			return SQL_POSTGRES;
		if (k.type == SQL_T_COMMENT && (k.flags & F_EXEC))
			return SQL_MYSQL;
		for (size_t i = 0; i < sizeof(tells) / sizeof(tells[0]); i++) {
			if (s.n == strlen(tells[i].word) &&
				strncasecmp(s.p, tells[i].word, s.n) == 0)
				return tells[i].d;
		}
	}
	return SQL_UNKNOWN;
}

static void publish(struct split *p, struct sql *out)
{
	if (p->x.why != NULL && (p->opaque == NULL || p->x.why_at < p->opaque_at)) {
		p->opaque = p->x.why;
		p->opaque_at = p->x.why_at;
	}
	for (size_t i = 0; i < p->n && p->opaque != NULL; i++) {
		if (p->s[i].to <= p->opaque_at)
			continue;
		sql_judge(&p->s[i], SQL_OPAQUE, p->opaque);
		p->s[i].read_only = false;
	}
	out->opaque = p->opaque;
	out->opaque_at = p->opaque_at;
	if (p->n > 0)
		out->statements = arena_alloc(p->a, p->n * sizeof(*p->s));
	if (p->n > 0 && (out->statements == NULL || arena_over(p->a))) {
		out->statements = NULL;
		out->opaque = "memory";
		out->opaque_at = 0;
	} else if (p->n > 0) {
		memcpy(out->statements, p->s, p->n * sizeof(*p->s));
		out->n_statements = p->n;
	}
}

void sql_parse(struct sv text, enum sql_dialect d, struct arena *a, struct sql *out)
{
	struct split p = { .a = a, .open = SIZE_MAX };

	memset(out, 0, sizeof(*out));
	sql_lex_init(&p.x, text, d);
	split_all(&p);
	out->dialect = d == SQL_UNKNOWN && text.n <= SQL_MAX_BYTES ? tell(&p) : d;
	publish(&p, out);
	free(p.k);
	free(p.s);
}

void sql_tokens(struct sv text, enum sql_dialect d,
	void (*fn)(void *arg, enum sql_token t, size_t from, size_t to), void *arg)
{
	struct sql_lex x;
	struct sql_tok k;

	if (text.n > SQL_MAX_BYTES) {
		fn(arg, SQL_T_BAD, 0, text.n);
		return;
	}
	sql_lex_init(&x, text, d);
	while (sql_lex_next(&x, &k)) {
		fn(arg, (enum sql_token)k.type, k.from, k.to);
		if (k.type != SQL_T_BLANK && k.type != SQL_T_COMMENT)
			x.fresh = (k.flags & F_END) != 0;
	}
}
