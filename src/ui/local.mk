# src/ui: floor 3. The terminal is a library of its own, chosen at link time:
# a program links libui.a and one of libtermcurses.a (with $(NCURSES_LIBS))
# or libtermmem.a.
noinst_LIBRARIES += libui.a libtermcurses.a libtermmem.a
libui_a_SOURCES = src/ui/term.h \
  src/ui/keydec.h src/ui/keydec.c \
  src/ui/commands.h src/ui/commands.c src/ui/commands_table.c \
  src/ui/frame.h src/ui/frame.c \
  src/ui/wrap.h src/ui/wrap.c \
  src/ui/model.h src/ui/fmt.h src/ui/fmt.c \
  src/ui/lines.h src/ui/lines.c \
  src/ui/pager.h src/ui/pager.c \
  src/ui/prompt.h src/ui/prompt.c \
  src/ui/hintbar.h src/ui/hintbar.c \
  src/ui/view_queue.h src/ui/view_queue.c src/ui/view_queue_draw.c \
  src/ui/view_action.h src/ui/view_action.c src/ui/view_facts.c \
  src/ui/view_help.h src/ui/view_help.c
libtermcurses_a_SOURCES = src/ui/term.h src/ui/term_curses.c
libtermmem_a_SOURCES = src/ui/term.h src/ui/term_mem.h src/ui/term_mem.c
