# src/model: floor 1, pure. Sources of this room only.
noinst_LIBRARIES += libmodel.a
libmodel_a_SOURCES = src/model/action.h src/model/evidence.h \
  src/model/roles.def src/model/doc.h src/model/life.h src/model/facts.h
