# tests of the real programs on a pseudo-terminal
if HAVE_CMOCKA
if HAVE_VTERM
PTY_TESTS = test_pty test_pty_input test_pty_term test_pty_big
check_PROGRAMS += $(PTY_TESTS)
TESTS += $(PTY_TESTS)
PTY_RIG = tests/check.h tests/pty/rig.h tests/pty/rig.c tests/pty/rig_tty.h \
  tests/pty/rig_tty.c
PTY_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir) -DOBSTAT=\"$(abs_builddir)/obstat\" \
  -DGATE=\"$(abs_builddir)/obstat-gate\"
PTY_LIBS = $(VTERM_LIBS) $(CMOCKA_LIBS)
test_pty_SOURCES = $(PTY_RIG) tests/pty/test_pty.c
test_pty_CPPFLAGS = $(PTY_CPPFLAGS)
test_pty_LDADD = $(PTY_LIBS)
test_pty_input_SOURCES = $(PTY_RIG) tests/pty/test_pty_input.c
test_pty_input_CPPFLAGS = $(PTY_CPPFLAGS)
test_pty_input_LDADD = $(PTY_LIBS)
test_pty_term_SOURCES = $(PTY_RIG) tests/pty/test_pty_term.c
test_pty_term_CPPFLAGS = $(PTY_CPPFLAGS)
test_pty_term_LDADD = $(PTY_LIBS)
test_pty_big_SOURCES = $(PTY_RIG) tests/pty/test_pty_big.c
test_pty_big_CPPFLAGS = $(PTY_CPPFLAGS)
test_pty_big_LDADD = $(PTY_LIBS)
endif
endif
