/*
 * bench_edit.c - a file of 1,000,000 lines of which 10,000 change: from the
 * request to the first lines of its diff, beside the whole run of
 * `git diff --no-index` on the same two files; and how long the hub leaves
 * others waiting meanwhile.
 */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/bench/bench.h"

#define LINES 1000000u
#define CHANGED 10000u
#define RUNS 7
#define TEXT_MAX ((size_t)24 << 20)
#define FIRST_LINES 60

static char old_path[300], new_path[300];
static struct buf params;              /* of the request, but for its key */
static atomic_bool busy, over;
#define ASKS_MAX 200000
static double waits[ASKS_MAX];         /* of hub/status while busy, ms */
static size_t asked;

/* Line i, changed or not: a short statement, no two alike. */
static void add_line(struct buf *b, unsigned i, bool changed)
{
	buf_addf(b, changed ? "y%u=%u" : "x%u=%u", i, i * 7u % 97);
}

static void make_files(void)
{
	struct buf a, b;

	buf_init(&a, TEXT_MAX);
	buf_init(&b, TEXT_MAX);
	buf_init(&params, TEXT_MAX);
	snprintf(old_path, sizeof(old_path), "%s/big.txt", scene.work);
	snprintf(new_path, sizeof(new_path), "%s/big-new.txt", scene.dir);
	buf_addf(&params, "\",\"kind\":\"edit\",\"tool\":\"Write\",\"action\":{\"changes\":["
		"{\"path\":\"%s\",\"op\":\"write\",\"new_text\":\"", old_path);
	for (unsigned i = 0; i < LINES; i++) {
		bool changed = i % (LINES / CHANGED) == 50;

		add_line(&a, i, false);
		add_line(&b, i, changed);
		add_line(&params, i, changed);
		buf_addc(&a, '\n');
		buf_addc(&b, '\n');
		buf_adds(&params, "\\n");
	}
	buf_adds(&params, "\"}]}}");
	if (a.over || b.over || params.over)
		bench_die("the files are too long");
	bench_write(old_path, a.p, a.n);
	bench_write(new_path, b.p, b.n);
	buf_free(&a);
	buf_free(&b);
}

/* Someone else who asks the hub something, all the time. */
static void *ask_status(void *arg)
{
	struct bench_client c;

	(void)arg;
	bench_console(&c);
	while (!atomic_load(&over)) {
		bool then = atomic_load(&busy);
		uint64_t from = bench_ns();
		double ms;

		bench_call(&c, "hub/status", NULL);
		ms = (double)(bench_ns() - from) / 1e6;
		if (then && atomic_load(&busy) && asked < ASKS_MAX)
			waits[asked++] = ms;
		poll(NULL, 0, 1);
	}
	bench_close(&c);
	return NULL;
}

static double git_once(void)
{
	const char *argv[] = { "git", "diff", "--no-index", "--no-color", "--no-ext-diff",
		old_path, new_path, NULL };
	uint64_t from = bench_ns();
	int status = bench_wait(bench_spawn(argv, -1, -1, STDERR_FILENO));

	if (!WIFEXITED(status) || WEXITSTATUS(status) != 1)
		bench_die("git diff --no-index did not find the difference");
	return (double)(bench_ns() - from) / 1e6;
}

/* The id of the next action that is ready. */
static int64_t await_ready(struct bench_client *c)
{
	for (;;) {
		struct jv *v = bench_next(c);
		const struct jv *row = jv_get(jv_get(v, "params"), "row");
		int64_t id = jv_get_i(row, "id", 0);
		bool ready = sv_eqs(jv_get_sv(v, "method"), "queue/changed") &&
			jv_get_b(row, "ready", false);

		if (ready && !jv_get_b(row, "approvable", false))
			bench_die("the edit cannot be shown whole");
		jv_free(&v);
		if (ready)
			return id;
	}
}

/* The first lines must be the diff: the first changed line, both ways. */
static void check_lines(const struct jv *res)
{
	struct buf b;

	buf_init(&b, 1u << 20);
	if (jv_write(res, &b) != 0 || memmem(b.p, b.n, "\"y50\"", 5) == NULL ||
	    memmem(b.p, b.n, "x20=", 4) != NULL)
		bench_die("the first lines are not the diff: %.*s",
			(int)(b.n < 2000 ? b.n : 2000), b.p);
	buf_free(&b);
}

static double obstat_once(struct bench_client *agent, struct bench_client *hub, unsigned key)
{
	struct buf line;
	char ask[120];
	struct jv *res;
	uint64_t from, to;
	int64_t id;

	buf_init(&line, TEXT_MAX);
	buf_addf(&line, "{\"jsonrpc\":\"2.0\",\"id\":%u,\"method\":\"approval/request\","
		"\"params\":{\"key\":\"%032x", 1000 + key, key);
	buf_addsv(&line, buf_sv(&params));
	buf_addc(&line, '}');
	atomic_store(&busy, true);
	from = bench_ns();
	bench_send(agent, buf_sv(&line));
	id = await_ready(hub);
	snprintf(ask, sizeof(ask), "{\"id\":%lld,\"from\":0,\"to\":%d}", (long long)id,
		FIRST_LINES);
	res = bench_response(hub, bench_request(hub, "doc/lines", ask));
	to = bench_ns();
	atomic_store(&busy, false);
	check_lines(res);
	jv_free(&res);
	buf_free(&line);
	snprintf(ask, sizeof(ask), "{\"key\":\"%032x\"}", key);
	bench_call(agent, "approval/withdraw", ask);
	poll(NULL, 0, 300);         /* the record is written, not at git's expense */
	return (double)(to - from) / 1e6;
}

int main(void)
{
	static double git[RUNS], ours[RUNS];
	struct bench_client agent, hub;
	double g, o;
	pthread_t other;

	bench_machine();
	bench_begin();
	make_files();
	bench_hub();
	bench_console(&hub);
	bench_call(&hub, "queue/subscribe", NULL);
	bench_native(&agent, "bench");
	if (pthread_create(&other, NULL, ask_status, NULL) != 0)
		bench_die("no thread");
	for (unsigned i = 0; i < RUNS; i++) {
		git[i] = git_once();
		ours[i] = obstat_once(&agent, &hub, i + 1);
	}
	atomic_store(&over, true);
	pthread_join(other, NULL);
	g = bench_quantile(git, RUNS, 0.5);
	o = bench_quantile(ours, RUNS, 0.5);
	bench_figure("git diff --no-index, 1,000,000 lines, 10,000 changed: median", g, "ms");
	bench_figure("the same edit, request to first screen: median", o, "ms");
	bench_at_most("first screen of the edit / git diff --no-index", 1.2, o / g, "x");
	bench_figure("questions of another console meanwhile", (double)asked, "");
	bench_figure("the longest of them waited", bench_quantile(waits, asked, 1), "ms");
	bench_at_most("another console's wait meanwhile: p99", 16,
		bench_quantile(waits, asked, 0.99), "ms");
	bench_close(&agent);
	bench_close(&hub);
	buf_free(&params);
	return bench_end();
}
