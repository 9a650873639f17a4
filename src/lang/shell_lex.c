/*
 * shell_lex.c - one word: quotes, escapes, and which parts of it only a
 * running shell could know.
 */
#include "lang/shell_priv.h"

#include <string.h>

/* The word that is being read. */
struct lex {
	enum sp_lex mode;
	unsigned parts;
	size_t from, mark;     /* in s; in bytes */
	bool quoted, odd, exact;
	bool continued;        /* a line was continued inside it */
	bool brace_open, brace;
	bool name;             /* so far NAME, as an assignment begins */
	size_t eq;
	int last;              /* the last plain byte, or 0 */
	bool last_quoted, edge;/* edge: a quote stands between last and here */
};

int sp_peek(const struct sp *p, size_t k)
{
	return p->s.i < p->s.n && k < p->s.n - p->s.i ?
		(unsigned char)p->s.p[p->s.i + k] : -1;
}

bool sp_is_delim(int c)
{
	return c == -1 || c == ' ' || c == '\t' || c == '\n' || c == ';' ||
		c == '&' || c == '|' || c == '(' || c == ')' || c == '<' || c == '>';
}

bool sp_name_char(int c, bool first)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
		(!first && c >= '0' && c <= '9');
}

/* What needs no quotes and stands in ordinary names. */
static bool plain_char(int c)
{
	return sp_name_char(c, false) || c == '-' || c == '/' || c == '.';
}

void sp_blanks(struct sp *p)
{
	while (!sp_done(p)) {
		int c = sp_peek(p, 0);

		if (c == '\\' && sp_peek(p, 1) == '\n')
			p->s.i += 2;
		else if (c == ' ' || c == '\t')
			p->s.i++;
		else
			break;
	}
}

/* A byte of the word's value. Two name characters with a quote between them
 * are one name made to look like two. */
static void put(struct sp *p, struct lex *lx, int c, bool quoted)
{
	if (lx->edge && sp_name_char(c, false) && lx->last != 0 &&
	    (sp_name_char(lx->last, false) || lx->last == '-'))
		lx->odd = true;
	lx->edge = false;
	lx->last = c;
	lx->last_quoted = quoted;
	buf_addc(&p->bytes, (char)c);
	if (quoted || !sp_name_char(c, p->bytes.n == lx->mark + 1))
		lx->name = false;
}

static void opaque_part(struct lex *lx)
{
	lx->last = 0;
	lx->edge = lx->name = false;
}

static void single_quotes(struct sp *p, struct lex *lx)
{
	size_t open = p->s.i++;

	while (!sp_done(p) && sp_peek(p, 0) != '\'')
		put(p, lx, (unsigned char)p->s.p[p->s.i++], true);
	if (sp_done(p))
		sp_stop(p, "unterminated_quote", open);
	p->s.i++;
}

/* In double quotes a backslash escapes only these (POSIX 2.2.3). */
static bool dquote_escape(struct sp *p, struct lex *lx)
{
	int c = sp_peek(p, 1);

	if (c == '\n') {
		lx->continued = true;
	} else if (c == '$' || c == '`' || c == '"' || c == '\\') {
		put(p, lx, c, true);
	} else {
		put(p, lx, '\\', true);
		p->s.i++;
		return true;
	}
	p->s.i += 2;
	return true;
}

static void double_quotes(struct sp *p, struct lex *lx)
{
	size_t open = p->s.i++;

	while (!sp_done(p)) {
		int c = sp_peek(p, 0);

		if (c == '"') {
			p->s.i++;
			return;
		}
		if (c == '\\') {
			dquote_escape(p, lx);
		} else if (c == '$' || c == '`') {
			unsigned before = lx->parts;

			if (c == '$')
				sp_dollar(p, true, &lx->parts, &lx->odd);
			else
				sp_backquote(p, true, &lx->parts);
			lx->exact = false;
			if (lx->parts != before || c == '`')
				opaque_part(lx);
		} else {
			put(p, lx, c, true);
			p->s.i++;
		}
	}
	sp_stop(p, "unterminated_quote", open);
}

static void quotes(struct sp *p, struct lex *lx, int c)
{
	size_t before = p->bytes.n;
	bool empty;

	lx->quoted = true;
	lx->exact = lx->name = false;
	lx->edge = true;
	if (c == '\'')
		single_quotes(p, lx);
	else
		double_quotes(p, lx);
	/* r''m: nothing at all, inside a name */
	empty = p->bytes.n == before;
	lx->edge = true;
	if (empty && lx->last != 0 && plain_char(lx->last) &&
	    !sp_is_delim(sp_peek(p, 0)))
		lx->odd = true;
}

static void backslash(struct sp *p, struct lex *lx)
{
	int c = sp_peek(p, 1);

	lx->exact = false;
	if (c == '\n') {
		p->s.i += 2;
		lx->continued = true;
		if (!sp_is_delim(sp_peek(p, 0)))
			lx->odd = true;
		return;
	}
	lx->quoted = true;
	if (c == -1) {
		sp_stop(p, "syntax", p->s.i);
		return;
	}
	put(p, lx, c, true);
	if (plain_char(c))
		lx->odd = true;
	p->s.i += 2;
}

/* Characters that are themselves, but make a word a pattern or the like. */
static void bare(struct sp *p, struct lex *lx, int c)
{
	bool first = p->s.i == lx->from;

	if (c == '*' || c == '?' || c == '[')
		lx->parts |= SHELL_GLOB;
	if (p->cond)
		first = false;         /* [[ a == b ]] */
	if (c == '~' && (first || lx->last == '=' || lx->last == ':'))
		lx->parts |= SHELL_TILDE;
	/* zsh: =ls is the path of ls */
	if (c == '=' && first && !sp_is_delim(sp_peek(p, 1)) && sp_peek(p, 1) != '=' &&
	    sp_peek(p, 1) != '~')
		lx->parts |= SHELL_TILDE;
	if (c == '{')
		lx->brace_open = true;
	if (lx->brace_open && (c == ',' || (c == '.' && lx->last == '.')))
		lx->brace = true;
	if (c == '}' && lx->brace)
		lx->parts |= SHELL_BRACE;
	if (c == '=' && lx->eq == 0 && lx->name && p->bytes.n > lx->mark)
		lx->eq = p->s.i + 1;
	if (c == '+' && lx->name && sp_peek(p, 1) == '=' && lx->eq == 0 &&
	    p->bytes.n > lx->mark)
		lx->eq = p->s.i + 2;
	put(p, lx, c, false);
	p->s.i++;
}

/* a[...]=: an element of an array; s.i at the '['. */
static bool subscript_assign(const struct sp *p)
{
	size_t i = p->s.i, limit = i + 256;

	while (i < p->s.n && i < limit && !sp_is_delim((unsigned char)p->s.p[i]) &&
	       p->s.p[i] != ']')
		i++;
	return i + 1 < p->s.n && p->s.p[i] == ']' && (p->s.p[i + 1] == '=' ||
		(p->s.p[i + 1] == '+' && i + 2 < p->s.n && p->s.p[i + 2] == '='));
}

/* a=(...): the words of an array, up to and with the ')'. */
static void array_words(struct sp *p, struct lex *lx)
{
	size_t open = p->s.i++;
	struct shell_word w;

	lx->parts |= SHELL_BRACE;
	lx->exact = false;
	sp_enter(p);
	while (!p->stop && !p->stop_all) {
		sp_blanks(p);
		if (sp_done(p)) {
			sp_stop(p, "syntax", open);
			break;
		}
		int c = sp_peek(p, 0);

		if (c == ')') {
			p->s.i++;
			break;
		}
		if (c == '\n' && !sp_docs_open(p) && !p->docs_outer) {
			p->s.i++;
			continue;
		}
		if (c == '#') {
			while (!sp_done(p) && sp_peek(p, 0) != '\n')
				p->s.i++;
			continue;
		}
		if (!sp_word(p, SP_WORD, &w, NULL))
			break;
		lx->parts |= w.parts;
		lx->odd = lx->odd || w.odd_quotes;
	}
	sp_leave(p);
}

/* '(' inside a word: an array, or something only one shell reads. False: the
 * word ends here. */
static bool paren(struct sp *p, struct lex *lx)
{
	if (lx->eq == p->s.i && lx->eq > 0 && !p->cond) {
		array_words(p, lx);
		return false;
	}
	if (p->bytes.n > lx->mark && !lx->last_quoted && lx->last != 0 &&
	    strchr("?*+@!=", lx->last) != NULL)
		sp_stop(p, "zsh_syntax", p->s.i);   /* extglob, qualifiers, =() */
	return false;
}

static bool word_goes_on(struct sp *p, struct lex *lx, int c)
{
	if (p->cond)
		return c != ' ' && c != '\t' && c != '\n' && c != ';';
	if ((c == '<' || c == '>') && sp_peek(p, 1) == '(')
		return true;
	if (c == '(')
		return paren(p, lx);
	return !sp_is_delim(c);
}

static void word_char(struct sp *p, struct lex *lx, int c)
{
	unsigned before = lx->parts;

	switch (c) {
	case '\'':
	case '"':
		quotes(p, lx, c);
		break;
	case '\\':
		backslash(p, lx);
		break;
	case '$':
		lx->exact = false;
		if (sp_peek(p, 1) == '\'' || sp_peek(p, 1) == '"')
			lx->quoted = true;
		sp_dollar(p, false, &lx->parts, &lx->odd);
		lx->name = false;
		if (lx->parts != before)
			opaque_part(lx);
		break;
	case '`':
		lx->exact = false;
		sp_backquote(p, false, &lx->parts);
		opaque_part(lx);
		break;
	case '<':
	case '>':
		if (!p->cond) {
			lx->exact = false;
			sp_process(p, &lx->parts);
			opaque_part(lx);
			break;
		}
		/* fall through */
	default:
		if (c == '[' && lx->name && p->bytes.n > lx->mark &&
		    subscript_assign(p)) {
			lx->parts |= SHELL_GLOB;
			lx->name = false;
			while (sp_peek(p, 0) != ']' && !sp_done(p))
				word_char(p, lx, sp_peek(p, 0));
			lx->eq = p->s.i + (sp_peek(p, 1) == '+' ? 3 : 2);
		}
		if (!sp_done(p))
			bare(p, lx, sp_peek(p, 0));
	}
}

/* "[" and "]" are commands and their last word, no patterns. */
static void word_finish(struct sp *p, struct lex *lx, struct shell_word *w)
{
	struct sv raw = { p->s.p + lx->from, p->s.i - lx->from };
	struct sv value = { p->bytes.p + lx->mark, p->bytes.n - lx->mark };

	if (sv_eqs(raw, "[") || sv_eqs(raw, "[["))
		lx->parts &= ~(unsigned)SHELL_GLOB;
	if (lx->mode == SP_DELIM)   /* of a heredoc: nothing expands */
		lx->parts &= ~(unsigned)(SHELL_GLOB | SHELL_BRACE | SHELL_TILDE);
	*w = (struct shell_word){ .text = raw, .parts = lx->parts,
		.quoted = lx->quoted, .odd_quotes = lx->odd,
		.from = sp_pos(p, lx->from),
		.to = p->s.fixed ? p->s.end : p->s.base + p->s.i };
	if (sp_literal(w) && !lx->exact) {
		w->text = arena_sv(p->a, value);
		if (value.n == 0)
			w->text = SV("");
	}
	if (lx->continued && (sp_peek(p, 0) == '<' || sp_peek(p, 0) == '>'))
		sp_stop(p, "syntax", p->s.i);   /* it could be a descriptor */
}

bool sp_word(struct sp *p, enum sp_lex mode, struct shell_word *w, size_t *eq)
{
	struct lex lx = { .mode = mode, .from = p->s.i, .mark = p->bytes.n,
		.exact = true, .name = true };

	while (!sp_done(p)) {
		int c = sp_peek(p, 0);

		if (!word_goes_on(p, &lx, c))
			break;
		word_char(p, &lx, c);
	}
	if (p->bytes.over || arena_over(p->a)) {
		sp_stop(p, "too_many", lx.from);
		p->stop_all = true;
	}
	if (!p->stop && !p->stop_all && p->s.i == lx.from)
		sp_stop(p, "syntax", lx.from);
	*w = (struct shell_word){ .text = SV("") };
	if (!p->stop && !p->stop_all) {
		if (p->bytes.n > lx.mark || lx.quoted || lx.parts != 0 || lx.continued)
			word_finish(p, &lx, w);
		if (eq != NULL)
			*eq = lx.eq > lx.from ? lx.eq : 0;
	}
	p->bytes.n = lx.mark;
	return !p->stop && !p->stop_all;
}
