/*
 * shell_compound.c - compound commands. Each begins with s.i at its first word.
 */
#include "lang/shell_grammar.h"

#include <string.h>

#define MAX_FUNCTIONS 256u

static size_t group(struct sp *p, unsigned words)
{
	size_t row;

	sp_enter(p);
	row = sp_list_until(p, -2, words);
	sp_leave(p);
	return row;
}

static size_t if_command(struct sp *p)
{
	struct sp_where at = p->at;
	size_t len = 0, row = SP_NO_ROW;
	unsigned bit;

	p->s.i += 2;
	for (;;) {
		p->at.condition = true;
		group(p, W_THEN);
		p->at.condition = at.condition;
		if (!sp_expect(p, W_THEN))
			return SP_NO_ROW;
		row = group(p, W_ELIF | W_ELSE | W_FI);
		bit = sp_done(p) ? 0 : sp_reserved(p, &len);
		if (bit != W_ELIF)
			break;
		p->s.i += len;
	}
	if (bit == W_ELSE) {
		p->s.i += len;
		row = group(p, W_FI);
	}
	sp_expect(p, W_FI);
	return row;
}

static size_t loop_body(struct sp *p)
{
	struct sp_where at = p->at;
	size_t row, len = 0;
	bool brace;

	sp_skip_lines(p);
	brace = !sp_done(p) && sp_reserved(p, &len) == W_OPEN;
	if (!sp_expect(p, brace ? W_OPEN : W_DO))
		return SP_NO_ROW;
	p->at.loop = true;
	row = group(p, brace ? W_CLOSE : W_DONE);
	p->at = at;
	sp_expect(p, brace ? W_CLOSE : W_DONE);
	return row;
}

static size_t while_command(struct sp *p)
{
	struct sp_where at = p->at;

	p->s.i += 5;                   /* both words have five letters */
	p->at.condition = p->at.loop = true;
	group(p, W_DO);
	p->at = at;
	return loop_body(p);
}

static void for_words(struct sp *p)
{
	struct shell_word w;

	for (;;) {
		sp_blanks(p);
		if (sp_done(p) || (sp_is_delim(sp_peek(p, 0)) && !(sp_peek(p, 1) == '(' &&
		    (sp_peek(p, 0) == '<' || sp_peek(p, 0) == '>'))))
			return;
		if (sp_peek(p, 0) == '#') {
			sp_comment(p);
			return;
		}
		if (!sp_word(p, SP_WORD, &w, NULL))
			return;
		if (++p->n_words_all > SHELL_MAX_WORDS) {
			sp_stop(p, "too_many", p->s.i);
			p->stop_all = true;
		}
	}
}

static bool in_follows(struct sp *p)
{
	bool in = sp_peek(p, 0) == 'i' && sp_peek(p, 1) == 'n' &&
		sp_is_delim(sp_peek(p, 2));

	if (in)
		p->s.i += 2;
	return in;
}

static size_t for_command(struct sp *p)
{
	struct shell_word w;

	while (!sp_is_delim(sp_peek(p, 0)))
		p->s.i++;
	sp_blanks(p);
	if (sp_peek(p, 0) == '(' && sp_peek(p, 1) == '(') {
		p->s.i += 2;
		sp_enter(p);
		sp_arithmetic(p);
		sp_leave(p);
	} else {
		if (!sp_word(p, SP_WORD, &w, NULL))
			return SP_NO_ROW;
		sp_skip_lines(p);
		if (in_follows(p))
			for_words(p);
	}
	sp_blanks(p);
	if (sp_peek(p, 0) == ';')
		p->s.i++;
	return loop_body(p);
}

/* pattern | pattern ) */
static bool case_patterns(struct sp *p)
{
	struct shell_word w;

	if (sp_peek(p, 0) == '(')
		p->s.i++;
	for (;;) {
		sp_blanks(p);
		if (sp_done(p) || !sp_word(p, SP_WORD, &w, NULL))
			break;
		sp_blanks(p);
		if (sp_peek(p, 0) == ')') {
			p->s.i++;
			return true;
		}
		if (sp_peek(p, 0) != '|')
			break;
		p->s.i++;
	}
	sp_stop(p, "syntax", p->s.i);
	return false;
}

static size_t case_command(struct sp *p)
{
	struct shell_word w;
	size_t row = SP_NO_ROW, len = 0, got;

	p->s.i += 4;
	sp_blanks(p);
	if (sp_done(p) || !sp_word(p, SP_WORD, &w, NULL)) {
		sp_stop(p, "syntax", p->s.i);
		return SP_NO_ROW;
	}
	sp_skip_lines(p);
	if (sp_done(p) || !in_follows(p)) {
		sp_stop(p, "syntax", p->s.i);
		return SP_NO_ROW;
	}
	for (;;) {
		sp_skip_lines(p);
		if (sp_done(p) || sp_reserved(p, &len) == W_ESAC)
			break;
		if (!case_patterns(p))
			return SP_NO_ROW;
		got = group(p, W_DSEMI | W_ESAC);
		row = got != SP_NO_ROW ? got : row;
		if (sp_peek(p, 0) != ';')
			continue;
		p->s.i += 2;           /* ";;" ";&" ";;&" ";|" */
		if (sp_peek(p, 0) == '&')
			p->s.i++;
	}
	sp_expect(p, W_ESAC);
	return row;
}

static size_t subshell(struct sp *p)
{
	struct sp_where at = p->at;
	size_t row, open = p->s.i;

	p->s.i++;
	p->at.subshell = true;
	sp_enter(p);
	row = sp_list_until(p, ')', 0);
	sp_leave(p);
	p->at = at;
	if (p->stop || p->stop_all)
		return row;
	if (sp_done(p))
		sp_stop(p, "syntax", open);
	else if (row == SP_NO_ROW)     /* "() {": zsh's function without a name */
		sp_stop(p, "zsh_syntax", open);
	p->s.i++;
	return row;
}

/* ((..)): arithmetic to bash and zsh, commands in two subshells to dash. */
static size_t arithmetic_command(struct sp *p)
{
	size_t row = sp_row_new(p), outer = p->row, from = p->s.i;

	if (row == SP_NO_ROW)
		return row;
	p->row = row;
	p->s.i += 2;
	sp_enter(p);
	sp_arithmetic(p);
	sp_leave(p);
	p->row = outer;
	p->rows[row].words = arena_alloc(p->a, sizeof(struct shell_word));
	if (!p->stop && !p->stop_all && p->rows[row].words != NULL) {
		p->rows[row].n_words = 1;
		p->rows[row].words[0] = (struct shell_word){
			.text = { p->s.p + from, p->s.i - from },
			.parts = SHELL_ARITHMETIC, .from = sp_pos(p, from),
			.to = p->s.fixed ? p->s.end : sp_pos(p, p->s.i) };
		p->rows[row].to = p->rows[row].words[0].to;
	}
	sp_row_opaque(p, row, "unknown_shell");
	return row;
}

size_t sp_function(struct sp *p, struct sv name)
{
	struct sp_where at = p->at;
	size_t row;

	p->compound = true;
	sp_opaque_at(p, "function", sp_pos(p, p->s.i));
	if (p->n_functions >= MAX_FUNCTIONS) {
		sp_stop(p, "too_many", p->s.i);
		return SP_NO_ROW;
	}
	p->functions = sp_grow(p->functions, p->n_functions, &p->cap_functions,
		sizeof(*p->functions));
	p->functions[p->n_functions++] = name;
	sp_skip_lines(p);
	p->at.function = true;
	sp_enter(p);
	row = sp_command(p);
	sp_leave(p);
	p->at = at;
	return row;
}

/* function NAME [()] compound */
static size_t function_command(struct sp *p)
{
	struct shell_word w;

	p->s.i += 8;
	sp_blanks(p);
	if (sp_done(p) || !sp_word(p, SP_WORD, &w, NULL)) {
		sp_stop(p, "syntax", p->s.i);
		return SP_NO_ROW;
	}
	sp_blanks(p);
	if (sp_peek(p, 0) == '(') {
		p->s.i++;
		sp_blanks(p);
		if (sp_peek(p, 0) != ')')
			sp_stop(p, "syntax", p->s.i);
		p->s.i++;
	}
	return sp_function(p, w.text);
}

static size_t coproc_command(struct sp *p)
{
	size_t from = p->s.i, row;

	p->s.i += 6;
	sp_opaque_at(p, "coproc", sp_pos(p, from));
	sp_blanks(p);
	sp_enter(p);
	row = sp_command(p);
	sp_leave(p);
	sp_row_opaque(p, row, "coproc");
	return row;
}

static size_t brace_group(struct sp *p)
{
	size_t row;

	p->s.i++;
	row = group(p, W_CLOSE);
	sp_expect(p, W_CLOSE);
	return row;
}

static size_t compound(struct sp *p, unsigned bit)
{
	size_t row = SP_NO_ROW;

	p->compound = true;
	switch (bit) {
	case W_IF: row = if_command(p); break;
	case W_WHILE: row = while_command(p); break;
	case W_FOR: row = for_command(p); break;
	case W_CASE: row = case_command(p); break;
	case W_OPEN: row = brace_group(p); break;
	case W_TEST: row = sp_condition(p); break;
	case W_FUNCTION: return function_command(p);
	case W_COPROC: return coproc_command(p);
	case W_ZSH: sp_stop(p, "zsh_syntax", p->s.i); break;
	default: sp_stop(p, "syntax", p->s.i);
	}
	return sp_redirects_only(p, row);
}

size_t sp_command(struct sp *p)
{
	unsigned bit;
	size_t len = 0;

	if (p->stop || p->stop_all)
		return SP_NO_ROW;
	if (sp_done(p)) {
		sp_stop(p, "syntax", p->s.i);
		return SP_NO_ROW;
	}
	if (sp_peek(p, 0) == '(') {
		p->compound = true;
		return sp_redirects_only(p, sp_peek(p, 1) == '(' ?
			arithmetic_command(p) : subshell(p));
	}
	bit = sp_reserved(p, &len);
	if (bit != 0 && bit != W_TIME)
		return compound(p, bit);
	return sp_simple(p);
}
