/*
 * core.h - the hub's one object and what its files call of each other.
 *
 * Hides: nothing from hub/; private to the room.
 * Frees: hub_main() owns struct hub; each list below says who frees it.
 * Must not include: ui, console, cli.
 */
#ifndef OBSTAT_HUB_CORE_H
#define OBSTAT_HUB_CORE_H

#include <limits.h>
#include <sys/types.h>

#include "base/json_out.h"
#include "base/loop.h"
#include "base/mem.h"
#include "config/paths.h"
#include "evidence/evidence.h"
#include "policy/policy.h"
#include "store/store.h"

#include <config.h>

#define HUB_PROTOCOL 1
#define HUB_VERSION PACKAGE_VERSION
#define CHANNEL_NAME_MAX 32

/* Budgets (obstat.md, Threats: "flood"). In a struct so that a test can make
 * them small. */
struct hub_limits {
	size_t channel_bytes;      /* received and held, per channel and uid */
	unsigned channel_waiting;  /* actions without outcome, per channel and uid */
	size_t total_bytes;        /* of all of them, documents included */
	unsigned conns_per_uid;    /* of one agent's socket */
	unsigned consoles_per_uid;
	size_t held_fds;           /* files opened by peers, of all of them */
	unsigned refusals_a_minute;/* recorded singly, per channel */
	size_t console_out;        /* unsent bytes at which a console is dropped */
	size_t peer_out;
	uint64_t open_ms;          /* how long a peer may take to open files */
	uint64_t owner_ms;         /* longest wait for a person, 0 none */
	uint64_t close_ms;         /* how long a peer may take to hang up */
	size_t inline_bytes;       /* from this size on, work goes to a worker */
};
extern const struct hub_limits hub_limits_default;

struct usage {
	size_t bytes;
	unsigned waiting;
};
struct uid_usage {
	struct uid_usage *next;
	uid_t uid;
	struct usage use;
};
/* A named agent: one socket directory. Lives as long as the hub. */
struct channel {
	struct channel *next;
	char name[CHANNEL_NAME_MAX + 1];
	struct uid_usage *uids;    /* each uid that came here has its own budget */
	/* refusals of the minute that began at ref_since */
	uint64_t ref_since;
	unsigned ref_n;            /* in all in that minute */
	uint64_t ref_more;         /* of them, not recorded singly */
	struct digest ref_first, ref_last;
	uint64_t ref_total;        /* since the start, for the console's row */
};
struct listener {
	struct listener *next;
	struct hub *hub;
	struct channel *channel;   /* NULL: the console socket */
	char path[640];
	int fd;
	struct loop_fd *watch;
};

struct conn;
struct req;
struct session;
struct scan;
struct done_entry;

struct hub {
	struct loop *loop;
	struct store *store;
	struct evidence_room *evidence;
	struct policy *policy;
	struct paths paths;
	char state_real[PATH_MAX]; /* paths.state, resolved: what paths resolve to */
	struct hub_limits limits;
	int lock_fd;
	uid_t uid;
	bool hold;                 /* the stop button: new requests wait */
	bool draining;             /* nothing new; what is decided goes out */
	bool ending;               /* the record is being closed */
	bool accept_paused;        /* out of descriptors */
	uint64_t started_at;
	size_t total_bytes;
	size_t held_fds;           /* until the evidence process has read them */
	struct loop_timer *tick;
	struct loop_timer *last;   /* longest wait for peers while draining */
	struct loop_wake *again;   /* a scan or peer that has used its slice */
	struct loop_signal *sigs[4];
	struct listener *listeners;
	struct channel *channels;
	struct conn *conns;        /* living connections */
	struct conn *more, *more_last;     /* have lines for another slice */
	struct conn *dead;         /* closed in this turn, freed at its end */
	uint64_t next_conn;
	struct req *reqs, *reqs_last;      /* without delivered answer, by id */
	struct req *closed, *closed_last;  /* the latest closed, for consoles */
	unsigned n_closed;
	size_t closed_bytes;
	struct session *sessions;
	unsigned n_sessions;
	struct scan *scans;        /* under way, oldest first */
	struct assess *assessing;  /* what the evidence room was asked */
	struct done_entry *done;   /* ring of answered keys */
	size_t done_at, done_n;
	char **workspaces;         /* the owner's, resolved */
	size_t n_workspaces;
	bool state_dirty;          /* consoles are told at the end of the turn */
	bool rules_broken;
	char rules_error[512];
	char *self;
};

/* hub.c */
void hub_drain(struct hub *h, bool deny);
void hub_reschedule(struct hub *h);     /* at the end of each turn */
int hub_load_rules(struct hub *h, struct err *e);
void hub_set_hold(struct hub *h, bool on, const char *by, uid_t uid);
struct rec *hub_rec(enum rec_type t);   /* stamped with both clocks */
/* store_submit(); while the hub ends, done is told that it failed. */
uint64_t hub_submit(struct hub *h, struct rec *owned, bool urgent,
	void (*done)(void *arg, bool failed), void *arg);
bool hub_same_user(const struct hub *h);

/* listen.c */
int listen_start(struct hub *h, struct err *e);
void listen_stop(struct hub *h);
void listen_resume(struct hub *h);      /* a descriptor became free */
void channels_free(struct hub *h);
struct channel *channel_find(struct hub *h, struct sv name);
struct channel *channel_get(struct hub *h, const char *name);

/* budget.c: -1 with code over_limit and a text that says what to do. */
int budget_wait(struct hub *h, struct channel *ch, uid_t uid, struct err *e);
void budget_unwait(struct hub *h, struct channel *ch, uid_t uid);
int budget_bytes(struct hub *h, struct channel *ch, uid_t uid, size_t n,
	struct err *e);
void budget_free(struct hub *h, struct channel *ch, uid_t uid, size_t n);

/* refuse.c: a request that never became an action. Its body is not kept, only
 * the digest; of bytes that were not read as a message, of their beginning. */
void refuse_record(struct hub *h, struct channel *ch, const struct conn *c,
	const char *code, const char *text, const struct digest *d);
void refuse_bytes(struct hub *h, struct channel *ch, const struct conn *c,
	const char *code, const char *text, struct sv bytes);
uint64_t refuse_tick(struct hub *h, uint64_t now);  /* next moment, 0 none */

/* decode.c: too much for the loop's own thread? */
bool hub_big(const struct hub *h, size_t n);

/* assess.c: what will not be answered any more. */
void assess_free_all(struct hub *h);

/* scan.c */
void scans_free(struct hub *h);         /* those not ended yet */

/* restart.c: what the record says was under way. */
int restart_read(struct hub *h, struct err *e);

/* rows.c */
struct jv *row_json(const struct req *r);
struct jv *session_json(const struct session *s);
void hub_note(struct hub *h, const char *method, struct jv *owned_params);
void hub_note_state(struct hub *h);
struct jv *hub_warnings(const struct hub *h);
void rows_added(struct req *r);
void rows_changed(struct req *r);       /* sent once, at the end of the turn */
void rows_closed(struct req *r);
void rows_flush(struct hub *h);
void rows_session(const struct session *s);

#endif
