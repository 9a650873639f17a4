/*
 * Every message captured from the real program decodes. They lie beside the
 * source tree, or in $OBSTAT_SHARED, and are not part of it.
 */
#include <dirent.h>

#include "tests/proto/dialect_rig.h"

static struct event ev;

static const char *shared(void)
{
	const char *dir = getenv("OBSTAT_SHARED");

	return dir != NULL ? dir : SHARED;
}

static void take(const char *name, struct sv text, unsigned *n)
{
	struct err e;

	event_clear(&ev);
	if (rig_decode("claude", text, true, &ev, &e) != 0) {
		/* Events that no hook of ours decides are observed. */
		assert_string_equal(e.code, "unknown_event");
		event_clear(&ev);
		if (rig_decode("claude", text, false, &ev, &e) != 0)
			fail_msg("%s: %s", name, e.text);
	}
	++*n;
	if (ev.action == NULL)
		return;
	if (ev.action->why_not != NULL)
		fail_msg("%s: %s", name, ev.action->why_not);
	rig_check_leaves(ev.action);
	assert_true(ev.action->tool.n > 0 && ev.action->target.n > 0);
	assert_true(ev.origin.session.n > 0 && ev.origin.call.n > 0);
}

static char *slurp(const char *path, size_t *n)
{
	FILE *f = fopen(path, "re");
	char *p = xmalloc(1 << 20);

	assert_non_null(f);
	*n = fread(p, 1, 1 << 20, f);
	assert_true(*n < 1 << 20);
	fclose(f);
	return p;
}

static void samples(void **state)
{
	char dir[512], path[1024];
	struct dirent *d;
	unsigned n = 0;
	DIR *dp;

	(void)state;
	snprintf(dir, sizeof(dir), "%.400s/samples/claude-hooks", shared());
	dp = opendir(dir);
	assert_non_null(dp);
	while ((d = readdir(dp)) != NULL) {
		size_t size;
		char *text;

		/* From 40 on they are what a hook answers. */
		if (d->d_name[0] < '0' || d->d_name[0] > '3')
			continue;
		snprintf(path, sizeof(path), "%s/%s", dir, d->d_name);
		text = slurp(path, &size);
		take(d->d_name, (struct sv){ text, size }, &n);
		free(text);
	}
	closedir(dp);
	assert_true(n >= 20);
	event_clear(&ev);
}

static void captures(void **state)
{
	char path[512];
	unsigned n = 0;
	size_t size;
	char *text;

	(void)state;
	snprintf(path, sizeof(path), "%.400s/captures/claude-code-2.1.332-hooks-stdin.ndjson",
		shared());
	text = slurp(path, &size);
	for (size_t at = 0; at < size;) {
		const char *nl = memchr(text + at, '\n', size - at);
		size_t len = nl != NULL ? (size_t)(nl - text) - at : size - at;

		if (len > 0)
			take("line", (struct sv){ text + at, len }, &n);
		at += len + 1;
	}
	free(text);
	assert_true(n > 5);
	event_clear(&ev);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples), cmocka_unit_test(captures),
	};
	char dir[512];
	DIR *d;

	snprintf(dir, sizeof(dir), "%.400s/samples/claude-hooks", shared());
	d = opendir(dir);
	if (d == NULL) {
		printf("no samples at %s\n", dir);
		return 77;
	}
	closedir(d);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
