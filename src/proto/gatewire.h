/*
 * gatewire.h - the gate's binary framing, the hub's side: bytes <=> events.
 *
 *   gate:  'OBG1' u8 mode, u8 n, dialect[n], key[16], u64 ms_left, u32 n, payload[n]
 *   hub:   'O' u32 id, u8 what, u16 n, path[n]                any number of times
 *   gate:  'F' u32 id, i32 errno      a descriptor rides on the 'F' when errno is 0
 *   hub:   'V' u8 verdict, u32 n, stdout[n], u32 n, stderr[n], u32 crc    once, last
 *
 * Little endian, no padding; crc is CRC-32 (base/crc.h) of all bytes from 'V'
 * on. EOF from the gate is a withdrawal.
 *
 * Hides: the byte layout, the limits, and which 'F' a descriptor belongs to.
 * Frees: gatewire_free(). The payload stays valid until then.
 * Must not include: anything but base/. No sockets, no clock.
 */
#ifndef OBSTAT_PROTO_GATEWIRE_H
#define OBSTAT_PROTO_GATEWIRE_H

#include "base/err.h"
#include "base/mem.h"

#define GATEWIRE_PAYLOAD_MAX (16u << 20)   /* bytes of a hook's stdin */
#define GATEWIRE_TEXT_MAX (1u << 20)       /* bytes of stdout, of stderr */
#define GATEWIRE_PATH_MAX 4096             /* bytes of a path, without a NUL */
#define GATEWIRE_OPENS_MAX 4096            /* opens a request */
#define GATEWIRE_OPENS_WAITING 16          /* opens without an answer, at a time */

enum gatewire_mode { GATEWIRE_DECIDE = 1, GATEWIRE_OBSERVE = 2 };
enum gatewire_verdict {
	GATEWIRE_ALLOW = 1,        /* these three answer decide */
	GATEWIRE_DENY = 2,
	GATEWIRE_NO_OPINION = 3,   /* the runtime goes on with its own rules */
	GATEWIRE_NOTED = 4,        /* the only answer to observe */
};
enum gatewire_what { GATEWIRE_FILE = 1, GATEWIRE_DIR = 2 };

enum gatewire_type {
	GATEWIRE_MORE,      /* all fed bytes are used: feed again */
	GATEWIRE_HEADER,    /* mode, dialect, key, ms_left, payload_n are known */
	GATEWIRE_REQUEST,   /* the payload is complete: buf_sv(&in->payload) */
	GATEWIRE_OPENED,    /* the answer to one gatewire_open() */
	GATEWIRE_ERROR,     /* not the framing; nothing more is read, for good */
};
struct gatewire_event {
	enum gatewire_type type;
	/* of GATEWIRE_OPENED */
	uint32_t id;
	int open_errno;     /* 0: the oldest descriptor not yet taken is this one's */
};

/* One connection. Fields up to payload may be read after their event. */
struct gatewire_in {
	enum gatewire_mode mode;
	char dialect[256];         /* NUL-terminated, [a-z0-9_-]+ */
	uint8_t key[16];
	uint64_t ms_left;          /* 0: the gate has no deadline */
	uint32_t payload_n;        /* as announced: at most GATEWIRE_PAYLOAD_MAX */
	struct buf payload;        /* grows with what arrived, not with payload_n */

	struct err err;            /* of GATEWIRE_ERROR */
	/* private */
	int state;
	uint8_t head[32];
	size_t head_n, head_want;
	struct sv fed;
	size_t fds;                /* descriptors that came and were not yet used */
	int cut;
	uint32_t opens;
	uint32_t waiting[GATEWIRE_OPENS_WAITING];
	size_t waiting_n;
	bool answered;
};

/* True when the first bytes of a connection on the agent socket begin the
 * gate's framing; false for NDJSON ('{' or white space) and for no bytes. */
bool gatewire_looks_like(struct sv first_bytes);

void gatewire_init(struct gatewire_in *in);
void gatewire_free(struct gatewire_in *in);
/*
 * Hands over what one recvmsg() brought: bytes, borrowed until
 * gatewire_next() says GATEWIRE_MORE, and how many descriptors came with
 * them (SCM_RIGHTS). The caller keeps the descriptors in a queue and takes
 * the oldest at each GATEWIRE_OPENED with open_errno 0; after GATEWIRE_ERROR
 * and at the end it closes what is left. Must not be called while bytes of
 * the last feed are unused.
 */
void gatewire_feed(struct gatewire_in *in, struct sv bytes, size_t fds);
/*
 * The next event. Works at every byte boundary. A descriptor that no 'F' with
 * errno 0 among the same bytes claims, or such an 'F' without one, is an error.
 *
 * Codes of in->err: gate_magic, gate_mode, gate_dialect, gate_size (payload
 * announced over the limit), gate_frame (not an 'F' after the payload),
 * gate_fd (descriptor where none belongs, or missing), gate_unasked (answer
 * to no open), gate_errno (not an errno value).
 */
enum gatewire_type gatewire_next(struct gatewire_in *in, struct gatewire_event *ev);
/*
 * After GATEWIRE_ERROR: the verdict with which the refusal can be told to the
 * gate (GATEWIRE_DENY with a text, or GATEWIRE_NOTED for observe); 0 when the
 * peer does not speak the framing at all, so that only closing remains.
 */
int gatewire_refusal(const struct gatewire_in *in);

/*
 * Adds an 'O' frame. Only after GATEWIRE_REQUEST and before the verdict.
 * -1, adding nothing, with code gate_path (not absolute, NUL inside, over
 * GATEWIRE_PATH_MAX), gate_opens (more than GATEWIRE_OPENS_MAX for this
 * request), gate_busy (GATEWIRE_OPENS_WAITING are unanswered, or this id is:
 * try again after a GATEWIRE_OPENED), gate_order, or gate_buffer (out is over
 * its maximum).
 */
int gatewire_open(struct gatewire_in *in, struct buf *out, uint32_t id,
	enum gatewire_what what, struct sv path, struct err *e);
/*
 * Adds the 'V' frame; nothing may follow it. text_out is what the gate writes
 * to stdout for allow and no opinion, text_err (already escaped) to stderr for
 * deny. Also right after a GATEWIRE_ERROR, with gatewire_refusal()'s verdict.
 * -1, adding nothing, with code gate_verdict (not an answer in this mode, or
 * an allow before the request was read), gate_text (over GATEWIRE_TEXT_MAX),
 * gate_order (second verdict) or gate_buffer.
 */
int gatewire_verdict(struct gatewire_in *in, struct buf *out,
	enum gatewire_verdict verdict, struct sv text_out, struct sv text_err,
	struct err *e);

#endif
