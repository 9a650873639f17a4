/*
 * rig.h - the real programs on a real pseudo-terminal: one hub, gates that
 * carry requests to it, and consoles under a small job-controlling parent (as a
 * shell is), whose bytes go through libvterm.
 *
 * Everything waits for a condition, with a watchdog of GUARD_MS that fails the
 * test; what a rule of the product measures in real time (400 ms, 300 ms) is
 * waited for by rig_pass(), which goes on reading.
 *
 * Frees: rig_end() ends all that was started and removes the folder.
 */
#ifndef OBSTAT_TESTS_PTY_RIG_H
#define OBSTAT_TESTS_PTY_RIG_H

#include "tests/check.h"

#include <stdbool.h>
#include <sys/types.h>
#include <termios.h>
#include <vterm.h>

#define GUARD_MS 60000
#define RIG_TTYS 2
#define RIG_GATES 16

struct tty {
	int fd, slave;             /* master; the slave kept open for its modes */
	pid_t shell, job;          /* our parent of the console; the console */
	int events, orders;        /* pipes from and to the shell */
	int w, h;
	struct termios before;     /* the modes the console found */
	VTerm *vt;
	VTermScreen *screen;
	bool alt, cursor, paused;
	char replies[64];          /* what the terminal would send by itself */
	size_t n_replies;
	char *raw;                 /* every byte that came */
	size_t n_raw, cap_raw;
	bool stopped, ended;
	int status;                /* of waitpid(), once ended */
};
struct gate {
	pid_t pid;
	int err;
	bool ended;
	int status;                /* exit status */
	char reason[4096];
	size_t n;
};
struct rig {
	char dir[64], state[96], config[96], work[96], agent[128];
	pid_t hub;
	struct tty tty[RIG_TTYS];
	int n_ttys;
	struct gate gate[RIG_GATES];
	int n_gates;
};

void rig_start(struct rig *r);           /* folder and hub */
void rig_end(struct rig *r);
void rig_hub(struct rig *r);
void rig_hub_kill(struct rig *r);         /* SIGKILL */
void rig_write(struct rig *r, const char *name, const char *text, size_t n);
/* A PreToolUse of this tool; input is a JSON object. Returns the gate's index.
 * %W in input is the work folder. */
int rig_ask(struct rig *r, const char *tool, const char *input, size_t n);
int rig_bash(struct rig *r, const char *command);
/* Reads what there is from everything, for at most wait_ms when nothing is. */
void rig_pump(struct rig *r, int wait_ms);
/* Goes on reading for this long. */
void rig_pass(struct rig *r, int ms);
uint64_t rig_now(void);
/* The hub's rows as `obstat ls --json` tells them; static memory. */
const char *rig_ls(struct rig *r);
void rig_until_ls(struct rig *r, const char *text);
int rig_gate_wait(struct rig *r, int gate);     /* exit status */
bool rig_gate_waits(struct rig *r, int gate);
unsigned rig_approvals(struct rig *r);   /* on record, by people */

/* env: "NAME=VALUE", ..., NULL; added to a small fixed environment. */
struct tty *tty_open(struct rig *r, int w, int h, const char *const *env);
void tty_type(struct tty *t, const char *bytes, size_t n);
#define TYPE(t, s) tty_type((t), (s), sizeof(s) - 1)
void tty_size(struct tty *t, int w, int h);
char *tty_text(struct tty *t);           /* rows joined by LF; static memory */
bool tty_has(struct tty *t, const char *text);
void tty_until(struct rig *r, struct tty *t, const char *text);
void tty_until_gone(struct rig *r, struct tty *t, const char *text);
void tty_signal(struct tty *t, int signo);      /* to the console */
/* True as soon as it has stopped; false when ms are over. */
bool tty_stopped_within(struct rig *r, struct tty *t, unsigned ms);
void tty_until_stopped(struct rig *r, struct tty *t);
void tty_continue(struct tty *t);
void tty_until_ended(struct rig *r, struct tty *t);
/* Fails unless the terminal is as the console found it. */
void tty_assert_sane(struct rig *r, struct tty *t);
void tty_assert_taken(struct rig *r, struct tty *t); /* as the console wants it */
/* Fails when a screen drawn anew differs from what little steps made of it. */
void tty_assert_drawn(struct rig *r, struct tty *t);
/* Opens the action under the cursor (puts it on the first row before), and
 * waits until all is seen and a key would be taken as meant. */
void tty_open_first(struct rig *r, struct tty *t);

#endif
