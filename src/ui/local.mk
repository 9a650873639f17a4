# src/ui: see the room's headers. Sources of this room only.
noinst_LIBRARIES += libui.a
libui_a_SOURCES =
