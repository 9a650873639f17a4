# tests of cli
if HAVE_CMOCKA
check_PROGRAMS += test_cli_record
TESTS += test_cli_record

test_cli_record_SOURCES = tests/cli/test_cli_record.c tests/store/rig.c
test_cli_record_LDADD = libmodel.a $(STORE_TEST_LIBS) $(JANSSON_LIBS)
test_cli_record_DEPENDENCIES = obstat libmodel.a libstore.a libbase.a
endif

TESTS += tests/cli/demo.sh
tests/cli/demo.log: obstat
EXTRA_DIST += tests/cli/demo.sh tests/golden/demo/transcript.txt
