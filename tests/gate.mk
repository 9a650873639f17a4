# tests of gate and of the hub's side of its framing
if HAVE_CMOCKA
check_PROGRAMS += test_gatewire
TESTS += test_gatewire
test_gatewire_SOURCES = tests/proto/test_gatewire.c tests/check.h
test_gatewire_LDADD = libproto.a libbase.a $(CMOCKA_LIBS) $(OB_EXTLIBS)
endif

check_PROGRAMS += fuzz_gatewire
TESTS += fuzz_gatewire
fuzz_gatewire_SOURCES = tests/proto/fuzz_gatewire.c tests/support/fuzz_main.c
fuzz_gatewire_CPPFLAGS = $(AM_CPPFLAGS) \
  -DCORPUS_DIR=\"$(abs_srcdir)/tests/corpus/gatewire\"
fuzz_gatewire_LDADD = libproto.a libbase.a $(OB_EXTLIBS)
EXTRA_DIST += tests/corpus/gatewire

if HAVE_CMOCKA
check_PROGRAMS += test_gate
TESTS += test_gate
test_gate_SOURCES = tests/gate/test_gate.c tests/gate/box.c tests/gate/box.h tests/check.h
test_gate_CPPFLAGS = $(AM_CPPFLAGS) -DGATE=\"$(abs_builddir)/obstat-gate\"
test_gate_LDADD = $(CMOCKA_LIBS)
endif
