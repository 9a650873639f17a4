/*
 * url.c - URLs and forms (see url.h).
 */
#include "lang/url.h"

#include <string.h>

#include "lang/host_priv.h"

static int hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

struct sv percent_decode(struct sv s, bool plus, struct arena *a)
{
	char *out;
	size_t n = 0;

	if (s.n == 0 || (memchr(s.p, '%', s.n) == NULL &&
		!(plus && memchr(s.p, '+', s.n) != NULL)))
		return s;
	out = arena_alloc(a, s.n + 1);
	if (out == NULL)
		return s;
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '%' && i + 2 < s.n && hex(s.p[i + 1]) >= 0 &&
			hex(s.p[i + 2]) >= 0) {
			out[n++] = (char)(hex(s.p[i + 1]) * 16 + hex(s.p[i + 2]));
			i += 2;
		} else {
			out[n++] = plus && s.p[i] == '+' ? ' ' : s.p[i];
		}
	}
	return (struct sv){ out, n };
}

void form_each(struct sv s, struct arena *a,
	void (*fn)(void *arg, struct sv name, struct sv value), void *arg)
{
	while (s.n > 0) {
		const char *amp = memchr(s.p, '&', s.n), *eq;
		struct sv pair = { s.p, amp != NULL ? (size_t)(amp - s.p) : s.n };
		struct sv name = pair, value = { s.p + pair.n, 0 };

		eq = pair.n > 0 ? memchr(pair.p, '=', pair.n) : NULL;
		if (eq != NULL) {
			name.n = (size_t)(eq - pair.p);
			value = (struct sv){ eq + 1, pair.n - name.n - 1 };
		}
		if (pair.n > 0)
			fn(arg, percent_decode(name, true, a), percent_decode(value, true, a));
		s.p += pair.n + (amp != NULL);
		s.n -= pair.n + (amp != NULL);
	}
}

/* WHATWG: blanks and controls at the ends go, tabs and newlines go anywhere. */
static struct sv clean(struct sv s, struct arena *a, struct url *u)
{
	char *out;
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];
		u->blanks |= c == ' ';
		u->controls |= c < ' ' || c == 0x7f;
	}
	while (s.n > 0 && (unsigned char)s.p[0] <= ' ') {
		s.p++;
		s.n--;
	}
	while (s.n > 0 && (unsigned char)s.p[s.n - 1] <= ' ')
		s.n--;
	if (!u->controls)
		return s;
	out = arena_alloc(a, s.n + 1);
	if (out == NULL)
		return SV_NONE;
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] != '\t' && s.p[i] != '\n' && s.p[i] != '\r')
			out[n++] = s.p[i];
	}
	return (struct sv){ out, n };
}

static bool is_alpha(char c)
{
	return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

static bool read_scheme(struct sv *s, struct arena *a, struct url *u)
{
	size_t i = 0;
	char *out;

	while (i < s->n && i < 64 && (is_alpha(s->p[i]) || (i > 0 &&
		((s->p[i] >= '0' && s->p[i] <= '9') || strchr("+-.", s->p[i]) != NULL))))
		i++;
	if (i == 0 || i >= s->n || s->p[i] != ':')
		return false;
	out = arena_strz(a, (struct sv){ s->p, i });
	for (size_t j = 0; out != NULL && j < i; j++) {
		if (out[j] >= 'A' && out[j] <= 'Z')
			out[j] |= 0x20;
	}
	u->scheme = (struct sv){ out, out != NULL ? i : 0 };
	*s = (struct sv){ s->p + i + 1, s->n - i - 1 };
	return true;
}

static bool is_special(struct sv scheme)
{
	return sv_eqs(scheme, "http") || sv_eqs(scheme, "https") || sv_eqs(scheme, "ws") ||
		sv_eqs(scheme, "wss") || sv_eqs(scheme, "ftp");
}

static size_t find_any(struct sv s, const char *set)
{
	size_t i;

	for (i = 0; i < s.n; i++) {
		if (s.p[i] != 0 && strchr(set, s.p[i]) != NULL)
			break;
	}
	return i;
}

static struct sv from(struct sv s, size_t i)
{
	return (struct sv){ s.p + i, s.n - i };
}

/* host[:port] of what stands behind the last '@'. */
static struct sv host_of(struct sv authority, struct sv *port)
{
	const char *at = authority.n > 0 ? memrchr(authority.p, '@', authority.n) : NULL;
	struct sv s = at != NULL ? from(authority, (size_t)(at - authority.p) + 1) : authority;
	const char *colon, *close;

	close = s.n > 0 && s.p[0] == '[' ? memchr(s.p, ']', s.n) : NULL;
	*port = SV_NONE;
	if (close != NULL) {
		size_t n = (size_t)(close - s.p) + 1;
		if (n < s.n && s.p[n] == ':')
			*port = from(s, n + 1);
		else if (n < s.n)
			return s; /* bytes behind "]": no host */
		return (struct sv){ s.p, n };
	}
	colon = s.n > 0 ? memrchr(s.p, ':', s.n) : NULL;
	if (colon == NULL)
		return s;
	*port = from(s, (size_t)(colon - s.p) + 1);
	return (struct sv){ s.p, (size_t)(colon - s.p) };
}

static bool same_host(struct sv a, struct sv b)
{
	if (a.n != b.n)
		return false;
	for (size_t i = 0; i < a.n; i++) {
		char c = a.p[i], d = b.p[i];
		if ((is_alpha(c) ? c | 0x20 : c) != (is_alpha(d) ? d | 0x20 : d))
			return false;
	}
	return true;
}

static bool read_port(struct sv port, struct url *u)
{
	uint64_t v;

	if (port.n == 0)
		return true;
	if (!sv_u64(port, &v) || v > 65535)
		return false;
	u->port = (uint32_t)v;
	return true;
}

/* s: behind "scheme:" and the slashes. */
static void authority(struct sv s, const char *ends, struct arena *a, struct url *u)
{
	size_t end = find_any(s, ends), other_end = find_any(s, "/");
	struct sv auth = { s.p, end }, other = { s.p, other_end }, port, skip, h;
	const char *at = end > 0 ? memrchr(s.p, '@', end) : NULL;

	if (at != NULL) {
		u->has_userinfo = true;
		u->userinfo = (struct sv){ s.p, (size_t)(at - s.p) };
		u->has_password = memchr(s.p, ':', u->userinfo.n) != NULL;
	}
	h = host_of(auth, &port);
	host_parse(h, a, &u->host);
	/* RFC 3986 readers, and old ones, look for the '@' up to the '/'; strict
	 * ones take the first '@'. */
	if (!same_host(host_of(other, &skip), h))
		u->host_other = host_of(other, &skip);
	else if (at != NULL && memchr(s.p, '@', (size_t)(at - s.p)) != NULL) {
		const char *first = memchr(s.p, '@', (size_t)(at - s.p));
		struct sv rest = from(auth, (size_t)(first - s.p) + 1);
		u->host_other = (struct sv){ rest.p, find_any(rest, "@:") };
	}
	if (!read_port(port, u))
		u->why = "bad_port";
	else if (u->host.kind == HOST_NONE)
		u->why = "no_host";
	else if (u->host.bad != NULL)
		u->why = "bad_host";
	u->path = from(s, end);
}

static void tail(struct url *u)
{
	struct sv s = u->path;
	size_t i = find_any(s, "#");

	if (i < s.n)
		u->fragment = from(s, i + 1);
	s.n = i;
	i = find_any(s, "?");
	if (i < s.n)
		u->query = from(s, i + 1);
	s.n = i;
	u->path = s;
}

void url_parse(struct sv text, struct arena *a, struct url *out)
{
	struct sv s;
	size_t slashes = 0;
	bool special;

	memset(out, 0, sizeof(*out));
	if (text.n > URL_MAX_BYTES) {
		out->why = "too_long";
		return;
	}
	s = clean(text, a, out);
	if (s.n == 0) {
		out->why = arena_over(a) ? "memory" : "empty";
		return;
	}
	if (!read_scheme(&s, a, out)) {
		out->why = "no_scheme";
		return;
	}
	special = is_special(out->scheme);
	out->backslash = memchr(s.p, '\\', find_any(s, "?#")) != NULL;
	while (slashes < s.n && (s.p[slashes] == '/' || (special && s.p[slashes] == '\\')))
		slashes++;
	out->path = s;
	if (special) {
		out->odd_slashes = slashes != 2;
		authority(from(s, slashes), "/\\?#", a, out);
	} else if (slashes >= 2) {
		/* file:///path has no host. */
		if (slashes == 2)
			authority(from(s, 2), "/?#", a, out);
		else
			out->path = from(s, 2);
	}
	tail(out);
	out->ok = out->why == NULL && !arena_over(a);
	if (arena_over(a))
		out->why = "memory";
}
