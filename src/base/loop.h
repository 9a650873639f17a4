/*
 * loop.h - the event loop (libuv's only door).
 *
 * Hides: libuv. Timers count on base/clock.h, not on libuv's clock, so a test
 * clock moves them. A loop with no timer armed and no descriptor ready makes
 * no wakeups at all.
 * Frees: each _new has a _free that takes the address of the pointer, is safe
 * inside the object's own callback, and stops it at once (no callback comes
 * after it returns).
 * Must not include: anything above base/.
 *
 * Sockets are plain non-blocking descriptors that their owners read and write
 * with recvmsg/sendmsg (SCM_RIGHTS); the loop only says when.
 */
#ifndef OBSTAT_BASE_LOOP_H
#define OBSTAT_BASE_LOOP_H

#include <sys/types.h>

#include "base/err.h"
#include "base/mem.h"

struct loop;
struct loop *loop_new(void);
/* The loop goes last, outside its callbacks: waits for work on the pool (and
 * calls its done), and frees objects that their owners forgot. */
void loop_free(struct loop **l);
void loop_run(struct loop *l);   /* until loop_stop() */
void loop_stop(struct loop *l);
/* One turn, for tests: waits for an event when wait is set, else runs what is
 * ready (a due timer may need a second turn). */
void loop_turn(struct loop *l, bool wait);
/* Turns so far: what a bench counts to show that an idle loop sleeps. */
uint64_t loop_turns(const struct loop *l);
/* Called once at the end of every loop turn in which anything ran: where the
 * hub commits its group and the console draws its one frame. */
void loop_on_turn(struct loop *l, void (*fn)(void *), void *arg);

/* Timers. One shot; re-arm at will. ms counts from now on clock_boot_ms(). */
struct loop_timer;
struct loop_timer *loop_timer_new(struct loop *l, void (*fn)(void *), void *arg);
void loop_timer_arm(struct loop_timer *t, uint64_t ms);
void loop_timer_stop(struct loop_timer *t);
void loop_timer_free(struct loop_timer **t);
/* After a test clock moved: run what is due, re-arm the rest. */
void loop_clock_moved(struct loop *l);

/* Descriptors. events: LOOP_READ | LOOP_WRITE; LOOP_HUP is reported always,
 * also while paused, but once: the other end closed or shut down its sending
 * side (there may still be bytes to read), or the descriptor failed (what was
 * wanted comes with it, so that the owner's read or write finds the error). */
#define LOOP_READ 1
#define LOOP_WRITE 2
#define LOOP_HUP 4
struct loop_fd;
/* Makes fd non-blocking. NULL with errno when it cannot be polled (a regular
 * file: EPERM; a descriptor that has a loop_fd already: EEXIST). */
struct loop_fd *loop_fd_new(struct loop *l, int fd,
	void (*fn)(void *arg, int events), void *arg);
void loop_fd_want(struct loop_fd *f, int events); /* 0 pauses it */
/* Does not close the fd, but afterwards the owner may, at once. */
void loop_fd_free(struct loop_fd **f);

struct loop_signal;
struct loop_signal *loop_signal_new(struct loop *l, int signo,
	void (*fn)(void *arg, int signo), void *arg);
void loop_signal_free(struct loop_signal **s);

/* Work off the loop: work runs on a pool thread, done on the loop, always
 * (also after cancel). The two must share nothing but arg. */
void loop_work(struct loop *l, void (*work)(void *), void (*done)(void *),
	void *arg);

/* A wake-up from another thread (the store's): fn runs on the loop. */
struct loop_wake;
struct loop_wake *loop_wake_new(struct loop *l, void (*fn)(void *), void *arg);
/* Any thread, but none once loop_wake_free() has begun. Several sends may be
 * one call. */
void loop_wake_send(struct loop_wake *w);
void loop_wake_free(struct loop_wake **w);

/*
 * A child process without a shell: argv[0] is the absolute path of a program
 * or of a script with "#!" (execvp(3) would give any other file to sh), env a
 * complete list (never inherited), fds[0..n) become descriptors 0..n-1 (-1
 * gives /dev/null; 0 to 2 are always there), every other descriptor is
 * closed. exited is called once: status when signo is 0. It is never called
 * before this returns. NULL with code "spawn".
 */
struct loop_proc;
struct loop_proc *loop_proc_new(struct loop *l, char *const argv[],
	char *const env[], const int *fds, int n_fds,
	void (*exited)(void *arg, int status, int signo), void *arg,
	struct err *e);
pid_t loop_proc_pid(const struct loop_proc *p);
void loop_proc_kill(struct loop_proc *p, int signo);
void loop_proc_free(struct loop_proc **p);       /* kills (SIGKILL) if alive */

#endif
