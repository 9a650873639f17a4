# tests of console: key scripts on the terminal in memory
CONSOLE_TEST_LIBS = libconsole.a libui.a libtermmem.a libconfig.a libmodel.a \
  libbase.a $(UTF8PROC_LIBS) $(CRYPTO_LIBS) $(JANSSON_LIBS) $(GIT2_LIBS) \
  $(UV_LIBS) -lpthread
FAKE_HUB = tests/console/fake_hub.h tests/console/fake_hub.c \
  tests/console/fake_docs.h tests/console/fake_docs.c
EXTRA_DIST += tests/console/scripts tests/golden/ui
check_PROGRAMS += test_console
TESTS += test_console
test_console_SOURCES = tests/console/test_console.c $(FAKE_HUB) \
  tests/support/clock_test.h tests/support/clock_test.c
test_console_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir) \
  -DSCRIPT_DIR=\"$(abs_srcdir)/tests/console/scripts\" \
  -DGOLDEN_DIR=\"$(abs_srcdir)/tests/golden/ui\"
test_console_LDADD = $(CONSOLE_TEST_LIBS)
# Not a test: the same screens on the real terminal.
check_PROGRAMS += uidemo
uidemo_SOURCES = tests/console/uidemo.c $(FAKE_HUB)
uidemo_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)
uidemo_LDADD = libconsole.a libui.a libtermcurses.a libconfig.a libmodel.a \
  libbase.a $(NCURSES_LIBS) $(UTF8PROC_LIBS) $(CRYPTO_LIBS) $(JANSSON_LIBS) \
  $(GIT2_LIBS) $(UV_LIBS) -lpthread
