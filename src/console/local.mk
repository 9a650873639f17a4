# src/console: see the room's headers. Sources of this room only.
noinst_LIBRARIES += libconsole.a
libconsole_a_SOURCES =
