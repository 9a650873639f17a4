# src/store: see the room's headers. Sources of this room only.
noinst_LIBRARIES += libstore.a
libstore_a_SOURCES =
