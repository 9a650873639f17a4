/*
 * trash.c - what is big is freed on a worker: giving hundreds of MiB back to
 * the system takes the kernel longer than a turn of the loop may.
 */
#include <stdlib.h>

#include "hub/req.h"

struct trash {
	struct action *action;
	struct doc *doc;
	struct evidence *evidence;
	struct rec_blob *blob;
};

static void trash_work(void *arg)
{
	struct trash *t = arg;

	action_free(&t->action);
	doc_free(&t->doc);
	evidence_free(&t->evidence);
	rec_blob_free(&t->blob);
}

static void trash_done(void *arg)
{
	free(arg);
}

static void trash_send(struct hub *h, const struct trash *what, bool big)
{
	struct trash *t = xcalloc(1, sizeof *t);

	*t = *what;
	if (big && h->loop != NULL) {
		loop_work(h->loop, trash_work, trash_done, t);
		return;
	}
	trash_work(t);
	free(t);
}

void trash_action(struct hub *h, struct action **a)
{
	struct trash t = { .action = *a };

	if (*a != NULL)
		trash_send(h, &t, hub_big(h, (*a)->raw.n));
	*a = NULL;
}

void trash_shown(struct req *r)
{
	struct trash t = { .doc = r->doc, .evidence = r->evidence, .blob = r->blob };

	if (t.doc != NULL || t.evidence != NULL || t.blob != NULL)
		trash_send(r->hub, &t, hub_big(r->hub, r->doc_charged));
	r->doc = NULL;
	r->evidence = NULL;
	r->blob = NULL;
}
