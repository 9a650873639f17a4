/*
 * fuzz_words.c - whatever comes, the splitter answers, and what it takes keeps
 * its words when it is quoted again and split again.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "lang/words.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int ok)
{
	if (!ok)
		abort();
}

/* A word in quotes of the kind it does not hold. */
static void requote(struct buf *b, struct sv w)
{
	size_t i;
	char q;

	buf_addc(b, ' ');
	if (w.n == 0)
		buf_adds(b, "''");
	for (i = 0; i < w.n; i++) {
		q = w.p[i] == '\'' ? '"' : '\'';
		buf_addc(b, q);
		while (i < w.n && (w.p[i] == '\'') == (q == '"'))
			buf_addc(b, w.p[i++]);
		i--;
		buf_addc(b, q);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sv cmd = { (const char *)data, size };
	struct arena *a = arena_new(1 << 22);
	struct words w, again;
	const char *why;
	struct buf b;
	size_t i;

	buf_init(&b, 8 * size + 64);
	if (words_plain(cmd, a, &w, &why) == WORDS_PLAIN) {
		check(w.n > 0 && w.w[0].text.n > 0 && why == NULL);
		for (i = 0; i < w.n; i++) {
			check(w.w[i].from < w.w[i].to && w.w[i].to <= size);
			check(i == 0 || w.w[i].from > w.w[i - 1].to);
			check(w.w[i].text.n == 0 ||
			      memchr(w.w[i].text.p, 0, w.w[i].text.n) == NULL);
			requote(&b, w.w[i].text);
		}
		/* A mark may not follow a closing quote's blank: then it is
		 * not plain, and that is all right. */
		if (words_plain(buf_sv(&b), a, &again, &why) == WORDS_PLAIN) {
			check(again.n == w.n);
			for (i = 0; i < w.n; i++)
				check(sv_eq(again.w[i].text, w.w[i].text));
		}
	} else {
		check(w.n == 0 && why != NULL);
	}
	buf_free(&b);
	arena_free(&a);
	return 0;
}
