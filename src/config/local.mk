# src/config: see the room's headers. Sources of this room only.
noinst_LIBRARIES += libconfig.a
libconfig_a_SOURCES =
libconfig_a_SOURCES += src/config/rules.h src/config/rules.c \
  src/config/rules_scan.h src/config/rules_scan.c \
  src/config/rules_keys.h src/config/rules_keys.c src/config/paths.h
libconfig_a_SOURCES += src/config/theme.h src/config/theme.c src/config/theme_dark_table.c
libconfig_a_SOURCES += src/config/paths.c
libconfig_a_SOURCES += src/config/claude_settings.h \
  src/config/claude_settings.c src/config/claude_state.c
