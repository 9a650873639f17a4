/*
 * bench_store.c - how fast decisions get on record. Prints
 *   store.decisions_per_s N     256 actions in flight, each received (300 B),
 *                               decided, outcome (document of 2 KiB)
 *   store.commit_p50_us N       one record at a time, nothing else going on
 *   store.commit_p99_us N
 * Scratch lies in $TMPDIR or the current directory: /tmp may be memory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "store/store.h"

#define FLIGHT 256
#define DECISIONS 10000
#define SINGLES 1000

static struct loop *l;
static struct store *s;
static char raw[300], doc[2048];
static unsigned begun, ended;
static uint64_t t0, single[SINGLES];
static unsigned n_single;

static uint64_t now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
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
		single[n_single++] = now_us() - t0;
	if (n_single == SINGLES) {
		loop_stop(l);
		return;
	}
	r = rec_new(REC_OUTCOME, clock_real_ms(), clock_boot_ms());
	rec_add(r, RF_OUTCOME, SV("approved"));
	t0 = now_us();
	store_submit(s, r, true, one, NULL);
}

static int cmp(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

int main(void)
{
	static struct act acts[FLIGHT];
	const char *tmp = getenv("TMPDIR");
	struct err e = ERR_INIT;
	char dir[300], cmd[400];
	uint64_t from;

	snprintf(dir, sizeof(dir), "%s/bench-store-XXXXXX", tmp != NULL ? tmp : ".");
	if (mkdtemp(dir) == NULL)
		return 1;
	for (size_t i = 0; i < sizeof(doc); i++)
		doc[i] = (char)('a' + i * i % 23);
	l = loop_new();
	s = store_open(l, dir, NULL, NULL, &e);
	if (s == NULL) {
		fprintf(stderr, "%s\n", e.text);
		return 1;
	}
	one(NULL, false);
	loop_run(l);
	qsort(single, SINGLES, sizeof(single[0]), cmp);
	from = now_us();
	for (int i = 0; i < FLIGHT; i++)
		step(&acts[i], false);
	loop_run(l);
	from = now_us() - from;
	printf("store.decisions_per_s %.0f\n", DECISIONS * 1e6 / (double)from);
	printf("store.commit_p50_us %llu\n", (unsigned long long)single[SINGLES / 2]);
	printf("store.commit_p99_us %llu\n", (unsigned long long)single[SINGLES * 99 / 100]);
	store_close(&s, 10000);
	loop_free(&l);
	for (const char *const *f = (const char *const []){ "record.db", "record.db-wal",
	    "record.db-shm", "reserve", NULL }; *f != NULL; f++) {
		snprintf(cmd, sizeof(cmd), "%s/%s", dir, *f);
		unlink(cmd);
	}
	rmdir(dir);
	return 0;
}
