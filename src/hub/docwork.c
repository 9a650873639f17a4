/*
 * docwork.c - the document is built on a worker, from what no longer changes:
 * its line in the queue with it, and, when it is big, the form in which a
 * decision will put it on record.
 */
#include <stdlib.h>

#include "base/testpoint.h"
#include "hub/req.h"

struct docwork {
	struct req *req;           /* a reference */
	unsigned gen;
	struct doc *doc;
	struct digest digest;      /* of doc */
	struct buf text;
	struct rec_blob *blob;
};

/* Nobody is charged for it while the new one is built. */
#define BEFORE_MAX ((size_t)8 << 20)

struct doc *docwork_before(struct req *r)
{
	return r->doc != NULL && doc_memory(r->doc) <= BEFORE_MAX ? doc_ref(r->doc) : NULL;
}

static void docwork_store(struct docwork *w)
{
	struct buf b;

	buf_init(&b, DOC_MAX_BYTES + (1u << 20));
	if (doc_encode(w->doc, &b) == 0)
		w->blob = rec_blob_new("doc", buf_sv(&b));
	buf_free(&b);
}

static void docwork_work(void *arg)
{
	struct docwork *w = arg;
	struct req *r = w->req;

	w->doc = r->linked == 0 ? kinds_build(r->act, r->evidence, &r->facts) :
		kinds_build_after(r->act, r->evidence, &r->facts, r->linked, r->before);
	w->digest = doc_digest(w->doc);
	kinds_row(r->act, w->doc, &w->text);
	if (hub_big(r->hub, doc_memory(w->doc)))
		docwork_store(w);
}

static void docwork_take(struct req *r, struct docwork *w)
{
	struct hub *h = r->hub;

	r->doc = w->doc;
	r->blob = w->blob;
	w->doc = NULL;
	w->blob = NULL;
	r->doc_digest = w->digest;
	r->doc_charged = doc_memory(r->doc) +
		(r->blob != NULL ? rec_blob_memory(r->blob) : 0);
	h->total_bytes += r->doc_charged;
	if (doc_over(r->doc) || h->total_bytes > h->limits.total_bytes)
		r->act->why_not = "over_limit";
	buf_clear(&r->text);
	buf_addsv(&r->text, buf_sv(&w->text));
	r->ready = true;
	test_point("doc.done");
	/* Denied already: then there is nothing to wait for. */
	if (life_pend(&r->life) == STEP_OK)
		test_point("pending");
	rows_changed(r);
}

static void docwork_done(void *arg)
{
	struct docwork *w = arg;
	struct req *r = w->req;

	req_idle(r);
	r->doc_busy = false;
	doc_free(&r->before);
	if (w->gen == r->gen && r->life.state != ST_CLOSED)
		docwork_take(r, w);
	else if (r->list != LIST_LIVE)
		req_drop_big(r);
	doc_free(&w->doc);
	rec_blob_free(&w->blob);
	buf_free(&w->text);
	req_unref(r);
	free(w);
}

void docwork_start(struct req *r)
{
	struct docwork *w = xcalloc(1, sizeof *w);

	w->req = req_ref(r);
	w->gen = r->gen;
	buf_init(&w->text, r->text.max);
	r->busy++;
	r->doc_busy = true;
	loop_work(r->hub->loop, docwork_work, docwork_done, w);
}
