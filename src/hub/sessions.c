/*
 * sessions.c - see sessions.h.
 */
#include "hub/sessions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/i18n.h"
#include "config/claude_settings.h"

#define CALL_DENIED UINT64_C(1)    /* in the hash of a call that was denied */

static void session_free(struct session *s)
{
	ruleset_free(&s->rules);
	free(s->id);
	free(s->title);
	free(s->task);
	free(s->parent);
	free(s->start);
	free(s->workspace);
	free(s->calls);
	free(s);
}

/* The one that nobody used for longest. Those with requests stay. */
static void session_evict(struct hub *h)
{
	struct session **oldest = NULL, *s;

	for (struct session **at = &h->sessions; *at != NULL; at = &(*at)->next)
		if ((*at)->reqs == 0 &&
		    (oldest == NULL || (*at)->last_used < (*oldest)->last_used))
			oldest = at;
	if (oldest == NULL)
		return;
	s = *oldest;
	*oldest = s->next;
	h->n_sessions--;
	session_free(s);
}

struct session *session_get(struct hub *h, struct channel *ch, struct sv id)
{
	struct session *s;

	for (s = h->sessions; s != NULL; s = s->next)
		if (s->channel == ch && sv_eqs(id, s->id) && strlen(s->id) == id.n) {
			s->last_used = clock_boot_ms();
			return s;
		}
	if (h->n_sessions >= SESSIONS_MAX)
		session_evict(h);
	s = xcalloc(1, sizeof *s);
	s->hub = h;
	s->channel = ch;
	s->id = xmemdup0(id.p, id.n);
	s->last_used = clock_boot_ms();
	s->next = h->sessions;
	h->sessions = s;
	h->n_sessions++;
	return s;
}

/* True when it is another text than before. */
static bool session_set(char **at, struct sv v)
{
	if (sv_eqs(v, *at))
		return false;
	free(*at);
	*at = v.n > 0 ? xmemdup0(v.p, v.n) : NULL;
	return true;
}

static struct rec *session_rec(const struct session *s)
{
	struct rec *rec = hub_rec(REC_SESSION);

	rec_add(rec, RF_CHANNEL, sv_of(s->channel->name));
	rec_add(rec, RF_SESSION, sv_of(s->id));
	return rec;
}

void session_hello(struct session *s, const struct session_said *said,
	const struct peer *peer)
{
	bool new = session_set(&s->title, said->title);
	struct rec *rec;

	new |= session_set(&s->task, said->task);
	new |= session_set(&s->parent, said->parent);
	/* A workspace is taken once: a later hello moves nothing. */
	if (!s->have_workspace && s->start == NULL)
		new |= session_set(&s->start, said->cwd);
	if (!new)
		return;
	rec = session_rec(s);
	rec_add_u64(rec, RF_PEER_UID, peer->uid);
	rec_add_u64(rec, RF_PEER_PID, (uint64_t)peer->pid);
	rec_add(rec, RF_TITLE, said->title);
	rec_add(rec, RF_TASK, said->task);
	rec_add(rec, RF_PARENT, said->parent);
	rec_add(rec, RF_CWD, said->cwd);
	hub_submit(s->hub, rec, false, NULL, NULL);
	rows_session(s);
}

static uint64_t session_hash(struct sv call)
{
	struct digest d = sha256(call);
	uint64_t v;

	memcpy(&v, d.b, sizeof v);
	return v & ~CALL_DENIED;
}

void session_call(struct session *s, struct sv call)
{
	s->n_calls++;
	if (call.n == 0)
		return;
	if (s->calls == NULL)
		s->calls = xcalloc(SESSION_CALLS, sizeof *s->calls);
	s->calls[s->calls_at] = session_hash(call);
	s->calls_at = (s->calls_at + 1) % SESSION_CALLS;
	if (s->calls_n < SESSION_CALLS)
		s->calls_n++;
}

static uint64_t *session_find_call(const struct session *s, struct sv call)
{
	uint64_t h = session_hash(call);

	for (size_t i = 0; i < s->calls_n; i++)
		if ((s->calls[i] & ~CALL_DENIED) == h)
			return &s->calls[i];
	return NULL;
}

bool session_has_call(const struct session *s, struct sv call)
{
	return session_find_call(s, call) != NULL;
}

void session_denied(struct session *s, struct sv call)
{
	uint64_t *at = call.n > 0 ? session_find_call(s, call) : NULL;

	if (at != NULL)
		*at |= CALL_DENIED;
}

bool session_denied_ran(struct session *s, struct sv call)
{
	uint64_t *at = call.n > 0 ? session_find_call(s, call) : NULL;

	if (at == NULL || (*at & CALL_DENIED) == 0 || s->red)
		return false;
	s->red = true;
	snprintf(s->why, sizeof s->why, N_("a call ran although it was not approved"));
	return true;
}

void session_started(struct session *s)
{
	/* A resumed session keeps its colour: what ran, ran. */
	s->calls_n = s->calls_at = 0;
	s->graded = false;
}

void session_grade(struct session *s)
{
	struct claude_state st;

	if (s->graded)
		return;
	claude_state_managed(CLAUDE_MANAGED_DIR, &st);
	s->graded = true;
	s->held = st.faults == 0;
	/* A faulty set-up is news; none at all is the rule on most machines. */
	if (!s->held && (st.faults & CLAUDE_NO_FILE) == 0)
		log_info("a session of %s is asked, not held: %s", s->channel->name, st.why);
}

bool session_ran(struct session *s, struct sv call)
{
	if (call.n == 0 || s->red || session_has_call(s, call))
		return false;
	s->red = true;
	snprintf(s->why, sizeof s->why,
		N_("a call ran that never came through the gate"));
	return true;
}

void session_workspace(struct session *s, struct sv resolved)
{
	struct rec *rec;

	if (s->have_workspace)
		return;
	s->have_workspace = true;
	if (resolved.n > 0)
		s->workspace = xmemdup0(resolved.p, resolved.n);
	/* The next hub must not take another one. */
	rec = session_rec(s);
	rec_add(rec, RF_WORKSPACE, resolved);
	rec_add(rec, RF_STATUS, resolved.n > 0 ? SV("workspace") : SV("no_workspace"));
	hub_submit(s->hub, rec, false, NULL, NULL);
}

static void session_restore_said(struct session *s, const struct rec_view *v)
{
	struct sv status = rec_view_get(v, RF_STATUS);

	if (status.n > 0) {
		session_set(&s->workspace, rec_view_get(v, RF_WORKSPACE));
		s->have_workspace = true;
		return;
	}
	session_set(&s->title, rec_view_get(v, RF_TITLE));
	session_set(&s->task, rec_view_get(v, RF_TASK));
	session_set(&s->parent, rec_view_get(v, RF_PARENT));
	session_set(&s->start, rec_view_get(v, RF_CWD));
}

void session_restore(struct hub *h, const struct rec_view *v)
{
	struct channel *ch = channel_find(h, rec_view_get(v, RF_CHANNEL));
	struct sv id = rec_view_get(v, RF_SESSION), why = rec_view_get(v, RF_WHY);
	struct session *s;

	if (ch == NULL || id.n == 0)
		return;
	s = session_get(h, ch, id);
	if (v->type == REC_SESSION) {
		session_restore_said(s, v);
	} else {
		s->red = true;
		snprintf(s->why, sizeof s->why, "%.*s", SVFMT(why));
	}
}

void session_rules(struct session *s, bool have, struct sv bytes, bool readable)
{
	struct ruleset *rs = NULL;
	struct err e = ERR_INIT;
	struct digest d;

	if (!have) {
		s->rules_broken = !readable;
		if (readable) {
			ruleset_free(&s->rules);
			s->have_rules = false;
		}
		return;
	}
	d = sha256(bytes);
	if (s->have_rules && digest_eq(&d, &s->rules_digest))
		return;
	if (rules_parse(bytes, "WORKSPACE/.obstat/rules", RULES_WORKSPACE, &rs, &e) != 0) {
		/* The old rules stay, and nothing passes by itself meanwhile. */
		log_warn("workspace rules of a session of %s: %s", s->channel->name, e.text);
		s->rules_broken = true;
		return;
	}
	ruleset_free(&s->rules);
	s->rules = rs;
	s->rules_digest = d;
	s->have_rules = true;
	s->rules_broken = false;
}

void sessions_free(struct hub *h)
{
	while (h->sessions != NULL) {
		struct session *s = h->sessions;

		h->sessions = s->next;
		session_free(s);
	}
}
