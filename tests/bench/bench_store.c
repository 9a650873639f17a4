/*
 * bench_store.c - how fast decisions get on record: 256 actions in flight,
 * each received (300 B), decided, outcome (document of 2 KiB); and how long
 * one record takes when nothing else goes on.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "store/store.h"
#include "tests/bench/bench.h"

#define FLIGHT 256
#define DECISIONS 10000
#define SINGLES 1000

static struct loop *l;
static struct store *s;
static char raw[300], doc[2048];
static unsigned begun, ended;
static uint64_t t0;
static double single[SINGLES];       /* us */
static unsigned n_single;

static uint64_t now_us(void)
{
	return bench_ns() / 1000;
}

struct act {
	unsigned step;
	uint64_t id;
};

static void step(void *arg, bool failed)
{
	static const enum rec_type types[] = { REC_RECEIVED, REC_DECIDED, REC_OUTCOME };
	struct act *a = arg;
	struct rec *r;
	uint64_t seq;

	if (failed)
		fatal("bench: a record failed");
	if (a->step == 3) {
		a->step = 0;
		if (++ended == DECISIONS)
			loop_stop(l);
		if (begun == DECISIONS)
			return;
	}
	begun += a->step == 0;
	r = rec_new(types[a->step], clock_real_ms(), clock_boot_ms());
	rec_add(r, RF_CHANNEL, SV("claude"));
	rec_add(r, RF_TARGET, SV("git push --force origin main"));
	rec_add_u64(r, RF_ACTION, a->id);
	if (a->step == 0)
		rec_add_body(r, "raw", (struct sv){ raw, sizeof(raw) });
	if (a->step == 2)
		rec_add_body(r, "doc", (struct sv){ doc, sizeof(doc) });
	a->step++;
	seq = store_submit(s, r, true, step, a);
	if (a->step == 1)
		a->id = seq;
}

static void one(void *arg, bool failed)
{
	struct rec *r;

	(void)arg;
	if (failed)
		fatal("bench: a record failed");
	if (t0 != 0)
		single[n_single++] = (double)(now_us() - t0);
	if (n_single == SINGLES) {
		loop_stop(l);
		return;
	}
	r = rec_new(REC_OUTCOME, clock_real_ms(), clock_boot_ms());
	rec_add(r, RF_OUTCOME, SV("approved"));
	t0 = now_us();
	store_submit(s, r, true, one, NULL);
}

int main(void)
{
	static struct act acts[FLIGHT];
	struct err e = ERR_INIT;
	uint64_t from;

	bench_machine();
	bench_begin();
	for (size_t i = 0; i < sizeof(doc); i++)
		doc[i] = (char)('a' + i * i % 23);
	l = loop_new();
	s = store_open(l, scene.state, NULL, NULL, &e);
	if (s == NULL)
		bench_die("%s", e.text);
	one(NULL, false);
	loop_run(l);
	from = now_us();
	for (int i = 0; i < FLIGHT; i++)
		step(&acts[i], false);
	loop_run(l);
	from = now_us() - from;
	bench_figure("one record, committed: median", bench_quantile(single, SINGLES, 0.5),
		"us");
	bench_figure("one record, committed: p99", bench_quantile(single, SINGLES, 0.99), "us");
	bench_at_least("decisions on record, 256 in flight", 5000,
		DECISIONS * 1e6 / (double)from, "/s");
	store_close(&s, 10000);
	loop_free(&l);
	return bench_end();
}
