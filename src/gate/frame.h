/*
 * frame.h - what the hub sends to the gate: 'O' requests and the 'V' verdict
 * (protocol.md, "Gate framing"). Pure: bytes in, events out.
 *
 * Hides: the byte layout and the checks. A verdict is reported only when it
 * came whole, its CRC fits and it is an answer in this mode.
 * Frees: the memory that alloc gave for long texts stays with its giver.
 * Must not include: anything but libc.
 */
#ifndef OBSTAT_GATE_FRAME_H
#define OBSTAT_GATE_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FRAME_PAYLOAD_MAX (16u << 20)
#define FRAME_TEXT_MAX (1u << 20)
#define FRAME_PATH_MAX 4096
#define FRAME_TEXT_SMALL 4096
#define FRAME_HEADER_MAX (4 + 2 + 255 + 16 + 8 + 4)

enum frame_mode { FRAME_DECIDE = 1, FRAME_OBSERVE = 2 };
enum frame_verdict { FRAME_ALLOW = 1, FRAME_DENY = 2, FRAME_NO_OPINION = 3,
	FRAME_NOTED = 4 };
enum frame_what { FRAME_FILE = 1, FRAME_DIR = 2 };

enum frame_event {
	FRAME_MORE,      /* all bytes used */
	FRAME_OPEN,      /* id, what, path are set until the next call */
	FRAME_VERDICT,   /* verdict, out, err are set; any further byte is bad */
	FRAME_BAD,       /* why says what; for good */
};
struct frame_text {
	unsigned char *p;
	size_t n, have;
	unsigned char small[FRAME_TEXT_SMALL];
};
struct frame_in {
	uint32_t id;
	enum frame_what what;
	char path[FRAME_PATH_MAX + 1];    /* NUL-terminated, without NUL inside */
	enum frame_verdict verdict;
	struct frame_text out, err;
	const char *why;                  /* of FRAME_BAD: short English */
	/* private */
	enum frame_mode mode;
	void *(*alloc)(size_t n);
	int state;
	unsigned char head[8];
	size_t have, want, path_n;
	uint32_t crc;
};

/* alloc gives memory for a text over FRAME_TEXT_SMALL bytes, at most
 * FRAME_TEXT_MAX, or NULL (then FRAME_BAD); called at most twice. */
void frame_init(struct frame_in *f, enum frame_mode mode, void *(*alloc)(size_t n));
/* Uses bytes from *p, *n up to the next event, and moves both on. */
enum frame_event frame_next(struct frame_in *f, const unsigned char **p, size_t *n);
/* True once a verdict has begun: a connection lost now is a broken answer,
 * not a lost hub. */
bool frame_in_verdict(const struct frame_in *f);

/* What the gate sends. Both return the number of bytes written. */
size_t frame_header(unsigned char to[FRAME_HEADER_MAX], enum frame_mode mode,
	const char *dialect, const unsigned char key[16], uint64_t ms_left, uint32_t n);
#define FRAME_OPENED_LEN 9
void frame_opened(unsigned char to[FRAME_OPENED_LEN], uint32_t id, int open_errno);

#endif
