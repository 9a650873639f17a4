# src/gate: obstat-gate. libc only, always static, no other room's code.
# Its own flags: a sanitizer runtime cannot be linked statically, and a small
# program without relocations starts faster.
OB_GATE_SOURCES = src/gate/main.c src/gate/args.c src/gate/wait.c \
  src/gate/stream.c src/gate/talk.c src/gate/frame.c src/gate/codes.c \
  src/gate/gate.h src/gate/frame.h src/gate/codes.h
OB_GATE_CPPFLAGS = -D_GNU_SOURCE -I$(srcdir)/src

bin_PROGRAMS += obstat-gate
obstat_gate_SOURCES = $(OB_GATE_SOURCES)
obstat_gate_CPPFLAGS = $(OB_GATE_CPPFLAGS)
obstat_gate_CFLAGS = -std=c11 $(OB_WARN) -fno-pie
obstat_gate_LDFLAGS = -static
obstat_gate_LDADD =

# The same program with sanitizers, for the tests only.
if ASAN
check_PROGRAMS += gate_asan
gate_asan_SOURCES = $(OB_GATE_SOURCES)
gate_asan_CPPFLAGS = $(OB_GATE_CPPFLAGS)
gate_asan_LDADD =
endif
