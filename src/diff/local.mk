# src/diff: see the room's headers. Sources of this room only.
noinst_LIBRARIES += libdiff.a
libdiff_a_SOURCES =
