/*
 * gatewire.c - see gatewire.h. A state machine over fixed-size heads; only
 * the payload is of variable size, and it grows as it arrives.
 */
#include "proto/gatewire.h"

#include <string.h>

#include "base/crc.h"

enum {
	ST_MAGIC,       /* 'OBG1' */
	ST_MODE,        /* u8 mode, u8 n */
	ST_DIALECT,     /* n bytes, straight into dialect[] */
	ST_REST,        /* key, ms_left, payload_n */
	ST_PAYLOAD,
	ST_FRAME,       /* one byte: 'F' */
	ST_OPENED,      /* u32 id, i32 errno */
	ST_ERROR,
};

/* An 'F' frame cut by the end of a feed: whether its first byte, which was
 * among those bytes, brought a descriptor. */
enum { CUT_NOT, CUT_WITH, CUT_WITHOUT };

bool gatewire_looks_like(struct sv first_bytes)
{
	return first_bytes.n > 0 && first_bytes.p[0] == 'O';
}

void gatewire_init(struct gatewire_in *in)
{
	memset(in, 0, sizeof(*in));
	buf_init(&in->payload, GATEWIRE_PAYLOAD_MAX);
	in->state = ST_MAGIC;
	in->head_want = 4;
}

void gatewire_free(struct gatewire_in *in)
{
	buf_free(&in->payload);
}

void gatewire_feed(struct gatewire_in *in, struct sv bytes, size_t fds)
{
	in->fed = bytes;
	in->fds += fds;
}

static enum gatewire_type fail(struct gatewire_in *in, const char *code, const char *text)
{
	err_set(&in->err, code, "%s", text);
	in->state = ST_ERROR;
	in->fed = SV_NONE;
	return GATEWIRE_ERROR;
}

/* Takes up to what the state still wants from the fed bytes into to, which
 * holds have of want bytes already. True when complete. */
static bool take(struct gatewire_in *in, void *to, size_t *have, size_t want)
{
	size_t n = want - *have;
	if (n > in->fed.n)
		n = in->fed.n;
	if (n > 0)
		memcpy((char *)to + *have, in->fed.p, n);
	*have += n;
	in->fed.p += n;
	in->fed.n -= n;
	return *have == want;
}

static struct rd head(struct gatewire_in *in, int next, size_t want)
{
	struct rd r = rd_of((struct sv){ (const char *)in->head, in->head_n });
	in->state = next;
	in->head_n = 0;
	in->head_want = want;
	return r;
}

static enum gatewire_type on_magic(struct gatewire_in *in)
{
	if (memcmp(in->head, "OBG1", 4) != 0)
		return fail(in, "gate_magic", "the connection does not begin with OBG1");
	head(in, ST_MODE, 2);
	return GATEWIRE_MORE;
}

static enum gatewire_type on_mode(struct gatewire_in *in)
{
	uint8_t mode = in->head[0], n = in->head[1];

	if (mode != GATEWIRE_DECIDE && mode != GATEWIRE_OBSERVE)
		return fail(in, "gate_mode", "the gate's mode is neither decide nor observe");
	in->mode = (enum gatewire_mode)mode;
	if (n == 0)
		return fail(in, "gate_dialect", "the gate names no dialect");
	head(in, ST_DIALECT, n);
	return GATEWIRE_MORE;
}

static enum gatewire_type on_dialect(struct gatewire_in *in)
{
	for (size_t i = 0; i < in->head_n; i++) {
		char c = in->dialect[i];
		if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')
			|| c == '_' || c == '-')) {
			in->dialect[0] = '\0';
			return fail(in, "gate_dialect",
				"the gate's dialect holds other than a-z, 0-9, _ and -");
		}
	}
	head(in, ST_REST, 16 + 8 + 4);
	return GATEWIRE_MORE;
}

static enum gatewire_type on_rest(struct gatewire_in *in)
{
	struct rd r = head(in, ST_PAYLOAD, 0);
	memcpy(in->key, rd_bytes(&r, 16).p, 16);
	in->ms_left = rd_u64(&r);
	in->payload_n = rd_u32(&r);
	if (in->payload_n > GATEWIRE_PAYLOAD_MAX)
		return fail(in, "gate_size", "the payload is over 16 MiB");
	return GATEWIRE_HEADER;
}

/* GATEWIRE_REQUEST when the payload is complete. */
static enum gatewire_type on_payload(struct gatewire_in *in)
{
	size_t n = in->payload_n - in->payload.n;
	if (n > in->fed.n)
		n = in->fed.n;
	/* Bounded by payload_n, which is at most the buffer's maximum. */
	if (n > 0 && buf_add(&in->payload, in->fed.p, n) != 0)
		return fail(in, "gate_size", "the payload is over 16 MiB");
	in->fed.p += n;
	in->fed.n -= n;
	if (in->payload.n < in->payload_n)
		return GATEWIRE_MORE;
	head(in, ST_FRAME, 1);
	return GATEWIRE_REQUEST;
}

static enum gatewire_type on_frame(struct gatewire_in *in)
{
	if (in->head[0] != 'F')
		return fail(in, "gate_frame", "the gate sent something that is no F frame");
	if (in->waiting_n == 0)
		return fail(in, "gate_unasked", "the gate answers an open nobody asked for");
	head(in, ST_OPENED, 8);
	in->cut = CUT_NOT;
	return GATEWIRE_MORE;
}

static enum gatewire_type on_opened(struct gatewire_in *in, struct gatewire_event *ev)
{
	struct rd r = head(in, ST_FRAME, 1);
	uint32_t id = rd_u32(&r), eno = rd_u32(&r);
	size_t i = 0;

	while (i < in->waiting_n && in->waiting[i] != id)
		i++;
	if (i == in->waiting_n)
		return fail(in, "gate_unasked", "the gate answers an open nobody asked for");
	in->waiting[i] = in->waiting[--in->waiting_n];
	if (eno > 4095) /* MAX_ERRNO of the kernel; also every negative value */
		return fail(in, "gate_errno", "the gate reports an impossible errno");
	if (eno == 0 && (in->fds == 0 || in->cut == CUT_WITHOUT))
		return fail(in, "gate_fd", "an opened file came without its descriptor");
	if (eno != 0 && in->cut == CUT_WITH)
		return fail(in, "gate_fd", "a failed open came with a descriptor");
	if (eno == 0)
		in->fds--;
	ev->id = id;
	ev->open_errno = (int)eno;
	return GATEWIRE_OPENED;
}

/* Called when all fed bytes are used: a descriptor may now be left only for
 * a frame that has begun, because it rides on that frame's first byte. */
static enum gatewire_type at_end(struct gatewire_in *in)
{
	if (in->fds > (in->state == ST_OPENED ? 1u : 0u))
		return fail(in, "gate_fd", "a descriptor came where none belongs");
	if (in->state == ST_OPENED && in->cut == CUT_NOT)
		in->cut = in->fds > 0 ? CUT_WITH : CUT_WITHOUT;
	return GATEWIRE_MORE;
}

static enum gatewire_type on_head(struct gatewire_in *in, struct gatewire_event *ev)
{
	switch (in->state) {
	case ST_MAGIC: return on_magic(in);
	case ST_MODE: return on_mode(in);
	case ST_DIALECT: return on_dialect(in);
	case ST_REST: return on_rest(in);
	case ST_FRAME: return on_frame(in);
	default: return on_opened(in, ev);
	}
}

enum gatewire_type gatewire_next(struct gatewire_in *in, struct gatewire_event *ev)
{
	*ev = (struct gatewire_event){ .type = GATEWIRE_MORE };
	while (ev->type == GATEWIRE_MORE) {
		if (in->state == ST_ERROR) {
			ev->type = GATEWIRE_ERROR;
		} else if (in->state == ST_PAYLOAD) {
			ev->type = on_payload(in);
			if (ev->type == GATEWIRE_MORE)
				return ev->type = at_end(in);
		} else if (in->fed.n == 0) {
			return ev->type = at_end(in);
		} else if (take(in, in->state == ST_DIALECT ? (void *)in->dialect : in->head,
				&in->head_n, in->head_want)) {
			ev->type = on_head(in, ev);
		}
	}
	return ev->type;
}

int gatewire_refusal(const struct gatewire_in *in)
{
	if (in->state != ST_ERROR || in->answered)
		return 0;
	/* Before the mode is known the peer is not proven to be a gate; with an
	 * unknown mode it is one, of another version: a denial fits each. */
	if (in->mode == GATEWIRE_OBSERVE)
		return GATEWIRE_NOTED;
	return strcmp(in->err.code, "gate_magic") == 0 ? 0 : GATEWIRE_DENY;
}

static bool request_read(const struct gatewire_in *in)
{
	return in->state == ST_FRAME || in->state == ST_OPENED;
}

/* Asked first, so that a frame is added whole or not at all and a full buffer
 * is not marked as over. */
static bool room_for(const struct buf *out, size_t n, struct err *e)
{
	if (!out->over && n <= out->max - out->n)
		return true;
	err_set(e, "gate_buffer", "no room for a frame of %zu bytes", n);
	return false;
}

int gatewire_open(struct gatewire_in *in, struct buf *out, uint32_t id,
	enum gatewire_what what, struct sv path, struct err *e)
{
	if (!request_read(in) || in->answered)
		return err_set(e, "gate_order", "files are opened only while a request waits");
	if (path.n == 0 || path.n > GATEWIRE_PATH_MAX || path.p[0] != '/'
		|| memchr(path.p, 0, path.n) != NULL)
		return err_set(e, "gate_path", "the gate opens absolute paths of at most %d bytes",
			GATEWIRE_PATH_MAX);
	if (in->opens >= GATEWIRE_OPENS_MAX)
		return err_set(e, "gate_opens", "more than %d files for one request",
			GATEWIRE_OPENS_MAX);
	if (in->waiting_n >= GATEWIRE_OPENS_WAITING)
		return err_set(e, "gate_busy", "%d opens wait for an answer",
			GATEWIRE_OPENS_WAITING);
	for (size_t i = 0; i < in->waiting_n; i++)
		if (in->waiting[i] == id)
			return err_set(e, "gate_busy", "open %u waits for an answer", id);
	if (!room_for(out, 8 + path.n, e))
		return -1;
	buf_u8(out, 'O');
	buf_u32(out, id);
	buf_u8(out, (uint8_t)what);
	buf_u16(out, (uint16_t)path.n);
	buf_addsv(out, path);
	in->waiting[in->waiting_n++] = id;
	in->opens++;
	return 0;
}

static bool verdict_fits(const struct gatewire_in *in, enum gatewire_verdict v)
{
	if (in->state == ST_ERROR)
		return (int)v == gatewire_refusal(in);
	if (in->mode == GATEWIRE_OBSERVE)
		return v == GATEWIRE_NOTED;
	if (v == GATEWIRE_DENY)
		return in->mode == GATEWIRE_DECIDE;
	return (v == GATEWIRE_ALLOW || v == GATEWIRE_NO_OPINION) && request_read(in);
}

int gatewire_verdict(struct gatewire_in *in, struct buf *out,
	enum gatewire_verdict verdict, struct sv text_out, struct sv text_err,
	struct err *e)
{
	if (in->answered)
		return err_set(e, "gate_order", "the gate has its answer already");
	if (!verdict_fits(in, verdict))
		return err_set(e, "gate_verdict", "verdict %d is no answer here", (int)verdict);
	if (text_out.n > GATEWIRE_TEXT_MAX || text_err.n > GATEWIRE_TEXT_MAX)
		return err_set(e, "gate_text", "the answer's text is over 1 MiB");
	if (!room_for(out, 14 + text_out.n + text_err.n, e))
		return -1;
	size_t from = out->n;
	buf_u8(out, 'V');
	buf_u8(out, (uint8_t)verdict);
	buf_lp(out, text_out);
	buf_lp(out, text_err);
	buf_u32(out, crc32_ieee(0, out->p + from, out->n - from));
	in->answered = true;
	return 0;
}
