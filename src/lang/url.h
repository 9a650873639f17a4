/*
 * url.h - URLs and hosts as a person must see them (with host*.c libidn2's
 * only user).
 *
 * Hides: IDNA (UTS #46, not transitional), the many spellings of an address,
 * Unicode's scripts and look-alikes.
 *
 * Follows the WHATWG parser where a browser would differ from RFC 3986 (a
 * backslash is a slash, tabs and newlines are dropped); where another parser
 * would go to another host, that host is in host_other: show both.
 * Frees: all in the caller's arena. Must not include: above lang/.
 */
#ifndef OBSTAT_LANG_URL_H
#define OBSTAT_LANG_URL_H

#include "base/mem.h"

#define URL_MAX_BYTES (1u << 20)
#define HOST_MAX_BYTES 1024u

enum host_kind { HOST_NONE, HOST_NAME, HOST_IPV4, HOST_IPV6 };
struct host {
	enum host_kind kind;
	struct sv given;           /* as written, percent-decoded */
	struct sv a_label, u_label;/* both forms, lower case, without the trailing
	                            * dot; a_label is what is connected to. Of an
	                            * address both are ip */
	char ip[46];               /* canonical, of HOST_IPV4/6 in any spelling (octal,
	                            * hex, one number) */
	struct sv zone;            /* of fe80::1%eth0, or none */
	bool non_ascii, punycode, mixed_script, whole_script_lookalike, trailing_dot,
	     percent /* it was percent-encoded */,
	     odd_ip /* not how people write it: 127.1, 0x7f.1, ::ffff:1.2.3.4 */,
	     mapping_changed /* IDNA dropped or changed characters */,
	     loopback, private_net, link_local, metadata_service;
	/* A well-known host it resembles (letters that look like its letters), or
	 * whose name it holds as a mere part (paypal.com.example); or none. A
	 * name that is only spelled wrong is not found. */
	struct sv lookalike_of;
	const char *bad;           /* why it cannot be a host: empty too_long idna
	                            * forbidden label_length ipv4 ipv6 utf8; or NULL */
};
struct url {
	bool ok;
	struct sv scheme;          /* lower case */
	struct sv userinfo, path, query, fragment; /* as written, tabs and newlines
	                            * dropped */
	struct host host;
	struct sv host_other;      /* the host a parser of the other school connects
	                            * to, when it is another; or none */
	uint32_t port;             /* 0: none given */
	bool has_userinfo, has_password, backslash, controls, blanks,
	     odd_slashes           /* https:/host, https:///host */;
	const char *why;           /* when not ok: empty too_long no_scheme no_host
	                            * bad_host bad_port memory */
};
void url_parse(struct sv text, struct arena *a, struct url *out);
/* text: a host as it stands in a URL (an IPv6 address in brackets or bare). */
void host_parse(struct sv text, struct arena *a, struct host *out);
/* Calls fn for each name=value of a query or form body, percent-decoded. What
 * the arena has no room for comes as it was written. */
void form_each(struct sv s, struct arena *a,
	void (*fn)(void *arg, struct sv name, struct sv value), void *arg);
/* Percent-decodes; plus: '+' is a blank. s itself when nothing is encoded. */
struct sv percent_decode(struct sv s, bool plus, struct arena *a);

#endif
