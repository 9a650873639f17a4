/*
 * row.c - an action in one line, the word a `confirm` asks for, and an edit's
 * counts.
 */
#include "kinds/kinds_priv.h"

#include <string.h>

#include "base/i18n.h"

bool kinds_edit_counts(const struct doc *d, uint32_t *added, uint32_t *deleted)
{
	uint32_t lines = doc_lines(d);

	*added = *deleted = 0;
	for (uint32_t i = 0; i < lines; i++) {
		struct doc_span s, next;
		uint32_t n, *count = NULL;

		if (doc_line_kind(d, i) != LINE_PAYLOAD || doc_line_spans(d, i) == 0)
			continue;
		s = doc_line_span(d, i, 0);
		if (s.role == ROLE_ADD && sv_starts(s.text, "+"))
			count = added;
		else if (s.role == ROLE_DEL && sv_starts(s.text, "-"))
			count = deleted;
		if (count == NULL)
			continue;
		next = doc_line_span(d, i, 1);
		n = doc_folded(&next);
		*count += n > 0 ? n : 1;
	}
	return *added > 0 || *deleted > 0;
}

/* ---- the row ---- */

static size_t cells_left(const struct buf *out, size_t from)
{
	size_t used = text_cells(sv_sub(buf_sv(out), from, out->n));

	return used < KINDS_ROW_CELLS ? KINDS_ROW_CELLS - used : 0;
}

/* sep, then s, as far as it fits. */
static void put(struct buf *out, size_t from, const char *sep, struct sv s)
{
	size_t left = out->n > from ? cells_left(out, from) : KINDS_ROW_CELLS;
	size_t n = strlen(sep);

	if (out->n == from) {
		esc_label(s, left, out);
	} else if (left > n + 8) {
		buf_adds(out, sep);
		esc_label(s, left - n, out);
	}
}

/* Below the working directory, which the header shows, a name is enough. */
static struct sv short_path(const struct action *a, struct sv path)
{
	size_t n = a->cwd.n;

	if (n > 1 && path.n > n + 1 && memcmp(path.p, a->cwd.p, n) == 0 &&
	    path.p[n] == '/')
		return (struct sv){ path.p + n + 1, path.n - n - 1 };
	return path;
}

/* Files beside the first; without a document, changes of another name than the
 * one before. */
static size_t more_files(const struct action *a, const struct doc *d)
{
	size_t n = 0;

	if (d != NULL && doc_marks(d, MARK_FILE) > 0)
		return doc_marks(d, MARK_FILE) - 1;
	for (size_t i = 1; i < a->n_changes; i++)
		n += !sv_eq(a->changes[i].path, a->changes[i - 1].path);
	return n;
}

static void row_edit(const struct action *a, const struct doc *d, struct buf *out)
{
	uint32_t added = 0, deleted = 0;
	size_t more = more_files(a, d);
	/* The counts and the rest of the line take at most 60 cells. */
	struct sv path = a->n_changes > 0 ? a->changes[0].path : a->target;

	esc_label(short_path(a, path), KINDS_ROW_CELLS - 60, out);
	if (d != NULL && kinds_edit_counts(d, &added, &deleted))
		buf_addf(out, " +%u -%u", (unsigned)added, (unsigned)deleted);
	if (more > 0) {
		buf_adds(out, ", ");
		buf_addf(out, P_("%zu more file", "%zu more files", more), more);
	}
}

static void row_command(const struct action *a, struct buf *out)
{
	size_t from = out->n;

	if (!a->have_argv) {
		put(out, from, "", a->command);
		return;
	}
	for (size_t i = 0; i < a->n_argv && cells_left(out, from) > 9; i++)
		put(out, from, " ", a->argv[i]);
}

static void put_leaf(const struct action *a, const char *path, size_t from,
	const char *sep, struct buf *out)
{
	const struct leaf *l = action_leaf(a, path);

	if (l != NULL)
		put(out, from, sep, l->value);
}

static void row_tool(const struct action *a, struct buf *out)
{
	size_t from = out->n;

	put(out, from, "", a->tool);
	for (size_t i = 0; i < a->n_leaves && cells_left(out, from) > 12; i++) {
		const struct leaf *l = &a->leaves[i];

		if (l->path.n == 0 || sv_eq(l->value, a->tool) ||
		    sv_eq(l->value, a->server))
			continue;
		put(out, from, " ", l->path);
		put(out, from, "=", l->value);
	}
}

static void row_http(const struct action *a, struct buf *out)
{
	size_t from = out->n;

	put_leaf(a, "method", from, "", out);
	put(out, from, " ", a->target);
}

static void row_sql(const struct action *a, struct buf *out)
{
	size_t from = out->n;

	put_leaf(a, "sql", from, "", out);
	put_leaf(a, "statements[0]", from, " ", out);
	if (out->n == from)
		put(out, from, "", a->target);
}

static void row_message(const struct action *a, struct buf *out)
{
	size_t from = out->n;

	put(out, from, "", a->target);
	put_leaf(a, "subject", from, ": ", out);
	put_leaf(a, "body", from, ": ", out);
}

static void row_payment(const struct action *a, struct buf *out)
{
	size_t from = out->n;

	put_leaf(a, "amount", from, "", out);
	put_leaf(a, "currency", from, " ", out);
	put(out, from, " -> ", a->target);
}

/* The target; without one, the fields. */
static void row_target(const struct action *a, struct buf *out)
{
	if (a->target.n > 0 && !sv_eq(a->target, a->tool))
		put(out, out->n, "", a->target);
	else
		row_tool(a, out);
}

static void (*const rows[KIND_N])(const struct action *, struct buf *) = {
	[KIND_COMMAND] = row_command, [KIND_HTTP] = row_http,
	[KIND_SQL] = row_sql,         [KIND_TOOL] = row_tool,
	[KIND_MESSAGE] = row_message, [KIND_PAYMENT] = row_payment,
	[KIND_MEMORY] = row_target,   [KIND_QUESTION] = row_target,
	[KIND_GRANT] = row_target,    [KIND_OTHER] = row_target,
};

void kinds_row(const struct action *a, const struct doc *d, struct buf *out)
{
	size_t from = out->n;

	if (a->kind == KIND_EDIT)
		row_edit(a, d, out);
	else if ((size_t)a->kind < KIND_N)
		rows[a->kind](a, out);
	if (out->n == from)
		esc_label(a->tool, KINDS_ROW_CELLS, out);
}

/* ---- the word of a confirm ---- */

#define WORD_CELLS 24

static bool word_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
		(c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
}

/* The longest run of word bytes in s that is no number; of equals the last. */
static struct sv longest(struct sv s)
{
	struct sv best = SV_NONE, run;
	uint64_t number;
	size_t i = 0;

	while (i < s.n) {
		size_t from = i;

		while (i < s.n && word_byte(s.p[i]))
			i++;
		run = (struct sv){ s.p + from, i - from };
		if (run.n > 0 && run.n >= best.n && !sv_u64(run, &number))
			best = run;
		i++;
	}
	return best;
}

static struct sv last_part(struct sv s, char sep)
{
	const char *p;

	while (s.n > 0 && s.p[s.n - 1] == sep)
		s.n--;
	p = s.n > 0 ? memrchr(s.p, sep, s.n) : NULL;
	if (p == NULL)
		return s;
	return (struct sv){ p + 1, s.n - (size_t)(p + 1 - s.p) };
}

static struct sv first_word(struct sv s)
{
	size_t i = 0, from;

	while (i < s.n && (s.p[i] == ' ' || s.p[i] == '\n' || s.p[i] == '\t'))
		i++;
	for (from = i; i < s.n; i++)
		if (s.p[i] == ' ' || s.p[i] == '\n' || s.p[i] == '\t')
			break;
	return i > from ? (struct sv){ s.p + from, i - from } : SV_NONE;
}

static struct sv confirm_source(const struct action *a)
{
	const struct leaf *sql;

	switch (a->kind) {
	case KIND_EDIT:
	case KIND_MEMORY:
		return last_part(a->target, '/');
	case KIND_COMMAND:
		return last_part(first_word(a->target), '/');
	case KIND_HTTP:
		return a->host.n > 0 ? a->host : a->target;
	case KIND_SQL:
		sql = action_leaf(a, "sql");
		return sql != NULL ? sql->value : a->target;
	default:
		return a->target.n > 0 ? a->target : a->tool;
	}
}

void kinds_confirm_word(const struct action *a, char out[32])
{
	struct sv s = longest(confirm_source(a));

	if (s.n == 0)
		s = sv_of(kind_name(a->kind));
	if (s.n > WORD_CELLS)
		s.n = WORD_CELLS;
	memcpy(out, s.p, s.n);
	out[s.n] = '\0';
}
