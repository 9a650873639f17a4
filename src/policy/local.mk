# src/policy: see the room's headers. Sources of this room only.
noinst_LIBRARIES += libpolicy.a
libpolicy_a_SOURCES =
