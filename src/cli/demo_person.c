/*
 * demo_person.c - the demo's person, where there is no terminal for a real
 * one: a console without a screen, by the same rules. It reads every line,
 * reports it as drawn, and what it may not do the hub refuses.
 */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "base/json_out.h"
#include "cli/cli.h"
#include "cli/demo.h"
#include "cli/hubline.h"

#define WAIT_MS 30000u         /* in all; it takes a few seconds */
#define LINES_A_CALL 2000

struct person {
	const struct demo *d;
	struct hubline *h;
	struct err *e;
	uint64_t until;
};
/* An action as the hub tells of it. */
struct seen_action {
	const struct demo_action *row;
	int64_t id;
	struct jv *got;              /* the answer of action/get */
};

static void say(const char *text)
{
	printf("  %s\n", text);
}

static struct jv *person_call(struct person *p, const char *method, struct jv *params)
{
	return hubline_call(p->h, method, params, p->e);
}

/* ---- waiting for the queue ---- */

/* The queue's rows that wait and are ready to be looked at. */
static size_t rows_ready(const struct jv *rows)
{
	size_t n = 0;

	for (size_t i = 0; i < jv_len(rows); i++) {
		const struct jv *row = jv_at(rows, i);

		if (jv_get_b(row, "ready", false) &&
		    sv_eqs(jv_get_sv(row, "state"), "pending"))
			n++;
	}
	return n;
}

/* Waits until n actions are ready; returns the queue. The hub tells of every
 * change, so there is nothing to ask for in between. */
static struct jv *wait_rows(struct person *p, size_t n)
{
	for (;;) {
		struct jv *queue = person_call(p, "queue/subscribe", NULL), *note;
		uint64_t now = clock_boot_ms();

		if (queue == NULL || rows_ready(jv_get(queue, "rows")) >= n)
			return queue;
		jv_free(&queue);
		note = hubline_note(p->h, now < p->until ?
			(unsigned)(p->until - now) : 0, p->e);
		if (note == NULL || demo_stopped) {
			jv_free(&note);
			return NULL;
		}
		jv_free(&note);
	}
}

static struct jv *of_id(int64_t id)
{
	struct jv *o = jv_obj();

	jv_put_i(o, "id", id);
	return o;
}

/* The waiting action of this row of the table. */
static int find_action(struct person *p, const struct jv *rows,
	const struct demo_action *row, struct seen_action *out)
{
	for (size_t i = 0; i < jv_len(rows); i++) {
		const struct jv *r = jv_at(rows, i);
		int64_t id = jv_get_i(r, "id", 0);
		struct jv *got;

		if (!sv_eqs(jv_get_sv(r, "state"), "pending"))
			continue;
		got = person_call(p, "action/get", of_id(id));
		if (got == NULL)
			return -1;
		if (sv_eqs(jv_get_sv(jv_get(got, "facts"), "turn"), row->name)) {
			*out = (struct seen_action){ row, id, got };
			return 0;
		}
		jv_free(&got);
	}
	return err_set(p->e, "demo", _("the action \"%s\" did not come"), row->name);
}

/* ---- looking ---- */

static void print_head(struct person *p, const struct seen_action *a)
{
	const struct jv *row = jv_get(a->got, "row"), *facts = jv_get(a->got, "facts");
	const struct jv *hidden = jv_get(a->got, "hidden");
	int64_t bidi = jv_get_i(hidden, "bidi", 0), zero = jv_get_i(hidden, "zero_width", 0);
	struct buf b;

	buf_init(&b, 1u << 20);
	buf_addf(&b, "\n== %s ==\n", _(a->row->title));
	demo_add(p->d, &b, jv_get_sv(row, "kind"));
	buf_adds(&b, " · ");
	demo_add(p->d, &b, jv_get_sv(row, "channel"));
	buf_adds(&b, " · ");
	demo_add(p->d, &b, jv_get_sv(row, "text"));
	buf_adds(&b, _("\nasks because: "));
	demo_add(p->d, &b, jv_get_sv(row, "why"));
	buf_adds(&b, " · ");
	demo_add(p->d, &b, jv_get_sv(facts, "reversibility"));
	buf_adds(&b, _(" · care: "));
	demo_add(p->d, &b, jv_get_sv(row, "care"));
	buf_addc(&b, '\n');
	if (bidi + zero > 0)
		buf_addf(&b, _("hidden characters: %lld reordering, %lld of no width\n"),
			(long long)bidi, (long long)zero);
	cli_put(&b);
	buf_free(&b);
}

static int show(struct person *p, const struct seen_action *a)
{
	struct jv *params = of_id(a->id), *got;

	print_head(p, a);
	jv_put_i(params, "from", 0);
	jv_put_i(params, "to", LINES_A_CALL);
	got = person_call(p, "doc/lines", params);
	if (got == NULL)
		return -1;
	demo_print_lines(p->d, jv_get(got, "lines"));
	jv_free(&got);
	return 0;
}

static int report_seen(struct person *p, const struct seen_action *a)
{
	int64_t n = jv_get_i(a->got, "lines", 0);
	struct jv *params = of_id(a->id), *ranges = jv_arr(), *range = jv_arr(), *got;

	jv_add(range, jv_int(0));
	jv_add(range, jv_int(n));
	jv_add(ranges, range);
	jv_put(params, "ranges", ranges);
	jv_put_sv(params, "doc_digest", jv_get_sv(a->got, "doc_digest"));
	jv_put_i(params, "cols", 80);
	jv_put_i(params, "rows", 24);
	jv_put_i(params, "ms", 1000);
	got = person_call(p, "action/seen", params);
	if (got == NULL)
		return -1;
	jv_free(&got);
	printf(P_("  has seen its %lld line\n", "  has seen all %lld lines\n", n),
		(long long)n);
	return 0;
}

/* ---- deciding ---- */

/* What the hub says no to is part of the story, not a failure. */
static int decide(struct person *p, const struct seen_action *a, const char *outcome,
	bool typed)
{
	const struct jv *row = jv_get(a->got, "row");
	struct jv *params = of_id(a->id), *got;
	struct err why = ERR_INIT;

	jv_put_sv(params, "action_digest", jv_get_sv(a->got, "action_digest"));
	jv_put_sv(params, "doc_digest", jv_get_sv(a->got, "doc_digest"));
	jv_put_s(params, "outcome", outcome);
	if (typed)
		jv_put_sv(params, "typed", jv_get_sv(row, "confirm"));
	if (strcmp(outcome, "deny") == 0)
		jv_put_s(params, "reason", _(a->row->reason));
	got = hubline_call(p->h, "action/decide", params, &why);
	if (got == NULL && strncmp(why.code, "hub_", 4) == 0) {
		*p->e = why;
		return -1;
	}
	if (got == NULL)
		printf(_("  approve: refused (%s)\n"), why.text);
	else if (strcmp(outcome, "deny") == 0)
		printf(_("  deny: \"%s\"; on record, told to the agent in 2 s\n"),
			_(a->row->reason));
	else if (typed)
		printf(_("  approve, typing \"%.*s\": on record, released in 0.7 s\n"),
			SVFMT(jv_get_sv(row, "confirm")));
	else
		say(_("approve: on record, released in 0.7 s"));
	jv_free(&got);
	return 0;
}

static int take_back(struct person *p, const struct seen_action *a)
{
	struct jv *got = person_call(p, "action/take_back", of_id(a->id));

	if (got == NULL)
		return -1;
	jv_free(&got);
	say(_("takes it back: the agent never heard of it"));
	return 0;
}

static int deed(struct person *p, const struct seen_action *a, enum demo_deed what)
{
	switch (what) {
	case DEED_APPROVE_UNSEEN:
	case DEED_APPROVE:
		return decide(p, a, "approve", false);
	case DEED_APPROVE_TYPED:
		return decide(p, a, "approve", true);
	case DEED_SEE:
		return report_seen(p, a);
	case DEED_TAKE_BACK:
		return take_back(p, a);
	case DEED_DENY:
		return decide(p, a, "deny", false);
	case DEED_END:
		break;
	}
	return 0;
}

static int handle(struct person *p, const struct jv *rows, const struct demo_action *row)
{
	struct seen_action a = { 0 };
	int rc = find_action(p, rows, row, &a);

	if (rc == 0)
		rc = show(p, &a);
	for (int i = 0; rc == 0 && i < DEMO_DEEDS && row->deeds[i] != DEED_END; i++)
		rc = deed(p, &a, row->deeds[i]);
	jv_free(&a.got);
	fflush(stdout);
	return rc;
}

/* The actions that come at once (later: false), or those that follow a
 * denial. */
static int round_of(struct person *p, bool later)
{
	size_t n = 0;
	struct jv *queue;
	int rc = 0;

	for (size_t i = 0; i < n_demo_actions; i++)
		n += !demo_actions[i].alone &&
			(demo_actions[i].after_denied != NULL) == later;
	queue = wait_rows(p, n);
	if (queue == NULL)
		return -1;
	for (size_t i = 0; rc == 0 && i < n_demo_actions; i++)
		if (!demo_actions[i].alone &&
		    (demo_actions[i].after_denied != NULL) == later)
			rc = handle(p, jv_get(queue, "rows"), &demo_actions[i]);
	jv_free(&queue);
	return rc;
}

int demo_person_run(const struct demo *d, struct err *e)
{
	struct person p = { d, hubline_open(&d->paths, e), e,
		clock_boot_ms() + WAIT_MS };
	int rc;

	if (p.h == NULL)
		return -1;
	rc = round_of(&p, false);
	if (rc == 0)
		rc = round_of(&p, true);
	hubline_close(&p.h);
	return rc;
}
