# src/model: floor 1, pure. Sources of this room only.
noinst_LIBRARIES += libmodel.a
libmodel_a_SOURCES = src/model/action.h src/model/evidence.h \
  src/model/roles.def src/model/doc.h src/model/life.h src/model/facts.h \
  src/model/names.h src/model/doc_priv.h \
  src/model/action.c src/model/evidence.c src/model/life.c src/model/cover.c \
  src/model/doc.c src/model/doc_text.c src/model/doc_code.c
