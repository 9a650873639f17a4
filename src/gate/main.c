/*
 * main.c - obstat-gate: carries a hook's bytes to the hub and the hub's answer
 * back. Assumes that all around it is hostile: arguments only, no environment,
 * no locale, and no way to exit 0 but a complete, checked answer.
 */
#include "gate/gate.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <unistd.h>

static struct gate gate = { .mode = FRAME_DECIDE, .sig_fd = -1, .timer_fd = -1 };
static struct frame_in answer;

enum gate_code gate_fail(struct gate *g, enum gate_code code, const char *what, int eno)
{
	g->detail.n = 0;
	gate_adds(&g->detail, what);
	if (eno != 0)
		gate_adderrno(&g->detail, eno);
	return code;
}

void *gate_memory(size_t n)
{
	void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

static _Noreturn void leave(void)
{
	_exit(gate.mode == FRAME_OBSERVE ? 0 : 2);
}

static _Noreturn void refuse(enum gate_code code)
{
	static struct gate_line m;

	if (code == GATE_NO_HUB && gate.per_user)
		gate_adds(&gate.detail, " (if this user has no link there, as root:"
			" obstat setup claude --link-user)");
	gate_message(&m, code, &gate.detail);
	gate_stderr(&gate, (const unsigned char *)m.p, m.n);
	leave();
}

/* A runtime takes a hook that was killed by a signal for a broken hook and
 * goes on; exit 2 stops the action. */
static void on_fault(int signo)
{
	static const char text[] = "OBSTAT-E17 internal fault of the gate\n";

	(void)signo;
	if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
		leave();
	leave();
}

static enum gate_code set_signals(void)
{
	static const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP,
		SIGSYS };
	/* Left alone: they stop, continue or mean nothing. */
	static const int others[] = { SIGCHLD, SIGCONT, SIGWINCH, SIGURG, SIGTSTP, SIGTTIN,
		SIGTTOU };
	struct sigaction sa = { .sa_handler = on_fault };
	sigset_t all;

	sigfillset(&all);
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		sigaction(faults[i], &sa, NULL);
		sigdelset(&all, faults[i]);
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		sigdelset(&all, others[i]);
	sigprocmask(SIG_SETMASK, &all, NULL);
	/* An inherited "ignore" would swallow these two even while blocked. */
	sa.sa_handler = SIG_DFL;
	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGUSR1, &sa, NULL);
	if (gate.mode == FRAME_OBSERVE)
		return GATE_OK; /* all stay pending: nothing changes its end */
	/* Blocked and never taken: writing fails with EPIPE or EFBIG. */
	sigdelset(&all, SIGPIPE);
	sigdelset(&all, SIGXFSZ);
	gate.sig_fd = signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
	if (gate.sig_fd < 0)
		return gate_fail(&gate, GATE_SYSTEM, "signals", errno);
	return GATE_OK;
}

/* With one of 0, 1, 2 closed, a socket or file of ours would take its number
 * and be written to as if it were stdout. */
static enum gate_code check_streams(void)
{
	struct pollfd p[3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 2, 0, 0 } };

	if (poll(p, 3, 0) < 0)
		return gate_fail(&gate, GATE_SYSTEM, "to look at stdin", errno);
	if (((p[0].revents | p[1].revents | p[2].revents) & POLLNVAL) != 0)
		return gate_fail(&gate, GATE_STDIN, "stdin, stdout or stderr is closed", 0);
	return GATE_OK;
}

static enum gate_code set_up(void)
{
	/* Looked at before the first descriptor of ours could fill a gap, told
	 * when SIGPIPE can no longer end us. */
	enum gate_code streams = check_streams(), code = set_signals();

	if (code == GATE_OK)
		code = streams;
	if (code != GATE_OK)
		return code;
	if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0)
		return gate_fail(&gate, GATE_SYSTEM, "not to be dumpable", errno);
	if (gate.mode == FRAME_DECIDE) {
		if (prctl(PR_SET_PDEATHSIG, SIGUSR1, 0, 0, 0) != 0)
			return gate_fail(&gate, GATE_SYSTEM, "to follow the parent", errno);
		if (getppid() != gate.parent)
			return GATE_GONE;
	}
	ssize_t n = getrandom(gate.key, sizeof(gate.key), 0);
	if (n != (ssize_t)sizeof(gate.key))
		return gate_fail(&gate, GATE_SYSTEM, "random bytes", n < 0 ? errno : 0);
	return GATE_OK;
}

int main(int argc, char **argv)
{
	gate.parent = getppid();
	enum gate_code args = gate_args(&gate, argc, argv);
	enum gate_code code = set_up();

	/* Set up even for a usage error: telling it must not end in SIGPIPE. */
	if (code == GATE_OK)
		code = args;
	if (code == GATE_OK)
		code = gate_read(&gate);
	if (code == GATE_OK)
		code = gate_talk(&gate, &answer);
	if (code != GATE_OK)
		refuse(code);
	if (answer.verdict == FRAME_DENY) {
		if (answer.err.n == 0)
			refuse(GATE_NO_REASON);
		gate_clean(answer.err.p, answer.err.n);
		gate_stderr(&gate, answer.err.p, answer.err.n);
		leave();
	}
	if (gate.mode == FRAME_DECIDE) {
		code = gate_deliver(&gate, answer.out.p, answer.out.n);
		if (code != GATE_OK)
			refuse(code);
	}
	_exit(0);
}
