/*
 * sql_words.c - looks up the words of sql_words.def.
 */
#include "lang/sql_priv.h"

#include <string.h>

const char *const sql_word_names[K_N] = {
	"",
#define SQL_WORD(name, flags) #name,
#include "lang/sql_words.def"
#undef SQL_WORD
};

const uint8_t sql_word_flags[K_N] = {
	0,
#define SQL_WORD(name, flags) (flags),
#include "lang/sql_words.def"
#undef SQL_WORD
};

enum sql_word sql_word_find(const char *p, size_t n)
{
	char up[20];
	int lo = 1, hi = K_N;

	if (n < 2 || n >= sizeof(up))
		return K_NONE;
	for (size_t i = 0; i < n; i++)
		up[i] = (char)(p[i] >= 'a' && p[i] <= 'z' ? p[i] & ~0x20 : p[i]);
	up[n] = 0;
	while (lo < hi) {
		int mid = lo + (hi - lo) / 2, r = strcmp(up, sql_word_names[mid]);
		if (r == 0)
			return (enum sql_word)mid;
		if (r < 0)
			hi = mid;
		else
			lo = mid + 1;
	}
	return K_NONE;
}
