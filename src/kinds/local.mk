# src/kinds: see the room's headers. Sources of this room only.
noinst_LIBRARIES += libkinds.a
libkinds_a_SOURCES =
