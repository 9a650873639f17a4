# src/base: floor 0. Sources of this room only; one variable a group of files
# so that each group can grow on its own line.
noinst_LIBRARIES += libbase.a
libbase_a_SOURCES = $(BASE_CORE) $(BASE_JSON) $(BASE_TEXT)
include src/base/core.mk
include src/base/jsonscan.mk
include src/base/text.mk
