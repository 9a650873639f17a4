/*
 * host.c - see host.h.
 */
#include "tests/hostile/host.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/sock.h"
#include "base/text.h"
#include "store/store.h"

#define GUARD_MS 30000
#define PROBE_RULE "[rule \"probe\"]\n\ttool = Probe\n\tdecide = deny\n\treason = seen\n"

uint64_t host_now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

bool host_asan(void)
{
#ifdef __SANITIZE_ADDRESS__
	return true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
	return true;
#endif
#endif
	return false;
}

bool host_quick(void)
{
	const char *v = getenv("OBSTAT_QUICK");

	return v != NULL && v[0] == '1';
}

/* ---- looking at the hub ---- */

long host_rss_kb(const struct host *h, const char *field)
{
	char path[64], line[256];
	size_t n = strlen(field);
	long kb = -1;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%ld/status", (long)h->r.hub);
	f = fopen(path, "re");
	assert_non_null(f);
	while (kb < 0 && fgets(line, sizeof line, f) != NULL)
		if (strncmp(line, field, n) == 0 && line[n] == ':')
			kb = strtol(line + n + 1, NULL, 10);
	fclose(f);
	assert_true(kb > 0);
	return kb;
}

long host_fds(const struct host *h)
{
	char path[64];
	long n = 0;
	DIR *d;

	snprintf(path, sizeof path, "/proc/%ld/fd", (long)h->r.hub);
	d = opendir(path);
	if (d == NULL)
		return -1;
	while (readdir(d) != NULL)
		n++;
	closedir(d);
	return n - 2;
}

static void host_alive(struct host *h)
{
	int status;

	if (waitpid(h->r.hub, &status, WNOHANG) == 0)
		return;
	fail_msg("the hub has died: status %#x, log in %s", status, h->r.dir);
}

/* hub/status once; the number of agents' connections. */
static int64_t host_status(struct host *h, int64_t *consoles, uint64_t *refused)
{
	struct jv *v = cl_call(&h->con, "hub/status", "{}");
	struct jv *res = jv_get(v, "result");
	int64_t peers = jv_get_i(res, "peers", -1);

	*consoles = jv_get_i(res, "consoles", -1);
	*refused = (uint64_t)jv_get_i(res, "refused", 0);
	jv_free(&v);
	return peers;
}

/* ---- the honest ---- */

void host_probe(struct host *h)
{
	uint64_t t = host_now_us();
	unsigned n = ++h->probes;
	struct jv *v;

	v = cl_call(&h->rt, "approval/request", "{\"key\":\"%032x\",\"kind\":\"tool\","
		"\"tool\":\"Probe\",\"action\":{\"name\":\"Probe\",\"arguments\":"
		"{\"n\":%u}},\"origin\":{\"session\":\"honest\",\"call\":\"c%u\"}}",
		n, n, n);
	t = host_now_us() - t;
	if (t > h->worst_us)
		h->worst_us = t;
	if (!sv_eqs(jv_get_sv(jv_get(v, "result"), "outcome"), "denied"))
		fail_msg("the honest peer got: %s", jv_text(v));
	jv_free(&v);
}

/* The same hook as the honest runtime's, but on a channel of its own: what is
 * charged to the attacked one is not charged to it. */
static void host_honest(struct host *h)
{
	struct cl *c = &h->rt;
	char path[160];
	struct jv *v;

	snprintf(path, sizeof path, "%s/agent/claude/sock", h->r.state);
	cl_open(c, path);
	v = cl_call(c, "hello", "{\"protocol\":1,\"agent\":{\"name\":\"honest\"},"
		"\"session\":{\"id\":\"honest\"}}");
	assert_string_equal(error_word(v), "");
	jv_free(&v);
}

void host_begin(struct host *h, const char *points)
{
	struct rlimit rl;

	/* Thousands of connections at once are this test's business. */
	if (getrlimit(RLIMIT_NOFILE, &rl) == 0) {
		rl.rlim_cur = rl.rlim_max;
		setrlimit(RLIMIT_NOFILE, &rl);
	}
	signal(SIGPIPE, SIG_IGN);
	memset(h, 0, sizeof *h);
	rig_start(&h->r);
	rig_rules(&h->r, PROBE_RULE);
	rig_hub(&h->r, points);
	console_open(&h->con, &h->r, "person");
	host_honest(h);
	host_probe(h);
	h->fds = host_fds(h);
	h->rss_kb = host_rss_kb(h, "VmRSS");
}

void host_check(struct host *h, long mib)
{
	int64_t peers, consoles;
	uint64_t refused, until = host_now_us() + (uint64_t)GUARD_MS * 1000;
	long rss;

	host_alive(h);
	do {
		peers = host_status(h, &consoles, &refused);
		if (host_now_us() > until)
			fail_msg("%ld agents and %ld consoles are still connected",
				(long)peers, (long)consoles);
	} while (peers != 1 || consoles != 1);
	host_probe(h);
	host_alive(h);
	if (h->fds >= 0 && host_fds(h) > h->fds)
		fail_msg("%ld descriptors, %ld before", host_fds(h), h->fds);
	if (host_asan())
		mib = 4 * mib + 512;
	/* What is big is freed by a worker, a little later. */
	while ((rss = host_rss_kb(h, "VmRSS") - h->rss_kb) > mib * 1024) {
		if (host_now_us() > until)
			fail_msg("%ld KiB more than before", rss);
		host_probe(h);
	}
}

/* ---- the record ---- */

struct tally {
	uint64_t refused;
	unsigned singly;
};

static bool tally_one(void *arg, const struct rec_view *v)
{
	struct tally *t = arg;
	uint64_t n = 0;

	if (v->type == REC_REFUSED) {
		assert_true(rec_view_get(v, RF_CODE).n > 0);
		assert_true(esc_is_clean(rec_view_get(v, RF_TEXT)));
		t->singly++;
		t->refused++;
	}
	if (v->type == REC_REFUSED_MANY && rec_view_u64(v, RF_COUNT, &n))
		t->refused += n;
	return true;
}

static void host_record(struct host *h, uint64_t refused)
{
	struct tally t = { 0 };
	struct err e = ERR_INIT;
	struct reader *rd = reader_open(h->r.state, &e);
	uint64_t n, bad;

	if (rd == NULL)
		fail_msg("%s", e.text);
	if (reader_verify(rd, &n, &bad, &e) != 0)
		fail_msg("the record does not hold: %s", e.text);
	assert_int_equal(reader_each(rd, 1, tally_one, &t, &e), 0);
	reader_close(&rd);
	assert_int_equal(t.refused, refused);
	/* Each answer that said no to an agent is one of them. */
	if (t.refused < h->errors)
		fail_msg("%llu error answers, %llu refusals on record",
			(unsigned long long)h->errors, (unsigned long long)t.refused);
}

void host_end(struct host *h)
{
	uint64_t refused;
	int64_t consoles;

	host_status(h, &consoles, &refused);
	printf("    honest round trip: %.1f ms at worst; memory %ld MiB at most\n",
		(double)h->worst_us / 1000.0, host_rss_kb(h, "VmHWM") / 1024);
	cl_close(&h->rt);
	cl_close(&h->con);
	rig_term(&h->r);
	host_record(h, refused);
	rig_end(&h->r);
}

/* ---- raw bytes ---- */

int raw_connect(const char *path)
{
	struct err e = ERR_INIT;
	int fd = sock_connect(path, &e);

	if (fd < 0)
		fail_msg("%s", e.text);
	return fd;
}

static void raw_wait(int fd, short events)
{
	struct pollfd p = { .fd = fd, .events = events };
	int n;

	do
		n = poll(&p, 1, GUARD_MS);
	while (n < 0 && errno == EINTR);
	if (n == 0)
		fail_msg("nothing happened for %d ms", GUARD_MS);
}

bool raw_send(int fd, const void *p, size_t n, bool drop)
{
	static char sink[65536];
	const char *at = p;

	while (n > 0) {
		ssize_t k = send(fd, at, n, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (k >= 0) {
			at += k;
			n -= (size_t)k;
			continue;
		}
		if (errno == EINTR)
			continue;
		if (errno != EAGAIN)
			return false;
		raw_wait(fd, drop ? POLLIN | POLLOUT : POLLOUT);
		if (drop && recv(fd, sink, sizeof sink, MSG_DONTWAIT) == 0)
			return false;
	}
	return true;
}

void raw_eof(int fd)
{
	static char sink[65536];

	for (;;) {
		ssize_t k = recv(fd, sink, sizeof sink, MSG_DONTWAIT);

		if (k == 0 || (k < 0 && errno != EAGAIN && errno != EINTR))
			return;
		if (k < 0)
			raw_wait(fd, POLLIN);
	}
}

bool raw_send_fds(int fd, char byte, const int *fds, size_t n)
{
	union {
		struct cmsghdr align;
		char room[CMSG_SPACE(253 * sizeof(int))];
	} ctl;
	struct iovec iov = { .iov_base = &byte, .iov_len = 1 };
	struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = ctl.room, .msg_controllen = CMSG_SPACE(n * sizeof(int)) };
	struct cmsghdr *c;
	ssize_t k;

	memset(&ctl, 0, sizeof ctl);
	c = CMSG_FIRSTHDR(&m);
	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(n * sizeof(int));
	memcpy(CMSG_DATA(c), fds, n * sizeof(int));
	while ((k = sendmsg(fd, &m, MSG_NOSIGNAL | MSG_DONTWAIT)) < 0) {
		if (errno != EAGAIN && errno != EINTR && errno != ETOOMANYREFS)
			return false;
		raw_wait(fd, POLLOUT);
	}
	return true;
}

/* ---- answers to hostile lines ---- */

static void got_error(const struct jv *e, struct got *g)
{
	struct sv text = jv_get_sv(e, "message");
	struct sv word = jv_get_sv(jv_get(e, "data"), "error");

	assert_true(jv_get_i(e, "code", 0) < 0);
	assert_true(text.n > 0 && esc_is_clean(text));
	assert_true(word.n > 0 && word.n < sizeof g->word);
	snprintf(g->word, sizeof g->word, "%.*s", SVFMT(word));
	g->errors++;
}

void got_until(struct cl *c, const char *id, struct got *g)
{
	memset(g, 0, sizeof *g);
	for (;;) {
		struct jv *v = cl_next(c);
		bool last;

		if (v == NULL) {
			g->eof = true;
			return;
		}
		last = id != NULL && sv_eqs(jv_get_sv(v, "id"), id);
		if (jv_get(v, "error") != NULL)
			got_error(jv_get(v, "error"), g);
		else if (jv_get(v, "result") != NULL)
			g->results++;
		else
			g->others++;
		jv_free(&v);
		if (last)
			return;
	}
}

uint64_t dice_next(struct dice *d)
{
	uint64_t z = d->s += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

uint32_t dice_to(struct dice *d, uint32_t n)
{
	return (uint32_t)(dice_next(d) % n);
}
