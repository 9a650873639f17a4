# src/kinds: what each kind means and how it looks. Sources of this room only.
noinst_LIBRARIES += libkinds.a
libkinds_a_SOURCES = src/kinds/kinds.h src/kinds/kinds_priv.h \
  src/kinds/kinds.c src/kinds/view.c src/kinds/row.c src/kinds/after.c \
  src/kinds/kind_raw.c src/kinds/kind_command.c src/kinds/kind_edit.c \
  src/kinds/edit_priv.h src/kinds/edit_plan.c src/kinds/edit_draw.c \
  src/kinds/edit_patch.c src/kinds/edit_leaves.c
