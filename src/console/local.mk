# src/console: floor 4. Sources of this room only. A program that runs the
# console also links libui.a, libtermcurses.a, libconfig.a, libmodel.a,
# libbase.a, $(NCURSES_LIBS) and $(OB_EXTLIBS).
noinst_LIBRARIES += libconsole.a
libconsole_a_SOURCES = src/console/chunks.h src/console/chunks.c \
  src/console/seen.h src/console/seen.c \
  src/console/kept.h src/console/kept.c \
  src/console/item.h src/console/item.c \
  src/console/mirror.h src/console/mirror.c \
  src/console/app.h src/console/app.c src/console/app_hub.c \
  src/console/app_keys.c src/console/app_decide.c \
  src/console/client.h src/console/client.c \
  src/console/screen.h src/console/screen.c \
  src/console/console.h src/console/console.c
