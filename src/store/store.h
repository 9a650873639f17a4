/*
 * store.h - the record: what was asked, shown, decided and seen to happen
 * (sqlite3's and zstd's only user).
 *
 * Hides: SQLite, the chain, the store thread, group commit.
 * Frees: store_close() flushes and frees; record and body bytes are copied in.
 * Must not include: anything above base/ and model/.
 *
 * record.db has one STRICT table of records (seq, rec BLOB) and one of bodies.
 * A record is length-prefixed binary with a domain tag, chained by SHA-256;
 * the exact layout is in doc/record-format.md. The hub is the only writer.
 */
#ifndef OBSTAT_STORE_STORE_H
#define OBSTAT_STORE_STORE_H

#include "base/err.h"
#include "base/hash.h"
#include "base/loop.h"

/* One row adds one record type: number, name, and what it means (the number
 * is on disk for ever). */
enum rec_type {
	REC_HUB_STARTED = 1, REC_HUB_STOPPED = 2, REC_RULES = 3,
	REC_RECEIVED = 10, REC_EVIDENCE = 11, REC_DECIDED = 12,
	REC_TAKEN_BACK = 13, REC_OUTCOME = 14, REC_DELIVERY = 15,
	REC_RAN = 16, REC_REATTACHED = 17, REC_EXTENDED = 18, REC_REASON = 19,
	REC_OBSERVED = 30, REC_SESSION = 31, REC_PAST_GATE = 32, REC_GAP = 33,
	REC_REFUSED = 40, REC_REFUSED_MANY = 41,
	REC_HOLD = 50, REC_DISK_FULL = 51, REC_CLOCK_JUMP = 52, REC_FORGOTTEN = 53,
};
const char *rec_type_name(enum rec_type t);   /* "unknown" when not in the table */

/* Fields of a record: tag, then bytes (integers as u64 LE). One row adds one
 * field; rec_field_name() gives its name in --json. */
enum rec_field {
	RF_ACTION = 1,     /* u64: seq of the REC_RECEIVED it belongs to */
	RF_CHANNEL, RF_PEER_UID, RF_PEER_PID, RF_PEER_START, RF_DIALECT,
	RF_KEY, RF_SESSION, RF_TURN, RF_CALL, RF_SUBAGENT, RF_TASK,
	RF_KIND, RF_TOOL, RF_CWD, RF_TARGET, RF_TITLE,
	RF_RAW_DIGEST, RF_ACTION_DIGEST, RF_DOC_DIGEST, RF_EVIDENCE_DIGEST,
	RF_OUTCOME, RF_VERB, RF_BY_KIND, RF_BY_NAME, RF_BY_UID, RF_BY_TTY,
	RF_ATTESTED, RF_RULE, RF_RULES_DIGEST, RF_REASON, RF_WHY, RF_CARE,
	RF_REVERSIBILITY, RF_DELIVERY, RF_STATUS, RF_EVENT, RF_COUNT,
	RF_FIRST, RF_LAST, RF_SEEN_LINES, RF_TOTAL_LINES, RF_VIEW_MS, RF_COLS,
	RF_ROWS, RF_SETUP, RF_GRADE, RF_VERSION, RF_TEXT, RF_DEADLINE,
	RF_LINKED, RF_CODE, RF_TYPED, RF_MODE, RF_UNREAD, RF_EXE,
	RF_CUT,            /* text: name of a field whose value was cut at 64 KiB */
	RF_SEQ_FIRST, RF_SEQ_LAST, /* u64: a range of seqs */
	RF_PARENT,         /* text: the session that began this one, as claimed */
	RF_WORKSPACE,      /* text: a session's, resolved */
	RF_N
};
const char *rec_field_name(enum rec_field f);
enum rec_field_type { RFT_TEXT, RFT_INT, RFT_DIGEST, RFT_HEX };
enum rec_field_type rec_field_type(enum rec_field f);

/* A record being made. */
struct rec;
struct rec *rec_new(enum rec_type t, int64_t real_ms, uint64_t boot_ms);
void rec_free(struct rec **r);
/* "" is skipped; over REC_VALUE_MAX bytes it is cut and RF_CUT names it. */
#define REC_VALUE_MAX 65536
void rec_add(struct rec *r, enum rec_field f, struct sv v);
void rec_add_u64(struct rec *r, enum rec_field f, uint64_t v);
void rec_add_digest(struct rec *r, enum rec_field f, const struct digest *d);
/* A body: "raw" (received bytes), "doc" (the document), "answer". Copied.
 * At most REC_BODIES_MAX a record, BODY_MAX bytes each; over that only its
 * length is recorded. */
#define REC_BODIES_MAX 16
#define BODY_MAX (256u << 20)
void rec_add_body(struct rec *r, const char *name, struct sv bytes);

/* Compresses and digests the bodies now, on whatever thread this is; the store's
 * thread, which everybody waits for, then need not. */
void rec_seal(struct rec *r);
/* A body made ready once, for any number of records: what is kept is what will
 * be in the file. Not for two threads at once. */
struct rec_blob;
struct rec_blob *rec_blob_new(const char *name, struct sv bytes);
void rec_blob_free(struct rec_blob **b);
size_t rec_blob_memory(const struct rec_blob *b);
void rec_add_blob(struct rec *r, const struct rec_blob *b);

/* A record read back. Borrowed from the reader's buffer. */
struct rec_view {
	uint64_t seq;
	enum rec_type type;
	int64_t real_ms;
	uint64_t boot_ms;
	struct sv fields;          /* encoded; see rec_view_get */
	struct digest hash;
	struct digest prev;
	uint8_t boot_id[16];       /* boot_ms compares only within one boot */
	struct sv bodies;          /* encoded; see rec_view_body */
	uint8_t n_bodies;
};
struct sv rec_view_get(const struct rec_view *v, enum rec_field f);
bool rec_view_u64(const struct rec_view *v, enum rec_field f, uint64_t *out);
bool rec_view_digest(const struct rec_view *v, enum rec_field f, struct digest *out);
/* Iterate: at starts at 0; false at the end. */
bool rec_view_next(const struct rec_view *v, size_t *at, enum rec_field *f,
	struct sv *value);

/* The i-th body as the record lists it; false when there is none. */
enum body_state { BODY_STORED, BODY_NO_SPACE, BODY_TOO_BIG };
enum body_codec { BODY_PLAIN, BODY_ZSTD };
struct rec_body {
	enum body_state state;
	enum body_codec codec;
	struct sv name;
	uint64_t full_len, stored_len;
	struct digest stored;      /* SHA-256 of the bytes in the file */
	struct digest commitment;  /* HMAC-SHA-256(key, full bytes) */
};
bool rec_view_body(const struct rec_view *v, size_t i, struct rec_body *out);
/* Reads one encoded record whole; -1 (code "record") when it is not one. */
int rec_parse(struct sv rec, struct rec_view *out, struct err *e);

/* ---- writing: the hub ---- */
struct store;
/* Opens or creates DIR/record.db (0600), verifies its tail, starts the store
 * thread. on_state is called on the loop when the store becomes unable to
 * write (busy: text says who holds the lock; full; error) and when it can
 * again (state STORE_OK). */
enum store_state { STORE_OK, STORE_BUSY, STORE_FULL, STORE_ERROR };
struct store *store_open(struct loop *l, const char *dir,
	void (*on_state)(void *arg, enum store_state s, const char *text),
	void *arg, struct err *e);
/* The same with other sizes; zero in a field gives the default. */
struct store_options {
	uint64_t reserve_bytes;    /* size of DIR/reserve: 64 MiB */
	unsigned probe_ms;         /* tries again after full or error: 1000 */
	unsigned batch_ms;         /* how long a record not urgent waits: 1000 */
};
struct store *store_open_with(struct loop *l, const char *dir,
	const struct store_options *o,
	void (*on_state)(void *arg, enum store_state s, const char *text),
	void *arg, struct err *e);
/* Finishes what is queued (at most ms milliseconds), runs every done that is
 * still owed (failed for what was not written), closes. */
void store_close(struct store **s, unsigned ms);
/*
 * Queues a record (owned) and returns its seq, known at once: seqs are given
 * in order of submission. The store thread commits all that is queued when it
 * wakes in one transaction. done (may be NULL) runs on the loop after the
 * commit; failed says that it could not be written (full, error, closing):
 * then its seq stands for nothing, and the store records the gap
 * (doc/record-format.md, "Sequence"). urgent false: observations, which may
 * wait up to 1 s for company.
 * While the store is BUSY, records wait and are tried again, without end.
 * While it is FULL, urgent records are written without their bodies as long
 * as the reserve lasts; others fail: one that is not urgent is not even queued
 * and gets no seq (0). In ERROR, all fail.
 */
uint64_t store_submit(struct store *s, struct rec *owned, bool urgent,
	void (*done)(void *arg, bool failed), void *arg);
enum store_state store_state(const struct store *s, const char **text);
/* Deletes the n-th body of record seq, with its key, and records that
 * (REC_FORGOTTEN) in the same transaction. Returns that record's seq. */
uint64_t store_forget(struct store *s, uint64_t seq, unsigned n, const char *name,
	void (*done)(void *arg, bool failed), void *arg);

/* ---- reading: cli and the hub's start; read-only, safe on the live file ---- */
struct reader;
struct reader *reader_open(const char *dir, struct err *e);
void reader_close(struct reader **r);
/* Records from seq on, in order; fn returns false to stop. -1 on a database
 * error. Chain is not checked here. fn may call reader_body(). */
int reader_each(struct reader *r, uint64_t from_seq,
	bool (*fn)(void *arg, const struct rec_view *v), void *arg, struct err *e);
/* A body of the record seq by name: decompressed into out. 0 found, 1 none,
 * 2 forgotten, -1 error (also when its digest does not match). */
int reader_body(struct reader *r, uint64_t seq, const char *name,
	struct buf *out, struct err *e);
/* The whole chain and every body's digest. 0 holds; 1 broken: *bad is the
 * first bad seq and e says what; -1 could not be read. */
int reader_verify(struct reader *r, uint64_t *n_records, uint64_t *bad,
	struct err *e);
/* After reader_verify held: the hash of the last record, to be noted
 * elsewhere and compared later. */
struct digest reader_head(const struct reader *r);

#endif
