# src/evidence: floor 3. Sources of this room only.
noinst_LIBRARIES += libevidence.a
libevidence_a_SOURCES = src/evidence/evidence.h src/evidence/evidence.c \
  src/evidence/ask.h src/evidence/ask.c src/evidence/wire.h \
  src/evidence/child.h src/evidence/child.c src/evidence/read.c
