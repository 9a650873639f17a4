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
	uint32_t before;           /* lines left out at the head */
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
		b->before + (uint32_t)h->old_start, (uint32_t)h->old_lines,
		b->before + (uint32_t)h->new_start, (uint32_t)h->new_lines,
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
		.old_no = l->old_lineno > 0 ? b->before + (uint32_t)l->old_lineno : 0,
		.new_no = l->new_lineno > 0 ? b->before + (uint32_t)l->new_lineno : 0,
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

/* ---- common ends ---- */

/* Lines kept beside the context, so that a change can still be moved to where
 * it reads best. */
#define MARGIN 100

static size_t common_head(struct sv a, struct sv b)
{
	size_t n = a.n < b.n ? a.n : b.n, i = 0;

	while (n - i >= 4096 && memcmp(a.p + i, b.p + i, 4096) == 0)
		i += 4096;
	while (i < n && a.p[i] == b.p[i])
		i++;
	return i;
}

static size_t common_tail(struct sv a, struct sv b)
{
	size_t n = a.n < b.n ? a.n : b.n, i = 0;

	while (n - i >= 4096 &&
	    memcmp(a.p + a.n - i - 4096, b.p + b.n - i - 4096, 4096) == 0)
		i += 4096;
	while (i < n && a.p[a.n - i - 1] == b.p[b.n - i - 1])
		i++;
	return i;
}

/* Bytes of whole lines at the head of both that a diff with this context need
 * not look at. */
static size_t skip_head(struct sv old, struct sv new_, unsigned context)
{
	size_t at = common_head(old, new_);

	for (unsigned i = 0; i < context + MARGIN + 1; i++) {
		const char *nl = at > 0 ? memrchr(old.p, '\n', at) : NULL;

		if (nl == NULL)
			return 0;
		at = (size_t)(nl - old.p);
	}
	return at + 1;
}

/* The same at the tail, in what the head has left. */
static size_t skip_tail(struct sv old, struct sv new_, unsigned context)
{
	size_t left = common_tail(old, new_);

	for (unsigned i = 0; i < context + MARGIN + 1; i++) {
		const char *from = old.p + (old.n - left);
		const char *nl = left > 0 ? memchr(from, '\n', left) : NULL;

		if (nl == NULL)
			return 0;
		left -= (size_t)(nl - from) + 1;
	}
	return left;
}

static uint32_t count_lines(struct sv s)
{
	const char *at = s.p, *end = s.p + s.n;
	uint32_t n = 0;

	while (at < end && (at = memchr(at, '\n', (size_t)(end - at))) != NULL) {
		n++;
		at++;
	}
	return n;
}

/* A large file with a small change is mostly ends. */
static void trim_ends(struct sv *old, struct sv *new_, unsigned context,
	struct build *b)
{
	size_t n;

	if (context > 1000)
		return;
	n = skip_head(*old, *new_, context);
	b->before = count_lines((struct sv){ old->p, n });
	*old = (struct sv){ old->p + n, old->n - n };
	*new_ = (struct sv){ new_->p + n, new_->n - n };
	n = skip_tail(*old, *new_, context);
	old->n -= n;
	new_->n -= n;
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
	old = b.d->old;
	new_ = b.d->new_;
	trim_ends(&old, &new_, context, &b);
	git_diff_options_init(&opts, GIT_DIFF_OPTIONS_VERSION);
	opts.context_lines = context;
	opts.interhunk_lines = 0;
	opts.flags = GIT_DIFF_FORCE_TEXT;
	opts.max_size = -1;
	if (git_diff_buffers(old.p, old.n, NULL, new_.p, new_.n, NULL,
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
