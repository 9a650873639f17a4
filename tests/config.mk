# tests of config
if HAVE_CMOCKA
check_PROGRAMS += test_paths test_rules test_claude_settings
TESTS += test_paths test_rules test_claude_settings
test_paths_SOURCES = tests/config/test_paths.c
test_paths_LDADD = libconfig.a $(BASE_TEST_LIBS)
test_rules_SOURCES = tests/config/test_rules.c tests/check.h
test_rules_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
test_rules_LDADD = libconfig.a libmodel.a libbase.a $(CMOCKA_LIBS) $(OB_EXTLIBS)
test_claude_settings_SOURCES = tests/config/test_claude_settings.c tests/check.h
test_claude_settings_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
test_claude_settings_LDADD = libconfig.a libmodel.a libbase.a $(CMOCKA_LIBS) \
  $(OB_EXTLIBS)
endif

EXTRA_DIST += tests/corpus/rules
check_PROGRAMS += fuzz_rules
fuzz_rules_SOURCES = tests/config/fuzz_rules.c
fuzz_rules_LDADD = libconfig.a libmodel.a libbase.a $(OB_EXTLIBS)
if FUZZING
fuzz_rules_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer
else
fuzz_rules_SOURCES += tests/support/fuzz_main.c
fuzz_rules_CPPFLAGS = $(AM_CPPFLAGS) \
  -DCORPUS_DIR=\"$(abs_srcdir)/tests/corpus/rules\"
TESTS += fuzz_rules
endif
