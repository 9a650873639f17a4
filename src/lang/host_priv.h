/*
 * host_priv.h - shared by host*.c and url.c only.
 */
#ifndef OBSTAT_LANG_HOST_PRIV_H
#define OBSTAT_LANG_HOST_PRIV_H

#include "lang/url.h"

enum script { SCRIPT_COMMON, SCRIPT_LATIN, SCRIPT_GREEK, SCRIPT_CYRILLIC,
	SCRIPT_ARMENIAN, SCRIPT_HEBREW, SCRIPT_ARABIC, SCRIPT_INDIC, SCRIPT_THAI,
	SCRIPT_GEORGIAN, SCRIPT_HANGUL, SCRIPT_HAN, SCRIPT_KANA, SCRIPT_BOPOMOFO,
	SCRIPT_CHEROKEE, SCRIPT_ETHIOPIC, SCRIPT_CANADIAN, SCRIPT_OTHER };
struct script_range {
	uint32_t from, to;
	enum script script;
};
extern const struct script_range script_ranges[]; /* sorted */
extern const size_t n_script_ranges;
/* What a character looks like in ASCII, after IDNA's mapping; sorted by cp. */
struct alike {
	uint32_t cp;
	const char *ascii;
};
extern const struct alike alikes[];
extern const size_t n_alikes;
extern const char *const known_hosts[];
extern const size_t n_known_hosts;

/* true: s is an address, or a name that ends in a number (then h->bad says
 * so). s: lower-case ASCII. */
bool host_ip(struct sv s, struct host *h);
/* Fills mixed_script, whole_script_lookalike and lookalike_of. */
void host_look(struct host *h);

#endif
