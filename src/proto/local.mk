# src/proto: see the room's headers. Sources of this room only.
noinst_LIBRARIES += libproto.a
libproto_a_SOURCES =
libproto_a_SOURCES += src/proto/gatewire.c src/proto/gatewire.h
libproto_a_SOURCES += src/proto/jsonrpc.c src/proto/jsonrpc.h
