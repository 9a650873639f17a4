/*
 * words.c - the splitter of plain commands (see words.h).
 */
#include "lang/words.h"

#include <string.h>

#include "base/text.h"

/* What an unquoted ASCII character does to the answer: NULL and not in
 * literal[] means "character". */
static const char *const refuses[128] = {
	['\\'] = "backslash",
	['$'] = "expansion", ['`'] = "expansion",
	['*'] = "glob", ['?'] = "glob", ['['] = "glob", [']'] = "glob",
	['{'] = "brace", ['}'] = "brace",
	['~'] = "tilde",   /* also after '=' and ':' (bash), or inside (zsh) */
	['!'] = "history",
	[';'] = "operator", ['&'] = "operator", ['|'] = "operator",
	['<'] = "redirect", ['>'] = "redirect",
	['('] = "subshell", [')'] = "subshell",
};

/* Special only where a word begins: a comment; zsh's =NAME; history and zsh's
 * extended globs. */
static const char *const refuses_first[128] = {
	['#'] = "comment", ['='] = "equals", ['^'] = "history",
};

static const char literal[] =
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	"_-./:,+@%=#^";

/* Not commands but grammar, in one of the shells. "-" is zsh's login form. */
static const char *const reserved[] = {
	"!", "-", "[[", "]]", "case", "coproc", "do", "done", "elif", "else",
	"end", "esac", "fi", "for", "foreach", "function", "if", "in",
	"nocorrect", "noglob", "repeat", "select", "then", "time", "until",
	"while", "{", "}",
};

/* Builtins that run or assign what their words say, or that change how later
 * words are read. (Subscripts in names are evaluated: declare 'a[$(x)]=1'.) */
static const char *const builtins[] = {
	".", "alias", "autoload", "bind", "builtin", "command", "compgen",
	"complete", "declare", "emulate", "enable", "eval", "exec", "export",
	"fc", "float", "functions", "getopts", "hash", "history", "integer",
	"let", "local", "mapfile", "print", "read", "readarray", "readonly",
	"sched", "set", "setopt", "shopt", "source", "trap", "typeset",
	"unalias", "unset", "unsetopt", "vared", "wait", "zformat", "zle",
	"zmodload", "zparseopts", "zstyle",
};

/* Builtins that are harmless but for an evaluated subscript, a[$(x)]: a name
 * (printf -v, test -v) or, in zsh, a number. */
static const char *const subscripters[] = {
	"[", "break", "continue", "exit", "logout", "printf", "return", "shift",
	"test",
};

struct lexer {
	struct sv cmd;
	size_t i;
	char *text;        /* where the words' bytes go, or NULL to count */
	size_t n;          /* bytes put there */
	const char *why;   /* set: not plain */
};

static bool in_list(const char *const *list, size_t n, struct sv s)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (sv_eqs(s, list[i]))
			return true;
	}
	return false;
}
#define IN_LIST(list, s) in_list(list, sizeof(list) / sizeof((list)[0]), s)

static void lexer_put(struct lexer *lx, char c)
{
	if (lx->text != NULL)
		lx->text[lx->n] = c;
	lx->n++;
}

/* A quoted part: lx->i is at the opening quote. Inside double quotes nothing
 * that a shell would act on is taken, not even a backslash. */
static void lexer_quoted(struct lexer *lx)
{
	char quote = lx->cmd.p[lx->i], c;

	for (lx->i++; lx->i < lx->cmd.n; lx->i++) {
		c = lx->cmd.p[lx->i];
		if (c == quote) {
			lx->i++;
			return;
		}
		if (quote == '"' && strchr("\\$`!", c) != NULL) {
			lx->why = refuses[(unsigned char)c];
			return;
		}
		lexer_put(lx, c);
	}
	lx->why = "quote";
}

static void lexer_bare(struct lexer *lx, bool first)
{
	unsigned char c = (unsigned char)lx->cmd.p[lx->i];

	if (c < 0x80) {
		lx->why = refuses[c];
		if (first && lx->why == NULL)
			lx->why = refuses_first[c];
		if (lx->why == NULL && strchr(literal, c) == NULL)
			lx->why = "character";
	}
	if (lx->why == NULL) {
		lexer_put(lx, (char)c);
		lx->i++;
	}
}

/* The next word; false at the end or when lx->why is set. */
static bool lexer_word(struct lexer *lx, struct word *w)
{
	size_t start = lx->n;
	char c;

	while (lx->i < lx->cmd.n && lx->cmd.p[lx->i] == ' ')
		lx->i++;
	if (lx->i >= lx->cmd.n)
		return false;
	w->from = lx->i;
	while (lx->i < lx->cmd.n && lx->why == NULL) {
		c = lx->cmd.p[lx->i];
		if (c == ' ')
			break;
		if (c == '\'' || c == '"')
			lexer_quoted(lx);
		else
			lexer_bare(lx, lx->i == w->from);
	}
	w->to = lx->i;
	w->text = (struct sv){ lx->text == NULL ? NULL : lx->text + start,
		lx->n - start };
	return lx->why == NULL;
}

/* What is refused wherever it stands: this also covers tabs, invalid UTF-8,
 * blanks other than U+0020, right-to-left letters and long runs of blanks. */
static const char *refuse_bytes(struct sv cmd)
{
	const char *why = NULL;
	size_t i;

	if (cmd.n > WORDS_MAX_BYTES)
		return "limit";
	for (i = 0; i < cmd.n; i++) {
		if (cmd.p[i] == '\n' || cmd.p[i] == '\r')
			return "newline";
		if ((unsigned char)cmd.p[i] < 0x20 || cmd.p[i] == 0x7F)
			why = "control";
	}
	if (why == NULL && !esc_is_plain(cmd, ESC_STRICT))
		why = "hidden";
	return why;
}

/* The first word names the program: no assignment, nothing of the shell's own
 * grammar, and ASCII, so that no look-alike passes for a known name. */
static const char *refuse_name(const struct words *words)
{
	struct sv name = words->w[0].text;
	size_t i;

	if (name.n == 0)
		return "empty";
	for (i = 0; i < name.n; i++) {
		if (name.p[i] == '=')
			return "assignment";
		if (name.p[i] == ' ' || (unsigned char)name.p[i] >= 0x80)
			return "name";
	}
	if (name.p[0] == '%')
		return "job";
	if (IN_LIST(reserved, name))
		return "reserved";
	if (IN_LIST(builtins, name))
		return "builtin";
	for (i = 1; IN_LIST(subscripters, name) && i < words->n; i++) {
		if (memchr(words->w[i].text.p, '[', words->w[i].text.n) != NULL)
			return "subscript";
	}
	return NULL;
}

/* First pass: is every byte plain, and how many words are there? */
static const char *count_words(struct sv cmd, size_t *n)
{
	struct lexer lx = { .cmd = cmd };
	struct word w;

	*n = 0;
	while (lexer_word(&lx, &w))
		(*n)++;
	if (lx.why != NULL)
		return lx.why;
	if (*n == 0)
		return "empty";
	return *n > WORDS_MAX ? "limit" : NULL;
}

static const char *fill_words(struct sv cmd, size_t n, struct arena *a,
	struct words *out)
{
	struct lexer lx = { .cmd = cmd };

	out->w = arena_alloc(a, n * sizeof(*out->w));
	lx.text = arena_alloc(a, cmd.n);
	if (out->w == NULL || lx.text == NULL)
		return "limit";
	while (out->n < n && lexer_word(&lx, &out->w[out->n]))
		out->n++;
	return refuse_name(out);
}

enum words_status words_plain(struct sv cmd, struct arena *a,
	struct words *out, const char **why)
{
	const char *no;
	size_t n = 0;

	*out = (struct words){ NULL, 0 };
	no = refuse_bytes(cmd);
	if (no == NULL)
		no = count_words(cmd, &n);
	if (no == NULL)
		no = fill_words(cmd, n, a, out);
	if (no != NULL)
		*out = (struct words){ NULL, 0 };
	if (why != NULL)
		*why = no;
	return no == NULL ? WORDS_PLAIN : WORDS_NOT_PLAIN;
}
