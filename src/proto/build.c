/*
 * build.c - actions from scanned messages: strings, labels and leaves.
 */
#include "proto/build.h"

#include <string.h>
#include <strings.h>

struct action *build_action(struct sv raw)
{
	struct action *a = action_new(ACTION_ARENA_MAX);

	a->raw = arena_sv(a->arena, raw);
	if (a->raw.n != raw.n)
		a->why_not = "over_limit";
	return a;
}

struct sv build_str(struct action *a, const struct json *j, json_ref v)
{
	struct sv s, whole, raw;
	size_t pos;

	if (!json_is(j, v, JSON_STRING))
		return SV_NONE;
	s = json_str(j, v, a->arena);
	raw = json_raw(j, v);
	/* A string without escapes is lent from the scanned bytes: lend it from
	 * our own copy instead, which lives as long as the action. */
	whole = raw;
	if (s.p >= whole.p && s.p + s.n <= whole.p + whole.n && s.n == raw.n - 2) {
		pos = json_pos(j, v) + 1;
		if (pos + s.n <= a->raw.n)
			return (struct sv){ a->raw.p + pos, s.n };
		return arena_sv(a->arena, s);
	}
	return s;
}

struct sv build_get(struct action *a, const struct json *j, json_ref obj,
	const char *key)
{
	return build_str(a, j, json_get(j, obj, key));
}

int build_label(struct arena *ar, const struct json *j, json_ref obj,
	const char *key, struct sv *out)
{
	json_ref v = json_get(j, obj, key);
	struct sv s;

	*out = SV_NONE;
	if (v == JSON_NO || json_is(j, v, JSON_NULL))
		return 0;
	/* An escape takes at most six bytes. */
	if (!json_is(j, v, JSON_STRING) || json_raw(j, v).n > 6 * LABEL_MAX + 2)
		return -1;
	s = json_str(j, v, ar);
	if (s.n > LABEL_MAX)
		return -1;
	*out = arena_sv(ar, s);
	return arena_over(ar) ? -1 : 0;
}

void build_why_not(struct action *a, const char *word)
{
	if (a->why_not == NULL)
		a->why_not = word;
}

/* ---- leaves ---- */

struct walk {
	struct action *a;
	const struct json *j;
	const char *const *skip;
	struct buf path;
	struct {
		json_ref child;        /* the next child to visit */
		size_t path_len;       /* of the container's own path */
		uint32_t index;
		bool array;
	} at[JSON_MAX_DEPTH + 1];
	unsigned depth;
	bool counting;
	size_t n;
};

static bool skipped(const struct walk *w, json_ref v)
{
	if (w->depth != 1 || w->skip == NULL)
		return false;
	for (const char *const *s = w->skip; *s != NULL; s++)
		if (json_key_is(w->j, v, *s))
			return true;
	return false;
}

static int add_key(struct buf *b, struct sv key)
{
	bool quote = key.n == 0;

	for (size_t i = 0; i < key.n && !quote; i++)
		quote = key.p[i] != '\0' && strchr(".[]\"\\", key.p[i]) != NULL;
	if (!quote)
		return buf_addsv(b, key);
	buf_addc(b, '"');
	for (size_t i = 0; i < key.n; i++) {
		if (key.p[i] == '"' || key.p[i] == '\\')
			buf_addc(b, '\\');
		buf_addc(b, key.p[i]);
	}
	return buf_addc(b, '"');
}

static int path_of_child(struct walk *w, json_ref v)
{
	struct sv key;

	w->path.n = w->at[w->depth - 1].path_len;
	if (w->at[w->depth - 1].array)
		return buf_addf(&w->path, "[%u]", (unsigned)w->at[w->depth - 1].index);
	key = json_key(w->j, v, w->a->arena);
	if (w->path.n > 0 && buf_addc(&w->path, '.') != 0)
		return -1;
	return add_key(&w->path, key);
}

static int leaf_add(struct walk *w, json_ref v)
{
	static const enum leaf_type types[] = {
		[JSON_NULL] = LEAF_NULL,     [JSON_FALSE] = LEAF_BOOL,
		[JSON_TRUE] = LEAF_BOOL,     [JSON_NUMBER] = LEAF_NUMBER,
		[JSON_STRING] = LEAF_STRING, [JSON_ARRAY] = LEAF_EMPTY,
		[JSON_OBJECT] = LEAF_EMPTY,
	};
	struct leaf *l;
	struct sv raw;

	if (w->counting) {
		w->n++;
		return 0;
	}
	l = &w->a->leaves[w->a->n_leaves];
	raw = json_raw(w->j, v);
	l->type = types[json_typeof(w->j, v)];
	l->raw_from = json_pos(w->j, v);
	l->raw_to = l->raw_from + raw.n;
	l->path = arena_sv(w->a->arena, buf_sv(&w->path));
	if (l->type == LEAF_STRING)
		l->value = build_str(w->a, w->j, v);
	else if (l->type == LEAF_EMPTY)
		l->value = json_is(w->j, v, JSON_ARRAY) ? SV("[]") : SV("{}");
	else if (l->raw_to <= w->a->raw.n)
		l->value = (struct sv){ w->a->raw.p + l->raw_from, raw.n };
	else
		l->value = arena_sv(w->a->arena, raw);
	w->a->n_leaves++;
	return arena_over(w->a->arena) ? -1 : 0;
}

/* Visits v: a container with children is entered, anything else is a leaf. */
static int visit(struct walk *w, json_ref v)
{
	bool arr = json_is(w->j, v, JSON_ARRAY);
	json_ref first;

	if (!arr && !json_is(w->j, v, JSON_OBJECT))
		return leaf_add(w, v);
	first = json_first(w->j, v);
	if (first == JSON_NO)
		return leaf_add(w, v);
	if (w->depth > JSON_MAX_DEPTH)
		return -1;
	w->at[w->depth].child = first;
	w->at[w->depth].path_len = w->path.n;
	w->at[w->depth].index = 0;
	w->at[w->depth].array = arr;
	w->depth++;
	return 0;
}

static int walk_all(struct walk *w, json_ref v, const char *prefix)
{
	w->depth = 0;
	buf_clear(&w->path);
	if (buf_adds(&w->path, prefix) != 0 || visit(w, v) != 0)
		return -1;
	while (w->depth > 0) {
		json_ref c = w->at[w->depth - 1].child;

		if (c == JSON_NO) {
			w->depth--;
			continue;
		}
		if (!skipped(w, c)) {
			if (!w->counting && path_of_child(w, c) != 0)
				return -1;
			w->at[w->depth - 1].child = json_next(w->j, c);
			w->at[w->depth - 1].index++;
			if (visit(w, c) != 0)
				return -1;
			continue;
		}
		w->at[w->depth - 1].child = json_next(w->j, c);
		w->at[w->depth - 1].index++;
	}
	return 0;
}

int build_leaves(struct action *a, const struct json *j, json_ref v,
	const char *prefix, const char *const *skip)
{
	struct walk w = { .a = a, .j = j, .skip = skip, .counting = true };
	struct leaf *more;
	int r;

	buf_init(&w.path, 64u << 10);
	r = walk_all(&w, v, prefix);
	more = arena_alloc(a->arena, (a->n_leaves + w.n + 1) * sizeof(*more));
	if (r == 0 && more != NULL) {
		if (a->n_leaves > 0)
			memcpy(more, a->leaves, a->n_leaves * sizeof(*more));
		a->leaves = more;
		w.counting = false;
		r = walk_all(&w, v, prefix);
	} else {
		r = -1;
	}
	buf_free(&w.path);
	if (r != 0)
		build_why_not(a, "over_limit");
	return r;
}

int dialect_leaves(struct action *a, const struct json *j, json_ref v,
	const char *prefix)
{
	return build_leaves(a, j, v, prefix, NULL);
}

/* A host name, an IPv4 address, or an IPv6 one in brackets. */
static bool host_plain(struct sv h)
{
	bool six = h.n > 2 && h.p[0] == '[' && h.p[h.n - 1] == ']';

	if (h.n == 0 || h.n > 255)
		return false;
	for (size_t i = six; i < h.n - six; i++) {
		char c = h.p[i];
		bool hex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') ||
			(c >= 'A' && c <= 'F');

		if (!hex && c != '.' && (six ? c != ':' : c != '-' && c != '_' &&
		    !(c >= 'g' && c <= 'z') && !(c >= 'G' && c <= 'Z')))
			return false;
	}
	return true;
}

static struct sv without_port(struct sv h)
{
	size_t n = h.n;

	while (n > 0 && h.p[n - 1] >= '0' && h.p[n - 1] <= '9')
		n--;
	if (n > 0 && h.p[n - 1] == ':')
		h.n = n - 1;
	return h;
}

struct sv build_url_host(struct sv url)
{
	struct sv h;
	size_t i, end;

	if (url.n > 7 && strncasecmp(url.p, "http://", 7) == 0)
		i = 7;
	else if (url.n > 8 && strncasecmp(url.p, "https://", 8) == 0)
		i = 8;
	else
		return SV_NONE;
	for (end = i; end < url.n && memchr("/?#", url.p[end], 3) == NULL; end++)
		;
	/* Readers differ on what these end; none belongs there (RFC 3986, 3.2). */
	for (size_t k = i; k < end; k++)
		if ((unsigned char)url.p[k] <= ' ' || (unsigned char)url.p[k] >= 0x7f ||
		    strchr("\\^`{}|<>\"", url.p[k]) != NULL)
			return SV_NONE;
	for (size_t k = i; k < end; k++)
		if (url.p[k] == '@')
			i = k + 1;
	h = without_port((struct sv){ url.p + i, end - i });
	return host_plain(h) ? h : SV_NONE;
}
