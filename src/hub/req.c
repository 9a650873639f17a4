/*
 * req.c - see req.h: making, finding, ending.
 */
#include "hub/req.h"

#include <stdlib.h>
#include <string.h>

#include "hub/sessions.h"

#define CLOSED_MAX 64              /* kept for consoles that still look */
#define CLOSED_DOC_MAX ((size_t)1 << 20)
#define CLOSED_BYTES_MAX ((size_t)8 << 20)  /* received, of all of them */
#define TEXT_MAX 4096

struct req *req_new(struct hub *h)
{
	struct req *r = xcalloc(1, sizeof *r);

	r->hub = h;
	r->refs = 1;
	r->origin = &r->ev.origin;
	buf_init(&r->text, TEXT_MAX);
	return r;
}

struct req *req_ref(struct req *r)
{
	r->refs++;
	return r;
}

static void req_uncharge(struct req *r)
{
	struct hub *h = r->hub;

	if (r->charged > 0)
		budget_free(h, r->channel, r->origin->peer.uid, r->charged);
	r->charged = 0;
	if (r->waiting_charged)
		budget_unwait(h, r->channel, r->origin->peer.uid);
	r->waiting_charged = false;
}

void req_drop_big(struct req *r)
{
	r->drop = r->busy > 0;
	if (r->drop)
		return;      /* req_idle() does when the workers are through */
	trash_shown(r);
	r->hub->total_bytes -= r->hub->total_bytes > r->doc_charged ?
		r->doc_charged : r->hub->total_bytes;
	r->doc_charged = 0;
}

void req_idle(struct req *r)
{
	if (--r->busy == 0 && r->list != LIST_LIVE && r->drop)
		req_drop_big(r);
}

void req_unref(struct req *r)
{
	if (--r->refs > 0)
		return;
	req_uncharge(r);
	req_drop_big(r);
	doc_free(&r->before);
	while (r->seen != NULL) {
		struct seen *s = r->seen;

		r->seen = s->next;
		cover_free(&s->cover);
		free(s);
	}
	if (r->session != NULL)
		r->session->reqs--;
	r->ev.action = NULL;
	trash_action(r->hub, &r->act);
	event_clear(&r->ev);
	arena_free(&r->facts_arena);
	buf_free(&r->text);
	free(r->rpc_id);
	free(r->opt_allow);
	free(r->opt_reject);
	free(r);
}

static void req_append(struct req *r, struct req **first, struct req **last)
{
	r->prev = *last;
	r->next = NULL;
	if (*last != NULL)
		(*last)->next = r;
	else
		*first = r;
	*last = r;
}

static void req_unlink(struct req *r, struct req **first, struct req **last)
{
	if (r->prev != NULL)
		r->prev->next = r->next;
	else
		*first = r->next;
	if (r->next != NULL)
		r->next->prev = r->prev;
	else
		*last = r->prev;
	r->next = r->prev = NULL;
}

void req_list(struct req *r)
{
	req_append(req_ref(r), &r->hub->reqs, &r->hub->reqs_last);
	r->list = LIST_LIVE;
}

static void req_forget_oldest(struct hub *h)
{
	struct req *old = h->closed;

	req_unlink(old, &h->closed, &h->closed_last);
	old->list = LIST_NONE;
	h->n_closed--;
	h->closed_bytes -= old->act->raw.n;
	req_unref(old);
}

/* Closed and answered. Consoles may still look at it for a while; its bytes
 * no longer count against the agent. */
void req_retire(struct req *r)
{
	struct hub *h = r->hub;

	if (r->list != LIST_LIVE)
		return;
	req_unlink(r, &h->reqs, &h->reqs_last);
	r->list = LIST_NONE;
	req_uncharge(r);
	if (!r->queued) {
		req_unref(r);
		return;
	}
	if (r->doc != NULL && doc_memory(r->doc) > CLOSED_DOC_MAX)
		req_drop_big(r);
	req_append(r, &h->closed, &h->closed_last);
	r->list = LIST_CLOSED;
	h->closed_bytes += r->act->raw.n;
	h->n_closed++;
	/* Nobody is charged for these any more: few bytes, then, or one. */
	while (h->n_closed > CLOSED_MAX || (h->n_closed > 1 &&
	    h->closed_bytes > CLOSED_BYTES_MAX))
		req_forget_oldest(h);
}

struct req *req_find(struct hub *h, uint64_t id)
{
	struct req *r;

	for (r = h->reqs; r != NULL; r = r->next)
		if (r->id == id && !r->reanswer)
			return r;
	for (r = h->closed; r != NULL; r = r->next)
		if (r->id == id)
			return r;
	return NULL;
}

struct req *req_by_key(struct hub *h, struct channel *ch, uid_t uid,
	const uint8_t key[KEY_LEN])
{
	for (struct req *r = h->reqs; r != NULL; r = r->next)
		if (r->channel == ch && r->origin->peer.uid == uid &&
		    (r->life.state != ST_CLOSED || !r->answered) && !r->reanswer &&
		    memcmp(r->origin->key, key, KEY_LEN) == 0)
			return r;
	return NULL;
}

struct conn *req_conn(struct req *r)
{
	return conn_find(r->hub, r->conn);
}

struct seen *req_seen(struct req *r, uid_t uid, bool make)
{
	struct seen *s;

	for (s = r->seen; s != NULL; s = s->next)
		if (s->uid == uid)
			return s;
	if (!make)
		return NULL;
	s = xcalloc(1, sizeof *s);
	s->uid = uid;
	s->cover = cover_new();
	s->next = r->seen;
	r->seen = s;
	return s;
}

uint32_t req_unseen(struct req *r, uid_t uid)
{
	struct seen *s = req_seen(r, uid, false);
	uint32_t all = r->doc != NULL ? doc_lines(r->doc) : 0;
	uint32_t got = s != NULL ? cover_count(s->cover) : 0;

	return all > got ? all - got : 0;
}
