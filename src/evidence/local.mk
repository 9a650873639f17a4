# src/evidence: see the room's headers. Sources of this room only.
noinst_LIBRARIES += libevidence.a
libevidence_a_SOURCES =
