# tests of model
MODEL_TEST_LIBS = libmodel.a libbase.a $(CRYPTO_LIBS) $(UTF8PROC_LIBS)
MODEL_TEST_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
if HAVE_CMOCKA
check_PROGRAMS += test_doc test_life test_cover test_action
TESTS += test_doc test_life test_cover test_action
endif
test_doc_SOURCES = tests/model/test_doc.c tests/check.h
test_doc_CPPFLAGS = $(MODEL_TEST_CPPFLAGS)
test_doc_LDADD = $(MODEL_TEST_LIBS) $(CMOCKA_LIBS)
test_life_SOURCES = tests/model/test_life.c tests/check.h
test_life_CPPFLAGS = $(MODEL_TEST_CPPFLAGS)
test_life_LDADD = $(MODEL_TEST_LIBS) $(CMOCKA_LIBS)
test_cover_SOURCES = tests/model/test_cover.c tests/check.h
test_cover_CPPFLAGS = $(MODEL_TEST_CPPFLAGS)
test_cover_LDADD = $(MODEL_TEST_LIBS) $(CMOCKA_LIBS)
test_action_SOURCES = tests/model/test_action.c tests/check.h
test_action_CPPFLAGS = $(MODEL_TEST_CPPFLAGS)
test_action_LDADD = $(MODEL_TEST_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += fuzz_doc
fuzz_doc_SOURCES = tests/model/fuzz_doc.c
fuzz_doc_LDADD = $(MODEL_TEST_LIBS)
if FUZZING
fuzz_doc_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer
else
fuzz_doc_SOURCES += tests/support/fuzz_main.c
fuzz_doc_CPPFLAGS = $(AM_CPPFLAGS) \
  -DCORPUS_DIR=\"$(abs_srcdir)/tests/corpus/doc\"
TESTS += fuzz_doc
endif
EXTRA_DIST += tests/corpus/doc
