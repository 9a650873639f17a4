BASE_TEXT = src/base/text.h src/base/utf8.c \
  src/base/allow.h src/base/allow.c \
  src/base/escape.c src/base/escape_undo.c
