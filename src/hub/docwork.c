/*
 * docwork.c - the document is built on a worker, from what no longer changes.
 */
#include <stdlib.h>

#include "base/testpoint.h"
#include "hub/req.h"

struct docwork {
	struct req *req;           /* a reference */
	unsigned gen;
	struct doc *doc;
	struct digest digest;      /* of doc */
};

/* Nobody is charged for it while the new one is built. */
#define BEFORE_MAX ((size_t)8 << 20)

struct doc *docwork_before(struct req *r)
{
	return r->doc != NULL && doc_memory(r->doc) <= BEFORE_MAX ? doc_ref(r->doc) : NULL;
}

static void docwork_work(void *arg)
{
	struct docwork *w = arg;

	struct req *r = w->req;

	w->doc = r->linked == 0 ? kinds_build(r->act, r->evidence, &r->facts)
		: kinds_build_after(r->act, r->evidence, &r->facts, r->linked, r->before);
	w->digest = doc_digest(w->doc);
}

static void docwork_take(struct req *r, struct doc *doc, const struct digest *digest)
{
	struct hub *h = r->hub;
	size_t n = doc_memory(doc);

	doc_free(&r->doc);
	r->doc = doc;
	r->doc_digest = *digest;
	r->doc_charged = n;
	h->total_bytes += n;
	if (doc_over(doc) || h->total_bytes > h->limits.total_bytes)
		r->act->why_not = "over_limit";
	buf_clear(&r->text);
	kinds_row(r->act, doc, &r->text);
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

	r->doc_busy = false;
	doc_free(&r->before);
	if (w->gen != r->gen || r->life.state == ST_CLOSED) {
		doc_free(&w->doc);
		if (r->list != LIST_LIVE)
			req_drop_big(r);
	} else {
		docwork_take(r, w->doc, &w->digest);
	}
	req_unref(r);
	free(w);
}

void docwork_start(struct req *r)
{
	struct docwork *w = xcalloc(1, sizeof *w);

	w->req = req_ref(r);
	w->gen = r->gen;
	r->doc_busy = true;
	loop_work(r->hub->loop, docwork_work, docwork_done, w);
}
