/*
 * wire.h - what the hub and its evidence process say to each other over a
 * SOCK_SEQPACKET pair (private to evidence/).
 *
 * A request is one MSG_ASK, then one MSG_FILE a file, each with its
 * descriptors; the answer one MSG_FILE a file (content rides as a sealed
 * memfd) and one MSG_DONE. Little endian, lp is u32 length and bytes.
 *
 *   MSG_ASK  u8, u32 id, u32 files, u8 self_open, u8 has_cwd_fd, lp cwd,
 *            u32 n + lp workspaces, u32 n + lp never
 *   MSG_FILE u8, u32 id, u32 index, u8 flags, u32 errno, lp path, lp dir_path
 *   answer   u8, u32 id, u32 index, u8 state, u32 error, u64 size, u32 mode,
 *            nlink, uid, u64 dev, ino, mtime_ns, u8 flags, u8 git, lp real,
 *            32 bytes digest
 *   MSG_DONE u8, u32 id, lp workspace
 */
#ifndef OBSTAT_EVIDENCE_WIRE_H
#define OBSTAT_EVIDENCE_WIRE_H

enum { MSG_ASK = 1, MSG_FILE = 2, MSG_DONE = 3 };
/* flags of a question */
#define WIRE_HAS_FD 1
#define WIRE_HAS_DIR 2
#define WIRE_WANT_CONTENT 4
#define WIRE_WANT_GIT 8
/* flags of an answer */
#define WIRE_VIA_LINK 1
#define WIRE_IN_WORKSPACE 2
#define WIRE_CONTENT 4         /* a memfd rides on this message */
#define WIRE_TOO_BIG 8
#define WIRE_DIGEST 16
#define WIRE_EMPTY 32          /* content is there and empty: no memfd */

#define WIRE_MAX (64u * 1024)
#define WIRE_MAX_PATHS 64

#endif
