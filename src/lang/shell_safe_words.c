/*
 * shell_safe_words.c - the words of one command against its row.
 */
#include "lang/shell_safe_priv.h"

#include <string.h>

#include "lang/sed_script.h"

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

/* Could a long option of that (maybe shortened) name be an unsafe one? */
static bool unsafe_long(const char *unsafe, struct sv name)
{
	struct sv tok;

	while (unsafe != NULL && next_token(&unsafe, &tok)) {
		if (tok.p[0] == '-' && name.n <= tok.n &&
		    memcmp(tok.p, name.p, name.n) == 0)
			return true;
	}
	return false;
}

static bool unsafe_short(const char *unsafe, char c)
{
	struct sv tok;

	while (unsafe != NULL && next_token(&unsafe, &tok)) {
		if (tok.p[0] != '-' && memchr(tok.p, c, tok.n) != NULL)
			return true;
	}
	return false;
}

int safe_listed(const char *only, struct sv name, bool letter)
{
	struct sv tok;

	while (next_token(&only, &tok)) {
		bool value = tok.n > 1 && tok.p[tok.n - 1] == '=';

		tok.n -= value;
		if (letter ? tok.p[0] != '-' && memchr(tok.p, name.p[0], tok.n) != NULL :
		    sv_eq(tok, name))
			return value ? 2 : 1;
	}
	return 0;
}

/* No name that begins with a dot may hide in a pattern. */
static bool glob_hides(struct sv s)
{
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '.' && (i == 0 || s.p[i - 1] == '/')) {
			size_t end = i;

			while (end < s.n && s.p[end] != '/')
				end++;
			for (size_t k = i; k < end; k++) {
				if (s.p[k] == '*' || s.p[k] == '?' || s.p[k] == '[')
					return true;
			}
		}
	}
	return false;
}

static const struct shell_command *parent(const struct safe_check *k)
{
	size_t at = k->c->parent;

	return at == SIZE_MAX ? NULL : &k->j->sh->commands[at];
}

/* Can no word at all make this row unsafe? */
static bool proof(const struct safe_row *row)
{
	return row->unsafe == NULL && row->only == NULL &&
		(row->how & (SAFE_ONE | SAFE_NONE | SAFE_PLUS | SAFE_SUBS | SAFE_SED |
		 SAFE_CD | SAFE_WRAPS | SAFE_QUERY)) == 0;
}

/* "{}" stands for a name that find or xargs puts there. */
static bool stands_for(const struct safe_check *k, const struct shell_word *w)
{
	return k->c->via != NULL && parent(k) != NULL &&
		(strcmp(k->c->via, "xargs") == 0 ||
		 sv_starts(sv_of(k->c->via), "find -exec")) &&
		memmem(w->text.p, w->text.n, "{}", 2) != NULL;
}

static bool operand(struct safe_check *k, const struct shell_word *w)
{
	enum shell_read_kind kind = k->tree ? SHELL_READ_TREE : SHELL_READ_PATH;
	unsigned how = k->row->how;

	k->operands++;
	if ((how & SAFE_NONE) != 0 || ((how & SAFE_ONE) != 0 && k->operands > 1) ||
	    ((how & SAFE_PLUS) != 0 && w->text.p[0] != '+') ||
	    ((how & SAFE_LISTS) != 0 && !k->lists) ||
	    ((how & SAFE_DOTTED) != 0 && memchr(w->text.p, '.', w->text.n) == NULL) ||
	    ((how & SAFE_NO_PATHS) != 0 && k->row->only != NULL &&
	     memmem(w->text.p, w->text.n, "://", 3) != NULL))
		return safe_no(k->j, "operand");
	if ((how & SAFE_SED) != 0 && !k->script) {
		k->script = true;
		return sed_script_tame(w->text) && w->parts == 0 ? true :
			safe_no(k->j, "script");
	}
	if ((how & (SAFE_NO_PATHS | SAFE_PLUS)) != 0)
		return true;
	if (k->pattern) {
		k->pattern = false;
		return true;
	}
	if ((w->parts & SHELL_GLOB) != 0)
		kind = SHELL_READ_GLOB;
	if (stands_for(k, w))
		kind = SHELL_READ_UNKNOWN;
	safe_add_path(k->j, w->text, kind, (size_t)(k->c - k->j->sh->commands));
	if ((how & SAFE_GIT) != 0) {   /* REVISION:PATH */
		const char *colon = memchr(w->text.p, ':', w->text.n);

		if (colon != NULL)
			safe_add_path(k->j, (struct sv){ colon + 1, w->text.n -
				(size_t)(colon - w->text.p) - 1 }, kind,
				(size_t)(k->c - k->j->sh->commands));
	}
	return true;
}

static bool long_option(struct safe_check *k, const struct shell_word *w)
{
	const char *eq = memchr(w->text.p, '=', w->text.n);
	struct sv name = { w->text.p, eq != NULL ? (size_t)(eq - w->text.p) : w->text.n };
	const char *list[] = { "--list", "--contains", "--no-contains", "--merged",
		"--no-merged", "--points-at" };
	int takes;

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
		k->lists = k->lists || sv_eqs(name, list[i]);
	if (sv_starts(w->text, "--regexp") || sv_starts(w->text, "--file"))
		k->pattern = false;
	if (sv_starts(w->text, "--rec") || sv_starts(w->text, "--dereference-rec"))
		k->tree = true;
	if (eq != NULL)
		safe_add_path(k->j, (struct sv){ eq + 1, w->text.n - name.n - 1 },
			SHELL_READ_PATH, (size_t)(k->c - k->j->sh->commands));
	if (unsafe_long(k->row->unsafe, name))
		return safe_no(k->j, "option");
	if (k->row->only == NULL)
		return true;
	takes = safe_listed(k->row->only, name, false);
	if (takes == 0)
		return safe_no(k->j, "option");
	if ((k->row->how & SAFE_SED) != 0 && sv_starts(name, "--exp")) {
		k->script = true;
		if (eq == NULL || !sed_script_tame((struct sv){ eq + 1,
		    w->text.n - name.n - 1 }))
			return safe_no(k->j, "script");
	}
	if (takes == 2 && eq == NULL)
		k->at++;
	return true;
}

/* sed -e SCRIPT: at the end of a cluster, the next word. */
static bool sed_option(struct safe_check *k)
{
	const struct shell_word *w;

	if (k->at + 1 >= k->c->n_words)
		return safe_no(k->j, "script");
	w = &k->c->words[++k->at];
	k->script = true;
	return sed_script_tame(w->text) && w->parts == 0 ? true : safe_no(k->j, "script");
}

static bool short_options(struct safe_check *k, const struct shell_word *w)
{
	bool digits = true;

	for (size_t i = 1; i < w->text.n; i++)
		digits = digits && w->text.p[i] >= '0' && w->text.p[i] <= '9';
	if (digits && (k->row->how & (SAFE_ONE | SAFE_NONE | SAFE_SUBS)) == 0)
		return true;           /* head -20 */
	if (w->text.n > 2)             /* -fFILE */
		safe_add_path(k->j, (struct sv){ w->text.p + 2, w->text.n - 2 },
			SHELL_READ_PATH, (size_t)(k->c - k->j->sh->commands));
	for (size_t i = 1; i < w->text.n; i++) {
		char c = w->text.p[i];
		int takes;

		if (c == 'e' || c == 'f')
			k->pattern = false;
		if (c == 'r' || c == 'R')
			k->tree = true;
		if (c == 'l' && strcmp(k->row->name, "git tag") == 0)
			k->lists = true;
		if (unsafe_short(k->row->unsafe, c))
			return safe_no(k->j, "option");
		if (k->row->only == NULL)
			continue;
		takes = safe_listed(k->row->only, (struct sv){ &c, 1 }, true);
		if (takes == 0)
			return safe_no(k->j, "option");
		if (takes == 2 && i + 1 == w->text.n && (k->row->how & SAFE_SED) != 0)
			return sed_option(k);
		if (takes == 2 && (k->row->how & SAFE_SED) != 0)
			return safe_no(k->j, "script");
		if (takes == 2) {
			if (i + 1 == w->text.n)
				k->at++;
			return true;
		}
	}
	return true;
}

/* find: everything that begins with "-" is one of the table's. */
static bool find_word(struct safe_check *k, const struct shell_word *w)
{
	if (w->text.n > 1 && w->text.p[0] == '-') {
		k->ended = true;       /* of the places to look */
		if (safe_listed(k->row->only, w->text, false) == 0)
			return safe_no(k->j, "option");
		if (sv_starts(w->text, "-exec")) {
			/* what it runs is a row of its own */
			for (k->at++; k->at < k->c->n_words; k->at++) {
				if (sv_eqs(k->c->words[k->at].text, ";") ||
				    (sv_eqs(k->c->words[k->at].text, "+") &&
				     sv_eqs(k->c->words[k->at - 1].text, "{}")))
					break;
			}
		}
		return true;
	}
	if (!k->ended) {
		k->operands++;
		safe_add_path(k->j, w->text, SHELL_READ_TREE,
			(size_t)(k->c - k->j->sh->commands));
	}
	return true;
}

static bool glob_ok(struct safe_check *k, const struct shell_word *w)
{
	bool wild = w->text.n > 0 && strchr("*?[", w->text.p[0]) != NULL;

	if (w->quoted || glob_hides(w->text) || (k->row->how & (SAFE_ONE | SAFE_NONE |
	    SAFE_SUBS | SAFE_CD | SAFE_SED)) != 0 || (w->text.n > 0 && w->text.p[0] == '-'))
		return safe_no(k->j, "expansion");
	/* its first character could be '-' */
	return !wild || k->ended || proof(k->row) ? true : safe_no(k->j, "expansion");
}

static bool word(struct safe_check *k, const struct shell_word *w)
{
	bool option = !k->ended && w->text.n > 1 && w->text.p[0] == '-';

	if (w->parts != 0 && (w->parts != SHELL_GLOB || !glob_ok(k, w)))
		return safe_no(k->j, "expansion");
	if (stands_for(k, w) && w->text.p[0] == '{' && !proof(k->row) && !k->ended &&
	    strcmp(k->c->via, "xargs") == 0)
		return safe_no(k->j, "operand");
	if ((k->row->how & SAFE_FIND) != 0)
		return find_word(k, w);
	if (option && sv_eqs(w->text, "--")) {
		k->ended = true;
		return true;
	}
	if (option)
		return w->text.p[1] == '-' ? long_option(k, w) : short_options(k, w);
	return operand(k, w);
}

static bool rest_of_row(struct safe_check *k)
{
	struct safe_judge *j = k->j;
	size_t row = (size_t)(k->c - j->sh->commands);

	k->pattern = (k->row->how & SAFE_PATTERN) != 0;
	k->tree = (k->row->how & SAFE_TREE) != 0;
	/* an option behind an operand counts for all of them */
	for (size_t i = k->at; i < k->c->n_words; i++) {
		if ((k->row->how & SAFE_LISTS) != 0 && sv_starts(k->c->words[i].text, "--"))
			k->lists = k->lists || sv_eqs(k->c->words[i].text, "--list");
	}
	for (; k->at < k->c->n_words; k->at++) {
		if (!word(k, &k->c->words[k->at]))
			return false;
	}
	if (k->c->more_words) {
		if (!proof(k->row) && !k->ended)
			return safe_no(j, "operand");
		safe_add_read(j, SV("."), SHELL_READ_UNKNOWN, row);
	} else if (k->tree && k->operands <= ((k->row->how & SAFE_PATTERN) != 0 ? 1 : 0)) {
		safe_add_path(j, SV("."), SHELL_READ_TREE, row);
	}
	if ((k->row->how & SAFE_SED) != 0 && !k->script)
		return safe_no(j, "script");
	if ((k->row->how & SAFE_GIT) != 0 && j->cd)
		return safe_no(j, "cd_git"); /* that repository's settings run programs */
	if ((k->row->how & SAFE_ENV) != 0)
		safe_add_read(j, SV("/proc/self/environ"), SHELL_READ_PATH, row);
	if ((k->row->how & SAFE_CD) != 0) {
		if (k->operands != 1 || sv_eqs(k->c->words[k->at - 1].text, "-"))
			return safe_no(j, "operand");
		j->dir = k->c->words[k->at - 1].text;
		if (j->cd && j->dir.p[0] != '/')
			return safe_no(j, "operand");
		j->cd = true;
	}
	return true;
}

/* "git log", "docker compose ps": to the row of the subcommand. */
static bool subcommand(struct safe_check *k)
{
	const struct safe_row *sub;

	for (;; k->at++) {
		const struct shell_word *w;

		if (k->at >= k->c->n_words)
			return (k->row->how & SAFE_BARE) != 0 && !k->c->more_words ?
				true : safe_no(k->j, "operand");
		w = &k->c->words[k->at];
		if (w->parts != 0)
			return safe_no(k->j, "expansion");
		sub = safe_find(sv_of(k->row->name), w->text);
		if (sub != NULL)
			break;
		if (w->text.n < 2 || w->text.p[0] != '-')
			return safe_no(k->j, "operand");
		if (!(w->text.p[1] == '-' ? long_option(k, w) : short_options(k, w)))
			return false;
	}
	k->row = sub;
	k->at++;
	return (sub->how & SAFE_SUBS) != 0 ? subcommand(k) : true;
}

bool safe_words(struct safe_check *k)
{
	if ((k->row->how & SAFE_SUBS) != 0 && !subcommand(k))
		return false;
	return rest_of_row(k);
}
