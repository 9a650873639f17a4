# tests of policy
if HAVE_CMOCKA
check_PROGRAMS += test_path_match test_control_paths test_policy test_facts
TESTS += test_path_match test_control_paths test_policy test_facts
OB_POLICY_LIBS = libpolicy.a libconfig.a liblang.a libmodel.a libbase.a \
  $(CMOCKA_LIBS) $(OB_EXTLIBS)
test_path_match_SOURCES = tests/policy/test_path_match.c tests/check.h
test_path_match_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
test_path_match_LDADD = $(OB_POLICY_LIBS)
test_control_paths_SOURCES = tests/policy/test_control_paths.c tests/check.h
test_control_paths_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
test_control_paths_LDADD = $(OB_POLICY_LIBS)
test_policy_SOURCES = tests/policy/test_policy.c tests/check.h
test_policy_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
test_policy_LDADD = $(OB_POLICY_LIBS)
test_facts_SOURCES = tests/policy/test_facts.c tests/check.h
test_facts_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/tests
test_facts_LDADD = $(OB_POLICY_LIBS)
endif
