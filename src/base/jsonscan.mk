BASE_JSON = src/base/json.h src/base/json_priv.h \
  src/base/json_scan.c src/base/json_chars.c src/base/json_dup.c \
  src/base/json_read.c
