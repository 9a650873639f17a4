/*
 * hub.c - start, one turn of the loop, and the end.
 */
#include "hub/hub.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fs.h"
#include "hub/call.h"
#include "hub/detach.h"
#include "hub/sessions.h"

#define STORE_CLOSE_MS 10000u
#define DRAIN_MS 2000u
#define FILES_WANTED 16384u

bool (*hub_test_method)(struct call *c);

struct rec *hub_rec(enum rec_type t)
{
	return rec_new(t, clock_real_ms(), clock_boot_ms());
}

uint64_t hub_submit(struct hub *h, struct rec *owned, bool urgent,
	void (*done)(void *arg, bool failed), void *arg)
{
	if (!h->ending && h->store != NULL)
		return store_submit(h->store, owned, urgent, done, arg);
	rec_free(&owned);
	if (done != NULL)
		done(arg, true);
	return 0;
}

bool hub_same_user(const struct hub *h)
{
	(void)h;
	return true;                 /* split-user comes with its set-up */
}

/* ---- rules ---- */

static void hub_workspaces(struct hub *h, const struct ruleset *rs)
{
	for (size_t i = 0; i < h->n_workspaces; i++)
		free(h->workspaces[i]);
	free(h->workspaces);
	h->workspaces = xcalloc(rs->n_workspaces + 1, sizeof *h->workspaces);
	h->n_workspaces = 0;
	for (size_t i = 0; i < rs->n_workspaces; i++) {
		const char *w = rs->workspaces[i];
		char *path = w[0] == '~' && w[1] == '/' ?
			xasprintf("%s%s", h->paths.home, w + 1) : xstrdup(w);
		char *real = realpath(path, NULL);

		if (real != NULL)
			h->workspaces[h->n_workspaces++] = real;
		else
			log_warn("workspace %s: %s", path, strerrordesc_np(errno));
		free(path);
	}
}

int hub_load_rules(struct hub *h, struct err *e)
{
	struct ruleset *sys = NULL, *user = NULL;
	struct rec *rec;

	if (rules_load(h->paths.system_rules, RULES_SYSTEM, &sys, e) != 0 ||
	    rules_load(h->paths.user_rules, RULES_USER, &user, e) != 0) {
		ruleset_free(&sys);
		h->rules_broken = true;
		snprintf(h->rules_error, sizeof h->rules_error,
			"rules not loaded: %.400s", e->text);
		log_warn("%s", h->rules_error);
		hub_note_state(h);
		return -1;
	}
	ruleset_join(sys, &user);
	hub_workspaces(h, sys);
	rec = hub_rec(REC_RULES);
	rec_add_u64(rec, RF_COUNT, sys->n);
	rec_add_digest(rec, RF_RULES_DIGEST, &sys->digest);
	h->limits.owner_ms = sys->deadline_ms;
	policy_set(h->policy, sys);
	h->rules_broken = false;
	h->rules_error[0] = '\0';
	hub_note_state(h);
	hub_submit(h, rec, true, NULL, NULL);
	return 0;
}

/* ---- the stop button ---- */

/* What waited only for the button goes by the rules now. One at a time from
 * the start: an answer can end others. */
static bool hub_let_go_one(struct hub *h)
{
	for (struct req *r = h->reqs; r != NULL; r = r->next) {
		if (!r->by_hold || (r->life.state != ST_PENDING &&
		    r->life.state != ST_RECEIVED))
			continue;
		r->by_hold = false;
		r->life.state = ST_RECEIVED;
		req_ref(r);
		assess_rules(r);
		req_unref(r);
		return true;
	}
	return false;
}

void hub_set_hold(struct hub *h, bool on, const char *by, uid_t uid)
{
	struct rec *rec;

	if (h->hold == on)
		return;
	h->hold = on;
	rec = hub_rec(REC_HOLD);
	rec_add(rec, RF_STATUS, on ? SV("on") : SV("off"));
	rec_add(rec, RF_BY_KIND, SV("human"));
	rec_add(rec, RF_BY_NAME, sv_of(by));
	rec_add_u64(rec, RF_BY_UID, uid);
	hub_submit(h, rec, true, NULL, NULL);
	hub_note_state(h);
	if (on)
		return;
	while (hub_let_go_one(h))
		;
}

/* ---- a turn ---- */

static uint64_t hub_tick_reqs(struct hub *h, uint64_t now)
{
	uint64_t next = 0, at;

	/* A tick can end other requests too (its peer is found gone): what is
	 * no longer in the list does not know the next one. */
	for (struct req *r = h->reqs, *after; r != NULL; r = after) {
		req_ref(r);
		decide_tick(r, now);
		at = decide_next(r);
		after = r->list == LIST_LIVE ? r->next : h->reqs;
		req_unref(r);
		if (at != 0 && (next == 0 || at < next))
			next = at;
	}
	return next;
}

static void hub_tick(void *arg)
{
	struct hub *h = arg;
	uint64_t now = clock_boot_ms();

	opens_tick(h, now);
	conn_tick(h, now);
	hub_tick_reqs(h, now);
	refuse_tick(h, now);
}

/* The next moment at which there is something to do; none: no timer, so an
 * idle hub never wakes. */
void hub_reschedule(struct hub *h)
{
	uint64_t now = clock_boot_ms(), next = opens_tick(h, now), at;

	for (struct req *r = h->reqs; r != NULL; r = r->next) {
		at = decide_next(r);
		if (at != 0 && (next == 0 || at < next))
			next = at;
	}
	at = conn_tick(h, now);
	if (at != 0 && (next == 0 || at < next))
		next = at;
	at = refuse_tick(h, now);
	if (at != 0 && (next == 0 || at < next))
		next = at;
	if (next == 0)
		loop_timer_stop(h->tick);
	else
		loop_timer_arm(h->tick, next > now ? next - now : 0);
}

/* Outcomes that are set but have not reached their peers yet. */
static bool hub_owes(const struct hub *h)
{
	for (const struct req *r = h->reqs; r != NULL; r = r->next)
		if (r->life.state == ST_CLOSED)
			return true;
	return false;
}

static void hub_turn(void *arg)
{
	struct hub *h = arg;

	if (h->store == NULL)
		return;
	if (!h->draining)
		hub_reschedule(h);
	rows_flush(h);
	conn_reap(h);
	if (h->draining && !hub_owes(h))
		loop_stop(h->loop);
}

static void hub_scan_again(void *arg)
{
	scan_again(arg);
	conn_go_on(arg);
}

/* ---- the end ---- */

static void hub_last(void *arg)
{
	struct hub *h = arg;

	loop_stop(h->loop);
}

static void hub_deny_all(struct hub *h)
{
	static const struct by by_hub = { .kind = BY_HUB };

	for (struct req *r = h->reqs, *next; r != NULL; r = next) {
		next = r->next;
		if (r->life.state == ST_CLOSED || r->life.state == ST_ORPHANED)
			continue;
		snprintf(r->reason, sizeof r->reason, "obstat was stopped");
		answer_close(r, OUT_DENIED, &by_hub);
	}
}

/* Nothing new. What is decided goes out, what waits is closed without a
 * verdict and comes back to the next hub (obstat.md, life of an action). */
void hub_drain(struct hub *h, bool deny)
{
	if (h->draining)
		return;
	listen_stop(h);
	if (deny)
		hub_deny_all(h);
	h->draining = true;
	refuse_tick(h, clock_boot_ms());
	loop_timer_arm(h->last, DRAIN_MS);
	if (!hub_owes(h))
		loop_stop(h->loop);
}

static void hub_signal(void *arg, int signo)
{
	struct hub *h = arg;

	if (signo == SIGHUP) {
		struct err e = ERR_INIT;

		hub_load_rules(h, &e);
		return;
	}
	log_info("signal %d: draining", signo);
	hub_drain(h, false);
}

static void hub_store_state(void *arg, enum store_state s, const char *text)
{
	struct hub *h = arg;

	if (s != STORE_OK)
		log_warn("record: %s", text != NULL ? text : "cannot write");
	hub_note_state(h);
}

/* ---- the start ---- */

/* As many descriptors as we may have; of fewer than usual, peers get a share. */
static void hub_limits_raise(struct hub *h)
{
	struct rlimit rl;

	prctl(PR_SET_DUMPABLE, 0);
	if (getrlimit(RLIMIT_NOFILE, &rl) != 0)
		return;
	rl.rlim_cur = rl.rlim_max < FILES_WANTED ? rl.rlim_max : FILES_WANTED;
	setrlimit(RLIMIT_NOFILE, &rl);
	if (rl.rlim_cur / 2 < h->limits.held_fds)
		h->limits.held_fds = (size_t)rl.rlim_cur / 2;
	if (rl.rlim_cur / 16 < h->limits.conns_per_uid)
		h->limits.conns_per_uid = (unsigned)(rl.rlim_cur / 16);
}

static void hub_record_start(struct hub *h)
{
	struct rec *rec = hub_rec(REC_HUB_STARTED);

	rec_add(rec, RF_VERSION, SV(HUB_VERSION));
	rec_add_u64(rec, RF_PEER_UID, h->uid);
	rec_add_u64(rec, RF_PEER_PID, (uint64_t)getpid());
	rec_add(rec, RF_SETUP, SV("same_user"));
	hub_submit(h, rec, true, NULL, NULL);
}

static int hub_open(struct hub *h, struct err *e)
{
	static const int signos[] = { SIGTERM, SIGINT, SIGHUP };
	struct err rules = ERR_INIT;

	h->loop = loop_new();
	h->tick = loop_timer_new(h->loop, hub_tick, h);
	h->last = loop_timer_new(h->loop, hub_last, h);
	h->again = loop_wake_new(h->loop, hub_scan_again, h);
	for (int i = 0; i < 3; i++)
		h->sigs[i] = loop_signal_new(h->loop, signos[i], hub_signal, h);
	h->store = store_open(h->loop, h->paths.state, hub_store_state, h, e);
	if (h->store == NULL)
		return -1;
	h->evidence = evidence_room_new(h->loop, h->self, e);
	if (h->evidence == NULL)
		return -1;
	h->policy = policy_new(h->paths.home);
	hub_record_start(h);
	hub_load_rules(h, &rules);
	return 0;
}

static void hub_free(struct hub *h)
{
	while (h->reqs != NULL) {
		h->reqs->life.state = ST_CLOSED;
		req_retire(h->reqs);
	}
	while (h->closed != NULL) {
		struct req *r = h->closed;

		h->closed = r->next;
		req_unref(r);
	}
	evidence_room_free(&h->evidence);
	assess_free_all(h);
	for (int i = 0; i < 3; i++)
		loop_signal_free(&h->sigs[i]);
	loop_timer_free(&h->tick);
	loop_timer_free(&h->last);
	loop_wake_free(&h->again);
	loop_free(&h->loop);         /* with what workers still had in hand */
	scans_free(h);
	sessions_free(h);
	policy_free(&h->policy);
	channels_free(h);
	for (size_t i = 0; i < h->n_workspaces; i++)
		free(h->workspaces[i]);
	free(h->workspaces);
	free(h->done);
}

static void hub_delete(struct hub *h)
{
	if (h->lock_fd >= 0)
		close(h->lock_fd);
	free(h->self);
	free(h);
}

static void hub_close(struct hub *h)
{
	h->draining = true;
	listen_stop(h);
	while (h->conns != NULL)
		conn_close(h->conns, false);
	conn_reap(h);
	if (h->store != NULL) {
		hub_submit(h, hub_rec(REC_HUB_STOPPED), true, NULL, NULL);
		h->ending = true;
		store_close(&h->store, STORE_CLOSE_MS);
	}
	hub_free(h);
}

static char *hub_self(const struct hub_options *o)
{
	char path[4096];
	ssize_t n;

	if (o->self != NULL)
		return xstrdup(o->self);
	n = readlink("/proc/self/exe", path, sizeof path);
	return n > 0 && (size_t)n < sizeof path ? xmemdup0(path, (size_t)n) :
		xstrdup("/proc/self/exe");
}

static int hub_lock(struct hub *h, struct err *e)
{
	if (fs_mkdirs(h->paths.state, 0700, e) != 0)
		return -1;
	if (chmod(h->paths.state, 0700) != 0)
		return err_sys(e, "state", "cannot make %s private", h->paths.state);
	if (realpath(h->paths.state, h->state_real) == NULL)
		return err_sys(e, "state", "cannot resolve %s", h->paths.state);
	h->lock_fd = fs_lock(h->paths.state, e);
	return h->lock_fd < 0 ? -1 : 0;
}

static int hub_serve(struct hub *h, struct detach *d)
{
	struct err e = ERR_INIT;

	if (hub_open(h, &e) != 0 || listen_start(h, &e) != 0 ||
	    restart_read(h, &e) != 0) {
		log_warn("cannot start: %s", e.text);
		detach_ready(d, 1, e.text);
		hub_close(h);
		return 1;
	}
	h->started_at = clock_boot_ms();
	log_info("obstat %s serves %s as pid %ld", HUB_VERSION, h->paths.state,
		(long)getpid());
	detach_ready(d, 0, "");
	loop_on_turn(h->loop, hub_turn, h);
	hub_reschedule(h);
	loop_run(h->loop);
	hub_close(h);
	log_info("obstat ended in good order");
	return 0;
}

int hub_main(const struct hub_options *o)
{
	struct hub *h = xcalloc(1, sizeof *h);
	struct detach d = DETACH_INIT;
	struct err e = ERR_INIT;
	char log_path[640];
	int ret;

	h->paths = o->paths;
	h->limits = hub_limits_default;
	h->uid = geteuid();
	h->self = hub_self(o);
	h->lock_fd = -1;
	if (o->detach && detach_fork(&d, &ret)) {
		hub_delete(h);
		return ret;          /* the parent, told how it went */
	}
	hub_limits_raise(h);
	signal(SIGPIPE, SIG_IGN);
	umask(077);
	if (hub_lock(h, &e) != 0) {
		ret = strcmp(e.code, "fs_locked") == 0 ? 3 : 1;
		detach_ready(&d, ret, e.text);
		if (!o->detach)
			fprintf(stderr, "obstat: %s\n", e.text);
		hub_delete(h);
		return ret;
	}
	snprintf(log_path, sizeof log_path, "%s/log", h->paths.state);
	if (!o->log_stderr && log_open(log_path, &e) != 0)
		log_warn("%s", e.text);
	ret = hub_serve(h, &d);
	hub_delete(h);
	log_close();
	return ret;
}
