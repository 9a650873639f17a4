/*
 * sql.h - an SQL tokenizer: statements, their kinds, targets, and whether a
 * WHERE holds anything back. Not a parser of SQL: what it does not know it
 * says so.
 *
 * Hides: dialect differences in comments, quotes, dollar quotes and the
 * clients' own commands (psql's \!, mysql's DELIMITER, sqlite3's .shell).
 * Frees: all in the caller's arena.
 * Must not include: anything above lang/ (base only).
 *
 * A dialect's default settings are assumed (PostgreSQL's
 * standard_conforming_strings on; MySQL without ANSI_QUOTES and
 * NO_BACKSLASH_ESCAPES). A text that changes them is opaque from there on.
 */
#ifndef OBSTAT_LANG_SQL_H
#define OBSTAT_LANG_SQL_H

#include "base/mem.h"

#define SQL_MAX_BYTES (16u << 20)
#define SQL_MAX_STATEMENTS 10000u
/* Words of one statement that are looked at; one with more is opaque. */
#define SQL_MAX_TOKENS (1u << 20)
#define SQL_MAX_TARGETS 64u

enum sql_dialect { SQL_UNKNOWN, SQL_POSTGRES, SQL_MYSQL, SQL_SQLITE };
enum sql_where { SQL_WHERE_NA, SQL_WHERE_NONE, SQL_WHERE_ALWAYS_TRUE,
	SQL_WHERE_PRESENT };
enum sql_verdict { SQL_PLAIN, SQL_DESTRUCTIVE, SQL_OPAQUE };
struct sql_statement {
	size_t from, to;           /* bytes in the text: from its first word or
	                            * comment to its ';', which is inside */
	char kind[24];             /* "DELETE", "DROP TABLE", "WITH DELETE", "EXPLAIN
	                            * DELETE", "\!", "COMMENT" (nothing else), "?" */
	struct sv *targets;        /* names as written, quotes taken off; those that
	                            * are changed come first */
	size_t n_targets;          /* at most SQL_MAX_TARGETS */
	enum sql_where where;      /* of the DELETE or UPDATE it holds, the worst */
	bool read_only;            /* changes nothing as far as words can tell: every
	                            * function in it is one of the dialects' own that
	                            * only compute. Never of opaque text */
	bool parsed;               /* its kind and target were understood */
	bool has_comment, has_executable_comment;
	bool terminated;           /* ended by its own ';' or the client's like */
	enum sql_verdict verdict;
	/* A stable reason, or NULL. Destructive: no_where always_true
	 * nearly_always_true no_column drop truncate alter_drop alter_type
	 * protection_off grant catalog copy_program file_access pragma kill shutdown
	 * shell second_statement merge_delete replication function_writes.
	 * Opaque: dynamic file_access stored_code extension setting executable_comment
	 * unterminated unknown_kind unknown_target unknown_function
	 * where_unclear meta_command bad_character too_long too_many
	 * or one of sql.opaque. Plain: transaction row_lock locks. */
	const char *why;
};
struct sql {
	struct sql_statement *statements;
	size_t n_statements;
	enum sql_dialect dialect;  /* given, or told apart by what only one has: a
	                            * label, it settles no disagreement */
	/* Where dialects (or clients) disagree on where a string, comment or
	 * statement ends: what is said of the text from opaque_at on is the
	 * reading that hides most, and every statement there is opaque or worse.
	 * cr_ends_comment dash_comment hash_comment nested_comment
	 * executable_comment backslash_quote backtick bracket dollar_quote
	 * q_quote delimiter go_line body copy_data nul mode_change too_long
	 * too_many memory; or NULL. */
	const char *opaque;
	size_t opaque_at;
};
void sql_parse(struct sv text, enum sql_dialect d, struct arena *a, struct sql *out);
/* Tokens for drawing, in order and without gaps. META is a line that a client
 * takes for itself. */
enum sql_token { SQL_T_BLANK, SQL_T_COMMENT, SQL_T_KEYWORD, SQL_T_NAME,
	SQL_T_STRING, SQL_T_NUMBER, SQL_T_PUNCT, SQL_T_PARAM, SQL_T_BAD, SQL_T_META };
void sql_tokens(struct sv text, enum sql_dialect d,
	void (*fn)(void *arg, enum sql_token t, size_t from, size_t to), void *arg);

#endif
