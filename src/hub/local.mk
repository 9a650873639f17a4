# src/hub: see the room's headers. Sources of this room only.
noinst_LIBRARIES += libhub.a
libhub_a_SOURCES =
