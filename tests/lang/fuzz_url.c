/*
 * fuzz_url.c - whatever comes: what is ok has a scheme, parts lie inside the
 * arena's or the given bytes, and what is connected to is plain ASCII.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "lang/url.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int ok)
{
	if (!ok)
		abort();
}

static void read_all(struct sv s)
{
	volatile unsigned char sum = 0;

	for (size_t i = 0; i < s.n; i++)
		sum = (unsigned char)(sum + (unsigned char)s.p[i]);
}

static void check_host(const struct host *h)
{
	read_all(h->given);
	read_all(h->zone);
	read_all(h->lookalike_of);
	check(memchr(h->ip, 0, sizeof(h->ip)) != NULL);
	check(h->bad != NULL || h->kind != HOST_NAME || h->a_label.n > 0);
	check((h->kind != HOST_IPV4 && h->kind != HOST_IPV6) || h->bad != NULL ||
		h->ip[0] != 0);
	for (size_t i = 0; i < h->a_label.n && h->bad == NULL; i++)
		check((unsigned char)h->a_label.p[i] > ' ' &&
			(unsigned char)h->a_label.p[i] < 0x7f && h->a_label.p[i] != '/');
	check(h->bad != NULL || utf8_valid(h->u_label));
}

static void pair(void *arg, struct sv name, struct sv value)
{
	(void)arg;
	read_all(name);
	read_all(value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sv text = { (const char *)data, size };
	struct arena *a = arena_new(1 << 22);
	struct host h;
	struct url u;

	url_parse(text, a, &u);
	check(u.ok == (u.why == NULL));
	check(!u.ok || u.scheme.n > 0);
	read_all(u.scheme);
	read_all(u.userinfo);
	read_all(u.path);
	read_all(u.query);
	read_all(u.fragment);
	read_all(u.host_other);
	check_host(&u.host);
	host_parse(text, a, &h);
	check_host(&h);
	form_each(text, a, pair, NULL);
	arena_free(&a);
	return 0;
}
