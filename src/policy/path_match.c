/*
 * path_match.c - wildmatch on resolved paths, without recursion.
 *
 * '*' and '?' do not match '/'; '**' does; "/" "**" "/" also matches a single
 * slash, as in gitignore(5); [abc], [a-c], [!a] match one byte other than '/'.
 * Two places to come back to (the last '*' and the last '**') are enough: an
 * earlier one can never match more than the later one already tried.
 */
#include <stdint.h>
#include <string.h>

#include "policy/policy.h"

struct back {
	const char *pat;           /* where to go on in the pattern; NULL none */
	size_t at;                 /* and in the path */
	bool segment;              /* only at the start of a name */
};

/* Matches c against the set at p ("[...]"); *end is past it. */
static bool set_match(const char *p, char c, const char **end)
{
	bool not, hit = false;
	const char *q = p + 1;

	not = *q == '!' || *q == '^';
	if (not)
		q++;
	for (const char *first = q; *q != '\0' && (*q != ']' || q == first); q++) {
		if (q[1] == '-' && q[2] != '\0' && q[2] != ']') {
			if ((unsigned char)c >= (unsigned char)q[0] &&
			    (unsigned char)c <= (unsigned char)q[2])
				hit = true;
			q += 2;
		} else if (*q == c) {
			hit = true;
		}
	}
	if (*q != ']') {
		/* Not closed: a literal '['. */
		*end = p + 1;
		return c == '[';
	}
	*end = q + 1;
	return c != '/' && hit != not;
}

/* One pattern step against one byte; false when it does not match. */
static bool one(const char **pat, char c)
{
	const char *p = *pat;

	switch (*p) {
	case '\0':
		return false;
	case '?':
		*pat = p + 1;
		return c != '/';
	case '[':
		return set_match(p, c, pat);
	case '\\':
		if (p[1] != '\0')
			p++;
		break;
	default:
		break;
	}
	*pat = p + 1;
	return *p == c;
}

static bool retry(struct back *star, struct back *dstar, struct sv s,
	const char **pat, size_t *at)
{
	if (star->pat != NULL && star->at < s.n && s.p[star->at] != '/') {
		*at = ++star->at;
		*pat = star->pat;
		return true;
	}
	star->pat = NULL;
	while (dstar->pat != NULL && dstar->at < s.n) {
		dstar->at++;
		if (dstar->segment && s.p[dstar->at - 1] != '/')
			continue;
		*at = dstar->at;
		*pat = dstar->pat;
		return true;
	}
	return false;
}

bool path_match_within(const char *pattern, struct sv s, size_t *steps)
{
	struct back star = { 0 }, dstar = { 0 };
	const char *p = pattern;
	size_t at = 0;

	while (*steps > 0) {
		--*steps;
		if (p[0] == '*' && p[1] == '*') {
			bool seg = (p == pattern || p[-1] == '/') && p[2] == '/';

			p += seg ? 3 : 2;
			dstar = (struct back){ p, at, seg };
			star.pat = NULL;
			continue;
		}
		if (p[0] == '*') {
			p++;
			star = (struct back){ p, at, false };
			continue;
		}
		if (at == s.n && *p == '\0')
			return true;
		if (at < s.n && one(&p, s.p[at])) {
			at++;
			continue;
		}
		if (!retry(&star, &dstar, s, &p, &at))
			return false;
	}
	return false;
}

bool path_match(const char *pattern, struct sv s)
{
	size_t steps = SIZE_MAX;

	return path_match_within(pattern, s, &steps);
}
