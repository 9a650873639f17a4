# tests of gate and of the hub's side of its framing
EXTRA_DIST += tests/corpus/gatewire tests/corpus/gateframe tests/gate/check-static

# The least a static program costs: what the gate's start-up is measured against.
check_PROGRAMS += bench_null
bench_null_SOURCES = tests/bench/bench_gate_null.c
bench_null_CFLAGS = -std=c11 $(OB_WARN) -fno-pie
bench_null_LDFLAGS = -static
bench_null_LDADD =

TESTS += tests/gate/check-static

check_PROGRAMS += fuzz_gatewire fuzz_gateframe
fuzz_gatewire_SOURCES = tests/proto/fuzz_gatewire.c
fuzz_gatewire_CPPFLAGS = $(AM_CPPFLAGS) \
  -DCORPUS_DIR=\"$(abs_srcdir)/tests/corpus/gatewire\"
fuzz_gatewire_LDADD = libproto.a libbase.a $(OB_EXTLIBS)
fuzz_gateframe_SOURCES = tests/gate/fuzz_gateframe.c src/gate/frame.c src/gate/frame.h
fuzz_gateframe_CPPFLAGS = $(AM_CPPFLAGS) \
  -DCORPUS_DIR=\"$(abs_srcdir)/tests/corpus/gateframe\"
fuzz_gateframe_LDADD =
if FUZZING
fuzz_gatewire_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer
fuzz_gateframe_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer
else
fuzz_gatewire_SOURCES += tests/support/fuzz_main.c
fuzz_gateframe_SOURCES += tests/support/fuzz_main.c
TESTS += fuzz_gatewire fuzz_gateframe
endif

if HAVE_CMOCKA
check_PROGRAMS += test_gatewire test_gate test_gate_open test_gate_life test_gate_codes test_gate_wire
TESTS += test_gatewire test_gate test_gate_open test_gate_life test_gate_codes test_gate_wire
test_gatewire_SOURCES = tests/proto/test_gatewire.c tests/check.h
test_gatewire_LDADD = libproto.a libbase.a $(CMOCKA_LIBS) $(OB_EXTLIBS)

OB_GATEBOX = tests/gate/box.c tests/gate/box.h tests/check.h
test_gate_SOURCES = tests/gate/test_gate.c $(OB_GATEBOX)
test_gate_CPPFLAGS = $(AM_CPPFLAGS) -DGATE=\"$(abs_builddir)/obstat-gate\"
test_gate_LDADD = $(CMOCKA_LIBS)
test_gate_life_SOURCES = tests/gate/test_gate_life.c $(OB_GATEBOX)
test_gate_life_CPPFLAGS = $(test_gate_CPPFLAGS)
test_gate_life_LDADD = $(CMOCKA_LIBS)
test_gate_open_SOURCES = tests/gate/test_gate_open.c $(OB_GATEBOX)
test_gate_open_CPPFLAGS = $(test_gate_CPPFLAGS)
test_gate_open_LDADD = $(CMOCKA_LIBS)
test_gate_codes_SOURCES = tests/gate/test_codes.c tests/check.h src/gate/codes.c \
  src/gate/codes.h
test_gate_codes_CPPFLAGS = $(AM_CPPFLAGS) -DSRCDIR=\"$(abs_srcdir)\"
test_gate_codes_LDADD = $(CMOCKA_LIBS)
test_gate_wire_SOURCES = tests/gate/test_gate_wire.c $(OB_GATEBOX)
test_gate_wire_CPPFLAGS = $(test_gate_CPPFLAGS)
test_gate_wire_LDADD = libproto.a libbase.a $(CMOCKA_LIBS) $(OB_EXTLIBS)

# The same against the gate with sanitizers.
if ASAN
check_PROGRAMS += test_gate_asan test_gate_open_asan test_gate_life_asan
TESTS += test_gate_asan test_gate_open_asan test_gate_life_asan
test_gate_asan_SOURCES = $(test_gate_SOURCES)
test_gate_asan_CPPFLAGS = $(AM_CPPFLAGS) -DGATE=\"$(abs_builddir)/gate_asan\"
test_gate_asan_LDADD = $(CMOCKA_LIBS)
test_gate_open_asan_SOURCES = $(test_gate_open_SOURCES)
test_gate_open_asan_CPPFLAGS = $(test_gate_asan_CPPFLAGS)
test_gate_open_asan_LDADD = $(CMOCKA_LIBS)
test_gate_life_asan_SOURCES = $(test_gate_life_SOURCES)
test_gate_life_asan_CPPFLAGS = $(test_gate_asan_CPPFLAGS) -DGATE_ASAN
test_gate_life_asan_LDADD = $(CMOCKA_LIBS)
endif
endif
