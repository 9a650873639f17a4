/*
 * rules.c - reading rules files: open, check, parse, validate, and have git's
 * own reader (libgit2) confirm that it reads the same.
 */
#include "config/rules.h"

#include <errno.h>
#include <git2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/fs.h"
#include "config/rules_keys.h"
#include "config/rules_scan.h"

#define RULES_MAX_BYTES (1u << 20)

void rule_clear(struct rule *r)
{
	free(r->tool);
	free(r->channel);
	free(r->session);
	free(r->task);
	free(r->subagent);
	free(r->host);
	free(r->path);
	for (size_t i = 0; i < r->n_arg; i++)
		free(r->arg[i]);
	free(r->arg);
}

void ruleset_free(struct ruleset **rp)
{
	struct ruleset *r = *rp;

	if (r == NULL)
		return;
	for (size_t i = 0; i < r->n; i++)
		rule_clear(&r->rules[i]);
	for (size_t i = 0; i < r->n_workspaces; i++)
		free(r->workspaces[i]);
	for (size_t i = 0; i < r->n_agents; i++)
		free(r->agents[i]);
	free(r->workspaces);
	free(r->agents);
	free(r->rules);
	free(r);
	*rp = NULL;
}

static void move_strings(char ***to, size_t *n_to, char ***from, size_t *n_from)
{
	if (*n_from > 0) {
		*to = xreallocarray(*to, *n_to + *n_from, sizeof(**to));
		memcpy(*to + *n_to, *from, *n_from * sizeof(**to));
		*n_to += *n_from;
	}
	free(*from);
	*from = NULL;
	*n_from = 0;
}

static int ask_rank(const char *ask)
{
	static const char *const words[] = { "", "irreversible", "changes",
		"everything" };
	int i = 3;

	while (i > 0 && strcmp(ask, words[i]) != 0)
		i--;
	return i;
}

void ruleset_join(struct ruleset *into, struct ruleset **morep)
{
	struct ruleset *more = *morep;
	struct hasher *h = hasher_new();

	if (more->n > 0) {
		into->rules = xreallocarray(into->rules, into->n + more->n,
			sizeof(*into->rules));
		memcpy(into->rules + into->n, more->rules,
			more->n * sizeof(*into->rules));
		into->n += more->n;
	}
	more->n = 0;
	move_strings(&into->workspaces, &into->n_workspaces, &more->workspaces,
		&more->n_workspaces);
	move_strings(&into->agents, &into->n_agents, &more->agents, &more->n_agents);
	/* Neither file weakens the other. */
	if (ask_rank(more->ask) > ask_rank(into->ask))
		memcpy(into->ask, more->ask, sizeof(into->ask));
	if (into->deadline_ms == 0 || (more->deadline_ms != 0 &&
	    more->deadline_ms < into->deadline_ms))
		into->deadline_ms = more->deadline_ms;
	hasher_add(h, into->digest.b, DIGEST_LEN);
	hasher_add(h, more->digest.b, DIGEST_LEN);
	into->digest = hasher_final(&h);
	ruleset_free(morep);
}

/* libgit2 reads files, so the bytes we checked are given to it as one that
 * nobody else can change between our look and its own. */
static int bytes_file(struct sv bytes, char path[64], struct err *e)
{
	int fd = memfd_create("rules", MFD_CLOEXEC);
	size_t at = 0;

	if (fd < 0)
		return err_sys(e, "rules_read", "memfd");
	while (at < bytes.n) {
		ssize_t n = write(fd, bytes.p + at, bytes.n - at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			close(fd);
			return err_sys(e, "rules_read", "memfd");
		}
		at += (size_t)n;
	}
	snprintf(path, 64, "/proc/self/fd/%d", fd);
	return fd;
}

/* What git makes of the file must be what we made of it, line by line: then
 * no trick of quoting or comments is read in two ways. */
static int compare(git_config *cfg, const char *name, const struct rules_lines *lines,
	struct err *e)
{
	git_config_iterator *it = NULL;
	git_config_entry *entry;
	char key[RULE_NAME_MAX + 80];
	size_t i = 0;
	bool same = true;

	if (git_config_iterator_new(&it, cfg) != 0)
		return err_set(e, "rules_read", "%s: could not be read", name);
	while (same && git_config_next(&entry, it) == 0) {
		const struct rules_line *l = &lines->lines[i];

		if (i == lines->n_lines)
			break;
		if (lines->sections[l->section].name[0] != '\0')
			snprintf(key, sizeof(key), "rule.%s.%.64s",
				lines->sections[l->section].name, l->key);
		else
			snprintf(key, sizeof(key), "obstat.%.64s", l->key);
		same = strlen(l->key) <= 64 && strcmp(entry->name, key) == 0 &&
			strcmp(entry->value != NULL ? entry->value : "", l->value) == 0;
		i += same;
	}
	git_config_iterator_free(it);
	if (same && i == lines->n_lines)
		return 0;
	return err_set(e, "rules_syntax", "%s:%u: git reads this line in another way; "
		"write it more plainly", name,
		i < lines->n_lines ? lines->lines[i].line : 0);
}

static int check_git(const char *name, struct sv bytes,
	const struct rules_lines *lines, struct err *e)
{
	static bool started;
	git_config *cfg = NULL;
	char path[64];
	int fd = bytes_file(bytes, path, e), r;

	if (fd < 0)
		return -1;
	/* Kept for the process's life: starting it takes milliseconds. */
	if (!started)
		git_libgit2_init();
	started = true;
	if (git_config_open_ondisk(&cfg, path) != 0) {
		const git_error *ge = git_error_last();

		r = err_set(e, "rules_syntax", "%s: %s", name,
			ge != NULL ? ge->message : "not in git-config syntax");
	} else {
		r = compare(cfg, name, lines, e);
	}
	git_config_free(cfg);
	close(fd);
	return r;
}

int rules_parse(struct sv bytes, const char *name, enum rules_source source,
	struct ruleset **out, struct err *e)
{
	struct rules_lines lines = { 0 };
	struct ruleset *set = xcalloc(1, sizeof(*set));
	int r;

	*out = NULL;
	set->digest = sha256(bytes);
	if (bytes.n > RULES_MAX_BYTES)
		r = err_set(e, "rules_size", "%s: over 1 MiB", name);
	else
		r = rules_scan(bytes, name, &lines, e);
	if (r == 0 && lines.n_lines > 0)
		r = check_git(name, bytes, &lines, e);
	if (r == 0)
		r = rules_build(name, source, &lines, set, e);
	rules_lines_free(&lines);
	if (r != 0) {
		ruleset_free(&set);
		return -1;
	}
	*out = set;
	return 0;
}

int rules_load(const char *path, enum rules_source source, struct ruleset **out,
	struct err *e)
{
	struct buf b;
	int r;

	buf_init(&b, RULES_MAX_BYTES);
	errno = 0;
	r = fs_read_owned(path, RULES_MAX_BYTES, &b, e);
	if (r != 0 && errno == ENOENT) {
		buf_clear(&b);
		r = 0;
	}
	if (r == 0)
		r = rules_parse(buf_sv(&b), path, source, out, e);
	buf_free(&b);
	return r;
}
