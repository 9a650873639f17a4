# src/proto: see the room's headers. Sources of this room only.
noinst_LIBRARIES += libproto.a
libproto_a_SOURCES =
libproto_a_SOURCES += src/proto/gatewire.c src/proto/gatewire.h
libproto_a_SOURCES += src/proto/jsonrpc.c src/proto/jsonrpc.h
libproto_a_SOURCES += src/proto/dialect.h src/proto/dialects.h \
  src/proto/dialects.c src/proto/build.h src/proto/build.c \
  src/proto/globs.c src/proto/native_fill.c src/proto/dialect_native.c \
  src/proto/claude_tools.h src/proto/claude_tools_table.c \
  src/proto/dialect_claude.c
