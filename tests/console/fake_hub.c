/*
 * fake_hub.c - see fake_hub.h. It enforces what the hub enforces (coverage,
 * the word), so that a console that cheats is seen.
 */
#include "tests/console/fake_hub.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/console/fake_docs.h"

void fake_init(struct fake_hub *h, struct app *a)
{
	memset(h, 0, sizeof(*h));
	h->app = a;
	h->up = true;
	buf_init(&h->in, 1u << 24);
	buf_init(&h->log, 1u << 24);
}

void fake_free(struct fake_hub *h)
{
	for (size_t i = 0; i < h->n; i++) {
		doc_free(&h->rows[i].doc);
		cover_free(&h->rows[i].seen);
	}
	buf_free(&h->in);
	buf_free(&h->log);
}

void fake_send(void *hub, struct sv line)
{
	struct fake_hub *h = hub;

	if (h->up)
		buf_addsv(&h->in, line);
}

struct fake_row *fake_find(struct fake_hub *h, uint64_t id)
{
	for (size_t i = 0; i < h->n; i++)
		if (h->rows[i].id == id)
			return &h->rows[i];
	return NULL;
}

static uint32_t lines_of(const struct fake_row *r)
{
	return r->big > 0 ? r->big : r->doc != NULL ? doc_lines(r->doc) : 0;
}

struct fake_row *fake_row(struct fake_hub *h, uint64_t id, const char *kind,
	const char *care, const char *fixture, const char *text)
{
	struct fake_row *r = &h->rows[h->n++];

	memset(r, 0, sizeof(*r));
	r->id = id;
	snprintf(r->kind, sizeof(r->kind), "%s", kind);
	snprintf(r->care, sizeof(r->care), "%s", care);
	snprintf(r->text, sizeof(r->text), "%s", text);
	snprintf(r->channel, sizeof(r->channel), "claude");
	snprintf(r->session, sizeof(r->session), "s1");
	snprintf(r->state, sizeof(r->state), "pending");
	r->since = h->now;
	r->can_reason = true;
	r->seen = cover_new();
	r->ready = strcmp(fixture, "notready") != 0;
	if (strncmp(fixture, "big:", 4) == 0)
		r->big = (uint32_t)strtoul(fixture + 4, NULL, 10);
	else if (r->ready)
		r->doc = fake_doc(fixture);
	if (strcmp(care, "confirm") == 0)
		snprintf(r->confirm, sizeof(r->confirm), "invoices");
	return r;
}

static struct jv *row_json(const struct fake_hub *h, const struct fake_row *r)
{
	struct jv *j = jv_obj(), *by = jv_obj();

	jv_put_i(j, "id", (int64_t)r->id);
	jv_put_s(j, "kind", r->kind);
	jv_put_s(j, "channel", r->channel);
	jv_put_s(j, "session", r->session);
	jv_put_s(j, "tool", "Tool");
	jv_put_s(j, "text", r->text);
	jv_put_s(j, "state", r->state);
	jv_put_b(j, "ready", r->ready);
	jv_put_s(j, "care", r->care);
	jv_put_i(j, "age_ms", (int64_t)(h->now - r->since));
	if (r->expires_at != 0)
		jv_put_i(j, "expires_ms", (int64_t)(r->expires_at - h->now));
	jv_put_b(j, "warn", r->warn);
	jv_put_b(j, "approvable", r->why_not[0] == '\0');
	jv_put_s(j, "why_not", r->why_not[0] != '\0' ? r->why_not : NULL);
	jv_put_i(j, "lines", lines_of(r));
	jv_put_s(j, "why", "rule \"prod\" asks");
	jv_put_s(j, "verb", r->verb[0] != '\0' ? r->verb : NULL);
	jv_put_s(j, "outcome", r->outcome[0] != '\0' ? r->outcome : NULL);
	jv_put_s(by, "name", r->by[0] != '\0' ? r->by : NULL);
	jv_put_s(by, "console", r->by_console ? "c7" : "c1");
	jv_put(j, "by", by);
	if (r->linked != 0)
		jv_put_i(j, "linked", (int64_t)r->linked);
	jv_put_s(j, "confirm", r->confirm[0] != '\0' ? r->confirm : NULL);
	jv_put_b(j, "can_reason", r->can_reason);
	return j;
}

static void to_console(struct fake_hub *h, struct jv *owned)
{
	struct buf b;

	buf_init(&b, 1u << 24);
	jv_write(owned, &b);
	if (h->up)
		app_line(h->app, buf_sv(&b), h->now);
	buf_free(&b);
	jv_free(&owned);
}

static void tell(struct fake_hub *h, const char *method, struct jv *params)
{
	struct jv *m = jv_obj();

	jv_put_s(m, "jsonrpc", "2.0");
	jv_put_s(m, "method", method);
	jv_put(m, "params", params);
	to_console(h, m);
}

void fake_forget(struct fake_hub *h)
{
	for (size_t i = 0; i < h->n; i++) {
		cover_free(&h->rows[i].seen);
		h->rows[i].seen = cover_new();
	}
}

void fake_tell(struct fake_hub *h, const char *method, const struct fake_row *r)
{
	struct jv *p = jv_obj();

	jv_put(p, "row", row_json(h, r));
	tell(h, method, p);
}

void fake_hub_state(struct fake_hub *h, const char *store, const char *text, int refused)
{
	struct jv *p = jv_obj();

	jv_put_b(p, "hold", h->hold);
	jv_put_s(p, "store", store);
	jv_put_s(p, "text", text);
	jv_put_i(p, "refused", refused);
	tell(h, "hub/state", p);
}

void fake_warning(struct fake_hub *h, const char *text)
{
	struct jv *p = jv_obj(), *a = jv_arr();

	if (text[0] != '\0')
		jv_add(a, jv_strv(sv_of(text)));
	jv_put(p, "warnings", a);
	tell(h, "hub/state", p);
}

void fake_session(struct fake_hub *h, const char *channel, const char *session, bool red)
{
	struct jv *p = jv_obj(), *s = jv_obj();

	jv_put_s(s, "channel", channel);
	jv_put_s(s, "session", session);
	jv_put_s(s, "workspace", "/srv/pay");
	jv_put_b(s, "red", red);
	jv_put_s(s, "why", red ? "a call was seen that never asked" : NULL);
	jv_put_i(s, "calls", 142);
	jv_put_i(s, "passed", 139);
	jv_put_i(s, "asked", 3);
	jv_put(p, "session", s);
	tell(h, "session/changed", p);
}

void fake_presence(struct fake_hub *h, uint64_t id, const char *name)
{
	struct jv *p = app_id(id), *l = jv_arr(), *who = jv_obj();

	jv_put_s(who, "name", name);
	jv_put_s(who, "console", "c9");
	jv_add(l, who);
	jv_put(p, "people", l);
	tell(h, "presence", p);
}

static struct jv *pair(int64_t a, int64_t b)
{
	struct jv *p = jv_arr();

	jv_add(p, jv_int(a));
	jv_add(p, jv_int(b));
	return p;
}

static struct jv *marks(const struct fake_row *r, enum doc_mark m)
{
	struct jv *l = jv_arr();

	for (uint32_t i = 0; r->doc != NULL && i < doc_marks(r->doc, m); i++) {
		struct jv *p = jv_arr();
		jv_add(p, jv_int(doc_mark_line(r->doc, m, i)));
		jv_add(p, jv_strv(doc_mark_label(r->doc, m, i)));
		jv_add(l, p);
	}
	return l;
}

static struct jv *facts(const struct fake_row *r)
{
	struct jv *f = jv_obj(), *peer = jv_obj();

	jv_put_s(f, "kind", r->kind);
	jv_put_s(f, "tool", "Tool");
	jv_put_s(f, "cwd", "/srv/pay");
	jv_put_s(f, "target", r->text);
	jv_put_s(f, "workspace", "/srv/pay");
	jv_put_s(f, "reversibility", "irreversible");
	jv_put_s(f, "why_rev", "outside the workspace");
	jv_put_i(peer, "uid", 1000);
	jv_put_i(peer, "pid", 4411);
	jv_put_s(peer, "exe", "/usr/bin/node");
	jv_put(f, "peer", peer);
	jv_put_s(f, "setup", "same_user");
	jv_put_s(f, "grade", "held");
	jv_put_s(f, "dialect", "claude");
	jv_put_s(f, "session", r->session);
	jv_put_s(f, "session_title", "monthly close");
	return f;
}

static void doc_digest_of(const struct fake_row *r, char *out, size_t n)
{
	snprintf(out, n, "sha256:%064" PRIx64, r->id * 0x9e3779b97f4a7c15u + lines_of(r));
}

static struct jv *get(const struct fake_hub *h, const struct fake_row *r)
{
	struct jv *a = jv_obj(), *m = jv_obj(), *hid = jv_obj(), *seen = jv_arr();
	char digest[80];

	jv_put(a, "row", row_json(h, r));
	jv_put(a, "facts", facts(r));
	jv_put_s(a, "words", "remove the test rows");
	jv_put_s(a, "action_digest", "sha256:aaaa1111");
	if (r->ready) {
		doc_digest_of(r, digest, sizeof(digest));
		jv_put_s(a, "doc_digest", digest);
		jv_put_i(a, "lines", lines_of(r));
	}
	jv_put(m, "file", marks(r, MARK_FILE));
	jv_put(m, "hunk", marks(r, MARK_HUNK));
	jv_put(a, "marks", m);
	if (r->doc != NULL) {
		const struct esc_counts *c = doc_counts(r->doc);
		jv_put_i(hid, "control", c->n[ESC_CONTROL]);
		jv_put_i(hid, "bidi", c->n[ESC_BIDI]);
		jv_put_i(hid, "zero_width", c->n[ESC_ZERO_WIDTH]);
		jv_put_i(hid, "blank_run", c->n[ESC_BLANK_RUN]);
	}
	jv_put(a, "hidden", hid);
	for (size_t i = 0; i < cover_ranges(r->seen); i++) {
		uint32_t from, to;
		cover_range(r->seen, i, &from, &to);
		jv_add(seen, pair(from, to));
	}
	jv_put(a, "seen", seen);
	return a;
}

static struct jv *line_json(const struct fake_row *r, uint32_t i)
{
	static const char *const kinds[] = { "o", "p", "w" };
	struct jv *l = jv_arr(), *spans = jv_arr();
	uint32_t o = 0, n = i + 1;
	char text[40], letter[2] = ".";

	jv_add(l, jv_strv(sv_of(r->big > 0 ? "p" : kinds[doc_line_kind(r->doc, i)])));
	if (r->big == 0)
		doc_line_nos(r->doc, i, &o, &n);
	jv_add(l, jv_int(o));
	jv_add(l, jv_int(n));
	snprintf(text, sizeof(text), "big line %u", i + 1);
	for (uint32_t k = 0; k < (r->big > 0 ? 1 : doc_line_spans(r->doc, i)); k++) {
		struct jv *s = jv_arr();
		struct sv t = sv_of(text);

		if (r->big == 0) {
			struct doc_span sp = doc_line_span(r->doc, i, k);
			letter[0] = role_letter(sp.role);
			t = sp.text;
		}
		jv_add(s, jv_strv(sv_of(letter)));
		jv_add(s, jv_strv(t));
		jv_add(spans, s);
	}
	jv_add(l, spans);
	return l;
}

static struct jv *lines(struct fake_hub *h, const struct fake_row *r, const struct jv *p)
{
	uint32_t from = (uint32_t)jv_get_i(p, "from", 0), to = (uint32_t)jv_get_i(p, "to", 0);
	struct jv *a = jv_obj(), *l = jv_arr();

	if (to - from > h->max_lines)
		h->max_lines = to - from;
	if (h->short_answers && to - from > 100)
		to = from + 100; /* as the hub does with very long lines */
	for (uint32_t i = from; i < to && i < lines_of(r); i++)
		jv_add(l, line_json(r, i));
	jv_put_i(a, "from", from);
	jv_put_i(a, "total", lines_of(r));
	jv_put(a, "lines", l);
	return a;
}

static struct jv *error(const char *word)
{
	struct jv *e = jv_obj(), *d = jv_obj();

	jv_put_i(e, "code", -32000);
	jv_put_s(e, "message", word);
	jv_put_s(d, "error", word);
	jv_put(e, "data", d);
	return e;
}

static struct jv *decide(struct fake_hub *h, struct fake_row *r, const struct jv *p,
	struct jv **err)
{
	struct sv verb = jv_get_sv(p, "outcome");
	struct jv *a;
	uint32_t from, to;

	if (strcmp(r->state, "pending") != 0 && strcmp(r->state, "releasing") != 0) {
		*err = error("already");
		return NULL;
	}
	if (sv_eqs(verb, "approve")) {
		if (cover_gap(r->seen, lines_of(r), &from, &to))
			*err = error("not_seen");
		else if (strcmp(r->care, "confirm") == 0
			&& !sv_eqs(jv_get_sv(p, "typed"), r->confirm))
			*err = error("typed_wrong");
		if (*err != NULL)
			return NULL;
		h->approved++;
	}
	snprintf(r->state, sizeof(r->state), "releasing");
	snprintf(r->verb, sizeof(r->verb), "%.*s", SVFMT(verb));
	r->by_console = true;
	a = jv_obj();
	jv_put_i(a, "decided", 1000);
	jv_put_i(a, "release_ms", 700);
	return a;
}

static struct jv *take_back(struct fake_row *r, struct jv **err)
{
	if (strcmp(r->state, "releasing") != 0) {
		*err = error("not_pending");
		return NULL;
	}
	snprintf(r->state, sizeof(r->state), "pending");
	r->verb[0] = '\0';
	r->by_console = false;
	return jv_obj();
}

static struct jv *subscribe(struct fake_hub *h)
{
	struct jv *a = jv_obj(), *rows = jv_arr();

	for (size_t i = 0; i < h->n; i++)
		jv_add(rows, row_json(h, &h->rows[i]));
	jv_put(a, "rows", rows);
	jv_put_b(a, "hold", h->hold);
	jv_put(a, "sessions", jv_arr());
	return a;
}

static struct jv *hello(void)
{
	struct jv *a = jv_obj(), *you = jv_obj();

	jv_put_i(you, "uid", 1000);
	jv_put_s(you, "name", "ann");
	jv_put_s(you, "console", "c7");
	jv_put(a, "you", you);
	jv_put_s(a, "setup", "same_user");
	return a;
}

static struct jv *stop_all(struct fake_hub *h)
{
	struct jv *a = jv_obj();
	int n = 0;

	for (size_t i = 0; i < h->n; i++)
		if (strcmp(h->rows[i].state, "pending") == 0) {
			snprintf(h->rows[i].state, sizeof(h->rows[i].state), "releasing");
			snprintf(h->rows[i].verb, sizeof(h->rows[i].verb), "deny");
			h->rows[i].by_console = true;
			fake_tell(h, "queue/changed", &h->rows[i]);
			n++;
		}
	h->hold = true;
	fake_hub_state(h, "ok", NULL, 0);
	jv_put_i(a, "denied", n);
	return a;
}

static struct jv *raw(const struct jv *p)
{
	static const char b64[] = "eyJ0b29sX25hbWUiOiJCYXNoIiwieCI6IhsA/3EifQ==";
	struct jv *a = jv_obj();

	jv_put_i(a, "from", jv_get_i(p, "from", 0));
	jv_put_i(a, "total", 31);
	jv_put_s(a, "base64", b64);
	return a;
}

static void seen(struct fake_row *r, const struct jv *p)
{
	const struct jv *l = jv_get(p, "ranges");
	char digest[80];

	doc_digest_of(r, digest, sizeof(digest));
	if (!sv_eqs(jv_get_sv(p, "doc_digest"), digest))
		return;
	for (size_t i = 0; i < jv_len(l); i++)
		cover_add(r->seen, (uint32_t)jv_i(jv_at(jv_at(l, i), 0), 0),
			(uint32_t)jv_i(jv_at(jv_at(l, i), 1), 0));
}

static struct jv *answer(struct fake_hub *h, struct sv method, const struct jv *p,
	struct fake_row *r, struct jv **err)
{
	if (sv_eqs(method, "hello"))
		return hello();
	if (sv_eqs(method, "queue/subscribe"))
		return subscribe(h);
	if (sv_eqs(method, "hub/stop_all"))
		return stop_all(h);
	if (sv_eqs(method, "hub/hold")) {
		h->hold = jv_get_b(p, "on", false);
		fake_hub_state(h, "ok", NULL, 0);
		return jv_obj();
	}
	if (r == NULL) {
		*err = error("unknown_id");
		return NULL;
	}
	if (sv_eqs(method, "action/get"))
		return get(h, r);
	if (sv_eqs(method, "doc/lines"))
		return lines(h, r, p);
	if (sv_eqs(method, "raw/bytes"))
		return raw(p);
	if (sv_eqs(method, "action/decide"))
		return decide(h, r, p, err);
	if (sv_eqs(method, "action/take_back"))
		return take_back(r, err);
	if (sv_eqs(method, "action/seen"))
		seen(r, p);
	return jv_obj();
}

static void one(struct fake_hub *h, struct sv line)
{
	struct jv *m = jv_read(line, NULL), *a = jv_obj(), *err = NULL, *res;
	const struct jv *p = jv_get(m, "params");
	struct sv method = jv_get_sv(m, "method");
	struct fake_row *r = fake_find(h, (uint64_t)jv_get_i(p, "id", 0));
	char before[16] = "";

	buf_addsv(&h->log, method);
	buf_addc(&h->log, ' ');
	jv_write(p, &h->log);
	buf_addc(&h->log, '\n');
	if (r != NULL)
		memcpy(before, r->state, sizeof(before));
	res = answer(h, method, p, r, &err);
	jv_put_s(a, "jsonrpc", "2.0");
	jv_put_i(a, "id", jv_get_i(m, "id", 0));
	jv_put(a, err != NULL ? "error" : "result", err != NULL ? err : res);
	to_console(h, a);
	if (r != NULL && strcmp(before, r->state) != 0)
		fake_tell(h, "queue/changed", r);
	jv_free(&m);
}

void fake_pump(struct fake_hub *h, uint64_t now)
{
	h->now = now;
	while (h->in.n > 0) {
		const char *lf = memchr(h->in.p, '\n', h->in.n);
		size_t n = (size_t)(lf - h->in.p);
		char *copy = xmemdup0(h->in.p, n);

		buf_drop_front(&h->in, n + 1);
		one(h, (struct sv){ copy, n });
		free(copy);
	}
}
