/*
 * req.h - one request on its road (doc/design.md): its bytes, action,
 * evidence, document, life, who has seen what of it, and its answer.
 *
 * Hides: nothing from hub/; private to the room.
 * Frees: counted, because a worker, the evidence child or the store may
 * answer after it has ended: req_ref() before, req_unref() in the callback.
 * Must not include: ui, console, cli.
 */
#ifndef OBSTAT_HUB_REQ_H
#define OBSTAT_HUB_REQ_H

#include "hub/conn.h"
#include "kinds/kinds.h"
#include "model/life.h"
#include "proto/dialect.h"

enum by_kind { BY_NOBODY, BY_HUMAN, BY_RULE, BY_CLOCK, BY_HUB, BY_RUNTIME };
struct by {
	enum by_kind kind;
	uid_t uid;
	char name[64], tty[64], console[64];
	uint64_t conn;             /* the console's serial, 0 none */
};
/* What one person's consoles reported as drawn. */
struct seen {
	struct seen *next;
	uid_t uid;
	struct cover *cover;
	uint64_t ms;
	unsigned cols, rows;
};
struct req {
	struct req *next, *prev;
	struct hub *hub;
	unsigned refs;
	enum { LIST_NONE, LIST_LIVE, LIST_CLOSED } list;
	uint64_t id;               /* seq of its REC_RECEIVED */
	uint64_t conn;             /* serial of the peer's connection, 0 gone */
	char *rpc_id;              /* native: the id to answer */
	char *opt_allow, *opt_reject;  /* native: the runtime's own option ids */
	struct channel *channel;
	const struct dialect *dialect;
	struct event ev;           /* origin, names; ev.action is act */
	struct action *act;
	struct origin *origin;     /* &ev.origin */
	struct session *session;
	struct digest raw_digest, act_digest, doc_digest, ev_digest;
	char exe[256];
	size_t charged;            /* bytes at the channel's budget */
	size_t doc_charged;        /* bytes at the total */
	bool waiting_charged;

	struct evidence *evidence;
	struct arena *facts_arena;
	struct facts facts;
	struct verdict verdict;
	struct doc *doc;
	struct doc *before;        /* of the action this one replaces, until its
	                            * own is built; or NULL */
	struct rec_blob *blob;     /* a big document's stored form, or NULL */
	struct buf text;           /* one line for the queue, escaped */
	char confirm[32];
	unsigned gen;              /* of what is under way; older answers are void */
	unsigned reread_gen;       /* the same of looking again at release */
	bool received_ok, received_failed;
	bool assessed;             /* evidence and rules are through */
	bool ready;                /* the document is complete */
	bool queued;               /* consoles know it */
	bool dirty;
	unsigned busy;             /* workers that read act, evidence, facts, doc */
	bool doc_busy;             /* one of them builds the document */
	bool drop;                 /* what is big goes when they are through */
	bool row_made;             /* text and confirm are there */
	bool by_hold;              /* waits only because of the stop button */
	bool reanswer;             /* has an outcome; only evidence is compared */

	struct life life;
	uint64_t peer_deadline;    /* boot ms, 0 none: nobody can extend it */
	uint64_t warn_at;
	bool warned;
	struct by by;              /* who decided, while releasing and after */
	uint64_t decided_at, decided_seq;
	bool decided_committed, reason_open, rereading;
	uint32_t typed_unread;     /* lines approved unread, as typed */
	bool typed_word;
	char reason[512];          /* the person's, as typed */
	uint64_t linked;           /* the action this one follows, 0 none */
	uint64_t followed;         /* the action that follows this one, 0 none */
	bool outcome_ok;           /* committed */
	bool answered;             /* bytes handed to the connection */
	bool flushed;              /* and taken by the kernel */
	bool delivery_noted;
	struct seen *seen;
};

struct req *req_new(struct hub *h);
struct req *req_ref(struct req *r);
void req_unref(struct req *r);
void req_list(struct req *r);           /* into the hub's list of the living */
void req_retire(struct req *r);         /* closed and answered: out of it */
struct req *req_find(struct hub *h, uint64_t id);         /* living or closed */
struct req *req_by_key(struct hub *h, struct channel *ch, uid_t uid,
	const uint8_t key[KEY_LEN]);
struct conn *req_conn(struct req *r);   /* NULL: gone */
struct seen *req_seen(struct req *r, uid_t uid, bool make);
uint32_t req_unseen(struct req *r, uid_t uid);  /* lines not covered */
/* Documents and evidence are big: let go of them early. */
void req_drop_big(struct req *r);
void req_idle(struct req *r);           /* a worker is through (busy was counted) */

/* scan.c: the strict scanner over one message, in slices of 1 ms. */
struct ndjson;
struct scan {
	struct scan *next;
	struct hub *hub;
	uint64_t conn;
	char *raw;                 /* owned */
	size_t raw_n;
	struct json *json;
	/* on the loop, once; takes s. e NULL: complete. */
	void (*done)(struct scan *s, const struct err *e);
	const struct ndjson *lines;/* of ndjson.c */
	struct err end;            /* how the scan ended, for a worker's done */
	bool ended_bad, have_digest;
	struct digest digest;      /* of raw: scan_digest() */
	/* of decode.c */
	struct event ev;
	struct err why;
	bool failed;
	int64_t real_ms;           /* when a big one was whole */
	uint64_t boot_ms;
	struct rec *rec;           /* its REC_RECEIVED, with the body; or NULL */
	/* of intake */
	const struct dialect *dialect;
	bool decide;
	bool have_key;
	uint8_t key[KEY_LEN];
	uint64_t ms_left;          /* 0 none */
	uint64_t linked;           /* follows this action (file changed) */
	struct doc *before;        /* that one's document, or NULL */
	char *rpc_id, *opt_allow, *opt_reject;
	struct origin hello;       /* labels of the connection, borrowed */
	struct sv hello_cwd;
	struct req *follows;       /* a reference, when hello is borrowed of it */
};
struct scan *scan_new(struct hub *h, struct conn *c, char *owned_raw, size_t n);
void scan_start(struct scan *s);        /* may call done at once */
void scan_again(struct hub *h);
void scan_free(struct scan *s);
const struct digest *scan_digest(struct scan *s);   /* of the message's bytes */

/* decode.c and intake.c: message -> event -> request, observation or refusal. */
void intake_scanned(struct scan *s, const struct err *e);
void intake_event(struct scan *s);      /* scanned well: decode and go on */
void intake_decoded(struct scan *s);
void intake_refuse(struct scan *s, const char *code, const char *text);
void intake_follow(struct req *r, uint64_t conn);  /* superseded: begin again */

/* assess.c and opener.c: evidence, rules. */
void assess_start(struct req *r);
void assess_rules(struct req *r);       /* (again) what the rules say */
void assess_reread(struct req *r);      /* at release: calls decide_reread() */
uint64_t opens_tick(struct hub *h, uint64_t now);   /* next moment, 0 none */
struct want {
	char *path;
	bool content, git, dir;
	bool no_parent;            /* when it is not there, that is all */
	int fd, error;             /* fd owned until evidence_ask() takes it */
	int dir_fd;
	char *dir_path;
	int stage;
	uint32_t open_id;
};
struct opens {
	struct opens *next;        /* of the connection */
	struct req *req;           /* a reference */
	unsigned gen, reread_gen;
	struct want *want;
	size_t n, left;            /* left: not finished */
	size_t held;               /* descriptors, counted at the hub */
	uint32_t *index;           /* while it is made: by path, 0 empty, else at + 1 */
	size_t index_n;            /* a power of two */
	uint64_t until;            /* boot ms */
	bool rules_last;           /* the last file is WORKSPACE/.obstat/rules */
	void (*done)(struct opens *o);  /* takes o */
};
void opens_start(struct opens *o, struct conn *c);
void opens_free(struct opens *o);
void opens_held(struct hub *h, size_t n);   /* n descriptors less */

/* trash.c: freed here when small, on a worker when big. */
void trash_action(struct hub *h, struct action **a);
void trash_shown(struct req *r);        /* document, evidence, stored form */

/* docwork.c: the document, on a worker. */
void docwork_start(struct req *r);
/* r's document for the one that will replace it; NULL: none, or too big. */
struct doc *docwork_before(struct req *r);

/* decide.c */
struct decision {
	enum verb verb;
	bool have_act, have_doc;
	struct digest act_digest, doc_digest;
	bool reason_open, have_unread, typed_given;
	uint64_t unread;
	struct sv reason, typed;
};
/* 0: recorded, the hold runs; else -1 with e->code a word of the console
 * protocol and *data its members (or NULL). committed runs when the record is
 * on disk (failed: it is not, the action is pending again). */
int decide_check(struct req *r, const struct decision *d, const struct by *by,
	struct jv **data, struct err *e);
int decide_start(struct req *r, const struct decision *d, const struct by *by,
	void (*committed)(void *arg, struct req *r, bool failed), void *arg,
	struct jv **data, struct err *e);
int decide_reason(struct req *r, struct sv reason, const struct by *by);
int decide_take_back(struct req *r, const struct by *by, struct jv **data,
	struct err *e);
void decide_console_gone(struct hub *h, uint64_t conn);
void decide_tick(struct req *r, uint64_t now);
uint64_t decide_next(const struct req *r);   /* 0 none */
void decide_reread(struct req *r, struct evidence *owned, unsigned gen);

/* answer.c */
/* From any state but closed: the outcome by this cause, recorded, answered. */
void answer_close(struct req *r, enum outcome o, const struct by *by);
/* The outcome in r->life is set: record, commit, answer. */
void answer_outcome(struct req *r, bool batched);
void answer_send(struct req *r);
void answer_delivery(struct req *r, bool delivered);
void answer_tell(const struct req *r, struct buf *out);
int answer_verdict(const struct req *r);     /* an ANSWER_ value */
void answer_conn_gone(struct conn *c, bool clean);   /* all that wait on it */
void answer_conn_flushed(struct conn *c);
void answer_conn_heard(struct conn *c);  /* a message came after the answer */
void decide_put_by(struct rec *rec, const struct by *by);
struct jv *by_json(const struct by *by);
const char *by_kind_name(enum by_kind k);

/* done.c: keys that had their answer. */
struct done_entry {
	uint64_t id;
	char channel[CHANNEL_NAME_MAX + 1];
	uid_t uid;
	uint8_t key[KEY_LEN];
	struct digest raw, ev;
	enum outcome outcome;
	enum verb verb;
	struct by by;
	char rule[64];
	char reason[512];
	int64_t at_real;
	bool delivered;
};
struct done_entry *done_find(struct hub *h, const char *channel, uid_t uid,
	const uint8_t key[KEY_LEN]);
struct done_entry *done_by_id(struct hub *h, uint64_t id);
struct done_entry *done_add(struct hub *h);  /* zeroed; the oldest goes */
void done_from(struct req *r);

#endif
