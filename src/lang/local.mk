# src/lang: see the room's headers. Sources of this room only.
noinst_LIBRARIES += liblang.a
liblang_a_SOURCES = src/lang/words.h src/lang/words.c
# the shell
liblang_a_SOURCES += src/lang/shell.h src/lang/shell_priv.h \
  src/lang/shell_grammar.h src/lang/shell.c src/lang/shell_lex.c \
  src/lang/shell_expand.c src/lang/shell_cmd.c src/lang/shell_compound.c \
  src/lang/shell_simple.c src/lang/shell_heredoc.c src/lang/shell_follow.c \
  src/lang/shell_wrap.c src/lang/shell_special.c src/lang/shell_builtin.c \
  src/lang/shell_env.c src/lang/shell_reason.c src/lang/wrappers.h \
  src/lang/wrappers_table.c src/lang/sed_script.h src/lang/sed_script.c \
  src/lang/shell_safe.h src/lang/shell_safe.c src/lang/shell_safe_priv.h \
  src/lang/shell_safe_words.c src/lang/safe_table.h \
  src/lang/safe_table.c
# SQL, URLs and hosts, HTTP bodies
liblang_a_SOURCES += src/lang/sql.h src/lang/sql_priv.h src/lang/sql_fold.h \
  src/lang/sql_words.def src/lang/sql.c src/lang/sql_lex.c src/lang/sql_quote.c \
  src/lang/sql_kind.c src/lang/sql_verbs.c src/lang/sql_rules_table.c src/lang/sql_names.c \
  src/lang/sql_funcs.c src/lang/sql_funcs_table.c src/lang/sql_words.c \
  src/lang/sql_fold.c src/lang/sql_where.c
liblang_a_SOURCES += src/lang/url.h src/lang/host_priv.h src/lang/url.c \
  src/lang/host.c src/lang/host_ip.c src/lang/host_look.c \
  src/lang/host_known_table.c src/lang/host_scripts_table.c \
  src/lang/host_alike_table.c
liblang_a_SOURCES += src/lang/body.h src/lang/body_priv.h src/lang/body.c \
  src/lang/body_open.c src/lang/body_parts.c src/lang/looks.c
