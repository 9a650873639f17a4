/*
 * body_parts.c - forms, multipart (RFC 7578) and GraphQL's operations.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lang/body_priv.h"
#include "lang/url.h"

struct parts {
	struct arena *a;
	struct body_part *p;
	size_t n, cap;
	bool many;
};

static struct body_part *add(struct parts *l)
{
	if (l->n == BODY_MAX_PARTS) {
		l->many = true;
		return NULL;
	}
	if (l->n == l->cap) {
		l->cap = l->cap > 0 ? 2 * l->cap : 16;
		l->p = xreallocarray(l->p, l->cap, sizeof(*l->p));
	}
	l->p[l->n] = (struct body_part){ .name = SV_NONE };
	return &l->p[l->n++];
}

static void give(struct parts *l, struct body *b)
{
	size_t bytes = l->n * sizeof(*l->p);

	if (l->n > 0) {
		b->parts = arena_alloc(l->a, bytes);
		if (b->parts != NULL) {
			memcpy(b->parts, l->p, bytes);
			b->n_parts = l->n;
		} else {
			b->why = "memory";
		}
	}
	if (l->many && b->why == NULL)
		b->why = "too_many";
	free(l->p);
}

static void form_part(void *arg, struct sv name, struct sv value)
{
	struct body_part *p = add(arg);

	if (p != NULL) {
		p->name = name;
		p->bytes = value;
	}
}

void body_form(struct arena *a, struct body *b)
{
	struct parts l = { .a = a };

	form_each(b->decoded, a, form_part, &l);
	give(&l, b);
}

struct sv body_trim(struct sv s)
{
	while (s.n > 0 && (unsigned char)s.p[0] <= ' ') {
		s.p++;
		s.n--;
	}
	while (s.n > 0 && (unsigned char)s.p[s.n - 1] <= ' ')
		s.n--;
	return s;
}

bool body_is(struct sv s, const char *lower)
{
	return s.n == strlen(lower) && (s.n == 0 || strncasecmp(s.p, lower, s.n) == 0);
}

/* A quoted value at s.p[*i] == '"', its backslashes undone. */
static struct sv quoted(struct sv s, size_t *i, struct arena *a)
{
	size_t from = ++*i, n = 0;
	bool plain = true;
	char *out;

	for (; *i < s.n && s.p[*i] != '"'; (*i)++) {
		if (s.p[*i] == '\\' && *i + 1 < s.n) {
			plain = false;
			(*i)++;
		}
	}
	if (plain)
		return (struct sv){ s.p + from, *i - from };
	out = arena_alloc(a, *i - from + 1);
	for (size_t j = from; out != NULL && j < *i; j++) {
		if (s.p[j] == '\\' && j + 1 < *i)
			j++;
		out[n++] = s.p[j];
	}
	return (struct sv){ out, n };
}

struct sv body_param(struct sv s, const char *name, struct arena *a)
{
	size_t i = 0;

	while (i < s.n && s.p[i] != ';')
		i++;
	while (i < s.n) {
		size_t from;
		struct sv key, value;
		for (i++, from = i; i < s.n && s.p[i] != '=' && s.p[i] != ';'; i++)
			;
		key = body_trim((struct sv){ s.p + from, i - from });
		if (i >= s.n || s.p[i] == ';')
			continue;
		i++;
		while (i < s.n && (s.p[i] == ' ' || s.p[i] == '\t'))
			i++;
		if (i < s.n && s.p[i] == '"') {
			value = quoted(s, &i, a);
			while (i < s.n && s.p[i] != ';')
				i++;
		} else {
			for (from = i; i < s.n && s.p[i] != ';'; i++)
				;
			value = body_trim((struct sv){ s.p + from, i - from });
		}
		if (body_is(key, name))
			return value;
	}
	return SV_NONE;
}

/* The headers of one part; what is behind them is its bytes. */
static void read_part(struct sv s, struct body_part *p, struct arena *a, struct body *b)
{
	size_t used = 0;

	while (s.n > 0) {
		const char *nl = memchr(s.p, '\n', s.n), *colon;
		size_t len = nl != NULL ? (size_t)(nl - s.p) : s.n;
		struct sv line = body_trim((struct sv){ s.p, len }), key, value;

		used += len;
		if (nl == NULL || used > BODY_MAX_HEADERS) {
			b->why = "stray_bytes"; /* no end of its headers */
			break;
		}
		s = (struct sv){ nl + 1, s.n - len - 1 };
		if (line.n == 0)
			break;
		colon = memchr(line.p, ':', line.n);
		if (colon == NULL)
			continue;
		key = body_trim((struct sv){ line.p, (size_t)(colon - line.p) });
		value = body_trim((struct sv){ colon + 1, line.n - (size_t)(colon + 1 - line.p) });
		if (body_is(key, "content-type"))
			p->type = value;
		if (!body_is(key, "content-disposition"))
			continue;
		p->name = body_param(value, "name", a);
		p->filename = body_param(value, "filename", a);
		if (p->filename.p == NULL)
			p->filename = body_param(value, "filename*", a);
	}
	p->bytes = s;
	if (p->name.p == NULL && b->why == NULL)
		b->why = "no_name";
}

/* The next line that begins with the delimiter ("--" and the boundary); its
 * end in *after, whether it was the last in *last. NULL when there is none. */
static const char *delimiter(struct sv s, struct sv delim, size_t *after, bool *last)
{
	const char *p = s.p;

	while ((size_t)(s.p + s.n - p) >= delim.n && (p = memmem(p,
		(size_t)(s.p + s.n - p), delim.p, delim.n)) != NULL) {
		size_t i = (size_t)(p - s.p) + delim.n;
		*last = s.n - i >= 2 && s.p[i] == '-' && s.p[i + 1] == '-';
		i += *last ? 2 : 0;
		while (i < s.n && (s.p[i] == ' ' || s.p[i] == '\t' || s.p[i] == '\r'))
			i++;
		if ((p == s.p || p[-1] == '\n') && (i == s.n || s.p[i] == '\n')) {
			*after = i < s.n ? i + 1 : i;
			return p;
		}
		p++;
	}
	return NULL;
}

static void read_parts(struct sv s, struct sv delim, struct parts *l, struct body *b)
{
	size_t after;
	bool last = false, first = true;
	const char *p;

	while ((p = delimiter(s, delim, &after, &last)) != NULL) {
		struct sv part = { s.p, (size_t)(p - s.p) };
		if (part.n > 0 && part.p[part.n - 1] == '\n')
			part.n--;
		if (part.n > 0 && part.p[part.n - 1] == '\r')
			part.n--;
		else if (!first)
			b->why = "bare_newline"; /* strict readers see no end there */
		if (!first) {
			struct body_part *to = add(l);
			if (to == NULL)
				return;
			read_part(part, to, l->a, b);
		} else if (part.n > 0) {
			b->why = "stray_bytes";
		}
		first = false;
		s = (struct sv){ s.p + after, s.n - after };
		if (last)
			break;
	}
	if (!last)
		b->why = "unterminated";
	else if (body_trim(s).n > 0)
		b->why = "stray_bytes";
	if (!last && !first && s.n > 0) {
		struct body_part *to = add(l);
		if (to != NULL)
			read_part(s, to, l->a, b);
		b->why = "unterminated";
	}
}

void body_multipart(struct sv type, struct arena *a, struct body *b)
{
	struct parts l = { .a = a };
	struct sv boundary = body_param(type, "boundary", a);
	char delim[80];

	if (boundary.n == 0 || boundary.n > 70) { /* RFC 2046, 5.1.1 */
		b->why = "no_boundary";
		return;
	}
	memcpy(delim, "--", 2);
	memcpy(delim + 2, boundary.p, boundary.n);
	read_parts(b->decoded, (struct sv){ delim, boundary.n + 2 }, &l, b);
	give(&l, b);
}

const char *body_graphql_more(const char *a, const char *b)
{
	static const char *const order[] = { "mutation", "subscription", "query" };

	for (size_t i = 0; i < 3; i++) {
		if ((a != NULL && strcmp(a, order[i]) == 0) ||
			(b != NULL && strcmp(b, order[i]) == 0))
			return order[i];
	}
	return NULL;
}

static size_t skip_string(struct sv s, size_t i)
{
	bool block = s.n - i >= 3 && memcmp(s.p + i, "\"\"\"", 3) == 0;

	for (i += block ? 3 : 1; i < s.n; i++) {
		if (block && s.n - i >= 4 && memcmp(s.p + i, "\\\"\"\"", 4) == 0)
			i += 3;
		else if (block && s.n - i >= 3 && memcmp(s.p + i, "\"\"\"", 3) == 0)
			return i + 2;
		else if (!block && s.p[i] == '\\')
			i++;
		else if (!block && (s.p[i] == '"' || s.p[i] == '\n'))
			return i;
	}
	return s.n;
}

static bool name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
		(c >= '0' && c <= '9');
}

const char *body_graphql(struct sv s)
{
	const char *most = NULL, *op = NULL; /* op: named, its "{" to come */
	size_t depth = 0, i, e;
	bool begins = true; /* a definition */

	for (i = 0; i < s.n; i++) {
		char c = s.p[i];
		if (c == '#') {
			const char *nl = memchr(s.p + i, '\n', s.n - i);
			/* A carriage return ends it too (GraphQL 2.1.2). */
			const char *cr = memchr(s.p + i, '\r', nl != NULL ?
				(size_t)(nl - s.p) - i : s.n - i);
			i = cr != NULL ? (size_t)(cr - s.p) : nl != NULL ?
				(size_t)(nl - s.p) : s.n;
		} else if (c == '"') {
			i = skip_string(s, i);
		} else if (c == '{' || c == '(' || c == '[') {
			if (c == '{' && depth == 0) {
				most = body_graphql_more(most, begins ? "query" : op);
				op = NULL;
			}
			begins = false;
			depth++;
		} else if (c == '}' || c == ')' || c == ']') {
			depth -= depth > 0;
			begins = depth == 0 && c == '}';
		} else if (name_char(c)) {
			for (e = i; e < s.n && name_char(s.p[e]); e++)
				;
			if (depth == 0 && begins) {
				struct sv w = { s.p + i, e - i };
				if (sv_eqs(w, "query") || sv_eqs(w, "mutation") ||
					sv_eqs(w, "subscription"))
					op = sv_eqs(w, "query") ? "query" : sv_eqs(w, "mutation") ?
						"mutation" : "subscription";
				else if (!sv_eqs(w, "fragment"))
					return most;
			}
			begins = false;
			i = e - 1;
		}
	}
	return depth == 0 ? most : NULL;
}
