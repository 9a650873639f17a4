/* path_match() against a slow matcher that is plainly right, and its cost. */
#include "check.h"
#include "policy/policy.h"

/* ---- the slow one: recursive, straight from the definition ---- */

static bool slow_set(const char *p, char c, const char **end)
{
	const char *close = p + 1, *q;
	bool not = p[1] == '!' || p[1] == '^', hit = false;

	if (not)
		close++;
	q = close;
	if (*close == ']')
		close++;
	/* A range's end may not be the bracket: find it as the reader does. */
	for (close = q; *close != '\0' && (*close != ']' || close == q); close++)
		if (close[1] == '-' && close[2] != '\0' && close[2] != ']')
			close += 2;
	if (*close == '\0') {
		*end = p + 1;
		return c == '[';
	}
	while (q < close) {
		if (q[1] == '-' && q + 2 < close) {
			hit |= (unsigned char)q[0] <= (unsigned char)c &&
				(unsigned char)c <= (unsigned char)q[2];
			q += 3;
		} else {
			hit |= *q++ == c;
		}
	}
	*end = close + 1;
	return c != '/' && hit != not;
}

static bool slow(const char *all, const char *p, const char *s)
{
	const char *next = p + 1;

	if (p[0] == '*' && p[1] == '*') {
		bool seg = (p == all || p[-1] == '/') && p[2] == '/';

		for (const char *t = s; ; t++) {
			if ((!seg || t == s || t[-1] == '/') &&
			    slow(all, p + (seg ? 3 : 2), t))
				return true;
			if (*t == '\0')
				return false;
		}
	}
	if (*p == '*') {
		for (const char *t = s; ; t++) {
			if (slow(all, p + 1, t))
				return true;
			if (*t == '\0' || *t == '/')
				return false;
		}
	}
	if (*p == '\0' || *s == '\0')
		return *p == *s;
	if (*p == '?')
		return *s != '/' && slow(all, next, s + 1);
	if (*p == '[')
		return slow_set(p, *s, &next) && slow(all, next, s + 1);
	if (*p == '\\' && p[1] != '\0')
		return p[1] == *s && slow(all, p + 2, s + 1);
	return *p == *s && slow(all, next, s + 1);
}

static uint64_t rng = 88172645463325252u;

static unsigned below(unsigned n)
{
	rng ^= rng << 13;
	rng ^= rng >> 7;
	rng ^= rng << 17;
	return (unsigned)((rng >> 16) % n);
}

static void word(char *out, const char *from, unsigned max)
{
	unsigned n = below(max + 1);

	for (unsigned i = 0; i < n; i++)
		out[i] = from[below((unsigned)strlen(from))];
	out[n] = '\0';
}

static void as_the_slow_one(void **state)
{
	char pat[16], path[16];
	unsigned matched = 0;

	(void)state;
	for (unsigned i = 0; i < 400000; i++) {
		word(pat, i % 2 ? "**/ab" : "**//ab?[]!-\\a", 12);
		word(path, i % 3 ? "/ab" : "/aab/]![-", 12);
		bool want = slow(pat, pat, path);

		if (path_match(pat, sv_of(path)) != want)
			fail_msg("pattern \"%s\", path \"%s\": %d is wrong", pat, path, !want);
		matched += want;
	}
	assert_true(matched > 10000);      /* it did not only see refusals */
}

static void by_the_book(void **state)
{
	static const struct {
		const char *pat, *path;
		bool want;
	} t[] = {
		{ "/a/*", "/a/b", true }, { "/a/*", "/a/b/c", false },
		{ "/a/**", "/a/b/c", true }, { "/a/**", "/a", false },
		{ "/a/**", "/a/", true }, { "/**/.git", "/.git", true },
		{ "/**/.git", "/x/y/.git", true }, { "/**/.git", "/x.git", false },
		{ "/**/.git/**", "/w/.git/config", true },
		{ "/**/.git/**", "/w/.gitx/config", false },
		{ "/a?c", "/abc", true }, { "/a?c", "/a/c", false },
		{ "/[a-c]", "/b", true }, { "/[!a-c]", "/b", false },
		{ "/[!a]", "//", false }, { "/[", "/[", true }, { "/\\*", "/*", true },
		{ "/\\*", "/x", false }, { "/x/**/y", "/x/y", true },
		{ "/x/**/y", "/x/a/b/y", true }, { "/x/**/y", "/xy", false },
		{ "/x**y", "/xa/b/cy", true }, { "", "", true }, { "", "/", false },
		{ "**", "", true }, { "*", "/", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		if (path_match(t[i].pat, sv_of(t[i].path)) != t[i].want)
			fail_msg("%s on %s", t[i].pat, t[i].path);
		assert_int_equal(slow(t[i].pat, t[i].pat, t[i].path), t[i].want);
	}
	/* A NUL is a byte like another, and ends nothing. */
	assert_false(path_match("/a", (struct sv){ "/a\0b", 4 }));
	assert_true(path_match("/a*", (struct sv){ "/a\0b", 4 }));
}

/* At most (path + 1) * (pattern + 1) steps, whatever the pattern. */
static void never_exponential(void **state)
{
	char path[4096], pat[1024];

	(void)state;
	for (unsigned kind = 0; kind < 6; kind++) {
		size_t n = 0, steps, had = (sizeof(path) + 1) * (sizeof(pat) + 1);
		static const char *const part[] = { "*a", "**a", "**/", "*", "a**/", "[a]*" };

		memset(path, 'a', sizeof(path));
		for (size_t i = 0; i < sizeof(path) && kind % 2; i += 2)
			path[i] = '/';
		while (n + 8 < sizeof(pat))
			n += (size_t)snprintf(pat + n, sizeof(pat) - n, "%s", part[kind]);
		snprintf(pat + n, sizeof(pat) - n, "b");
		steps = had;
		assert_false(path_match_within(pat, (struct sv){ path, sizeof(path) },
			&steps));
		assert_true(steps > 0);
	}
}

static void stops_when_told(void **state)
{
	size_t steps = 3;

	(void)state;
	assert_false(path_match_within("/abc", SV("/abc"), &steps));
	assert_int_equal(steps, 0);
	steps = 100;
	assert_true(path_match_within("/abc", SV("/abc"), &steps));
	assert_true(steps > 0 && steps < 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_the_book),
		cmocka_unit_test(as_the_slow_one),
		cmocka_unit_test(never_exponential),
		cmocka_unit_test(stops_when_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
