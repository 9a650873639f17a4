/*
 * shell_builtin.c - the shell's own commands that run, define or assign what
 * their words say.
 */
#include "lang/shell_priv.h"

#include <string.h>

/* Nothing can be told about what comes after them. */
static const struct {
	const char *name, *why;
} opaque_builtins[] = {
	{ ".", "source" }, { "source", "source" },
	{ "alias", "alias" }, { "unalias", "alias" }, { "hash", "alias" },
	{ "enable", "alias" }, { "bind", "eval" }, { "complete", "eval" },
	{ "compgen", "eval" }, { "fc", "eval" }, { "autoload", "zsh_syntax" },
	{ "emulate", "zsh_syntax" }, { "setopt", "zsh_syntax" },
	{ "unsetopt", "zsh_syntax" }, { "zmodload", "zsh_syntax" },
	{ "zle", "zsh_syntax" }, { "vared", "zsh_syntax" }, { "sched", "zsh_syntax" },
	{ "zcompile", "zsh_syntax" }, { "functions", "zsh_syntax" },
};

/* Evaluate subscripts, a[$(x)], even from quotes. */
static const char *const subscripters[] = {
	"[", "break", "continue", "declare", "exit", "export", "getopts", "let",
	"local", "logout", "mapfile", "printf", "read", "readarray", "readonly",
	"return", "shift", "test", "typeset", "unset", "wait",
};
static const char *const declares[] = {
	"declare", "export", "local", "readonly", "typeset",
};

static bool in(const char *const *list, size_t n, struct sv s)
{
	for (size_t i = 0; i < n; i++) {
		if (sv_eqs(s, list[i]))
			return true;
	}
	return false;
}
#define IN(list, s) in(list, sizeof(list) / sizeof((list)[0]), s)

static bool evaluates(const struct shell_word *w)
{
	return w->quoted && memchr(w->text.p, '[', w->text.n) != NULL &&
		(memmem(w->text.p, w->text.n, "$(", 2) != NULL ||
		 memchr(w->text.p, '`', w->text.n) != NULL);
}

/* trap LINE SIGNALS: "-", "" and a number alone restore or ignore. */
static void trap(struct sp *p, size_t row)
{
	const struct shell_command *c = &p->rows[row];
	size_t at = c->n_words > 1 && sv_eqs(c->words[1].text, "--") ? 2 : 1;

	if (at + 1 >= c->n_words || sv_eqs(c->words[at].text, "-") ||
	    c->words[at].text.n == 0)
		return;
	sp_row_opaque(p, row, "trap");
	sp_follow_line(p, row, "trap", &p->rows[row].words[at]);
}

static void shopt(struct sp *p, size_t row)
{
	const struct shell_command *c = &p->rows[row];

	for (size_t i = 1; i < c->n_words; i++) {
		if (sv_eqs(c->words[i].text, "expand_aliases"))
			sp_row_opaque(p, row, "alias");
		if (sv_eqs(c->words[i].text, "extglob") || !sp_literal(&c->words[i]))
			sp_row_opaque(p, row, "syntax");
	}
}

void sp_builtin(struct sp *p, size_t row)
{
	const struct shell_command *c = &p->rows[row];
	struct sv name = c->words[0].text;

	for (size_t i = 0; i < sizeof(opaque_builtins) / sizeof(opaque_builtins[0]); i++) {
		if (sv_eqs(name, opaque_builtins[i].name))
			sp_row_opaque(p, row, opaque_builtins[i].why);
	}
	for (size_t i = 1; i < c->n_words; i++) {
		const struct shell_word *w = &c->words[i];

		if (IN(declares, name) && sp_assign_risky(w->text))
			sp_row_opaque(p, row, "assignment_env");
		if (IN(subscripters, name) && evaluates(w))
			sp_row_opaque(p, row, "eval");
	}
	if (sv_eqs(name, "trap"))
		trap(p, row);
	else if (sv_eqs(name, "shopt"))
		shopt(p, row);
	else if ((sv_eqs(name, "mapfile") || sv_eqs(name, "readarray")) &&
		 c->n_words > 2)
		sp_row_opaque(p, row, "eval");
}
