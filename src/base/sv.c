/*
 * sv.c - borrowed byte strings (mem.h).
 */
#include <string.h>

#include "base/mem.h"

struct sv sv_of(const char *cstr)
{
	if (cstr == NULL)
		return SV_NONE;
	return (struct sv){ cstr, strlen(cstr) };
}

bool sv_eq(struct sv a, struct sv b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

bool sv_eqs(struct sv a, const char *cstr)
{
	return sv_eq(a, sv_of(cstr));
}

bool sv_starts(struct sv a, const char *cstr)
{
	size_t n = strlen(cstr);

	return a.n >= n && (n == 0 || memcmp(a.p, cstr, n) == 0);
}

bool sv_ends(struct sv a, const char *cstr)
{
	size_t n = strlen(cstr);

	return a.n >= n && (n == 0 || memcmp(a.p + (a.n - n), cstr, n) == 0);
}

struct sv sv_sub(struct sv s, size_t from, size_t to)
{
	if (to > s.n)
		to = s.n;
	return from < to ? (struct sv){ s.p + from, to - from } : SV_NONE;
}

int sv_cmp(struct sv a, struct sv b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int c = n > 0 ? memcmp(a.p, b.p, n) : 0;

	if (c != 0)
		return c < 0 ? -1 : 1;
	if (a.n == b.n)
		return 0;
	return a.n < b.n ? -1 : 1;
}

bool sv_u64(struct sv s, uint64_t *out)
{
	uint64_t v = 0;

	if (s.n == 0)
		return false;
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
		if (__builtin_mul_overflow(v, (uint64_t)10, &v) ||
		    __builtin_add_overflow(v, (uint64_t)(s.p[i] - '0'), &v))
			return false;
	}
	*out = v;
	return true;
}
