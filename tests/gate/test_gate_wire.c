/* The two ends of the framing, written apart, speak with each other. */
#include "box.h"

#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sock.h"
#include "proto/gatewire.h"

struct hub {
	struct gatewire_in in;
	int conn, fds[64];
	size_t fds_n;
	char *piece;
	size_t piece_n;        /* read at most this much at once */
};

static void flush(struct hub *h, struct buf *out)
{
	box_send(h->conn, out->p, out->n);
	buf_clear(out);
}

/* The next event that is not GATEWIRE_MORE. */
static enum gatewire_type next(struct hub *h, struct gatewire_event *ev)
{
	while (gatewire_next(&h->in, ev) == GATEWIRE_MORE) {
		int fds[16], n = 16;
		ssize_t r;
		/* sock.h has no opinion on who waits; this connection blocks. */
		r = sock_recv_fd(h->conn, h->piece, h->piece_n, fds, &n);
		if (r < 0 && (errno == EAGAIN || errno == EINTR))
			continue;
		assert_true(r > 0);
		for (int i = 0; i < n; i++)
			h->fds[h->fds_n++] = fds[i];
		gatewire_feed(&h->in, (struct sv){ h->piece, (size_t)r }, (size_t)n);
	}
	if (ev->type == GATEWIRE_ERROR)
		fail_msg("%s: %s", h->in.err.code, h->in.err.text);
	return ev->type;
}

static int oldest(struct hub *h)
{
	int fd = h->fds[0];

	assert_true(h->fds_n > 0);
	memmove(h->fds, h->fds + 1, --h->fds_n * sizeof(h->fds[0]));
	return fd;
}

static void one(const char *mode, enum gatewire_verdict verdict, size_t piece_n, size_t n)
{
	struct hub h = { .piece_n = piece_n, .piece = malloc(piece_n) };
	struct gatewire_event ev;
	struct err e = ERR_INIT;
	struct buf out;
	struct box b;
	char *payload = malloc(n);

	memset(payload, 'p', n);
	buf_init(&out, 1 << 20);
	gatewire_init(&h.in);
	box_begin(&b);
	b.mode = mode;
	b.deadline = "100";
	box_listen(&b);
	box_start(&b, payload, n);
	h.conn = box_accept(&b);
	assert_int_equal(next(&h, &ev), GATEWIRE_HEADER);
	assert_string_equal(h.in.dialect, "claude");
	assert_true(h.in.ms_left > 0 && h.in.ms_left <= 100000);
	assert_int_equal(next(&h, &ev), GATEWIRE_REQUEST);
	assert_int_equal(h.in.payload.n, n);
	assert_memory_equal(h.in.payload.p, payload, n);

	for (uint32_t id = 0; id < 16; id++)
		assert_int_equal(gatewire_open(&h.in, &out, id,
			id % 4 == 1 ? GATEWIRE_DIR : GATEWIRE_FILE,
			id % 4 == 3 ? SV("/nonexistent") : id % 4 == 1 ? SV("/")
				: SV("/dev/null"), &e), 0);
	flush(&h, &out);
	for (uint32_t i = 0; i < 16; i++) {
		struct stat st;
		assert_int_equal(next(&h, &ev), GATEWIRE_OPENED);
		assert_int_equal(ev.id, i);
		assert_int_equal(ev.open_errno, i % 4 == 3 ? ENOENT : 0);
		if (ev.open_errno != 0)
			continue;
		int fd = oldest(&h);
		assert_int_equal(fstat(fd, &st), 0);
		assert_int_equal(S_ISDIR(st.st_mode), i % 4 == 1);
		close(fd);
	}
	assert_int_equal(h.fds_n, 0);
	assert_int_equal(gatewire_verdict(&h.in, &out, verdict, SV("for stdout"),
		SV("for stderr"), &e), 0);
	flush(&h, &out);
	close(h.conn);
	box_ended(&b, verdict == GATEWIRE_DENY ? 2 : 0,
		verdict == GATEWIRE_ALLOW || verdict == GATEWIRE_NO_OPINION ? "for stdout" : "",
		verdict == GATEWIRE_DENY ? "for stderr" : "");
	gatewire_free(&h.in);
	buf_free(&out);
	free(h.piece);
	free(payload);
}

static void test_both_ends(void **state)
{
	(void)state;
	one("decide", GATEWIRE_ALLOW, 65536, 1000);
	one("decide", GATEWIRE_NO_OPINION, 65536, 0);
	one("decide", GATEWIRE_DENY, 1, 40);
	one("decide", GATEWIRE_ALLOW, 7, 3000);
	one("decide", GATEWIRE_ALLOW, 65536, GATEWIRE_PAYLOAD_MAX);
	one("observe", GATEWIRE_NOTED, 13, 200);
}

/* A refusal by the hub's side reaches the gate, header of a later version. */
static void test_refusal(void **state)
{
	struct gatewire_in in;
	struct gatewire_event ev;
	struct err e = ERR_INIT;
	struct buf out;
	struct request r;
	struct box b;
	int conn = (box_begin(&b), box_asked_as(&b, &r));

	(void)state;
	buf_init(&out, 4096);
	gatewire_init(&in);
	gatewire_feed(&in, SV("OBG1\11\6claude"), 0);
	assert_int_equal(gatewire_next(&in, &ev), GATEWIRE_ERROR);
	assert_int_equal(gatewire_verdict(&in, &out,
		(enum gatewire_verdict)gatewire_refusal(&in), SV(""), SV("refused: version\n"),
		&e), 0);
	box_send(conn, out.p, out.n);
	close(conn);
	box_ended(&b, 2, "", "refused: version\n");
	gatewire_free(&in);
	buf_free(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_both_ends),
		cmocka_unit_test(test_refusal),
	};
	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests_name("gate_wire", tests, NULL, NULL);
}
