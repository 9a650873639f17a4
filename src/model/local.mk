# src/model: see the room's headers. Sources of this room only.
noinst_LIBRARIES += libmodel.a
libmodel_a_SOURCES =
