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
