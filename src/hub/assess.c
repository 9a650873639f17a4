/*
 * assess.c - what an action would touch, what the rules say to it, and on to
 * the document or the answer.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/testpoint.h"
#include "hub/assess.h"
#include "hub/sessions.h"

#define W_DONE_STAGE 4

/* ---- which paths ---- */

/* Where the want of this path stands in the index, or would: thousands of long
 * paths must not be compared each with each. */
static uint32_t *want_slot(struct opens *o, struct sv path)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);   /* FNV-1a */
	size_t i;

	for (size_t k = 0; k < path.n; k++)
		hash = (hash ^ (uint8_t)path.p[k]) * UINT64_C(0x100000001b3);
	for (i = (size_t)(hash ^ hash >> 32) & (o->index_n - 1); o->index[i] != 0;
	    i = (i + 1) & (o->index_n - 1))
		if (sv_eqs(path, o->want[o->index[i] - 1].path))
			break;
	return &o->index[i];
}

static void want_add(struct opens *o, struct sv cwd, struct sv path, bool content,
	bool git)
{
	uint32_t *slot;
	struct want *w;
	struct buf b;

	if (path.n == 0 || o->n >= EVIDENCE_FILES_MAX)
		return;
	buf_init(&b, (size_t)64 << 10);
	if (path.p[0] != '/' && cwd.n > 0 && cwd.p[0] == '/') {
		buf_addsv(&b, cwd);
		buf_addc(&b, '/');
	}
	buf_addsv(&b, path);
	slot = want_slot(o, buf_sv(&b));
	if (*slot != 0 && !b.over) {
		w = &o->want[*slot - 1];
		w->content |= content;
		w->git |= git;
		buf_free(&b);
		return;
	}
	w = &o->want[o->n++];
	if (*slot == 0)
		*slot = (uint32_t)o->n;
	*w = (struct want){ .fd = -1, .dir_fd = -1, .content = content, .git = git };
	if (b.over || b.n == 0 || b.p[0] != '/' || memchr(b.p, '\0', b.n) != NULL) {
		w->error = EINVAL;   /* names no file: shown as not readable */
		w->stage = W_DONE_STAGE;
	}
	w->path = xmemdup0(b.p != NULL ? b.p : "", b.n);
	buf_free(&b);
}

/* Room for n wants and the working directory. */
static struct opens *wants_new(struct req *r, size_t n)
{
	struct opens *o = xcalloc(1, sizeof *o);

	if (n > EVIDENCE_FILES_MAX)
		n = EVIDENCE_FILES_MAX;
	o->req = req_ref(r);
	o->gen = r->gen;
	o->reread_gen = r->reread_gen;
	o->want = xcalloc(n + 2, sizeof *o->want);
	for (o->index_n = 4; o->index_n < 2 * n; o->index_n *= 2)
		;
	o->index = xcalloc(o->index_n, sizeof *o->index);
	return o;
}

struct sv assess_cwd(const struct req *r)
{
	const struct session *s = r->session;
	struct sv cwd = s != NULL && s->start != NULL ? sv_of(s->start) : r->act->cwd;

	if ((s != NULL && s->have_workspace) || cwd.n == 0 || cwd.p[0] != '/')
		return SV_NONE;
	return cwd;
}

static struct opens *assess_wants(struct req *r)
{
	const struct action *a = r->act;
	struct opens *o = wants_new(r, 2 * a->n_changes + a->n_read_paths + 1);
	char *path;

	for (size_t i = 0; i < a->n_changes; i++) {
		want_add(o, a->cwd, a->changes[i].path, true, true);
		want_add(o, a->cwd, a->changes[i].old_path, true, true);
	}
	for (size_t i = 0; i < a->n_read_paths; i++)
		want_add(o, a->cwd, a->read_paths[i], false, false);
	if (r->session != NULL && r->session->workspace != NULL) {
		size_t before = o->n;

		path = xasprintf("%s/.obstat/rules", r->session->workspace);
		want_add(o, SV_NONE, sv_of(path), true, false);
		o->rules_last = o->n > before;
		if (o->rules_last)
			o->want[o->n - 1].no_parent = true;
		free(path);
	}
	return o;
}

/* ---- asking the evidence room ---- */

/* Hands the opened files over; the room takes descriptors and copies. */
static void assess_ask(struct opens *o, struct assess *as, bool self_open, int cwd_fd)
{
	struct req *r = as->req;
	struct hub *h = r->hub;
	struct session *s = r->session;
	const char *have = s != NULL ? s->workspace : NULL;
	struct ev_ask_file *files = xcalloc(o->n + 1, sizeof *files);
	const char **ws = xcalloc(h->n_workspaces + 1, sizeof *ws);
	struct sv start = assess_cwd(r);
	char *cwd = xmemdup0(start.p, start.n);
	const char *never[] = { h->paths.home, h->paths.state };
	struct ev_ask ask = { .files = files, .n_files = o->n, .self_open = self_open,
		.cwd_fd = cwd_fd, .workspaces = ws,
		.never = never, .n_never = 2 };

	if (have != NULL)
		ws[ask.n_workspaces++] = have;
	for (size_t i = 0; i < h->n_workspaces; i++)
		ws[ask.n_workspaces++] = h->workspaces[i];
	if (start.n > 0)
		ask.cwd = cwd;
	for (size_t i = 0; i < o->n; i++) {
		struct want *w = &o->want[i];

		files[i] = (struct ev_ask_file){ .path = w->path, .fd = w->fd,
			.dir_fd = w->dir_fd, .dir_path = w->dir_path,
			.open_errno = w->error, .want_content = w->content,
			.want_git = w->git };
		w->fd = w->dir_fd = -1;
	}
	test_point("evidence.asked");
	evidence_ask(h->evidence, &ask, assess_evidence, as);
	free(cwd);
	free(ws);
	free(files);
}

static struct assess *assess_new(struct req *r, enum assess_step step)
{
	struct assess *as = xcalloc(1, sizeof *as);

	as->req = req_ref(r);
	as->gen = r->gen;
	as->reread_gen = r->reread_gen;
	as->step = step;
	as->next = r->hub->assessing;
	if (as->next != NULL)
		as->next->prev = as;
	r->hub->assessing = as;
	return as;
}

void assess_end(struct assess *as)
{
	if (as->prev != NULL)
		as->prev->next = as->next;
	else
		as->req->hub->assessing = as->next;
	if (as->next != NULL)
		as->next->prev = as->prev;
	req_unref(as->req);
	free(as);
}

void assess_free_all(struct hub *h)
{
	while (h->assessing != NULL)
		assess_end(h->assessing);
}

bool assess_stale(const struct req *r, unsigned gen)
{
	return gen != r->gen || (r->life.state == ST_CLOSED && !r->reanswer);
}

/* The peer has looked for the workspace's rules file and there is none; that
 * is as good as the content it would have handed over. */
static bool assess_no_rules(struct opens *o)
{
	struct want *w = &o->want[o->n - 1];

	if (w->error != ENOENT && w->error != ENOTDIR)
		return false;
	o->n--;
	free(w->path);
	session_rules(o->req->session, false, SV_NONE, true);
	return true;
}

/* Nothing is left to be read: the evidence process is not asked. */
static void assess_nothing(struct assess *as)
{
	struct evidence *ev = evidence_new();

	ev->complete = true;
	test_point("evidence.asked");
	assess_evidence(as, ev);
}

static void assess_opened(struct opens *o, enum assess_step step, bool rules_last)
{
	struct assess *as;
	int cwd_fd = -1;

	if (!assess_stale(o->req, o->gen)) {
		/* The working directory, when asked for, was put last. */
		if (o->n > 0 && o->want[o->n - 1].dir) {
			struct want *w = &o->want[--o->n];

			cwd_fd = w->fd;
			free(w->path);
			free(w->dir_path);
		}
		as = assess_new(o->req, step);
		as->reread_gen = o->reread_gen;
		as->no_rules = rules_last && assess_no_rules(o);
		as->rules_last = rules_last && !as->no_rules;
		as->held = o->held;
		o->held = 0;
		if (as->no_rules && o->n == 0)
			assess_nothing(as);
		else
			assess_ask(o, as, false, cwd_fd);
	}
	opens_free(o);
}

static void assess_opened_first(struct opens *o)
{
	assess_opened(o, AS_FIRST, o->rules_last);
}

static void assess_opened_rules(struct opens *o)
{
	assess_opened(o, AS_RULES_FILE, true);
}

static void assess_opened_reread(struct opens *o)
{
	assess_opened(o, AS_REREAD, false);
}

/* By the peer where it can, by the evidence child where that is the same. */
static void assess_open(struct req *r, struct opens *o, enum assess_step step)
{
	static void (*const done[])(struct opens *) = {
		[AS_FIRST] = assess_opened_first,
		[AS_RULES_FILE] = assess_opened_rules,
		[AS_REREAD] = assess_opened_reread,
	};
	struct conn *c = req_conn(r);
	struct sv start = assess_cwd(r);
	struct assess *as;

	if (c != NULL && (c->ops == &gate_ops || native_opens(c))) {
		if (step == AS_FIRST && start.n > 0)
			o->want[o->n++] = (struct want){ .fd = -1, .dir_fd = -1,
				.dir = true, .path = xmemdup0(start.p, start.n) };
		o->done = done[step];
		opens_start(o, c);
		return;
	}
	as = assess_new(r, step);
	as->rules_last = o->rules_last;
	/* Without a descriptor: only what is the same file for the peer, and
	 * what its uid could read (obstat.md, Threats: named files). */
	assess_ask(o, as, c != NULL && peer_same_mounts(c->peer.pid) &&
		(c->peer.uid == r->hub->uid || c->peer.uid == 0), -1);
	opens_free(o);
}

/* The session's workspace has only now become known: its rules file. */
void assess_rules_file(struct req *r)
{
	struct opens *o = wants_new(r, 1);
	char *path = xasprintf("%s/.obstat/rules", r->session->workspace);

	want_add(o, SV_NONE, sv_of(path), true, false);
	o->rules_last = o->n > 0;
	o->want[0].no_parent = true;
	free(path);
	assess_open(r, o, AS_RULES_FILE);
}

void assess_start(struct req *r)
{
	r->gen++;
	assess_open(r, assess_wants(r), AS_FIRST);
}

void assess_reread(struct req *r)
{
	struct opens *o = assess_wants(r);

	if (o->rules_last) {            /* not part of what was shown */
		o->n--;
		free(o->want[o->n].path);
	}
	assess_open(r, o, AS_REREAD);
}
