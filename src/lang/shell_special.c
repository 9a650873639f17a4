/*
 * shell_special.c - programs whose words follow no option table: find, fd,
 * git, tar, env -S, and the shell's own builtins.
 */
#include "lang/shell_priv.h"

#include <string.h>

static const struct shell_word *words_of(const struct sp *p, size_t row, size_t *n)
{
	*n = p->rows[row].n_words;
	return p->rows[row].words;
}

static bool is(const struct shell_word *w, const char *text)
{
	return sp_literal(w) && sv_eqs(w->text, text);
}

/* The end of a command inside find's or fd's words: ";" or "{} +". */
static size_t exec_end(const struct shell_word *w, size_t n, size_t from, bool plus)
{
	for (size_t i = from; i < n; i++) {
		if (is(&w[i], ";") || (plus && i > from && is(&w[i], "+") &&
		    is(&w[i - 1], "{}")))
			return i;
	}
	return n;
}

void sp_find(struct sp *p, size_t row)
{
	static const struct {
		const char *name, *via;
		size_t words;          /* with its own; 0: a command follows */
	} acts[] = {
		{ "-exec", "find -exec", 0 }, { "-execdir", "find -execdir", 0 },
		{ "-ok", "find -ok", 0 }, { "-okdir", "find -okdir", 0 },
		{ "-delete", "find -delete", 1 }, { "-fprint", "find -fprint", 2 },
		{ "-fprint0", "find -fprint", 2 }, { "-fls", "find -fprint", 2 },
		{ "-fprintf", "find -fprint", 3 },
	};
	size_t n, end;
	const struct shell_word *w = words_of(p, row, &n);

	for (size_t i = 1; i < n && !p->stop_all; i++) {
		for (size_t k = 0; k < sizeof(acts) / sizeof(acts[0]); k++) {
			if (!is(&w[i], acts[k].name))
				continue;
			if (acts[k].words > 0) {
				end = i + acts[k].words < n ? i + acts[k].words : n;
				sp_follow_words(p, row, acts[k].via, i, end, false);
			} else {
				end = exec_end(w, n, i + 1, true);
				if (end == n || end == i + 1)
					sp_row_opaque(p, row, "wrapper_options");
				sp_follow_words(p, row, acts[k].via, i + 1, end, false);
				i = end;
			}
			break;
		}
	}
	if (p->rows[row].more_words)
		sp_row_opaque(p, row, "wrapper_options");  /* -exec may come */
}

void sp_fd(struct sp *p, size_t row)
{
	size_t n, end;
	const struct shell_word *w = words_of(p, row, &n);

	for (size_t i = 1; i < n; i++) {
		struct sv t = w[i].text;

		if (!sp_literal(&w[i]) || t.n < 2 || t.p[0] != '-')
			continue;
		if (is(&w[i], "-x") || is(&w[i], "-X") || is(&w[i], "--exec") ||
		    is(&w[i], "--exec-batch")) {
			end = exec_end(w, n, i + 1, false);
			sp_follow_words(p, row, "fd", i + 1, end, true);
			i = end;
		} else if (sv_starts(t, "--exec") || sv_starts(t, "--ex=") ||
			   (t.p[1] != '-' && (memchr(t.p, 'x', t.n) != NULL ||
			    memchr(t.p, 'X', t.n) != NULL))) {
			sp_row_opaque(p, row, "wrapper_options");
		}
	}
}

/* ---- git ---- */

/* Settings that name a program; a '*' stands for anything. */
static const char *const git_runs[] = {
	"core.pager", "core.editor", "core.sshcommand", "core.fsmonitor",
	"core.askpass", "core.gitproxy", "core.alternaterefscommand", "pager.*",
	"sequence.editor", "diff.external", "*.textconv", "*.command", "*.clean",
	"*.smudge", "*.process", "*.driver", "*.cmd", "*.program", "*.helper",
	"*.uploadpack", "*.receivepack", "*.packobjectshook", "interactive.difffilter",
	"sendemail.*cmd", "uploadpack.*",
};
/* Settings that cannot run anything or lead anywhere else. */
static const char *const git_tame[] = {
	"user.name", "user.email", "color.*", "advice.*", "core.quotepath",
	"core.autocrlf", "core.safecrlf", "core.filemode", "core.longpaths",
	"core.abbrev", "core.whitespace", "init.defaultbranch", "commit.gpgsign",
	"tag.gpgsign", "diff.renames", "diff.algorithm", "diff.context",
	"diff.noprefix", "log.*", "column.*", "status.*", "merge.conflictstyle",
	"merge.renames", "pull.rebase", "pull.ff", "push.default", "fetch.prune",
	"rebase.autosquash", "rebase.autostash", "rerere.enabled", "gc.auto",
	"http.postbuffer", "http.version", "protocol.version", "core.commentchar",
};

static bool config_in(const char *const *list, size_t n, struct sv key)
{
	char low[128];

	if (key.n == 0 || key.n >= sizeof(low))
		return false;
	for (size_t i = 0; i < key.n; i++)
		low[i] = (char)(key.p[i] >= 'A' && key.p[i] <= 'Z' ?
			key.p[i] + 32 : key.p[i]);
	low[key.n] = '\0';
	for (size_t i = 0; i < n; i++) {
		size_t len = strlen(list[i]);

		if (list[i][0] == '*' ? sv_ends((struct sv){ low, key.n }, list[i] + 1) :
		    list[i][len - 1] == '*' ? strncmp(low, list[i], len - 1) == 0 :
		    strcmp(low, list[i]) == 0)
			return true;
	}
	return false;
}
#define CONFIG_IN(list, key) config_in(list, sizeof(list) / sizeof((list)[0]), key)

static bool boolean(struct sv v)
{
	return v.n == 0 || sv_eqs(v, "true") || sv_eqs(v, "false") || sv_eqs(v, "0") ||
		sv_eqs(v, "1") || sv_eqs(v, "cat") || sv_eqs(v, "less");
}

static void follow_text(struct sp *p, size_t row, const char *via,
	const struct shell_word *w, struct sv text)
{
	struct shell_word in = *w;

	in.text = text;
	sp_follow_line(p, row, via, &in);
}

/* A setting: key and value. */
static void git_setting(struct sp *p, size_t row, const struct shell_word *w,
	struct sv key, struct sv value)
{
	bool alias = key.n > 6 && strncasecmp(key.p, "alias.", 6) == 0;

	if (alias && value.n > 0 && value.p[0] == '!')
		follow_text(p, row, "git alias", w,
			(struct sv){ value.p + 1, value.n - 1 });
	if (alias)
		sp_row_opaque(p, row, "alias");
	else if (CONFIG_IN(git_runs, key) && !boolean(value))
		follow_text(p, row, "git -c", w, value);
	else if (!CONFIG_IN(git_tame, key) && !boolean(value))
		sp_row_opaque(p, row, "wrapper_options");
	if (!sp_literal(w) && !CONFIG_IN(git_tame, key))
		sp_row_opaque(p, row, "variable_command");
}

static void git_pair(struct sp *p, size_t row, const struct shell_word *w,
	struct sv text)
{
	const char *eq = memchr(text.p, '=', text.n);
	size_t n = eq == NULL ? text.n : (size_t)(eq - text.p);

	git_setting(p, row, w, (struct sv){ text.p, n }, eq == NULL ? SV("") :
		(struct sv){ eq + 1, text.n - n - 1 });
}

/* git's own options; the index of the subcommand. */
static size_t git_front(struct sp *p, size_t row)
{
	size_t n, i;
	const struct shell_word *w = words_of(p, row, &n);

	for (i = 1; i < n; i++) {
		struct sv t = w[i].text;

		if (t.n == 0 || t.p[0] != '-')
			break;
		if (is(&w[i], "-c") && i + 1 < n) {
			i++;
			git_pair(p, row, &w[i], w[i].text);
		} else if (is(&w[i], "-C") || is(&w[i], "--git-dir") ||
			   is(&w[i], "--work-tree") || is(&w[i], "--namespace")) {
			i++;
		} else if (sv_starts(t, "--config-env") || sv_starts(t, "--exec-path=")) {
			sp_row_opaque(p, row, "wrapper_options");
		}
	}
	return i;
}

/* Options of subcommands whose value is a line for a shell. */
static const char *const git_lines[] = {
	"--upload-pack", "--receive-pack", "--exec", "--extcmd", "--tree-filter",
	"--index-filter", "--parent-filter", "--msg-filter", "--commit-filter",
	"--tag-name-filter", "--env-filter", "--setup", "--sendmail-cmd",
	"--to-cmd", "--cc-cmd", "--smtp-server", "--open-files-in-pager",
};

static void git_option(struct sp *p, size_t row, size_t i, size_t sub)
{
	size_t n;
	const struct shell_word *w = words_of(p, row, &n);
	struct sv t = w[i].text;
	const char *eq = memchr(t.p, '=', t.n);
	size_t len = eq == NULL ? t.n : (size_t)(eq - t.p);
	bool rebase = is(&w[sub], "rebase"), clone = is(&w[sub], "clone");

	for (size_t k = 0; k < sizeof(git_lines) / sizeof(git_lines[0]); k++) {
		if (len < 5 || len > strlen(git_lines[k]) ||
		    memcmp(t.p, git_lines[k], len) != 0)
			continue;
		if (eq != NULL)
			follow_text(p, row, git_lines[k], &w[i],
				(struct sv){ eq + 1, t.n - len - 1 });
		else if (i + 1 < n)
			sp_follow_line(p, row, git_lines[k], &w[i + 1]);
		return;
	}
	if (((rebase || is(&w[sub], "difftool")) && is(&w[i], "-x")) ||
	    (clone && is(&w[i], "-u"))) {
		if (i + 1 < n)
			sp_follow_line(p, row, rebase ? "git rebase -x" :
				"git --upload-pack", &w[i + 1]);
	} else if ((rebase && sv_starts(t, "-x")) || (is(&w[sub], "grep") &&
		   sv_starts(t, "-O")) || (clone && sv_starts(t, "-u"))) {
		sp_row_opaque(p, row, "wrapper_options");
	} else if (clone && (is(&w[i], "-c") || is(&w[i], "--config")) && i + 1 < n) {
		git_pair(p, row, &w[i + 1], w[i + 1].text);
	} else if (clone && sv_starts(t, "--config=")) {
		git_pair(p, row, &w[i], (struct sv){ t.p + 9, t.n - 9 });
	}
}

static void git_sub(struct sp *p, size_t row, size_t sub)
{
	size_t n;
	const struct shell_word *w = words_of(p, row, &n);
	bool config = is(&w[sub], "config");

	if (!sp_literal(&w[sub]))
		sp_row_opaque(p, row, "variable_command");
	if (is(&w[sub], "bisect") && sub + 1 < n && is(&w[sub + 1], "run"))
		sp_follow_words(p, row, "git bisect run", sub + 2, n, false);
	if (is(&w[sub], "submodule") && sub + 1 < n && is(&w[sub + 1], "foreach"))
		sp_follow_joined(p, row, "git submodule foreach", sub + 2 +
			(sub + 2 < n && is(&w[sub + 2], "--recursive")), n);
	for (size_t i = sub + 1; i < n && !p->stop_all; i++) {
		struct sv t = w[i].text;

		if (t.n > 1 && t.p[0] == '-')
			git_option(p, row, i, sub);
		else if (sv_starts(t, "ext::"))
			follow_text(p, row, "git ext::", &w[i],
				(struct sv){ t.p + 5, t.n - 5 });
		else if (config && i + 1 < n && (CONFIG_IN(git_runs, t) ||
			 (t.n > 6 && strncasecmp(t.p, "alias.", 6) == 0)))
			git_setting(p, row, &w[i + 1], t, w[i + 1].text);
	}
}

void sp_git(struct sp *p, size_t row)
{
	size_t n, sub = git_front(p, row);

	words_of(p, row, &n);
	if (sub < n)
		git_sub(p, row, sub);
	else if (p->rows[row].more_words)
		sp_row_opaque(p, row, "piped_to_shell");
}

/* ---- tar ---- */

/* -I PROGRAM and -F SCRIPT, alone or behind other letters. */
static void tar_letters(struct sp *p, size_t row, size_t i)
{
	size_t n;
	const struct shell_word *w = words_of(p, row, &n);
	struct sv t = w[i].text;

	for (size_t k = 1; k < t.n; k++) {
		if (strchr("fCTXbgKNVLH", t.p[k]) != NULL)
			return;                /* the rest is its value */
		if (t.p[k] != 'I' && t.p[k] != 'F')
			continue;
		if (k + 1 < t.n)
			follow_text(p, row, "tar -I", &w[i],
				(struct sv){ t.p + k + 1, t.n - k - 1 });
		else if (i + 1 < n)
			sp_follow_line(p, row, "tar -I", &w[i + 1]);
		return;
	}
}

void sp_tar(struct sp *p, size_t row)
{
	static const char *const lines[] = {
		"--to-command", "--use-compress-program", "--info-script",
		"--new-volume-script", "--rsh-command", "--rmt-command",
	};
	size_t n;
	const struct shell_word *w = words_of(p, row, &n);

	for (size_t i = 1; i < n && !p->stop_all; i++) {
		struct sv t = w[i].text;
		const char *eq = memchr(t.p, '=', t.n);
		size_t len = eq == NULL ? t.n : (size_t)(eq - t.p);
		struct sv value = eq == NULL ? SV("") :
			(struct sv){ eq + 1, t.n - len - 1 };

		if (sv_starts(t, "--checkpoint-a")) {
			const struct shell_word *at = &w[i];

			if (eq == NULL && i + 1 < n) {
				at = &w[i + 1];
				value = at->text;
			}
			if (sv_starts(value, "exec="))
				follow_text(p, row, "tar --checkpoint-action", at,
					(struct sv){ value.p + 5, value.n - 5 });
			else if (!sp_literal(at))
				sp_row_opaque(p, row, "variable_command");
			continue;
		}
		for (size_t k = 0; len >= 4 && k < sizeof(lines) / sizeof(lines[0]); k++) {
			if (len > strlen(lines[k]) || memcmp(t.p, lines[k], len) != 0)
				continue;
			if (eq != NULL)
				follow_text(p, row, lines[k], &w[i], value);
			else if (i + 1 < n)
				sp_follow_line(p, row, lines[k], &w[i + 1]);
		}
		if (t.n > 1 && t.p[0] == '-' && t.p[1] != '-')
			tar_letters(p, row, i);
		else if (i == 1 && t.n > 0 && t.p[0] != '-' &&
			 (memchr(t.p, 'I', t.n) != NULL || memchr(t.p, 'F', t.n) != NULL))
			sp_row_opaque(p, row, "wrapper_options");
	}
}

/* ---- env -S ---- */

/* The split words and those behind them are env's words again. Quotes, escapes
 * and ${..} in the string are env's own language: opaque. */
void sp_env_split(struct sp *p, size_t row, size_t word, struct sv value)
{
	size_t n, count = 1;
	const struct shell_word *w = words_of(p, row, &n);
	struct shell_word *all;

	for (size_t i = 0; i < value.n; i++) {
		if (strchr("\\\"'$#", value.p[i]) != NULL) {
			sp_row_opaque(p, row, "wrapper_options");
			return;
		}
		count += value.p[i] == ' ' || value.p[i] == '\t';
	}
	p->n_words_all += count + n;
	all = p->n_words_all > SHELL_MAX_WORDS ? NULL :
		arena_alloc(p->a, (count + n + 1) * sizeof(*all));
	if (all == NULL) {
		sp_row_opaque(p, row, "too_many");
		return;
	}
	count = 0;
	all[count++] = w[0];
	for (size_t i = 0; i < value.n;) {
		size_t from = i;

		while (i < value.n && value.p[i] != ' ' && value.p[i] != '\t')
			i++;
		if (i > from) {
			all[count] = w[word];
			all[count].parts = SHELL_LITERAL;
			all[count++].text = (struct sv){ value.p + from, i - from };
		}
		i++;
	}
	for (size_t i = word + 1; i < n; i++)
		all[count++] = w[i];
	{
		size_t at = p->n_rows;

		sp_follow_words(p, row, "env -S", 0, 1, p->rows[row].more_words);
		if (at >= p->n_rows)
			return;
		p->rows[at].words = all;
		p->rows[at].n_words = count;
		p->rows[at].to = all[count - 1].to;
		sp_follow(p, at);
	}
}
