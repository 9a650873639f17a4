/*
 * console_actions.c - what a console asks of one action: to see it, to say
 * what was drawn of it, to decide it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "hub/call.h"
#include "hub/facts_json.h"

#define LINES_A_CALL 2000u
#define LINES_OUT_ENOUGH ((size_t)4 << 20)
#define LINES_OUT_MAX ((size_t)24 << 20)   /* of one line alone */
#define LINES_TOO_BIG "a line of it is too long to be drawn"
#define RAW_A_CALL (64u * 1024)
#define RANGES_A_CALL 10000u
#define EXTEND_MAX_MS (UINT64_C(24) * 3600 * 1000)

static void m_get(struct call *c)
{
	struct req *r = call_req(c);

	if (r != NULL)
		call_ok(c, action_json(r, c->con->who.uid, c->conn));
}

/* Text of a document is clean: nothing else needs an escape. */
static void put_text(struct buf *b, struct sv s)
{
	size_t from = 0;

	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] != '"' && s.p[i] != '\\')
			continue;
		buf_add(b, s.p + from, i - from);
		buf_addc(b, '\\');
		from = i;
	}
	buf_add(b, s.p + from, s.n - from);
}

/* One span for neighbours of one role: which source bytes each of them stands
 * for is not sent. */
static void put_spans(struct buf *b, const struct doc *d, uint32_t line)
{
	uint32_t n = doc_line_spans(d, line);
	char open = '\0';

	for (uint32_t k = 0; k < n && !b->over; k++) {
		struct doc_span s = doc_line_span(d, line, k);
		char letter = role_letter(s.role);

		if (letter != open) {
			buf_adds(b, open != '\0' ? "\"],[\"" : "[\"");
			buf_addc(b, letter);
			buf_adds(b, "\",\"");
			open = letter;
		}
		put_text(b, s.text);
	}
	if (open != '\0')
		buf_adds(b, "\"]");
}

/* Written here and not built as values: a hostile line can have millions of
 * spans, and each value takes a hundred times its text. */
static void put_line(struct buf *b, const struct doc *d, uint32_t i)
{
	static const char kinds[] = {
		[LINE_OURS] = 'o', [LINE_PAYLOAD] = 'p', [LINE_WORDS] = 'w',
	};
	uint32_t old_no, new_no;

	doc_line_nos(d, i, &old_no, &new_no);
	buf_addf(b, "[\"%c\",%u,%u,[", kinds[doc_line_kind(d, i)], old_no, new_no);
	put_spans(b, d, i);
	buf_adds(b, "]]");
}

/* Lines [from, to), or fewer when they are long, so that one answer stays
 * small. -1: not even the first fits. */
static int put_lines(struct buf *b, const struct doc *d, uint32_t from, uint32_t to)
{
	buf_init(b, LINES_OUT_MAX);
	buf_addf(b, "{\"from\":%u,\"total\":%u,\"lines\":[", from, doc_lines(d));
	for (uint32_t i = from; i < to && b->n < LINES_OUT_ENOUGH; i++) {
		size_t before = b->n;

		if (i > from)
			buf_addc(b, ',');
		put_line(b, d, i);
		if (i > from && (b->over || b->n + 16 > b->max)) {  /* alone, then */
			b->n = before;
			b->over = false;
			break;
		}
	}
	return buf_adds(b, "]}");
}

/* The same on a worker: the document no longer changes. */
struct lines_job {
	struct req *req;           /* a reference; counted as busy */
	struct later *later;
	uint32_t from, to;
	struct buf out;
	bool failed;
};

static void lines_work(void *arg)
{
	struct lines_job *l = arg;

	l->failed = put_lines(&l->out, l->req->doc, l->from, l->to) != 0;
}

static void lines_done(void *arg)
{
	struct lines_job *l = arg;
	struct req *r = l->req;

	req_idle(r);
	if (l->failed)
		later_error(r->hub, l->later, "too_big", LINES_TOO_BIG, NULL);
	else
		later_text(r->hub, l->later, buf_sv(&l->out));
	buf_free(&l->out);
	req_unref(r);
	free(l);
}

static bool lines_many(const struct hub *h, const struct doc *d, uint32_t from,
	uint32_t to)
{
	size_t n = 0;

	for (uint32_t i = from; i < to && !hub_big(h, n); i++) {
		uint32_t spans = doc_line_spans(d, i);

		for (uint32_t k = 0; k < spans && !hub_big(h, n); k++)
			n += 16 + doc_line_span(d, i, k).text.n;
	}
	return hub_big(h, n);
}

static void lines_answer(struct call *c, struct req *r, uint32_t from, uint32_t to)
{
	struct lines_job *l;
	struct buf b;

	if (!lines_many(c->hub, r->doc, from, to)) {
		if (put_lines(&b, r->doc, from, to) != 0)
			call_error(c, "too_big", LINES_TOO_BIG, NULL);
		else
			call_ok_text(c, buf_sv(&b));
		buf_free(&b);
		return;
	}
	l = xcalloc(1, sizeof *l);
	*l = (struct lines_job){ .req = req_ref(r), .later = call_later(c),
		.from = from, .to = to };
	r->busy++;
	loop_work(c->hub->loop, lines_work, lines_done, l);
}

static void m_lines(struct call *c)
{
	struct req *r = call_req(c);
	uint64_t from = 0, to = 0;
	uint32_t total;

	if (r == NULL)
		return;
	if (!r->ready || r->doc == NULL) {
		call_error(c, "not_ready", "what it does is still being read", NULL);
		return;
	}
	total = doc_lines(r->doc);
	if (!call_u64(c, "from", &from) || !call_u64(c, "to", &to) || from > to) {
		call_error(c, "bad_request", "from and to are needed", NULL);
		return;
	}
	if (to > total)
		to = total;
	if (from > to)
		from = to;
	if (to - from > LINES_A_CALL)
		to = from + LINES_A_CALL;
	lines_answer(c, r, (uint32_t)from, (uint32_t)to);
}

static void m_raw(struct call *c)
{
	struct req *r = call_req(c);
	uint64_t from = 0, to = 0;
	struct sv raw;
	struct buf b;
	struct jv *o;

	if (r == NULL)
		return;
	raw = r->act->raw;
	if (!call_u64(c, "from", &from) || !call_u64(c, "to", &to) || from > to) {
		call_error(c, "bad_request", "from and to are needed", NULL);
		return;
	}
	if (to > raw.n)
		to = raw.n;
	if (from > to)
		from = to;
	if (to - from > RAW_A_CALL)
		to = from + RAW_A_CALL;
	buf_init(&b, 2 * RAW_A_CALL);
	base64_add(&b, (struct sv){ raw.p + from, (size_t)(to - from) });
	o = jv_obj();
	jv_put_i(o, "from", (int64_t)from);
	jv_put_i(o, "total", (int64_t)raw.n);
	jv_put_sv(o, "base64", buf_sv(&b));
	buf_free(&b);
	call_ok(c, o);
}

static void m_viewing(struct call *c)
{
	struct req *r = call_req(c);
	uint64_t before = c->con->viewing;

	if (r == NULL)
		return;
	if (call_bool(c, "on"))
		c->con->viewing = r->id;
	else if (c->con->viewing == r->id)
		c->con->viewing = 0;
	if (before != 0 && before != r->id)
		console_presence_note(c->hub, before);
	console_presence_note(c->hub, r->id);
	call_ok(c, jv_obj());
}

/* [[from, to], ...] into cover; false when a range is not one. */
static bool seen_ranges(struct call *c, struct cover *cover, uint32_t total)
{
	const struct json *j = c->json;
	json_ref ranges = call_arg(c, "ranges");
	unsigned n = 0;

	if (ranges != JSON_NO && !json_is(j, ranges, JSON_ARRAY))
		return false;
	for (json_ref v = json_first(j, ranges); v != JSON_NO; v = json_next(j, v)) {
		json_ref a = json_first(j, v), b = json_next(j, a);
		uint64_t from, to;

		if (++n > RANGES_A_CALL || !json_is(j, v, JSON_ARRAY) ||
		    json_len(j, v) != 2 || !json_u64(j, a, &from) ||
		    !json_u64(j, b, &to) || from >= to || to > total)
			return false;
		cover_add(cover, (uint32_t)from, (uint32_t)to);
	}
	return true;
}

static void m_seen(struct call *c)
{
	struct req *r = call_req(c);
	struct digest d;
	struct seen *s;
	uint64_t ms = 0, cols = 0, rows = 0;
	struct jv *o;

	if (r == NULL)
		return;
	if (!r->ready || r->doc == NULL || !call_digest(c, "doc_digest", &d) ||
	    !digest_eq(&d, &r->doc_digest)) {
		o = jv_obj();
		jv_put_digest(o, "action_digest", &r->act_digest);
		call_error(c, "changed", "this is not the document as it is now", o);
		return;
	}
	s = req_seen(r, c->con->who.uid, true);
	if (!seen_ranges(c, s->cover, doc_lines(r->doc))) {
		call_error(c, "bad_request", "ranges are [from, to) within the document",
			NULL);
		return;
	}
	call_u64(c, "ms", &ms);
	call_u64(c, "cols", &cols);
	call_u64(c, "rows", &rows);
	s->ms += ms < EXTEND_MAX_MS ? ms : 0;
	s->cols = (unsigned)(cols & 0xffff);
	s->rows = (unsigned)(rows & 0xffff);
	o = jv_obj();
	jv_put_i(o, "unseen", req_unseen(r, c->con->who.uid));
	call_ok(c, o);
}

/* ---- deciding ---- */

static void decide_said(void *arg, struct req *r, bool failed)
{
	struct later *l = arg;
	struct hub *h = r->hub;
	const char *why = NULL;
	uint64_t now = clock_boot_ms();
	struct jv *o = jv_obj();

	if (failed) {
		store_state(h->store, &why);
		jv_put_s(o, "why", why != NULL ? why : "");
		later_error(h, l, "store", "the decision could not be recorded", o);
		return;
	}
	jv_put_i(o, "decided", (int64_t)r->decided_seq);
	jv_put_i(o, "release_ms", r->life.release_at > now ?
		(int64_t)(r->life.release_at - now) : 0);
	later_ok(h, l, o);
}

static bool decide_verb(struct sv s, enum verb *out)
{
	if (sv_eqs(s, "approve"))
		*out = VERB_APPROVE;
	else if (sv_eqs(s, "deny"))
		*out = VERB_DENY;
	else if (sv_eqs(s, "stop"))
		*out = VERB_STOP;
	else
		return false;
	return true;
}

static void m_decide(struct call *c)
{
	struct req *r = call_req(c);
	struct decision d = { 0 };
	struct err e = ERR_INIT;
	struct jv *data = NULL;
	struct later *l;

	if (r == NULL)
		return;
	d.reason = call_str(c, "reason");
	d.typed = call_str(c, "typed");
	d.typed_given = d.typed.p != NULL;
	if (!decide_verb(call_str(c, "outcome"), &d.verb) || d.reason.n > 500 ||
	    d.typed.n > 256) {
		call_error(c, "bad_request",
			"outcome is approve, deny or stop; reason at most 500 bytes", NULL);
		return;
	}
	d.have_act = call_digest(c, "action_digest", &d.act_digest);
	d.have_doc = call_digest(c, "doc_digest", &d.doc_digest);
	d.have_unread = call_u64(c, "unread", &d.unread);
	d.reason_open = call_bool(c, "reason_open");
	if (decide_check(r, &d, &c->con->who, &data, &e) != 0) {
		call_error(c, e.code, e.text, data);
		return;
	}
	jv_free(&data);
	l = call_later(c);
	if (decide_start(r, &d, &c->con->who, decide_said, l, &data, &e) != 0)
		later_error(c->hub, l, e.code, e.text, data);
}

static void m_reason(struct call *c)
{
	struct req *r = call_req(c);
	struct sv reason = call_str(c, "reason");

	if (r == NULL)
		return;
	if (reason.n > 500)
		call_error(c, "bad_request", "a reason is at most 500 bytes", NULL);
	else if (decide_reason(r, reason, &c->con->who) != 0)
		call_error(c, "not_pending", "no reason line is open", NULL);
	else
		call_ok(c, jv_obj());
}

static void m_take_back(struct call *c)
{
	struct req *r = call_req(c);
	struct err e = ERR_INIT;
	struct jv *data = NULL;

	if (r == NULL)
		return;
	if (decide_take_back(r, &c->con->who, &data, &e) != 0)
		call_error(c, e.code, e.text, data);
	else
		call_ok(c, jv_obj());
}

/* Only the owner's limit can be moved: the runtime's own deadline is not ours. */
static void m_extend(struct call *c)
{
	struct req *r = call_req(c);
	uint64_t ms = 0, now = clock_boot_ms();
	struct rec *rec;
	struct jv *o;

	if (r == NULL)
		return;
	if (!call_u64(c, "ms", &ms) || ms > EXTEND_MAX_MS) {
		call_error(c, "bad_request", "ms is at most a day", NULL);
		return;
	}
	if (r->life.state == ST_CLOSED || r->life.deadline == 0 ||
	    r->life.deadline <= now) {
		call_error(c, "not_pending", "there is no deadline to extend", NULL);
		return;
	}
	if (r->life.deadline == r->peer_deadline) {
		o = jv_obj();
		jv_put_s(o, "why", "its runtime waits no longer than that");
		call_error(c, "not_allowed", "its runtime waits no longer than that", o);
		return;
	}
	r->life.deadline += ms;
	if (r->peer_deadline != 0 && r->life.deadline > r->peer_deadline)
		r->life.deadline = r->peer_deadline;
	r->warned = false;
	r->warn_at = now + (r->life.deadline - now) / 100 * WARN_PERCENT;
	rec = hub_rec(REC_EXTENDED);
	rec_add_u64(rec, RF_ACTION, r->id);
	rec_add_u64(rec, RF_DEADLINE, r->life.deadline);
	decide_put_by(rec, &c->con->who);
	hub_submit(c->hub, rec, true, NULL, NULL);
	rows_changed(r);
	o = jv_obj();
	jv_put_i(o, "expires_ms", (int64_t)(r->life.deadline - now));
	call_ok(c, o);
}

const struct method console_action_methods[] = {
	{ "action/get", m_get },
	{ "doc/lines", m_lines },
	{ "raw/bytes", m_raw },
	{ "action/viewing", m_viewing },
	{ "action/seen", m_seen },
	{ "action/decide", m_decide },
	{ "action/reason", m_reason },
	{ "action/take_back", m_take_back },
	{ "action/extend", m_extend },
	{ NULL, NULL },
};
