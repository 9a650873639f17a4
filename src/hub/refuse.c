/*
 * refuse.c - what never became an action: recorded singly up to a number a
 * minute and channel, then as one record a minute with the count and the
 * first and last digest. A flood costs its sender, not the record.
 */
#include <string.h>

#include "base/clock.h"
#include "hub/conn.h"
#include "hub/req.h"

#define MINUTE_MS 60000u
#define BEGINNING ((size_t)64 << 10)

static void refuse_many(struct hub *h, struct channel *ch)
{
	struct rec *rec;

	if (ch->ref_more == 0)
		return;
	rec = hub_rec(REC_REFUSED_MANY);
	rec_add(rec, RF_CHANNEL, sv_of(ch->name));
	rec_add_u64(rec, RF_COUNT, ch->ref_more);
	rec_add_digest(rec, RF_FIRST, &ch->ref_first);
	rec_add_digest(rec, RF_LAST, &ch->ref_last);
	hub_submit(h, rec, false, NULL, NULL);
	ch->ref_more = 0;
}

static void refuse_minute(struct hub *h, struct channel *ch, uint64_t now)
{
	if (ch->ref_n == 0 || now - ch->ref_since < MINUTE_MS)
		return;
	refuse_many(h, ch);
	ch->ref_n = 0;
}

uint64_t refuse_tick(struct hub *h, uint64_t now)
{
	uint64_t next = 0;

	for (struct channel *ch = h->channels; ch != NULL; ch = ch->next) {
		/* While draining: what is counted goes on record now. */
		if (h->draining)
			refuse_many(h, ch);
		refuse_minute(h, ch, now);
		if (ch->ref_more > 0 && (next == 0 || ch->ref_since + MINUTE_MS < next))
			next = ch->ref_since + MINUTE_MS;
	}
	return next;
}

void refuse_record(struct hub *h, struct channel *ch, const struct conn *c,
	const char *code, const char *text, const struct digest *d)
{
	uint64_t now = clock_boot_ms();
	struct rec *rec;

	if (ch == NULL)
		return;              /* a console's own mistake: only answered */
	refuse_minute(h, ch, now);
	if (ch->ref_n++ == 0)
		ch->ref_since = now;
	ch->ref_total++;
	hub_note_state(h);
	if (ch->ref_n > h->limits.refusals_a_minute) {
		if (ch->ref_more++ == 0)
			ch->ref_first = *d;
		ch->ref_last = *d;
		return;
	}
	log_warn("refused a message of agent %s: %s: %s", ch->name, code, text);
	rec = hub_rec(REC_REFUSED);
	rec_add(rec, RF_CHANNEL, sv_of(ch->name));
	if (c != NULL) {
		rec_add_u64(rec, RF_PEER_UID, c->peer.uid);
		rec_add_u64(rec, RF_PEER_PID, (uint64_t)c->peer.pid);
		rec_add_u64(rec, RF_PEER_START, c->peer.start);
	}
	rec_add(rec, RF_CODE, sv_of(code));
	rec_add(rec, RF_TEXT, sv_of(text));
	rec_add_digest(rec, RF_RAW_DIGEST, d);
	hub_submit(h, rec, false, NULL, NULL);
}

void refuse_bytes(struct hub *h, struct channel *ch, const struct conn *c,
	const char *code, const char *text, struct sv bytes)
{
	struct digest d;

	if (bytes.n > BEGINNING)
		bytes.n = BEGINNING;
	d = sha256(bytes);
	refuse_record(h, ch, c, code, text, &d);
}
