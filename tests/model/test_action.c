/*
 * test_action.c - names, absolute paths, and what the action digest binds.
 */
#include "check.h"

#include "model/action.h"

static void test_kinds(void **state)
{
	enum kind k;

	(void)state;
	for (int i = 0; i < KIND_N; i++) {
		assert_true(kind_from_name(sv_of(kind_name((enum kind)i)), &k));
		assert_int_equal(k, i);
	}
	assert_false(kind_from_name(SV("Edit"), &k));
	assert_false(kind_from_name(SV(""), &k));
	assert_false(kind_from_name(SV("?"), &k));
	assert_string_equal(kind_name((enum kind)KIND_N), "?");
}

static void check_abs(const char *cwd, const char *path, const char *want)
{
	struct action *a = action_new(1u << 20);
	struct sv got;

	a->cwd = sv_of(cwd);
	got = action_abs_path(a, sv_of(path), a->arena);
	if (want == NULL)
		assert_true(got.n == 0);
	else
		assert_true(sv_eqs(got, want));
	action_free(&a);
	assert_null(a);
}

static void test_abs_path(void **state)
{
	struct action *a = action_new(1u << 20);
	char big[5000];

	(void)state;
	check_abs("/srv", "a/b", "/srv/a/b");
	check_abs("/srv", "/a", "/a");
	check_abs("/srv", "../x", "/srv/../x");    /* only the kernel knows */
	check_abs("", "a", NULL);
	check_abs("srv", "a", NULL);
	check_abs("", "/a", "/a");
	check_abs("/srv", "", NULL);
	memset(big, 'a', sizeof(big));
	big[0] = '/';
	assert_true(action_abs_path(a, (struct sv){ big, 4095 }, a->arena).n == 4095);
	assert_true(action_abs_path(a, (struct sv){ big, 4096 }, a->arena).n == 0);
	a->cwd = (struct sv){ big, 4000 };
	assert_true(action_abs_path(a, (struct sv){ big + 1, 94 }, a->arena).n == 4095);
	assert_true(action_abs_path(a, (struct sv){ big + 1, 95 }, a->arena).n == 0);
	assert_true(action_abs_path(a, (struct sv){ "/a\0b", 4 }, a->arena).n == 0);
	a->cwd = (struct sv){ "/a\0b", 4 };
	assert_true(action_abs_path(a, SV("x"), a->arena).n == 0);
	action_free(&a);
}

/* ---- the digest ---- */

static struct leaf leaves[2];
static struct digest files[2];

static void fill(struct action *a)
{
	leaves[0] = (struct leaf){ SV("a"), SV("1"), LEAF_NUMBER, 0, 0 };
	leaves[1] = (struct leaf){ SV("b"), SV("x"), LEAF_STRING, 0, 0 };
	memset(files, 0, sizeof(files));
	a->kind = KIND_TOOL;
	a->tool = SV("t");
	a->cwd = SV("/c");
	a->target = SV("g");
	a->leaves = leaves;
	a->n_leaves = 2;
}

static void c_none(struct action *a) { (void)a; }
static void c_kind(struct action *a) { a->kind = KIND_SQL; }
static void c_tool(struct action *a) { a->tool = SV("tt"); }
static void c_cwd(struct action *a) { a->cwd = SV("/d"); }
static void c_target(struct action *a) { a->target = SV("h"); }
static void c_path(struct action *a) { a->leaves[1].path = SV("c"); }
static void c_value(struct action *a) { a->leaves[1].value = SV("y"); }
static void c_type(struct action *a) { a->leaves[0].type = LEAF_STRING; }
static void c_less(struct action *a) { a->n_leaves = 1; }
static void c_file(struct action *a) { (void)a; files[1].b[31] = 1; }
/* Bytes moved over a border are another action. */
static void c_border(struct action *a)
{
	a->tool = SV("");
	a->cwd = SV("t/c");
}
static void c_prose(struct action *a)
{
	a->words = SV("other words");
	a->title = SV("other title");
	a->raw = SV("{}");
	a->leaves[1].raw_from = 5;
}

static struct digest with(void (*change)(struct action *))
{
	struct action *a = action_new(1u << 16);
	struct digest d;

	fill(a);
	change(a);
	d = action_digest(a, files, 2);
	action_free(&a);
	return d;
}

static void test_digest(void **state)
{
	static void (*const differ[])(struct action *) = { c_kind, c_tool, c_cwd,
		c_target, c_path, c_value, c_type, c_less, c_file, c_border };
	struct digest base = with(c_none), d, none;
	struct action *a = action_new(1u << 16);

	(void)state;
	d = with(c_prose);
	assert_true(digest_eq(&base, &d));
	for (size_t i = 0; i < sizeof(differ) / sizeof(differ[0]); i++) {
		d = with(differ[i]);
		if (digest_eq(&base, &d))
			fail_msg("change %zu leaves the digest as it is", i);
	}
	fill(a);
	d = action_digest(a, files, 1);
	none = action_digest(a, NULL, 0);
	assert_false(digest_eq(&base, &d));
	assert_false(digest_eq(&d, &none));
	action_free(&a);
}

static void test_leaf(void **state)
{
	struct action *a = action_new(1u << 16);

	(void)state;
	fill(a);
	assert_ptr_equal(action_leaf(a, "b"), &leaves[1]);
	assert_null(action_leaf(a, "bb"));
	action_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_abs_path),
		cmocka_unit_test(test_digest),
		cmocka_unit_test(test_leaf),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
