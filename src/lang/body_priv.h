/*
 * body_priv.h - shared by body*.c only.
 */
#ifndef OBSTAT_LANG_BODY_PRIV_H
#define OBSTAT_LANG_BODY_PRIV_H

#include "lang/body.h"

struct sv body_trim(struct sv s);
bool body_is(struct sv s, const char *lower);   /* any case */
/* A parameter of a header's value (boundary=..., name="..."); SV_NONE when it
 * has none. Quoted ones without their quotes. */
struct sv body_param(struct sv value, const char *name, struct arena *a);
/* Opens gzip into the arena; NULL, or why not. Stops at BODY_MAX_DECODED. */
const char *body_gunzip(struct sv in, struct arena *a, struct sv *out);
const char *body_base64(struct sv in, struct arena *a, struct sv *out);
void body_multipart(struct sv type, struct arena *a, struct body *b);
void body_form(struct arena *a, struct body *b);
/* The most a GraphQL document may run, or NULL when it is none. */
const char *body_graphql(struct sv doc);
const char *body_graphql_more(const char *a, const char *b);

#endif
