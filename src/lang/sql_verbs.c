/*
 * sql_verbs.c - what single verbs of SQL need beyond their row in
 * sql_rules_table.c.
 */
#include "lang/sql_priv.h"

#include <string.h>
#include <strings.h>

void sql_copy(struct sql_cur *c, size_t i, bool *ro)
{
	uint32_t depth = c->k[i].depth;
	size_t j = sql_targets(c, i + 1);

	if (sql_is(c, i + 1, "("))
		sql_targets_from(c, i + 1, sql_close(c, i + 1));
	for (j = i + 1; j + 1 < c->n; j++) {
		enum sql_word w = sql_kw(c, j);
		if (c->k[j].depth != depth || (w != K_TO && w != K_FROM))
			continue;
		if (sql_kw(c, j + 1) == K_PROGRAM)
			sql_judge(c->out, SQL_DESTRUCTIVE, "copy_program");
		else if (sql_kw(c, j + 1) == K_STDOUT)
			*ro = true;
		else if (sql_kw(c, j + 1) == K_STDIN)
			c->copy_data = true;
		else
			sql_judge(c->out, SQL_DESTRUCTIVE, "file_access");
		return;
	}
	sql_judge(c->out, SQL_OPAQUE, "unknown_target");
}

static void alter(struct sql_cur *c, size_t i, enum sql_word obj)
{
	if (obj == K_USER || obj == K_ROLE || obj == K_GROUP || obj == K_LOGIN ||
		obj == K_POLICY || sql_kw(c, i + 1) == K_DEFAULT)
		sql_judge(c->out, SQL_DESTRUCTIVE, "grant");
	if (obj == K_SYSTEM || obj == K_INSTANCE)
		sql_judge(c->out, SQL_OPAQUE, "setting");
	if (obj == K_EVENT || obj == K_TASK)
		sql_judge(c->out, SQL_OPAQUE, "stored_code");
	for (size_t j = i + 2; j < c->n; j++) {
		switch (sql_kw(c, j)) {
		case K_DROP: case K_TRUNCATE: case K_DISCARD:
			sql_judge(c->out, SQL_DESTRUCTIVE, "alter_drop");
			break;
		case K_OWNER:
			sql_judge(c->out, SQL_DESTRUCTIVE, "grant");
			break;
		case K_DISABLE:
			sql_judge(c->out, SQL_DESTRUCTIVE, "protection_off");
			break;
		case K_NO:
			if (sql_kw(c, j + 1) == K_FORCE)
				sql_judge(c->out, SQL_DESTRUCTIVE, "protection_off");
			break;
		case K_TYPE: case K_MODIFY: case K_CHANGE:
			sql_judge(c->out, SQL_DESTRUCTIVE, "alter_type");
			break;
		default:
			break;
		}
	}
}

static void create(struct sql_cur *c, size_t i, enum sql_word obj)
{
	switch (obj) {
	case K_FUNCTION: case K_PROCEDURE: case K_TRIGGER: case K_EVENT: case K_RULE:
	case K_PACKAGE: case K_ROUTINE: case K_AGGREGATE: case K_OPERATOR:
	case K_CAST: case K_TASK: case K_PIPE: case K_TRANSFORM:
		sql_judge(c->out, SQL_OPAQUE, "stored_code");
		break;
	case K_EXTENSION: case K_LANGUAGE: case K_SERVER: case K_LIBRARY:
	case K_ASSEMBLY: case K_ACCESS:
		sql_judge(c->out, SQL_OPAQUE, "extension");
		break;
	case K_USER: case K_ROLE: case K_GROUP: case K_LOGIN: case K_POLICY:
	case K_CREDENTIAL:
		sql_judge(c->out, SQL_DESTRUCTIVE, "grant");
		break;
	case K_PUBLICATION: case K_SUBSCRIPTION:
		sql_judge(c->out, SQL_OPAQUE, "replication");
		break;
	case K_TABLE: /* the old one goes */
		if (sql_kw(c, i + 1) == K_OR && sql_kw(c, i + 2) == K_REPLACE)
			sql_judge(c->out, SQL_DESTRUCTIVE, "drop");
		if (sql_text_is(c, i + 1, "virtual"))
			sql_judge(c->out, SQL_OPAQUE, "extension");
		break;
	default:
		break;
	}
}

/* CREATE, DROP, ALTER at i: the kind of object is the first word that is one,
 * after OR REPLACE, DEFINER=... and the like. */
void sql_object(struct sql_cur *c, size_t i)
{
	enum sql_word verb = sql_kw(c, i), obj = K_NONE;
	size_t j;

	for (j = i + 1; j < c->n && j < i + 20; j++) {
		obj = sql_kw(c, j);
		if (obj != K_NONE && (sql_word_flags[obj] & W_OBJ) != 0)
			break;
		obj = K_NONE;
	}
	if (obj == K_NONE) {
		c->out->parsed = false;
		if (verb != K_DROP && !(verb == K_ALTER && sql_kw(c, i + 1) == K_DEFAULT))
			sql_judge(c->out, SQL_OPAQUE, "unknown_kind");
	} else {
		if (obj == K_EVENT && sql_kw(c, j + 1) == K_TRIGGER)
			obj = (enum sql_word)c->k[++j].kw;
		sql_kind_add(c->out, sql_word_names[obj]);
		sql_targets(c, j + 1);
	}
	if (verb == K_ALTER)
		alter(c, i, obj);
	else if (verb == K_CREATE)
		create(c, i, obj);
}

void sql_set(struct sql_cur *c, size_t i)
{
	static const char *const modes[] = { "standard_conforming_strings",
		"backslash_quote", "sql_mode", "quoted_identifier" };
	static const char *const charsets[] = { "gbk", "big5", "sjis", "cp932",
		"gb2312", "gb18030", "johab", "uhc", "shift_jis_2004" };
	enum sql_word w = sql_kw(c, i + 1);
	bool on = false;

	if (w == K_GLOBAL || w == K_PERSIST || sql_text_is(c, i + 1, "@@global"))
		sql_judge(c->out, SQL_OPAQUE, "setting");
	if (w == K_ROLE || w == K_PASSWORD || w == K_DEFAULT ||
		(w == K_SESSION && sql_kw(c, i + 2) == K_AUTHORIZATION))
		sql_judge(c->out, SQL_DESTRUCTIVE, "grant");
	if (c->n > 0)
		on = sql_text_is(c, c->n - 1, "on") || (c->n > 1 &&
			sql_text_is(c, c->n - 2, "on"));
	for (size_t j = i + 1; j < c->n && j < i + 64; j++) {
		struct sv s = sql_text(c, j);
		if (s.n > 2 && (c->k[j].type == SQL_T_STRING || s.p[0] == '`'))
			s = (struct sv){ s.p + 1, s.n - 2 };
		while (s.n > 0 && s.p[0] == '@')
			s = (struct sv){ s.p + 1, s.n - 1 };
		for (size_t m = 0; m < 4; m++)
			c->mode_change |= !(m == 0 && on) && s.n == strlen(modes[m]) &&
				strncasecmp(s.p, modes[m], s.n) == 0;
		for (size_t m = 0; m < sizeof(charsets) / sizeof(charsets[0]); m++)
			c->mode_change |= s.n == strlen(charsets[m]) &&
				strncasecmp(s.p, charsets[m], s.n) == 0;
	}
}

void sql_pragma(struct sql_cur *c, size_t i, bool *ro)
{
	static const char *const bad[] = { "writable_schema", "journal_mode",
		"synchronous", "secure_delete", "trusted_schema", "temp_store_directory",
		"data_store_directory", "ignore_check_constraints", "foreign_keys",
		"key", "rekey", "hexkey", "hexrekey", "cell_size_check", "user_version",
		"schema_version", "application_id", "auto_vacuum", "encoding",
		"legacy_alter_table", "hard_heap_limit" };
	static const char *const good[] = { "table_info", "table_xinfo", "table_list",
		"index_list", "index_info", "index_xinfo", "foreign_key_list",
		"foreign_key_check", "database_list", "collation_list", "function_list",
		"module_list", "pragma_list", "compile_options", "integrity_check",
		"quick_check", "page_count", "freelist_count", "data_version" };
	size_t j = sql_is(c, i + 2, ".") ? i + 3 : i + 1;
	bool value = sql_is(c, j + 1, "=") || sql_is(c, j + 1, "(");
	size_t m;

	if (j >= c->n) {
		sql_judge(c->out, SQL_OPAQUE, "unknown_kind");
		return;
	}
	for (m = 0; m < sizeof(bad) / sizeof(bad[0]); m++) {
		struct sv s = sql_name(c, j);
		if (s.n == strlen(bad[m]) && strncasecmp(s.p, bad[m], s.n) == 0) {
			if (value)
				sql_judge(c->out, SQL_DESTRUCTIVE, "pragma");
			*ro = !value;
			return;
		}
	}
	for (m = 0; m < sizeof(good) / sizeof(good[0]); m++)
		*ro = *ro || sql_text_is(c, j, good[m]);
}

/* BEGIN of a transaction, not of a block. */
void sql_begin(struct sql_cur *c, size_t i)
{
	enum sql_word next = sql_kw(c, i + 1);

	if (i + 1 < c->n && !sql_is(c, i + 1, ";") && next != K_WORK &&
		next != K_TRANSACTION && next != K_IMMEDIATE && next != K_EXCLUSIVE &&
		next != K_DEFERRED && !sql_text_is(c, i + 1, "isolation") &&
		!sql_text_is(c, i + 1, "read") && !sql_text_is(c, i + 1, "tran") &&
		!sql_is(c, i + 1, "\\g") && !sql_is(c, i + 1, "\\G"))
		sql_judge(c->out, SQL_OPAQUE, "dynamic");
}
