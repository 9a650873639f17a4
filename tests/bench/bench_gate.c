/*
 * bench_gate.c - what a hook costs a runtime: the whole life of obstat-gate,
 * from before it is spawned until it has been waited for, with the real hub
 * and real syncs, beside the least a static program costs and beside hooks in
 * node and bash+jq that decide nothing.
 *
 * All run in turns, so that a slow second of the machine falls on all of
 * them; medians are compared. Each gets the same bytes on a pipe as stdin and
 * a pipe as stdout, as a runtime gives them.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/bench/bench.h"

#define RUNS 400
#define WARM 20

static char hook_js[300], hook_sh[300], file[300];
static const char *const gate[] = { GATE, "decide", "--socket", scene.agent, "--hub-uid",
	"self", "--deadline", "60", "--dialect", "claude", NULL };
static const char *const null[] = { NULL_PROGRAM, NULL };
static const char *const node[] = { "node", hook_js, NULL };
static const char *const bash[] = { "bash", hook_sh, NULL };

enum { NOTHING, PASS, READ, COMMIT, NODE, BASH, KINDS };
static const struct kind {
	const char *const *argv;
	const char *tool, *input;   /* input: %s is the file */
	const char *want;           /* in its answer; "" nothing */
} kinds[KINDS] = {
	[NOTHING] = { null, "TodoWrite", "{\"todos\":[]}", NULL },
	[PASS] = { gate, "TodoWrite", "{\"todos\":[]}", "" },
	[READ] = { gate, "Read", "{\"file_path\":\"%s\"}", "" },
	[COMMIT] = { gate, "Bash", "{\"command\":\"npm test\"}", "allow" },
	[NODE] = { node, "Bash", "{\"command\":\"npm test\"}", "allow" },
	[BASH] = { bash, "Bash", "{\"command\":\"npm test\"}", "allow" },
};
static double took[KINDS][RUNS], synced[RUNS];

static void make_hooks(void)
{
	static const char js[] = "let s = '';\nprocess.stdin.on('data', d => s += d);\n"
		"process.stdin.on('end', () => {\n\tconst tool = JSON.parse(s).tool_name;\n"
		"\tprocess.stdout.write(JSON.stringify({hookSpecificOutput: {hookEventName:\n"
		"\t\t'PreToolUse', permissionDecision: tool ? 'allow' : 'deny'}}));\n});\n";
	static const char sh[] = "jq -c '{hookSpecificOutput: {hookEventName: \"PreToolUse\","
		" permissionDecision: (if .tool_name then \"allow\" else \"deny\" end)}}'\n";
	static const char rules[] = "[rule \"tests\"]\n\ttool = Bash\n\targ = npm\n"
		"\targ = test\n\tdecide = allow\n";

	snprintf(hook_js, sizeof(hook_js), "%s/hook.js", scene.dir);
	snprintf(hook_sh, sizeof(hook_sh), "%s/hook.sh", scene.dir);
	snprintf(file, sizeof(file), "%s/main.c", scene.work);
	bench_write(hook_js, js, sizeof(js) - 1);
	bench_write(hook_sh, sh, sizeof(sh) - 1);
	bench_write(file, "int main(void)\n{\n}\n", 18);
	bench_rules(rules);
}

static size_t hook_input(const struct kind *k, unsigned n, char *out, size_t max)
{
	char input[600];
	int len;

	if (strstr(k->input, "%s") != NULL)
		snprintf(input, sizeof(input), "{\"file_path\":\"%s\"}", file);
	else
		snprintf(input, sizeof(input), "%s", k->input);
	len = snprintf(out, max, "{\"session_id\":\"7d1c0c0e-5f0a-4f2c-9a55-1b5b4c9f0001\","
		"\"transcript_path\":\"%s/transcript.jsonl\",\"cwd\":\"%s\","
		"\"permission_mode\":\"default\",\"hook_event_name\":\"PreToolUse\","
		"\"tool_name\":\"%s\",\"tool_input\":%s,\"tool_use_id\":\"toolu_%08u\"}\n",
		scene.home, scene.work, k->tool, input, n);
	return (size_t)len;
}

static void check(const struct kind *k, int status, const char *said, ssize_t n)
{
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && (k->want == NULL ||
	    (k->want[0] == '\0' ? n == 0 : n > 0 && strstr(said, k->want) != NULL)))
		return;
	bench_die("%s for %s ended with status %d and said \"%s\"", k->argv[0], k->tool,
		WIFEXITED(status) ? WEXITSTATUS(status) : -1, said);
}

/* One run in ms. */
static double run(const struct kind *k, unsigned n)
{
	char input[4096], said[4096];
	size_t len = hook_input(k, n, input, sizeof(input));
	int in[2], out[2], status;
	uint64_t from, to;
	ssize_t got;
	pid_t pid;

	/* The input fits into the pipe, the answer too. */
	if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0 ||
	    write(in[1], input, len) != (ssize_t)len)
		bench_die("pipe: %s", strerror(errno));
	close(in[1]);
	from = bench_ns();
	pid = bench_spawn(k->argv, in[0], out[1], STDERR_FILENO);
	status = bench_wait(pid);
	to = bench_ns();
	close(in[0]);
	close(out[1]);
	got = read(out[0], said, sizeof(said) - 1);
	said[got > 0 ? got : 0] = '\0';
	close(out[0]);
	check(k, status, said, got);
	return (double)(to - from) / 1e6;
}

/* What the disk takes, in ms, for the least that a commit needs. In turns with
 * the rest: a disk that is busy with others makes the commit slow, not us. */
static double one_sync(int fd)
{
	static const char block[8192];
	uint64_t from = bench_ns();

	if (write(fd, block, sizeof(block)) < 0 || fdatasync(fd) != 0)
		bench_die("fdatasync: %s", strerror(errno));
	return (double)(bench_ns() - from) / 1e6;
}

static void report(void)
{
	static const char *const names[KINDS] = {
		"empty static program", "gate, bookkeeping passes (no commit)",
		"gate, Read in the workspace passes (no commit)",
		"gate, npm test allowed by a rule (committed)", "hook in node",
		"hook in bash and jq" };
	double median[KINDS];
	char what[100];

	for (int i = 0; i < KINDS; i++) {
		median[i] = bench_quantile(took[i], RUNS, 0.5);
		snprintf(what, sizeof(what), "%s: median (p99 %.2f)", names[i],
			bench_quantile(took[i], RUNS, 0.99));
		bench_figure(what, median[i], "ms");
	}
	snprintf(what, sizeof(what), "8 KiB appended and synced: median (p99 %.2f)",
		bench_quantile(synced, RUNS, 0.99));
	bench_figure(what, bench_quantile(synced, RUNS, 0.5), "ms");
	bench_at_most("gate, passes without commit / empty program", 1.5,
		median[PASS] / median[NOTHING], "x");
	bench_at_most("gate, Read passes without commit / empty program", 1.5,
		median[READ] / median[NOTHING], "x");
	bench_at_most("gate, allowed and committed / empty program", 2.5,
		median[COMMIT] / median[NOTHING], "x");
	bench_at_least("hook in node / gate without commit", 20,
		median[NODE] / median[READ], "x");
	bench_at_least("hook in node / gate with commit", 20,
		median[NODE] / median[COMMIT], "x");
	bench_at_least("hook in bash and jq / gate without commit", 8,
		median[BASH] / median[READ], "x");
	bench_at_least("hook in bash and jq / gate with commit", 8,
		median[BASH] / median[COMMIT], "x");
}

int main(void)
{
	char path[300];
	int disk;

	bench_machine();
	bench_begin();
	make_hooks();
	snprintf(path, sizeof(path), "%s/sync", scene.dir);
	disk = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	bench_hub();
	for (unsigned i = 0; i < WARM; i++)
		for (int k = 0; k < KINDS; k++)
			run(&kinds[k], i);
	/* A stride of 5 through 6 kinds: not always the same one before. */
	for (unsigned i = 0; i < RUNS; i++) {
		for (unsigned k = 0; k < KINDS; k++) {
			unsigned which = (i & 1) != 0 ? k * 5 % KINDS : k;

			took[which][i] = run(&kinds[which], WARM + i);
		}
		synced[i] = one_sync(disk);
	}
	close(disk);
	report();
	return bench_end();
}
