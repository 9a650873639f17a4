/* args.c - the arguments, which are all that the gate is told. */
#include "gate/gate.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct given {
	const char *socket, *hub_uid, *deadline, *dialect;
};

/* Decimal digits only, at most max. */
static bool number(const char *s, uint64_t max, uint64_t *out)
{
	uint64_t v = 0;

	if (*s == '\0')
		return false;
	for (; *s != '\0'; s++) {
		if (*s < '0' || *s > '9')
			return false;
		v = v * 10 + (uint64_t)(*s - '0');
		if (v > max)
			return false;
	}
	*out = v;
	return true;
}

static const char **slot(struct given *v, const char *name)
{
	if (strcmp(name, "--socket") == 0)
		return &v->socket;
	if (strcmp(name, "--hub-uid") == 0)
		return &v->hub_uid;
	if (strcmp(name, "--deadline") == 0)
		return &v->deadline;
	if (strcmp(name, "--dialect") == 0)
		return &v->dialect;
	return NULL;
}

static enum gate_code collect(struct gate *g, struct given *v, int argc, char **argv)
{
	for (int i = 2; i < argc; i += 2) {
		const char **to = slot(v, argv[i]);
		if (to == NULL || *to != NULL || i + 1 == argc) {
			gate_adds(&g->detail, to == NULL ? "unknown argument "
				: *to != NULL ? "given twice: " : "no value for ");
			gate_adds(&g->detail, argv[i]);
			return GATE_USAGE;
		}
		*to = argv[i + 1];
	}
	if (v->socket == NULL || v->hub_uid == NULL || v->deadline == NULL
		|| v->dialect == NULL)
		return gate_fail(g, GATE_USAGE, "all of --socket, --hub-uid, --deadline"
			" and --dialect are needed", 0);
	return GATE_OK;
}

/* The path with each %U as the user's id; no other expansion exists. */
static enum gate_code socket_path(struct gate *g, const char *s)
{
	struct gate_line path = { .n = 0 };
	char one[2] = { 0 };

	if (s[0] != '/')
		return gate_fail(g, GATE_PATH, "it must be absolute", 0);
	for (; *s != '\0'; s++) {
		one[0] = *s;
		if (*s != '%') {
			gate_adds(&path, one);
		} else if (s[1] == 'U') {
			gate_addu(&path, getuid());
			g->per_user = true;
			s++;
		} else {
			return gate_fail(g, GATE_PATH, "%U is the only expansion", 0);
		}
	}
	if (path.n >= sizeof(g->addr.sun_path))
		return gate_fail(g, GATE_PATH, "it is over 107 bytes", 0);
	g->addr.sun_family = AF_UNIX;
	memcpy(g->addr.sun_path, path.p, path.n);
	return GATE_OK;
}

static bool dialect_ok(const char *s)
{
	size_t n = strlen(s);

	return n > 0 && n <= 255
		&& strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789_-") == n;
}

enum gate_code gate_args(struct gate *g, int argc, char **argv)
{
	struct given v = { NULL, NULL, NULL, NULL };
	uint64_t uid = 0, seconds = 0;
	enum gate_code code;

	g->mode = FRAME_DECIDE;
	if (argc > 1 && strcmp(argv[1], "observe") == 0)
		g->mode = FRAME_OBSERVE;
	else if (argc < 2 || strcmp(argv[1], "decide") != 0)
		return gate_fail(g, GATE_USAGE, "obstat-gate decide|observe --socket PATH"
			" --hub-uid UID|self --deadline SECONDS --dialect NAME", 0);
	if (g->mode == FRAME_OBSERVE)
		g->deadline = gate_now() + GATE_OBSERVE_MS;
	code = collect(g, &v, argc, argv);
	if (code != GATE_OK)
		return code;
	if (strcmp(v.hub_uid, "self") == 0)
		uid = getuid();
	else if (!number(v.hub_uid, UINT32_MAX - 1, &uid))
		return gate_fail(g, GATE_USAGE, "--hub-uid is a number or self", 0);
	g->hub_uid = (uid_t)uid;
	if (!number(v.deadline, UINT32_MAX, &seconds))
		return gate_fail(g, GATE_USAGE, "--deadline is a number of seconds", 0);
	uint64_t end = gate_now() + seconds * 1000;
	if (seconds > 0 && (g->deadline == 0 || end < g->deadline))
		g->deadline = end;
	if (!dialect_ok(v.dialect))
		return gate_fail(g, GATE_USAGE, "--dialect is a name of a-z, 0-9, _ and -", 0);
	g->dialect = v.dialect;
	return socket_path(g, v.socket);
}
