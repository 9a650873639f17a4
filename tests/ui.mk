# tests of ui (and of themes)
UI_TEST_LIBS = libui.a libconfig.a libmodel.a libbase.a $(UTF8PROC_LIBS) \
  $(CRYPTO_LIBS) $(JANSSON_LIBS) $(GIT2_LIBS) $(UV_LIBS) -lpthread
EXTRA_DIST += tests/ui/corpus_keydec
if HAVE_CMOCKA
check_PROGRAMS += test_keydec test_wrap test_theme test_commands
TESTS += test_keydec test_wrap test_theme test_commands
test_keydec_SOURCES = tests/check.h tests/ui/test_keydec.c
test_keydec_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)
test_keydec_LDADD = $(UI_TEST_LIBS) $(CMOCKA_LIBS)
test_wrap_SOURCES = tests/check.h tests/ui/test_wrap.c
test_wrap_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)
test_wrap_LDADD = $(UI_TEST_LIBS) $(CMOCKA_LIBS)
test_theme_SOURCES = tests/check.h tests/ui/test_theme.c
test_theme_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir) -DSRCDIR=\"$(abs_srcdir)\"
test_theme_LDADD = $(UI_TEST_LIBS) $(CMOCKA_LIBS)
test_commands_SOURCES = tests/check.h tests/ui/test_commands.c
test_commands_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)
test_commands_LDADD = $(UI_TEST_LIBS) $(CMOCKA_LIBS)
endif
check_PROGRAMS += fuzz_keydec
TESTS += fuzz_keydec
fuzz_keydec_SOURCES = tests/support/fuzz_main.c tests/ui/fuzz_keydec.c
fuzz_keydec_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS_DIR=\"$(abs_srcdir)/tests/ui/corpus_keydec\"
fuzz_keydec_LDADD = libui.a libbase.a $(UTF8PROC_LIBS)
