/*
 * item.c - see item.h. The hub is ours, and is read with care all the same:
 * numbers are bounded, text passes the escaper unless it is clean already.
 */
#include "console/item.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/i18n.h"

#define TEXT_MAX (1u << 20)
#define LINES_LIMIT 100000000u
#define MARKS_MAX 100000u

char *item_text(const struct jv *obj, const char *key)
{
	return item_text_of(jv_get(obj, key));
}

char *item_text_of(const struct jv *v)
{
	struct sv s = jv_sv(v);
	struct buf b;
	char *out;

	if (v == NULL || s.p == NULL)
		return NULL;
	if (esc_is_clean(s))
		return xmemdup0(s.p, s.n);
	buf_init(&b, TEXT_MAX);
	if (esc_line(s, ESC_STRICT, 0, &b, NULL, NULL, NULL) != 0)
		buf_adds(&b, "…");
	out = xmemdup0(b.n > 0 ? b.p : "", b.n);
	buf_free(&b);
	return out;
}

static uint32_t u32_of(const struct jv *v, uint32_t max)
{
	int64_t n = jv_i(v, 0);

	return n < 0 ? 0 : n > (int64_t)max ? max : (uint32_t)n;
}

static void free_marks(struct ui_mark **marks, size_t *n)
{
	for (size_t i = 0; i < *n; i++)
		free((*marks)[i].label);
	free(*marks);
	*marks = NULL;
	*n = 0;
}

static char **text_of(struct ui_action *a, size_t i)
{
	char **const all[] = { &a->kind, &a->tool, &a->cwd, &a->target, &a->workspace,
		&a->reversibility, &a->why_rev, &a->exe, &a->setup, &a->grade, &a->dialect,
		&a->session, &a->session_title, &a->turn, &a->subagent, &a->task, &a->title, &a->words,
		&a->raw_digest, &a->action_digest, &a->doc_digest, &a->hidden_text };

	return i < sizeof(all) / sizeof(all[0]) ? all[i] : NULL;
}

static void action_clear(struct ui_action *a)
{
	uint64_t id = a->id;
	char *presence = a->presence, **text;

	for (size_t i = 0; (text = text_of(a, i)) != NULL; i++)
		free(*text);
	free_marks(&a->files, &a->n_files);
	free_marks(&a->hunks, &a->n_hunks);
	for (size_t i = 0; i < a->n_evidence; i++) {
		free(a->evidence[i].path);
		free(a->evidence[i].real);
		free(a->evidence[i].state);
		free(a->evidence[i].git);
		free(a->evidence[i].digest);
	}
	free(a->evidence);
	memset(a, 0, sizeof(*a));
	a->id = id;
	a->presence = presence;
}

void item_init(struct item *it, uint64_t id, item_fetch_fn doc, item_fetch_fn raw,
	void *owner)
{
	uint64_t stamp = it->stamp;

	memset(it, 0, sizeof(*it));
	it->stamp = stamp;
	it->owner = owner;
	it->action.id = id;
	it->raw_total = UINT64_MAX;
	seen_init(&it->seen);
	chunks_init(&it->doc, ITEM_DOC_LINES, 0, doc, it);
	it->raw_per_row = 16;
	chunks_init(&it->raw, ITEM_RAW_BYTES / 16, 1, raw, it);
}

void item_free(struct item *it)
{
	action_clear(&it->action);
	free(it->action.presence);
	chunks_free(&it->doc);
	chunks_free(&it->raw);
	seen_free(&it->seen);
	memset(it, 0, sizeof(*it));
}

static void set_marks(const struct jv *marks, const char *key, struct ui_mark **out, size_t *n)
{
	const struct jv *list = jv_get(marks, key);
	size_t len = jv_len(list);

	len = len > MARKS_MAX ? MARKS_MAX : len;
	*out = xcalloc(len + 1, sizeof(**out));
	for (size_t i = 0; i < len; i++) {
		const struct jv *m = jv_at(list, i);

		(*out)[i].line = u32_of(jv_is_arr(m) ? jv_at(m, 0) : m, LINES_LIMIT);
	}
	*n = len;
}

static void set_evidence(struct ui_action *a, const struct jv *list)
{
	size_t len = jv_len(list) > 4096 ? 4096 : jv_len(list);

	a->evidence = xcalloc(len + 1, sizeof(*a->evidence));
	for (size_t i = 0; i < len; i++) {
		const struct jv *e = jv_at(list, i);

		a->evidence[i] = (struct ui_evidence){ item_text(e, "path"),
			item_text(e, "real"), item_text(e, "state"), item_text(e, "git"),
			item_text(e, "digest"), jv_get_i(e, "size", -1) };
	}
	a->n_evidence = len;
}

static void set_hidden(struct ui_action *a, const struct jv *hidden)
{
	static const struct {
		const char *key, *word;
	} kinds[] = { { "control", N_("control") }, { "bidi", N_("reordering") },
		{ "zero_width", N_("zero width") }, { "tag", N_("tag") },
		{ "invalid", N_("invalid byte") }, { "blank_run", N_("run of blanks") },
		{ "combining", N_("stacked mark") }, { "other", N_("other") } };
	char text[300] = "";
	size_t n = 0;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		uint32_t k = u32_of(jv_get(hidden, kinds[i].key), LINES_LIMIT);

		a->hidden += k;
		if (k > 0 && n < sizeof(text))
			n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%u %s",
				n > 0 ? ", " : "", k, _(kinds[i].word));
	}
	a->hidden_text = n > 0 ? xstrdup(text) : NULL;
}

static void set_facts(struct ui_action *a, const struct jv *facts)
{
	const struct jv *peer = jv_get(facts, "peer");

	a->kind = item_text(facts, "kind");
	a->tool = item_text(facts, "tool");
	a->cwd = item_text(facts, "cwd");
	a->target = item_text(facts, "target");
	a->workspace = item_text(facts, "workspace");
	a->reversibility = item_text(facts, "reversibility");
	a->why_rev = item_text(facts, "why_rev");
	a->exe = item_text(peer, "exe");
	a->peer_uid = jv_get_i(peer, "uid", -1);
	a->peer_pid = jv_get_i(peer, "pid", -1);
	a->setup = item_text(facts, "setup");
	a->grade = item_text(facts, "grade");
	a->dialect = item_text(facts, "dialect");
	a->session = item_text(facts, "session");
	a->session_title = item_text(facts, "session_title");
	a->turn = item_text(facts, "turn");
	a->subagent = item_text(facts, "subagent");
	a->task = item_text(facts, "task");
	a->title = item_text(facts, "title");
}

void item_presence(struct item *it, const struct jv *people)
{
	struct buf b;

	buf_init(&b, 400);
	for (size_t i = 0; i < jv_len(people); i++) {
		char *name = item_text(jv_at(people, i), "name");
		buf_addf(&b, "%s%s", b.n > 0 ? ", " : "", name != NULL ? name : "?");
		free(name);
	}
	free(it->action.presence);
	it->action.presence = b.n > 0 ? xmemdup0(b.p, b.n) : NULL;
	buf_free(&b);
}

bool item_set(struct item *it, const struct jv *answer)
{
	struct ui_action *a = &it->action;
	char *old = a->doc_digest != NULL ? xstrdup(a->doc_digest) : NULL;
	const struct jv *seen = jv_get(answer, "seen");
	bool other;

	action_clear(a);
	set_facts(a, jv_get(answer, "facts"));
	a->words = item_text(answer, "words");
	a->raw_digest = item_text(answer, "raw_digest");
	a->action_digest = item_text(answer, "action_digest");
	a->doc_digest = item_text(answer, "doc_digest");
	a->lines = u32_of(jv_get(answer, "lines"), LINES_LIMIT);
	a->loaded = a->doc_digest != NULL; /* not before its document is built */
	set_marks(jv_get(answer, "marks"), "file", &a->files, &a->n_files);
	set_marks(jv_get(answer, "marks"), "hunk", &a->hunks, &a->n_hunks);
	set_hidden(a, jv_get(answer, "hidden"));
	set_evidence(a, jv_get(answer, "evidence"));
	if (jv_is_arr(jv_get(answer, "presence")))
		item_presence(it, jv_get(answer, "presence"));
	other = old == NULL || a->doc_digest == NULL || strcmp(old, a->doc_digest) != 0;
	if (other) {
		chunks_drop(&it->doc);
		it->doc.max_no = 0;
		seen_reset(&it->seen);
	}
	it->doc.total = a->lines;
	for (size_t i = 0; i < jv_len(seen); i++) {
		uint32_t from = u32_of(jv_at(jv_at(seen, i), 0), a->lines);
		uint32_t to = u32_of(jv_at(jv_at(seen, i), 1), a->lines);
		if (from < to)
			seen_add(&it->seen, from, to);
	}
	free(old);
	return other;
}

static enum role role_of(struct sv letter)
{
	for (int r = 0; letter.n == 1 && r < ROLE_N; r++)
		if (role_letter((enum role)r) == letter.p[0])
			return (enum role)r;
	return ROLE_TEXT;
}

/* LINE: [kind, old_no, new_no, [[role_letter, text], ...]] */
static void add_line(struct lines *l, const struct jv *line)
{
	struct sv kind = jv_sv(jv_at(line, 0));
	const struct jv *spans = jv_at(line, 3);
	struct ui_line *out;

	lines_begin(l, sv_eqs(kind, "p") ? LINE_PAYLOAD : sv_eqs(kind, "w") ? LINE_WORDS
		: LINE_OURS);
	out = &l->line[l->n - 1];
	out->old_no = u32_of(jv_at(line, 1), UINT32_MAX - 1);
	out->new_no = u32_of(jv_at(line, 2), UINT32_MAX - 1);
	for (size_t i = 0; i < jv_len(spans); i++)
		lines_span(l, role_of(jv_sv(jv_at(jv_at(spans, i), 0))),
			jv_sv(jv_at(jv_at(spans, i), 1)));
}

void item_doc_put(struct item *it, uint32_t index, const struct jv *answer)
{
	const struct jv *list = jv_get(answer, "lines");
	int64_t from = jv_get_i(answer, "from", -1), total = jv_get_i(answer, "total", -1);
	uint32_t first = index * ITEM_DOC_LINES, want, n;
	struct lines l = { 0 };

	want = first < it->doc.total ? it->doc.total - first : 0;
	want = want > ITEM_DOC_LINES ? ITEM_DOC_LINES : want;
	first += chunks_have(&it->doc, index);
	want -= chunks_have(&it->doc, index);
	n = jv_len(list) < want ? (uint32_t)jv_len(list) : want;
	/* Of another document, or nothing at all: not taken. */
	if (from != (int64_t)first || total != (int64_t)it->doc.total || n == 0) {
		chunks_fail(&it->doc, index);
		return;
	}
	for (size_t i = 0; i < n; i++)
		add_line(&l, jv_at(list, i));
	chunks_put(&it->doc, index, &l, n == want);
}

static int b64(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* RFC 4648 section 4; stops at the first byte that does not belong. */
static size_t base64(struct sv s, uint8_t *out, size_t max)
{
	uint32_t acc = 0;
	int bits = 0, v;
	size_t n = 0;

	for (size_t i = 0; i < s.n && (v = b64(s.p[i])) >= 0; i++) {
		acc = acc << 6 | (uint32_t)v;
		bits += 6;
		if (bits >= 8 && n < max) {
			bits -= 8;
			out[n++] = (uint8_t)(acc >> bits);
		}
	}
	return n;
}

static void raw_total(struct item *it, uint64_t total)
{
	uint64_t rows = (total + it->raw_per_row - 1) / it->raw_per_row;

	it->raw_total = total;
	it->raw.total = rows > LINES_LIMIT ? LINES_LIMIT : (uint32_t)rows;
}

void item_raw_put(struct item *it, uint32_t index, const struct jv *answer)
{
	uint8_t bytes[ITEM_RAW_BYTES];
	uint64_t first = (uint64_t)index * ITEM_RAW_BYTES;
	int64_t total = jv_get_i(answer, "total", -1);
	struct lines l = { 0 };
	size_t n;

	if (total < 0 || jv_get_i(answer, "from", -1) != (int64_t)first) {
		chunks_fail(&it->raw, index);
		return;
	}
	raw_total(it, (uint64_t)total);
	n = base64(jv_get_sv(answer, "base64"), bytes, sizeof(bytes));
	for (size_t at = 0; at < n; at += it->raw_per_row) {
		size_t k = n - at < it->raw_per_row ? n - at : it->raw_per_row;
		hex_line(&l, first + at, bytes + at, k, it->raw_per_row);
	}
	chunks_put(&it->raw, index, &l, true);
}

void item_raw_width(struct item *it, int w)
{
	unsigned per = hex_per_row(w);

	if (per == it->raw_per_row)
		return;
	it->raw_per_row = per;
	chunks_drop(&it->raw);
	it->raw.per = ITEM_RAW_BYTES / per;
	if (it->raw_total != UINT64_MAX)
		raw_total(it, it->raw_total);
}

bool item_covered(const struct item *it)
{
	uint32_t from, to;

	return it->action.loaded && it->action.lines > 0
		&& !cover_gap(it->seen.lines, it->action.lines, &from, &to);
}
