# src/policy: floor 2, pure. Sources of this room only.
noinst_LIBRARIES += libpolicy.a
libpolicy_a_SOURCES = src/policy/policy.h src/policy/policy.c \
  src/policy/facts.c src/policy/path_match.c src/policy/control_paths.h \
  src/policy/control_paths.c src/policy/control_paths_table.c
