/*
 * doc.h - the document: what a person is shown of an action. Built once by
 * kinds/, paged and wrapped by consoles, covered line by line, stored with
 * each human decision.
 *
 * Hides: the compact store (one text buffer, span and line tables), good for
 * 1,000,000 lines.
 * Frees: doc_free(). A doc that is doc_seal()ed no longer changes.
 * Must not include: anything above base/.
 *
 * A logical line is width-independent: spans of escaped text (base/text.h),
 * each with a role and the byte range of the source it shows. Text in spans
 * is always esc_is_clean(); doc_span_raw() escapes, doc_span() asserts.
 */
#ifndef OBSTAT_MODEL_DOC_H
#define OBSTAT_MODEL_DOC_H

#include "base/err.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/text.h"

enum role {
#define ROLE(id, name, letter) ROLE_##id,
#include "model/roles.def"
#undef ROLE
	ROLE_N
};
const char *role_name(enum role r);
char role_letter(enum role r);
bool role_from_name(struct sv name, enum role *out);

/* Where n/p (hunk), N/P (file) and f (flag) jump to; and how a section is
 * covered: FOLD sections (generated, lock, binary) need only their header. */
enum doc_mark { MARK_FILE, MARK_HUNK, MARK_FLAG, MARK_N };

struct doc_span {
	struct sv text;           /* escaped, printable */
	enum role role;
	uint32_t src_from, src_to;/* bytes of the source field; 0,0: our own text */
};
/* Line kinds decide the frame: payload lines stand behind the bar. */
enum doc_line_kind { LINE_OURS, LINE_PAYLOAD, LINE_WORDS };

struct doc;
struct doc *doc_new(size_t max_bytes);
void doc_free(struct doc **d);
/* One more owner of a sealed document; each calls doc_free(). Not to be called
 * from two threads at once. */
struct doc *doc_ref(struct doc *d);
/* Building. All no-ops once over; test doc_over() at the end: an over-limit
 * document cannot be approved. */
void doc_line(struct doc *d, enum doc_line_kind k);     /* begin a line */
void doc_lineno(struct doc *d, uint32_t old_no, uint32_t new_no); /* 0: none */
void doc_span(struct doc *d, enum role r, struct sv clean);
void doc_spanf(struct doc *d, enum role r, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));          /* our text; escaped too */
/* Outside bytes: escaped in ctx; notation pieces get ROLE_ESCAPE, the rest
 * r. src_base is the offset of raw in its field (for the byte ranges). One
 * stretch of source must be given in one call: notation and counted blanks
 * would not be seen across two (doc_span_runs() colours its parts). */
void doc_span_raw(struct doc *d, enum role r, struct sv raw,
	enum esc_context ctx, size_t src_base);
/* The same with several roles: run i covers raw up to its to (ascending; the
 * last run's role goes on to the end). Roles may change only between
 * characters; a run that ends inside one ends after it. */
struct role_run {
	size_t to;
	enum role role;
};
void doc_span_runs(struct doc *d, const struct role_run *runs, size_t n,
	struct sv raw, enum esc_context ctx, size_t src_base);
void doc_mark(struct doc *d, enum doc_mark m, struct sv clean_label);
/* Splits raw at LF into lines of kind k and adds each by doc_span_raw; a
 * missing last newline is not an extra line; runs of 3 or more empty lines
 * stand as one line that counts them, "<U+000A x5>" (doc_text_fold()). Lines of
 * blanks are not empty. number: show line numbers. */
void doc_text(struct doc *d, enum doc_line_kind k, enum role r, struct sv raw,
	enum esc_context ctx, bool number);
/* What stands for a run of n empty lines, on the line begun; its source bytes
 * are [src, src + n). */
void doc_text_fold(struct doc *d, uint32_t n, size_t src);
/* How many empty lines a span's text stands for; 0: it is no such span. */
uint32_t doc_folded(const struct doc_span *s);
void doc_counts_add(struct doc *d, const struct esc_counts *c);
/* All lines and marks of another document, as they are there. */
void doc_append(struct doc *d, const struct doc *from);
/* The lines so far are only about another document: a later comparison skips
 * them. Not part of the stored form. */
void doc_preface_end(struct doc *d);
uint32_t doc_preface(const struct doc *d);
void doc_seal(struct doc *d);
/* Makes it over: its source is more than can be shown. */
void doc_set_over(struct doc *d);
bool doc_over(const struct doc *d);

/* Reading. */
uint32_t doc_lines(const struct doc *d);
enum doc_line_kind doc_line_kind(const struct doc *d, uint32_t line);
void doc_line_nos(const struct doc *d, uint32_t line, uint32_t *old_no,
	uint32_t *new_no);
uint32_t doc_line_spans(const struct doc *d, uint32_t line);
struct doc_span doc_line_span(const struct doc *d, uint32_t line, uint32_t i);
uint32_t doc_marks(const struct doc *d, enum doc_mark m);
uint32_t doc_mark_line(const struct doc *d, enum doc_mark m, uint32_t i);
struct sv doc_mark_label(const struct doc *d, enum doc_mark m, uint32_t i);
const struct esc_counts *doc_counts(const struct doc *d);
size_t doc_memory(const struct doc *d);
/* SHA-256 over doc_encode()'s bytes (computed while sealing). */
struct digest doc_digest(const struct doc *d);
/* The stored form: versioned, length-prefixed, little endian (doc/record). */
int doc_encode(const struct doc *d, struct buf *out);
struct doc *doc_decode(struct sv bytes, struct err *e);

/* A set of line ranges [from, to): what has been drawn. */
struct cover;
struct cover *cover_new(void);
void cover_free(struct cover **c);
void cover_add(struct cover *c, uint32_t from, uint32_t to);
bool cover_has(const struct cover *c, uint32_t from, uint32_t to);
uint32_t cover_count(const struct cover *c);             /* lines covered */
size_t cover_ranges(const struct cover *c);
void cover_range(const struct cover *c, size_t i, uint32_t *from, uint32_t *to);
/* The first gap within [0, n): false when there is none. */
bool cover_gap(const struct cover *c, uint32_t n, uint32_t *from, uint32_t *to);

#endif
