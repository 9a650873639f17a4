/* codes.c - see codes.h. */
#include "gate/codes.h"

#include <errno.h>

const struct gate_code_row gate_codes[GATE_CODES] = {
	[GATE_OK] = { "", "" },
	[GATE_USAGE] = { "OBSTAT-E01", "usage error: ..." },
	[GATE_PATH] = { "OBSTAT-E02", "socket path not usable: ..." },
	[GATE_NO_HUB] = { "OBSTAT-E03", "no hub at ...; start it with: obstat serve" },
	[GATE_WRONG_UID] = { "OBSTAT-E04", "not the hub of the expected user at ..." },
	[GATE_CONNECT] = { "OBSTAT-E05", "cannot connect to ..." },
	[GATE_STDIN] = { "OBSTAT-E06", "cannot read the request: ..." },
	[GATE_TOO_LONG] = { "OBSTAT-E07", "the request is over 16 MiB" },
	[GATE_ANSWER] = { "OBSTAT-E08", "the hub's answer is broken: ..." },
	[GATE_OPENS] = { "OBSTAT-E09", "the hub asks for too many files" },
	[GATE_LOST] = { "OBSTAT-E10", "the hub went away and did not come back within 60 s" },
	[GATE_DEADLINE] = { "OBSTAT-E11", "nobody answered in time" },
	[GATE_SIGNAL] = { "OBSTAT-E12", "stopped by signal ..." },
	[GATE_GONE] = { "OBSTAT-E13", "the agent's runtime is gone" },
	[GATE_STDOUT] = { "OBSTAT-E14", "cannot hand over the answer: ..." },
	[GATE_NO_REASON] = { "OBSTAT-E15", "denied without a reason" },
	[GATE_SYSTEM] = { "OBSTAT-E16", "the system refused ..." },
	[GATE_FAULT] = { "OBSTAT-E17", "internal fault of the gate" },
};

static const struct {
	int eno;
	const char *name;
} errno_names[] = {
	{ EACCES, "EACCES" }, { EPERM, "EPERM" }, { ENOENT, "ENOENT" },
	{ ENOTDIR, "ENOTDIR" }, { ELOOP, "ELOOP" }, { ECONNREFUSED, "ECONNREFUSED" },
	{ EPROTOTYPE, "EPROTOTYPE" }, { ENOTSOCK, "ENOTSOCK" }, { EMFILE, "EMFILE" },
	{ ENFILE, "ENFILE" }, { ENOMEM, "ENOMEM" }, { EPIPE, "EPIPE" }, { EIO, "EIO" },
	{ ENOSPC, "ENOSPC" }, { EFBIG, "EFBIG" }, { EBADF, "EBADF" }, { EISDIR, "EISDIR" },
	{ EINVAL, "EINVAL" }, { ENOSYS, "ENOSYS" }, { ECONNRESET, "ECONNRESET" },
};

static void addc(struct gate_line *l, char c)
{
	if (l->n < sizeof(l->p))
		l->p[l->n++] = c;
}

void gate_adds(struct gate_line *l, const char *s)
{
	while (*s != '\0')
		addc(l, *s++);
}

void gate_addu(struct gate_line *l, uint64_t v)
{
	char digits[20];
	size_t n = 0;

	do {
		digits[n++] = (char)('0' + v % 10);
		v /= 10;
	} while (v > 0);
	while (n > 0)
		addc(l, digits[--n]);
}

void gate_adderrno(struct gate_line *l, int eno)
{
	gate_adds(l, ": ");
	for (size_t i = 0; i < sizeof(errno_names) / sizeof(errno_names[0]); i++) {
		if (errno_names[i].eno == eno) {
			gate_adds(l, errno_names[i].name);
			return;
		}
	}
	gate_adds(l, "errno ");
	gate_addu(l, (uint64_t)eno);
}

void gate_message(struct gate_line *to, enum gate_code code, const struct gate_line *detail)
{
	const char *t = gate_codes[code].text;

	to->n = 0;
	gate_adds(to, gate_codes[code].code);
	addc(to, ' ');
	for (; *t != '\0'; t++) {
		if (t[0] != '.' || t[1] != '.' || t[2] != '.') {
			addc(to, *t);
			continue;
		}
		for (size_t i = 0; i < detail->n; i++)
			addc(to, detail->p[i]);
		t += 2;
	}
	/* One line: an LF in an argument would let it look like two. */
	for (size_t i = 0; i < to->n; i++)
		if (to->p[i] == '\n')
			to->p[i] = '?';
	gate_clean((unsigned char *)to->p, to->n);
	if (to->n == sizeof(to->p))
		to->n--;
	addc(to, '\n');
}

void gate_clean(unsigned char *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if ((p[i] < 0x20 && p[i] != '\n') || p[i] == 0x7f)
			p[i] = '?';
		if (p[i] == 0xc2 && i + 1 < n && p[i + 1] >= 0x80 && p[i + 1] <= 0x9f)
			p[i] = p[i + 1] = '?';
	}
}
