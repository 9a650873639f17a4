# src/config: see the room's headers. Sources of this room only.
noinst_LIBRARIES += libconfig.a
libconfig_a_SOURCES =
