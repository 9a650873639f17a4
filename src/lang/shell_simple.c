/*
 * shell_simple.c - simple commands: words, assignments, redirections and the
 * heredocs that follow their line.
 */
#include "lang/shell_priv.h"

#include <string.h>

bool sp_docs_open(const struct sp *p)
{
	return p->n_docs > p->docs_from;
}

static bool count_word(struct sp *p)
{
	if (++p->n_words_all <= SHELL_MAX_WORDS)
		return true;
	sp_stop(p, "too_many", p->s.i);
	p->stop_all = true;
	return false;
}

bool sp_push_word(struct sp *p, const struct shell_word *w)
{
	if (!count_word(p))
		return false;
	p->words = sp_grow(p->words, p->n_words, &p->cap_words, sizeof(*p->words));
	p->words[p->n_words++] = *w;
	return true;
}

/* Digits, or {name}, right in front of '<' or '>': their length. */
static size_t descriptor(const struct sp *p)
{
	size_t n = 0;
	int c = sp_peek(p, 0);

	if (c == '{') {
		for (n = 1; n < 64 && sp_name_char(sp_peek(p, n), n == 1); n++)
			;
		n = n > 1 && sp_peek(p, n) == '}' ? n + 1 : 0;
	} else {
		while (n < 8 && sp_peek(p, n) >= '0' && sp_peek(p, n) <= '9')
			n++;
	}
	c = sp_peek(p, n);
	return n > 0 && (c == '<' || c == '>') && sp_peek(p, n + 1) != '(' ? n : 0;
}

bool sp_redirect_here(const struct sp *p)
{
	int c = sp_peek(p, 0), d = sp_peek(p, 1);

	if (c == '<' || c == '>')
		return d != '(';
	return (c == '&' && d == '>') || descriptor(p) > 0;
}

static enum shell_redir_op operator(struct sp *p)
{
	static const struct {
		const char *text;
		enum shell_redir_op op;
	} ops[] = {             /* longer ones first */
		{ "&>>", SHELL_BOTH_APPEND }, { "<<<", SHELL_HERESTRING },
		{ "<<-", SHELL_HEREDOC }, { "<<", SHELL_HEREDOC },
		{ "&>", SHELL_BOTH }, { ">>", SHELL_APPEND }, { ">|", SHELL_CLOBBER },
		{ "<>", SHELL_INOUT }, { "<&", SHELL_DUP_IN }, { ">&", SHELL_DUP_OUT },
		{ "<", SHELL_IN }, { ">", SHELL_OUT },
	};
	struct sv rest = { p->s.p + p->s.i, p->s.n - p->s.i };

	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		if (sv_starts(rest, ops[i].text)) {
			p->s.i += strlen(ops[i].text);
			return ops[i].op;
		}
	}
	return SHELL_IN;
}

static int read_fd(struct sp *p, size_t row)
{
	size_t n = descriptor(p);
	int fd = -1;

	if (n > 0 && sp_peek(p, 0) == '{')
		fd = -2;
	for (size_t i = 0; i < n && fd != -2; i++)
		fd = (fd == -1 ? 0 : fd) * 10 + (sp_peek(p, i) - '0');
	p->s.i += n;
	if (n > 1)             /* to dash that is a word, not a descriptor */
		sp_row_opaque(p, row, "unknown_shell");
	return fd;
}

/* ">&2" and ">&-" move descriptors; ">&file" is bash's "&>file". */
static bool moves_descriptor(struct sv s)
{
	size_t n = s.n > 0 && s.p[s.n - 1] == '-' ? s.n - 1 : s.n;

	for (size_t i = 0; i < n; i++) {
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
	}
	return s.n > 0;
}

static void add_heredoc(struct sp *p, size_t row, const struct shell_redirect *r,
	bool tabs)
{
	if (r->target.parts != 0 || memchr(r->target.text.p, '\n', r->target.text.n)) {
		sp_stop(p, "syntax", p->s.i);
		return;
	}
	p->docs = sp_grow(p->docs, p->n_docs, &p->cap_docs, sizeof(*p->docs));
	p->docs[p->n_docs++] = (struct sp_heredoc){ .row = row,
		.redirect = p->n_redirs - p->redirs_from, .delim = r->target.text,
		.quoted = r->target.quoted, .tabs = tabs, .reader = SP_NO_ROW };
}

static void redirect(struct sp *p, size_t row)
{
	struct shell_redirect r = { .fd = read_fd(p, row) };
	bool tabs, doc;

	r.op = operator(p);
	doc = r.op == SHELL_HEREDOC;
	tabs = doc && p->s.p[p->s.i - 1] == '-';
	if (!doc && sp_peek(p, 0) == '!')
		sp_row_opaque(p, row, "zsh_syntax");     /* >!file */
	/* "<&-a" is "<&-" and "a" to bash */
	if ((r.op == SHELL_DUP_IN || r.op == SHELL_DUP_OUT) &&
	    ((sp_peek(p, 0) == '-' && !sp_is_delim(sp_peek(p, 1))) ||
	     (sp_peek(p, 0) == '\\' && sp_peek(p, 1) == '\n')))
		sp_stop(p, "syntax", p->s.i);
	sp_blanks(p);
	if (sp_done(p) || !sp_word(p, doc ? SP_DELIM : SP_WORD, &r.target, NULL) ||
	    !count_word(p)) {
		sp_stop(p, "syntax", p->s.i);
		return;
	}
	if (r.op == SHELL_DUP_OUT && !(sp_literal(&r.target) &&
	    moves_descriptor(r.target.text)))
		r.op = SHELL_BOTH;
	if (r.op == SHELL_HERESTRING) {
		r.body = r.target.text;
		r.body_literal = sp_literal(&r.target);
	}
	if (doc)
		add_heredoc(p, row, &r, tabs);
	p->redirs = sp_grow(p->redirs, p->n_redirs, &p->cap_redirs, sizeof(r));
	p->redirs[p->n_redirs++] = r;
}

static void *to_arena(struct sp *p, const void *from, size_t n, size_t size)
{
	void *v = arena_alloc(p->a, n * size);

	if (v != NULL) {
		memcpy(v, from, n * size);
	} else {
		sp_stop(p, "too_many", p->s.i);
		p->stop_all = true;
	}
	return v;
}

/* Takes what was read for the row off the stacks. */
static void close_row(struct sp *p, size_t row, size_t words, size_t assigns,
	size_t redirs)
{
	struct shell_word *w = p->n_words == words ? NULL :
		to_arena(p, p->words + words, p->n_words - words, sizeof(*w));
	struct shell_redirect *r = p->n_redirs == redirs ? NULL :
		to_arena(p, p->redirs + redirs, p->n_redirs - redirs, sizeof(*r));
	struct shell_command *c = &p->rows[row];

	if (w != NULL) {
		c->assigns = assigns > 0 ? w : NULL;
		c->n_assigns = assigns;
		c->words = w + assigns;
		c->n_words = p->n_words - words - assigns;
	}
	if (r != NULL) {
		c->redirects = r;
		c->n_redirects = p->n_redirs - redirs;
	}
	p->n_words = words;
	p->n_redirs = redirs;
}

/* The words of a simple command; how many of them are assignments. True: it is
 * the head of a function's definition. */
static bool read_words(struct sp *p, size_t row, size_t words, size_t *assigns)
{
	struct shell_word w;
	size_t eq = 0, end = p->s.i, redirs = p->n_redirs;
	bool function = false;

	for (;;) {
		bool both = p->n_redirs > redirs &&
			p->redirs[p->n_redirs - 1].op >= SHELL_BOTH &&
			p->redirs[p->n_redirs - 1].op <= SHELL_BOTH_APPEND;

		sp_blanks(p);
		if (sp_done(p))
			break;
		if (sp_redirect_here(p)) {
			redirect(p, row);
		} else {
			int c = sp_peek(p, 0);

			if (c == '#' || (sp_is_delim(c) && !((c == '<' || c == '>') &&
			    sp_peek(p, 1) == '(')))
				break;
			size_t at = p->s.i;

			if (!sp_word(p, SP_WORD, &w, &eq) || !sp_push_word(p, &w))
				break;
			if (p->n_words == words + 1 && !w.quoted && sp_literal(&w) &&
			    w.text.n != p->s.i - at)
				sp_stop(p, "syntax", at); /* a continued line: could
				                             be a reserved word */
			if (eq > 0 && p->n_words - words == *assigns + 1)
				(*assigns)++;
			if (sp_peek(p, 0) == '(') {
				function = p->n_words == words + 1 && *assigns == 0 &&
					shell_word_plain(&w) && !w.quoted;
				break;
			}
		}
		/* "a &>f b": dash runs a in the background, and then b */
		if (both)
			sp_row_opaque(p, row, "unknown_shell");
		end = p->s.i;
	}
	if (!p->s.fixed)
		p->rows[row].to = p->s.base + (end < p->s.n ? end : p->s.n);
	return function;
}

/* name ( ): s.i at the '('. */
static size_t definition(struct sp *p, size_t row, size_t words)
{
	struct sv name = p->words[words].text;

	p->s.i++;
	sp_blanks(p);
	if (sp_peek(p, 0) != ')') {
		sp_stop(p, "syntax", p->s.i);
		return row;
	}
	p->s.i++;
	p->n_words = words;
	p->n_rows = row;
	return sp_function(p, name);
}

static void follow(struct sp *p, size_t row)
{
	size_t outer = p->stdin_row;

	p->stdin_row = row;
	sp_follow(p, row);
	p->stdin_row = outer;
}

size_t sp_simple(struct sp *p)
{
	size_t row = sp_row_new(p), outer = p->row, from = p->redirs_from;
	size_t words = p->n_words, redirs = p->n_redirs, assigns = 0, at = p->s.i;
	bool function;

	if (row == SP_NO_ROW)
		return row;
	p->row = row;
	p->redirs_from = redirs;
	function = read_words(p, row, words, &assigns);
	p->row = outer;
	p->redirs_from = from;
	if (function)
		return definition(p, row, words);
	if (p->n_words == words && p->n_redirs == redirs) {
		sp_stop(p, "syntax", at);
		if (p->n_rows == row + 1) {
			p->n_rows = row;
			return SP_NO_ROW;
		}
	}
	close_row(p, row, words, assigns, redirs);
	if (p->stop || p->stop_all)
		sp_row_opaque(p, row, p->opaque);
	else
		follow(p, row);
	return row;
}

size_t sp_redirects_only(struct sp *p, size_t inner)
{
	size_t row, outer = p->row, from = p->redirs_from, redirs = p->n_redirs;
	size_t words = p->n_words;

	sp_blanks(p);
	if (sp_done(p) || !sp_redirect_here(p))
		return inner;
	row = sp_row_new(p);
	if (row == SP_NO_ROW)
		return row;
	p->row = row;
	p->redirs_from = redirs;
	while (!sp_done(p) && sp_redirect_here(p)) {
		redirect(p, row);
		if (!p->s.fixed)
			p->rows[row].to = p->s.base + (p->s.i < p->s.n ? p->s.i : p->s.n);
		sp_blanks(p);
	}
	p->row = outer;
	p->redirs_from = from;
	close_row(p, row, words, 0, redirs);
	return row;
}

static bool has_operator(struct sv s)
{
	for (size_t i = 0; i < s.n; i++) {
		if (strchr("&|<>()", s.p[i]) != NULL && s.p[i] != '\0')
			return true;
	}
	return false;
}

/* [[ .. ]]: its words. Shells disagree about what is in between (zsh counts
 * and matches in its own way, all of them evaluate subscripts). */
size_t sp_condition(struct sp *p)
{
	size_t row = sp_row_new(p), outer = p->row, words = p->n_words;
	size_t open = p->s.i;
	struct shell_word w;
	bool ended = false, risky = false, split = false;

	if (row == SP_NO_ROW)
		return row;
	p->row = row;
	p->cond = true;
	while (!ended) {
		sp_blanks(p);
		if (sp_peek(p, 0) == '\n' && !sp_docs_open(p) && !p->docs_outer) {
			split = true;
			p->s.i++;
			continue;
		}
		if (sp_done(p))
			break;
		ended = sp_peek(p, 0) == ']' && sp_peek(p, 1) == ']' &&
			sp_is_delim(sp_peek(p, 2));
		p->cond = !ended;
		if (!sp_word(p, SP_WORD, &w, NULL) || !sp_push_word(p, &w))
			break;
		/* dash knows no [[: "[[ a && rm" is two commands */
		split = split || (!w.quoted && has_operator(w.text));
		risky = risky || sv_eqs(w.text, "=~") ||
			(w.quoted && memchr(w.text.p, '[', w.text.n) != NULL);
	}
	p->cond = false;
	p->row = outer;
	if (!ended)
		sp_stop(p, "syntax", open);
	if (!p->s.fixed)
		p->rows[row].to = p->s.base + (p->s.i < p->s.n ? p->s.i : p->s.n);
	close_row(p, row, words, 0, p->n_redirs);
	if (risky)
		sp_row_opaque(p, row, "zsh_syntax");
	if (split)
		sp_row_opaque(p, row, "unknown_shell");
	return row;
}
