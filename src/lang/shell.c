/*
 * shell.c - shell_parse(): limits, bytes that no command should hold, rows and
 * what follows from all of them.
 */
#include "lang/shell_priv.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

bool sp_done(const struct sp *p)
{
	return p->stop || p->stop_all || p->s.i >= p->s.n;
}

size_t sp_pos(const struct sp *p, size_t i)
{
	return p->s.fixed ? p->s.base : p->s.base + i;
}

void sp_opaque_at(struct sp *p, const char *why, size_t at)
{
	if (p->opaque == NULL) {
		p->opaque = why;
		p->opaque_at = at;
	}
}

void sp_row_opaque(struct sp *p, size_t row, const char *why)
{
	if (row == SP_NO_ROW)
		return;
	if (p->rows[row].opaque == NULL)
		p->rows[row].opaque = why;
	sp_opaque_at(p, why, p->rows[row].from);
}

void sp_stop(struct sp *p, const char *why, size_t at)
{
	if (p->stop || p->stop_all)
		return;
	p->stop = true;
	sp_opaque_at(p, why, sp_pos(p, at));
	if (p->at.parent != SP_NO_ROW)
		sp_row_opaque(p, p->at.parent, why);
}

bool sp_enter(struct sp *p)
{
	if (++p->nest > SP_MAX_NEST)
		sp_stop(p, "too_deep", p->s.i);
	return !p->stop && !p->stop_all;
}

void sp_leave(struct sp *p)
{
	if (p->nest > 0)
		p->nest--;
}

void *sp_grow(void *v, size_t n, size_t *cap, size_t size)
{
	if (n < *cap)
		return v;
	*cap = *cap == 0 ? 64 : *cap * 2;
	return xreallocarray(v, *cap, size);
}

size_t sp_row_new(struct sp *p)
{
	struct shell_command *c;

	if (p->n_rows >= SHELL_MAX_COMMANDS) {
		sp_stop(p, "too_many", p->s.i);
		p->stop_all = true;
		return SP_NO_ROW;
	}
	p->rows = sp_grow(p->rows, p->n_rows, &p->cap_rows, sizeof(*p->rows));
	c = &p->rows[p->n_rows];
	memset(c, 0, sizeof(*c));
	c->in_loop = p->at.loop;
	c->in_condition = p->at.condition;
	c->in_function = p->at.function;
	c->in_subshell = p->at.subshell;
	c->depth = p->at.depth;
	c->parent = p->at.parent;
	c->via = p->at.via;
	c->from = sp_pos(p, p->s.i);
	c->to = p->s.fixed ? p->s.end : c->from;
	return p->n_rows++;
}

/* Where text lies in the text being read, when it is a piece of it. */
static struct sp_src script_source(const struct sp *p, struct sv text,
	size_t from, size_t to)
{
	uintptr_t base = (uintptr_t)p->s.p, at = (uintptr_t)text.p;
	struct sp_src s = p->s;

	if (p->s.fixed || at < base || at + text.n > base + p->s.n)
		return (struct sp_src){ .p = text.p, .n = text.n, .base = from,
			.end = to, .fixed = true };
	s.i = at - base;
	s.n = s.i + text.n;
	return s;
}

void sp_script(struct sp *p, size_t row, const char *via, struct sv text,
	size_t from, size_t to)
{
	struct sp_src keep = p->s;
	struct sp_where at = p->at;
	size_t docs_from = p->docs_from, outer = p->row, stdin_row = p->stdin_row;
	unsigned nest = p->nest;
	bool stop = p->stop, cond = p->cond, docs_outer = p->docs_outer;

	if (p->rows[row].depth + 1 > SHELL_MAX_DEPTH || p->nest >= SP_MAX_NEST) {
		sp_row_opaque(p, row, "too_deep");
		return;
	}
	p->s = script_source(p, text, from, to);
	p->at.piped = p->at.decoded = false;
	p->at.depth = p->rows[row].depth + 1;
	p->at.parent = row;
	p->at.via = via;
	p->docs_from = p->n_docs;
	p->stop = p->cond = p->docs_outer = false;
	p->row = SP_NO_ROW;
	p->nest++;
	sp_list(p, -1);
	if (!p->stop && sp_docs_open(p))
		sp_stop(p, "unterminated_heredoc", p->s.i);
	p->nest = nest;
	p->stdin_row = stdin_row;
	p->n_docs = p->docs_from;
	p->docs_from = docs_from;
	p->docs_outer = docs_outer;
	p->row = outer;
	p->s = keep;
	p->at = at;
	p->stop = stop;
	p->cond = cond;
}

/* A line with something hidden in it: what a person reads is not what runs. */
static bool hidden_line(struct sv line)
{
	struct esc_counts counts = { { 0 } };
	struct buf out;
	int rc;

	buf_init(&out, 32 * line.n + 64);
	rc = esc_line(line, ESC_CODE, 0, &out, NULL, NULL, &counts);
	buf_free(&out);
	return rc != 0 || esc_hidden(&counts) > 0;
}

/* The first byte of text that no command should hold, and why. */
static const char *bad_bytes(struct sv text, size_t *at)
{
	size_t line = 0, i;
	bool high = false;

	for (i = 0; i <= text.n; i++) {
		unsigned char c = i < text.n ? (unsigned char)text.p[i] : '\n';

		high = high || c >= 0x80;
		if (c == '\n') {
			struct sv s = { text.p + line, i - line };

			*at = line;
			if (high && !utf8_valid(s))
				return "invalid_utf8";
			if (high && hidden_line(s))
				return "hidden_character";
			line = i + 1;
			high = false;
		} else if ((c < 0x20 && c != '\t') || c == 0x7F) {
			*at = i;
			return "control_character";
		}
	}
	return NULL;
}

/* Commands that stand where the bad bytes are, and what they run. */
static void mark_bad(struct sp *p, const char *why, size_t at, struct sv text)
{
	const char *lf = memchr(text.p + at, '\n', text.n - at);
	size_t to = lf == NULL ? text.n : (size_t)(lf - text.p);

	for (size_t i = 0; i < p->n_rows; i++) {
		if (p->rows[i].from <= to && p->rows[i].to >= at &&
		    p->rows[i].opaque == NULL)
			p->rows[i].opaque = why;
	}
	if (p->opaque == NULL || p->opaque_at > at) {
		p->opaque = why;
		p->opaque_at = at;
	}
}

/* A call of a name that the text itself defines runs the definition. */
static void mark_functions(struct sp *p)
{
	for (size_t i = 0; i < p->n_rows && p->n_functions > 0; i++) {
		struct shell_command *c = &p->rows[i];

		for (size_t k = 0; k < p->n_functions && c->n_words > 0; k++) {
			if (sv_eq(c->words[0].text, p->functions[k]))
				sp_row_opaque(p, i, "function");
		}
	}
}

static bool simple_redirect(const struct shell_redirect *r)
{
	switch (r->op) {
	case SHELL_DUP_IN:
	case SHELL_DUP_OUT:
		return r->fd != -2 && shell_word_plain(&r->target);
	case SHELL_IN:
	case SHELL_OUT:
	case SHELL_APPEND:
	case SHELL_CLOBBER:
	case SHELL_BOTH:
	case SHELL_BOTH_APPEND:
		return r->fd != -2 && shell_word_plain(&r->target) &&
			sv_eqs(r->target.text, "/dev/null");
	default:
		return false;
	}
}

static bool simple_row(const struct shell_command *c)
{
	if (c->n_words == 0 || c->n_assigns > 0 || c->opaque != NULL ||
	    c->join == SHELL_BACKGROUND || c->in_loop || c->in_condition ||
	    c->in_function || c->in_subshell)
		return false;
	for (size_t i = 0; i < c->n_words; i++) {
		if (!shell_word_plain(&c->words[i]))
			return false;
	}
	for (size_t i = 0; i < c->n_redirects; i++) {
		if (!simple_redirect(&c->redirects[i]))
			return false;
	}
	return true;
}

static void finish(struct sp *p, struct shell *out)
{
	bool simple = p->n_rows > 0 && p->opaque == NULL && !p->compound;

	for (size_t i = 0; i < p->n_rows && simple; i++) {
		/* An inner row's words are its outer row's, or a script's. */
		simple = p->rows[i].depth > 0 || simple_row(&p->rows[i]);
	}
	out->commands = arena_alloc(p->a, p->n_rows * sizeof(*p->rows) + 1);
	if (out->commands == NULL || arena_over(p->a)) {
		*out = (struct shell){ .opaque = "too_many" };
		return;
	}
	if (p->n_rows > 0)
		memcpy(out->commands, p->rows, p->n_rows * sizeof(*p->rows));
	out->n_commands = p->n_rows;
	out->opaque = p->opaque;
	out->opaque_at = p->opaque_at;
	out->simple_list = simple;
	out->compound = p->compound;
}

void shell_parse(struct sv text, struct arena *a, struct shell *out)
{
	struct sp p = { .a = a, .s = { .p = text.p, .n = text.n, .end = text.n },
		.at = { .parent = SP_NO_ROW }, .row = SP_NO_ROW,
		.stdin_row = SP_NO_ROW };
	const char *bad;
	size_t at = 0;

	*out = (struct shell){ .opaque = NULL };
	if (text.n > SHELL_MAX_BYTES) {
		out->opaque = "too_long";
		return;
	}
	if (text.n == 0)
		return;
	buf_init(&p.bytes, 4u * SHELL_MAX_BYTES);
	buf_reserve(&p.bytes, 1024);   /* never NULL from here on */
	sp_list(&p, -1);
	if (!p.stop && sp_docs_open(&p))
		sp_stop(&p, "unterminated_heredoc", p.s.i);
	mark_functions(&p);
	bad = bad_bytes(text, &at);
	if (bad != NULL)
		mark_bad(&p, bad, at, text);
	finish(&p, out);
	free(p.rows);
	free(p.words);
	free(p.redirs);
	free(p.docs);
	free(p.functions);
	buf_free(&p.bytes);
}
