# tests of kinds
KINDS_TEST_LIBS = libkinds.a libdiff.a libproto.a libmodel.a liblang.a \
  libbase.a $(GIT2_LIBS) $(JANSSON_LIBS) $(CRYPTO_LIBS) $(UTF8PROC_LIBS) \
  -lpthread
KINDS_TEST_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests -I$(srcdir)/tests/kinds \
  -DSRCDIR=\"$(abs_srcdir)\"
if HAVE_CMOCKA
check_PROGRAMS += test_golden test_kinds test_after
TESTS += test_golden test_kinds test_after
test_after_SOURCES = tests/kinds/test_after.c tests/kinds/fix.c \
  tests/kinds/fix.h tests/check.h
test_after_CPPFLAGS = $(KINDS_TEST_CPPFLAGS)
test_after_LDADD = $(KINDS_TEST_LIBS) $(CMOCKA_LIBS)
test_golden_SOURCES = tests/kinds/test_golden.c tests/kinds/fix.c \
  tests/kinds/fix.h tests/check.h
test_golden_CPPFLAGS = $(KINDS_TEST_CPPFLAGS)
test_golden_LDADD = $(KINDS_TEST_LIBS) $(CMOCKA_LIBS)
test_kinds_SOURCES = tests/kinds/test_kinds.c tests/kinds/fix.c \
  tests/kinds/fix.h tests/check.h
test_kinds_CPPFLAGS = $(KINDS_TEST_CPPFLAGS)
test_kinds_LDADD = $(KINDS_TEST_LIBS) $(CMOCKA_LIBS)
endif
EXTRA_DIST += tests/kinds/fixtures tests/golden/kinds

# bench_diff [LINES CHANGED]: milliseconds of kinds_build() beside git's.
check_PROGRAMS += bench_diff
bench_diff_SOURCES = tests/bench/bench_diff.c
bench_diff_LDADD = $(KINDS_TEST_LIBS)
