# tests of cli
if HAVE_CMOCKA
check_PROGRAMS += test_cli_record
TESTS += test_cli_record

test_cli_record_SOURCES = tests/cli/test_cli_record.c tests/store/rig.c
test_cli_record_LDADD = libmodel.a $(STORE_TEST_LIBS) $(JANSSON_LIBS)
test_cli_record_DEPENDENCIES = obstat libmodel.a libstore.a libbase.a
endif

TESTS += tests/cli/demo.sh
EXTRA_DIST += tests/cli/demo.sh tests/golden/demo/transcript.txt

# The manual's tables come from the program's.
check_PROGRAMS += docgen
docgen_SOURCES = tests/cli/docgen.c
docgen_LDADD = $(CLI_ROOMS) $(NCURSES_LIBS) $(OB_EXTLIBS)
TESTS += tests/cli/doc.sh
EXTRA_DIST += tests/cli/doc.sh
.PHONY: update-doc
update-doc: docgen
	srcdir=$(srcdir) $(srcdir)/tests/cli/doc.sh --update
