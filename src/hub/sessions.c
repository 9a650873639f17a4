/*
 * sessions.c - see sessions.h.
 */
#include "hub/sessions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "config/claude_settings.h"

#define CALL_DENIED UINT64_C(1)    /* in the hash of a call that was denied */

static void session_free(struct session *s)
{
	ruleset_free(&s->rules);
	free(s->id);
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
	snprintf(s->why, sizeof s->why, "a call ran although it was denied");
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
		"a call ran that never came through the gate");
	return true;
}

void session_workspace(struct session *s, struct sv resolved)
{
	if (s->have_workspace)
		return;
	s->have_workspace = true;
	if (resolved.n > 0)
		s->workspace = xmemdup0(resolved.p, resolved.n);
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
