/*
 * Fuzz target: one message in the claude dialect, decoded as the hub does. Every
 * leaf must cut its value out of the message, and no two leaves share a path.
 */
#define FUZZ_DIALECT "claude"
#include "tests/proto/fuzz_dialect.h"
