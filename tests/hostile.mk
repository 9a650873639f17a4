# hostile peers and consoles, against a whole hub
if HAVE_CMOCKA
HOSTILE_RIG = tests/hostile/host.c tests/hostile/host.h $(HUB_RIG)
HOSTILE_CPPFLAGS = $(HUB_TEST_CPPFLAGS) -DSRCDIR=\"$(abs_srcdir)\" \
  -DGATE=\"$(abs_builddir)/obstat-gate\" -DOBSTAT=\"$(abs_builddir)/obstat\"
HOSTILE_TESTS = test_hostile_native test_hostile_gate test_hostile_flood \
  test_deception test_hostile_console \
  test_hostile_files test_hub_trouble
check_PROGRAMS += $(HOSTILE_TESTS)
TESTS += $(HOSTILE_TESTS)
test_hostile_native_SOURCES = tests/hostile/test_hostile_native.c $(HOSTILE_RIG)
test_hostile_native_CPPFLAGS = $(HOSTILE_CPPFLAGS)
test_hostile_native_LDADD = $(HUB_TEST_LIBS)
test_hostile_gate_SOURCES = tests/hostile/test_hostile_gate.c tests/hostile/frames.c \
  tests/hostile/frames.h $(HOSTILE_RIG)
test_hostile_gate_CPPFLAGS = $(HOSTILE_CPPFLAGS)
test_hostile_gate_LDADD = $(HUB_TEST_LIBS)
test_hostile_flood_SOURCES = tests/hostile/test_hostile_flood.c $(HOSTILE_RIG)
test_hostile_flood_CPPFLAGS = $(HOSTILE_CPPFLAGS)
test_hostile_flood_LDADD = $(HUB_TEST_LIBS)
test_deception_SOURCES = tests/hostile/test_deception.c $(HOSTILE_RIG)
test_deception_CPPFLAGS = $(HOSTILE_CPPFLAGS)
test_deception_LDADD = $(HUB_TEST_LIBS)
test_hostile_console_SOURCES = tests/hostile/test_hostile_console.c $(HOSTILE_RIG)
test_hostile_console_CPPFLAGS = $(HOSTILE_CPPFLAGS)
test_hostile_console_LDADD = $(HUB_TEST_LIBS)
test_hostile_files_SOURCES = tests/hostile/test_hostile_files.c $(HOSTILE_RIG)
test_hostile_files_CPPFLAGS = $(HOSTILE_CPPFLAGS)
test_hostile_files_LDADD = $(HUB_TEST_LIBS)
test_hub_trouble_SOURCES = tests/hostile/test_hub_trouble.c $(HUB_RIG)
test_hub_trouble_CPPFLAGS = $(HOSTILE_CPPFLAGS)
test_hub_trouble_LDADD = $(HUB_TEST_LIBS)
endif
