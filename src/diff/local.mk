# src/diff: floor 2. Sources of this room only.
noinst_LIBRARIES += libdiff.a
libdiff_a_SOURCES = src/diff/diff.h src/diff/diff_priv.h src/diff/diff.c \
  src/diff/diff_git.c src/diff/anchor.c src/diff/walk.c src/diff/words.c \
  src/diff/gitstate.h src/diff/gitstate.c
