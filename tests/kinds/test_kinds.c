/*
 * test_kinds.c - what must hold of every document: nothing of the action is
 * left out, a difference leads from the old file to the new one, and no
 * payload can draw what is ours.
 */
#include "check.h"

#include <dirent.h>

#include "fix.h"

/* ---- documents back to text ---- */

/* Where a row's value begins: after our ": ", else after the gutter. */
static uint32_t value_at(const struct doc *d, uint32_t line)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < doc_line_spans(d, line); i++) {
		struct doc_span s = doc_line_span(d, line, i);

		if (s.src_to == 0 && sv_ends(s.text, ": "))
			at = i + 1;
	}
	return at;
}

/* A payload's or words' line without our own spans, un-escaped, with the
 * newline it stood for. */
static void undo_line(const struct doc *d, uint32_t line, struct buf *out)
{
	struct buf text;
	size_t col = 0;
	bool end = true;
	uint32_t from = value_at(d, line);

	buf_init(&text, 1u << 26);
	for (uint32_t i = 0; i < doc_line_spans(d, line); i++) {
		struct doc_span s = doc_line_span(d, line, i);

		for (uint32_t n = doc_folded(&s); n > 0; n--) {
			buf_addc(out, '\n');
			end = false;
		}
		if (i >= from && s.src_to > 0 && doc_folded(&s) == 0)
			buf_addsv(&text, s.text);
		else if (text.n == 0)
			col += text_cells(s.text);
	}
	if (text.n > 0)
		assert_int_equal(esc_undo(buf_sv(&text), col, out), 0);
	if (end)
		buf_addc(out, '\n');
	buf_free(&text);
}

/* All of them; side '-' or '+': without the lines of the other side. */
static void undo_doc(const struct doc *d, char side, struct buf *out)
{
	for (uint32_t i = 0; i < doc_lines(d); i++) {
		struct doc_span g = doc_line_span(d, i, 0);

		if (doc_line_kind(d, i) == LINE_OURS)
			continue;
		if (side != 0 && g.src_to == 0 && g.text.n == 1 &&
		    g.text.p[0] == (side == '+' ? '-' : '+'))
			continue;
		undo_line(d, i, out);
	}
}

static bool has(const struct buf *b, struct sv s)
{
	return s.n == 0 || memmem(b->p, b->n, s.p, s.n) != NULL;
}

static void assert_whole(const struct action *a, const struct doc *d)
{
	struct buf lines, old, new_;

	assert_false(doc_over(d));
	buf_init(&lines, 1u << 28);
	buf_init(&old, 1u << 28);
	buf_init(&new_, 1u << 28);
	undo_doc(d, 0, &lines);
	undo_doc(d, '-', &old);
	undo_doc(d, '+', &new_);
	for (size_t i = 0; i < a->n_leaves; i++) {
		const struct leaf *l = &a->leaves[i];

		/* An edit's heading says these in words of ours. */
		if (a->kind == KIND_EDIT && (l->type != LEAF_STRING ||
		    sv_ends(l->path, ".op") || sv_ends(l->path, "path") ||
		    sv_ends(l->path, ".mode")))
			continue;
		if (l->type == LEAF_EMPTY && l->path.n == 0)
			continue;
		if (!has(&lines, l->value) && !has(&old, l->value) &&
		    !has(&new_, l->value))
			fail_msg("%.*s is not in the document: %.*s",
				SVFMT(l->path), SVFMT(l->value));
	}
	assert_true(has(&lines, a->words));
	assert_true(has(&lines, a->title));
	assert_true(a->kind == KIND_EDIT || has(&lines, a->command));
	buf_free(&lines);
	buf_free(&old);
	buf_free(&new_);
}

static void build_whole(struct action *a)
{
	struct doc *d;

	assert_non_null(a);
	d = kinds_build(a, NULL, NULL);
	if (a->why_not == NULL)
		assert_whole(a, d);
	else
		assert_true(doc_line_span(d, 0, 0).role == ROLE_DANGER);
	doc_free(&d);
	action_free(&a);
}

static void test_strings_are_whole(void **state)
{
	static const char *const values[] = {
		"plain", "", " ", "  ends  ", "\\n", "\\n\\n", "\\n\\n\\n", "\\n\\n\\n\\n\\n",
		"a\\n", "a\\n\\n\\n\\n", "\\n\\n\\n\\na", "a\\n\\n\\n\\n\\nb\\n", "a\\nb",
		"\\t\\tx\\ty\\n\\tz", "a\\r\\nb\\r\\n", "<U+202E>", "<", "U+202E>",
		"x\\u202ey\\u0000z", "\\u0301 mark first", "e\\u0301\\u0301\\u0301\\u0301",
		"12", "true", "null", "\\\"q\\\"", "{}", "\\u05d0\\u05d1 right to left",
		"                                        forty", "name: value",
		"\\u21e5 arrow", "\\ud83d\\ude00\\u200d\\ud83d\\ude00", "<U+000A x5>",
		"a\\n                                                  \\nb",
		"agent's words: \\u201cdo it\\u201d", "\\u2028\\u2029", "\\u007f\\u0085",
	};
	static const char *const kinds[] = { "command", "http", "sql", "tool",
		"message", "payment", "memory", "question", "grant", "other" };

	(void)state;
	for (size_t v = 0; v < sizeof(values) / sizeof(values[0]); v++)
		for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
			char *text = xasprintf("{\"command\":\"c%s\",\"method\":\"%s.\","
				"\"url\":\"x://h/%s\",\"sql\":\"s%s\",\"name\":\"n%s\","
				"\"body\":\"b%s\",\"to\":\"t%s\",\"amount\":1e3,"
				"\"new_text\":\"%s\",\"path\":\"p%s\",\"text\":\"q%s\","
				"\"what\":\"w%s\",\"k%s\":[{\"deep\":\"%s\"},[],{}]}",
				values[v], values[v], values[v], values[v], values[v],
				values[v], values[v], values[v], values[v], values[v],
				values[v], values[v], values[v]);

			build_whole(fix_native(kinds[k], text));
			free(text);
		}
}

/* A last newline is shown once, and told from none. */
static void test_last_newline(void **state)
{
	static const struct {
		const char *json, *last;
	} cases[] = {
		{ "a", "a" }, { "a\\n", "a<U+000A>" }, { "a\\nb", "b" },
		{ "a\\nb\\n", "b<U+000A>" }, { "\\n", "<U+000A>" },
		{ "\\n\\n", "<U+000A>" }, { "a\\n\\n\\n\\n\\n", "<U+000A x4>" },
		{ "a\\n<U+000A>", "<U+003C>U+000A>" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *text = xasprintf("{\"name\":\"n\",\"x\":\"%s\"}", cases[i].json);
		struct action *a = fix_native("tool", text);
		struct doc *d = kinds_build(a, NULL, NULL);
		uint32_t line = doc_lines(d) - 1;
		struct buf b;

		buf_init(&b, 4096);
		for (uint32_t k = value_at(d, line); k < doc_line_spans(d, line); k++)
			buf_addsv(&b, doc_line_span(d, line, k).text);
		if (!sv_eqs(buf_sv(&b), cases[i].last))
			fail_msg("%s ends in <<%.*s>>", cases[i].json, SVFMT(buf_sv(&b)));
		buf_free(&b);
		doc_free(&d);
		action_free(&a);
		free(text);
	}
}

static void test_argv_is_whole(void **state)
{
	(void)state;
	build_whole(fix_native("command", "{\"argv\":[\"\",\" a \",\"b\\nc\",\"<U+0041>\","
		"\"\\u202e\"],\"stdin\":\"x\\ny\\n\",\"env\":{\"A\":\"B\"}}"));
}

/* ---- the samples of real runtimes, where they are at hand ---- */

static size_t samples_in(const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	size_t n = 0;

	while (d != NULL && (e = readdir(d)) != NULL) {
		char path[1024];
		size_t len;
		char *json;
		struct action *a;

		if (!sv_ends(sv_of(e->d_name), ".json"))
			continue;
		snprintf(path, sizeof(path), "%s/%s", dir, e->d_name);
		json = fix_read(path, &len);
		assert_non_null(json);
		a = fix_action((struct sv){ json, len });
		free(json);
		if (a == NULL)
			continue;
		build_whole(a);
		n++;
	}
	if (d != NULL)
		closedir(d);
	return n;
}

static void test_samples(void **state)
{
	const char *dir = getenv("OBSTAT_SAMPLES");
	size_t n;

	(void)state;
	/* Edits without evidence are shown by themselves: whole too. */
	assert_true(samples_in(SRCDIR "/tests/kinds/fixtures") > 20);
	if (dir == NULL)
		dir = SRCDIR "/../shared/samples/claude-hooks";
	n = samples_in(dir);
	if (n == 0) {
		print_message("no samples in %s (OBSTAT_SAMPLES): skipped\n", dir);
		skip();
	}
}

/* ---- a difference leads from old to new ---- */

static uint64_t rng = 88172645463325252u;
static uint32_t rnd(uint32_t below)
{
	rng ^= rng << 13;
	rng ^= rng >> 7;
	rng ^= rng << 17;
	return (uint32_t)(rng >> 33) % below;
}

static bool ends_without(const struct doc *d, uint32_t line)
{
	struct doc_span s = doc_line_span(d, line + 1, 0);

	return line + 1 < doc_lines(d) && doc_line_kind(d, line + 1) == LINE_OURS &&
		s.role == ROLE_HUNK && !sv_starts(s.text, "@@");
}

/* Applies the drawn lines to old by their numbers, as patch(1) would. */
static void apply_drawn(const struct doc *d, struct sv old, struct buf *out)
{
	size_t at = 0;
	uint32_t old_line = 1;

	for (uint32_t i = 0; i < doc_lines(d); i++) {
		struct doc_span g = doc_line_span(d, i, 0);
		uint32_t old_no, new_no;
		struct buf text;

		if (doc_line_kind(d, i) != LINE_PAYLOAD || g.src_to != 0 ||
		    g.text.n != 1 || strchr("+- ", g.text.p[0]) == NULL)
			continue;
		doc_line_nos(d, i, &old_no, &new_no);
		buf_init(&text, 1u << 26);
		undo_line(d, i, &text);
		if (ends_without(d, i))
			text.n--;
		/* What no line shows is unchanged. */
		while (old_no != 0 && old_line < old_no && at < old.n) {
			const char *nl = memchr(old.p + at, '\n', old.n - at);
			size_t len = nl != NULL ? (size_t)(nl - old.p) + 1 - at :
				old.n - at;

			buf_add(out, old.p + at, len);
			at += len;
			old_line++;
		}
		if (g.text.p[0] != '+') {
			assert_true(old.n - at >= text.n);
			assert_memory_equal(old.p + at, text.p, text.n);
			at += text.n;
			for (size_t k = 0; k < text.n; k++)
				old_line += text.p[k] == '\n';
			old_line += text.n == 0 || text.p[text.n - 1] != '\n';
		}
		if (g.text.p[0] != '-')
			buf_addsv(out, buf_sv(&text));
		buf_free(&text);
	}
	if (at < old.n)
		buf_add(out, old.p + at, old.n - at);
}

static void check_write(struct sv old, bool exists, struct sv new_)
{
	struct fix_file f = { "/srv/pay/x", NULL,
		exists ? FILE_REGULAR : FILE_ABSENT, GIT_CLEAN, NULL, 0,
		false, false, false, 0, 0 };
	struct change c = { .op = CHANGE_WRITE, .path = SV("/srv/pay/x"),
		.new_text = new_, .has_new = true };
	struct action *a = action_new(1u << 20);
	struct evidence *ev;
	struct doc *d;
	struct buf out;
	uint32_t added, deleted;

	f.content = exists ? old.p : NULL;
	f.n = old.n;
	ev = fix_evidence(&f, 1);
	ev->files[0].content.n = old.n;
	a->kind = KIND_EDIT;
	a->changes = &c;
	a->n_changes = 1;
	d = kinds_build(a, ev, NULL);
	buf_init(&out, 1u << 26);
	apply_drawn(d, old, &out);
	if (!sv_eq(buf_sv(&out), new_))
		fail_msg("old <<%.*s>> new <<%.*s>> drawn <<%.*s>>", SVFMT(old),
			SVFMT(new_), SVFMT(buf_sv(&out)));
	kinds_edit_counts(d, &added, &deleted);
	if (!exists && new_.n > 0)
		assert_true(added > 0 && deleted == 0);
	buf_free(&out);
	doc_free(&d);
	fix_evidence_free(&ev);
	action_free(&a);
}

static void random_text(struct buf *b)
{
	static const char *const pieces[] = { "a", "b b", "\tc", "\r", "<U+", "\xE2\x80\xAE",
		"\xC3\xA9", "e\xCC\x81", "\xFF", "    ", "x = 1;", "\n", "\n", "\n\n\n\n", "+", "-" };

	for (uint32_t n = rnd(40); n > 0; n--)
		buf_adds(b, pieces[rnd(sizeof(pieces) / sizeof(pieces[0]))]);
}

static void test_difference_applies(void **state)
{
	struct buf old, new_;

	(void)state;
	buf_init(&old, 1u << 20);
	buf_init(&new_, 1u << 20);
	for (int i = 0; i < 20000; i++) {
		buf_clear(&old);
		buf_clear(&new_);
		random_text(&old);
		if (rnd(3) == 0)
			random_text(&new_);
		/* Mostly what was there, a piece changed. */
		buf_add(&new_, old.p, old.n / 2);
		random_text(&new_);
		if (old.n > 0)
			buf_add(&new_, old.p + old.n / 2, old.n - old.n / 2);
		check_write(buf_sv(&old), old.n > 0, buf_sv(&new_));
	}
	buf_free(&old);
	buf_free(&new_);
}

/* ---- no payload draws what is ours ---- */

static void test_nothing_hides_content(void **state)
{
	/* Neither the agent's "binary" nor a NUL makes content a digest. */
	static const char json[] = "{\"changes\":[{\"path\":\"/srv/pay/run.sh\","
		"\"op\":\"write\",\"binary\":true,\"new_text\":\"\\u0000\\nrm -rf /\\n\"}]}";
	struct action *a = fix_native("edit", json);
	struct doc *d = kinds_build(a, NULL, NULL);

	(void)state;
	assert_null(a->why_not);
	assert_whole(a, d);
	doc_free(&d);
	action_free(&a);
}

static void test_every_kind_has_a_view(void **state)
{
	(void)state;
	for (int k = 0; k < KIND_N; k++) {
		struct action *a = action_new(1u << 20);
		struct buf row;
		char word[32];
		struct doc *d;

		a->kind = (enum kind)k;
		d = kinds_build(a, NULL, NULL);
		assert_true(doc_lines(d) > 0);
		buf_init(&row, 4096);
		kinds_row(a, d, &row);
		kinds_confirm_word(a, word);
		assert_string_equal(word, kind_name(a->kind));
		buf_free(&row);
		doc_free(&d);
		action_free(&a);
	}
}

static void test_rows_fit(void **state)
{
	static const char *const kinds[] = { "edit", "command", "http", "sql", "tool",
		"message", "payment", "memory", "question", "grant", "other" };
	char big[3000];

	(void)state;
	memset(big, 'x', sizeof(big) - 1);
	big[sizeof(big) - 1] = '\0';
	for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
		char *text = xasprintf("{\"command\":\"%s\",\"method\":\"%s\",\"url\":"
			"\"x://%s\",\"sql\":\"%s\",\"name\":\"%s\",\"body\":\"%s\","
			"\"to\":\"%s\",\"amount\":1,\"new_text\":\"\",\"path\":\"%s\","
			"\"text\":\"%s\",\"what\":\"%s\",\"changes\":[{\"path\":\"/%s\","
			"\"op\":\"delete\"}]}", big, big, big, big, big, big, big, big,
			big, big, big);
		struct action *a = fix_native(kinds[k], text);
		struct buf row;
		char word[32];

		buf_init(&row, 1u << 20);
		kinds_row(a, NULL, &row);
		assert_true(row.n > 0 && text_cells(buf_sv(&row)) <= KINDS_ROW_CELLS);
		assert_true(esc_is_clean(buf_sv(&row)));
		kinds_confirm_word(a, word);
		assert_true(strlen(word) >= 1 && strlen(word) <= 24);
		buf_free(&row);
		action_free(&a);
		free(text);
	}
}

/* Many small changes and many large ones stay within bounds, and are shown. */
static void test_bounds(void **state)
{
	size_t n = 3000, size = 1u << 20;
	char *content = xmalloc(size + 1);
	struct fix_file f = { "/srv/pay/x", NULL, FILE_REGULAR, GIT_CLEAN, NULL, 0,
		false, false, false, 0, 0 };
	struct change *c = xcalloc(n, sizeof(*c));
	struct action *a = action_new(1u << 20);
	struct evidence *ev;
	struct doc *d;

	(void)state;
	memset(content, 'a', size);
	content[size - 1] = '\n';
	content[size] = '\0';
	f.content = content;
	for (size_t i = 0; i < n; i++)
		c[i] = (struct change){ .op = CHANGE_MODIFY, .path = SV("/srv/pay/x"),
			.old_text = SV("a\n"), .new_text = SV("a \n"), .has_old = true,
			.has_new = true, .fragment = true };
	ev = fix_evidence(&f, 1);
	a->kind = KIND_EDIT;
	a->changes = c;
	a->n_changes = n;
	d = kinds_build(a, ev, NULL);
	assert_false(doc_over(d));
	assert_true(doc_lines(d) > 0);
	doc_free(&d);
	fix_evidence_free(&ev);
	action_free(&a);
	free(c);
	free(content);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_strings_are_whole),
		cmocka_unit_test(test_argv_is_whole),
		cmocka_unit_test(test_last_newline),
		cmocka_unit_test(test_samples),
		cmocka_unit_test(test_difference_applies),
		cmocka_unit_test(test_nothing_hides_content),
		cmocka_unit_test(test_every_kind_has_a_view),
		cmocka_unit_test(test_rows_fit),
		cmocka_unit_test(test_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
