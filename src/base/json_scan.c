/* json_scan.c - the structure of JSON: a state machine that can stop anywhere. */
#include "base/json_priv.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

struct json *json_new(struct sv bytes)
{
	struct json *j = xcalloc(1, sizeof(*j));

	j->p = (const uint8_t *)(bytes.p != NULL ? bytes.p : "");
	j->n = bytes.n;
	j->step = JSON_STEP;
	j->state = ST_VALUE;
	if (j->n > JSON_MAX_BYTES)
		json_fail(j, "json_size", JSON_MAX_BYTES, "more than 16 MiB");
	return j;
}

void json_free(struct json **jp)
{
	struct json *j = *jp;

	if (j == NULL)
		return;
	for (uint32_t i = 0; i * JSON_CHUNK < j->cap; i++)
		free(j->chunks[i]);
	free(j->dup.tab);
	free(j);
	*jp = NULL;
}

void json_slice_every(struct json *j, size_t step)
{
	j->step = step > 0 ? step : 1;
	j->yield_always = true;
}

enum json_run json_fail(struct json *j, const char *code, size_t off,
	const char *what)
{
	j->state = ST_BAD;
	j->bad_code = code;
	j->bad_what = what;
	j->bad_off = off;
	return RUN_BAD;
}

static enum json_run syntax(struct json *j, const char *what)
{
	return json_fail(j, "json_syntax", j->pos, what);
}

/* Moves past white space. True: a byte is there. */
static inline bool skip_white(struct json *j)
{
	const uint8_t *p = j->p;
	size_t pos = j->pos, stop = j->stop;

	while (pos < stop && p[pos] <= ' ' && (p[pos] == ' ' || p[pos] == '\n'
			|| p[pos] == '\r' || p[pos] == '\t'))
		pos++;
	j->pos = pos;
	return pos < stop;
}

/* The same inside the root value. False: *r says what to do. */
static inline bool next_byte(struct json *j, enum json_run *r)
{
	if (skip_white(j))
		return true;
	if (j->pos < j->n)
		*r = RUN_YIELD;
	else if (j->count == 0)
		*r = json_fail(j, "json_empty", j->pos, "there is no value");
	else
		*r = syntax(j, "ends before the value is complete");
	return false;
}

static void node_room(struct json *j)
{
	uint32_t i = j->count / JSON_CHUNK;

	if (j->count >= JSON_CHUNK) {
		j->chunks[i] = xmalloc(JSON_CHUNK * sizeof(struct json_node));
		j->cap += JSON_CHUNK;
		return;
	}
	/* The first chunk grows, so that a short message stays small. */
	j->cap = j->cap == 0 ? JSON_CHUNK0 : j->cap * 4;
	if (j->cap > JSON_CHUNK)
		j->cap = JSON_CHUNK;
	j->chunks[0] = xreallocarray(j->chunks[0], j->cap, sizeof(struct json_node));
}

/* A value begins at pos: its node, hung into the open container. */
static struct json_node *node_new(struct json *j, enum json_type type)
{
	if (j->count == JSON_MAX_VALUES) {
		json_fail(j, "json_values", j->pos, "more than 1,000,000 values");
		return NULL;
	}
	if (j->count == j->cap)
		node_room(j);
	uint32_t me = j->count++;
	struct json_node *nd = json_node(j, me);
	*nd = (struct json_node){ .off = j->pos & 0xffffff, .type = type & 7u };
	if (j->depth == 0)
		return nd;
	struct json_frame *f = &j->frames[j->depth - 1];
	if (f->n++ > 0)
		json_node(j, f->last)->next = me & 0xfffff;
	f->last = me;
	if (f->obj) {
		uint32_t h = j->key_hash;
		nd->key = j->key & 0xffffff;
		nd->keyesc = j->keyesc;
		nd->h0 = h & 0xff;
		nd->h1 = (h >> 8) & 0x7f;
		nd->h2 = (h >> 15) & 0xff;
		nd->h3 = (h >> 23) & 0x7f;
	}
	return nd;
}

static enum json_run open_container(struct json *j, bool obj)
{
	if (j->depth == JSON_MAX_DEPTH)
		return json_fail(j, "json_depth", j->pos, "deeper than 128 levels");
	uint32_t me = j->count;
	if (node_new(j, obj ? JSON_OBJECT : JSON_ARRAY) == NULL)
		return RUN_BAD;
	j->frames[j->depth++] = (struct json_frame){ .node = me, .obj = obj };
	j->pos++;
	j->state = obj ? ST_KEY_OR_END : ST_ITEM_OR_END;
	return RUN_GO;
}

/* At the closing bracket, which has been checked. */
static enum json_run close_container(struct json *j)
{
	struct json_frame *f = &j->frames[--j->depth];

	j->pos++;
	json_node(j, f->node)->end = j->pos & 0x1ffffff;
	j->state = ST_AFTER;
	return RUN_GO;
}

static enum json_run word(struct json *j, enum json_type type, const char *w)
{
	size_t n = 0;

	while (w[n] != '\0') {
		if (j->pos + n == j->n)
			return json_fail(j, "json_syntax", j->n, "ends inside a word");
		if (j->p[j->pos + n] != (uint8_t)w[n])
			return json_fail(j, "json_syntax", j->pos + n, "not a JSON word");
		n++;
	}
	struct json_node *nd = node_new(j, type);
	if (nd == NULL)
		return RUN_BAD;
	j->pos += n;
	nd->end = j->pos & 0x1ffffff;
	j->state = ST_AFTER;
	return RUN_GO;
}

static enum json_run on_text(struct json *j)
{
	enum json_run r = json_text_run(j);

	if (r != RUN_GO)
		return r;
	struct json_node *nd = json_node(j, j->count - 1);
	j->pos++;
	nd->end = j->pos & 0x1ffffff;
	nd->esc = j->esc;
	j->state = ST_AFTER;
	return RUN_GO;
}

static enum json_run on_number(struct json *j)
{
	enum json_run r = json_number_run(j);

	if (r != RUN_GO)
		return r;
	json_node(j, j->count - 1)->end = j->pos & 0x1ffffff;
	j->state = ST_AFTER;
	return RUN_GO;
}

static enum json_run value(struct json *j)
{
	switch (j->p[j->pos]) {
	case '{':
		return open_container(j, true);
	case '[':
		return open_container(j, false);
	case '"':
		if (node_new(j, JSON_STRING) == NULL)
			return RUN_BAD;
		j->pos++;
		j->esc = false;
		j->state = ST_TEXT;
		return on_text(j);
	case '-': case '0': case '1': case '2': case '3': case '4': case '5':
	case '6': case '7': case '8': case '9':
		if (node_new(j, JSON_NUMBER) == NULL)
			return RUN_BAD;
		j->number = 0;
		j->state = ST_NUMBER;
		return on_number(j);
	case 't':
		return word(j, JSON_TRUE, "true");
	case 'f':
		return word(j, JSON_FALSE, "false");
	case 'n':
		return word(j, JSON_NULL, "null");
	default:
		return syntax(j, "expected a value");
	}
}

static enum json_run on_value(struct json *j)
{
	enum json_run r = RUN_GO;

	return next_byte(j, &r) ? value(j) : r;
}

static enum json_run on_item_or_end(struct json *j)
{
	enum json_run r = RUN_GO;

	if (!next_byte(j, &r))
		return r;
	return j->p[j->pos] == ']' ? close_container(j) : value(j);
}

static enum json_run on_key_text(struct json *j)
{
	enum json_run r = json_text_run(j);

	if (r != RUN_GO)
		return r;
	j->key_end = (uint32_t)j->pos++;
	j->keyesc = j->esc;
	j->state = ST_COLON;
	return json_key_hash(j);
}

static enum json_run on_key(struct json *j)
{
	enum json_run r = RUN_GO;

	if (!next_byte(j, &r))
		return r;
	if (j->p[j->pos] == '}' && j->state == ST_KEY_OR_END)
		return close_container(j);
	if (j->p[j->pos] != '"')
		return syntax(j, "expected a key in quotes");
	j->key = (uint32_t)++j->pos;
	j->esc = false;
	j->state = ST_KEY_TEXT;
	return on_key_text(j);
}

static enum json_run on_colon(struct json *j)
{
	enum json_run r = RUN_GO;

	if (!next_byte(j, &r))
		return r;
	if (j->p[j->pos] != ':')
		return syntax(j, "expected a colon");
	j->pos++;
	j->state = ST_VALUE;
	return RUN_GO;
}

static enum json_run after_root(struct json *j)
{
	if (skip_white(j))
		return json_fail(j, "json_trailing", j->pos, "something follows the value");
	if (j->pos < j->n)
		return RUN_YIELD;
	j->state = ST_DONE;
	return RUN_DONE;
}

static enum json_run on_dup(struct json *j)
{
	enum json_run r = json_dup_run(j);

	return r == RUN_GO ? close_container(j) : r;
}

static enum json_run on_after(struct json *j)
{
	enum json_run r = RUN_GO;

	if (j->depth == 0)
		return after_root(j);
	if (!next_byte(j, &r))
		return r;
	struct json_frame *f = &j->frames[j->depth - 1];
	uint8_t c = j->p[j->pos];
	if (c == ',') {
		j->pos++;
		j->state = f->obj ? ST_KEY : ST_VALUE;
		return RUN_GO;
	}
	if (c != (f->obj ? '}' : ']'))
		return syntax(j, f->obj ? "expected a comma or }" : "expected a comma or ]");
	if (!f->obj || f->n < 2)
		return close_container(j);
	j->state = ST_DUP;
	r = json_dup_begin(j);
	return r == RUN_GO ? on_dup(j) : r;
}

static enum json_run on_key_hash(struct json *j)
{
	enum json_run r = json_key_hash_run(j);

	if (r == RUN_GO)
		j->state = ST_COLON;
	return r;
}

static enum json_run on_done(struct json *j)
{
	(void)j;
	return RUN_DONE;
}

static enum json_run on_bad(struct json *j)
{
	(void)j;
	return RUN_BAD;
}

static enum json_run (*const states[ST_N])(struct json *) = {
	[ST_VALUE] = on_value,
	[ST_ITEM_OR_END] = on_item_or_end,
	[ST_KEY] = on_key,
	[ST_KEY_OR_END] = on_key,
	[ST_KEY_TEXT] = on_key_text,
	[ST_KEY_HASH] = on_key_hash,
	[ST_COLON] = on_colon,
	[ST_TEXT] = on_text,
	[ST_NUMBER] = on_number,
	[ST_AFTER] = on_after,
	[ST_DUP] = on_dup,
	[ST_DONE] = on_done,
	[ST_BAD] = on_bad,
};

/* A time budget, not a time anyone sees: the injectable clock is not asked. */
static uint64_t now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000u + (uint64_t)t.tv_nsec / 1000u;
}

/* As much of a key as fits a message, not cut inside a character. */
static struct sv key_start(struct sv key)
{
	size_t max = 60;

	if (key.n <= max)
		return key;
	while (max > 0 && ((uint8_t)key.p[max] & 0xc0) == 0x80)
		max--;
	return (struct sv){ key.p, max };
}

static void report(const struct json *j, struct err *e)
{
	struct sv k = key_start(j->bad_key);

	if (j->bad_key.p != NULL)
		err_set(e, j->bad_code, "JSON, byte %zu: %s: \"%.*s%s\"", j->bad_off,
			j->bad_what, SVFMT(k), k.n < j->bad_key.n ? "…" : "");
	else
		err_set(e, j->bad_code, "JSON, byte %zu: %s", j->bad_off, j->bad_what);
}

enum json_status json_scan(struct json *j, unsigned budget_us, struct err *e)
{
	uint64_t end = budget_us > 0 ? now_us() + budget_us : UINT64_MAX;
	enum json_run r;

	for (;;) {
		j->stop = j->n - j->pos > j->step ? j->pos + j->step : j->n;
		do
			r = states[j->state](j);
		while (r == RUN_GO);
		if (r != RUN_YIELD)
			break;
		if (j->yield_always || (budget_us > 0 && now_us() >= end))
			return JSON_MORE;
	}
	free(j->dup.tab); /* no longer needed, and half a megabyte */
	j->dup.tab = NULL;
	j->dup.cap = 0;
	if (r == RUN_DONE)
		return JSON_DONE;
	report(j, e);
	return JSON_BAD;
}

struct json *json_parse(struct sv bytes, struct err *e)
{
	struct json *j = json_new(bytes);

	if (json_scan(j, 0, e) != JSON_DONE)
		json_free(&j);
	return j;
}
