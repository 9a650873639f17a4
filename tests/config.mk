# tests of config
if HAVE_CMOCKA
check_PROGRAMS += test_paths
TESTS += test_paths
test_paths_SOURCES = tests/config/test_paths.c
test_paths_LDADD = libconfig.a $(BASE_TEST_LIBS)
endif
