/*
 * body.h - HTTP bodies by their type: JSON, form, multipart, GraphQL, XML,
 * text, binary, compressed (gzip is opened up to a limit, by body.c, zlib's
 * only user; deflate, br and zstd are only said).
 *
 * Frees: all in the caller's arena; what is not decoded is borrowed from the
 * given bytes. Must not include: above lang/.
 *
 * A server may read a body as something else than it is declared to be, so
 * what it is by its bytes is said, and a difference too.
 */
#ifndef OBSTAT_LANG_BODY_H
#define OBSTAT_LANG_BODY_H

#include "base/mem.h"

#define BODY_MAX_DECODED (16u << 20)   /* bytes, of a gzip body when opened */
#define BODY_MAX_PARTS 10000u
#define BODY_MAX_HEADERS (64u << 10)   /* bytes, of one part of a multipart */

enum body_kind { BODY_EMPTY, BODY_JSON, BODY_FORM, BODY_MULTIPART, BODY_GRAPHQL,
	BODY_XML, BODY_TEXT, BODY_BINARY, BODY_COMPRESSED };
struct body_part { struct sv name, filename, type, bytes; };
struct body {
	enum body_kind kind;
	bool mismatch;             /* declared as one thing, is another */
	struct body_part *parts;   /* of form and multipart */
	size_t n_parts;
	const char *coding;        /* "gzip", "deflate", "br", "zstd", "base64", "compress",
	                            * "other", or NULL */
	struct sv decoded;         /* after the coding; bytes when none */
	const char *graphql;       /* the most that it may run: "mutation",
	                            * "subscription", "query"; or NULL */
	/* A stable reason, or NULL. It could not be opened (COMPRESSED): too_large
	 * corrupt trailing_bytes unknown_coding nested_coding memory. It was, but:
	 * charset json (refused as base/json.h does, duplicate keys too)
	 * unterminated stray_bytes bare_newline no_boundary no_name too_many
	 * persisted_query base64. */
	const char *why;
};
void body_parse(struct sv content_type, struct sv content_encoding, struct sv bytes,
	struct arena *a, struct body *out);
/* What a string is by its content: JSON, SQL, a diff, a URL, shell, base64,
 * HTML, or just text: for drawing embedded things as what they are. A guess:
 * nothing is decided by it. Looks at no more than 64 KiB. */
enum looks { LOOKS_TEXT, LOOKS_JSON, LOOKS_SQL, LOOKS_DIFF, LOOKS_URL, LOOKS_SHELL,
	LOOKS_BASE64, LOOKS_HTML };
enum looks text_looks_like(struct sv s);

#endif
