# tests of lang
if HAVE_CMOCKA
check_PROGRAMS += test_words printargs
TESTS += test_words
endif
test_words_SOURCES = tests/lang/test_words.c tests/check.h
test_words_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests \
  -DPRINTARGS=\"$(abs_builddir)/printargs\"
test_words_LDADD = liblang.a libbase.a $(CMOCKA_LIBS) $(UTF8PROC_LIBS)
printargs_SOURCES = tests/lang/printargs.c
check_PROGRAMS += fuzz_words
fuzz_words_SOURCES = tests/lang/fuzz_words.c
fuzz_words_LDADD = liblang.a libbase.a $(UTF8PROC_LIBS)
if FUZZING
fuzz_words_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer
else
fuzz_words_SOURCES += tests/support/fuzz_main.c
fuzz_words_CPPFLAGS = $(AM_CPPFLAGS) \
  -DCORPUS_DIR=\"$(abs_srcdir)/tests/corpus/words\"
TESTS += fuzz_words
endif
EXTRA_DIST += tests/corpus/words
# the shell
if HAVE_CMOCKA
check_PROGRAMS += test_shell test_shell_safe
TESTS += test_shell test_shell_safe
endif
test_shell_SOURCES = tests/lang/test_shell.c tests/lang/shell_print.c \
  tests/lang/shell_print.h tests/check.h
test_shell_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
test_shell_LDADD = liblang.a libbase.a $(CMOCKA_LIBS) $(UTF8PROC_LIBS)
test_shell_safe_SOURCES = tests/lang/test_shell_safe.c tests/check.h
test_shell_safe_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests \
  -DSRCDIR=\"$(abs_srcdir)\"
test_shell_safe_LDADD = liblang.a libbase.a $(CMOCKA_LIBS) $(UTF8PROC_LIBS)
EXTRA_DIST += tests/lang/everyday.txt
if HAVE_CMOCKA
check_PROGRAMS += test_shell_real logargs
TESTS += test_shell_real
endif
test_shell_real_SOURCES = tests/lang/test_shell_real.c tests/check.h
test_shell_real_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests \
  -DLOGARGS=\"$(abs_builddir)/logargs\"
test_shell_real_LDADD = liblang.a libbase.a $(CMOCKA_LIBS) $(UTF8PROC_LIBS)
logargs_SOURCES = tests/lang/logargs.c
check_PROGRAMS += fuzz_shell
fuzz_shell_SOURCES = tests/lang/fuzz_shell.c
fuzz_shell_LDADD = liblang.a libbase.a $(UTF8PROC_LIBS)
if FUZZING
fuzz_shell_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer
else
fuzz_shell_SOURCES += tests/support/fuzz_main.c
fuzz_shell_CPPFLAGS = $(AM_CPPFLAGS) \
  -DCORPUS_DIR=\"$(abs_srcdir)/tests/corpus/shell\"
TESTS += fuzz_shell
endif
EXTRA_DIST += tests/corpus/shell
# Run by "make bench-shell" and "make bench".
EXTRA_PROGRAMS += bench_shell
bench_shell_SOURCES = tests/bench/bench_shell.c
bench_shell_LDADD = liblang.a libbase.a $(UTF8PROC_LIBS)
