/*
 * shell_expand.c - what stands for something else: $name, ${..}, $(..), `..`,
 * $((..)), $'..', <(..), and the bodies of heredocs.
 *
 * A running shell's values are never guessed; the commands inside are read.
 */
#include "lang/shell_priv.h"

#include <string.h>

#include "base/text.h"

/* The commands of a substitution, which stands in the text as it is: s.i is at
 * its first byte, and behind its ')' afterwards (end: at s.n). */
static void sub_list(struct sp *p, const char *via, int close)
{
	struct sp_where at = p->at;
	size_t docs_from = p->docs_from, row = p->row, open = p->s.i;
	bool cond = p->cond, outer = p->docs_outer;

	if (p->at.depth + 1 > SHELL_MAX_DEPTH) {
		sp_stop(p, "too_deep", open);
		return;
	}
	sp_enter(p);
	p->docs_outer = outer || p->n_docs > docs_from;
	p->docs_from = p->n_docs;
	p->cond = false;
	p->at.depth++;
	if (row != SP_NO_ROW)
		p->at.parent = row;
	p->at.via = via;
	p->row = SP_NO_ROW;
	sp_list(p, close);
	if (!p->stop && sp_docs_open(p))
		sp_stop(p, "unterminated_heredoc", open);
	if (!p->stop && !p->stop_all && close != -1) {
		if (sp_done(p))
			sp_stop(p, "syntax", open);
		p->s.i++;
	}
	p->n_docs = p->docs_from;
	p->docs_from = docs_from;
	p->docs_outer = outer;
	p->cond = cond;
	p->row = row;
	p->at = at;
	sp_leave(p);
}

void sp_process(struct sp *p, unsigned *parts)
{
	bool piped = p->at.piped;

	*parts |= SHELL_PROCESS;
	if (sp_peek(p, 0) == '>')
		p->at.piped = true;
	p->s.i += 2;
	sub_list(p, "process substitution", ')');
	p->at.piped = piped;
}

/* Takes off the backslashes that backquotes need: [i, close) of s. */
static struct sv unescape_backquote(struct sp *p, size_t i, size_t close,
	bool dquoted)
{
	size_t mark = p->bytes.n;
	struct sv out;

	for (; i < close; i++) {
		char c = p->s.p[i], next = i + 1 < close ? p->s.p[i + 1] : '\0';

		if (c == '\\' && (next == '`' || next == '$' || next == '\\' ||
		    (dquoted && next == '"')))
			c = p->s.p[++i];
		buf_addc(&p->bytes, c);
	}
	out = arena_sv(p->a, (struct sv){ p->bytes.p + mark, p->bytes.n - mark });
	p->bytes.n = mark;
	return out;
}

void sp_backquote(struct sp *p, bool dquoted, unsigned *parts)
{
	struct sp_src keep = p->s;
	size_t open = p->s.i, close = open + 1;
	bool escaped = false, lines = false;

	*parts |= SHELL_SUBSTITUTION;
	while (close < p->s.n && p->s.p[close] != '`') {
		lines = lines || p->s.p[close] == '\n';
		if (p->s.p[close] == '\\') {
			escaped = true;
			close++;
		}
		close++;
	}
	if (close >= p->s.n) {
		sp_stop(p, "unterminated_quote", open);
		return;
	}
	if (lines && (sp_docs_open(p) || p->docs_outer)) {
		sp_stop(p, "syntax", open);
		return;
	}
	if (escaped) {
		struct sv in = unescape_backquote(p, open + 1, close, dquoted);

		p->s = (struct sp_src){ .p = in.p, .n = in.n, .fixed = true,
			.base = keep.fixed ? keep.base : keep.base + open,
			.end = keep.fixed ? keep.end : keep.base + close + 1 };
	} else {
		p->s.i = open + 1;
		p->s.n = close;
	}
	sub_list(p, "substitution", -1);
	if (!p->stop && !p->stop_all && p->s.i < p->s.n)
		sp_stop(p, "syntax", p->s.i);
	p->s = keep;
	p->s.i = close + 1;
}

void sp_arithmetic(struct sp *p)
{
	size_t open = p->s.i, depth = 0;
	unsigned parts = 0;
	bool odd = false;

	while (!sp_done(p)) {
		int c = sp_peek(p, 0);

		if (c == ')' && depth == 0) {
			if (sp_peek(p, 1) != ')')
				break;  /* $((a);(b)): commands after all */
			p->s.i += 2;
			return;
		}
		if (c == '\'' || c == '"' || (c == '\n' &&
		    (sp_docs_open(p) || p->docs_outer)))
			break;
		if (c == '$') {
			size_t mark = p->bytes.n;

			sp_dollar(p, true, &parts, &odd);
			p->bytes.n = mark;
			continue;
		}
		if (c == '`') {
			sp_backquote(p, true, &parts);
			continue;
		}
		if (c == '(')
			depth++;
		else if (c == ')')
			depth--;
		p->s.i += c == '\\' ? 2 : 1;
	}
	sp_stop(p, "syntax", open);
}

static void single_skip(struct sp *p)
{
	size_t open = p->s.i++;

	while (!sp_done(p) && sp_peek(p, 0) != '\'')
		p->s.i++;
	if (sp_done(p))
		sp_stop(p, "unterminated_quote", open);
	p->s.i++;
}

/* ${..}: s.i behind the '{'. Shells disagree about quotes inside of quotes; so
 * those are no syntax here. */
static void braced(struct sp *p, bool dquoted, unsigned *parts)
{
	size_t open = p->s.i, mark = p->bytes.n;
	bool inner = false, odd = false;
	int c = sp_peek(p, 0);

	if (c == ' ' || c == '\t' || c == '\n' || c == '|' || c == '\\') {
		sp_stop(p, "syntax", open);  /* ${ command; } of bash 5.3 */
		return;
	}
	while (!sp_done(p)) {
		c = sp_peek(p, 0);
		if (c == '}' && !inner) {
			p->s.i++;
			return;
		}
		if (c == '}' || (c == '\'' && (dquoted || inner)) ||
		    (c == '\n' && (sp_docs_open(p) || p->docs_outer)))
			break;
		if (c == '\'') {
			single_skip(p);
		} else if (c == '$') {
			sp_dollar(p, dquoted || inner, parts, &odd);
		} else if (c == '`') {
			sp_backquote(p, dquoted || inner, parts);
		} else if ((c == '<' || c == '>') && sp_peek(p, 1) == '(' &&
			   !dquoted && !inner) {
			sp_process(p, parts);
		} else {
			inner = inner != (c == '"');
			p->s.i += c == '\\' ? 2 : 1;
		}
		p->bytes.n = mark;
	}
	sp_stop(p, "syntax", open);
}

static uint32_t number(struct sp *p, unsigned base, unsigned most, unsigned *n)
{
	uint32_t v = 0;

	for (*n = 0; *n < most; (*n)++) {
		int c = sp_peek(p, 0);
		unsigned d = c >= '0' && c <= '9' ? (unsigned)c - '0' :
			c >= 'a' && c <= 'f' ? (unsigned)c - 'a' + 10 :
			c >= 'A' && c <= 'F' ? (unsigned)c - 'A' + 10 : 99;

		if (d >= base)
			break;
		v = v * base + d;
		p->s.i++;
	}
	return v;
}

/* A coded byte or character; false when its value is not certain. */
static bool ansi_number(struct sp *p, int c, bool *odd)
{
	unsigned n, most = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 3;
	uint32_t v;
	char out[4];
	size_t len;

	if (c == 'x' || c == 'u' || c == 'U')
		p->s.i++;
	v = number(p, c == 'x' || c == 'u' || c == 'U' ? 16 : 8, most, &n);
	if (n == 0 || v == 0 || (c != 'u' && c != 'U' && v > 0xFF) || v > 0x10FFFF)
		return false;
	*odd = *odd || (v > 0x20 && v < 0x7F);
	if (v < 0x80 || (c != 'u' && c != 'U')) {
		buf_addc(&p->bytes, (char)(unsigned char)v);
		return true;
	}
	len = utf8_encode(v, out);
	buf_add(&p->bytes, out, len);
	return len > 0;
}

/* One escape of $'..' (bash(1), QUOTING): s.i behind the backslash. */
static bool ansi_escape(struct sp *p, bool *odd)
{
	static const char from[] = "abeEfnrtv\\'\"?", to[] = "\a\b\033\033\f\n\r\t\v\\'\"?";
	int c = sp_peek(p, 0);
	const char *at = c > 0 ? strchr(from, c) : NULL;

	if (at != NULL) {
		buf_addc(&p->bytes, to[at - from]);
		p->s.i++;
		return true;
	}
	if (c == 'x' || c == 'u' || c == 'U' || (c >= '0' && c <= '7'))
		return ansi_number(p, c, odd);
	/* \c and what bash keeps as it is: zsh does not agree */
	p->s.i += c == -1 ? 0 : 1;
	return false;
}

static void ansi_c(struct sp *p, unsigned *parts, bool *odd)
{
	size_t open = p->s.i;

	*parts |= SHELL_ANSI_C;
	p->s.i += 2;
	while (!sp_done(p)) {
		int c = sp_peek(p, 0);

		p->s.i++;
		if (c == '\'')
			return;
		/* to dash the quote ends there */
		if (c == '\\' && sp_peek(p, 0) == '\'')
			sp_row_opaque(p, p->row, "unknown_shell");
		if (c != '\\')
			buf_addc(&p->bytes, (char)c);
		else if (!ansi_escape(p, odd))
			*parts |= SHELL_VARIABLE;
	}
	sp_stop(p, "unterminated_quote", open);
}

static void dollar_paren(struct sp *p, unsigned *parts)
{
	if (sp_peek(p, 2) == '(') {
		p->s.i += 3;
		*parts |= SHELL_ARITHMETIC;
		if (sp_enter(p))
			sp_arithmetic(p);
		sp_leave(p);
		return;
	}
	p->s.i += 2;
	*parts |= SHELL_SUBSTITUTION;
	sub_list(p, "substitution", ')');
}

/* $name, $1, $@ and the like; a '$' that is only itself. */
static void dollar_name(struct sp *p, unsigned *parts)
{
	int c = sp_peek(p, 1);

	if (sp_name_char(c, true)) {
		*parts |= SHELL_VARIABLE;
		for (p->s.i++; sp_name_char(sp_peek(p, 0), false); p->s.i++)
			;
	} else if (c > 0 && strchr("0123456789@*#?-$!", c) != NULL) {
		*parts |= SHELL_VARIABLE;
		p->s.i += 2;
	} else {
		if (c > 0 && strchr("+=~^", c) != NULL)
			*parts |= SHELL_VARIABLE;    /* zsh */
		buf_addc(&p->bytes, '$');
		p->s.i++;
	}
}

void sp_dollar(struct sp *p, bool dquoted, unsigned *parts, bool *odd)
{
	switch (sp_peek(p, 1)) {
	case '\\':
		/* the next line goes on with the name, or with the "(" */
		if (sp_peek(p, 2) == '\n')
			sp_stop(p, "syntax", p->s.i);
		dollar_name(p, parts);
		break;
	case '(':
		dollar_paren(p, parts);
		break;
	case '{':
		p->s.i += 2;
		*parts |= SHELL_VARIABLE;
		if (sp_enter(p))
			braced(p, dquoted, parts);
		sp_leave(p);
		break;
	case '[':
		sp_stop(p, "syntax", p->s.i);  /* bash's old $[..]; not dash's */
		break;
	case '\'':
		if (dquoted)
			dollar_name(p, parts);
		else
			ansi_c(p, parts, odd);
		break;
	case '"':
		if (!dquoted) {
			*parts |= SHELL_VARIABLE;
			p->s.i++;      /* a translated string: as if in quotes */
			break;
		}
		/* fall through */
	default:
		dollar_name(p, parts);
	}
}

static void body_char(struct sp *p, unsigned *parts)
{
	int c = sp_peek(p, 0), next = sp_peek(p, 1);
	bool odd = false;

	if (c == '$') {
		sp_dollar(p, true, parts, &odd);
	} else if (c == '`') {
		sp_backquote(p, true, parts);
	} else if (c == '\\' && (next == '$' || next == '`' || next == '\\' ||
		   next == '\n')) {
		if (next != '\n')
			buf_addc(&p->bytes, (char)next);
		p->s.i += 2;
	} else {
		buf_addc(&p->bytes, (char)c);
		p->s.i++;
	}
}

void sp_heredoc_body(struct sp *p, size_t row, struct shell_redirect *r,
	struct sv raw, size_t at, bool copied, size_t end)
{
	struct sp_src keep = p->s;
	struct sv value;
	size_t mark = p->bytes.n, outer = p->row, docs_from = p->docs_from;
	unsigned parts = 0;

	r->body = raw;
	r->body_literal = true;
	if (memchr(raw.p, '$', raw.n) == NULL && memchr(raw.p, '`', raw.n) == NULL &&
	    memchr(raw.p, '\\', raw.n) == NULL)
		return;
	p->s.p = raw.p;
	p->s.n = raw.n;
	p->s.i = 0;
	if (!p->s.fixed)
		p->s.base = at;
	if (!p->s.fixed && copied)
		p->s.end = end;
	p->s.fixed = p->s.fixed || copied;
	p->row = row;
	p->docs_from = p->n_docs;   /* what waits is not in this body */
	while (!sp_done(p))
		body_char(p, &parts);
	value = (struct sv){ p->bytes.p + mark, p->bytes.n - mark };
	r->body_literal = parts == 0 && !p->stop && !p->bytes.over;
	if (r->body_literal && !sv_eq(value, raw))
		r->body = value.n > 0 ? arena_sv(p->a, value) : SV("");
	p->bytes.n = mark;
	p->row = outer;
	p->docs_from = docs_from;
	p->s = keep;
}

