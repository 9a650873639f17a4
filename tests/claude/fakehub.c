/*
 * fakehub.c - a hub that answers wrongly: claude_fakehub SOCKET HOW.
 *
 * HOW, to each decide request once it was read whole:
 *   allow   a good allow, from whoever runs this
 *   empty   closes without a word
 *   cut     an allow, less its last ten bytes
 *   crc     an allow with its last byte changed
 *   more    an allow and one byte too many
 * An observe request is noted. Says "ready" once it listens.
 */
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/sock.h"
#include "proto/gatewire.h"

static const char allow_text[] = "{\"hookSpecificOutput\":{\"hookEventName\":"
	"\"PreToolUse\",\"permissionDecision\":\"allow\"}}\n";

static void answer(int fd, struct gatewire_in *in, const char *how)
{
	bool decide = in->mode == GATEWIRE_DECIDE;
	struct err e = ERR_INIT;
	struct buf b;

	buf_init(&b, 1u << 20);
	if (decide && strcmp(how, "empty") == 0)
		return;
	if (gatewire_verdict(in, &b, decide ? GATEWIRE_ALLOW : GATEWIRE_NOTED,
	    decide ? SV(allow_text) : SV_NONE, SV_NONE, &e) != 0)
		fprintf(stderr, "fakehub: %s\n", e.text);
	if (decide && strcmp(how, "cut") == 0)
		b.n -= 10;
	else if (decide && strcmp(how, "crc") == 0)
		b.p[b.n - 1] ^= 1;
	else if (decide && strcmp(how, "more") == 0)
		buf_addc(&b, '!');
	if (send(fd, b.p, b.n, MSG_NOSIGNAL) != (ssize_t)b.n)
		perror("fakehub: send");
	buf_free(&b);
}

static void serve(int fd, const char *how)
{
	struct gatewire_event ev = { .type = GATEWIRE_MORE };
	struct pollfd p = { fd, POLLIN, 0 };
	struct gatewire_in in;
	char block[65536];
	ssize_t n;

	gatewire_init(&in);
	while (ev.type != GATEWIRE_REQUEST && ev.type != GATEWIRE_ERROR &&
	    poll(&p, 1, 10000) > 0 && (n = recv(fd, block, sizeof block, 0)) > 0) {
		gatewire_feed(&in, (struct sv){ block, (size_t)n }, 0);
		do
			gatewire_next(&in, &ev);
		while (ev.type == GATEWIRE_HEADER);
	}
	if (ev.type == GATEWIRE_REQUEST)
		answer(fd, &in, how);
	gatewire_free(&in);
}

int main(int argc, char **argv)
{
	struct err e = ERR_INIT;
	struct pollfd p = { .events = POLLIN };
	int fd;

	if (argc != 3)
		return 2;
	p.fd = sock_listen(argv[1], 0666, &e);
	if (p.fd < 0) {
		fprintf(stderr, "fakehub: %s\n", e.text);
		return 1;
	}
	puts("ready");
	fflush(stdout);
	while (poll(&p, 1, -1) > 0) {
		fd = sock_accept(p.fd);
		if (fd < 0)
			continue;
		serve(fd, argv[2]);
		close(fd);
	}
	return 1;
}
