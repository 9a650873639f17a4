/*
 * host.c - one host: its forms and what it is (see url.h).
 */
#include <idn2.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "lang/host_priv.h"

/* WHATWG URL, forbidden domain code points. */
static bool forbidden(char c)
{
	return (unsigned char)c <= ' ' || c == 0x7f ||
		strchr("#/:<>?@[\\]^|%", c) != NULL;
}

static bool ascii(struct sv s)
{
	for (size_t i = 0; i < s.n; i++) {
		if ((unsigned char)s.p[i] >= 0x80)
			return false;
	}
	return true;
}

static struct sv lower(struct sv s, struct arena *a)
{
	char *out = arena_strz(a, s);

	if (out == NULL)
		return SV_NONE;
	for (size_t i = 0; i < s.n; i++) {
		if (out[i] >= 'A' && out[i] <= 'Z')
			out[i] |= 0x20;
	}
	return (struct sv){ out, s.n };
}

static bool has_punycode(struct sv s)
{
	for (size_t i = 0; i + 4 <= s.n; i++) {
		if ((i == 0 || s.p[i - 1] == '.') && memcmp(s.p + i, "xn--", 4) == 0)
			return true;
	}
	return false;
}

static const char *label_error(struct sv s)
{
	size_t from = 0;

	if (s.n > 253)
		return "too_long";
	for (size_t i = 0; i <= s.n; i++) {
		if (i < s.n && s.p[i] != '.')
			continue;
		if (i == from)
			return "empty";
		if (i - from > 63)
			return "label_length";
		from = i + 1;
	}
	return NULL;
}

/* UTS #46, as a browser and curl do it. low: lower case, NUL-terminated. */
static void idna(struct sv low, struct arena *a, struct host *h)
{
	char *out = NULL;
	int flags = IDN2_NFC_INPUT | IDN2_NONTRANSITIONAL;

	if (ascii(low)) {
		h->a_label = low;
	} else if (idn2_to_ascii_8z(low.p, &out, flags) == IDN2_OK) {
		h->a_label = arena_sv(a, sv_of(out));
	} else {
		h->bad = "idna";
	}
	free(out);
	out = NULL;
	h->punycode = has_punycode(h->a_label);
	h->u_label = h->bad != NULL ? low : h->a_label;
	if (!h->punycode)
		return;
	if (idn2_to_unicode_8z8z(h->a_label.p, &out, flags) == IDN2_OK)
		h->u_label = arena_sv(a, sv_of(out));
	else
		h->bad = "idna"; /* resolvers may still look it up */
	free(out);
}

static bool ends_in(struct sv s, const char *name)
{
	size_t n = strlen(name);

	return sv_ends(s, name) && (s.n == n || s.p[s.n - n - 1] == '.');
}

/* Names that mean this machine or this network. */
static void local_names(struct host *h)
{
	static const char *const here[] = { "localhost", "localtest.me", "lvh.me",
		"vcap.me", "localhost.localdomain" };
	static const char *const net[] = { "local", "internal", "lan", "home.arpa",
		"intranet", "corp", "localdomain" };
	static const char *const cloud[] = { "metadata.google.internal",
		"metadata.goog", "instance-data.ec2.internal", "metadata" };

	for (size_t i = 0; i < sizeof(here) / sizeof(here[0]); i++)
		h->loopback |= ends_in(h->a_label, here[i]);
	for (size_t i = 0; i < sizeof(net) / sizeof(net[0]); i++)
		h->private_net |= ends_in(h->a_label, net[i]);
	for (size_t i = 0; i < sizeof(cloud) / sizeof(cloud[0]); i++)
		h->metadata_service |= sv_eqs(h->a_label, cloud[i]);
}

static void name(struct sv low, struct arena *a, struct host *h)
{
	for (size_t i = 0; i < low.n && h->bad == NULL; i++) {
		if (forbidden(low.p[i]))
			h->bad = "forbidden";
	}
	if (h->bad != NULL) {
		h->u_label = low;
		return;
	}
	idna(low, a, h);
	if (h->a_label.n > 0 && h->a_label.p[h->a_label.n - 1] == '.') {
		h->trailing_dot = true; /* of U+3002 */
		h->a_label.n--;
		if (h->u_label.n > 0)
			h->u_label.n--;
	}
	h->mapping_changed = !ascii(low) && !sv_eq(low, h->u_label) && h->bad == NULL;
	if (h->bad == NULL && host_ip(h->a_label, h)) {
		h->odd_ip |= h->mapping_changed;
		return;
	}
	/* Full-width forms of these become plain ones by the mapping. */
	for (size_t i = 0; i < h->a_label.n && h->bad == NULL; i++) {
		if (forbidden(h->a_label.p[i]))
			h->bad = "forbidden";
	}
	if (h->bad == NULL)
		h->bad = label_error(h->a_label);
	local_names(h);
	host_look(h);
}

static void parse(struct sv text, struct arena *a, struct host *out)
{
	struct sv low;

	memset(out, 0, sizeof(*out));
	out->kind = HOST_NAME;
	if (text.n > HOST_MAX_BYTES) {
		out->given = text;
		out->bad = "too_long";
		return;
	}
	out->given = text;
	if (text.n == 0 || text.p[0] != '[') {
		out->given = percent_decode(text, false, a);
		out->percent = !sv_eq(out->given, text);
	}
	out->non_ascii = !ascii(out->given);
	low = lower(out->given, a);
	if (low.p == NULL || low.n == 0) {
		out->kind = HOST_NONE;
		out->bad = "empty";
		return;
	}
	if (!utf8_valid(low) || memchr(low.p, 0, low.n) != NULL) {
		out->bad = "utf8";
		return;
	}
	if (low.p[0] == '[' || (memchr(low.p, ':', low.n) != NULL && ascii(low))) {
		host_ip(low, out);
		return;
	}
	if (low.n > 1 && low.p[low.n - 1] == '.') {
		out->trailing_dot = true;
		low = (struct sv){ arena_strz(a, (struct sv){ low.p, low.n - 1 }), low.n - 1 };
		if (low.p == NULL)
			return;
	}
	name(low, a, out);
	out->non_ascii |= !ascii(out->u_label);
}

void host_parse(struct sv text, struct arena *a, struct host *out)
{
	parse(text, a, out);
	if (out->ip[0] != 0)
		out->a_label = out->u_label = arena_sv(a, sv_of(out->ip));
}
