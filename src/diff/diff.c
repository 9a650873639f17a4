/*
 * diff.c - line hunks by libgit2, into tables.
 *
 * libgit2 gives no offsets for context of the new side and hands out pointers
 * into the two buffers, from which the offsets are computed.
 */
#include "diff/diff.h"

#include <git2.h>
#include <stdlib.h>
#include <string.h>

#define BINARY_LOOK 8000

struct build {
	struct diff *d;
	size_t cap_hunks, cap_lines;
	struct sv old, new_;
};

void diff_free(struct diff **dp)
{
	if (*dp == NULL)
		return;
	free((*dp)->hunks);
	free((*dp)->lines);
	free(*dp);
	*dp = NULL;
}

static int on_hunk(const git_diff_delta *delta, const git_diff_hunk *h, void *arg)
{
	struct build *b = arg;
	struct diff *d = b->d;

	(void)delta;
	if (d->n_hunks == b->cap_hunks) {
		b->cap_hunks = b->cap_hunks + b->cap_hunks / 2 + 16;
		d->hunks = xreallocarray(d->hunks, b->cap_hunks, sizeof(*d->hunks));
	}
	d->hunks[d->n_hunks++] = (struct diff_hunk){
		(uint32_t)h->old_start, (uint32_t)h->old_lines,
		(uint32_t)h->new_start, (uint32_t)h->new_lines,
		(uint32_t)d->n_lines, 0 };
	return 0;
}

static size_t offset_in(struct sv buf, const char *p)
{
	return p >= buf.p && p <= buf.p + buf.n ? (size_t)(p - buf.p) : 0;
}

static int on_line(const git_diff_delta *delta, const git_diff_hunk *h,
	const git_diff_line *l, void *arg)
{
	struct build *b = arg;
	struct diff *d = b->d;
	struct diff_line *out;

	(void)delta;
	(void)h;
	/* "\ No newline at end of file" marks the line before it. */
	if (l->origin == GIT_DIFF_LINE_CONTEXT_EOFNL ||
	    l->origin == GIT_DIFF_LINE_ADD_EOFNL ||
	    l->origin == GIT_DIFF_LINE_DEL_EOFNL)
		return 0;
	if (l->origin != ' ' && l->origin != '+' && l->origin != '-')
		return 0;
	if (d->n_lines == b->cap_lines) {
		b->cap_lines = b->cap_lines + b->cap_lines / 2 + 64;
		d->lines = xreallocarray(d->lines, b->cap_lines, sizeof(*d->lines));
	}
	out = &d->lines[d->n_lines++];
	*out = (struct diff_line){ .origin = l->origin,
		.old_no = l->old_lineno > 0 ? (uint32_t)l->old_lineno : 0,
		.new_no = l->new_lineno > 0 ? (uint32_t)l->new_lineno : 0,
		.text = { l->content, l->content_len } };
	if (out->text.n > 0 && out->text.p[out->text.n - 1] == '\n')
		out->text.n--;
	else
		out->no_eol = true;
	out->offset = offset_in(l->origin == '-' ? b->old : b->new_, l->content);
	d->hunks[d->n_hunks - 1].n_lines++;
	d->added += l->origin == '+';
	d->deleted += l->origin == '-';
	return 0;
}

static bool looks_binary(struct sv s)
{
	return s.n > 0 && memchr(s.p, 0, s.n < BINARY_LOOK ? s.n : BINARY_LOOK) != NULL;
}

struct diff *diff_new(struct sv old, struct sv new_, unsigned context,
	struct err *e)
{
	git_diff_options opts;
	struct build b = { .old = old, .new_ = new_ };
	int r;

	b.d = xcalloc(1, sizeof(*b.d));
	if (sv_eq(old, new_)) {
		b.d->same = true;
		return b.d;
	}
	if (looks_binary(old) || looks_binary(new_)) {
		b.d->binary = true;
		return b.d;
	}
	git_diff_options_init(&opts, GIT_DIFF_OPTIONS_VERSION);
	opts.context_lines = context;
	opts.interhunk_lines = 0;
	opts.flags = GIT_DIFF_FORCE_TEXT;
	opts.max_size = -1;
	git_libgit2_init();
	r = git_diff_buffers(old.p != NULL ? old.p : "", old.n, NULL,
		new_.p != NULL ? new_.p : "", new_.n, NULL, &opts, NULL, NULL,
		on_hunk, on_line, &b);
	if (r != 0) {
		const git_error *ge = git_error_last();

		err_set(e, "diff", "the difference could not be computed: %s",
			ge != NULL ? ge->message : "unknown");
		diff_free(&b.d);
	}
	git_libgit2_shutdown();
	return b.d;
}
