/*
 * rig.h - a scratch folder, a loop with the evidence room, and one ask at a
 * time.
 *
 * Frees: rig_free(); what rig_ask() returns is freed by the next rig_ask().
 */
#ifndef OBSTAT_TESTS_EVIDENCE_RIG_H
#define OBSTAT_TESTS_EVIDENCE_RIG_H

#include <sys/types.h>

#include "evidence/evidence.h"

extern struct evidence_room *rig_room;
extern struct loop *rig_loop;
extern char rig_top[256];          /* the scratch folder, resolved */

void rig_new(const char *child);
void rig_free(void);
/* TOP/fmt..., in a buffer that lives for eight more calls. */
const char *rig_path(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void rig_write(const char *path, const char *text);
/* A shell command in the scratch folder, with a git of its own. */
void rig_sh(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
bool rig_have_git(void);
/* Asks and waits. Files of ask are the caller's to fill; workspaces NULL: TOP. */
struct evidence *rig_ask(struct ev_ask ask);
/* One path, opened by the child itself, content and git wanted. */
const struct ev_file *rig_file(const char *path);
/* Starts an ask whose answer goes to *out. */
void rig_start(const struct ev_ask *ask, struct evidence **out);
void rig_wait(struct evidence *const *out);
pid_t rig_child(void);             /* of the room's process, 0 none */
int rig_fds(void);                 /* descriptors that this process has */

#endif
