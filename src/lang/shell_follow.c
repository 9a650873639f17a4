/*
 * shell_follow.c - what a command runs in the end: its name, its variables,
 * the shell's own builtins, code, and what feeds an interpreter.
 */
#include "lang/shell_priv.h"

#include <string.h>

#include "lang/sed_script.h"

struct sv sp_basename(struct sv s)
{
	for (size_t i = s.n; i > 0; i--) {
		if (s.p[i - 1] == '/')
			return (struct sv){ s.p + i, s.n - i };
	}
	return s;
}

static const char *why_not_literal(unsigned parts)
{
	return parts & (SHELL_SUBSTITUTION | SHELL_PROCESS) ? "substitution_command" :
		parts & (SHELL_VARIABLE | SHELL_ARITHMETIC) ? "variable_command" :
		parts & SHELL_GLOB ? "glob_command" :
		parts & SHELL_BRACE ? "brace_command" : "variable_command";
}

/* ---- what is inside ---- */

void sp_follow_words(struct sp *p, size_t row, const char *via, size_t from,
	size_t to, bool more)
{
	struct shell_command *in;
	size_t at;

	if (from >= to || p->stop_all)
		return;
	if (p->rows[row].depth + 1 > SHELL_MAX_DEPTH) {
		sp_row_opaque(p, row, "too_deep");
		return;
	}
	at = sp_row_new(p);
	if (at == SP_NO_ROW)
		return;
	in = &p->rows[at];
	*in = p->rows[row];
	in->words = p->rows[row].words + from;
	in->n_words = to - from;
	in->assigns = NULL;
	in->redirects = NULL;
	in->n_assigns = in->n_redirects = 0;
	in->join = SHELL_END;
	in->depth++;
	in->parent = row;
	in->via = via;
	in->opaque = NULL;
	in->more_words = more;
	in->code = (struct shell_code){ .lang = NULL };
	in->from = in->words[0].from;
	in->to = in->words[in->n_words - 1].to;
	sp_follow(p, at);
}

void sp_follow_line(struct sp *p, size_t row, const char *via,
	const struct shell_word *w)
{
	if (sp_literal(w))
		sp_script(p, row, via, w->text, w->from, w->to);
	else
		sp_row_opaque(p, row, why_not_literal(w->parts));
}

/* ssh and the like send their words joined by blanks. */
void sp_follow_joined(struct sp *p, size_t row, const char *via, size_t from,
	size_t to)
{
	size_t mark = p->bytes.n;
	const struct shell_word *w = p->rows[row].words;
	struct sv line;

	for (size_t i = from; i < to; i++) {
		if (!sp_literal(&w[i])) {
			sp_row_opaque(p, row, why_not_literal(w[i].parts));
			p->bytes.n = mark;
			return;
		}
		if (i > from)
			buf_addc(&p->bytes, ' ');
		buf_addsv(&p->bytes, w[i].text);
	}
	line = arena_sv(p->a, (struct sv){ p->bytes.p + mark, p->bytes.n - mark });
	p->bytes.n = mark;
	if (p->bytes.over || arena_over(p->a))
		p->stop_all = true;
	else if (line.n > 0)
		sp_script(p, row, via, line, w[from].from, w[to - 1].to);
}

/* awk that only selects and prints; the rest runs, writes or loads. */
static bool awk_tame(struct sv code)
{
	static const char *const wild[] = {
		"system", "getline", "|", ">", "@", "close", "printf >", "ENVIRON",
	};

	for (size_t i = 0; i < sizeof(wild) / sizeof(wild[0]); i++) {
		if (memmem(code.p, code.n, wild[i], strlen(wild[i])) != NULL)
			return false;
	}
	return true;
}

void sp_code(struct sp *p, size_t row, const struct wrapper *wr,
	const struct shell_word *w)
{
	struct shell_code *code = &p->rows[row].code;
	bool literal = sp_literal(w);

	if (code->lang == NULL)
		*code = (struct shell_code){ .lang = wr->lang, .text = w->text,
			.literal = literal, .from = w->from, .to = w->to };
	if (literal && strcmp(wr->lang, "sed") == 0 && sed_script_tame(w->text))
		return;
	if (literal && strcmp(wr->lang, "awk") == 0 && awk_tame(w->text))
		return;
	sp_row_opaque(p, row, wr->why != NULL ? wr->why : "interpreter_code");
}

/* ---- standard input ---- */

static const struct shell_redirect *fed_by(const struct sp *p, size_t *index)
{
	const struct shell_command *c;

	if (p->stdin_row == SP_NO_ROW)
		return NULL;
	c = &p->rows[p->stdin_row];
	for (size_t i = c->n_redirects; i > 0; i--) {
		const struct shell_redirect *r = &c->redirects[i - 1];

		*index = i - 1;
		if ((r->fd == 0 || r->fd == -1) && (r->op == SHELL_IN ||
		    r->op == SHELL_HEREDOC || r->op == SHELL_HERESTRING ||
		    r->op == SHELL_INOUT || r->op == SHELL_DUP_IN))
			return r;
	}
	return NULL;
}

/* The heredoc's body comes later: note who reads it. */
static bool wait_for_doc(struct sp *p, size_t row, size_t redirect, const char *lang,
	const char *via)
{
	for (size_t i = p->n_docs; i > p->docs_from; i--) {
		struct sp_heredoc *d = &p->docs[i - 1];

		if (d->row == p->stdin_row && d->redirect == redirect) {
			d->reader = row;
			d->lang = lang;
			d->via = via;
			return true;
		}
	}
	return false;
}

void sp_stdin(struct sp *p, size_t row, const struct wrapper *wr)
{
	size_t index = 0;
	const struct shell_redirect *r = fed_by(p, &index);
	const char *idle = (wr->bits & WRAP_REMOTE) != 0 ? "remote_command" :
		"interpreter_stdin";

	if (r != NULL && r->op == SHELL_HEREDOC) {
		if (!wait_for_doc(p, row, index, wr->lang, wr->name))
			sp_row_opaque(p, row, "interpreter_stdin");
	} else if (r != NULL && r->op == SHELL_HERESTRING) {
		struct shell_word w = r->target;

		if (wr->lang == NULL && sp_literal(&w)) {
			sp_follow_line(p, row, wr->name, &w);
		} else {
			if (wr->lang != NULL)
				sp_code(p, row, wr, &w);
			sp_row_opaque(p, row, "interpreter_stdin");
		}
	} else if (r != NULL) {
		sp_row_opaque(p, row, "interpreter_stdin");
	} else if (p->at.decoded) {
		sp_row_opaque(p, row, "decoded_to_shell");
	} else if (p->at.piped) {
		sp_row_opaque(p, row, wr->lang != NULL ? "interpreter_stdin" :
			"piped_to_shell");
	} else if ((wr->bits & WRAP_IF_FED) == 0) {
		sp_row_opaque(p, row, idle);
	}
}

/* ---- the name ---- */

static bool decodes(struct sv name)
{
	static const char *const names[] = {
		"base64", "base32", "basenc", "xxd", "openssl", "gpg", "gunzip",
		"gzip", "zcat", "bzip2", "bzcat", "bunzip2", "xz", "xzcat", "unxz",
		"zstd", "zstdcat", "uudecode", "rev", "tr", "iconv", "unzip", "tar",
		"hexdump", "od", "age", "lz4", "brotli",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (sv_eqs(name, names[i]))
			return true;
	}
	return false;
}

static const char *bad_name(const struct shell_word *w)
{
	if (!sp_literal(w) && w->parts != SHELL_TILDE)
		return why_not_literal(w->parts);
	if (w->parts == SHELL_TILDE && (w->text.p[0] == '=' || w->quoted))
		return w->quoted ? "variable_command" : "zsh_syntax";
	if (w->text.n == 0 || w->text.p[0] == '%')
		return "syntax";
	for (size_t i = 0; i < w->text.n; i++) {
		unsigned char c = (unsigned char)w->text.p[i];

		if (c <= ' ' || c >= 0x7F)
			return "lookalike_command";
	}
	return NULL;
}

void sp_follow(struct sp *p, size_t row)
{
	const struct shell_command *c = &p->rows[row];
	const struct wrapper *wr;
	const char *bad;
	struct sv name;

	for (size_t i = 0; i < c->n_assigns; i++) {
		if (sp_assign_risky(c->assigns[i].text)) {
			sp_row_opaque(p, row, "assignment_env");
			break;
		}
	}
	if (c->n_words == 0)
		return;
	bad = bad_name(&c->words[0]);
	if (bad != NULL) {
		sp_row_opaque(p, row, bad);
		return;
	}
	name = sp_basename(c->words[0].text);
	if (decodes(name))
		p->decoder = true;
	wr = wrapper_find(name, SV_NONE);
	if (wr != NULL)
		sp_wrapper(p, row, wr, 1);
	else if (name.p == c->words[0].text.p)
		sp_builtin(p, row);
}
