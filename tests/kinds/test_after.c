/*
 * test_after.c - the document of an action that replaces another.
 */
#include "check.h"

#include "fix.h"

static char *lines_of(const struct doc *d)
{
	struct buf b;
	char *s;

	buf_init(&b, 1u << 24);
	for (uint32_t i = 0; i < doc_lines(d); i++) {
		for (uint32_t k = 0; k < doc_line_spans(d, i); k++)
			buf_addsv(&b, doc_line_span(d, i, k).text);
		buf_addc(&b, '\n');
	}
	s = xmemdup0(b.p, b.n);
	buf_free(&b);
	return s;
}

static struct doc *command(const char *json, const struct doc *before, bool after)
{
	struct action *a = fix_native("command", json);
	struct doc *d;

	assert_non_null(a);
	d = after ? kinds_build_after(a, NULL, NULL, 12, before) : kinds_build(a, NULL, NULL);
	action_free(&a);
	return d;
}

static void differs(void **state)
{
	struct doc *was = command("{\"command\":\"make one\"}", NULL, false);
	struct doc *now = command("{\"command\":\"make two\"}", was, true);
	struct doc *plain = command("{\"command\":\"make two\"}", NULL, false);
	struct doc *third = command("{\"command\":\"make two\"}", now, true);
	char *text = lines_of(now), *rest = lines_of(plain), *again = lines_of(third);
	const char *tail = strstr(text, "\n\n");

	(void)state;
	assert_non_null(strstr(text, "this replaces #12, which changed while it waited\n"));
	assert_non_null(strstr(text, "then: make one\nnow: make two\n"));
	/* and then the document as if nothing had been before */
	assert_non_null(tail);
	assert_string_equal(tail + 2, rest);
	assert_true(doc_preface(now) == doc_lines(now) - doc_lines(plain));
	/* what was said of the one before that is not compared */
	assert_non_null(strstr(again, "nothing that is shown differs"));
	assert_null(strstr(again, "make one"));
	free(text);
	free(rest);
	free(again);
	doc_free(&was);
	doc_free(&now);
	doc_free(&plain);
	doc_free(&third);
}

static void gone(void **state)
{
	struct doc *now = command("{\"command\":\"make two\"}", NULL, true);
	char *text = lines_of(now);

	(void)state;
	assert_non_null(strstr(text, "no longer here: read all of it"));
	assert_non_null(strstr(text, "make two"));
	free(text);
	doc_free(&now);
}

/* Many lines that differ are counted; the document has them all. */
static void bounded(void **state)
{
	struct buf json;
	struct doc *was, *now;
	char *text;
	unsigned n = 0;

	(void)state;
	buf_init(&json, 1u << 20);
	buf_adds(&json, "{\"command\":\"");
	for (unsigned i = 0; i < 500; i++)
		buf_addf(&json, "echo %u\\n", i);
	buf_adds(&json, "\"}");
	buf_addc(&json, '\0');
	was = command("{\"command\":\"make one\"}", NULL, false);
	now = command(json.p, was, true);
	text = lines_of(now);
	for (const char *p = text; (p = strstr(p, "\nnow: ")) != NULL; p++)
		n++;
	assert_true(n > 0 && n <= AFTER_MAX_SHOWN);
	assert_non_null(strstr(text, "more lines that differ"));
	assert_non_null(strstr(text, "\necho 499"));
	free(text);
	buf_free(&json);
	doc_free(&was);
	doc_free(&now);
}

/* Marks, numbers and counts are those of the plain document, moved down; an
 * edit's lines of the comparison are not counted as its own. */
static void moved(void **state)
{
	static const char json[] = "{\"changes\":[{\"path\":\"/w/a\",\"op\":\"modify\","
		"\"new_text\":\"one\\ntwo\\u202e\\n\"}]}";
	struct fix_file f = { .path = "/w/a", .state = FILE_REGULAR, .content = "one\n" };
	struct evidence *ev = fix_evidence(&f, 1);
	struct action *a = fix_native("edit", json);
	struct doc *was = command("{\"command\":\"make one\"}", NULL, false), *plain, *now;
	uint32_t add1, del1, add2, del2, off;

	(void)state;
	assert_non_null(a);
	plain = kinds_build(a, ev, NULL);
	now = kinds_build_after(a, ev, NULL, 12, was);
	off = doc_preface(now);
	assert_int_equal(kinds_edit_counts(plain, &add1, &del1),
		kinds_edit_counts(now, &add2, &del2));
	assert_int_equal(add1, add2);
	assert_int_equal(del1, del2);
	assert_memory_equal(doc_counts(plain), doc_counts(now), sizeof(struct esc_counts));
	for (int m = 0; m < MARK_N; m++) {
		assert_int_equal(doc_marks(plain, (enum doc_mark)m),
			doc_marks(now, (enum doc_mark)m));
		for (uint32_t i = 0; i < doc_marks(plain, (enum doc_mark)m); i++)
			assert_int_equal(doc_mark_line(plain, (enum doc_mark)m, i) + off,
				doc_mark_line(now, (enum doc_mark)m, i));
	}
	for (uint32_t i = 0; i < doc_lines(plain); i++) {
		uint32_t a1, b1, a2, b2;

		doc_line_nos(plain, i, &a1, &b1);
		doc_line_nos(now, i + off, &a2, &b2);
		assert_true(a1 == a2 && b1 == b2);
		assert_true(doc_line_kind(plain, i) == doc_line_kind(now, i + off));
		assert_int_equal(doc_line_spans(plain, i), doc_line_spans(now, i + off));
	}
	doc_free(&plain);
	doc_free(&now);
	doc_free(&was);
	fix_evidence_free(&ev);
	action_free(&a);
}

static void owners(void **state)
{
	struct doc *d = command("{\"command\":\"make one\"}", NULL, false);
	struct doc *other = doc_ref(d);

	(void)state;
	doc_free(&d);
	assert_null(d);
	assert_true(doc_lines(other) > 0);
	doc_free(&other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(differs), cmocka_unit_test(gone), cmocka_unit_test(bounded),
		cmocka_unit_test(moved), cmocka_unit_test(owners),
	};

	return cmocka_run_group_tests_name("after", tests, NULL, NULL);
}
