# src/ui: floor 3. The terminal is a library of its own, chosen at link time:
# a program links libui.a and one of libtermcurses.a (with $(NCURSES_LIBS))
# or libtermmem.a.
noinst_LIBRARIES += libui.a libtermcurses.a libtermmem.a
libui_a_SOURCES = src/ui/term.h \
  src/ui/keydec.h src/ui/keydec.c \
  src/ui/frame.h src/ui/frame.c \
  src/ui/wrap.h src/ui/wrap.c
libtermcurses_a_SOURCES = src/ui/term.h src/ui/term_curses.c
libtermmem_a_SOURCES = src/ui/term.h src/ui/term_mem.h src/ui/term_mem.c
