/*
 * fake_docs.h - documents for the tests of the console.
 */
#ifndef OBSTAT_TESTS_FAKE_DOCS_H
#define OBSTAT_TESTS_FAKE_DOCS_H

#include "model/doc.h"

/* lines:N, edit, hidden, tool, long; sealed; doc_free() by the caller. */
struct doc *fake_doc(const char *fixture);

#endif
