/*
 * loop_work.c - work off the loop, on libuv's thread pool.
 */
#include <stdlib.h>

#include "base/loop.h"
#include "base/loop_int.h"

struct loop_job {
	uv_work_t req;
	struct loop *l;
	void (*work)(void *);
	void (*done)(void *);
	void *arg;
};

static void loop_job_work(uv_work_t *req)
{
	struct loop_job *j = req->data;

	j->work(j->arg);
}

static void loop_job_done(uv_work_t *req, int status)
{
	struct loop_job *j = req->data;
	void (*done)(void *) = j->done;
	void *arg = j->arg;

	(void)status; /* done comes always: it is what frees arg */
	j->l->ran = true;
	free(j);
	if (done != NULL)
		done(arg);
}

void loop_work(struct loop *l, void (*work)(void *), void (*done)(void *),
	void *arg)
{
	struct loop_job *j = xcalloc(1, sizeof *j);

	j->l = l;
	j->work = work;
	j->done = done;
	j->arg = arg;
	j->req.data = j;
	loop_uv_check(uv_queue_work(&l->uv, &j->req, loop_job_work, loop_job_done),
		"uv_queue_work");
}
