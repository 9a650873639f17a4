/*
 * globs.c - may a pattern of file names lead out of the folder it is used in?
 *
 * All of a pattern's alternatives are followed at once, as a set of places in a
 * name; what each runtime's matcher does with braces, sets and lists differs,
 * so where it may do one or the other, both are followed.
 */
#include <string.h>

#include "proto/build.h"

#define AT_START 1u        /* of the pattern: '/' and '~' lead away here */
#define AT_NAME 2u         /* of a name */
#define DOT 4u             /* the name so far is "." */
#define DOTDOT 8u          /* the name so far is ".." */
#define OTHER 16u
#define CLIMBS 32u
#define PLACES 31u
#define DEPTH 16

static unsigned step(unsigned m, char c)
{
	unsigned out = m & CLIMBS;

	if (c == '/') {
		if ((m & (AT_START | DOTDOT)) != 0)
			out |= CLIMBS;
		return out | ((m & PLACES) != 0 ? AT_NAME : 0);
	}
	if (c == '.') {
		if ((m & (AT_START | AT_NAME)) != 0)
			out |= DOT;
		if ((m & DOT) != 0)
			out |= DOTDOT;
		return out | ((m & (DOTDOT | OTHER)) != 0 ? OTHER : 0);
	}
	if (c == '~' && (m & AT_START) != 0)
		out |= CLIMBS;
	return out | ((m & PLACES) != 0 ? OTHER : 0);
}

/* Past a set "[...]" at i, or past its bracket when it is not closed. */
static size_t set_end(struct sv p, size_t i)
{
	for (size_t k = i + 2; k < p.n; k++)
		if (p.p[k] == ']')
			return k + 1;
	return i + 1;
}

struct alternatives {
	unsigned in[DEPTH], out[DEPTH];
	size_t n;
};

/* A character that may be a bracket of alternatives. */
static unsigned alternative(struct alternatives *a, unsigned m, char c)
{
	if (c == '{' || c == '(') {
		if (a->n == DEPTH)
			return CLIMBS;
		a->in[a->n] = m;
		a->out[a->n++] = 0;
		return m;
	}
	if (a->n == 0)
		/* A list of patterns, in some tools. */
		return step(m, c) | (c == '}' || c == ')' ? 0 : AT_START);
	a->out[a->n - 1] |= m;
	if (c == ',' || c == '|')
		return a->in[a->n - 1];
	return a->out[--a->n];
}

bool build_glob_climbs(struct sv p)
{
	struct alternatives a = { .n = 0 };
	unsigned m = AT_START;
	size_t i = 0;

	while (i < p.n && (m & CLIMBS) == 0) {
		char c = p.p[i++];

		if (c == '\\' && i < p.n) {
			/* An escape, or a separator. */
			m = step(m, p.p[i]) | step(step(m, '/'), p.p[i]);
			i++;
		} else if (i < p.n && p.p[i] == '(' && (c == '@' || c == '?' ||
		    c == '*' || c == '+')) {
			/* "@(a|b)": one sign before the alternatives. */
			m |= c == '@' ? 0 : step(m, c);
		} else if (c == '[') {
			i = set_end(p, i - 1);
			m = step(m, '.') | step(m, 'x');
		} else if (c != '\0' && strchr("{}(),|", c) != NULL) {
			m = alternative(&a, m, c);
		} else if (c == ' ' || c == '!' || c == '"' || c == '\'') {
			m = step(m, c) | m | (c == ' ' ? AT_START : 0);
		} else {
			m = step(m, c);
		}
	}
	return (m & (CLIMBS | DOTDOT)) != 0 || a.n > 0;
}
