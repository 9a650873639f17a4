/*
 * test_hub_native.c - native runtimes: what a hello says counts for what
 * follows, and files that the runtime opens for the hub.
 */
#include "tests/check.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sock.h"
#include "tests/hub/rig.h"

static void expect_text(const struct jv *v, const char *key, const char *want)
{
	char *got = xasprintf("%.*s", SVFMT(jv_get_sv(v, key)));

	assert_string_equal(got, want);
	free(got);
}

static void native_hello(struct cl *c, struct rig *r, const char *session, bool files)
{
	struct jv *v;

	cl_open(c, r->agent);
	v = cl_call(c, "hello", "{\"protocol\":1,\"session\":%s,\"files\":%s}", session,
		files ? "true" : "false");
	assert_string_equal(error_word(v), "");
	jv_free(&v);
}

static uint64_t ask_edit(struct cl *rt, unsigned key, const char *path, const char *origin)
{
	return cl_request(rt, "approval/request", "{\"key\":\"%032x\",\"kind\":\"edit\","
		"\"tool\":\"Edit\",\"action\":{\"changes\":[{\"op\":\"modify\",\"path\":\"%s\","
		"\"new_text\":\"new\\n\"}]}%s}", key, path, origin);
}

static void first_evidence(const struct shown *s, const char *key, const char *want)
{
	expect_text(jv_at(jv_get(s->get, "evidence"), 0), key, want);
}

static void test_hello(void **state)
{
	struct rig r;
	struct cl con, rt;
	struct shown s;
	struct jv *v, *facts;
	char *hello, *path, *cwd, *ws;

	(void)state;
	rig_start(&r);
	rig_write(&r, "a.txt", "old\n");
	cwd = xasprintf("%s/sub", r.work);
	assert_int_equal(mkdir(cwd, 0700), 0);
	rig_write(&r, "sub/b.txt", "old\n");
	rig_hub(&r, NULL);
	console_open(&con, &r, "one");
	cl_open(&rt, r.agent);
	v = cl_call(&rt, "hello", "{\"protocol\":1,\"session\":{\"id\":\"x\",\"cwd\":\"rel\"}}");
	assert_string_equal(error_word(v), "bad_params");
	jv_free(&v);
	cl_close(&rt);
	hello = xasprintf("{\"id\":\"s1\",\"title\":\"Monthly close\",\"task\":\"t7\","
		"\"parent\":\"s0\",\"cwd\":\"%s\"}", r.work);
	native_hello(&rt, &r, hello, false);
	/* A relative path resolves against the hello's cwd. */
	ask_edit(&rt, 1, "a.txt", "");
	look(&con, wait_ready(&con), &s);
	facts = jv_get(s.get, "facts");
	expect_text(facts, "session", "s1");
	expect_text(facts, "task", "t7");
	expect_text(facts, "session_title", "Monthly close");
	expect_text(facts, "session_parent", "s0");
	expect_text(facts, "cwd", r.work);
	ws = xasprintf("%.*s", SVFMT(jv_get_sv(facts, "workspace")));
	assert_true(strlen(ws) > 0 && strstr(ws, "/work") != NULL);
	path = xasprintf("%s/a.txt", r.work);
	first_evidence(&s, "path", path);
	first_evidence(&s, "state", "regular");
	jv_free(&s.root);
	/* A request may say otherwise. */
	ask_edit(&rt, 2, "a.txt", ",\"origin\":{\"session\":\"s2\",\"task\":\"t8\"}");
	look(&con, wait_ready(&con), &s);
	expect_text(jv_get(s.get, "facts"), "session", "s2");
	expect_text(jv_get(s.get, "facts"), "task", "t8");
	jv_free(&s.root);
	cl_request(&rt, "approval/request", "{\"key\":\"%032x\",\"kind\":\"command\","
		"\"tool\":\"Bash\",\"action\":{\"command\":\"rm b.txt\",\"cwd\":\"%s\"}}", 3, cwd);
	look(&con, wait_ready(&con), &s);
	expect_text(jv_get(s.get, "facts"), "cwd", cwd);
	expect_text(jv_get(s.get, "facts"), "workspace", ws);
	jv_free(&s.root);
	/* The next hub knows all of it too, from the record. */
	rig_term(&r);
	cl_close(&con);
	cl_close(&rt);
	rig_hub(&r, NULL);
	console_open(&con, &r, "one");
	v = cl_call(&con, "queue/subscribe", "{}");
	look(&con, (uint64_t)jv_get_i(jv_at(jv_get(jv_get(v, "result"), "rows"), 0), "id", 0),
		&s);
	facts = jv_get(s.get, "facts");
	expect_text(facts, "session", "s1");
	expect_text(facts, "task", "t7");
	expect_text(facts, "session_title", "Monthly close");
	expect_text(facts, "cwd", r.work);
	expect_text(facts, "workspace", ws);
	jv_free(&s.root);
	jv_free(&v);
	/* And what it takes up again resolves as before. */
	native_hello(&rt, &r, hello, false);
	ask_edit(&rt, 1, "a.txt", "");
	cl_close(&rt);
	cl_close(&con);
	rig_term(&r);
	rig_end(&r);
	free(hello);
	free(path);
	free(cwd);
	free(ws);
}

/* ---- files ---- */

/* The next file/open: its id, and its path. */
static uint64_t next_open(struct cl *rt, char *path, size_t n)
{
	struct jv *v = cl_note(rt, "file/open");
	uint64_t id;

	assert_non_null(v);
	id = (uint64_t)jv_get_i(v, "id", 0);
	snprintf(path, n, "%.*s", SVFMT(jv_get_sv(jv_get(v, "params"), "path")));
	jv_free(&v);
	return id;
}

static void send_part(struct cl *rt, const char *text, int fd)
{
	assert_int_equal(sock_send_fd(rt->fd, text, strlen(text), fd), strlen(text));
}

static void send_two(struct cl *rt, const char *text, int a, int b)
{
	union {
		struct cmsghdr h;
		char room[CMSG_SPACE(2 * sizeof(int))];
	} u = { 0 };
	struct iovec v = { (void *)(uintptr_t)text, strlen(text) };
	struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1, .msg_control = &u,
		.msg_controllen = sizeof u };
	int fds[2] = { a, b };

	u.h.cmsg_level = SOL_SOCKET;
	u.h.cmsg_type = SCM_RIGHTS;
	u.h.cmsg_len = CMSG_LEN(sizeof fds);
	memcpy(CMSG_DATA(&u.h), fds, sizeof fds);
	assert_int_equal(sendmsg(rt->fd, &m, 0), strlen(text));
}

/* By now the hub has read what was sent before. */
static void settled(struct cl *con)
{
	for (int i = 0; i < 3; i++) {
		struct jv *v = cl_call(con, "hub/status", "{}");

		jv_free(&v);
	}
}

struct files {
	struct rig r;
	struct cl con, rt;
	unsigned key;
	char *path;                /* of a.txt */
};

static void files_open(struct files *f)
{
	rig_start(&f->r);
	rig_write(&f->r, "a.txt", "old\n");
	f->path = xasprintf("%s/a.txt", f->r.work);
	rig_hub(&f->r, NULL);
	console_open(&f->con, &f->r, "one");
	native_hello(&f->rt, &f->r, "{}", true);
	f->key = 0;
}

static void files_close(struct files *f)
{
	free(f->path);
	cl_close(&f->rt);
	cl_close(&f->con);
	rig_term(&f->r);
	rig_end(&f->r);
}

enum how { WHOLE, LATE, TWO, NONE };

/* The answer to the hub's file/open, with a descriptor (taken). */
static void answer_open(struct files *f, uint64_t id, int fd, enum how how)
{
	char line[64];

	snprintf(line, sizeof line, "{\"id\":%llu,\"result\":{}}\n", (unsigned long long)id);
	if (how == LATE) {
		send_part(&f->rt, "{\"jsonrpc\":\"2.0\",", -1);
		settled(&f->con);
		send_part(&f->rt, line + 1, fd);
	} else if (how == TWO) {
		send_two(&f->rt, line, fd, fd);
	} else {
		send_part(&f->rt, line, how == NONE ? -1 : fd);
	}
	if (fd >= 0)
		close(fd);
}

/* What the hub makes of a.txt when this is what it gets; NULL: nothing read. */
static void expect_file(struct files *f, int fd, enum how how, const char *state)
{
	struct shown s;
	char path[4200];
	uint64_t id;

	ask_edit(&f->rt, ++f->key, f->path, "");
	id = next_open(&f->rt, path, sizeof path);
	assert_string_equal(path, f->path);
	answer_open(f, id, fd, how);
	look(&f->con, wait_ready(&f->con), &s);
	if (state != NULL)
		first_evidence(&s, "state", state);
	assert_int_equal(jv_get_sv(jv_at(jv_get(s.get, "evidence"), 0), "digest").n > 0,
		state != NULL && strcmp(state, "regular") == 0);
	jv_free(&s.root);
}

static void test_files(void **state)
{
	struct files f;
	int p[2];

	(void)state;
	files_open(&f);
	expect_file(&f, open(f.path, O_RDONLY | O_CLOEXEC), WHOLE, "regular");
	expect_file(&f, -1, NONE, "unknown");
	/* Not on the first byte, and not alone: refused. */
	expect_file(&f, open(f.path, O_RDONLY | O_CLOEXEC), LATE, "unknown");
	expect_file(&f, open(f.path, O_RDONLY | O_CLOEXEC), TWO, "unknown");
	/* Sent when nothing was asked for: never taken for an answer. */
	p[0] = open(f.path, O_RDONLY | O_CLOEXEC);
	send_part(&f.rt, "{\"jsonrpc\":\"2.0\",\"method\":\"event\",\"params\":{}}\n", p[0]);
	close(p[0]);
	settled(&f.con);
	expect_file(&f, -1, NONE, "unknown");
	/* What is no file, and what cannot be read. */
	expect_file(&f, open(f.r.work, O_RDONLY | O_DIRECTORY | O_CLOEXEC), WHOLE,
		"directory");
	expect_file(&f, open("/dev/zero", O_RDONLY | O_CLOEXEC), WHOLE, NULL);
	assert_int_equal(pipe(p), 0);
	expect_file(&f, p[0], WHOLE, NULL);
	close(p[1]);
	expect_file(&f, socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), WHOLE, NULL);
	expect_file(&f, open(f.path, O_PATH | O_CLOEXEC), WHOLE, "unknown");
	expect_file(&f, open(f.path, O_WRONLY | O_CLOEXEC), WHOLE, "unknown");
	/* And still all is well. */
	expect_file(&f, open(f.path, O_RDONLY | O_CLOEXEC), WHOLE, "regular");
	files_close(&f);
}

/* At most 16 at a time; each answer lets one more be asked. */
static void test_files_many(void **state)
{
	struct files f;
	struct shown s;
	struct jv *v;
	struct buf b;
	uint64_t ids[64];
	char path[4200];
	size_t n = 0;

	(void)state;
	files_open(&f);
	buf_init(&b, 65536);
	for (int i = 0; i < 40; i++)
		buf_addf(&b, "%s{\"op\":\"modify\",\"path\":\"%s%d\",\"new_text\":\"x\"}",
			i > 0 ? "," : "", f.path, i);
	cl_request(&f.rt, "approval/request", "{\"key\":\"%032x\",\"kind\":\"edit\","
		"\"tool\":\"Edit\",\"action\":{\"changes\":[%.*s]}}", 1, SVFMT(buf_sv(&b)));
	while (n < 16)
		ids[n++] = next_open(&f.rt, path, sizeof path);
	/* A response to an event comes before a 17th. */
	settled(&f.con);
	v = cl_call(&f.rt, "event", "{\"kind\":\"message\"}");
	jv_free(&v);
	assert_int_equal(f.rt.n, 0);
	for (size_t i = 0; i < 40; i++) {
		answer_open(&f, ids[i], open(f.path, O_RDONLY | O_CLOEXEC), WHOLE);
		if (n < 40)
			ids[n++] = next_open(&f.rt, path, sizeof path);
	}
	look(&f.con, wait_ready(&f.con), &s);
	assert_int_equal(jv_len(jv_get(s.get, "evidence")), 40);
	first_evidence(&s, "state", "regular");
	jv_free(&s.root);
	buf_free(&b);
	files_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hello),
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_files_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
