/*
 * shell_wrap.c - reads a wrapper's options by its row and finds what it runs.
 */
#include "lang/shell_priv.h"

#include <string.h>

struct run {
	struct sp *p;
	size_t row, i;
	const struct wrapper *wr;
	unsigned operands;     /* still to come in front of the command */
	bool line;             /* the first operand is a shell line */
	bool stdin_;           /* commands come from standard input */
	bool query, over, found, dashes, idle;
	struct sv replace;     /* what stands for words that come later */
};
/* An option of the row: its meaning's letter or 0, and '=', '?' or 0. */
struct opt {
	char means, takes;
	bool known;
};

static const struct shell_word *word_at(const struct run *r, size_t i)
{
	return i < r->p->rows[r->row].n_words ? &r->p->rows[r->row].words[i] : NULL;
}

static const char *why_not_literal(unsigned parts)
{
	return parts & SHELL_SUBSTITUTION ? "substitution_command" :
		parts & SHELL_PROCESS ? "process_substitution" :
		parts & SHELL_GLOB ? "glob_command" :
		parts & SHELL_BRACE ? "brace_command" : "variable_command";
}

static bool strict(const struct run *r)
{
	return r->wr->kind != WRAP_OPTIONS;
}

/* The next token of a row's options. */
static bool next_token(const char **at, struct sv *tok)
{
	while (**at == ' ')
		(*at)++;
	tok->p = *at;
	while (**at != ' ' && **at != '\0')
		(*at)++;
	tok->n = (size_t)(*at - tok->p);
	return tok->n > 0;
}

static struct opt token_opt(struct sv *tok)
{
	struct opt o = { .known = true };

	if (strchr("!%^$@~.&#+*", tok->p[0]) != NULL && tok->n > 1) {
		o.means = tok->p[0];
		tok->p++;
		tok->n--;
	}
	if (tok->p[tok->n - 1] == '=' || tok->p[tok->n - 1] == '?')
		o.takes = tok->p[--tok->n];
	return o;
}

static struct opt find_short(const struct wrapper *wr, char c)
{
	const char *at = wr->opts;
	struct sv tok;

	while (next_token(&at, &tok)) {
		struct opt o = token_opt(&tok);

		if (tok.p[0] != '-' && memchr(tok.p, c, tok.n) != NULL)
			return o;
	}
	return (struct opt){ .known = false };
}

/* name: with its dashes. GNU takes any clear beginning of a long option's
 * name; one that begins what matters counts as that. */
static struct opt find_long(const struct wrapper *wr, struct sv name)
{
	const char *at = wr->opts;
	struct opt begins = { .known = false };
	struct sv tok;

	while (next_token(&at, &tok)) {
		struct opt o = token_opt(&tok);

		if (tok.p[0] != '-')
			continue;
		if (sv_eq(tok, name))
			return o;
		if (name.n > 2 && name.n < tok.n && tok.p[1] == '-' && o.means != '$' &&
		    memcmp(tok.p, name.p, name.n) == 0 && o.means != 0)
			begins = o;
	}
	return begins;
}

/* What an option's value does; w is its word, text its bytes in it. */
static void apply(struct run *r, struct opt o, const struct shell_word *w,
	struct sv text)
{
	struct shell_word value = *w;

	value.text = text;
	switch (o.means) {
	case '!':
		r->found = true;
		sp_follow_line(r->p, r->row, r->wr->name, &value);
		break;
	case '%':
		r->found = true;
		sp_code(r->p, r->row, r->wr, &value);
		break;
	case '^':
		sp_row_opaque(r->p, r->row, "wrapper_options");
		break;
	case '*':
		if (!sp_ssh_tame(text))
			sp_row_opaque(r->p, r->row, "wrapper_options");
		break;
	case '.':
		r->found = r->over = true;
		break;
	case '&':
		r->over = r->found = true;
		if (sp_literal(w))
			sp_env_split(r->p, r->row, r->i, text);
		else
			sp_row_opaque(r->p, r->row, why_not_literal(w->parts));
		break;
	case '#':
		r->replace = text.n > 0 ? text : SV("{}");
		break;
	default:
		if (!sp_literal(w) && !w->quoted && strict(r))
			sp_row_opaque(r->p, r->row, why_not_literal(w->parts));
	}
}

static void flag(struct run *r, struct opt o)
{
	switch (o.means) {
	case '$': r->query = true; break;
	case '@': r->line = true; break;
	case '~': r->stdin_ = true; break;
	case '+': r->idle = true; break;
	case '.': r->found = r->over = true; break;
	case '^': sp_row_opaque(r->p, r->row, "wrapper_options"); break;
	default: break;
	}
}

/* The value is the next word. */
static void next_value(struct run *r, struct opt o)
{
	const struct shell_word *w = word_at(r, ++r->i);

	if (w != NULL) {
		apply(r, o, w, w->text);
	} else if (o.means != 0 && o.means != '#') {
		r->found = true;
		sp_row_opaque(r->p, r->row, r->p->rows[r->row].more_words ?
			"piped_to_shell" : "wrapper_options");
	}
}

static void unknown(struct run *r)
{
	if (!strict(r))
		return;
	sp_row_opaque(r->p, r->row, "wrapper_options");
	r->over = r->found = true;
}

static void long_option(struct run *r, const struct shell_word *w)
{
	const char *eq = memchr(w->text.p, '=', w->text.n);
	struct sv name = { w->text.p, eq != NULL ? (size_t)(eq - w->text.p) : w->text.n };
	struct opt o = find_long(r->wr, name);

	if (!o.known) {
		unknown(r);
	} else if (eq != NULL) {
		if (o.takes == 0)
			unknown(r);
		else
			apply(r, o, w, (struct sv){ eq + 1,
				w->text.n - name.n - 1 });
	} else if (o.takes == '=') {
		next_value(r, o);
	} else {
		if (o.takes == '?' && o.means == '#')
			r->replace = SV("{}");
		flag(r, o);
	}
}

static void short_options(struct run *r, const struct shell_word *w)
{
	for (size_t k = 1; k < w->text.n && !r->over; k++) {
		struct opt o = find_short(r->wr, w->text.p[k]);
		struct sv rest = { w->text.p + k + 1, w->text.n - k - 1 };

		if (!o.known) {
			unknown(r);
		} else if (o.takes == '=' && rest.n == 0) {
			next_value(r, o);
			return;
		} else if (o.takes != 0) {
			if (o.takes == '=' || rest.n > 0 || o.means == '#')
				apply(r, o, w, rest);
			else
				flag(r, o);
			return;
		} else {
			flag(r, o);
		}
	}
}

static bool is_assign(const struct shell_word *w)
{
	const char *eq = memchr(w->text.p, '=', w->text.n);

	for (const char *c = w->text.p; eq != NULL && c < eq; c++) {
		if (!sp_name_char((unsigned char)*c, c == w->text.p))
			return false;
	}
	return eq != NULL && eq > w->text.p;
}

/* One word in front of the command. False: the command begins with it. */
static bool before_command(struct run *r, const struct shell_word *w)
{
	bool option = w->text.n > 1 && w->text.p[0] == '-';

	if ((r->wr->bits & WRAP_ASSIGNS) != 0 && is_assign(w)) {
		if (sp_assign_risky(w->text))
			sp_row_opaque(r->p, r->row, "assignment_env");
		return true;
	}
	if (!sp_literal(w)) {
		if (!strict(r))
			return true;
		if (r->operands == 0)
			return false;
		if (w->parts != SHELL_TILDE)
			sp_row_opaque(r->p, r->row, why_not_literal(w->parts));
		r->operands--;
		return true;
	}
	if (option && find_long(r->wr, w->text).known && w->text.p[1] != '-') {
		long_option(r, w);
		return true;
	}
	if (option) {
		if (w->text.p[1] == '-')
			long_option(r, w);
		else
			short_options(r, w);
		return true;
	}
	if (w->text.n > 1 && w->text.p[0] == '+' && (r->wr->bits & WRAP_PLUS) != 0) {
		if (r->wr->lang != NULL)
			apply(r, (struct opt){ .means = '%' }, w,
				(struct sv){ w->text.p + 1, w->text.n - 1 });
		else
			short_options(r, w);
		return true;
	}
	/* "env -" is "env -i" */
	if (!strict(r) || (r->operands == 0 && sv_eqs(w->text, "-") &&
	    (r->wr->bits & WRAP_ASSIGNS) != 0))
		return true;
	if (r->operands == 0)
		return false;
	r->operands--;
	return true;
}

/* Options and operands; r->i is then at the command, if there is one. */
static void read_front(struct run *r)
{
	const struct shell_word *w;
	unsigned all = r->operands;

	for (; (w = word_at(r, r->i)) != NULL && !r->over && !r->query; r->i++) {
		bool permute = (r->wr->bits & WRAP_PERMUTE) != 0 || r->operands == all;

		if (sp_literal(w) && sv_eqs(w->text, "--") && !r->dashes && permute) {
			r->dashes = true;
			if ((r->wr->bits & WRAP_DASHES) != 0) {
				r->i++;
				return;
			}
			continue;
		}
		if ((r->dashes || !permute) && r->operands == 0)
			return;
		if (r->dashes || !permute) {
			r->operands--;
			continue;
		}
		if (!before_command(r, w))
			return;
	}
}

/* xargs -I R, parallel {}: words that come later stand in the text itself. */
static bool holds(struct sv text, struct sv what)
{
	return what.n > 0 && memmem(text.p, text.n, what.p, what.n) != NULL;
}

static void check_replaced(struct run *r)
{
	const struct shell_word *w;
	bool shell = false;

	if (r->replace.n == 0)
		return;
	for (size_t i = r->i; (w = word_at(r, i)) != NULL; i++) {
		const struct wrapper *in = wrapper_find(sp_basename(w->text), SV_NONE);

		shell = shell || (in != NULL && in->kind != WRAP_OPTIONS);
		if (holds(w->text, r->replace) && (i == r->i || shell)) {
			sp_row_opaque(r->p, r->row, "variable_command");
			return;
		}
	}
}

static void run_argv(struct run *r)
{
	const struct shell_command *c = &r->p->rows[r->row];
	bool more = (r->wr->bits & WRAP_MORE) != 0 || c->more_words;

	if (r->i < c->n_words) {
		if ((r->wr->bits & WRAP_DASHES) != 0 && !r->dashes)
			sp_row_opaque(r->p, r->row, "wrapper_options");
		check_replaced(r);
		sp_follow_words(r->p, r->row, r->wr->name, r->i, c->n_words,
			more && r->replace.n == 0);
	} else if (r->found) {
		return;
	} else if (c->more_words) {
		sp_row_opaque(r->p, r->row, "piped_to_shell");
	} else if ((r->wr->bits & WRAP_NEEDS) != 0 || r->stdin_) {
		sp_stdin(r->p, r->row, r->wr);
	} else if (c->n_redirects > 0 && sv_eqs(c->words[0].text, "exec")) {
		sp_row_opaque(r->p, r->row, "exec_redirect");
	}
}

static void run_line(struct run *r)
{
	const struct shell_command *c = &r->p->rows[r->row];
	size_t end = r->i, n = c->n_words, in;

	if (r->wr->why != NULL)
		sp_row_opaque(r->p, r->row, r->wr->why);
	while (end < n && !((r->wr->bits & WRAP_COLONS) != 0 &&
	       (sv_starts(c->words[end].text, ":::"))))
		end++;
	if (r->found && end == r->i)
		return;
	if (end > r->i) {
		if ((r->wr->bits & WRAP_MORE) != 0)
			r->replace = SV("{}");
		check_replaced(r);
		in = r->p->n_rows;
		sp_follow_joined(r->p, r->row, r->wr->name, r->i, end);
		for (; in < r->p->n_rows && (r->wr->bits & WRAP_MORE) != 0; in++)
			r->p->rows[in].more_words = true;
	} else if (end < n) {
		sp_row_opaque(r->p, r->row, "interpreter_stdin");
	} else if ((r->wr->bits & (WRAP_REMOTE | WRAP_NEEDS)) != 0) {
		sp_stdin(r->p, r->row, r->wr);
	}
}

static bool names_stdin(struct sv s)
{
	return sv_eqs(s, "-") || sv_eqs(s, "/dev/stdin") || sv_eqs(s, "/dev/fd/0") ||
		sv_eqs(s, "/proc/self/fd/0");
}

/* A script, or standard input. */
static void run_script(struct run *r)
{
	const struct shell_word *w = word_at(r, r->i);

	if (w == NULL && r->p->rows[r->row].more_words)
		sp_row_opaque(r->p, r->row, "piped_to_shell");
	else if (w == NULL && r->idle)
		return;
	else if (w == NULL || r->stdin_ || (sp_literal(w) && names_stdin(w->text)))
		sp_stdin(r->p, r->row, r->wr);
	else if (!sp_literal(w) && w->parts != SHELL_TILDE)
		sp_row_opaque(r->p, r->row, why_not_literal(w->parts));
}

static void run_shell(struct run *r)
{
	const struct shell_word *w = word_at(r, r->i);

	if (!r->line) {
		run_script(r);
	} else if (w != NULL) {
		const char *via = r->p->rows[r->row].via;
		bool each = via != NULL && (sv_starts(sv_of(via), "find -") ||
			strcmp(via, "fd") == 0);

		if (each && holds(w->text, SV("{}")))
			sp_row_opaque(r->p, r->row, "variable_command");
		sp_follow_line(r->p, r->row, r->wr->name, w);
	} else {
		sp_row_opaque(r->p, r->row, r->p->rows[r->row].more_words ?
			"piped_to_shell" : "syntax");
	}
}

static void run_code(struct run *r)
{
	const struct shell_word *w = word_at(r, r->i);

	if (r->found)
		return;
	if ((r->wr->bits & WRAP_CODE_FIRST) != 0) {
		if (w != NULL)
			sp_code(r->p, r->row, r->wr, w);
		else if ((r->wr->bits & WRAP_IF_FED) != 0)
			sp_stdin(r->p, r->row, r->wr);
		return;
	}
	run_script(r);
}

static void run_subs(struct run *r)
{
	const struct shell_word *w = word_at(r, r->i);
	const struct wrapper *sub;

	if (w == NULL || r->over)
		return;
	if (!sp_literal(w)) {
		sp_row_opaque(r->p, r->row, why_not_literal(w->parts));
		return;
	}
	sub = wrapper_find(sv_of(r->wr->name), w->text);
	if (sub != NULL)
		sp_wrapper(r->p, r->row, sub, r->i + 1);
}

void sp_wrapper(struct sp *p, size_t row, const struct wrapper *wr, size_t from)
{
	struct run r = { .p = p, .row = row, .i = from, .wr = wr,
		.operands = wr->operands };

	if (wr->kind == WRAP_OPAQUE) {
		sp_row_opaque(p, row, wr->why);
		return;
	}
	if (wr->kind == WRAP_SPECIAL) {
		wr->follow(p, row);
		return;
	}
	if ((wr->bits & WRAP_BARE) == 0)
		read_front(&r);
	if (r.query || r.over)
		return;
	switch (wr->kind) {
	case WRAP_ARGV: run_argv(&r); break;
	case WRAP_LINE: run_line(&r); break;
	case WRAP_SHELL: run_shell(&r); break;
	case WRAP_CODE: run_code(&r); break;
	case WRAP_SUBS: run_subs(&r); break;
	default: break;
	}
}
