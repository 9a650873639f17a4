/*
 * bench_console.c - what a person waits for: from a runtime's request to its
 * row on the screen, with 256 actions waiting, and from the start of the
 * console to its first frame. A real hub, a real console on a
 * pseudo-terminal of 24 x 80, libvterm as the eyes.
 *
 * The row looked for has care "confirm", so it stands on top of the queue,
 * where a person would see it. The one before is withdrawn first: 255 others
 * wait each time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/bench.h"

#define WAITING 256
#define ROWS 300
#define STARTS 40

static const char rules[] = "[rule \"probe\"]\n\ttool = Probe\n\targ = probe\n"
	"\tcare = confirm\n\tmore = any\n";
static const char *const console[] = { OBSTAT, "--state", scene.state, "--config",
	scene.config, NULL };

static void submit(struct bench_client *agent, const char *tool, unsigned key,
	const char *command)
{
	char params[1024];

	snprintf(params, sizeof(params), "{\"key\":\"%032x\",\"kind\":\"command\","
		"\"tool\":\"%s\",\"action\":{\"command\":\"%s\",\"cwd\":\"%s\"},"
		"\"origin\":{\"session\":\"s%u\"}}", key, tool, command, scene.work, key);
	bench_request(agent, "approval/request", params);
}

static void withdraw(struct bench_client *agent, unsigned key)
{
	char params[64];

	snprintf(params, sizeof(params), "{\"key\":\"%032x\"}", key);
	bench_call(agent, "approval/withdraw", params);
}

/* Until n rows are ready, and the documents of all are built. */
static void await_ready(struct bench_client *c, unsigned n)
{
	unsigned ready = 0;

	while (ready < n) {
		struct jv *v = bench_next(c);

		ready += sv_eqs(jv_get_sv(v, "method"), "queue/changed") &&
			jv_get_b(jv_get(jv_get(v, "params"), "row"), "ready", false);
		jv_free(&v);
	}
}

/* Until a row is closed, which is when its outcome is on record. */
static void await_closed(struct bench_client *c)
{
	bool closed = false;

	while (!closed) {
		struct jv *v = bench_next(c);

		closed = sv_eqs(jv_get_sv(v, "method"), "queue/closed");
		jv_free(&v);
	}
}

/* From exec to the header on the screen; a console that is gone again. */
static void first_frame(const char *what, const char *until, bool goal)
{
	static double t[STARTS];
	char text[120];

	for (size_t i = 0; i < STARTS; i++) {
		uint64_t from = bench_ns(), at;
		struct bench_screen *s = bench_screen(console, 24, 80);

		at = bench_see(s, until, 10000);
		if (at == 0) {
			bench_dump(s);
			bench_die("the console did not show \"%s\"", until);
		}
		t[i] = (double)(at - from) / 1e6;
		bench_screen_end(&s);
	}
	snprintf(text, sizeof(text), "%s: p95 of %d (median %.1f)", what, STARTS,
		bench_quantile(t, STARTS, 0.5));
	if (goal)
		bench_at_most(text, 60, bench_quantile(t, STARTS, 0.95), "ms");
	else
		bench_figure(text, bench_quantile(t, STARTS, 0.95), "ms");
}

static void row_on_screen(struct bench_client *agent, struct bench_client *hub)
{
	static double t[ROWS];
	struct bench_screen *s = bench_screen(console, 24, 80);
	char what[120];

	if (bench_see(s, "waiting-", 10000) == 0)
		bench_die("the console did not show the queue");
	bench_quiet(s, 300);
	for (unsigned i = 0; i < ROWS; i++) {
		char command[64], mark[32];
		uint64_t from, at;

		snprintf(mark, sizeof(mark), "mark-%04u-%04u", i, i * 7919 % 10000);
		snprintf(command, sizeof(command), "probe %s", mark);
		withdraw(agent, i == 0 ? 1 : 100000 + i - 1);
		await_closed(hub);
		bench_quiet(s, 15);
		from = bench_ns();
		submit(agent, "Probe", 100000 + i, command);
		at = bench_see(s, mark, 5000);
		if (at == 0) {
			bench_dump(s);
			bench_die("the row of \"%s\" did not come", mark);
		}
		t[i] = (double)(at - from) / 1e6;
		await_ready(hub, 1);
		bench_quiet(s, 15);
	}
	snprintf(what, sizeof(what), "request to row, %d waiting: p99 of %d (median %.1f)",
		WAITING, ROWS, bench_quantile(t, ROWS, 0.5));
	bench_at_most(what, 16, bench_quantile(t, ROWS, 0.99), "ms");
	bench_screen_end(&s);
}

int main(void)
{
	struct bench_client agent, hub;

	bench_machine();
	bench_begin();
	bench_rules(rules);
	bench_hub();
	first_frame("start to first frame, nothing waits", "obstat", true);
	bench_console(&hub);
	bench_call(&hub, "queue/subscribe", NULL);
	bench_native(&agent, "bench");
	for (unsigned i = 0; i < WAITING; i++) {
		char command[64];

		snprintf(command, sizeof(command), "rm -rf waiting-%u", i + 1);
		submit(&agent, "Bash", i + 1, command);
	}
	await_ready(&hub, WAITING);
	first_frame("start to first frame, 256 waiting", "obstat", true);
	first_frame("start to the queue's rows, 256 waiting", "waiting-", false);
	row_on_screen(&agent, &hub);
	bench_close(&agent);
	bench_close(&hub);
	return bench_end();
}
