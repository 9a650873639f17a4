/*
 * shell_safe.c - may these commands pass: holds each row of a parsed text
 * against safe_table.c.
 */
#include "lang/shell_safe_priv.h"

#include <string.h>

#include "lang/shell_priv.h"

bool safe_no(struct safe_judge *j, const char *why)
{
	if (j->why == NULL)
		j->why = why;
	return false;
}

const struct safe_row *safe_find(struct sv name, struct sv sub)
{
	for (size_t i = 0; i < n_safe_rows; i++) {
		const char *row = safe_rows[i].name;
		struct sv all;

		if (name.n == 0 || row[0] != name.p[0])
			continue;
		all = sv_of(row);
		if (sub.p == NULL ? sv_eq(all, name) :
		    all.n == name.n + 1 + sub.n && all.p[name.n] == ' ' &&
		    memcmp(all.p, name.p, name.n) == 0 &&
		    memcmp(all.p + name.n + 1, sub.p, sub.n) == 0)
			return &safe_rows[i];
	}
	return NULL;
}

/* "cat", "/bin/cat", "/usr/bin/cat"; no other place's. */
static struct sv plain_name(struct sv s)
{
	if (sv_starts(s, "/usr/bin/"))
		return (struct sv){ s.p + 9, s.n - 9 };
	if (sv_starts(s, "/bin/"))
		return (struct sv){ s.p + 5, s.n - 5 };
	return s;
}

void safe_add_read(struct safe_judge *j, struct sv path, enum shell_read_kind kind,
	size_t row)
{
	struct shell_read *r;

	if (j->a == NULL || path.n == 0)
		return;
	if (j->reads.n == j->cap) {
		j->cap = j->cap == 0 ? 16 : 2 * j->cap;
		r = arena_alloc(j->a, j->cap * sizeof(*r));
		if (r == NULL) {
			j->why = "limit";
			return;
		}
		if (j->reads.n > 0)
			memcpy(r, j->reads.r, j->reads.n * sizeof(*r));
		j->reads.r = r;
	}
	j->reads.r[j->reads.n++] = (struct shell_read){ .path = path, .kind = kind,
		.command = row };
}

/* A path, and after "cd DIR" also DIR's (that cd may have failed). */
void safe_add_path(struct safe_judge *j, struct sv path, enum shell_read_kind kind,
	size_t row)
{
	struct buf b;

	safe_add_read(j, path, kind, row);
	if (!j->cd || j->a == NULL || (path.n > 0 && path.p[0] == '/'))
		return;
	buf_init(&b, SHELL_MAX_BYTES);
	buf_addsv(&b, j->dir);
	buf_addc(&b, '/');
	buf_addsv(&b, path);
	if (b.over)
		j->why = "limit";
	else
		safe_add_read(j, arena_sv(j->a, buf_sv(&b)), kind, row);
	buf_free(&b);
}

static bool has_child(const struct safe_judge *j, size_t at)
{
	/* rows follow their outer row, before any other of its depth */
	return at + 1 < j->sh->n_commands && j->sh->commands[at + 1].parent == at;
}

/* xargs -I R: only "{}" is looked for in the words of the inner row. */
static bool wrapper_words(struct safe_check *k)
{
	bool env = sv_eqs(sv_of(k->row->name), "env");
	bool xargs = sv_eqs(sv_of(k->row->name), "xargs");
	size_t row = (size_t)(k->c - k->j->sh->commands);
	size_t end = k->j->sh->commands[row + 1].n_words;

	for (size_t i = 1; i < k->c->n_words; i++) {
		const struct shell_word *w = &k->c->words[i];
		struct sv t = w->text;

		if (w->parts != 0 && w->parts != SHELL_GLOB)
			return safe_no(k->j, "expansion");
		if (i + end >= k->c->n_words)
			continue;          /* the inner row's own */
		if (env && memchr(t.p, '=', t.n) != NULL && !sp_assign_harmless(t))
			return safe_no(k->j, "assignment");
		if (xargs && t.n > 1 && t.p[0] == '-' && !sv_eqs(t, "-I") &&
		    (t.p[1] == '-' ? sv_starts(t, "--replace") :
		     memchr(t.p, 'I', t.n) != NULL || memchr(t.p, 'i', t.n) != NULL ||
		     memchr(t.p, 'J', t.n) != NULL || memchr(t.p, 'R', t.n) != NULL) &&
		    !sv_eqs(t, "-I{}"))
			return safe_no(k->j, "option");
		if (xargs && t.n > 1 && t.p[0] == '-' && (t.p[1] == '-' ?
		    sv_starts(t, "--a") : memchr(t.p, 'a', t.n) != NULL))
			return safe_no(k->j, "option");
		if (xargs && sv_eqs(t, "-I") && !sv_eqs(k->c->words[i + 1].text, "{}"))
			return safe_no(k->j, "option");
	}
	return true;
}

static bool redirects(struct safe_judge *j, const struct shell_command *c)
{
	for (size_t i = 0; i < c->n_redirects; i++) {
		const struct shell_redirect *r = &c->redirects[i];

		switch (r->op) {
		case SHELL_HEREDOC:
		case SHELL_HERESTRING:
			if (!r->body_literal)
				return safe_no(j, "expansion");
			break;
		case SHELL_IN:
			if (r->target.parts != 0)
				return safe_no(j, "expansion");
			if (sv_starts(r->target.text, "/dev/") &&
			    !sv_eqs(r->target.text, "/dev/null"))
				return safe_no(j, "redirect");
			safe_add_path(j, r->target.text, SHELL_READ_PATH,
				(size_t)(c - j->sh->commands));
			break;
		case SHELL_DUP_IN:
		case SHELL_DUP_OUT:
			if (r->target.parts != 0)
				return safe_no(j, "redirect");
			break;
		default:
			if (r->op == SHELL_INOUT || r->target.parts != 0 ||
			    !sv_eqs(r->target.text, "/dev/null"))
				return safe_no(j, "redirect");
		}
		if (r->fd == -2)
			return safe_no(j, "redirect");
	}
	return true;
}

static bool judge_row(struct safe_judge *j, size_t at)
{
	const struct shell_command *c = &j->sh->commands[at];
	struct safe_check k = { .j = j, .c = c, .at = 1 };

	if (c->join == SHELL_BACKGROUND)
		return safe_no(j, "background");
	for (size_t i = 0; i < c->n_assigns; i++) {
		if (c->assigns[i].parts != 0 || !sp_assign_harmless(c->assigns[i].text))
			return safe_no(j, "assignment");
	}
	if (!redirects(j, c))
		return false;
	if (c->n_words == 0)
		return safe_no(j, c->n_assigns > 0 ? "assignment" : "redirect");
	if (c->words[0].parts != 0)
		return safe_no(j, "expansion");
	k.row = safe_find(plain_name(c->words[0].text), SV_NONE);
	if (k.row == NULL)
		return safe_no(j, "unknown_command");
	if ((k.row->how & SAFE_WRAPS) != 0 && has_child(j, at))
		return wrapper_words(&k);
	if ((k.row->how & SAFE_WRAPS) != 0 && ((k.row->how & SAFE_ENV) == 0 ||
	    c->n_words > 1))
		return safe_no(j, "operand");
	if (strcmp(k.row->name, "command") == 0 && has_child(j, at))
		return wrapper_words(&k);
	if ((k.row->how & SAFE_QUERY) != 0)
		return c->n_words == 2 && !c->more_words &&
			safe_listed(k.row->only, c->words[1].text, false) != 0 ? true :
			safe_no(j, "option");
	return safe_words(&k);
}

bool shell_safe_reads(const struct shell *sh, struct arena *a,
	struct shell_reads *reads, const char **why)
{
	struct safe_judge j = { .sh = sh, .a = a };
	bool safe = true;

	if (sh->opaque != NULL)
		safe = safe_no(&j, "opaque");
	else if (sh->compound)
		safe = safe_no(&j, "compound");
	else if (sh->n_commands == 0)
		safe = safe_no(&j, "empty");
	for (size_t i = 0; i < sh->n_commands && safe; i++)
		safe = judge_row(&j, i);
	if (j.why != NULL)
		safe = false;
	if (reads != NULL)
		*reads = safe ? j.reads : (struct shell_reads){ NULL, 0 };
	if (why != NULL)
		*why = j.why;
	return safe;
}

bool shell_safe(const struct shell *sh, const char **why)
{
	return shell_safe_reads(sh, NULL, NULL, why);
}
