/*
 * bench.h - what the benches share: figures and goals, a folder and a hub of
 * their own, a line-speaking client, and a terminal to look at.
 *
 * Frees: the scratch folder and the hub go with bench_end(). A bench that
 * cannot run at all says why and ends with exit status 2; one that missed a
 * goal with 1.
 * Must not include: anything above base/.
 */
#ifndef OBSTAT_TESTS_BENCH_H
#define OBSTAT_TESTS_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/json_out.h"

_Noreturn void bench_die(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* ---- figures (figures.c) ---- */
uint64_t bench_ns(void);                        /* CLOCK_MONOTONIC */
/* The q-quantile (0..1, nearest rank) of v, which gets sorted. */
double bench_quantile(double *v, size_t n, double q);
/* One line: what, the goal, what was measured, ok or MISSED. */
void bench_at_most(const char *what, double goal, double measured, const char *unit);
void bench_at_least(const char *what, double goal, double measured, const char *unit);
/* A figure without a goal, which explains those that have one. */
void bench_figure(const char *what, double measured, const char *unit);
bool bench_missed(void);                        /* some goal, so far */
/* What the machine is and was doing. */
void bench_machine(void);

/* ---- scratch and hub (scene.c) ---- */
struct bench_scene {
	char dir[200];             /* all below here; on a disk, not in memory */
	char state[256], config[256], work[256], home[256];
	char console[300], agent[300];
	pid_t hub;
};
extern struct bench_scene scene;
/* Makes the folders in $TMPDIR or the current directory (/tmp may be memory)
 * and points HOME and the XDG variables into them. */
void bench_begin(void);
/* Exit status for main(): ends the hub, removes the folders. */
int bench_end(void);
void bench_write(const char *path, const void *bytes, size_t n);   /* 0600 */
void bench_rules(const char *text);
/* Starts `obstat serve` on the scene and returns when it can be talked to. */
void bench_hub(void);
void bench_hub_stop(void);
/* A program, found by absolute path or in PATH; in and out become its stdin
 * and stdout (-1: /dev/null); stderr goes to err (-1: /dev/null). */
pid_t bench_spawn(const char *const argv[], int in, int out, int err);
int bench_wait(pid_t pid);                      /* wait status */

/* ---- a client of the hub (client.c) ---- */
struct bench_client {
	int fd;
	uint64_t next;
	struct buf in;
	size_t looked;
};
void bench_open(struct bench_client *c, const char *path);
void bench_close(struct bench_client *c);
/* Adds the LF. */
void bench_send(struct bench_client *c, struct sv line);
/* Sends a request; params is JSON text, or NULL for {}. Returns its id. */
uint64_t bench_request(struct bench_client *c, const char *method, const char *params);
/* The next message; dies after 60 s. The caller frees. */
struct jv *bench_next(struct bench_client *c);
/* The response to id, other messages thrown away; dies on an error. */
struct jv *bench_response(struct bench_client *c, uint64_t id);
void bench_call(struct bench_client *c, const char *method, const char *params);
void bench_console(struct bench_client *c);     /* hello */
void bench_native(struct bench_client *c, const char *session);

/* ---- a terminal (screen.c) ---- */
struct bench_screen;
/* Starts argv on a pseudo-terminal of rows x cols. */
struct bench_screen *bench_screen(const char *const argv[], int rows, int cols);
pid_t bench_screen_pid(const struct bench_screen *s);
/* Types text. */
void bench_type(struct bench_screen *s, const char *text);
/* Reads until text stands in some row; returns when the bytes that completed
 * it were read (bench_ns), 0 after ms without it. */
uint64_t bench_see(struct bench_screen *s, const char *text, unsigned ms);
/* Reads until nothing came for ms. */
void bench_quiet(struct bench_screen *s, unsigned ms);
void bench_screen_end(struct bench_screen **s);
/* Prints the screen on stderr: what a failed bench_see() saw. */
void bench_dump(const struct bench_screen *s);

#endif
