# tests of diff
DIFF_TEST_LIBS = libdiff.a libmodel.a libbase.a $(GIT2_LIBS) $(CRYPTO_LIBS) \
  $(UTF8PROC_LIBS) $(CMOCKA_LIBS) -lpthread
DIFF_TEST_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
if HAVE_CMOCKA
check_PROGRAMS += test_diff test_walk test_gitstate
TESTS += test_diff test_walk test_gitstate
endif
test_walk_SOURCES = tests/diff/test_walk.c tests/check.h
test_walk_CPPFLAGS = $(DIFF_TEST_CPPFLAGS) -I$(top_srcdir)
test_walk_LDADD = $(DIFF_TEST_LIBS)
test_diff_SOURCES = tests/diff/test_diff.c tests/check.h
test_diff_CPPFLAGS = $(DIFF_TEST_CPPFLAGS)
test_diff_LDADD = $(DIFF_TEST_LIBS)
test_gitstate_SOURCES = tests/diff/test_gitstate.c tests/check.h
test_gitstate_CPPFLAGS = $(DIFF_TEST_CPPFLAGS)
test_gitstate_LDADD = $(DIFF_TEST_LIBS)
