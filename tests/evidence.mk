# tests of evidence
if HAVE_CMOCKA
check_PROGRAMS += test_evidence test_evidence_git evidence_child
TESTS += test_evidence test_evidence_git
OB_EVIDENCE_LIBS = libevidence.a libdiff.a libmodel.a libbase.a $(OB_EXTLIBS)
OB_EVIDENCE_FLAGS = $(AM_CPPFLAGS) -I$(srcdir) \
  -DCHILD=\"$(abs_builddir)/evidence_child\"
evidence_child_SOURCES = tests/evidence/child.c
evidence_child_LDADD = $(OB_EVIDENCE_LIBS)
test_evidence_SOURCES = tests/evidence/test_evidence.c tests/evidence/rig.c \
  tests/evidence/rig.h tests/support/clock_test.c tests/check.h
test_evidence_CPPFLAGS = $(OB_EVIDENCE_FLAGS)
test_evidence_LDADD = $(OB_EVIDENCE_LIBS) $(CMOCKA_LIBS)
test_evidence_git_SOURCES = tests/evidence/test_evidence_git.c tests/evidence/rig.c \
  tests/evidence/rig.h tests/support/clock_test.c tests/check.h
test_evidence_git_CPPFLAGS = $(OB_EVIDENCE_FLAGS)
test_evidence_git_LDADD = $(OB_EVIDENCE_LIBS) $(CMOCKA_LIBS)
endif
