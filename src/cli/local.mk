# src/cli: see the room's headers. Sources of this room only.
noinst_LIBRARIES += libcli.a
libcli_a_SOURCES =
