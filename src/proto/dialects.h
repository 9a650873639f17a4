/*
 * dialects.h - the dialects there are (private to proto/).
 */
#ifndef OBSTAT_PROTO_DIALECTS_H
#define OBSTAT_PROTO_DIALECTS_H

#include "proto/dialect.h"

extern const struct dialect dialect_claude;
extern const struct dialect dialect_native;

#endif
