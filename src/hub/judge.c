/*
 * judge.c - what an action is, by its bytes and what was read of the world:
 * its digests, the facts that rules look at, its line in the queue. On a
 * worker when the action is big.
 */
#include <stdlib.h>
#include <string.h>

#include "base/testpoint.h"
#include "hub/assess.h"
#include "hub/sessions.h"

#define FACTS_ARENA ((size_t)16 << 20)

/* Is this file only read by the action? Then its bytes are not shown, and a
 * log that grows must not make the action a new one for ever. */
static bool judge_only_read(const struct action *a, size_t i)
{
	return a->n_changes == 0 && i < a->n_read_paths;
}

/* What must be the same at release: which file it is, and what is in it. */
struct digest assess_digest(const struct action *a, const struct evidence *ev)
{
	struct hasher *h = hasher_new();

	hasher_add(h, "obstat evidence 1", 18);
	hasher_u64(h, ev->n_files);
	for (size_t i = 0; i < ev->n_files; i++) {
		const struct ev_file *f = &ev->files[i];

		hasher_lp(h, f->path);
		hasher_lp(h, f->real);
		hasher_u8(h, (uint8_t)f->state);
		hasher_u8(h, f->via_link);
		hasher_u32(h, (uint32_t)f->error);
		if (judge_only_read(a, i))
			continue;
		hasher_u64(h, f->state == FILE_REGULAR ? f->size : 0);
		hasher_u32(h, f->state == FILE_REGULAR ? f->mode : 0);
		hasher_u8(h, f->has_digest);
		hasher_add(h, f->digest.b, f->has_digest ? DIGEST_LEN : 0);
	}
	return hasher_final(&h);
}

/* What the worker fills; of the request it reads only what stays as it is. */
struct judge {
	struct req *req;           /* a reference */
	unsigned gen;
	bool row;
	struct facts facts;
	struct arena *arena;
	struct digest act, ev;
	struct buf text;
	char confirm[32];
};

static void judge_digests(struct judge *j)
{
	const struct action *a = j->req->act;
	const struct evidence *ev = j->req->evidence;
	struct digest *files = xcalloc(ev->n_files + 1, sizeof *files);

	for (size_t i = 0; i < ev->n_files; i++)
		if (ev->files[i].has_digest)
			files[i] = ev->files[i].digest;
	j->act = action_digest(a, files, ev->n_files);
	j->ev = assess_digest(a, ev);
	free(files);
}

static void judge_facts(struct judge *j)
{
	const struct req *r = j->req;

	facts_from(&j->facts, r->act, r->evidence, j->arena, r->hub->paths.home,
		r->hub->state_real);
	if (arena_over(j->arena)) {
		j->facts.understood = false;
		j->facts.rev = REV_IRREVERSIBLE;
		j->facts.why_rev = "over the limits";
	}
}

static void judge_work(void *arg)
{
	struct judge *j = arg;

	judge_digests(j);
	judge_facts(j);
	if (!j->row)
		return;
	kinds_row(j->req->act, NULL, &j->text);
	kinds_confirm_word(j->req->act, j->confirm);
}

static void judge_take(struct judge *j)
{
	struct req *r = j->req;

	arena_free(&r->facts_arena);
	r->facts_arena = j->arena;
	j->arena = NULL;
	r->facts = j->facts;
	r->act_digest = j->act;
	r->ev_digest = j->ev;
	if (j->row) {
		buf_clear(&r->text);
		buf_addsv(&r->text, buf_sv(&j->text));
		memcpy(r->confirm, j->confirm, sizeof r->confirm);
		r->row_made = true;
	}
	assess_rules(r);
}

static void judge_done(void *arg)
{
	struct judge *j = arg;
	struct req *r = j->req;

	req_idle(r);
	test_point("judged");
	if (!assess_stale(r, j->gen))
		judge_take(j);
	arena_free(&j->arena);
	buf_free(&j->text);
	req_unref(r);
	free(j);
}

void judge_start(struct req *r)
{
	struct judge *j = xcalloc(1, sizeof *j);
	const char *workspace = r->session != NULL ? r->session->workspace : NULL;

	j->req = req_ref(r);
	j->gen = r->gen;
	j->arena = arena_new(FACTS_ARENA);
	buf_init(&j->text, r->text.max);
	j->facts = (struct facts){
		.tool = r->act->tool, .channel = sv_of(r->channel->name),
		.session = r->origin->session, .task = r->origin->task,
		.subagent = r->origin->subagent, .host = r->act->host,
		.kind = r->act->kind, .deflt = r->act->deflt,
		.workspace = workspace != NULL ? arena_sv(j->arena, sv_of(workspace)) :
			r->evidence->workspace,
	};
	r->busy++;
	if (!hub_big(r->hub, r->act->raw.n)) {
		judge_work(j);
		judge_done(j);
		return;
	}
	j->row = true;
	loop_work(r->hub->loop, judge_work, judge_done, j);
}

void judge_row(struct req *r)
{
	if (r->row_made)
		return;
	r->row_made = true;
	kinds_confirm_word(r->act, r->confirm);
	buf_clear(&r->text);
	kinds_row(r->act, NULL, &r->text);
}
