/*
 * json_out.h - JSON that we send, and JSON that the hub sent us (jansson's
 * only door).
 *
 * Hides: jansson. Text given to it must be valid UTF-8; invalid bytes are put
 * through the escaper first, so a message can always be built.
 * Frees: jv_free() frees a value and all in it; jv_put() takes ownership.
 * Must not be used on bytes that reach a hub socket: base/json.h reads those.
 */
#ifndef OBSTAT_BASE_JSON_OUT_H
#define OBSTAT_BASE_JSON_OUT_H

#include "base/err.h"
#include "base/hash.h"
#include "base/mem.h"

struct jv;  /* a JSON value */
struct jv *jv_obj(void);
struct jv *jv_arr(void);
struct jv *jv_strv(struct sv s);
struct jv *jv_int(int64_t v);
struct jv *jv_boolean(bool v);
struct jv *jv_null(void);
void jv_free(struct jv **v);
/* Set members; the _opt forms leave the member out when there is no value. */
void jv_put(struct jv *obj, const char *key, struct jv *owned);
void jv_put_sv(struct jv *obj, const char *key, struct sv s);
void jv_put_s(struct jv *obj, const char *key, const char *s); /* NULL: null */
void jv_put_sv_opt(struct jv *obj, const char *key, struct sv s);
void jv_put_i(struct jv *obj, const char *key, int64_t v);
void jv_put_b(struct jv *obj, const char *key, bool v);
/* As digest_text(): "sha256:" and 64 hex digits. */
void jv_put_digest(struct jv *obj, const char *key, const struct digest *d);
void jv_add(struct jv *arr, struct jv *owned);
/* Compact, members in insertion order, no newline; appended to out. -1 when
 * out's maximum is reached. */
int jv_write(const struct jv *v, struct buf *out);
int jv_write_pretty(const struct jv *v, struct buf *out);
/* The same value for a terminal or an export: every character that the
 * escaper would not let stand is written as \uXXXX, so the text is safe to
 * print and reads back to the same strings. */
int jv_write_clean(const struct jv *v, bool pretty, struct buf *out);

/* Changing what was read: settings files of others, kept as they are but for
 * our own entries. */
void jv_del(struct jv *obj, const char *key);
void jv_del_at(struct jv *arr, size_t i);
struct jv *jv_copy(const struct jv *v);              /* deep */
bool jv_eq(const struct jv *a, const struct jv *b);

/* Reading (console and cli: what the hub sent). Borrowed from the root. */
struct jv *jv_read(struct sv bytes, struct err *e); /* duplicates refused */
struct jv *jv_get(const struct jv *obj, const char *key);     /* or NULL */
struct jv *jv_at(const struct jv *arr, size_t i);
size_t jv_len(const struct jv *arr);
bool jv_is_obj(const struct jv *v);
bool jv_is_arr(const struct jv *v);
struct sv jv_sv(const struct jv *v);            /* SV_NONE when no string */
struct sv jv_get_sv(const struct jv *obj, const char *key);
int64_t jv_get_i(const struct jv *obj, const char *key, int64_t none);
bool jv_get_b(const struct jv *obj, const char *key, bool none);
bool jv_get_digest(const struct jv *obj, const char *key, struct digest *out);
int64_t jv_i(const struct jv *v, int64_t none);

#endif
