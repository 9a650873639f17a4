/*
 * kind_edit.c - an edit: a list of files when there are several, then one
 * section a file: what is done, to which file, what is known of it, and the
 * difference.
 *
 * Content that came with the request is always shown whole, whatever the
 * request calls it: a "binary" flag or a NUL in it hides nothing. Only what
 * lies on the disk already may be shown as size and digest.
 */
#include <stdio.h>
#include <string.h>

#include "base/i18n.h"
#include "kinds/edit_priv.h"

static const struct {
	enum role role;
	const char *text;
} notes[NOTE_N] = {
	[NOTE_UNREADABLE] = { ROLE_WARN,
		N_("what the file holds now could not be read") },
	[NOTE_TOO_BIG] = { ROLE_WARN,
		N_("the file is too large to be read: what it holds is not known") },
	[NOTE_NOT_REGULAR] = { ROLE_WARN, N_("this is not a regular file") },
	[NOTE_TANGLED] = { ROLE_WARN, N_("this request changes the same file in "
		"several ways; each is drawn against the file as it is now") },
	[NOTE_NO_FILE] = { ROLE_WARN, N_("the file to change does not exist") },
	[NOTE_MAKES_IT] = { ROLE_WARN,
		N_("the file to change does not exist: this makes it") },
	[NOTE_GONE_ALREADY] = { ROLE_WARN, N_("the file to delete does not exist") },
	[NOTE_EXISTS] = { ROLE_WARN,
		N_("said to be new, but the file exists: this replaces it") },
	[NOTE_TARGET_EXISTS] = { ROLE_WARN,
		N_("a file of the new name exists: this replaces it") },
	[NOTE_OLD_DIFFERS] = { ROLE_WARN,
		N_("the old text in the request is not the file as it is now") },
	[NOTE_OLD_CLAIMED] = { ROLE_WARN,
		N_("drawn against the old text in the request, not against the file") },
	[NOTE_NOT_PLACED] = { ROLE_WARN,
		N_("the text to replace has no one place in the file as it is now") },
	[NOTE_TOO_MUCH] = { ROLE_WARN,
		N_("too much to place in the file: shown by itself") },
	[NOTE_OLD_BINARY] = { ROLE_WARN,
		N_("the file as it is now is binary: its content is not shown") },
	[NOTE_NEW_MISSING] = { ROLE_WARN,
		N_("said to be binary; the new content is not in the request") },
	[NOTE_SAME] = { ROLE_CHROME, N_("the file holds exactly this already") },
	[NOTE_EMPTY] = { ROLE_CHROME, N_("empty file") },
	[NOTE_MOVED_WHOLE] = { ROLE_CHROME, N_("moved without a change of content") },
	[NOTE_PATCH] = { ROLE_WARN, N_("the agent's own patch, as it wrote it: not "
		"computed here, not compared with the file") },
	[NOTE_NO_DIFF] = { ROLE_WARN, N_("the difference could not be computed: "
		"the content is shown whole") },
	[NOTE_DELETES_UNSEEN] = { ROLE_WARN, N_("what is deleted cannot be shown") },
};

static const char *const git_texts[] = {
	[GIT_UNKNOWN] = N_("git: could not be read"),
	[GIT_NO_REPO] = N_("not in git"),
	[GIT_CLEAN] = N_("git: tracked, unchanged"),
	[GIT_DIRTY] = N_("git: changed, not committed"),
	[GIT_UNTRACKED] = N_("git: not tracked"),
	[GIT_IGNORED] = N_("git: ignored"),
};

static const char *verb(const struct edit_sect *s)
{
	const struct ev_file *f = s->file;

	if (s->c->op == CHANGE_DELETE)
		return _("delete");
	if (s->c->op == CHANGE_MOVE)
		return _("move");
	if (f != NULL && f->state == FILE_ABSENT && !edit_noted(s, NOTE_NO_FILE))
		return _("new file");
	if (f == NULL || f->state == FILE_UNKNOWN)
		return s->c->op == CHANGE_ADD ? _("new file") :
			s->c->op == CHANGE_WRITE ? _("write") : _("change");
	return _("change");
}

/* ---- what is known of the file ---- */

static void fact_sep(struct view *v, bool *any)
{
	if (*any)
		doc_span(v->d, ROLE_CHROME_DIM, SV(", "));
	*any = true;
}

static void facts_line(struct view *v, const struct ev_file *f)
{
	bool any = false;

	doc_line(v->d, LINE_OURS);
	if ((size_t)f->git < sizeof(git_texts) / sizeof(git_texts[0])) {
		fact_sep(v, &any);
		doc_span(v->d, f->git == GIT_UNKNOWN ? ROLE_WARN : ROLE_CHROME_DIM,
			sv_of(_(git_texts[f->git])));
	}
	fact_sep(v, &any);
	if (f->in_workspace)
		doc_span(v->d, ROLE_CHROME_DIM, sv_of(_("in the workspace")));
	else
		doc_span(v->d, ROLE_WARN, sv_of(_("outside the workspace")));
	if (f->state != FILE_REGULAR)
		return;
	fact_sep(v, &any);
	doc_spanf(v->d, ROLE_CHROME_DIM, P_("%llu byte", "%llu bytes", f->size),
		(unsigned long long)f->size);
	fact_sep(v, &any);
	doc_spanf(v->d, ROLE_CHROME_DIM, _("mode %04o"), (unsigned)(f->mode & 07777));
	if (f->nlink > 1) {
		fact_sep(v, &any);
		doc_spanf(v->d, ROLE_WARN, _("%u hard links"), (unsigned)f->nlink);
	}
}

static void unknown_line(struct view *v, const struct ev_file *f)
{
	const char *why = f != NULL && f->error != 0 ? strerrordesc_np(f->error) : NULL;

	doc_line(v->d, LINE_OURS);
	doc_span(v->d, ROLE_WARN, sv_of(_("the file could not be opened")));
	if (why != NULL)
		doc_spanf(v->d, ROLE_WARN, ": %s", why);
}

static void digest_line(struct view *v, const struct ev_file *f)
{
	char text[DIGEST_TEXT_LEN + 1];

	if (!f->has_digest)
		return;
	digest_text(&f->digest, text);
	doc_line(v->d, LINE_OURS);
	doc_span(v->d, ROLE_CHROME_DIM, sv_of(text));
}

/* Where the name given leads, when that is not what it says. */
static void real_line(struct view *v, const struct ev_file *f, struct sv given)
{
	if (f->real.n == 0 || sv_eq(f->real, given))
		return;
	if (f->via_link)
		view_field(v, LINE_OURS, _("leads through a link to"), ROLE_WARN,
			f->real);
	else if (given.n > 0 && given.p[0] != '/')
		view_field(v, LINE_OURS, _("that is"), ROLE_CHROME_DIM, f->real);
}

static void file_lines(struct view *v, const struct ev_file *f, struct sv given,
	bool digest)
{
	/* Blanks at a name's ends are part of it and would not be seen. */
	if (given.n > 0 && (given.p[0] == ' ' || given.p[given.n - 1] == ' '))
		view_ours(v, ROLE_WARN, _("the name begins or ends with a blank"));
	if (f == NULL || f->state == FILE_UNKNOWN) {
		unknown_line(v, f);
		return;
	}
	real_line(v, f, given);
	facts_line(v, f);
	if (digest && f->state == FILE_REGULAR)
		digest_line(v, f);
}

/* ---- a section ---- */

static void heading(struct view *v, const struct edit_sect *s)
{
	const struct change *c = s->c;
	bool digest = edit_noted(s, NOTE_OLD_BINARY) || edit_noted(s, NOTE_TOO_BIG) ||
		edit_noted(s, NOTE_NEW_MISSING);
	struct buf label;

	doc_line(v->d, LINE_OURS);
	doc_span(v->d, ROLE_FILE, sv_of(verb(s)));
	doc_span(v->d, ROLE_FILE, SV("  "));
	doc_span_raw(v->d, ROLE_FILE, c->path, ESC_STRICT, 0);
	buf_init(&label, 4096);
	esc_label(c->path, 200, &label);
	doc_mark(v->d, MARK_FILE, buf_sv(&label));
	buf_free(&label);
	file_lines(v, s->file, c->path, digest && c->op != CHANGE_MOVE);
	if (c->old_path.n > 0) {
		view_field(v, LINE_OURS, _("from"), ROLE_FILE, c->old_path);
		file_lines(v, s->from, c->old_path, digest);
	}
	if (c->mode.n > 0)
		view_field(v, LINE_OURS, _("mode"), ROLE_WARN, c->mode);
}

static bool note_hidden(const struct edit_sect *s, enum edit_note n)
{
	/* Said already by a note that says more. */
	if (n == NOTE_NOT_PLACED)
		return edit_noted(s, NOTE_NO_FILE) || (s->n == 1 && s->c->old_text.n > 0);
	if (n == NOTE_UNREADABLE)
		return s->c->op != CHANGE_MOVE ?
			s->file == NULL || s->file->state == FILE_UNKNOWN :
			s->from == NULL || s->from->state == FILE_UNKNOWN;
	return false;
}

static void say_notes(struct view *v, const struct edit_sect *s)
{
	for (size_t n = 0; n < NOTE_N; n++)
		if (edit_noted(s, (enum edit_note)n) &&
		    !note_hidden(s, (enum edit_note)n))
			view_ours(v, notes[n].role, _(notes[n].text));
}

/* Every occurrence replaced: how many they are is part of what is done. */
static void say_replaced(struct edit_plan *p, const struct edit_sect *s)
{
	for (size_t i = 0; i < s->n; i++) {
		uint32_t hits = p->parts[p->order[s->first + i]].hits;

		if (!edit_change(p, s, i)->replace_all || hits == 0)
			continue;
		doc_line(p->v->d, LINE_OURS);
		doc_spanf(p->v->d, ROLE_CHROME, P_("every occurrence: %u place",
			"every occurrence: %u places", hits), (unsigned)hits);
	}
}

static void part_head(struct edit_plan *p, const struct edit_sect *s, size_t i)
{
	const struct edit_part *part = &p->parts[p->order[s->first + i]];
	const struct change *c = edit_change(p, s, i);
	struct view *v = p->v;

	if (s->n > 1) {
		doc_line(v->d, LINE_OURS);
		doc_spanf(v->d, ROLE_HUNK, _("change %zu of %zu"), i + 1, s->n);
		doc_mark(v->d, MARK_HUNK, SV("change"));
	}
	if (edit_is_cell(c) && c->note.n > 0)
		view_field(v, LINE_PAYLOAD, _("cell"), ROLE_TEXT, c->note);
	if (edit_is_cell(c))
		view_ours(v, ROLE_WARN, c->has_new ?
			_("the old text is not in the request; the new text:") :
			_("the old text is not in the request"));
	else if (c->has_old && !c->has_new)
		view_ours(v, ROLE_WARN, _("the new text is not in the request"));
	if (c->replace_all)
		view_ours(v, ROLE_CHROME, _("every occurrence is replaced"));
	if (!part->looked || edit_noted(s, NOTE_NO_FILE))
		return;
	doc_line(v->d, LINE_OURS);
	if (part->hits == 0)
		doc_span(v->d, ROLE_WARN, sv_of(_("the text to replace does not "
			"occur in the file as it is now")));
	else if (part->hits > 1 && !c->replace_all)
		doc_spanf(v->d, ROLE_WARN, P_("the text to replace occurs %u time: "
			"the runtime will refuse, or pick one",
			"the text to replace occurs %u times: the runtime will "
			"refuse, or pick one", part->hits), (unsigned)part->hits);
	else
		doc_spanf(v->d, ROLE_CHROME, P_("the text to replace occurs %u time",
			"the text to replace occurs %u times", part->hits),
			(unsigned)part->hits);
}

static void draw_parts(struct edit_plan *p, const struct edit_sect *s)
{
	for (size_t i = 0; i < s->n && !doc_over(p->v->d); i++) {
		const struct edit_part *part = &p->parts[p->order[s->first + i]];
		const struct change *c = edit_change(p, s, i);

		part_head(p, s, i);
		if (part->diff == NULL) {
			bool differ = edit_ends_differ(c->old_text, c->new_text);

			edit_draw_side(p->v, '-', c->old_text, false, differ);
			edit_draw_side(p->v, '+', c->new_text, false, differ);
		} else if (part->diff->same) {
			view_ours(p->v, ROLE_CHROME, _("replaced by the same text"));
			edit_draw_side(p->v, ' ', c->new_text, false, false);
		} else {
			edit_draw_diff(p->v, part->diff, false);
		}
	}
}

static void section(struct edit_plan *p, const struct edit_sect *s)
{
	struct view *v = p->v;

	heading(v, s);
	say_notes(v, s);
	switch (s->show) {
	case EDIT_SHOW_NOTHING:
		break;
	case EDIT_SHOW_DIFF:
		say_replaced(p, s);
		edit_draw_diff(v, s->diff, true);
		break;
	case EDIT_SHOW_NEW:
		edit_draw_side(v, '+', s->new_, true, true);
		break;
	case EDIT_SHOW_OLD:
		edit_draw_side(v, '-', s->old, true, true);
		break;
	case EDIT_SHOW_PARTS:
		draw_parts(p, s);
		break;
	case EDIT_SHOW_PATCH:
		edit_patch(v, s->c->patch, &(uint32_t){ 0 }, &(uint32_t){ 0 });
		break;
	}
}

static void file_list(struct edit_plan *p)
{
	struct view *v = p->v;
	uint64_t added = 0, deleted = 0;

	if (p->n_sects < 2)
		return;
	for (size_t i = 0; i < p->n_sects; i++) {
		added += p->sects[i].added;
		deleted += p->sects[i].deleted;
	}
	doc_line(v->d, LINE_OURS);
	doc_spanf(v->d, ROLE_CHROME, P_("%zu file", "%zu files", p->n_sects),
		p->n_sects);
	doc_spanf(v->d, ROLE_CHROME, ", +%llu -%llu", (unsigned long long)added,
		(unsigned long long)deleted);
	for (size_t i = 0; i < p->n_sects && !doc_over(v->d); i++) {
		const struct edit_sect *s = &p->sects[i];

		/* The name stands last, where nothing can be mistaken for it. */
		doc_line(v->d, LINE_OURS);
		doc_spanf(v->d, ROLE_ADD, "  +%u", (unsigned)s->added);
		doc_spanf(v->d, ROLE_DEL, " -%u", (unsigned)s->deleted);
		doc_spanf(v->d, ROLE_CHROME, "  %s  ", verb(s));
		doc_span_raw(v->d, ROLE_FILE, s->c->path, ESC_STRICT, 0);
	}
}

void kind_edit_view(struct view *v)
{
	struct edit_plan p;

	if (v->a->n_changes == 0) {
		view_ours(v, ROLE_WARN, _("names no file"));
		kind_raw_view(v);
		return;
	}
	edit_plan_make(&p, v);
	file_list(&p);
	for (size_t i = 0; i < p.n_sects && !doc_over(v->d); i++)
		section(&p, &p.sects[i]);
	edit_leaves_done(&p);
	view_leaves(v, _("also in the request:"));
	edit_plan_free(&p);
}
