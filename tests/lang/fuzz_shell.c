/*
 * fuzz_shell.c - whatever comes, the parser answers within its limits; its
 * spans lie in the text; a literal word that is quoted again is the same word;
 * what passes as safe is nothing but literal words.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "lang/shell.h"
#include "lang/shell_safe.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int ok)
{
	if (!ok)
		abort();
}

/* A word in single quotes. */
static void requote(struct buf *b, struct sv w)
{
	buf_adds(b, " '");
	for (size_t i = 0; i < w.n; i++) {
		if (w.p[i] == '\'')
			buf_adds(b, "'\\''");
		else
			buf_addc(b, w.p[i]);
	}
	buf_addc(b, '\'');
}

static bool literal(const struct shell_word *w)
{
	return (w->parts & ~(unsigned)SHELL_ANSI_C) == 0;
}

static void check_word(const struct shell_word *w, size_t size)
{
	check(w->text.p != NULL && w->from <= w->to && w->to <= size);
}

/* Its words as a command of their own are the same words. */
static void check_again(const struct shell_command *c)
{
	struct arena *a = arena_new(SHELL_ARENA);
	struct shell sh;
	struct buf b;

	buf_init(&b, 8u << 20);
	buf_adds(&b, "x");
	for (size_t i = 0; i < c->n_words; i++)
		requote(&b, c->words[i].text);
	if (!b.over && b.n <= SHELL_MAX_BYTES) {
		shell_parse(buf_sv(&b), a, &sh);
		check(sh.n_commands >= 1 && sh.commands[0].n_words == c->n_words + 1);
		for (size_t i = 0; i < c->n_words; i++)
			check(sv_eq(sh.commands[0].words[i + 1].text, c->words[i].text));
	}
	buf_free(&b);
	arena_free(&a);
}

static void check_command(const struct shell *sh, size_t at, size_t size)
{
	const struct shell_command *c = &sh->commands[at];
	bool all = c->n_words > 0;

	check(c->from <= c->to && c->to <= size && c->depth <= SHELL_MAX_DEPTH);
	check(c->parent == SIZE_MAX || c->parent < at);
	check((c->via == NULL) == (c->depth == 0));
	check(c->opaque == NULL || sh->opaque != NULL);
	for (size_t i = 0; i < c->n_words; i++) {
		check_word(&c->words[i], size);
		all = all && literal(&c->words[i]);
	}
	for (size_t i = 0; i < c->n_assigns; i++)
		check_word(&c->assigns[i], size);
	for (size_t i = 0; i < c->n_redirects; i++) {
		check_word(&c->redirects[i].target, size);
		check(c->redirects[i].body.n <= size);
	}
	if (all && at < 8)
		check_again(c);
}

static void check_safe(const struct shell *sh, struct arena *a)
{
	struct shell_reads reads;
	const char *why = NULL;

	if (!shell_safe_reads(sh, a, &reads, &why)) {
		check(why != NULL && reads.n == 0);
		return;
	}
	check(why == NULL && sh->opaque == NULL && sh->n_commands > 0);
	for (size_t i = 0; i < sh->n_commands; i++) {
		for (size_t k = 0; k < sh->commands[i].n_words; k++)
			check((sh->commands[i].words[k].parts & ~(unsigned)SHELL_GLOB) == 0);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = arena_new(SHELL_ARENA);
	struct shell sh;

	shell_parse((struct sv){ (const char *)data, size }, a, &sh);
	check(sh.n_commands <= SHELL_MAX_COMMANDS);
	check(sh.opaque == NULL || (sh.opaque_at <= size && !sh.simple_list));
	check(sh.opaque == NULL || shell_reason(sh.opaque) != sh.opaque);
	for (size_t i = 0; i < sh.n_commands; i++)
		check_command(&sh, i, size);
	check_safe(&sh, a);
	arena_free(&a);
	return 0;
}
