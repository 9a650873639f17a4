/*
 * diff.c - line hunks by libgit2, into tables.
 *
 * libgit2 hands out pointers into the two buffers, from which the offsets are
 * computed.
 */
#include "diff/diff.h"

#include <git2.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define BINARY_LOOK 8000

struct build {
	struct diff *d;
	size_t cap_hunks, cap_lines, max_lines;
	bool over;
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

static uint32_t offset_in(struct sv buf, const char *p)
{
	return p >= buf.p && p <= buf.p + buf.n ? (uint32_t)(p - buf.p) : 0;
}

static int on_line(const git_diff_delta *delta, const git_diff_hunk *h,
	const git_diff_line *l, void *arg)
{
	struct build *b = arg;
	struct diff *d = b->d;
	struct diff_line *out;
	size_t len = l->content_len;

	(void)delta;
	(void)h;
	/* Others: "\ No newline at end of file", which marks the line before it. */
	if (l->origin != ' ' && l->origin != '+' && l->origin != '-')
		return 0;
	if (d->n_lines >= b->max_lines || d->n_hunks == 0) {
		b->over = true;
		return -1;
	}
	if (d->n_lines == b->cap_lines) {
		b->cap_lines = b->cap_lines + b->cap_lines / 2 + 64;
		d->lines = xreallocarray(d->lines, b->cap_lines, sizeof(*d->lines));
	}
	out = &d->lines[d->n_lines++];
	*out = (struct diff_line){ .origin = l->origin,
		.old_no = l->old_lineno > 0 ? (uint32_t)l->old_lineno : 0,
		.new_no = l->new_lineno > 0 ? (uint32_t)l->new_lineno : 0,
		.offset = offset_in(l->origin == '-' ? d->old : d->new_, l->content) };
	if (len > 0 && l->content[len - 1] == '\n')
		len--;
	else
		out->no_eol = true;
	out->len = (uint32_t)len;
	d->hunks[d->n_hunks - 1].n_lines++;
	d->added += l->origin == '+';
	d->deleted += l->origin == '-';
	return 0;
}

bool diff_looks_binary(struct sv s)
{
	return s.n > 0 && memchr(s.p, 0, s.n < BINARY_LOOK ? s.n : BINARY_LOOK) != NULL;
}

struct sv diff_text(const struct diff *d, const struct diff_line *l)
{
	const struct sv *side = l->origin == '-' ? &d->old : &d->new_;

	return (struct sv){ side->p + l->offset, l->len };
}

/* Once, and never shut down: that would tear down state other threads use. */
static void start(void)
{
	git_libgit2_init();
}

struct diff *diff_new(struct sv old, struct sv new_, unsigned context,
	size_t max_lines, struct err *e)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct build b = { .max_lines = max_lines };
	git_diff_options opts;

	if (old.n > DIFF_MAX_BYTES || new_.n > DIFF_MAX_BYTES) {
		err_set(e, "diff_size", "too large to compare");
		return NULL;
	}
	b.d = xcalloc(1, sizeof(*b.d));
	b.d->old = (struct sv){ old.p != NULL ? old.p : "", old.n };
	b.d->new_ = (struct sv){ new_.p != NULL ? new_.p : "", new_.n };
	if (sv_eq(old, new_)) {
		b.d->same = true;
		return b.d;
	}
	pthread_once(&once, start);
	git_diff_options_init(&opts, GIT_DIFF_OPTIONS_VERSION);
	opts.context_lines = context;
	opts.interhunk_lines = 0;
	opts.flags = GIT_DIFF_FORCE_TEXT;
	opts.max_size = -1;
	if (git_diff_buffers(b.d->old.p, old.n, NULL, b.d->new_.p, new_.n, NULL,
	    &opts, NULL, NULL, on_hunk, on_line, &b) != 0) {
		const git_error *ge = git_error_last();

		if (b.over)
			err_set(e, "diff_lines", "too many lines to compare");
		else
			err_set(e, "diff", "the difference could not be computed: %s",
				ge != NULL ? ge->message : "unknown");
		diff_free(&b.d);
	}
	return b.d;
}
