/*
 * sed_script.c - a strict reader of sed scripts (POSIX sed and GNU's one-line
 * forms): it takes little, so that what it takes is certain.
 */
#include "lang/sed_script.h"

#include <string.h>

struct sed {
	struct sv s;
	size_t i;
};

static int peek(const struct sed *x)
{
	return x->i < x->s.n ? (unsigned char)x->s.p[x->i] : -1;
}

static void blanks(struct sed *x)
{
	while (peek(x) == ' ' || peek(x) == '\t')
		x->i++;
}

static void digits(struct sed *x)
{
	while (peek(x) >= '0' && peek(x) <= '9')
		x->i++;
}

/* Up to and with the delimiter. A bracket may hold it in some seds and ends
 * there in others, so one that does is refused. */
static bool part(struct sed *x, int delim)
{
	for (; x->i < x->s.n; x->i++) {
		int c = peek(x);

		if (c == '\n')
			return false;
		if (c == '\\') {
			x->i++;
			continue;
		}
		if (c == delim) {
			x->i++;
			return true;
		}
		if (c == '[') {
			const char *end = memchr(x->s.p + x->i, ']', x->s.n - x->i);
			size_t n = end == NULL ? 0 : (size_t)(end - x->s.p) - x->i;

			if (memchr(x->s.p + x->i, delim, n) != NULL)
				return false;
		}
	}
	return false;
}

static bool address(struct sed *x)
{
	int c = peek(x);

	if (c >= '0' && c <= '9') {
		digits(x);
		if (peek(x) == '~') {
			x->i++;
			digits(x);
		}
		return true;
	}
	if (c == '$') {
		x->i++;
		return true;
	}
	if (c == '+' || c == '~') {
		x->i++;
		digits(x);
		return true;
	}
	if (c == '\\')
		x->i++;
	c = peek(x);
	x->i++;
	if (c <= ' ' || !part(x, c))
		return false;
	while (peek(x) == 'I' || peek(x) == 'M')
		x->i++;
	return true;
}

static bool addresses(struct sed *x)
{
	int c = peek(x);

	if ((c >= '0' && c <= '9') || c == '$' || c == '/' || c == '\\') {
		if (!address(x))
			return false;
		blanks(x);
		if (peek(x) == ',') {
			x->i++;
			blanks(x);
			if (!address(x))
				return false;
			blanks(x);
		}
	}
	while (peek(x) == '!' || peek(x) == ' ')
		x->i++;
	return true;
}

static bool substitute(struct sed *x, int c)
{
	int delim = peek(x);

	x->i++;
	if (delim <= ' ' || delim == '\\' || !part(x, delim) || !part(x, delim))
		return false;
	while (c == 's' && peek(x) > 0 && strchr("gpiIM0123456789", peek(x)) != NULL)
		x->i++;
	return true;
}

/* The end of a command: nothing else may stand there. */
static bool ended(struct sed *x)
{
	blanks(x);
	if (peek(x) == '#') {
		while (peek(x) != '\n' && peek(x) != -1)
			x->i++;
	}
	if (peek(x) == '}')
		return true;
	if (peek(x) == ';' || peek(x) == '\n') {
		x->i++;
		return true;
	}
	return peek(x) == -1;
}

/* a, i, c: text up to a newline that is not escaped. */
static bool text(struct sed *x)
{
	for (; peek(x) != -1 && peek(x) != '\n'; x->i++) {
		if (peek(x) == '\\')
			x->i++;
	}
	return true;
}

static bool label(struct sed *x)
{
	while (peek(x) != -1 && peek(x) != '\n' && peek(x) != ';' && peek(x) != '}')
		x->i++;
	return true;
}

static bool command(struct sed *x, size_t *open)
{
	int c = peek(x);

	x->i++;
	if (c == -1 || c == 0)
		return false;
	if (c == '{') {
		(*open)++;
		return true;
	}
	if (c == '}') {
		if (*open == 0)
			return false;
		(*open)--;
		return ended(x);
	}
	if (c == 's' || c == 'y')
		return substitute(x, c) && ended(x);
	if (c == 'a' || c == 'i' || c == 'c')
		return text(x);
	if (c == ':' || c == 'b' || c == 't' || c == 'T')
		return label(x);
	if (c == 'q' || c == 'Q' || c == 'l' || c == 'L') {
		blanks(x);
		digits(x);
		return ended(x);
	}
	return strchr("pPdDnNgGhHxz=", c) != NULL && ended(x);
}

bool sed_script_tame(struct sv script)
{
	struct sed x = { .s = script };
	size_t open = 0;

	while (x.i < x.s.n) {
		int c = peek(&x);

		if (c == ' ' || c == '\t' || c == '\n' || c == ';') {
			x.i++;
			continue;
		}
		if (c == '#') {
			text(&x);
			continue;
		}
		if (!addresses(&x) || !command(&x, &open))
			return false;
	}
	return open == 0 && x.i <= x.s.n;
}
