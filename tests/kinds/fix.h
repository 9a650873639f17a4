/*
 * fix.h - what the tests of kinds/ share: messages through the real dialects,
 * evidence by hand, documents as text.
 */
#ifndef OBSTAT_TESTS_KINDS_FIX_H
#define OBSTAT_TESTS_KINDS_FIX_H

#include "kinds/kinds.h"

/* A file as the evidence process would have found it. content NULL: none. */
struct fix_file {
	const char *path, *real;
	enum file_state state;
	enum git_state git;
	const char *content;
	size_t n;              /* 0: strlen(content) */
	bool outside, link, too_big;
	int error;
	uint32_t nlink;
};
/* Contents are borrowed: free with fix_evidence_free(). */
struct evidence *fix_evidence(const struct fix_file *files, size_t n);
void fix_evidence_free(struct evidence **e);

/* Decodes a Claude hook message or a native request; NULL when it is neither
 * or asks for nothing. The action is the caller's. */
struct action *fix_action(struct sv json);
/* A native request of kind with this action object. */
struct action *fix_native(const char *kind, const char *action_json);
/* A whole file, NUL-terminated; NULL when it cannot be read. */
char *fix_read(const char *path, size_t *n);

/*
 * One document line a line: kind letter (o, p, w), old and new number or '-',
 * and the text after '|'; below it one role letter a cluster. Then marks and
 * counts.
 */
void fix_dump(const struct doc *d, struct buf *out);

#endif
