/*
 * shell_print.c - see shell_print.h.
 */
#include "shell_print.h"

static void print_word(struct buf *b, const struct shell_word *w)
{
	if (w->odd_quotes)
		buf_addc(b, '%');
	if ((w->parts & ~(unsigned)SHELL_ANSI_C) != 0)
		buf_addc(b, '$');
	buf_addsv(b, w->text);
}

static void print_redirect(struct buf *b, const struct shell_redirect *r)
{
	static const char *const ops[] = {
		[SHELL_IN] = "<", [SHELL_OUT] = ">", [SHELL_APPEND] = ">>",
		[SHELL_CLOBBER] = ">|", [SHELL_INOUT] = "<>", [SHELL_DUP_IN] = "<&",
		[SHELL_DUP_OUT] = ">&", [SHELL_BOTH] = "&>",
		[SHELL_BOTH_APPEND] = "&>>", [SHELL_HEREDOC] = "<<",
		[SHELL_HERESTRING] = "<<<",
	};

	buf_addc(b, '<');
	if (r->fd != -1)
		buf_addf(b, "%d", r->fd);
	buf_adds(b, ops[r->op]);
	print_word(b, &r->target);
	if (r->op == SHELL_HEREDOC) {
		buf_addc(b, r->body_literal ? ':' : '$');
		buf_addsv(b, r->body);
	}
	buf_addc(b, '>');
}

void shell_print(const struct shell *sh, struct buf *b)
{
	static const char *const joins[] = {
		[SHELL_END] = "", [SHELL_SEQ] = " ;", [SHELL_AND] = " &&",
		[SHELL_OR] = " ||", [SHELL_PIPE] = " |", [SHELL_PIPE_BOTH] = " |&",
		[SHELL_BACKGROUND] = " &",
	};

	for (size_t i = 0; i < sh->n_commands; i++) {
		const struct shell_command *c = &sh->commands[i];

		if (i > 0)
			buf_adds(b, " / ");
		if (c->via != NULL)
			buf_addf(b, "%s>", c->via);
		for (size_t k = 0; k < c->n_assigns; k++) {
			buf_addc(b, '[');
			print_word(b, &c->assigns[k]);
			buf_addc(b, ']');
		}
		for (size_t k = 0; k < c->n_words; k++) {
			if (k > 0)
				buf_addc(b, '|');
			print_word(b, &c->words[k]);
		}
		for (size_t k = 0; k < c->n_redirects; k++)
			print_redirect(b, &c->redirects[k]);
		if (c->code.lang != NULL)
			buf_addf(b, "{%s}", c->code.lang);
		if (c->more_words)
			buf_adds(b, "...");
		buf_adds(b, joins[c->join]);
		if (c->opaque != NULL)
			buf_addf(b, "!%s", c->opaque);
	}
	if (sh->opaque != NULL)
		buf_addf(b, " (%s)", sh->opaque);
}
