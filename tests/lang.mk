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
fuzz_words_CPPFLAGS = $(AM_CPPFLAGS)
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
fuzz_shell_CPPFLAGS = $(AM_CPPFLAGS)
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
# SQL, URLs and hosts, HTTP bodies
if HAVE_CMOCKA
check_PROGRAMS += test_sql test_sql_sqlite test_url test_body
TESTS += test_sql test_sql_sqlite test_url test_body
endif
test_sql_SOURCES = tests/lang/test_sql.c tests/lang/sql_rows_table.h \
  tests/lang/sql_say.h tests/check.h
test_sql_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
test_sql_LDADD = liblang.a libbase.a $(CMOCKA_LIBS) $(UTF8PROC_LIBS)
# sqlite3 is asked as a second opinion, in tests only.
test_sql_sqlite_SOURCES = tests/lang/test_sql_sqlite.c tests/check.h
test_sql_sqlite_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
test_sql_sqlite_LDADD = liblang.a libbase.a $(CMOCKA_LIBS) $(UTF8PROC_LIBS) \
  $(SQLITE_LIBS)
test_url_SOURCES = tests/lang/test_url.c tests/check.h
test_url_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
test_url_LDADD = liblang.a libbase.a $(CMOCKA_LIBS) $(UTF8PROC_LIBS) $(IDN2_LIBS)
test_body_SOURCES = tests/lang/test_body.c tests/check.h
test_body_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
test_body_LDADD = liblang.a libbase.a $(CMOCKA_LIBS) $(UTF8PROC_LIBS) \
  $(IDN2_LIBS) $(ZLIB_LIBS) $(CRYPTO_LIBS)

check_PROGRAMS += fuzz_sql fuzz_url fuzz_body
fuzz_sql_SOURCES = tests/lang/fuzz_sql.c
fuzz_sql_LDADD = $(FUZZ_LANG_LIBS)
fuzz_url_SOURCES = tests/lang/fuzz_url.c
fuzz_url_LDADD = $(FUZZ_LANG_LIBS)
fuzz_body_SOURCES = tests/lang/fuzz_body.c
fuzz_body_LDADD = $(FUZZ_LANG_LIBS)
FUZZ_LANG_LIBS = liblang.a libbase.a $(UTF8PROC_LIBS) $(IDN2_LIBS) $(ZLIB_LIBS) \
  $(CRYPTO_LIBS)
if FUZZING
fuzz_sql_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer
fuzz_sql_CPPFLAGS = $(AM_CPPFLAGS)
fuzz_url_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer
fuzz_url_CPPFLAGS = $(AM_CPPFLAGS)
fuzz_body_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer
fuzz_body_CPPFLAGS = $(AM_CPPFLAGS)
else
fuzz_sql_SOURCES += tests/support/fuzz_main.c
fuzz_sql_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS_DIR=\"$(abs_srcdir)/tests/corpus/sql\"
fuzz_url_SOURCES += tests/support/fuzz_main.c
fuzz_url_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS_DIR=\"$(abs_srcdir)/tests/corpus/url\"
fuzz_body_SOURCES += tests/support/fuzz_main.c
fuzz_body_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS_DIR=\"$(abs_srcdir)/tests/corpus/body\"
TESTS += fuzz_sql fuzz_url fuzz_body
endif
EXTRA_DIST += tests/corpus/sql tests/corpus/url tests/corpus/body
