/*
 * looks.c - what a string is by its content: a guess, for drawing.
 */
#include <string.h>
#include <strings.h>

#include "base/json.h"
#include "lang/body_priv.h"
#include "lang/sql_priv.h"

#define LOOK_BYTES (64u << 10)

static bool contains(struct sv s, const char *what)
{
	return memmem(s.p, s.n, what, strlen(what)) != NULL;
}

static bool is_json(struct sv s)
{
	struct json *j;

	if (s.n < 2 || !((s.p[0] == '{' && s.p[s.n - 1] == '}') ||
		(s.p[0] == '[' && s.p[s.n - 1] == ']')))
		return false;
	j = json_parse(s, NULL);
	if (j == NULL)
		return false;
	json_free(&j);
	return true;
}

static bool is_diff(struct sv s)
{
	if (sv_starts(s, "diff --git ") || sv_starts(s, "*** Begin Patch"))
		return true;
	return (sv_starts(s, "--- ") || contains(s, "\n--- ")) && contains(s, "\n+++ ") &&
		contains(s, "\n@@ -");
}

static bool is_url(struct sv s)
{
	size_t i = 0;

	while (i < s.n && ((s.p[i] | 0x20) >= 'a' && (s.p[i] | 0x20) <= 'z'))
		i++;
	if (i < 2 || s.n - i < 4 || memcmp(s.p + i, "://", 3) != 0)
		return false;
	for (; i < s.n; i++) {
		if ((unsigned char)s.p[i] <= ' ')
			return false;
	}
	return true;
}

static bool is_html(struct sv s)
{
	static const char *const tags[] = { "<!doctype html", "<html", "<head", "<body",
		"<div", "<p>", "<span", "<table", "<script", "<a href", "<h1", "<ul" };

	for (size_t i = 0; i < sizeof(tags) / sizeof(tags[0]); i++) {
		size_t n = strlen(tags[i]);
		if (s.n > n && strncasecmp(s.p, tags[i], n) == 0)
			return memchr(s.p, '>', s.n) != NULL;
	}
	return false;
}

static bool is_base64(struct sv s)
{
	bool up = false, low = false, digit = false, other = false;
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];
		if (c == '\n' || c == '\r')
			continue;
		n++;
		if (c == '=' && s.n - i <= 2)
			continue;
		up |= c >= 'A' && c <= 'Z';
		low |= c >= 'a' && c <= 'z';
		digit |= c >= '0' && c <= '9';
		other |= c == '+' || c == '/';
		if (!((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
			(c >= '0' && c <= '9') || c == '+' || c == '/'))
			return false;
	}
	return n >= 24 && n % 4 == 0 && up && low && (digit || other);
}

static bool is_shell(struct sv s)
{
	static const char *const first[] = { "sudo", "rm", "git", "curl", "wget", "cd",
		"ls", "cat", "echo", "grep", "sed", "awk", "find", "chmod", "chown", "mkdir",
		"mv", "cp", "docker", "kubectl", "npm", "npx", "pip", "python", "python3",
		"node", "make", "apt", "apt-get", "ssh", "scp", "tar", "export", "bash", "sh",
		"systemctl", "terraform", "aws", "gcloud", "psql", "cargo", "go", "kill" };
	size_t n = 0, end;

	if (sv_starts(s, "#!/") || sv_starts(s, "$ "))
		return true;
	while (n < s.n && (unsigned char)s.p[n] > ' ' && s.p[n] != ';')
		n++;
	for (size_t i = 0; i < sizeof(first) / sizeof(first[0]); i++) {
		if (n != strlen(first[i]) || memcmp(s.p, first[i], n) != 0)
			continue;
		/* "make sure that ..." is a sentence. */
		end = s.n - (s.n > 0);
		if (s.p[end] == '.' && !contains(s, " -") && !contains(s, "/"))
			return false;
		return contains(s, " -") || contains(s, "/") || contains(s, "|") ||
			contains(s, "&&") || contains(s, ";") || contains(s, ">") ||
			memchr(s.p, '\n', s.n) == NULL;
	}
	return false;
}

struct words {
	struct sv text;
	uint16_t kw[8];       /* of the first words */
	size_t n;
	bool from, into, set, values, as, sign;
	size_t bare;          /* words that are no keyword, one behind another */
	size_t run;
};

static void look_at(void *arg, enum sql_token t, size_t from, size_t to)
{
	struct words *w = arg;
	enum sql_word k = K_NONE;

	if (t == SQL_T_BLANK || t == SQL_T_COMMENT)
		return;
	if (t == SQL_T_KEYWORD)
		k = sql_word_find(w->text.p + from, to - from);
	if (w->n < 8)
		w->kw[w->n++] = (uint16_t)k;
	w->from |= k == K_FROM;
	w->into |= k == K_INTO;
	w->set |= k == K_SET;
	w->values |= k == K_VALUES;
	w->as |= k == K_AS;
	w->sign |= t == SQL_T_NUMBER || w->text.p[from] == '*' || w->text.p[from] == '(';
	w->run = t == SQL_T_NAME ? w->run + 1 : 0;
	if (w->run > w->bare)
		w->bare = w->run;
}

static bool is_sql(struct sv s)
{
	struct words w = { .text = s };
	enum sql_word a, b;

	sql_tokens(s, SQL_UNKNOWN, look_at, &w);
	a = (enum sql_word)w.kw[0];
	b = (enum sql_word)w.kw[1];
	if (w.n < 2 || w.bare > 2) /* three names in a row are a sentence */
		return false;
	switch (a) {
	case K_SELECT:
		return w.from || (w.sign && w.bare < 2);
	case K_INSERT: case K_REPLACE:
		return w.into && (w.values || w.set || w.from || w.bare < 2);
	case K_UPDATE:
		return w.set;
	case K_DELETE:
		return b == K_FROM;
	case K_MERGE:
		return b == K_INTO;
	case K_WITH:
		return w.as && (w.from || w.into || w.set);
	case K_DROP: case K_ALTER: case K_CREATE:
		for (size_t i = 1; i < w.n; i++) {
			if (w.kw[i] != K_NONE && (sql_word_flags[w.kw[i]] & W_OBJ))
				return true;
		}
		return false;
	case K_TRUNCATE:
		return b == K_TABLE || w.n <= 3;
	case K_EXPLAIN: case K_PRAGMA:
		return w.bare < 2;
	default:
		return false;
	}
}

enum looks text_looks_like(struct sv s)
{
	bool whole = s.n <= LOOK_BYTES;

	if (!whole)
		s.n = LOOK_BYTES;
	s = body_trim(s);
	if (s.n < 2)
		return LOOKS_TEXT;
	if (whole && is_json(s))
		return LOOKS_JSON;
	if (is_diff(s))
		return LOOKS_DIFF;
	if (is_url(s))
		return LOOKS_URL;
	if (is_html(s))
		return LOOKS_HTML;
	if (is_sql(s))
		return LOOKS_SQL;
	if (is_shell(s))
		return LOOKS_SHELL;
	return is_base64(s) ? LOOKS_BASE64 : LOOKS_TEXT;
}
