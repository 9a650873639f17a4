/*
 * view_queue.c - order, folding and the cursor of the queue. Drawing is in
 * view_queue_draw.c. See view_queue.h.
 */
#include "ui/view_queue.h"

#include <stdlib.h>
#include <string.h>

static const char *str(const char *s)
{
	return s != NULL ? s : "";
}

void view_queue_free(struct view_queue *v)
{
	for (size_t i = 0; i < v->n_unfolded; i++)
		free(v->unfolded[i]);
	free(v->unfolded);
	free(v->entries);
	memset(v, 0, sizeof(*v));
}

/* Closed, and not by our own hand: that one stays where it is until the next
 * key, so that the cursor does not travel with it. */
static bool is_past(const struct ui_row *r)
{
	return r->state == ST_CLOSED && !r->mine;
}

static int rank(const struct ui_row *r)
{
	return is_past(r) ? 2 : r->state == ST_ORPHANED ? 1 : 0;
}

/* Most urgent first; a total order, so that nothing dances. */
static int by_risk(const void *pa, const void *pb)
{
	const struct ui_row *a = *(const struct ui_row *const *)pa;
	const struct ui_row *b = *(const struct ui_row *const *)pb;
	int ca = rank(a), cb = rank(b);

	if (ca != cb)
		return ca - cb;
	if (ca == 2)
		return a->id > b->id ? -1 : a->id < b->id;
	if (a->care != b->care)
		return a->care > b->care ? -1 : 1;
	if (a->warn != b->warn) /* its time is nearly up */
		return a->warn ? -1 : 1;
	/* Ids come in the order of arrival; ages told at two times may differ by
	 * a millisecond, and rows would change places. */
	return a->id < b->id ? -1 : a->id > b->id;
}

static bool same_session(const struct ui_row *a, const struct ui_row *b)
{
	return strcmp(str(a->channel), str(b->channel)) == 0
		&& strcmp(str(a->session), str(b->session)) == 0;
}

static bool key_is(const char *key, const struct ui_row *r)
{
	size_t n = strlen(str(r->channel));

	return strncmp(key, str(r->channel), n) == 0 && key[n] == '\n'
		&& strcmp(key + n + 1, str(r->session)) == 0;
}

static bool is_unfolded(const struct view_queue *v, const struct ui_row *r)
{
	for (size_t i = 0; i < v->n_unfolded; i++)
		if (key_is(v->unfolded[i], r))
			return true;
	return false;
}

static void entry_add(struct view_queue *v, const struct ui_row *row, uint32_t folded,
	bool past)
{
	if (v->n == v->cap) {
		v->cap = v->cap == 0 ? 64 : v->cap * 2;
		v->entries = xreallocarray(v->entries, v->cap, sizeof(*v->entries));
	}
	v->entries[v->n++] = (struct queue_entry){ row, folded, past };
}

/* Rows of r's group (its session, or all closed ones) among the first n. */
static uint32_t group_before(const struct ui_row *const *rows, size_t n,
	const struct ui_row *r)
{
	uint32_t k = 0;

	for (size_t i = 0; i < n; i++)
		if (is_past(rows[i]) == is_past(r) && (is_past(r) || same_session(rows[i], r)))
			k++;
	return k;
}

/* The fold line stands after the last row of its group that is shown. */
static void build(struct view_queue *v, const struct ui_row *const *rows, size_t n)
{
	v->n = 0;
	for (size_t i = 0; i < n; i++) {
		const struct ui_row *r = rows[i];
		uint32_t before = group_before(rows, i, r), all;

		if (before < QUEUE_PER_SESSION || r->id == v->cursor || is_unfolded(v, r)) {
			entry_add(v, r, 0, false);
			if (before + 1 != QUEUE_PER_SESSION || is_unfolded(v, r))
				continue;
			all = group_before(rows, n, r);
			if (all > QUEUE_PER_SESSION)
				entry_add(v, NULL, all - QUEUE_PER_SESSION, is_past(r));
		}
	}
}

void view_queue_layout(struct view_queue *v, const struct ui_queue *m)
{
	const struct ui_row **rows = xcalloc(m->n + 1, sizeof(const struct ui_row *));
	bool found = false;

	for (size_t i = 0; i < m->n; i++)
		rows[i] = m->rows[i];
	qsort(rows, m->n, sizeof(*rows), by_risk);
	build(v, rows, m->n);
	free(rows);
	for (size_t i = 0; i < v->n; i++)
		if (v->entries[i].row != NULL && v->entries[i].row->id == v->cursor) {
			v->pos = i;
			found = true;
		}
	if (!found)
		v->cursor = 0;
}

const struct ui_row *view_queue_row(const struct view_queue *v)
{
	for (size_t i = 0; v->cursor != 0 && i < v->n; i++)
		if (v->entries[i].row != NULL && v->entries[i].row->id == v->cursor)
			return v->entries[i].row;
	return NULL;
}

/* Puts the cursor on the row at or after (before, when step is -1) pos. */
static void land(struct view_queue *v, long pos, long step)
{
	long n = (long)v->n;

	pos = pos < 0 ? 0 : pos >= n ? n - 1 : pos;
	for (long i = pos; i >= 0 && i < n; i += step)
		if (v->entries[i].row != NULL) {
			v->pos = (size_t)i;
			v->cursor = v->entries[i].row->id;
			return;
		}
	if (v->cursor != 0 || n == 0)
		return;
	for (long i = pos; i >= 0 && i < n; i -= step) /* only fold lines that way */
		if (v->entries[i].row != NULL) {
			v->pos = (size_t)i;
			v->cursor = v->entries[i].row->id;
			return;
		}
}

static void toggle_fold(struct view_queue *v)
{
	const struct ui_row *r = view_queue_row(v);

	if (r == NULL)
		return;
	for (size_t i = 0; i < v->n_unfolded; i++)
		if (key_is(v->unfolded[i], r)) {
			free(v->unfolded[i]);
			v->unfolded[i] = v->unfolded[--v->n_unfolded];
			return;
		}
	v->unfolded = xreallocarray(v->unfolded, v->n_unfolded + 1, sizeof(char *));
	v->unfolded[v->n_unfolded++] = xasprintf("%s\n%s", str(r->channel), str(r->session));
}

bool view_queue_cmd(struct view_queue *v, const struct ui_queue *m, enum cmd c)
{
	long page, at;

	view_queue_layout(v, m);
	page = v->page > 1 ? v->page - 1 : 1;
	at = (long)v->pos;
	/* From nothing, a move lands where the cursor was. */
	switch (c) {
	case CMD_DOWN: land(v, at + (v->cursor != 0), 1); return true;
	case CMD_UP: land(v, at - (v->cursor != 0), -1); return true;
	case CMD_PAGE_DOWN: land(v, at + page, 1); return true;
	case CMD_PAGE_UP: land(v, at - page, -1); return true;
	case CMD_FIRST: land(v, 0, 1); return true;
	case CMD_LAST: land(v, (long)v->n - 1, -1); return true;
	case CMD_UNFOLD: toggle_fold(v); return true;
	default: return false;
	}
}
