/*
 * host_ip.c - addresses in every spelling that resolvers take (WHATWG URL 4.3;
 * inet_aton()): 127.1, 0x7f000001, 0177.0.0.1, ::ffff:127.0.0.1.
 */
#include <arpa/inet.h>
#include <string.h>
#include <strings.h>

#include "lang/host_priv.h"

static const struct net {
	uint32_t base, mask;
	size_t flag;
} nets[] = {
	{ 0x7f000000, 0xff000000, offsetof(struct host, loopback) },
	{ 0x00000000, 0xff000000, offsetof(struct host, loopback) }, /* this host */
	{ 0x0a000000, 0xff000000, offsetof(struct host, private_net) },
	{ 0xac100000, 0xfff00000, offsetof(struct host, private_net) },
	{ 0xc0a80000, 0xffff0000, offsetof(struct host, private_net) },
	{ 0x64400000, 0xffc00000, offsetof(struct host, private_net) }, /* RFC 6598 */
	{ 0xa9fe0000, 0xffff0000, offsetof(struct host, link_local) },
	/* Where clouds hand out a machine's credentials. */
	{ 0xa9fea9fe, 0xffffffff, offsetof(struct host, metadata_service) },
	{ 0xa9feaa02, 0xffffffff, offsetof(struct host, metadata_service) },
	{ 0xa9feaa17, 0xffffffff, offsetof(struct host, metadata_service) },
	{ 0x646464c8, 0xffffffff, offsetof(struct host, metadata_service) },
	{ 0xa83f8110, 0xffffffff, offsetof(struct host, metadata_service) },
};

static void judge4(uint32_t ip, struct host *h)
{
	for (size_t i = 0; i < sizeof(nets) / sizeof(nets[0]); i++) {
		if ((ip & nets[i].mask) == nets[i].base)
			*(bool *)((char *)h + nets[i].flag) = true;
	}
}

/* One part: decimal, 0octal, 0xhex. False when it is no number. */
static bool part(struct sv s, uint64_t *out, bool *odd)
{
	unsigned base = 10;
	size_t i = 0;

	if (s.n == 0)
		return false;
	if (s.n >= 2 && s.p[0] == '0' && (s.p[1] | 0x20) == 'x') {
		base = 16;
		i = 2;
	} else if (s.n >= 2 && s.p[0] == '0') {
		base = 8;
		i = 1;
	}
	*odd |= base != 10;
	for (*out = 0; i < s.n; i++) {
		int c = s.p[i] | 0x20;
		unsigned d = s.p[i] >= '0' && s.p[i] <= '9' ? (unsigned)(s.p[i] - '0') :
			c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10) : 99;
		if (d >= base)
			return false;
		if (*out <= UINT32_MAX) /* too large stays too large */
			*out = *out * base + d;
	}
	return true;
}

static struct sv last_label(struct sv s)
{
	const char *dot = s.n > 0 ? memrchr(s.p, '.', s.n) : NULL;
	if (dot == NULL)
		return s;
	return (struct sv){ dot + 1, (size_t)(s.p + s.n - dot) - 1 };
}

static bool all_digits(struct sv s)
{
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
	}
	return s.n > 0;
}

/* -1: not one. WHATWG: what ends in a number is an address or nothing. */
static bool ipv4(struct sv s, uint32_t *ip, bool *odd)
{
	uint64_t v[4] = { 0 }, sum = 0;
	size_t n = 0;

	while (n < 4) {
		const char *dot = memchr(s.p, '.', s.n);
		size_t len = dot != NULL ? (size_t)(dot - s.p) : s.n;
		if (!part((struct sv){ s.p, len }, &v[n++], odd))
			return false;
		if (dot == NULL)
			break;
		s = (struct sv){ dot + 1, s.n - len - 1 };
		if (n == 4)
			return false;
	}
	for (size_t i = 0; i + 1 < n; i++) {
		if (v[i] > 255)
			return false;
		sum |= v[i] << (24 - 8 * i);
	}
	if (v[n - 1] >= UINT64_C(1) << (8 * (5 - n)))
		return false;
	*odd |= n != 4;
	*ip = (uint32_t)(sum | v[n - 1]);
	return true;
}

/* The IPv4 address inside of ::ffff:a.b.c.d, ::a.b.c.d, 64:ff9b:: and 2002::. */
static bool inner4(const uint8_t b[16], uint32_t *ip)
{
	static const uint8_t zero[12], nat[12] = { 0, 0x64, 0xff, 0x9b };
	size_t at = 12;

	if (b[0] == 0x20 && b[1] == 0x02)
		at = 2;
	else if (memcmp(b, nat, 12) != 0 && !(memcmp(b, zero, 10) == 0 &&
		((b[10] == 0xff && b[11] == 0xff) || (b[10] == 0 && b[11] == 0 &&
		(b[12] | b[13]) != 0))))
		return false;
	*ip = (uint32_t)b[at] << 24 | (uint32_t)b[at + 1] << 16 |
		(uint32_t)b[at + 2] << 8 | b[at + 3];
	return true;
}

static void ipv6(struct sv s, struct host *h)
{
	static const uint8_t one[16] = { [15] = 1 }, none[16],
		aws[16] = { 0xfd, 0, 0x0e, 0xc2, [14] = 0x02, [15] = 0x54 };
	char z[64];
	uint8_t b[16];
	uint32_t in;
	const char *pct;

	h->kind = HOST_IPV6;
	if (s.n > 0 && s.p[0] == '[')
		s = (struct sv){ s.p + 1, s.n - 1 - (s.p[s.n - 1] == ']') };
	pct = memchr(s.p, '%', s.n);
	if (pct != NULL) {
		h->zone = (struct sv){ pct + 1, (size_t)(s.p + s.n - pct) - 1 };
		if (sv_starts(h->zone, "25") && h->zone.n > 2) /* RFC 6874 */
			h->zone = (struct sv){ h->zone.p + 2, h->zone.n - 2 };
		s.n = (size_t)(pct - s.p);
		h->odd_ip = true;
	}
	if (s.n == 0 || s.n >= sizeof(z)) {
		h->bad = "ipv6";
		return;
	}
	memcpy(z, s.p, s.n);
	z[s.n] = 0;
	if (strlen(z) != s.n || inet_pton(AF_INET6, z, b) != 1) {
		h->bad = "ipv6";
		return;
	}
	inet_ntop(AF_INET6, b, h->ip, sizeof(h->ip));
	if (inner4(b, &in)) {
		h->odd_ip = true;
		judge4(in, h);
	}
	h->loopback |= memcmp(b, one, 16) == 0 || memcmp(b, none, 16) == 0;
	h->private_net |= (b[0] & 0xfe) == 0xfc;
	h->link_local |= b[0] == 0xfe && (b[1] & 0xc0) == 0x80;
	h->metadata_service |= memcmp(b, aws, 16) == 0;
}

bool host_ip(struct sv s, struct host *h)
{
	struct sv last = last_label(s);
	uint64_t v;
	uint32_t ip;
	bool odd = false;

	if ((s.n > 0 && s.p[0] == '[') || memchr(s.p, ':', s.n) != NULL) {
		ipv6(s, h);
		return true;
	}
	if (!all_digits(last) && !part(last, &v, &odd))
		return false;
	if (!(last.p[0] >= '0' && last.p[0] <= '9'))
		return false;
	h->kind = HOST_IPV4;
	odd = false;
	if (!ipv4(s, &ip, &odd)) {
		h->bad = "ipv4";
		return true;
	}
	ip = htonl(ip);
	inet_ntop(AF_INET, &ip, h->ip, sizeof(h->ip));
	h->odd_ip |= odd;
	judge4(ntohl(ip), h);
	return true;
}
