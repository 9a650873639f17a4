/*
 * fmt.h - small texts that several views share: ages, digests, states.
 *
 * Must not include: views.
 */
#ifndef OBSTAT_UI_FMT_H
#define OBSTAT_UI_FMT_H

#include "ui/model.h"

/* "<1m", "12m", "3h", "2d": steps so coarse that one wake a minute is enough. */
void fmt_age(uint64_t ms, char *out, size_t n);
/* The same in words: "under a minute", "12 min", "3 h", "2 days". */
void fmt_age_words(uint64_t ms, char *out, size_t n);
/* "9f3c4a…e1" of "sha256:9f3c4a...e1". */
void fmt_digest(const char *digest, char *out, size_t n);
/* What became of a closed row, or what it is doing: "denied by bo",
 * "withdrawn", "releasing". "" while it simply waits. */
void fmt_state(const struct ui_row *r, char *out, size_t n);
/* One sentence for the opened view on why nothing can be decided; "" if it can. */
void fmt_why_closed(const struct ui_row *r, char *out, size_t n);
/* What the hub said in English, in our language where it is known; "" for NULL. */
const char *fmt_said(const char *english);
/* Why the row is here: its rule, or what the hub said. */
void fmt_why_here(const struct ui_row *r, char *out, size_t n);
const char *fmt_why_not(const char *word); /* "over_limit" and the like */
const char *fmt_care(enum care c);
const char *fmt_setup(const char *setup);

#endif
