/*
 * gate_peer.c - a connection that speaks the gate's framing: one request, the
 * opens it does for us, one verdict.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hub/observe.h"
#include "proto/gatewire.h"

#define GATE_FDS 32   /* descriptors not yet claimed by their frames */

struct gate {
	struct gatewire_in in;
	int fds[GATE_FDS];
	int n_fds;
	bool bad;
};

void gate_start(struct conn *c)
{
	struct gate *g = xcalloc(1, sizeof *g);

	gatewire_init(&g->in);
	c->state = g;
	c->ops = &gate_ops;
	peer_hint(c->peer.pid, true, c->exe, sizeof c->exe);
}

static void gate_say(struct conn *c, enum gatewire_verdict v, struct sv text_out,
	struct sv text_err)
{
	struct gate *g = c->state;
	struct err e = ERR_INIT;
	struct buf out;

	buf_init(&out, 2 * GATEWIRE_TEXT_MAX + 64);
	if (gatewire_verdict(&g->in, &out, v, text_out, text_err, &e) == 0)
		conn_send(c, buf_sv(&out));
	else
		log_warn("no verdict for a gate: %s: %s", e.code, e.text);
	buf_free(&out);
	conn_finish(c);
}

void gate_refuse(struct conn *c, const char *code, const char *text)
{
	struct gate *g = c->state;
	struct buf b;
	int v = g->bad ? gatewire_refusal(&g->in) :
		g->in.mode == GATEWIRE_OBSERVE ? GATEWIRE_NOTED : GATEWIRE_DENY;

	if (v == 0) {
		conn_close(c, false);
		return;
	}
	buf_init(&b, 4096);
	buf_addf(&b, "obstat refused this request (%s): %s", code, text);
	gate_say(c, (enum gatewire_verdict)v, SV_NONE,
		v == GATEWIRE_NOTED ? SV_NONE : buf_sv(&b));
	buf_free(&b);
}

void gate_note(struct conn *c, bool decide)
{
	gate_say(c, decide ? GATEWIRE_NO_OPINION : GATEWIRE_NOTED, SV_NONE, SV_NONE);
}

void gate_answer(struct conn *c, struct req *r)
{
	static const enum gatewire_verdict verdicts[] = {
		[ANSWER_ALLOW] = GATEWIRE_ALLOW, [ANSWER_DENY] = GATEWIRE_DENY,
		[ANSWER_NO_OPINION] = GATEWIRE_NO_OPINION,
		[ANSWER_NOTED] = GATEWIRE_NOTED,
	};
	struct answer a = { .interrupt = r->life.outcome == OUT_DENIED &&
		r->by.kind == BY_HUMAN && r->life.verb == VERB_STOP };
	struct buf tell, out, err;
	unsigned v = (unsigned)answer_verdict(r);

	a.verdict = v;
	buf_init(&tell, 8192);
	buf_init(&out, GATEWIRE_TEXT_MAX);
	buf_init(&err, GATEWIRE_TEXT_MAX);
	answer_tell(r, &tell);
	a.tell = buf_sv(&tell);
	r->dialect->encode(&a, r->ev.name, &out, &err);
	gate_say(c, verdicts[v], buf_sv(&out), buf_sv(&err));
	buf_free(&tell);
	buf_free(&out);
	buf_free(&err);
}

int gate_open(struct conn *c, uint32_t id, bool dir, struct sv path, int *errno_out)
{
	struct gate *g = c->state;
	struct err e = ERR_INIT;
	struct buf out;
	int r;

	buf_init(&out, GATEWIRE_PATH_MAX + 64);
	r = gatewire_open(&g->in, &out, id, dir ? GATEWIRE_DIR : GATEWIRE_FILE, path, &e);
	if (r == 0)
		conn_send(c, buf_sv(&out));
	buf_free(&out);
	if (r == 0)
		return c->dead ? 1 : 0;
	if (strcmp(e.code, "gate_busy") == 0)
		return 1;
	*errno_out = strcmp(e.code, "gate_path") == 0 ? ENAMETOOLONG : EMFILE;
	return -1;
}

static void gate_request(struct conn *c)
{
	struct gate *g = c->state;
	const struct dialect *d = dialect_find(sv_of(g->in.dialect));
	struct scan *s;
	size_t n;
	char *raw;

	/* From here on it is the request that is charged. */
	budget_free(c->hub, c->channel, c->peer.uid, c->charged);
	c->charged = 0;
	if (d == NULL) {
		refuse_bytes(c->hub, c->channel, c, "unknown_dialect",
			"this hub does not know the runtime's dialect",
			buf_sv(&g->in.payload));
		gate_refuse(c, "unknown_dialect",
			"this hub does not know the runtime's dialect");
		return;
	}
	raw = buf_steal(&g->in.payload, &n);
	s = scan_new(c->hub, c, raw, n);
	s->done = intake_scanned;
	s->dialect = d;
	s->decide = g->in.mode == GATEWIRE_DECIDE;
	s->have_key = true;
	memcpy(s->key, g->in.key, KEY_LEN);
	s->ms_left = g->in.ms_left;
	scan_start(s);
}

static void gate_opened(struct conn *c, const struct gatewire_event *ev)
{
	struct gate *g = c->state;
	int fd = -1;

	if (ev->open_errno == 0 && g->n_fds > 0) {
		fd = g->fds[0];
		memmove(g->fds, g->fds + 1, (size_t)--g->n_fds * sizeof g->fds[0]);
	}
	opens_answer(c, ev->id, fd, ev->open_errno == 0 && fd < 0 ? EBADF :
		ev->open_errno);
}

static void gate_chunk(struct conn *c, struct sv bytes, const int *fds, int n_fds)
{
	struct gate *g = c->state;
	struct gatewire_event ev;
	struct err e = ERR_INIT;

	for (int i = 0; i < n_fds; i++) {
		if (g->n_fds < GATE_FDS)
			g->fds[g->n_fds++] = fds[i];
		else
			close(fds[i]);
	}
	if (budget_bytes(c->hub, c->channel, c->peer.uid, bytes.n, &e) != 0) {
		refuse_bytes(c->hub, c->channel, c, e.code, e.text, bytes);
		gate_refuse(c, e.code, e.text);
		return;
	}
	c->charged += bytes.n;
	gatewire_feed(&g->in, bytes, (size_t)n_fds);
	while (!c->dead && !c->finishing) {
		switch (gatewire_next(&g->in, &ev)) {
		case GATEWIRE_MORE:
			return;
		case GATEWIRE_HEADER:
			break;
		case GATEWIRE_REQUEST:
			gate_request(c);
			break;
		case GATEWIRE_OPENED:
			gate_opened(c, &ev);
			break;
		case GATEWIRE_ERROR:
			g->bad = true;
			refuse_bytes(c->hub, c->channel, c, g->in.err.code,
				g->in.err.text, bytes);
			gate_refuse(c, g->in.err.code, g->in.err.text);
			return;
		}
	}
}

static void gate_gone(struct conn *c, bool clean)
{
	struct gate *g = c->state;

	answer_conn_gone(c, clean);
	for (int i = 0; i < g->n_fds; i++)
		close(g->fds[i]);
	gatewire_free(&g->in);
	free(g);
	c->state = NULL;
}

const struct conn_ops gate_ops = {
	.name = "gate", .chunk = gate_chunk, .gone = gate_gone,
	.flushed = answer_conn_flushed,
};
