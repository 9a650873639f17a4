/*
 * test_url.c - hosts and URLs: each way to make one look like another.
 */
#include "check.h"

#include <time.h>

#include "base/text.h"
#include "lang/host_priv.h"

/* "kind a_label u_label ip flags", the flags in the order of struct host. */
static char *say(struct sv text)
{
	struct arena *a = arena_new(1 << 22);
	struct host h;
	struct buf b;
	char *s;
	size_t n;

	host_parse(text, a, &h);
	buf_init(&b, 1 << 16);
	if (h.kind == HOST_NAME)
		buf_addf(&b, "%.*s", SVFMT(h.a_label));
	if (h.ip[0] != 0)
		buf_addf(&b, "%s", h.ip);
	if (h.kind == HOST_NAME && !sv_eq(h.u_label, h.a_label))
		buf_addf(&b, " (%.*s)", SVFMT(h.u_label));
	if (h.zone.n > 0)
		buf_addf(&b, " zone %.*s", SVFMT(h.zone));
	buf_addf(&b, "%s%s%s%s%s%s%s%s%s%s%s%s", h.non_ascii ? " non-ascii" : "",
		h.punycode ? " punycode" : "", h.mixed_script ? " mixed" : "",
		h.whole_script_lookalike ? " whole-script" : "", h.trailing_dot ? " dot" : "",
		h.percent ? " percent" : "", h.odd_ip ? " odd-ip" : "",
		h.mapping_changed ? " mapped" : "", h.loopback ? " loopback" : "",
		h.private_net ? " private" : "", h.link_local ? " link-local" : "",
		h.metadata_service ? " metadata" : "");
	if (h.lookalike_of.n > 0)
		buf_addf(&b, " like %.*s", SVFMT(h.lookalike_of));
	if (h.bad != NULL)
		buf_addf(&b, " bad %s", h.bad);
	s = buf_steal(&b, &n);
	arena_free(&a);
	return s;
}

static const struct {
	const char *name;
	struct sv text;
	const char *want;
} hosts[] = {
	{ "plain", SV("api.github.com"), "api.github.com" },
	{ "upper case", SV("GitHub.COM"), "github.com" },
	{ "a name with an underscore", SV("_dmarc.example.org"), "_dmarc.example.org" },
	{ "honest IDN", SV("b\xC3\xBC" "cher.example"),
	  "xn--bcher-kva.example (b\xC3\xBC" "cher.example) non-ascii punycode" },
	{ "honest IDN as punycode", SV("xn--bcher-kva.example"),
	  "xn--bcher-kva.example (b\xC3\xBC" "cher.example) non-ascii punycode" },
	{ "not transitional: sharp s stays", SV("stra\xC3\x9F" "e.example"),
	  "xn--strae-oqa.example (stra\xC3\x9F" "e.example) non-ascii punycode" },
	{ "honest CJK beside Latin", SV("\xE4\xBE\x8B\xE3\x81\x88" "abc.example"),
	  "xn--abc-763b408n.example (\xE4\xBE\x8B\xE3\x81\x88" "abc.example) non-ascii punycode" },
	{ "mixed-script paypal", SV("p\xD0\xB0ypal.com"),
	  "xn--pypal-4ve.com (p\xD0\xB0ypal.com) non-ascii punycode mixed like paypal.com" },
	{ "whole-script Cyrillic apple",
	  SV("\xD0\xB0\xD1\x80\xD1\x80\xD3\x8F\xD0\xB5.com"),
	  "xn--80ak6aa92e.com (\xD0\xB0\xD1\x80\xD1\x80\xD3\x8F\xD0\xB5.com) non-ascii "
	  "punycode whole-script like apple.com" },
	{ "the same as punycode", SV("xn--80ak6aa92e.com"),
	  "xn--80ak6aa92e.com (\xD0\xB0\xD1\x80\xD1\x80\xD3\x8F\xD0\xB5.com) non-ascii "
	  "punycode whole-script like apple.com" },
	{ "a Cyrillic word that looks like none", SV("\xD1\x8D\xD1\x82\xD0\xBE\xD0\xB6.example"),
	  "xn--f1apl7b.example (\xD1\x8D\xD1\x82\xD0\xBE\xD0\xB6.example) non-ascii punycode" },
	{ "rnicrosoft", SV("login.rnicrosoft.com"), "login.rnicrosoft.com like microsoft.com" },
	{ "paypa1", SV("paypa1.com"), "paypa1.com like paypal.com" },
	{ "g1thub", SV("g1thub.com"), "g1thub.com like github.com" },
	{ "vvikipedia", SV("vvikipedia.org"), "vvikipedia.org like wikipedia.org" },
	{ "dots below letters", SV("g\xE1\xBB\x8Bthub.com"),
	  "xn--gthub-q81b.com (g\xE1\xBB\x8Bthub.com) non-ascii punycode like github.com" },
	{ "a known name as a mere part", SV("github.com.evil.example"),
	  "github.com.evil.example like github.com" },
	{ "a known name before a hyphen", SV("paypal.com-login.example"),
	  "paypal.com-login.example like paypal.com" },
	{ "it is the known host", SV("raw.githubusercontent.com"), "raw.githubusercontent.com" },
	{ "U+200B dropped by IDNA mapping", SV("ex\xE2\x80\x8B" "ample.com"),
	  "example.com non-ascii mapped" },
	{ "U+00AD dropped by IDNA mapping", SV("git\xC2\xADhub.com"),
	  "github.com non-ascii mapped" },
	{ "full-width letters", SV("\xEF\xBD\x87ithub.com"), "github.com non-ascii mapped" },
	{ "an ideographic full stop", SV("github.com\xE3\x80\x82" "evil.example"),
	  "github.com.evil.example non-ascii mapped like github.com" },
	{ "a full-width slash", SV("good.com\xEF\xBC\x8F" "evil.example"),
	  "good.com/evil.example non-ascii mapped bad forbidden" },
	{ "care-of sign becomes c/o", SV("evil.c\xE2\x84\x80.com"),
	  "evil.ca/c.com non-ascii mapped bad forbidden" },
	{ "trailing dot", SV("github.com."), "github.com dot" },
	{ "percent-encoded host", SV("g%69thub.com"), "github.com percent" },
	{ "percent-encoded slash", SV("good.com%2Fevil.example"),
	  " (good.com/evil.example) percent bad forbidden" },
	{ "percent-encoded NUL", SV("good.com%00.evil.example"), " percent bad utf8" },
	{ "two dots", SV("a..b"), "a..b bad empty" },
	{ "IPv4", SV("192.168.1.10"), "192.168.1.10 private" },
	{ "IPv4 octal", SV("0177.0.0.1"), "127.0.0.1 odd-ip loopback" },
	{ "IPv4 hex", SV("0x7f.0x0.0x0.0x1"), "127.0.0.1 odd-ip loopback" },
	{ "IPv4 one number", SV("2130706433"), "127.0.0.1 odd-ip loopback" },
	{ "IPv4 one hex number", SV("0x7f000001"), "127.0.0.1 odd-ip loopback" },
	{ "IPv4 short", SV("127.1"), "127.0.0.1 odd-ip loopback" },
	{ "IPv4 with a leading zero", SV("010.0.0.1"), "8.0.0.1 odd-ip" },
	{ "IPv4 in full-width digits", SV("\xEF\xBC\x91\xEF\xBC\x92\xEF\xBC\x97.0.0.1"),
	  "127.0.0.1 non-ascii odd-ip mapped loopback" },
	{ "IPv4 trailing dot", SV("127.0.0.1."), "127.0.0.1 dot loopback" },
	{ "IPv4 too large", SV("256.1.1.1"), " bad ipv4" },
	{ "IPv4 too long a number", SV("4294967296"), " bad ipv4" },
	{ "IPv4 five parts", SV("1.2.3.4.5"), " bad ipv4" },
	{ "a name that ends in a number", SV("foo.123"), " bad ipv4" },
	{ "0.0.0.0", SV("0.0.0.0"), "0.0.0.0 loopback" },
	{ "metadata service", SV("169.254.169.254"), "169.254.169.254 link-local metadata" },
	{ "metadata service as a number", SV("2852039166"),
	  "169.254.169.254 odd-ip link-local metadata" },
	{ "metadata service by name", SV("metadata.google.internal"),
	  "metadata.google.internal private metadata" },
	{ "IPv6", SV("[2001:db8::1]"), "2001:db8::1" },
	{ "IPv6 loopback", SV("[::1]"), "::1 loopback" },
	{ "IPv6 long form", SV("[0:0:0:0:0:0:0:1]"), "::1 loopback" },
	{ "IPv6 that holds IPv4", SV("[::ffff:127.0.0.1]"),
	  "::ffff:127.0.0.1 odd-ip loopback" },
	{ "IPv6 that holds IPv4 in hex", SV("[::ffff:a9fe:a9fe]"),
	  "::ffff:169.254.169.254 odd-ip link-local metadata" },
	{ "IPv6 NAT64", SV("[64:ff9b::7f00:1]"), "64:ff9b::7f00:1 odd-ip loopback" },
	{ "IPv6 zone", SV("[fe80::1%25eth0]"), "fe80::1 zone eth0 odd-ip link-local" },
	{ "IPv6 private", SV("[fd12::1]"), "fd12::1 private" },
	{ "IPv6 broken", SV("[::g]"), " bad ipv6" },
	{ "localhost", SV("localhost"), "localhost loopback" },
	{ "below localhost", SV("x.localhost"), "x.localhost loopback" },
	{ "a name that is localhost", SV("lvh.me"), "lvh.me loopback" },
	{ "mdns", SV("printer.local"), "printer.local private" },
	{ "invalid UTF-8", SV("a\xC0\xAF" "b"), " non-ascii bad utf8" },
	{ "right-to-left override", SV("a\xE2\x80\xAE" "b.com"),
	  " (a\xE2\x80\xAE" "b.com) non-ascii mixed bad idna" },
	{ "broken punycode", SV("xn--a-\x01.com"), " (xn--a-\x01.com) bad forbidden" },
	{ "empty", SV(""), " bad empty" },
};

static void host(void **state)
{
	int bad = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(hosts) / sizeof(hosts[0]); i++) {
		char *got = say(hosts[i].text);
		if (strcmp(got, hosts[i].want) != 0) {
			print_error("%s\n  want %s\n  got  %s\n", hosts[i].name, hosts[i].want,
				got);
			bad++;
		}
		free(got);
	}
	assert_int_equal(bad, 0);
}

static char *say_url(struct sv text)
{
	struct arena *a = arena_new(1 << 22);
	struct url u;
	struct buf b;
	char *s;
	size_t n;

	url_parse(text, a, &u);
	buf_init(&b, 1 << 16);
	buf_addf(&b, "%.*s ", SVFMT(u.scheme));
	buf_addf(&b, "%.*s", SVFMT(u.host.a_label));
	if (u.port != 0)
		buf_addf(&b, ":%u", u.port);
	buf_addf(&b, " %.*s", SVFMT(u.path));
	if (u.query.p != NULL)
		buf_addf(&b, " ?%.*s", SVFMT(u.query));
	if (u.fragment.p != NULL)
		buf_addf(&b, " #%.*s", SVFMT(u.fragment));
	if (u.has_userinfo)
		buf_addf(&b, " user %.*s", SVFMT(u.userinfo));
	if (u.host_other.n > 0)
		buf_addf(&b, " or %.*s", SVFMT(u.host_other));
	buf_addf(&b, "%s%s%s%s%s", u.has_password ? " password" : "",
		u.backslash ? " backslash" : "", u.controls ? " controls" : "",
		u.blanks ? " blanks" : "", u.odd_slashes ? " slashes" : "");
	if (u.why != NULL)
		buf_addf(&b, " bad %s", u.why);
	assert_true(u.ok == (u.why == NULL));
	s = buf_steal(&b, &n);
	arena_free(&a);
	return s;
}

static const struct {
	const char *name;
	struct sv text;
	const char *want;
} urls[] = {
	{ "plain", SV("https://example.org:8443/a/b?c=d#e"),
	  "https example.org:8443 /a/b ?c=d #e" },
	{ "no path", SV("HTTP://Example.ORG"), "http example.org " },
	{ "good.com@evil", SV("https://good.com@evil.example/"),
	  "https evil.example / user good.com" },
	{ "good.com:443@evil", SV("https://good.com:443@evil.example/"),
	  "https evil.example / user good.com:443 password" },
	{ "encoded @ stays in the user", SV("https://good.com%40x@evil.example/"),
	  "https evil.example / user good.com%40x" },
	{ "two @", SV("https://a@good.com@evil.example/"),
	  "https evil.example / user a@good.com or good.com" },
	{ "backslash before @", SV("https://evil.example\\@good.com/"),
	  "https evil.example \\@good.com/ or good.com backslash" },
	{ "backslashes for slashes", SV("https:\\\\evil.example\\x"),
	  "https evil.example \\x or evil.example\\x backslash" },
	{ "# before @", SV("https://evil.example#@good.com/"),
	  "https evil.example  #@good.com/ or good.com" },
	{ "? before @", SV("https://evil.example?@good.com/"),
	  "https evil.example  ?@good.com/ or good.com" },
	{ "a tab inside the scheme", SV("ht\ttps://ev\nil.example/\r"),
	  "https evil.example / controls" },
	{ "blanks around", SV("  https://example.org/ "), "https example.org / blanks" },
	{ "a blank in the host", SV("https://exa mple.org/"), "https  / blanks bad bad_host" },
	{ "one slash", SV("https:/evil.example/x"), "https evil.example /x slashes" },
	{ "no slash", SV("https:evil.example"), "https evil.example  slashes" },
	{ "three slashes", SV("https:///evil.example/"), "https evil.example / slashes" },
	{ "no scheme", SV("//evil.example/x"), "   bad no_scheme" },
	{ "file", SV("file:///etc/passwd"), "file  /etc/passwd" },
	{ "file on another host", SV("file://evil.example/x"), "file evil.example /x" },
	{ "database with a password", SV("postgres://u:p@db.example:5432/x"),
	  "postgres db.example:5432 /x user u:p password" },
	{ "no authority", SV("mailto:a@example.org"), "mailto  a@example.org" },
	{ "javascript", SV("javascript:alert(1)"), "javascript  alert(1)" },
	{ "IPv6 with a port", SV("http://[::1]:80/"), "http ::1:80 /" },
	{ "bytes behind the bracket", SV("http://[::1]evil.example/"), "http  / bad bad_host" },
	{ "one number", SV("http://2130706433/"), "http 127.0.0.1 /" },
	{ "port too large", SV("http://a:65536/"), "http a / bad bad_port" },
	{ "port is no number", SV("http://a:8x/"), "http a / bad bad_port" },
	{ "port is empty", SV("http://a:/"), "http a /" },
	{ "no host", SV("https://"), "https   bad no_host" },
	{ "no host but a port", SV("https://:80/"), "https :80 / bad no_host" },
	{ "U+200B in the host", SV("https://git\xE2\x80\x8Bhub.com/"), "https github.com /" },
	{ "empty", SV(" "), "   blanks bad empty" },
};

static void url(void **state)
{
	int bad = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(urls) / sizeof(urls[0]); i++) {
		char *got = say_url(urls[i].text);
		if (strcmp(got, urls[i].want) != 0) {
			print_error("%s\n  want %s\n  got  %s\n", urls[i].name, urls[i].want, got);
			bad++;
		}
		free(got);
	}
	assert_int_equal(bad, 0);
}

static void pair(void *arg, struct sv name, struct sv value)
{
	struct buf *b = arg;
	buf_addf(b, "[%.*s=%.*s]", SVFMT(name), SVFMT(value));
}

static void form(void **state)
{
	struct arena *a = arena_new(1 << 16);
	struct buf b;

	(void)state;
	buf_init(&b, 4096);
	form_each(SV("a=1&b=x+y%20z&&c&=d&e=f=g&h=%zz%4&%61=%e2%82%ac"), a, pair, &b);
	assert_true(sv_eqs(buf_sv(&b),
		"[a=1][b=x y z][c=][=d][e=f=g][h=%zz%4][a=\xE2\x82\xAC]"));
	buf_free(&b);
	arena_free(&a);
}

static void tables(void **state)
{
	(void)state;
	for (size_t i = 1; i < n_alikes; i++)
		assert_true(alikes[i - 1].cp < alikes[i].cp);
	for (size_t i = 1; i < n_script_ranges; i++)
		assert_true(script_ranges[i - 1].to < script_ranges[i].from);
	assert_true(n_known_hosts >= 100);
	/* No known host looks like another: each must be let alone. */
	for (size_t i = 0; i < n_known_hosts; i++) {
		char *got = say(sv_of(known_hosts[i]));
		assert_string_equal(got, known_hosts[i]);
		free(got);
	}
}

static double seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* A host of the longest kind, and a URL: no spelling takes long. */
static void time_is_bounded(void **state)
{
	static const char *const pieces[] = { "a", ".", "@", ":", "/", "\\", "%", "%41", "?",
		"#", "[", "\xD0\xB0", "xn--", "1.", "0x", "rn" };
	static char text[(1 << 20) + 1];

	(void)state;
	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		size_t n = strlen(pieces[i]), at = 8;
		double from = seconds();
		struct arena *a = arena_new(16 << 20);
		struct url u;
		struct host h;
		memcpy(text, "https://", 8);
		for (; at < sizeof(text) - 1; at++)
			text[at] = pieces[i][(at - 8) % n];
		url_parse((struct sv){ text, sizeof(text) - 1 }, a, &u);
		for (size_t len = 0; len <= 1024; len += 64)
			host_parse((struct sv){ text + 8, len }, a, &h);
		arena_free(&a);
		assert_true(seconds() - from < 2.0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(host), cmocka_unit_test(url), cmocka_unit_test(form),
		cmocka_unit_test(tables), cmocka_unit_test(time_is_bounded),
	};
	return cmocka_run_group_tests_name("url", tests, NULL, NULL);
}
