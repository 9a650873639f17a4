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
