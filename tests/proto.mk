# tests of proto
if HAVE_CMOCKA
check_PROGRAMS += test_leaves test_dialect_native test_dialect_claude \
  test_claude_samples
TESTS += test_leaves test_dialect_native test_dialect_claude \
  test_claude_samples
OB_DIALECT_LIBS = libproto.a libmodel.a libbase.a $(CMOCKA_LIBS) $(OB_EXTLIBS)
OB_DIALECT_FLAGS = $(AM_CPPFLAGS) -I$(srcdir)
test_leaves_SOURCES = tests/proto/test_leaves.c tests/proto/dialect_rig.h
test_leaves_CPPFLAGS = $(OB_DIALECT_FLAGS)
test_leaves_LDADD = $(OB_DIALECT_LIBS)
test_dialect_native_SOURCES = tests/proto/test_dialect_native.c \
  tests/proto/dialect_rig.h
test_dialect_native_CPPFLAGS = $(OB_DIALECT_FLAGS)
test_dialect_native_LDADD = $(OB_DIALECT_LIBS)
test_dialect_claude_SOURCES = tests/proto/test_dialect_claude.c \
  tests/proto/dialect_rig.h
test_dialect_claude_CPPFLAGS = $(OB_DIALECT_FLAGS)
test_dialect_claude_LDADD = $(OB_DIALECT_LIBS)
test_claude_samples_SOURCES = tests/proto/test_claude_samples.c \
  tests/proto/dialect_rig.h
test_claude_samples_CPPFLAGS = $(OB_DIALECT_FLAGS) \
  -DSHARED=\"$(abs_srcdir)/../shared\"
test_claude_samples_LDADD = $(OB_DIALECT_LIBS)
endif

EXTRA_DIST += tests/corpus/claude tests/corpus/native
check_PROGRAMS += fuzz_claude fuzz_native
fuzz_claude_SOURCES = tests/proto/fuzz_claude.c tests/proto/fuzz_dialect.h
fuzz_claude_LDADD = libproto.a libmodel.a libbase.a $(OB_EXTLIBS)
fuzz_native_SOURCES = tests/proto/fuzz_native.c tests/proto/fuzz_dialect.h
fuzz_native_LDADD = libproto.a libmodel.a libbase.a $(OB_EXTLIBS)
if FUZZING
fuzz_claude_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)
fuzz_claude_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer
fuzz_native_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)
fuzz_native_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer
else
fuzz_claude_SOURCES += tests/support/fuzz_main.c
fuzz_claude_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir) \
  -DCORPUS_DIR=\"$(abs_srcdir)/tests/corpus/claude\"
fuzz_native_SOURCES += tests/support/fuzz_main.c
fuzz_native_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir) \
  -DCORPUS_DIR=\"$(abs_srcdir)/tests/corpus/native\"
TESTS += fuzz_claude fuzz_native
endif
