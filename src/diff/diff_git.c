/*
 * diff_git.c - the changed lines of two pieces, by libgit2.
 */
#include <git2.h>
#include <pthread.h>

#include "diff/diff_priv.h"

struct collect {
	struct diff_changes *out;
	uint32_t old_line, new_line;
};

void diff_change_add(struct diff_changes *cs, struct diff_change c)
{
	struct diff_change *last = cs->n > 0 ? &cs->c[cs->n - 1] : NULL;

	/* Two pieces that change up to their border are one change. */
	if (last != NULL && last->old + last->n_old == c.old &&
	    last->new_ + last->n_new == c.new_) {
		last->n_old += c.n_old;
		last->n_new += c.n_new;
		return;
	}
	if (cs->n == cs->cap) {
		cs->cap = cs->cap + cs->cap / 2 + 16;
		cs->c = xreallocarray(cs->c, cs->cap, sizeof(*cs->c));
	}
	cs->c[cs->n++] = c;
}

/* Without context a hunk is a change. A side without lines names the line
 * before it. */
static int on_hunk(const git_diff_delta *delta, const git_diff_hunk *h, void *arg)
{
	struct collect *c = arg;
	uint32_t old = (uint32_t)h->old_start, new_ = (uint32_t)h->new_start;

	(void)delta;
	diff_change_add(c->out, (struct diff_change){
		c->old_line + (h->old_lines > 0 ? old - 1 : old), (uint32_t)h->old_lines,
		c->new_line + (h->new_lines > 0 ? new_ - 1 : new_),
		(uint32_t)h->new_lines });
	return 0;
}

/* Once, and never shut down: that would tear down state other threads use. */
static void start(void)
{
	git_libgit2_init();
}

int diff_git(struct sv old, struct sv new_, uint32_t old_line, uint32_t new_line,
	struct diff_changes *out, struct err *e)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct collect c = { out, old_line, new_line };
	git_diff_options opts;

	pthread_once(&once, start);
	git_diff_options_init(&opts, GIT_DIFF_OPTIONS_VERSION);
	opts.context_lines = 0;
	opts.interhunk_lines = 0;
	opts.flags = GIT_DIFF_FORCE_TEXT;
	opts.max_size = -1;
	if (git_diff_buffers(old.p, old.n, NULL, new_.p, new_.n, NULL, &opts, NULL,
	    NULL, on_hunk, NULL, &c) != 0) {
		const git_error *ge = git_error_last();

		return err_set(e, "diff", "the difference could not be computed: %s",
			ge != NULL ? ge->message : "unknown");
	}
	return 0;
}
