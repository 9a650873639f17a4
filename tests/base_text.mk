# tests of base_text
if HAVE_CMOCKA
check_PROGRAMS += test_text test_text_any
TESTS += test_text test_text_any
endif
test_text_SOURCES = tests/base/test_text.c tests/check.h
test_text_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
test_text_LDADD = libbase.a $(CMOCKA_LIBS) $(UTF8PROC_LIBS)
test_text_any_SOURCES = tests/base/test_text_any.c tests/check.h
test_text_any_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
test_text_any_LDADD = libbase.a $(CMOCKA_LIBS) $(UTF8PROC_LIBS)
check_PROGRAMS += fuzz_text
fuzz_text_SOURCES = tests/base/fuzz_text.c
fuzz_text_LDADD = libbase.a $(UTF8PROC_LIBS)
if FUZZING
fuzz_text_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer
else
fuzz_text_SOURCES += tests/support/fuzz_main.c
fuzz_text_CPPFLAGS = $(AM_CPPFLAGS) \
  -DCORPUS_DIR=\"$(abs_srcdir)/tests/corpus/text\"
TESTS += fuzz_text
endif
EXTRA_DIST += tests/corpus/text
