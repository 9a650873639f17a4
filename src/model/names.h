/*
 * names.h - enum values and their words, both ways (private to model/).
 */
#ifndef OBSTAT_MODEL_NAMES_H
#define OBSTAT_MODEL_NAMES_H

#include "base/mem.h"

/* The word of value v in a table of n words, or "?" outside it. */
static inline const char *name_of(const char *const *names, size_t n, size_t v)
{
	return v < n && names[v] != NULL ? names[v] : "?";
}

/* The value whose word is s, or -1. */
static inline int name_find(const char *const *names, size_t n, struct sv s)
{
	for (size_t i = 0; i < n; i++)
		if (names[i] != NULL && sv_eqs(s, names[i]))
			return (int)i;
	return -1;
}

#endif
