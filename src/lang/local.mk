# src/lang: see the room's headers. Sources of this room only.
noinst_LIBRARIES += liblang.a
liblang_a_SOURCES = src/lang/words.h src/lang/words.c
