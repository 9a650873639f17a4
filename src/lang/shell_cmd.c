/*
 * shell_cmd.c - lists and pipelines.
 */
#include "lang/shell_grammar.h"

#include <string.h>

static const struct {
	const char *word;
	unsigned bit;
} reserved[] = {
	{ "if", W_IF }, { "then", W_THEN }, { "else", W_ELSE }, { "elif", W_ELIF },
	{ "fi", W_FI }, { "do", W_DO }, { "done", W_DONE }, { "case", W_CASE },
	{ "esac", W_ESAC }, { "while", W_WHILE }, { "until", W_WHILE },
	{ "for", W_FOR }, { "select", W_FOR }, { "function", W_FUNCTION },
	{ "{", W_OPEN }, { "}", W_CLOSE }, { "!", W_NOT }, { "[[", W_TEST },
	{ "time", W_TIME }, { "coproc", W_COPROC }, { "repeat", W_ZSH },
	{ "foreach", W_ZSH }, { "nocorrect", W_ZSH }, { "noglob", W_ZSH },
	{ "-", W_ZSH }, { "end", W_ZSH },
};

unsigned sp_reserved(const struct sp *p, size_t *len)
{
	size_t n = 0;

	while (n < 10 && !sp_is_delim(sp_peek(p, n)))
		n++;
	for (size_t i = 0; n < 10 && i < sizeof(reserved) / sizeof(reserved[0]); i++) {
		if (sv_eqs((struct sv){ p->s.p + p->s.i, n }, reserved[i].word)) {
			*len = n;
			return reserved[i].bit;
		}
	}
	return 0;
}

bool sp_expect(struct sp *p, unsigned bit)
{
	size_t len = 0;

	if (p->stop || p->stop_all)
		return false;
	if (sp_done(p) || sp_reserved(p, &len) != bit) {
		sp_stop(p, "syntax", p->s.i);
		return false;
	}
	p->s.i += len;
	return true;
}

void sp_comment(struct sp *p)
{
	while (!sp_done(p) && sp_peek(p, 0) != '\n')
		p->s.i++;
}

/* Blanks, comments and newlines with their heredocs. */
void sp_skip_lines(struct sp *p)
{
	while (!sp_done(p)) {
		int c = sp_peek(p, 0);

		if (c == '\n')
			sp_newline(p);
		else if (c == '#')
			sp_comment(p);
		else if (c == ' ' || c == '\t' || c == '\\') {
			size_t i = p->s.i;

			sp_blanks(p);
			if (p->s.i == i)
				break;
		} else {
			break;
		}
	}
}

static void join(struct sp *p, size_t row, enum shell_join how)
{
	if (row != SP_NO_ROW && row < p->n_rows)
		p->rows[row].join = how;
}

/* "!" and bash's "time [-p]" in front of a pipeline. */
static void prefixes(struct sp *p)
{
	size_t len = 0;
	unsigned bit;

	for (;;) {
		sp_blanks(p);
		bit = sp_done(p) ? 0 : sp_reserved(p, &len);
		if (bit == W_NOT) {
			p->s.i += len;
		} else if (bit == W_TIME) {
			size_t i = p->s.i;

			p->s.i += len;
			sp_blanks(p);
			if (sp_peek(p, 0) == '-' && sp_peek(p, 1) == 'p' &&
			    sp_is_delim(sp_peek(p, 2)))
				p->s.i += 2;
			sp_blanks(p);
			if (sp_done(p) || sp_peek(p, 0) == '-' ||
			    sp_peek(p, 0) == '\n' || sp_peek(p, 0) == ';') {
				p->s.i = i;    /* the program of that name */
				return;
			}
		} else {
			return;
		}
		p->compound = true;
	}
}

static size_t pipeline(struct sp *p)
{
	struct sp_where at = p->at;
	size_t row;

	p->decoder = false;
	for (;;) {
		prefixes(p);
		row = sp_command(p);
		sp_blanks(p);
		if (sp_done(p) || sp_peek(p, 0) != '|' || sp_peek(p, 1) == '|')
			break;
		p->s.i++;
		join(p, row, SHELL_PIPE);
		if (sp_peek(p, 0) == '&') {
			p->s.i++;
			join(p, row, SHELL_PIPE_BOTH);
		}
		p->at.piped = true;
		p->at.decoded = at.decoded || p->decoder;
		sp_skip_lines(p);
	}
	p->at = at;
	return row;
}

static size_t and_or(struct sp *p)
{
	bool decoder = p->decoder;
	size_t row = pipeline(p);

	for (;;) {
		sp_blanks(p);
		int c = sp_done(p) ? -1 : sp_peek(p, 0);

		if ((c != '&' && c != '|') || sp_peek(p, 1) != c)
			break;
		p->s.i += 2;
		join(p, row, c == '&' ? SHELL_AND : SHELL_OR);
		sp_skip_lines(p);
		row = pipeline(p);
	}
	p->decoder = p->decoder || decoder;
	return row;
}

/* ";;" and its relatives, which end a case's list. */
static bool case_end(const struct sp *p)
{
	int second = sp_peek(p, 1);

	return sp_peek(p, 0) == ';' &&
		(second == ';' || second == '&' || second == '|');
}

/* What stands behind a command: its end, or nothing that fits. False: the
 * list is at its end. */
static bool separator(struct sp *p, size_t row, unsigned words,
	enum shell_join *next)
{
	size_t len = 0;
	int c = sp_peek(p, 0);

	*next = SHELL_SEQ;
	if (c == '\n')
		return true;
	if (case_end(p)) {
		if ((words & W_DSEMI) == 0)
			sp_stop(p, "syntax", p->s.i);
		return false;
	}
	if (c == ';') {
		p->s.i++;
		return true;
	}
	if (c == '&') {
		p->s.i++;
		join(p, row, SHELL_BACKGROUND);
		*next = SHELL_BACKGROUND;
		return true;
	}
	/* "(a) fi": no separator needed */
	if ((sp_reserved(p, &len) & words) == 0)
		sp_stop(p, "syntax", p->s.i);
	return false;
}

size_t sp_list_until(struct sp *p, int close, unsigned words)
{
	size_t row = SP_NO_ROW, len = 0, next_row;
	enum shell_join next = SHELL_END;

	for (;;) {
		sp_skip_lines(p);
		if (sp_done(p) || sp_peek(p, 0) == close)
			return row;
		if ((words & W_DSEMI) != 0 && case_end(p))
			return row;
		if ((sp_reserved(p, &len) & words) != 0)
			return row;
		join(p, row, next);
		next_row = and_or(p);
		row = next_row != SP_NO_ROW ? next_row : row;
		sp_blanks(p);
		if (!sp_done(p) && sp_peek(p, 0) == '#')
			sp_comment(p);
		if (sp_done(p) || sp_peek(p, 0) == close ||
		    !separator(p, row, words, &next))
			return row;
	}
}

void sp_list(struct sp *p, int close)
{
	sp_list_until(p, close, 0);
}
