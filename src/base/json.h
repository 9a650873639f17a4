/*
 * json.h - the strict one-pass JSON scanner: the only reader of bytes that
 * arrive at any hub socket.
 *
 * Hides: the node store. Offsets point into the caller's bytes, which must
 * stay where they are while the document lives; values are never re-written,
 * so what is shown is what came.
 * Frees: json_free() frees the nodes, never the bytes.
 * Must not include: anything but base/mem.h, err.h; hash.h and text.h in .c.
 *
 * Accepts exactly RFC 8259 in strict UTF-8, and refuses with a byte offset:
 * duplicate keys (compared after unescaping), invalid UTF-8, lone surrogates
 * in \u escapes, trailing bytes, depth over 128, more than 1,000,000 values,
 * input over 16 MiB. Numbers keep their source text.
 */
#ifndef OBSTAT_BASE_JSON_H
#define OBSTAT_BASE_JSON_H

#include "base/err.h"
#include "base/mem.h"

#define JSON_MAX_BYTES (16u << 20)
#define JSON_MAX_DEPTH 128
#define JSON_MAX_VALUES 1000000u

enum json_type { JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_STRING,
	JSON_ARRAY, JSON_OBJECT };

/* A value is named by its index; the root is 0; JSON_NO is "no such value". */
typedef uint32_t json_ref;
#define JSON_NO UINT32_MAX

enum json_status { JSON_MORE, JSON_DONE, JSON_BAD };

struct json;
/* bytes are borrowed. Limits above apply. */
struct json *json_new(struct sv bytes);
/* Scans on for about budget_us microseconds (0: to the end). JSON_MORE: call
 * again. JSON_BAD: e has a stable code (json_syntax, json_utf8, json_dup,
 * json_depth, json_values, json_size, json_trailing, json_surrogate,
 * json_empty) and a text that names the byte offset. */
enum json_status json_scan(struct json *j, unsigned budget_us, struct err *e);
/* new + scan to the end; NULL on error. */
struct json *json_parse(struct sv bytes, struct err *e);
void json_free(struct json **j);
size_t json_memory(const struct json *j);  /* bytes held, the input not counted */
/* Bytes scanned so far; after JSON_BAD where the error is, from 0. */
size_t json_offset(const struct json *j);
size_t json_count(const struct json *j);

/* All of these take JSON_NO and wrong types and answer JSON_NO, false, 0; so
 * they do for a document whose scan is not JSON_DONE. */
enum json_type json_typeof(const struct json *j, json_ref v);
bool json_is(const struct json *j, json_ref v, enum json_type t);
json_ref json_get(const struct json *j, json_ref obj, const char *key);
json_ref json_first(const struct json *j, json_ref container);
json_ref json_next(const struct json *j, json_ref child);
size_t json_len(const struct json *j, json_ref container); /* O(children) */
/* The bytes of a value as received, quotes and brackets included. */
struct sv json_raw(const struct json *j, json_ref v);
/* The bytes of a member's key as received, without the quotes (may hold
 * escapes); SV_NONE for an array's element or the root. */
struct sv json_key_raw(const struct json *j, json_ref v);
size_t json_pos(const struct json *j, json_ref v);         /* offset of raw */
/* Decoded text of a string (or key): borrowed when it held no escape, else
 * copied into a. SV_NONE when not a string or the arena is over. */
struct sv json_str(const struct json *j, json_ref v, struct arena *a);
struct sv json_key(const struct json *j, json_ref v, struct arena *a);
bool json_key_is(const struct json *j, json_ref v, const char *key);
bool json_str_is(const struct json *j, json_ref v, const char *text);
bool json_u64(const struct json *j, json_ref v, uint64_t *out); /* integer only */
bool json_bool(const struct json *j, json_ref v, bool *out);

#endif
