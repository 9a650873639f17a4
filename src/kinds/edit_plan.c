/*
 * edit_plan.c - changes grouped by file, and each file's content before and
 * after.
 *
 * What a request may make us do is bounded: lines of all differences, and
 * bytes searched and copied to place fragments. Past the bounds a change is
 * shown by itself, whole, and said not to be placed.
 */
#include "kinds/edit_priv.h"

#include <stdlib.h>
#include <string.h>

#define LINES_MAX (8u << 20)
#define BYTES_MAX ((size_t)1 << 30)
#define MADE_MAX ((size_t)64 << 20)
#define CONTEXT 3

void edit_note(struct edit_sect *s, enum edit_note n)
{
	s->notes |= 1u << n;
}

bool edit_noted(const struct edit_sect *s, enum edit_note n)
{
	return (s->notes & 1u << n) != 0;
}

const struct change *edit_change(const struct edit_plan *p,
	const struct edit_sect *s, size_t i)
{
	return &p->v->a->changes[p->order[s->first + i]];
}

bool edit_is_cell(const struct change *c)
{
	return c->fragment && !c->has_old && c->op != CHANGE_DELETE;
}

uint32_t edit_count_lines(struct sv text)
{
	uint32_t n = 0;
	size_t at = 0;

	while (at < text.n) {
		const char *nl = memchr(text.p + at, '\n', text.n - at);

		n++;
		if (nl == NULL)
			break;
		at = (size_t)(nl - text.p) + 1;
	}
	return n;
}

/* ---- evidence by path ---- */

static int file_cmp(const void *a, const void *b)
{
	return sv_cmp((*(const struct ev_file *const *)a)->path,
		(*(const struct ev_file *const *)b)->path);
}

static void files_sort(struct edit_plan *p)
{
	const struct evidence *ev = p->v->ev;

	p->n_files = ev != NULL ? ev->n_files : 0;
	p->files = xcalloc(p->n_files, sizeof(struct ev_file *));
	for (size_t i = 0; i < p->n_files; i++)
		p->files[i] = &ev->files[i];
	qsort(p->files, p->n_files, sizeof(struct ev_file *), file_cmp);
}

static const struct ev_file *file_of(struct edit_plan *p, struct sv path)
{
	struct ev_file key = { .path = SV_NONE };
	const struct ev_file *want = &key, **found;

	if (path.n == 0)
		return NULL;
	key.path = action_abs_path(p->v->a, path, p->v->ar);
	if (key.path.n == 0 || p->n_files == 0)
		return NULL;
	found = bsearch(&want, p->files, p->n_files, sizeof(struct ev_file *),
		file_cmp);
	return found != NULL ? *found : NULL;
}

/* ---- grouping ---- */

struct slot {
	struct sv path;
	uint32_t i;
	uint32_t leader;       /* the change whose section it is in */
	bool plain;
};

/* Changes of content in place can follow each other in one section. */
static bool is_plain(const struct change *c)
{
	return (c->op == CHANGE_ADD || c->op == CHANGE_MODIFY ||
		c->op == CHANGE_WRITE) && c->has_new && c->old_path.n == 0;
}

static int by_path(const void *a, const void *b)
{
	const struct slot *x = a, *y = b;
	int c = sv_cmp(x->path, y->path);

	return c != 0 ? c : (x->i > y->i) - (x->i < y->i);
}

static int by_leader(const void *a, const void *b)
{
	const struct slot *x = a, *y = b;

	if (x->leader != y->leader)
		return x->leader > y->leader ? 1 : -1;
	return (x->i > y->i) - (x->i < y->i);
}

static void find_leaders(struct slot *s, size_t n)
{
	uint32_t leader = 0;
	bool have = false;

	for (size_t k = 0; k < n; k++) {
		if (k == 0 || !sv_eq(s[k].path, s[k - 1].path))
			have = false;
		s[k].leader = s[k].i;
		if (!s[k].plain)
			continue;
		if (!have)
			leader = s[k].i;
		have = true;
		s[k].leader = leader;
	}
}

static void group(struct edit_plan *p)
{
	const struct action *a = p->v->a;
	struct slot *s = xcalloc(a->n_changes, sizeof(*s));
	struct edit_sect *sect = NULL;

	for (size_t i = 0; i < a->n_changes; i++)
		s[i] = (struct slot){ a->changes[i].path, (uint32_t)i, 0,
			is_plain(&a->changes[i]) };
	qsort(s, a->n_changes, sizeof(*s), by_path);
	find_leaders(s, a->n_changes);
	qsort(s, a->n_changes, sizeof(*s), by_leader);
	for (size_t k = 0; k < a->n_changes; k++) {
		p->order[k] = s[k].i;
		if (k == 0 || s[k].leader != s[k - 1].leader) {
			sect = &p->sects[p->n_sects++];
			sect->first = k;
			sect->c = &a->changes[s[k].i];
			sect->file = file_of(p, sect->c->path);
			sect->from = file_of(p, sect->c->old_path);
		}
		sect->n++;
	}
	free(s);
}

/* Two sections about one file, by its resolved name: each is drawn against the
 * file as it is now, which the other will have changed. */
static void find_tangles(struct edit_plan *p)
{
	struct slot *s = xcalloc(p->n_sects * 2, sizeof(*s));
	size_t n = 0;

	for (size_t i = 0; i < p->n_sects; i++) {
		const struct edit_sect *t = &p->sects[i];
		const struct ev_file *f[2] = { t->file, t->from };
		struct sv given[2] = { t->c->path, t->c->old_path };

		for (int k = 0; k < 2; k++)
			if (given[k].n > 0)
				s[n++] = (struct slot){ f[k] != NULL && f[k]->real.n > 0 ?
					f[k]->real : given[k], (uint32_t)i, 0, false };
	}
	qsort(s, n, sizeof(*s), by_path);
	for (size_t k = 1; k < n; k++)
		if (sv_eq(s[k].path, s[k - 1].path) && s[k].i != s[k - 1].i) {
			edit_note(&p->sects[s[k].i], NOTE_TANGLED);
			edit_note(&p->sects[s[k - 1].i], NOTE_TANGLED);
		}
	free(s);
}

/* ---- content ---- */

static bool spend(struct edit_plan *p, size_t bytes)
{
	if (bytes > p->bytes_left) {
		p->bytes_left = 0;
		return false;
	}
	p->bytes_left -= bytes;
	return true;
}

static uint32_t count_hits(struct sv hay, struct sv needle)
{
	const char *at, *end;
	uint32_t n = 0;

	if (needle.n == 0 || hay.n == 0)
		return 0;
	at = hay.p;
	end = hay.p + hay.n;
	while ((at = memmem(at, (size_t)(end - at), needle.p, needle.n)) != NULL) {
		n++;
		at += needle.n;
	}
	return n;
}

static char *replace(struct sv hay, struct sv needle, struct sv with, size_t hits,
	size_t size)
{
	char *out = xmalloc(size), *to = out;
	const char *at = hay.p, *end = hay.p + hay.n;

	while (hits-- > 0) {
		const char *hit = memmem(at, (size_t)(end - at), needle.p, needle.n);

		memcpy(to, at, (size_t)(hit - at));
		to += hit - at;
		if (with.n > 0)
			memcpy(to, with.p, with.n);
		to += with.n;
		at = hit + needle.n;
	}
	if (end > at)
		memcpy(to, at, (size_t)(end - at));
	return out;
}

/* Puts one fragment into the content so far. False: it has no one place. */
static bool place(struct edit_plan *p, struct edit_sect *s, const struct change *c,
	struct edit_part *part)
{
	size_t hits, size;
	char *made;

	if (c->old_text.n == 0 || !spend(p, s->new_.n)) {
		edit_note(s, c->old_text.n == 0 ? NOTE_NOT_PLACED : NOTE_TOO_MUCH);
		return false;
	}
	part->hits = count_hits(s->new_, c->old_text);
	part->looked = true;
	hits = part->hits;
	if (hits == 0 || (hits > 1 && !c->replace_all)) {
		edit_note(s, NOTE_NOT_PLACED);
		return false;
	}
	/* hits * old_text.n is within the content, so only growth can be large. */
	size = s->new_.n - hits * c->old_text.n;
	if (c->new_text.n > MADE_MAX || hits > MADE_MAX || size > MADE_MAX ||
	    hits * c->new_text.n > MADE_MAX ||
	    !spend(p, size + hits * c->new_text.n)) {
		edit_note(s, NOTE_TOO_MUCH);
		return false;
	}
	size += hits * c->new_text.n;
	made = replace(s->new_, c->old_text, c->new_text, hits, size);
	free(s->made);
	s->made = made;
	s->new_ = (struct sv){ made, size };
	return true;
}

static void read_old(struct edit_sect *s)
{
	const struct ev_file *f = s->c->op == CHANGE_MOVE ? s->from : s->file;

	if (f == NULL || f->state == FILE_UNKNOWN) {
		edit_note(s, NOTE_UNREADABLE);
	} else if (f->state == FILE_ABSENT) {
		s->old_known = true;
	} else if (f->state != FILE_REGULAR) {
		edit_note(s, NOTE_NOT_REGULAR);
	} else if (!f->has_content) {
		edit_note(s, f->too_big ? NOTE_TOO_BIG : NOTE_UNREADABLE);
	} else {
		s->old_known = true;
		s->old = f->content;
	}
}

static bool old_absent(const struct edit_sect *s)
{
	const struct ev_file *f = s->c->op == CHANGE_MOVE ? s->from : s->file;

	return f != NULL && f->state == FILE_ABSENT;
}

static void whole_text(struct edit_sect *s, const struct change *c)
{
	if (c->has_old && s->old_known && !sv_eq(c->old_text, s->old))
		edit_note(s, NOTE_OLD_DIFFERS);
	if (c->has_old && !s->old_known && c->old_text.n > 0) {
		edit_note(s, NOTE_OLD_CLAIMED);
		s->old = c->old_text;
	}
	free(s->made);
	s->made = NULL;
	s->new_ = c->new_text;
	s->new_known = true;
}

/* The content after all changes of the section; false: not all of them have
 * their place. */
static bool apply(struct edit_plan *p, struct edit_sect *s)
{
	bool placed = true;

	s->new_ = s->old;
	s->new_known = s->old_known;
	for (size_t i = 0; i < s->n; i++) {
		const struct change *c = edit_change(p, s, i);

		if (!c->has_new && !edit_is_cell(c))
			continue;
		if (!c->fragment) {
			whole_text(s, c);
			for (size_t k = 0; k < i; k++)
				p->parts[p->order[s->first + k]].overwritten = true;
			placed = true;
		} else if (edit_is_cell(c) || !s->new_known) {
			placed = false;
		} else if (placed) {
			placed = place(p, s, c, &p->parts[p->order[s->first + i]]);
		}
	}
	return placed;
}

/* ---- what is shown ---- */

static struct diff *difference(struct edit_plan *p, struct edit_sect *s,
	struct sv old, struct sv new_, unsigned context)
{
	struct diff *d = diff_new(old, new_, context, p->lines_left, NULL);

	if (d == NULL) {
		edit_note(s, NOTE_NO_DIFF);
		return NULL;
	}
	p->lines_left -= d->n_lines;
	s->added += d->added;
	s->deleted += d->deleted;
	return d;
}

static void show_parts(struct edit_plan *p, struct edit_sect *s)
{
	s->show = EDIT_SHOW_PARTS;
	s->new_known = false;
	for (size_t i = 0; i < s->n; i++) {
		const struct change *c = edit_change(p, s, i);
		struct edit_part *part = &p->parts[p->order[s->first + i]];

		part->overwritten = false;
		if (c->has_new || c->has_old)
			part->diff = difference(p, s, c->old_text, c->new_text,
				DIFF_ALL);
	}
}

static void show_new(struct edit_sect *s)
{
	s->show = EDIT_SHOW_NEW;
	s->added = edit_count_lines(s->new_);
	if (s->new_.n == 0)
		edit_note(s, NOTE_EMPTY);
}

static void show_old(struct edit_sect *s)
{
	if (old_absent(s))
		edit_note(s, NOTE_GONE_ALREADY);
	else if (!s->old_known)
		edit_note(s, NOTE_DELETES_UNSEEN);
	else if (diff_looks_binary(s->old))
		edit_note(s, NOTE_OLD_BINARY);
	else if (s->old.n == 0)
		edit_note(s, NOTE_EMPTY);
	else
		s->show = EDIT_SHOW_OLD;
	if (s->show == EDIT_SHOW_OLD)
		s->deleted = edit_count_lines(s->old);
}

static void show_diff(struct edit_plan *p, struct edit_sect *s)
{
	s->diff = difference(p, s, s->old, s->new_, CONTEXT);
	if (s->diff == NULL) {
		show_new(s);
		return;
	}
	s->show = EDIT_SHOW_DIFF;
	if (s->diff->same)
		edit_note(s, s->c->op == CHANGE_MOVE ? NOTE_MOVED_WHOLE : NOTE_SAME);
}

/* What stands out about a file before its content is looked at. */
static void note_states(struct edit_sect *s)
{
	bool exists = s->file != NULL && s->file->state != FILE_ABSENT &&
		s->file->state != FILE_UNKNOWN;
	bool has_new = s->c->has_new;

	if (s->c->op == CHANGE_ADD && exists)
		edit_note(s, NOTE_EXISTS);
	if (s->c->op == CHANGE_MOVE && exists)
		edit_note(s, NOTE_TARGET_EXISTS);
	if (old_absent(s) && s->c->op == CHANGE_MODIFY)
		edit_note(s, s->c->fragment || !has_new ? NOTE_NO_FILE : NOTE_MAKES_IT);
	if (old_absent(s) && s->c->op == CHANGE_MOVE)
		edit_note(s, NOTE_NO_FILE);
	if (s->c->binary && !has_new)
		edit_note(s, NOTE_NEW_MISSING);
}

static void decide_show(struct edit_plan *p, struct edit_sect *s)
{
	const struct change *c = s->c;
	bool placed;

	read_old(s);
	note_states(s);
	if (c->op == CHANGE_DELETE) {
		show_old(s);
		return;
	}
	if (c->patch.n > 0 && !c->has_new) {
		s->show = EDIT_SHOW_PATCH;
		edit_note(s, NOTE_PATCH);
		edit_patch(NULL, c->patch, &s->added, &s->deleted);
		return;
	}
	placed = apply(p, s);
	if (!c->has_new && !edit_is_cell(c)) {
		if (c->op == CHANGE_MOVE)
			edit_note(s, NOTE_MOVED_WHOLE);
		return;                /* a mode, a move, or nothing to see */
	}
	if (s->old_known && diff_looks_binary(s->old))
		edit_note(s, NOTE_OLD_BINARY);
	if (!placed || (edit_noted(s, NOTE_OLD_BINARY) && c->fragment))
		show_parts(p, s);
	else if (edit_noted(s, NOTE_OLD_BINARY) || old_absent(s) ||
	    (!s->old_known && !edit_noted(s, NOTE_OLD_CLAIMED)))
		show_new(s);
	else
		show_diff(p, s);
}

void edit_plan_make(struct edit_plan *p, struct view *v)
{
	size_t n = v->a->n_changes;

	*p = (struct edit_plan){ .v = v, .lines_left = LINES_MAX,
		.bytes_left = BYTES_MAX };
	p->order = xcalloc(n, sizeof(*p->order));
	p->parts = xcalloc(n, sizeof(*p->parts));
	p->sects = xcalloc(n, sizeof(*p->sects));
	files_sort(p);
	group(p);
	find_tangles(p);
	for (size_t i = 0; i < p->n_sects; i++)
		decide_show(p, &p->sects[i]);
}

void edit_plan_free(struct edit_plan *p)
{
	for (size_t i = 0; i < p->v->a->n_changes; i++)
		diff_free(&p->parts[i].diff);
	for (size_t i = 0; i < p->n_sects; i++) {
		diff_free(&p->sects[i].diff);
		free(p->sects[i].made);
	}
	free(p->files);
	free(p->sects);
	free(p->parts);
	free(p->order);
}
