/*
 * wait.c - the one place where the gate waits: for a descriptor, and always
 * also for signals, the deadline and the end of the runtime.
 */
#include "gate/gate.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

uint64_t gate_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_BOOTTIME, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* A timer on the boot clock rather than poll()'s timeout, which stands still
 * while the machine sleeps. */
static enum gate_code arm(struct gate *g)
{
	uint64_t due = g->deadline;

	if (g->tick != 0 && (due == 0 || g->tick < due))
		due = g->tick;
	if (due == g->armed)
		return GATE_OK;
	if (g->timer_fd < 0)
		g->timer_fd = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
	struct itimerspec it = { .it_value = { .tv_sec = (time_t)(due / 1000),
		.tv_nsec = (long)(due % 1000) * 1000000 } };
	if (g->timer_fd < 0 || timerfd_settime(g->timer_fd, TFD_TIMER_ABSTIME, &it, NULL) != 0)
		return gate_fail(g, GATE_SYSTEM, "a timer", errno);
	g->armed = due;
	return GATE_OK;
}

/* SIGUSR1 is the parent-death signal (main.c). It also comes when only the
 * thread that started us ended, which some runtimes' thread pools do: then
 * the parent is still the same. */
static enum gate_code on_signal(struct gate *g)
{
	struct signalfd_siginfo si;

	if (read(g->sig_fd, &si, sizeof(si)) != (ssize_t)sizeof(si))
		return GATE_OK;
	if (si.ssi_signo == SIGUSR1)
		return getppid() == g->parent ? GATE_OK : GATE_GONE;
	g->detail.n = 0;
	gate_addu(&g->detail, si.ssi_signo);
	return GATE_SIGNAL;
}

enum gate_code gate_wait(struct gate *g, int fd, short events, short *got)
{
	enum { FD, SIG, TIMER, OUT, N };
	/* A pipe whose reader is gone reports POLLERR, a socket POLLHUP; files
	 * and /dev/null report neither. Nothing has to be asked for. */
	int out = g->mode == FRAME_DECIDE ? STDOUT_FILENO : -1;

	for (;;) {
		enum gate_code code = arm(g);
		if (code != GATE_OK)
			return code;
		struct pollfd p[N] = {
			[FD] = { fd, events, 0 },
			[SIG] = { g->sig_fd, POLLIN, 0 },
			[TIMER] = { g->timer_fd, POLLIN, 0 },
			[OUT] = { out, 0, 0 },
		};
		if (poll(p, N, -1) < 0) {
			if (errno == EINTR)
				continue;
			return gate_fail(g, GATE_SYSTEM, "to wait", errno);
		}
		if (p[SIG].revents != 0 && (code = on_signal(g)) != GATE_OK)
			return code;
		if (p[OUT].revents != 0)
			return GATE_GONE;
		if (p[TIMER].revents != 0) {
			uint64_t now = gate_now(), count;
			if (read(g->timer_fd, &count, sizeof(count)) > 0)
				g->armed = 0;
			if (g->deadline != 0 && now >= g->deadline)
				return GATE_DEADLINE;
			if (g->tick != 0 && now >= g->tick) {
				g->tick = 0;
				*got = 0;
				return GATE_OK;
			}
		}
		if (p[FD].revents != 0) {
			*got = p[FD].revents;
			return GATE_OK;
		}
	}
}
